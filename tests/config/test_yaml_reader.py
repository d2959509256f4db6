"""Reading YAML: text stays as written, places are right, and every fault has one, never a traceback."""

import os
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grader.config.yaml_reader import YamlDocument, parse_in_python, read_document
from grader.errors import SpecError

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(folder: Path, content: str | bytes) -> YamlDocument:
    file = folder / "file.yaml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(file)


def fault(folder: Path, content: str | bytes) -> str:
    with pytest.raises(SpecError) as caught:
        read(folder, content)
    return str(caught.value).replace(f"{folder}/file.yaml:", "")


NOT_YAML = "this is not valid YAML: "
EMPTY = "1:1: the file is empty; expected a mapping (key: value)"
NOT_UTF_8 = "expected UTF-8 text (save the file as UTF-8)"
COLON = "found a `:` that cannot stand here; expected quotes around a text that contains `: `, or a new line"

FAULTS: list[tuple[str | bytes, str]] = [
    ("", EMPTY),
    (" \n\n", EMPTY),
    ("# nothing but a comment\n", EMPTY),
    (b"\xef\xbb\xbf", EMPTY),
    # Slips of indentation and punctuation.
    ("\tid: 1\n", "1:1: found a tab; expected spaces"),
    ("a: 1\n\tb: 2\n", "2:1: found a tab; expected spaces"),
    ("a:\n  - 1\n\t- 2\n", "3:1: found a tab; expected spaces"),
    ("title: Part 1: cards\n", f"1:14: {COLON}"),
    ("a: 1\n  b: 2\n", "2:4: this line is indented further than line 1, which has a value already"),
    ("input: [@home]\n", "1:9: found `@` at the beginning of a text; expected quotes around the text"),
    ("input: [`x`]\n", "1:9: found ``` at the beginning of a text; expected quotes around the text"),
    (
        "a: 1\nb: [1, 2\nc: 3\n",
        f"3:2: {NOT_YAML}while parsing a flow sequence (begun in line 2), expected ',' or ']', but got ':'",
    ),
    (
        "a: 'x\nb: 2\n",
        "3:1: the text in quotes that begins in line 1 does not end; expected the same quote after it",
    ),
    ("a: *b\n", f"1:4: {NOT_YAML}found undefined alias 'b'"),
    (
        "a: 1\n---\nb: 2\n",
        f"2:1: {NOT_YAML}expected a single document in the stream (begun in line 1), but found another document",
    ),
    # Characters.
    ("a: b\nc: d\x07\n", "2:5: the character U+0007 may not stand in YAML"),
    ("a: 1\r\nb: \x00\r\n", "2:4: the character U+0000 may not stand in YAML"),
    ("a: 1\rb: \x1b\r", "2:4: the character U+001B may not stand in YAML"),
    ("a: é😀\x7f\n", "1:6: the character U+007F may not stand in YAML"),
    ("a: 1\nb: Ä\nc: déjà\n".encode("latin-1"), f"2:4: found the byte 0xC4; {NOT_UTF_8}"),
    ("a: é\nb: ".encode() + b"\xff\n", f"2:4: found the byte 0xFF; {NOT_UTF_8}"),
    ("a: éé ".encode() + b"\xe9\n", f"1:7: found the byte 0xE9; {NOT_UTF_8}"),
    (b"\xef\xbb\xbfa: 1\nb: \xe9\n", f"2:4: found the byte 0xE9; {NOT_UTF_8}"),
    ("a: 1\n".encode("utf-16"), f"1:1: found the byte 0xFF; {NOT_UTF_8}"),
    ('a: 1\nb: ["\\ud83d\\ude00"]\n', "2:5: found `\\ud83d`, half of a character; expected the whole character"),
    ('a: "\\UFFFFFFFF"\n', f"1:7: {NOT_YAML}a number in it is out of range"),
    (f"%YAML 1.{'9' * 5000}\n---\na: 1\n", f"1:9: {NOT_YAML}a number in it is out of range"),
    # Keys and aliases.
    ("a: 1\nb: 2\na: 3\n", "3:1: the key `a` is given twice (first in line 1)"),
    ("a: 1\n'a': 3\n", "2:1: the key `a` is given twice (first in line 1)"),
    ("x:\n  - {a: 1, a: 2}\n", "2:12: the key `a` is given twice (first in line 2)"),
    ("? [a, b]\n: 1\n", "1:3: found a list or mapping as a key; expected a text"),
    ("x:\n  {a: b}: 1\n", "2:3: found a list or mapping as a key; expected a text"),
    ("a: &x [1, *x]\n", "1:4: this alias contains itself"),
    ("a: &x {b: *x}\n", "1:4: this alias contains itself"),
]


