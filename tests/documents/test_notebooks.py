"""Every notebook is stripped of outputs, and runs whole in a real kernel with a scripted person."""

from __future__ import annotations

from pathlib import Path

import nbformat
import person
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))

PERSON = (
    Path(person.__file__).read_text(encoding="utf-8")
    + """

from nbask.testing import scripted

someone = scripted(willing)
asks = someone.__enter__()
"""
)
AFTER = "someone.__exit__(None, None, None); assert asks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert "widgets" not in notebook.metadata


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_with_a_scripted_person(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(PERSON))
    notebook.cells.append(nbformat.v4.new_code_cell(AFTER))
    NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
