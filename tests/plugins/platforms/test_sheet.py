import codecs
import csv
from decimal import Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.platforms.platform import ExportError
from grader.plugins.platforms.shared.gradebook_file import number_in, read_gradebook_file, written_like

TEXTS = st.text(st.sampled_from('ab,;\t"\r\n é李='), max_size=80)


@given(TEXTS, st.sampled_from([b"", codecs.BOM_UTF8]))
def test_a_sheet_that_is_not_changed_is_the_same(text: str, mark: bytes) -> None:
    content = mark + text.encode()
    assert read_gradebook_file(content, "x.csv").to_bytes() == content


@given(st.lists(st.lists(st.text('ab,"\n é', max_size=6), min_size=2, max_size=4), min_size=1), st.booleans())
def test_cells_are_read_as_by_the_csv_module(rows: list[list[str]], every: bool) -> None:
    out = StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL)
    writer.writerows([["name", "grade", "x", "y"], *rows])
    records = read_gradebook_file(out.getvalue().encode(), "x.csv").records
    assert [list(record.cells) for record in records[1:]] == rows


@given(st.text('ab,"\n é;', max_size=9), st.sampled_from(['"old"', "old", '""', ""]))
def test_a_filled_cell_says_what_was_written_and_no_other_byte_changes(text: str, old: str) -> None:
    content = f'name,"the ""x"""\r\n Zoë ,{old}\nlast,"1"'.encode()
    sheet = read_gradebook_file(content, "x.csv").filled({(1, 1): text})
    assert read_gradebook_file(sheet.to_bytes(), "x.csv").records[1].cells == (" Zoë ", text)
    assert sheet.to_bytes().startswith('name,"the ""x"""\r\n Zoë ,'.encode())
    assert sheet.to_bytes().endswith(b'\nlast,"1"')
    assert sheet.filled({(1, 1): "old"}).filled({(1, 1): text}).to_bytes() == sheet.to_bytes()


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (codecs.BOM_UTF16_LE + "name\tgrade\nZoë\t1\n".encode("utf-16-le"), None),
        ("name;grade\nZoë;1\n".encode("windows-1252"), "windows-1252"),
        ("name,grade\nZoë,1\n".encode(), None),
    ],
)
def test_encodings_and_separators(content: bytes, encoding: str | None) -> None:
    sheet = read_gradebook_file(content, "x.csv", encoding)
    assert sheet.columns == ("name", "grade")
    assert sheet.records[1].cells == ("Zoë", "1")
    assert read_gradebook_file(sheet.filled({(1, 1): "7"}).to_bytes(), "x.csv", encoding).records[1].cells == (
        "Zoë",
        "7",
    )
    assert sheet.to_bytes() == content


def test_a_short_record_is_filled_up() -> None:
    assert read_gradebook_file(b"a,b,c\nx\n", "x.csv").filled({(1, 2): "7"}).to_bytes() == b"a,b,c\nx,,7\n"


@pytest.mark.parametrize("encoding", [None, "no-such-encoding", "ascii"])
def test_another_encoding_has_to_be_named(encoding: str | None) -> None:
    with pytest.raises(ExportError, match=r"x\.csv cannot be read as .*--encoding"):
        read_gradebook_file("Zoë".encode("windows-1252"), "x.csv", encoding)


def test_what_the_encoding_cannot_hold_is_said() -> None:
    with pytest.raises(ExportError, match="'李' cannot be written in windows-1252"):
        read_gradebook_file(b"a,b\n", "x.csv", "windows-1252").filled({(0, 0): "李"}).to_bytes()


def test_numbers_in_the_language_of_the_sheet() -> None:
    assert number_in("100,00") == number_in("100.00") == 100
    assert number_in("ten") is None
    assert written_like(Decimal("11.70"), "100,00") == "11,7"
    assert written_like(Decimal("11.70"), "100.00") == "11.7"
