"""docs/reference/packages.md does what it says, with the Python that runs the suite and a wheel made on the spot."""

from pathlib import Path

import pytest

from grader.model.python_request import minor_version
from grader.run.find_python import StudentPython
from tests import ROOT
from tests.docs.running import run_document
from tests.python.wheels import use_wheels, wheel
from tests.sandbox import needs_sandbox


@pytest.mark.slow
@needs_sandbox
def test_the_course_of_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheels, course = tmp_path / "wheels", tmp_path / "course"
    module = "def toRoman(year):\n    assert year == 1365\n    return 'MCCCLXV'\n"
    wheel(wheels, "5.0", "", "roman", module)
    use_wheels(monkeypatch, wheels, tmp_path / "cache")
    text = (ROOT / "docs" / "reference" / "packages.md").read_text()
    assert 'python: "3.13"\n' in text
    document = tmp_path / "packages.md"
    document.write_text(text.replace('python: "3.13"\n', f'python: "{minor_version(StudentPython().version)}"\n'))
    (course / "reference").mkdir(parents=True)
    assert len(run_document(document, course)) == 3
    expected = course / "test_specs" / "years" / "expected" / "founded.canonical.txt"
    assert expected.read_text() == "Year: 1365\nMCCCLXV\n"
