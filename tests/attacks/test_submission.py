"""Submissions that are hostile before anything runs: to the compiler, to the import system, to what copies files."""

import os
import socket
from pathlib import Path

import pytest

from grader.model.judgement import Verdict
from grader.model.submission import SubmittedFile
from grader.run.sandbox.starting import SERVER
from grader.spec.course import Course
from tests.attacks.arena import SECRET, Arena
from tests.intake.taking import submission_in

SOURCES: dict[str, tuple[str | bytes, set[Verdict]]] = {
    "a list of a million lists": ("[" + "[]," * 1_000_000 + "]", {Verdict.WRONG_OUTPUT, Verdict.MEMORY_LIMIT}),
    "a text of many expressions": ('print(f"' + "{a}" * 150_000 + '")', {Verdict.TIMEOUT, Verdict.MEMORY_LIMIT}),
    "a tower of powers": ("print(9**9**9**9)", {Verdict.TIMEOUT}),
    "a very long text": ("print(len('a' * 10**10))", {Verdict.MEMORY_LIMIT}),
    "nested brackets": ("(" * 100_000, {Verdict.OUTPUT_LIMIT}),
    "nested signs": ("-" * 100_000 + "1", {Verdict.WRONG_OUTPUT}),
    "a chain of attributes": ("print(a" + ".b" * 100_000 + ")", {Verdict.WRONG_OUTPUT}),
    "a long number": ("1" * 1_000_000, {Verdict.CRASH}),
    "a number of a million hexadecimal digits": ("print(0x" + "f" * 1_000_000 + ")", {Verdict.OUTPUT_LIMIT}),
    "null characters": (b"\0" * 1000, {Verdict.CRASH, Verdict.WRONG_OUTPUT}),
    "a false encoding": (b"# coding: rot13\n" + bytes(range(256)), {Verdict.CRASH}),
    "an import of itself": ("import attack\nprint(attack)", {Verdict.WRONG_OUTPUT}),
}


LONG = {"a text of many expressions"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in SOURCES]
)
def test_a_source_that_is_hard_to_compile(name: str, arena: Arena) -> None:
    source, verdicts = SOURCES[name]
    spoils = arena.grade({"attack.py": source}, "session")
    assert spoils.result("session").verdict in verdicts, spoils.transcript("session")[-500:]


