"""Headers compile alone: whoever includes one needs no other before it.

CXX names the compiler; the default is g++."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from source_tree import ROOT, SOURCE, SourceTest


def installed_headers(texts):
    """All headers except those in folders that cmake/install.cmake leaves out; .cuh are for nvcc."""
    left_out = re.findall(r'PATTERN "([\w-]+)" EXCLUDE', (ROOT / "cmake" / "install.cmake").read_text())
    return [file for file in texts if file.endswith(".h") and not set(file.split("/")[:-1]) & set(left_out)]


def is_first_somewhere(header, texts):
    """Whether the build proves that a header compiles alone: the source of the same name includes it first."""
    source = texts.get(header.removesuffix(".h") + ".cpp", "")
    included = re.findall(r"^#include .*", source, re.M)
    return bool(included) and included[0] == f'#include "millrace/{header}"'


def lay_out_headers(folder):
    """Fills FOLDER/millrace/ like the include directory after `make install`, without CUDA."""
    (folder / "millrace").mkdir()
    for entry in SOURCE.iterdir():
        if entry.is_dir():
            (folder / "millrace" / entry.name).symlink_to(entry)
    version = (ROOT / "cmake" / "version.h.in").read_text()
    version = version.replace("@PROJECT_VERSION@", "0").replace("@MILLRACE_WITH_CUDA@", "0")
    (folder / "millrace" / "version.h").write_text(version)
    (folder / "millrace" / "interface.h").write_text('#define MILLRACE_INTERFACE "0"\n')


@contextlib.contextmanager
def folder_to_compile_in():
    """A folder with all headers. That of the build (MILLRACE_HOUSE_FOLDER) has the same path each time, so that ccache
    finds what has not changed."""
    fixed = os.environ.get("MILLRACE_HOUSE_FOLDER")
    with contextlib.nullcontext(fixed) if fixed else tempfile.TemporaryDirectory() as folder:
        shutil.rmtree(folder, ignore_errors=True)
        pathlib.Path(folder).mkdir(parents=True)
        lay_out_headers(pathlib.Path(folder))
        yield folder


def complaint_about(header, include_folder):
    """The compiler's error for a file that includes only this header; "" if it compiles."""
    file = pathlib.Path(include_folder) / (header.replace("/", "_") + ".cpp")
    file.write_text(f'#include "millrace/{header}"\n')
    command = [os.environ.get("CXX") or "g++", "-std=c++20", "-fopenmp", "-w", f"-I{include_folder}", file]
    ccache = shutil.which("ccache")
    command = [ccache, *command, "-c", "-o", file.with_suffix(".o")] if ccache else [*command, "-fsyntax-only"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return next((line for line in done.stderr.splitlines() if "error" in line), f"status {done.returncode}")


class Headers(SourceTest):
    def test_headers_compile_alone(self):
        headers = [header for header in installed_headers(self.texts) if not is_first_somewhere(header, self.texts)]
        headers = [header for header in headers if "#include <cuda" not in self.texts[header]]  # for builds with CUDA
        start = time.monotonic()
        with folder_to_compile_in() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda header: complaint_about(header, folder), headers))
        print(f"{len(headers)} headers compiled in {time.monotonic() - start:.0f} s")
        wrong = [f"src/{header}: {text}" for header, text in zip(headers, found) if text]
        self.complain(wrong, "headers that need another one before them")


class PlantedFaults(unittest.TestCase):
    """The check finds a planted fault."""

    def test_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            lay_out_headers(pathlib.Path(folder))
            for name, text in ("alone.h", "#include <cstddef>\n"), ("needy.h", ""):
                (pathlib.Path(folder) / "millrace" / name).write_text(f"{text}inline std::size_t number;\n")
            self.assertEqual(complaint_about("alone.h", folder), "")
            self.assertIn("std", complaint_about("needy.h", folder))


if __name__ == "__main__":
    unittest.main()
