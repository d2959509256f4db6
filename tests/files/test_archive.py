"""Archives that were made to do harm, by accident or not, are refused with a reason and write nothing elsewhere."""

import gzip
import io
import os
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.files.archive_reader import (
    ArchiveLimits,
    UnsafeInputError,
    archive_stem,
    bytes_words,
    is_other_archive,
    members_of,
)
from grader.files.unpack import unpack
from grader.intake.match_files import SubmissionRequirements
from grader.model.assignment import SubmissionPolicy
from grader.model.submission import Submission
from tests.intake.taking import take_in

ZONE = ZoneInfo("Australia/Sydney")
LIMITS = ArchiveLimits(files=2000, total_bytes=1_000_000)
WANTED = SubmissionRequirements(
    programs={"game.py": ("game.py",)}, zone=ZONE, policy=SubmissionPolicy(total_bytes=1_000_000)
)
Make = Callable[[Path], None]


def zip_of(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)


def tar_of(path: Path, *entries: tarfile.TarInfo, content: bytes = b"") -> None:
    with tarfile.open(path, "w:gz") as archive:
        for entry in entries:
            entry.size = len(content) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(content) if entry.isreg() else None)


def tar_entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def zip_with(name: str, attributes: int) -> Make:
    def make(path: Path) -> None:
        entry = zipfile.ZipInfo(name)
        entry.create_system, entry.external_attr = 3, attributes << 16
        zip_of(path, (entry, b"/etc/passwd"))

    return make


def bytes_of(content: bytes) -> Make:
    def make(path: Path) -> None:
        path.write_bytes(content)

    return make


def encrypted_zip(path: Path) -> None:
    zip_of(path, ("game.py", b"print()"))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)


def overlapping_zip(path: Path) -> None:
    """Two entries of the list at the end that stand for the same bytes."""
    zip_of(path, ("a.py", b"print()" * 1000), ("b.py", b"x"))
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\1\2")
    second = data.index(b"PK\1\2", first + 1)
    data[second + 20 : second + 28] = data[first + 20 : first + 28]
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    path.write_bytes(data)


def lying_zip(path: Path) -> None:
    """An entry that says that it is small."""
    zip_of(path, ("game.py", b"#" * 5_000_000))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = data.index(mark) + offset
        data[start : start + 4] = struct.pack("<L", 10)
    path.write_bytes(data)


def huge_tar_header(path: Path) -> None:
    """A header for names that says to be a gigabyte long."""
    entry = tar_entry("name", tarfile.XHDTYPE)
    entry.size = 1 << 30
    with path.open("wb") as file:
        compress = zlib.compressobj(9, zlib.DEFLATED, 31)
        file.write(compress.compress(entry.tobuf()))
        file.write(compress.compress(bytes(20_000_000)) + compress.flush())


