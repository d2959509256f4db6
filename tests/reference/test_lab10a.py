"""Lab 10, part A, of CSE 231."""

from grader.model.program import ProvidedSettings
from tests.reference.conftest import Play
from tests.reference.programs import SAMPLES


def test_prints_the_sample(play: Play) -> None:
    expected = (SAMPLES / "lab10" / "lab10a.transcript.txt").read_text()
    assert play("lab10a.py", provision=ProvidedSettings(edition="lab-random")) == expected


def test_prints_the_sample_in_letters(play: Play) -> None:
    expected = (SAMPLES / "lab10" / "lab10a.transcript.txt").read_text()
    in_letters = expected.translate(str.maketrans("♣♦♥♠", "cdhs"))
    assert play("lab10a.py", provision=ProvidedSettings(edition="letters-random")) == in_letters


def test_the_other_variant_has_an_empty_line_between_the_last_cards(play: Play) -> None:
    expected = (SAMPLES / "lab10" / "lab10a.transcript.txt").read_text()
    between = expected.replace("\nLast card in hand of player #2", "\n\nLast card in hand of player #2")
    provision = ProvidedSettings(edition="lab-random")
    assert play("lab10a.py", provision=provision, variant="handout-blank") == between
