"""A program leaves marks for its next run in the same sandbox, and looks for those of the one before."""

import struct
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from grader.files.digest import content_digest
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, FunctionCall, StdinRun
from grader.model.program import BuildCommands, CourseFile, Limits, StartSettings
from grader.model.test import SideOutput
from grader.run.environment import RunEnvironment
from grader.spec.languages import BUILD_LIMITS
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import TEST

TESTED = replace(TEST, program="program.py")
LIMITS = Limits(wall_seconds=20)
LOOK = FunctionCall(calls=(), variables={}, setup=(), checks=frozenset(USUAL_CHECKS), cards=None)

# An access control list (acl(5)) by which everyone may do everything.
ACCESS = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", tag, 7, 0xFFFFFFFF) for tag in (0x01, 0x04, 0x20))

LEAVE_AND_LOOK = f"""
import os

def attempt(name, act):
    try:
        return act()
    except OSError as error:
        return name, error.errno

for top in "/work", "/tmp", "/dev/shm":
    found = os.stat(top)
    print(top, oct(found.st_mode), found.st_nlink, found.st_ino, sorted(os.listdir(top)), os.listxattr(top))
    print(os.statvfs(top).f_bfree, os.statvfs(top).f_ffree, os.access(top, os.W_OK))
    print("touched before:", found.st_mtime != found.st_ctime)
    for number in range(20):
        name = f"{{top}}/{{number}}"
        open(name, "w").close()
        print(os.stat(name).st_ino, end=" ")
    os.makedirs(f"{{top}}/a/b/c")
    attempt("mark", lambda: os.setxattr(top, "user.mark", b"x" * 100))
    for kind in "access", "default":
        attempt(kind, lambda: os.setxattr(top, f"system.posix_acl_{{kind}}", {ACCESS!r}))
    attempt("times", lambda: os.utime(top, (1, 1)))
    attempt("mode", lambda: os.chmod(top, 0o500))
    print()
print("first process:", os.listdir("/proc/1"))
print(sorted(os.listdir("/proc/self/fd")), os.listdir("/dev/mqueue") if os.path.exists("/dev/mqueue") else None)
if os.fork() == 0:
    os.setsid()
    while True:
        pass
"""


@pytest.mark.parametrize("isolation", Isolation)
def test_nothing_is_carried_from_run_to_run(isolation: Isolation, sandboxes: RunEnvironment, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(LEAVE_AND_LOOK)
    with sandboxes.runner(((program, "program.py"),)) as runner:
        seen = Counter(runner.run(TESTED, LIMITS, isolation, {}).transcript for _ in range(3))
    [transcript] = seen
    assert "Traceback" not in transcript
    assert "touched before: False" in transcript
    assert "first process: []" in transcript


# Tells which of two words is somewhere in memory, but for the code of this program itself.
SEARCH_MEMORY = """
import re

def look():
    found = set()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps:
            begin, end, rights = re.match("([0-9a-f]+)-([0-9a-f]+) (..)", line).groups()
            if rights == "rw":
                memory.seek(int(begin, 16))
                try:
                    content = memory.read(int(end, 16) - int(begin, 16))
                except OSError:
                    continue
                found |= set(re.findall(b"treasure-[0-9]", content))
    return sorted(found)
"""


def test_the_memory_of_a_fork_has_nothing_of_the_call_before(sandboxes: RunEnvironment, tmp_path: Path) -> None:
    """It is so large that its place would not be taken by the next one."""
    program = tmp_path / "program.py"
    program.write_text(SEARCH_MEMORY)
    with sandboxes.runner(((program, "program.py"),)) as runner:
        seen = [
            runner.run(replace(TESTED, interaction=replace(LOOK, calls=(call,))), LIMITS, Isolation.FORK, {})
            for call in (f"look()  # {6_000 * 'treasure-1 '}", "look()  # treasure-2")
        ]
    assert [outcome.call and outcome.call.returned for outcome in seen] == [
        [{"shown": "b'treasure-1'"}],
        [{"shown": "b'treasure-2'"}],
    ]


# Prints which treasures are in the memory of the program, or of a process that it descends from.
SEARCH_ALL_MEMORY = """
import os, re

def look():
    found = set()
    for process in "self", os.getppid(), 1:
        try:
            with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
                for line in maps:
                    begin, end, rights = re.match("([0-9a-f]+)-([0-9a-f]+) (..)", line).groups()
                    try:
                        memory.seek(int(begin, 16))
                        content = memory.read(int(end, 16) - int(begin, 16))
                    except (OSError, OverflowError):
                        continue
                    found |= set(re.findall(b"treasure-[0-9]", content))
        except OSError:
            continue
    return sorted(found)

if __name__ == "__main__":
    print(look())
"""
BUILD = "printf 'echo treasure-%s' 6 > game.sh\n"


def test_a_fork_has_nothing_of_other_tests_in_its_memory(sandboxes: RunEnvironment, tmp_path: Path) -> None:
    given = tmp_path / "given.txt"
    given.write_text("treasure-3")
    files = (CourseFile("given.txt", content_digest(b"treasure-3"), given),)
    start = StartSettings(arguments=("treasure-1",), environment={"MODE": "treasure-2"}, files=files)
    recipe = BuildCommands(build=("sh", "make.sh"), run=("sh", "game.sh", "treasure-7"), limits=BUILD_LIMITS)
    looking = replace(TESTED, interaction=Dialogue(()))
    others = [
        replace(looking, start=start, side_output=SideOutput(files=("treasure-4",))),
        replace(looking, start=replace(start, environment={"PYTHONHASHSEED": "0", "MODE": "treasure-2"})),
        replace(looking, interaction=StdinRun(None, "treasure-5\n")),
        replace(TESTED, interaction=replace(LOOK, calls=("look()  # treasure-8",))),
        replace(looking, program="make.sh", recipe=recipe),
    ]
    paths = tmp_path / "program.py", tmp_path / "make.sh"
    for path, content in zip(paths, (SEARCH_ALL_MEMORY, BUILD), strict=True):
        path.write_text(content)
    with sandboxes.runner([(path, path.name) for path in paths]) as runner:
        outcomes = [runner.run(test, LIMITS, Isolation.FORK, {}) for test in others]
        after = [runner.run(looking, LIMITS, Isolation.FORK, {}).transcript for _ in range(2)]
    assert "treasure-1" in outcomes[0].transcript
    assert outcomes[-1].transcript == "treasure-6\n"
    assert after == ["[]\n", "[]\n"]


def test_numbers_of_processes_do_not_tell_the_first_run(sandboxes: RunEnvironment, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import os\nprint(os.getpid())\n")
    first = set()
    for _ in range(5):
        with sandboxes.runner(((program, "program.py"),)) as runner:
            first.add(runner.run(TESTED, LIMITS, Isolation.FORK, {}).transcript)
    assert len(first) > 1
