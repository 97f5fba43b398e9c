"""Folders of temporary graphs: removed with the graph, at the end of the process or, if it was killed, by the next one."""

import fcntl
import os
import pathlib
import shutil
import signal
import tempfile
import threading
import weakref

PREFIX = "millrace-graph-"
_swept = set()  # folders that this process has looked at


def _sweep(parent):
    """Removes what processes left that were killed: nobody holds the lock any more."""
    if parent in _swept:
        return
    _swept.add(parent)
    for lock in pathlib.Path(parent).glob(PREFIX + "*/lock"):
        try:
            with open(lock, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # it is in use, or somebody else's
            pass


def _remove(folder, lock, process):
    lock.close()
    if os.getpid() != process:  # a process that was forked leaves the folder to its parent
        return
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except KeyboardInterrupt:  # Python ignores what a finalizer raises: the folder would stay, and Ctrl-C be lost
        shutil.rmtree(folder, ignore_errors=True)
        threading.Timer(0.05, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()


class TemporaryFolder:
    """A new folder in `parent` (default: that of TMPDIR), which is there as long as this object, or until remove()."""

    def __init__(self, parent=None):
        parent = os.fspath(parent or tempfile.gettempdir())
        _sweep(parent)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        lock = open(os.path.join(self.path, "lock"), "wb")
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.remove = weakref.finalize(self, _remove, self.path, lock, os.getpid())
