"""What the reference programs do with the variant that is chosen for them."""

import pytest

from tests.reference.programs import run


@pytest.mark.parametrize(
    ("program", "variant", "known"),
    [
        ("solitaire_1", "course", "canonical, plain-face"),
        ("solitaire_1", "", "canonical, plain-face"),
        ("solitaire_2", "plain-face", "canonical, course, course-tight"),
        ("solitaire_2", "Course", "canonical, course, course-tight"),
        ("lab10b", "full", "canonical, winner-first, five-cards, five-cards-winner-first"),
        ("proj09", "", "canonical, free-completion, suits-first, suits-first-free-completion"),
    ],
)
@pytest.mark.parametrize("way", ["run", "import"])
def test_an_unknown_variant_ends_with_status_2(program: str, variant: str, known: str, way: str) -> None:
    arguments = [f"{program}.py"] if way == "run" else ["-c", f"import {program}"]
    done = run(*arguments, typed=["0", "q"], variant=variant)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"REFERENCE_VARIANT is {variant!r}; {program} knows {known}\n"


@pytest.mark.parametrize(
    ("program", "variants"),
    [("solitaire_1", ["canonical", "plain-face"]), ("solitaire_2", ["canonical", "course", "course-tight"])],
)
def test_simulate_is_the_same_in_every_variant(program: str, variants: list[str]) -> None:
    call = f"from {program} import simulate; simulate(20, 0)"
    printed = {run("-c", call, variant=variant).stdout for variant in [None, *variants]}
    assert len(printed) == 1
    assert printed.pop().startswith("Number of cards left | ")
