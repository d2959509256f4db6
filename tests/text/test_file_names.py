import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.text.file_names import file_names

NAMES = st.lists(
    st.one_of(
        st.text(max_size=300),
        st.sampled_from(["con", "CON", "nul.txt", "..", ".", "", "a/b", "a", "A", "é", "e\u0301"]),
    ),
    unique=True,
    max_size=12,
)


@pytest.mark.parametrize("name", ["ann", "Ann-Marie_2", "李雷", "Иван", "z5123456", "a.b"])
def test_a_safe_name_is_kept(name: str) -> None:
    assert file_names([name]) == {name: name}


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("../../etc/passwd", "etc-passwd-"),
        (".hidden", "hidden-"),
        ("-rf", "rf-"),
        ("con", "_con-"),
        ("Lpt1.txt", "_Lpt1.txt-"),
        ("com\u00b9", "_com\u00b9-"),
        ("a b", "a-b-"),
        ("a?", "a-"),
        ("\u202eevil", "evil-"),
        ("\udcff", ""),
        ("", ""),
        ("x" * 300, "x" * 150 + "-"),
    ],
)
def test_another_is_made_safe(name: str, begins: str) -> None:
    assert re.fullmatch(rf"{re.escape(begins)}[0-9a-f]{{10}}", file_names([name])[name])


def test_names_that_some_file_systems_take_for_one_are_told_apart() -> None:
    files = file_names(["Ann", "ann", "é", "e\u0301"])
    assert files["Ann"] == "Ann"
    assert len({file.casefold() for file in files.values()}) == 4


def test_nobody_can_take_the_file_of_another_by_a_well_chosen_name() -> None:
    taken = file_names(["a b"])["a b"]
    assert len(set(file_names([taken, "a b"]).values())) == 2


@given(NAMES)
def test_any_names_get_files_that_are_safe_and_differ_everywhere(names: list[str]) -> None:
    files = file_names(names)
    assert list(files) == names
    assert len({unicodedata.normalize("NFKC", file).casefold() for file in files.values()}) == len(names)
    for file in files.values():
        assert re.fullmatch(r"\w[\w.-]*", file)
        assert not file.endswith(".")
        assert len(f"{file}.html".encode()) <= 255
        assert not re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", file, re.I)
