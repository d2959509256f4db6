"""audit.yaml: mistakes that can be made, and clear words about those that cannot."""

import pytest

from grader.errors import SpecError
from grader.plugins.auditing.audit_file import AuditSettings, read_audit_settings
from grader.plugins.auditing.base_program import references
from grader.spec.course import Course
from tests.conftest import SmallCourse


def write(course: SmallCourse, text: str) -> None:
    (course.folder / "test_specs" / "doubles" / "audit.yaml").write_text(text)


def settings_of(course: SmallCourse) -> AuditSettings:
    assignment = Course(course.folder).assignment("doubles")
    return read_audit_settings(assignment, list(references(assignment)))


def test_mistakes_and_equivalent_mutants(small_course: SmallCourse) -> None:
    write(
        small_course,
        """\
format: 1
mistakes:
  - {program: double.py, about: adds two, find: 2 * number, replace: 2 + number}
equivalent:
  - {mutant: 0123abcd, reason: the number is never zero}
""",
    )
    catalogue = settings_of(small_course)
    [mutant] = catalogue.mutants
    assert "{2 + number}" in mutant.source
    assert mutant.about == "adds two"
    assert catalogue.equivalent == {"0123abcd": "the number is never zero"}


def test_an_assignment_without_a_catalogue(small_course: SmallCourse) -> None:
    assert settings_of(small_course).mutants == ()


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("{program: double.py, about: x, find: gone, replace: y}", "3:42: this text does not stand in the reference"),
        ("{program: double.py, about: x, find: number, replace: y}", "stands 4 times in the reference of double.py"),
        ("{program: doubel.py, about: x, find: number, replace: y}", "there is no program `doubel.py`; did you mean"),
        ("{program: double.py, about: x, find: number}", "`replace` is missing"),
    ],
)
def test_faults_are_worded(small_course: SmallCourse, mistake: str, said: str) -> None:
    write(small_course, f"format: 1\nmistakes:\n  - {mistake}\n")
    with pytest.raises(SpecError) as caught:
        settings_of(small_course)
    assert said in str(caught.value)