MODULES = {
    "sitecustomize": {"sitecustomize.py": "print('owned')\nimport os\nos._exit(0)\n"},
    "usercustomize": {"usercustomize.py": "import os\nos._exit(0)\n"},
    "modules of the library": {
        "random.py": "raise SystemExit(3)",
        "cards.py": "raise SystemExit(3)",
        "encodings/__init__.py": "raise SystemExit(3)",
    },
    "packages and files for the interpreter": {
        "pyvenv.cfg": "home = /work\n",
        "attack.pth": "import os; os._exit(3)\n",
        "python3._pth": ".",
        "__init__.py": "raise SystemExit(3)",
        "__main__.py": "raise SystemExit(3)",
        "peace/__init__.py": "raise SystemExit(3)",
    },
    "what the grader puts there": {
        **{file.name: "raise SystemExit(3)" for file in SERVER.glob("*.py")},
        "child.py": "raise SystemExit(3)",
        "json/__init__.py": "def loads(text): return {}",
    },
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_that_stand_in_for_others(name: str, arena: Arena) -> None:
    program = "import random\nprint(input('Word: '))\ndef double(number): return number\n"
    spoils = arena.grade({"attack.py": program, **MODULES[name]}, "session", "call")
    for test in "session", "call":
        assert spoils.result(test).verdict in (Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS, Verdict.CRASH)


NAMES = ["../owned.py", "/tmp/owned.py", "folder/../../owned.py", "..", "", ".", "folder/..", "/work/../etc/owned"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_lead_out_of_the_folder(name: str, arena: Arena) -> None:
    """No sandbox is made for such a submission."""
    inside = arena.course / "submissions" / "mallory" / "attack.py"
    inside.parent.mkdir(parents=True)
    inside.write_text("print('owned')")
    before = sorted(arena.course.rglob("*"))
    assignment = Course(arena.course).assignment("heist")
    test = next(test for test in assignment.tests if test.id == "session")
    outside = SubmittedFile(name, inside)
    result = arena.refused([outside, SubmittedFile("attack.py", inside)], test)
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert "is not the name of a file inside" in result.judgement.diagnosis.sentence  # type: ignore[union-attr]
    assert sorted(arena.course.rglob("*")) == before


def lead_out(kind: str, folder: Path, target: Path) -> None:
    """Put something at attack.py that is no file of the submission."""
    place = folder / "attack.py"
    match kind:
        case "a symbolic link":
            place.symlink_to(target)
        case "a link to a link":
            (folder / "other").symlink_to(target)
            place.symlink_to("other")
        case "a link to the terminal":
            place.symlink_to("/dev/tty")
        case "a link to zeros without end":
            place.symlink_to("/dev/zero")
        case "a pipe":
            os.mkfifo(place)
        case "a socket":
            with socket.socket(socket.AF_UNIX) as server:
                here = Path.cwd()
                os.chdir(folder)
                server.bind(place.name)
                os.chdir(here)
        case "a folder":
            place.mkdir()
        case "a device":
            os.mknod(place, 0o020666, os.makedev(1, 5))


KINDS = ["a symbolic link", "a link to a link", "a link to the terminal", "a link to zeros without end", "a pipe"]


@pytest.mark.parametrize("kind", [*KINDS, "a socket", "a folder", "a device"])
def test_what_is_no_file(kind: str, arena: Arena) -> None:
    if kind == "a device" and os.getuid() != 0:
        pytest.skip("only root can make a device")
    target = arena.course / "reference" / "attack.py"
    folder = arena.course / "submissions" / "mallory"
    folder.mkdir(parents=True)
    lead_out(kind, folder, target)
    assignment = Course(arena.course).assignment("heist")
    submission = submission_in(folder, assignment.file_names, assignment.zone)
    assert submission.file("attack.py") is None
    assert any("not a regular file" in note for note in submission.notes)
    # Had intake taken it, or had it been put there later, the copy would be refused.
    if kind not in ("a symbolic link", "a link to a link", "a folder", "a socket", "a pipe"):
        test = next(test for test in assignment.tests if test.id == "session")
        result = arena.refused([SubmittedFile("attack.py", folder / "attack.py")], test)
        assert result.verdict is Verdict.INTERNAL_ERROR


def test_a_hard_link_is_a_copy(arena: Arena) -> None:
    """Who can make one can read the file; the program gets a copy, so the file itself cannot be changed."""
    target = arena.course / "notes.py"
    target.write_text("open('attack.py', 'a').write('owned')\nopen('/submission/attack.py', 'a').write('owned')\n")
    before = target.read_text()
    folder = arena.course / "submissions" / "mallory"
    folder.mkdir(parents=True)
    (folder / "attack.py").hardlink_to(target)
    spoils = arena.grade_folder(folder, "session")
    assert spoils.result("session").verdict is Verdict.CRASH
    assert target.read_text() == before


LEFT_BEHIND = {
    "folders nested deeply": """
import os
for top in "/work", "/tmp":
    os.chdir(top)
    for _ in range(2000):
        os.mkdir("x" * 200)
        os.chdir("x" * 200)
""",
    "folders nested more deeply than functions": """
import os
for top in "/work", "/tmp":
    os.chdir(top)
    for _ in range(1500):
        os.mkdir("x")
        os.chdir("x")
""",
    "folders that cannot be read": """
import os
for top in "/work", "/tmp", "/dev/shm":
    os.makedirs(f"{top}/a/b/c")
    open(f"{top}/a/b/c/file", "w").close()
    for name in "a/b/c", "a/b", "a":
        os.chmod(f"{top}/{name}", 0)
    try:
        os.chmod(top, 0)
    except OSError:
        pass
""",
    "links, pipes and sockets": """
import os, socket
for top in "/work", "/tmp":
    os.symlink("/submission", f"{top}/link")
    os.symlink("loop", f"{top}/loop")
    os.mkfifo(f"{top}/pipe")
    socket.socket(socket.AF_UNIX).bind(f"{top}/socket")
os.remove("attack.py")
os.symlink("/submission/attack.py", "attack.py")
os.remove("peace.py")
os.symlink("attack.py", "peace.py")
""",
    "odd names": r"""
for name in b"\xff\xfe", b"new\nline", b"\x1b[2J", b"-rf", b"\xe2\x80\xae", b" " * 200:
    open(name, "w").close()
""",
    "modules for the next test": """
for name in "os", "resource", "sys", "sitecustomize", "readline":
    open(f"/work/{name}.py", "w").write("raise SystemExit(3)")
open("/tmp/sitecustomize.py", "w").write("raise SystemExit(3)")
open("peace.py", "w").write("raise SystemExit(3)")
""",
}


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_nothing_is_left_for_the_next_test(name: str, arena: Arena) -> None:
    spoils = arena.grade({"attack.py": LEFT_BEHIND[name]}, "session")
    assert spoils.result("session").verdict is Verdict.WRONG_OUTPUT, spoils.transcript("session")
    assert SECRET not in spoils.transcript("session")
