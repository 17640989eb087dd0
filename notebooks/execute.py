"""Executes the notebook from start to end and writes it, outputs and all, beside its results.

Usage: execute.py NOTEBOOK OUT_FILE. Any cell that raises ends it with exit code 1 and that cell's traceback.
"""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def main(source: str, target: str) -> int:
    path = pathlib.Path(source)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=900, resources={"metadata": {"path": path.parent}})
    try:
        client.execute()
    except CellExecutionError as e:
        print(e, file=sys.stderr)
        return 1
    finally:
        pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pictures = sum("image/png" in o.get("data", {}) for cell in cells for o in cell.outputs)
    print(f"{len(cells)} cells, {pictures} pictures: {target}")
    if pictures < 2:
        print("want a picture of the sweep and one of the leaderboard", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
