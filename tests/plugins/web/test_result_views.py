"""Results in a notebook: a line, a table, rows; a kernel runs the notebook."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests import ROOT
from tests.reports.site_example import ATTACKER, CLASS

NOTEBOOK = """
from tests.reports.site_example import CLASS
CLASS
---
CLASS.rows[1]
---
CLASS.rows[1].graded
---
print(CLASS, CLASS.rows[1])
---
[(row["student"], row["mark"]) for row in CLASS.records()][:2]
"""


def test_results_print_in_a_line() -> None:
    assert repr(CLASS) == "<ClassResult 'doubles': 9 students>"
    assert repr(CLASS.rows[1].graded) == "<GradedSubmission 'bob': 1 of 2 tests passed>"
    assert repr(CLASS.rows[0]).startswith("<StudentResult 'ann': mark ")
    assert repr(CLASS.rows[3]).endswith("mark ?>")


def test_rows_of_a_class_and_of_a_student() -> None:
    rows = CLASS.records()
    assert [row["student"] for row in rows] == [row.student for row in CLASS.rows]
    assert rows[0]["mark"] == float(CLASS.rows[0].mark.adjusted if CLASS.rows[0].mark else -1)
    assert rows[3]["mark"] is None
    assert [(row["test"], row["verdict"]) for row in CLASS.rows[1].records()] == [
        ("small", "passed"),
        ("talk", "wrong-output"),
    ]
    assert CLASS.rows[1].records() == CLASS.rows[1].graded.records()


def test_what_students_wrote_stays_text() -> None:
    html = CLASS._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html
    assert ATTACKER not in html


@pytest.mark.slow
def test_a_notebook_shows_them() -> None:
    cells = [nbformat.v4.new_code_cell(source.strip()) for source in NOTEBOOK.split("---")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}})
    client.execute()
    shown, student, graded, printed, rows = (cell.outputs[0] for cell in notebook.cells)
    assert shown.data["text/plain"] == "<ClassResult 'doubles': 9 students>"
    for output, words in ((shown, "ann"), (student, "wrong-output"), (graded, "wrong-output")):
        assert words in output.data["text/html"]
    assert len(printed.text) < 200
    assert rows.data["text/plain"].startswith("[('ann', ")
