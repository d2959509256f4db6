"""A mutant is known by the lines it changes and shown as a diff."""

from grader.plugins.auditing.base_program import Accepted, BaseProgram
from grader.plugins.auditing.mutants import Mutant

ORIGINAL = """\
LIMIT = 3


def first(number):
    return number + 1


def second(number):
    # one more
    return number + 1
"""


def mutant(original: str, before: str, after: str, count: int = 1) -> Mutant:
    parts = original.split(before)
    source = before.join(parts[:count]) + after + before.join(parts[count:])
    return Mutant(BaseProgram("game.py", original), "an example", source)


def test_the_diff_names_the_function() -> None:
    assert mutant(ORIGINAL, "number + 1", "number - 1", 2).diff.splitlines() == [
        "@@ -8,3 +8,3 @@ def second(number):",
        " def second(number):",
        "     # one more",
        "-    return number + 1",
        "+    return number - 1",
    ]


def test_the_same_change_in_two_functions_is_two_mutants() -> None:
    assert mutant(ORIGINAL, "number + 1", "number - 1", 1).id != mutant(ORIGINAL, "number + 1", "number - 1", 2).id


def test_a_change_elsewhere_does_not_rename_a_mutant() -> None:
    longer = ORIGINAL.replace("LIMIT = 3\n", "LIMIT = 3\nOTHER = 4\n")
    for count in (1, 2):
        change = ("number + 1", "number - 1", count)
        assert mutant(ORIGINAL, *change).id == mutant(longer, *change).id


def test_a_change_outside_functions_has_a_name_too() -> None:
    found = mutant(ORIGINAL, "3", "4")
    assert found.diff.splitlines()[0] == "@@ -1,3 +1,3 @@"
    assert len(found.id) == 8


def test_a_mutant_of_a_student_is_known_by_the_program_and_not_by_the_name() -> None:
    mine, yours = (
        Mutant(BaseProgram("game.py", ORIGINAL, Accepted((name,))), "", ORIGINAL.replace("3", "4"))
        for name in ("ann", "bob")
    )
    other = Mutant(BaseProgram("game.py", ORIGINAL + "\n", Accepted(("ann",))), "", ORIGINAL.replace("3", "4") + "\n")
    assert mine.id == yours.id != other.id
    assert mine.id.startswith("s-")
    assert mine.id != mutant(ORIGINAL, "3", "4").id
