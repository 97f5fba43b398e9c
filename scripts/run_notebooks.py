"""Runs the notebooks of docs/notebooks in an empty folder and keeps what they show; needs nbclient and ipykernel.

Usage: scripts/run_notebooks.py [NOTEBOOK...], with the package installed (or PYTHONPATH naming its folder)."""

import pathlib
import sys
import tempfile

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "notebooks"


def run(path, folder):
    """The notebook with what its cells show when they are run in `folder`. Raises CellExecutionError."""
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(folder)}}
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False, resources=where)
    client.execute()
    return notebook


def tidy(notebook):
    """Leaves out what says nothing: versions, names of cells, and displays that are empty in the end (of progress)."""
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if "data" not in one or any(one.data.values())]
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output.metadata = {}
    return notebook


def main():
    for path in [pathlib.Path(one) for one in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory(prefix="millrace-") as folder:
            notebook = tidy(run(path, folder))
        nbformat.write(notebook, path)
        print(path.name)


if __name__ == "__main__":
    main()
