"""Makes NetworkX find the backend where the package lies on the path of modules but is not installed."""

import importlib.metadata
import pathlib
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def installed():
    """Whether NetworkX finds the backend already."""
    return bool(importlib.metadata.entry_points(group="networkx.backends", name="millrace"))


def write(folder):
    """Writes the metadata of a distribution with the entry points of pyproject.toml into a folder, for sys.path."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    lines = []
    for group, points in groups.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    metadata = pathlib.Path(folder) / "millrace_source-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: millrace-source\nVersion: 0\n")
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")


_folders = []  # they are removed at the end of the process


def register():
    """Before the first import of networkx: see to it that it finds the backend."""
    if not installed():
        folder = tempfile.TemporaryDirectory(prefix="millrace-tests-")
        _folders.append(folder)
        write(folder.name)
        sys.path.insert(0, folder.name)
        importlib.invalidate_caches()