def tar_block(name: str, kind: bytes, size: bytes) -> bytes:
    """A header of tar whose size is written as these bytes."""
    entry = tar_entry(name, kind)
    block = bytearray(entry.tobuf())
    block[124:136] = size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def pax(*headers: bytes) -> Make:
    """A tar with a file per header, which stands before it."""

    def make(path: Path) -> None:
        with gzip.open(path, "wb") as file:
            for number, header in enumerate(headers):
                file.write(tar_block("pax", tarfile.XHDTYPE, b"%011o\0" % len(header)))
                file.write(header.ljust(-(-len(header) // 512) * 512, b"\0"))
                file.write(tar_block(str(number), tarfile.REGTYPE, b"%011o\0" % 0))
            file.write(bytes(1024))

    return make


def endless_tar(path: Path) -> None:
    """A file of less than no bytes, after which its own header comes again."""
    negative = b"\377" + (-512 % 256**11).to_bytes(11, "big")
    path.write_bytes(tar_block("x.txt", tarfile.REGTYPE, negative) + bytes(1024))


def pax_record(value: bytes) -> bytes:
    """A record that gives a file this name."""
    length = len(b"100000 path=\n") + len(value)
    return b"%06d path=%s\n" % (length, value)


ACCENTS = "\u0315\u0300".encode()


def many(path: Path) -> None:
    zip_of(path, *((f"{number}.txt", b"") for number in range(10_000)))


MAKERS: list[tuple[str, Make, str]] = [
    ("a.zip", lambda path: zip_of(path, ("../evil.py", b"")), "`../evil.py` in it leads out of the archive"),
    ("a.zip", lambda path: zip_of(path, ("a/../../evil.py", b"")), "leads out of the archive"),
    ("a.zip", lambda path: zip_of(path, ("/tmp/evil.py", b"")), "`/tmp/evil.py` in it leads out of the archive"),
    ("a.zip", lambda path: zip_of(path, ("C:/evil.py", b"")), "leads out of the archive"),
    ("a.zip", lambda path: zip_of(path, ("x" * 256, b"")), "has a name that is too long"),
    ("a.zip", lambda path: zip_of(path, ("x/" * 60 + "y", b"")), "has a name that is too long"),
    ("a.zip", lambda path: zip_of(path, ("a", b""), ("a/b", b"")), "it is damaged"),
    ("a.zip", zip_with("game.py", 0o120777), "`game.py` in it is a link"),
    ("a.zip", zip_with("game.py", 0o020666), "`game.py` in it is no regular file"),
    ("a.zip", zip_with("game.py", 0o010666), "`game.py` in it is no regular file"),
    ("a.zip", encrypted_zip, "`game.py` in it is encrypted"),
    ("a.zip", overlapping_zip, "its files overlap, as in a zip bomb"),
    ("a.zip", lying_zip, "it is damaged"),
    ("a.zip", many, "it has more than 2000 files"),
    ("a.zip", lambda path: zip_of(path, ("z", bytes(1_000_001))), "it has more than 1 MB when it is unpacked"),
    ("a.zip", lambda path: zip_of(path, ("y", bytes(600_000)), ("z", bytes(600_000))), "more than 1 MB"),
    ("a.zip", bytes_of(bytes(1_000_001)), "it has 1 MB; at most 1 MB are taken"),
    ("a.zip", bytes_of(b"print()"), "it is damaged or no archive"),
    ("a.zip", lambda path: path.symlink_to("/etc/passwd"), "it is damaged or no archive"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("../evil.py")), "`../evil.py` in it leads out of the archive"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("/tmp/evil.py")), "leads out of the archive"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a", tarfile.SYMTYPE, "/etc")), "`a` in it is a link"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a", tarfile.LNKTYPE, "b")), "`a` in it is a link"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a", tarfile.CHRTYPE)), "`a` in it is no regular file"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a", tarfile.FIFOTYPE)), "`a` in it is no regular file"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a"), content=bytes(1_000_001)), "more than 1 MB"),
    ("a.tgz", lambda path: tar_of(path, *(tar_entry(str(n)) for n in range(2001))), "it has more than 2000 files"),
    ("a.tgz", lambda path: tar_of(path, tar_entry("a"), content=bytes(40_000_000)), "when it is unpacked"),
    ("a.tar", endless_tar, "`x.txt` in it has a size below zero | (invalid header)"),
    ("a.tgz", pax(b"1" * 60_000), "one of its headers is damaged"),
    ("a.tgz", pax(*[b"1" * 5_000] * 100), "one of its headers is damaged"),
    ("a.tgz", pax(*[b"5 a" * 20_000 + b"="] * 100), "one of its headers is damaged"),
    ("a.tgz", pax(pax_record(b"1" * 60_000)), "one of its headers is damaged"),
    ("a.tgz", pax(*[pax_record(ACCENTS * 10_000)] * 100), "has a name that is too long"),
    ("a.tgz", pax(pax_record(b"a" * 80_000)), "one of its headers is too large"),
    ("a.zip", lambda path: zip_of(path, (ACCENTS.decode() * 10_000, b"")), "has a name that is too long"),
    # Newer Pythons read a header in parts, and find that it ends too soon.
    ("a.tgz", huge_tar_header, "one of its headers is too large | (empty header)"),
    ("a.tar", bytes_of(b"print()"), "it is damaged or no archive"),
]


