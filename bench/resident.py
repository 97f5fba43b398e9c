"""Resident memory of this process, in bytes. Linux alone."""

import ctypes
import gc
import pathlib


def _status(name):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"/proc/self/status has no {name}")


def resident():
    """What is resident now."""
    return _status("VmRSS")


class Peak:
    """How far resident memory grows, at most, from the making of this object on."""

    def __init__(self):
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # memory that was freed goes back, and counts if it is taken again
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        self.before = resident()

    def growth(self):
        return max(_status("VmHWM") - self.before, 0)