@pytest.mark.parametrize(("content", "message"), FAULTS, ids=[repr(content)[:40] for content, _ in FAULTS])
def test_a_fault_has_its_place(content: str | bytes, message: str, tmp_path: Path) -> None:
    # Of what is not YAML the line itself is shown below.
    assert fault(tmp_path, content).partition("\n    ")[0] == message


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a: 1\n\tb: 2\n", ["    →b: 2", "    ^"]),
        ("title: Part 1: cards\n", ["    title: Part 1: cards", "                 ^"]),
        ("a: 1\n  b: 2\n", ["      b: 2", "       ^"]),
        (f"title: Part {'1' * 200}: cards\n", []),
    ],
)
def test_a_line_that_is_not_yaml_is_shown_with_a_caret(content: str, lines: list[str], tmp_path: Path) -> None:
    assert fault(tmp_path, content).split("\n")[1:] == lines


def test_all_faults_of_keys_are_told_at_once(tmp_path: Path) -> None:
    said = fault(tmp_path, "a: 1\na: 2\n? [b]\n: 3\nc: &x [*x]\n")
    assert [line.split(" ", 1)[0] for line in said.splitlines()] == ["2:1:", "3:3:", "5:4:"]


@pytest.mark.parametrize(
    "content",
    ["[" * 700, "a: " + "[" * 1500 + "]" * 1500, "- " * 1500 + "a", "{a: " * 700, "[" * 200_000, "- " * 200_000],
    ids=lambda text: text[:6],
)
def test_deep_nesting_is_a_fault(content: str, tmp_path: Path) -> None:
    assert fault(tmp_path, content).endswith(": lists and mappings are nested too deeply here")


def test_aliases_that_stand_for_too_many_values_are_a_fault(tmp_path: Path) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{now}: &{now} [{', '.join([f'*{before}'] * 10)}]" for before, now in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert fault(tmp_path, "\n".join(lines)).endswith(": found more than 100000 values in one file")


def test_aliases_that_stand_for_too_much_text_are_a_fault(tmp_path: Path) -> None:
    content = f"a: &a '{'x' * 1_000_000}'\nb: [{', '.join(['*a'] * 12)}]"
    assert fault(tmp_path, content).endswith(": found more than 10000000 characters in one file, aliases included")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    pipe, loop = tmp_path / "pipe.yaml", tmp_path / "loop.yaml"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    (tmp_path / "link.yaml").symlink_to(pipe)
    no_file = "it is a folder, a pipe or a device"
    reasons = {
        tmp_path / "none.yaml": "No such file or directory",
        tmp_path: no_file,
        pipe: no_file,
        tmp_path / "link.yaml": no_file,
        loop: "Too many levels of symbolic links",
    }
    for file, reason in reasons.items():
        with pytest.raises(SpecError) as caught:
            read_document(file)
        assert str(caught.value) == f"{file}:1:1: the file cannot be read: {reason}"


AS_WRITTEN = [
    "01",
    "+1",
    "no",
    "yes",
    "on",
    "0x1F",
    "0o17",
    "1e3",
    "~",
    "null",
    "-0",
    "1--3",
    "1_000",
    ".5",
    "3.50",
    "2025-10-27",
    "12:30:45",
    "=",
    "true",
    "0b1",
    ".inf",
    ".nan",
    "<<",
]


def test_scalars_stay_the_text_that_was_written(tmp_path: Path) -> None:
    flow = read(tmp_path, f"a: [{', '.join(AS_WRITTEN)}]\n")
    block = read(tmp_path, "".join(f"- {text}\n" for text in AS_WRITTEN))
    assert flow.data == {"a": AS_WRITTEN}
    assert block.data == AS_WRITTEN