def is_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(("name", "make", "reason"), MAKERS, ids=[f"{one[0]}-{one[2][:40]}" for one in MAKERS])
def test_the_archive_of_a_student_is_refused_and_the_others_go_on(
    name: str, make: Make, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "class" / "mallory").mkdir(parents=True)
    (tmp_path / "unpacked").mkdir()
    make(tmp_path / "class" / "mallory" / name)
    (tmp_path / "class" / "alice_game.py").write_text("print()\n")
    before = is_in(tmp_path / "class")
    alice, mallory = take_in(tmp_path / "class", WANTED, tmp_path / "unpacked").submissions
    assert (alice.student, len(alice.files)) == ("alice", 1)
    if (tmp_path / "class" / "mallory" / name).is_symlink():
        assert mallory.notes == ("game.py is missing", f"{name} is not used: it is not one of the files to hand in")
    else:
        assert (mallory.student, mallory.files, mallory.readable) == ("mallory", (), False)
        assert mallory.notes[0].startswith(f"{name} is refused: ")
        assert any(words in mallory.notes[0] for words in reason.split(" | "))
    assert is_in(tmp_path / "class") == before
    assert not (tmp_path / "evil.py").exists()
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 10_000_000
    assert not any(path.is_symlink() for path in (tmp_path / "unpacked").rglob("*"))


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_what_one_student_put_wrong_in_the_archive_of_a_class_is_refused_for_that_one(
    kind: str, tmp_path: Path
) -> None:
    archive = tmp_path / f"class.{kind}"
    if kind == "zip":
        link = zipfile.ZipInfo("class/mallory/game.py")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        bomb = ("class/bomb/game.py", bytes(1_000_001))
        zip_of(archive, ("class/alice/game.py", b"print()"), (link, b"../alice/game.py"), bomb, ("../evil/x", b""))
    else:
        with tarfile.open(archive, "w:gz") as made:
            for name, content in (("class/alice/game.py", b"print()"), ("class/bomb/game.py", bytes(1_000_001))):
                entry = tar_entry(name)
                entry.size = len(content)
                made.addfile(entry, io.BytesIO(content))
            made.addfile(tar_entry("class/mallory/game.py", tarfile.SYMTYPE, "../alice/game.py"))
            made.addfile(tar_entry("../evil/x"))
    (tmp_path / "unpacked").mkdir()
    intake = take_in(archive, WANTED, tmp_path / "unpacked")
    by_name = {one.student: one for one in intake.submissions}
    assert {name: one.readable for name, one in by_name.items()} == {"alice": True, "bomb": False, "mallory": False}
    assert by_name["alice"].files[0].path.read_bytes() == b"print()"
    assert by_name["mallory"].notes == ("class/mallory is refused: `class/mallory/game.py` in it is a link",)
    assert by_name["bomb"].notes == ("class/bomb is refused: it has more than 1 MB when it is unpacked",)
    assert intake.notes == ("evil/x is refused: `../evil/x` in it leads out of the archive",)
    assert not (tmp_path / "evil").exists()


@pytest.mark.slow
def test_what_is_left_out_has_an_end_too(tmp_path: Path) -> None:
    block = tar_block("node_modules/a", tarfile.REGTYPE, b"%011o\0" % 0)
    (tmp_path / "a.tgz").write_bytes(gzip.compress(block * 51_000 + bytes(1024), 1))
    limits = ArchiveLimits(files=10, total_bytes=100_000_000)
    with (
        pytest.raises(UnsafeInputError, match="more than 10 files"),
        members_of(tmp_path / "a.tgz", limits, ZONE) as it,
    ):
        list(it)


def only(path: Path, folder: Path) -> Submission:
    folder.mkdir()
    (submission,) = take_in(path, WANTED, folder).submissions
    return submission


