"""What pip makes of the project: its name, and what it says where the package cannot be built."""

import os
import pathlib
import re
import shutil
import subprocess
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_distribution_has_a_name_of_its_own():
    """On the package index "millrace" is another project."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"] == "millrace-graph"
    for name in ("docs/python.md", "docs/networkx.md", "docs/install.md"):
        text = (ROOT / name).read_text()
        assert "millrace-graph" in text
        assert not re.search(r"^\s*(\$ )?pip install millrace", text, re.M), f"{name} installs another project"


@pytest.mark.parametrize("missing, text", [
    ([], "No C++ compiler was found."),
    (["-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON"], "The library CLI11 was not found."),
])  # fmt: skip
def test_what_is_missing_to_build_is_said(missing, text, tmp_path):
    cmake = shutil.which("cmake")
    if not cmake or (missing and not shutil.which("c++")):
        pytest.skip("there is no cmake, or no compiler")
    (tmp_path / "bin").mkdir()
    path = os.environ["PATH"] if missing else str(tmp_path / "bin")  # empty: no compiler
    clean = {name: value for name, value in os.environ.items() if name not in ("CXX", "CC")}
    program = shutil.which("ninja") or shutil.which("make")
    done = subprocess.run(
        [cmake, "-S", ROOT, "-B", tmp_path / "build", "-G", "Ninja" if program.endswith("ninja") else "Unix Makefiles",
         f"-DCMAKE_MAKE_PROGRAM={program}", *missing],
        capture_output=True, text=True, env={**clean, "PATH": path},
    )  # fmt: skip
    said = " ".join(done.stderr.split())
    assert done.returncode != 0 and text in said and "scripts/setup.sh build python" in said, done.stderr
