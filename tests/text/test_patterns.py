"""Patterns mean what Python's `re` says, with the module regex and without it, alone and as parts of a larger one."""

import re

import pytest

from grader.text import patterns
from grader.text.patterns import as_part, fitting_groups, is_found

CASES = [
    ("value {e}", ["value {e}", "value", "value x"]),
    ("{i}", ["{i}", "i", ""]),
    (r"^Set {s}: \d+$", ["Set {s}: 12", "Setx: 12"]),
    ("(?:ab){1<=e<=2}", ["ab{1<=e<=2}", "ac"]),
    ("x{2}y{,1}z{1,}{}", ["xxzz{}", "xyz{}"]),
    ("[x[:alpha:]]", ["a]", "b"]),
    (r"[\[:{e}\]]+", ["[:e]", "x"]),
    ("[]{e}]", ["]", "}", "x"]),
    (r"\N{BULLET}{2}\x41", ["••A", "•{2}A"]),
    (r"\{e}\\{2}", [r"{e}\\", "e"]),
    (r"(?x) a  # [ {e} (", ["a", "b"]),
]
PARTS = [
    (r"([a-z])\1", ["aa", "ab"]),
    (r"(?P<one>[0-9])-(?P=one)(x|y)\2", ["3-3xx", "3-3xy", "3-4xx"]),
    (r"(\()?[0-9](?(1)\))", ["(1)", "1", "(1", "x"]),
    (r"(?P<sign>-)?(?(sign)[0-9]|z)", ["-1", "z", "1"]),
    ("(?i)[a-z]", ["A", "1"]),
    ("(?x)([a-z])  # one (small) letter \\1\n\\1 # again", ["aa", "ab"]),
    (r"[(\1]([a-z])(?#(two)\1", ["(aa", "\x01bb", "(ab"]),
    (r"\(([a-z])\1\101|\0601", ["(aaA", "01", "(abA"]),
    ("a|b", ["a", "b", "c"]),
]


@pytest.fixture(params=[False, True], ids=["regex", "re"])
def _module(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(patterns, "regex", None)


@pytest.mark.usefixtures("_module")
@pytest.mark.parametrize(("pattern", "texts"), [*CASES, *PARTS])
def test_patterns_are_those_of_python(pattern: str, texts: list[str]) -> None:
    for text in texts:
        assert is_found(pattern, text, ignore_case=False) == bool(re.search(pattern, text, re.MULTILINE))
    assert len({is_found(pattern, text, ignore_case=False) for text in texts}) == 2


@pytest.mark.usefixtures("_module")
@pytest.mark.parametrize(("pattern", "texts"), PARTS)
def test_a_part_fits_what_the_pattern_fits(pattern: str, texts: list[str]) -> None:
    whole = f"(?P<number_0>[0-9]+)X{as_part(pattern, 'one')}Y{as_part(pattern, 'other')}"
    for text in texts:
        for other in texts:
            fits = re.fullmatch(pattern, text) and re.fullmatch(pattern, other)
            found = fitting_groups(whole, f"12X{text}Y{other}", ignore_case=False)
            assert (found or {}).get("number_0") == ("12" if fits else None)
            assert fitting_groups(whole, f"12x{text}Y{other}", ignore_case=False) is None