def test_an_archive_in_an_archive_stays_closed(tmp_path: Path) -> None:
    zip_of(tmp_path / "inner.zip", ("game.py", b"print()"))
    (tmp_path / "class" / "a").mkdir(parents=True)
    zip_of(tmp_path / "class" / "a" / "outer.zip", ("inner.zip", (tmp_path / "inner.zip").read_bytes()))
    submission = only(tmp_path / "class", tmp_path / "unpacked")
    closed = "outer.zip/inner.zip is not opened: it is an archive in an archive"
    assert (submission.files, submission.notes) == ((), ("game.py is missing", closed))


def test_the_times_in_a_students_archive_are_not_believed(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    early = zipfile.ZipInfo("game.py", (2001, 1, 1, 0, 0, 0))
    zip_of(tmp_path / "class" / "a.zip", (early, b"print()"), ("submission.yaml", b"submitted: 2001-01-01 00:00\n"))
    os.utime(tmp_path / "class" / "a.zip", (0, 1761526740))
    submission = only(tmp_path / "class", tmp_path / "unpacked")
    assert submission.submitted == datetime(2025, 10, 27, 11, 59, tzinfo=ZONE)


@pytest.mark.parametrize("date", [(1980, 0, 0, 0, 0, 0), (2025, 2, 30, 1, 1, 1), (2025, 10, 1, 25, 0, 0)])
def test_an_impossible_date_in_a_zip_is_no_time(date: tuple[int, int, int, int, int, int], tmp_path: Path) -> None:
    info = zipfile.ZipInfo("game.py", (2025, 1, 1, 0, 0, 0))
    info.date_time = date
    zip_of(tmp_path / "a.zip", (info, b"print()"))
    unpacked = unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS, ZONE)
    assert (unpacked.folder / "game.py").stat().st_mtime == 0


@pytest.mark.parametrize("time", ["1e30", "-1e30", "nan", "inf"])
def test_an_impossible_time_in_a_tar_is_no_time(time: str, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("game.py")
        info.pax_headers = {"mtime": time}
        info.size = 7
        archive.addfile(info, io.BytesIO(b"print()"))
    unpacked = unpack(tmp_path / "a.tar", tmp_path / "out", LIMITS, ZONE)
    assert (unpacked.folder / "game.py").stat().st_mtime == 0
    assert (unpacked.folder / "game.py").read_bytes() == b"print()"


@pytest.mark.parametrize(
    ("first", "second"), [("J\u00f6rg/game.py", "Jo\u0308rg/game.py"), ("./a/\u00e9", "a//e\u0301")]
)
def test_files_whose_names_look_the_same_are_refused(first: str, second: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(first, "1")
        archive.writestr(second, "2")
    with pytest.raises(UnsafeInputError, match="` is in it twice, in names whose accents are encoded differently"):
        unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS, ZONE)


def test_folders_whose_names_look_the_same_are_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("J\u00f6rg/game.py", "Jo\u0308rg/cards.py", "./J\u00f6rg//game.py"):
            archive.writestr(name, name)
    unpacked = unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS, ZONE)
    assert sorted(path.name for path in unpacked.folder.rglob("*.py")) == ["cards.py", "game.py"]


def test_a_student_is_in_a_class_though_names_look_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("J\u00f6rg", "Jo\u0308rg", "ann"):
            archive.writestr(f"{name}/game.py", name)
    (tmp_path / "out").mkdir()
    joerg, ann = take_in(tmp_path / "class.zip", WANTED, tmp_path / "out").submissions
    assert (joerg.student, joerg.readable, ann.readable) == ("J\u00f6rg", False, True)
    assert "J\u00f6rg/game.py` is in it twice" in joerg.notes[0]


def test_an_archive_of_another_kind_is_pointed_out(tmp_path: Path) -> None:
    (tmp_path / "class" / "a").mkdir(parents=True)
    (tmp_path / "class" / "a" / "work.rar").write_bytes(b"Rar!")
    submission = only(tmp_path / "class", tmp_path / "unpacked")
    assert submission.notes == ("game.py is missing", "work.rar cannot be opened: expected a zip or tar archive")