def test_tags_and_quotes_do_not_change_a_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a: [!!int 01, !!python/object:os.system x, '1', \"\\t\", ]\n").data == {
        "a": ["01", "x", "1", "\t"]
    }


@pytest.mark.parametrize("content", ["a:\n", "a: \n", "a: # none\n", "a: ''\n", "{a: }", "a: !x\n"])
def test_a_value_left_out_is_an_empty_text(content: str, tmp_path: Path) -> None:
    assert read(tmp_path, content).data == {"a": ""}


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    document = read(tmp_path, b"\xef\xbb\xbfa: 1\n")
    assert document.data == {"a": "1"}
    assert (document.place(("a",)).line, document.place(("a",)).column) == (1, 4)


def test_places(tmp_path: Path) -> None:
    document = read(tmp_path, "title: é\ntests:\n  - {id: one, input: [a, b]}\n  - id: two\n")

    def at(*steps: str | int) -> str:
        return str(document.place(steps)).removeprefix(f"{document.file}:")

    assert at() == "1:1"
    assert at("tests") == "3:3"
    assert at("tests", 0) == "3:5"
    assert at("tests", 0, "input", 1) == "3:26"
    assert at("tests", 1, "id") == "4:9"
    assert at("tests", 1, "input", 7) == "4:5", "the nearest thing around it that exists"
    assert str(document.key_place(("tests", 1, "id"))).endswith(":4:5")
    assert str(document.key_place(("tests", 1, "points"))).endswith(":4:5")


def test_an_alias_stands_for_its_value_everywhere(tmp_path: Path) -> None:
    assert read(tmp_path, "a: &x [1, {b: c}]\nd: *x\ne: *x\n").data == {name: ["1", {"b": "c"}] for name in "ade"}


YAML_LIKE = st.text(st.sampled_from(list("ab01 \n\t:-?,[]{}#&*!|>'\"%@`~\\x\r\x85\u2028\ufeff<.…é")), max_size=40)


@UNHURRIED
@given(YAML_LIKE | st.text(max_size=40) | st.binary(max_size=40))
@example("%TAG ! !\n--- a")
@example("a: !%ff b")
@example('"\\U00110000"')
@example("0\r0:")
def test_any_content_gives_data_or_a_place_in_the_file(content: str | bytes) -> None:
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file.yaml"
        file.write_bytes(raw)
        try:
            read_document(file)
        except SpecError as error:
            lines = raw.count(b"\n") + raw.count(b"\r") + raw.count(b"\xc2\x85") + raw.count(b"\xe2\x80") + 1
            for problem in error.problems:
                assert problem.place.file == file
                assert 1 <= problem.place.line <= lines
                assert problem.place.column >= 1


def content_of(root: yaml.Node | None) -> object:
    match root:
        case yaml.MappingNode():
            return [(content_of(key), content_of(value)) for key, value in root.value]
        case yaml.SequenceNode():
            return [content_of(item) for item in root.value]
        case None:
            return None
    return root.value


@UNHURRIED
@given(YAML_LIKE)
@example("a: [b, c: , d]")
@example("? a")
@example("- !!int 1\n- |-\n  x\r\n")
def test_with_and_without_libyaml_the_content_is_the_same(text: str) -> None:
    file = Path("file.yaml")
    try:
        fast = yaml.compose(text, Loader=yaml.CBaseLoader)
        slow = parse_in_python(file, text)
    except (yaml.YAMLError, SpecError, ValueError, OverflowError):
        return
    if "\t" not in text and "\ufeff" not in text and "*" not in text:
        assert content_of(fast) == content_of(slow)


@UNHURRIED
@given(st.lists(st.text(st.characters(exclude_categories=["C"]), min_size=1), min_size=1))
def test_single_quotes_keep_any_text(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        texts = [text for text in texts if not set(text) & set("\u2028\u2029")]
        quoted = ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
        assert read(Path(folder), f"a: [{quoted}]").data == {"a": texts}