@pytest.mark.parametrize(
    ("raw", "flags", "extra", "system", "expected"),
    [
        ("Zoë".encode(), 0x800, b"", 3, "Zoë"),
        ("Zoë".encode(), 0, b"", 3, "Zoë"),
        ("Zoë".encode("cp437"), 0, b"", 0, "Zoë"),
        ("Zoe\u0308".encode(), 0x800, b"", 3, "Zoë"),
        (b"Zo_", 0, struct.pack("<BL", 1, zlib.crc32(b"Zo_/game.py")) + "Zoë/game.py".encode(), 0, "Zoë"),
        (b"Zo_", 0, struct.pack("<BL", 1, 7) + "Zoë/game.py".encode(), 0, "Zo_"),
    ],
    ids=["utf-8 said", "utf-8 unsaid", "cp437", "decomposed", "unicode path", "unicode path of another name"],
)
def test_names_in_many_encodings(
    raw: bytes, flags: int, extra: bytes, system: int, expected: str, tmp_path: Path
) -> None:
    archive = tmp_path / "class.zip"
    placeholder = "?" * len(raw)
    entry = zipfile.ZipInfo(f"{placeholder}/game.py")
    entry.create_system = system
    if extra:
        entry.extra = struct.pack("<HH", 0x7075, len(extra)) + extra
    zip_of(archive, (entry, b"print()"))
    data = bytearray(archive.read_bytes().replace(placeholder.encode() + b"/", raw + b"/"))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        start = data.index(mark) + offset
        data[start : start + 2] = struct.pack("<H", flags)
    archive.write_bytes(data)
    assert only(archive, tmp_path / "unpacked").student == expected


@pytest.mark.parametrize("system", [0, 3])
def test_windows_paths_and_what_macs_add(system: int, tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("x")
    entry.filename, entry.create_system = "work\\game.py", system
    (tmp_path / "class").mkdir()
    zip_of(
        tmp_path / "class" / "a.zip", (entry, b"print()"), ("__MACOSX/work/._game.py", b"\0"), ("work/.DS_Store", b"\0")
    )
    submission = only(tmp_path / "class", tmp_path / "unpacked")
    assert submission.notes == ("game.py is taken from a folder: work/game.py",)


def test_what_is_an_archive() -> None:
    assert [archive_stem(name) for name in ("a.zip", "A.ZIP", "a.b.tar.gz", "a.py", ".zip", "a.rar")] == [
        *("a", "A", "a.b"),
        *(None, None, None),
    ]
    assert [is_other_archive(name) for name in ("a.rar", "a.7z", "a.zip", "a.tar.gz", "a.gz")] == [
        *(True, True, False, False, True)
    ]
    assert [bytes_words(count) for count in (1, 1500, 10**8)] == ["1 byte", "1.5 kB", "100 MB"]


TREES = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.binary(max_size=50), max_size=6)


@given(files=TREES, kind=st.sampled_from(["zip", "tgz"]))
@settings(max_examples=15, database=None)
def test_what_goes_in_comes_out(files: dict[str, bytes], kind: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / f"a.{kind}"
        if kind == "zip":
            zip_of(archive, *((f"in/{name}", content) for name, content in files.items()))
        else:
            with tarfile.open(archive, "w:gz") as made:
                for inner, content in files.items():
                    entry = tar_entry(f"in/{inner}")
                    entry.size = len(content)
                    made.addfile(entry, io.BytesIO(content))
        out = unpack(archive, folder / "out", LIMITS, ZONE).folder
        assert {path.name: path.read_bytes() for path in out.glob("in/*")} == files


@given(st.binary(max_size=300), st.sampled_from(["a.zip", "a.tar", "a.tgz", "a.tar.xz", "a.tbz2"]))
@settings(max_examples=30, database=None)
def test_junk_is_refused_and_raises_nothing_else(junk: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(junk)
        with suppress(UnsafeInputError):
            unpack(path, Path(folder) / "out", LIMITS, ZONE)
