"""Programs that are built: once per submission, and their tests find what the build made."""

import resource
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.files.digest import content_digest
from grader.model.assignment import Isolation
from grader.model.interaction import StdinRun
from grader.model.outcome import Termination
from grader.model.program import BuildCommands, CourseFile, Limits
from grader.model.test import Test, Visibility
from grader.run import toolchain
from grader.run.environment import RunEnvironment, sandboxed_environment
from grader.run.interface import TestRunner
from grader.spec.languages import BUILD_LIMITS
from tests.building import TEST
from tests.sandbox import needs_sandbox

LIMITS = Limits(wall_seconds=20, disk_bytes=4 << 20)
OK = "exit 0\n"


def program(name: str, build: tuple[str, ...] | None, *run: str) -> Test:
    recipe = BuildCommands(build=build, run=run, limits=BUILD_LIMITS)
    return replace(
        TEST,
        program=name,
        part="",
        visibility=Visibility.HIDDEN,
        recipe=recipe,
    )


GAME = program("make.sh", ("sh", "make.sh"), "./game")


def write(folder: Path, files: Mapping[str, str]) -> tuple[tuple[Path, str], ...]:
    for name, content in files.items():
        (folder / name).write_text(content)
    return tuple((folder / name, name) for name in files)


def shown(runner: TestRunner, test: Test = GAME) -> str:
    outcome = runner.run(test, LIMITS, Isolation.FORK, {})
    assert not outcome.in_build, outcome.transcript
    return outcome.transcript


def test_what_was_built_is_run_and_each_test_has_its_own_copy(everywhere: RunEnvironment, tmp_path: Path) -> None:
    script = "#!/bin/sh\\ncat data/moment x; echo > x"
    make = f"mkdir data; date +%N > data/moment; printf '{script}' > game; chmod +x game\n"
    with everywhere.runner(write(tmp_path, {"make.sh": make, "x": "mine\n"})) as runner:
        first, second = shown(runner), shown(runner)
    assert first.endswith("\nmine\n")
    assert first == second


def test_a_command_by_name_and_the_interpreter(everywhere: RunEnvironment, tmp_path: Path) -> None:
    files = write(tmp_path, {"make.py": "open('made.py', 'w').write('import sys; print(sys.argv)')"})
    with everywhere.runner(files) as runner:
        assert shown(runner, program("make.py", ("python3", "make.py"), "python3", "made.py", "a b")) == (
            "['made.py', 'a b']\n"
        )
        assert shown(runner, program("make.py", None, "cat", "make.py")).startswith("open(")


def test_only_regular_files_are_kept(everywhere: RunEnvironment, tmp_path: Path) -> None:
    make = "ln -s /etc/passwd link; ln -s / folder; mkfifo pipe; echo 1 > plain; mkdir sub; echo 2 > sub/plain\n"
    listing = program("make.sh", ("sh", "make.sh"), "find", ".", "-mindepth", "1", "-type", "f,l,p")
    with everywhere.runner(write(tmp_path, {"make.sh": make})) as runner:
        assert sorted(shown(runner, listing).splitlines()) == ["./make.sh", "./plain", "./sub/plain"]


def test_a_program_does_not_find_what_another_one_built(everywhere: RunEnvironment, tmp_path: Path) -> None:
    files = write(tmp_path, {"one.sh": "echo 1 > one\n", "two.sh": "echo 2 > two\n"})
    with everywhere.runner(files) as runner:
        for name in ("one", "two"):
            listing = program(f"{name}.sh", ("sh", f"{name}.sh"), "ls")
            assert sorted(shown(runner, listing).split()) == sorted(["one.sh", "two.sh", name])


@pytest.mark.parametrize(
    ("make", "ending", "exit_code", "said"),
    [
        ("echo no such card; exit 3\n", Termination.EXITED, 3, "no such card\n"),
        ("echo 1 > game; kill -9 $$\n", Termination.SIGNALLED, None, ""),
        ("sleep 60\n", Termination.TIMED_OUT, None, ""),
        ("yes\n", Termination.OUTPUT_LIMIT, None, "y\ny\n"),
        ("while :; do cat; done\n", Termination.KEEPS_READING, None, ""),
        ("truncate -s 3M game big\n", Termination.EXITED, 1, "The files that were built cannot be kept: "),
    ],
)
def test_a_build_that_fails(
    make: str, ending: Termination, exit_code: int | None, said: str, everywhere: RunEnvironment, tmp_path: Path
) -> None:
    assert GAME.recipe is not None
    limits = replace(BUILD_LIMITS, wall_seconds=2, output_bytes=1000)
    test = replace(GAME, recipe=replace(GAME.recipe, limits=limits))
    with everywhere.runner(write(tmp_path, {"make.sh": make})) as runner:
        outcome = runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {})
        again = runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {})
    assert outcome.in_build
    assert (outcome.ending, outcome.exit_code) == (ending, exit_code)
    assert outcome.transcript.startswith(said)
    assert again is not outcome
    assert again == outcome


@pytest.mark.parametrize("name", ["course.txt", "data/course.txt"])
@pytest.mark.parametrize("make", ["mkdir -p $FILE/x; echo y > $FILE/x/y", "echo y > ${FILE%%/*}", "mkdir -p $FILE"])
def test_a_file_of_the_course_replaces_what_a_build_made_in_its_place(
    make: str, name: str, everywhere: RunEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "course.txt").write_text("of the course\n")
    file = CourseFile(name=name, source=tmp_path / "course.txt", digest=content_digest(b"of the course\n"))
    test = program("make.sh", ("sh", "make.sh"), "sh", "game.sh")
    test = replace(test, start=replace(test.start, files=(file,)))
    files = write(tmp_path, {"make.sh": f"FILE={name}\n{make}\n", "game.sh": f"cat {name}\n"})
    with everywhere.runner(files) as runner:
        assert shown(runner, test) == "of the course\n"


def test_a_program_that_is_not_installed(everywhere: RunEnvironment, tmp_path: Path) -> None:
    missing = program("make.sh", ("no-such-compiler",), "./game")
    with (
        everywhere.runner(write(tmp_path, {"make.sh": OK})) as runner,
        pytest.raises(SessionError, match="must be installed"),
    ):
        runner.run(missing, LIMITS, Isolation.FRESH_PROCESS, {})


def test_the_limits_of_a_build_are_its_own(everywhere: RunEnvironment, tmp_path: Path) -> None:
    show = (
        "from resource import *\n"
        "print(getrlimit(RLIMIT_NOFILE)[0], getrlimit(RLIMIT_STACK)[0], file=open('limits', 'a'))\n"
    )
    files = write(tmp_path, {"make.py": show, "game.py": f"{show}print(open('limits').read())"})
    with everywhere.runner(files) as runner:
        test = program("make.py", ("python3", "make.py"), "python3", "game.py")
        assert shown(runner, test).split() == [
            str(limit) for limits in (BUILD_LIMITS, LIMITS) for limit in (limits.open_files, limits.stack_bytes)
        ]


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755])
@pytest.mark.parametrize("build", [None, ("./make.sh",)])
def test_every_file_that_was_handed_in_may_be_executed(
    everywhere: RunEnvironment, build: tuple[str, ...] | None, mode: int, tmp_path: Path
) -> None:
    files = write(tmp_path, {"make.sh": "#!/bin/sh\nexit 0\n", "game.sh": "#!/bin/sh\n./part.sh\n"})
    files += write(tmp_path, {"part.sh": "#!/bin/sh\necho part\n"})
    for path, _ in files:
        path.chmod(mode)
    with everywhere.runner(files) as runner:
        assert shown(runner, program("make.sh", build, "./game.sh")) == "part\n"


def test_what_a_build_leaves_running_is_killed(everywhere: RunEnvironment, tmp_path: Path) -> None:
    make = "(while :; do echo late > late; done) & printf '#!/bin/sh\\necho game' > game; chmod +x game\n"
    with everywhere.runner(write(tmp_path, {"make.sh": make})) as runner:
        assert shown(runner) == "game\n"


@needs_sandbox
def test_a_broken_sandbox_is_made_again_with_what_was_built(tmp_path: Path) -> None:
    make = "printf '#!/bin/sh\\necho game' > game; chmod +x game\n"
    with sandboxed_environment(()) as environment, environment.runner(write(tmp_path, {"make.sh": make})) as runner:
        assert shown(runner) == "game\n"
        runner.close()  # type: ignore[attr-defined]
        assert shown(runner) == "game\n"


@needs_sandbox
@pytest.mark.parametrize("named", ["by its path", "by its name"])
@pytest.mark.parametrize("step", ["build", "run"])
def test_a_command_that_the_sandbox_does_not_show_is_no_fault_of_the_program(
    named: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "private-tool"
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(0o755)
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", f"/usr/bin:/bin:{tmp_path}")
    command = (str(tool) if named == "by its path" else tool.name, "make.sh")
    test = program("make.sh", command, "cat") if step == "build" else program("make.sh", None, *command)
    with sandboxed_environment(()) as environment, environment.runner(write(tmp_path, {"make.sh": OK})) as runner:
        for one in (test, replace(test, interaction=StdinRun("in.txt", ""))):
            with pytest.raises(SessionError, match=r"private-tool.*only in /usr.*install it there"):
                runner.run(one, LIMITS, Isolation.FRESH_PROCESS, {})
        assert shown(runner, program("make.sh", None, "cat", "make.sh")) == OK


@needs_sandbox
def test_a_program_that_its_build_did_not_make_is_the_fault_of_the_program(tmp_path: Path) -> None:
    with sandboxed_environment(()) as environment, environment.runner(write(tmp_path, {"make.sh": OK})) as runner:
        outcome = runner.run(GAME, LIMITS, Isolation.FRESH_PROCESS, {})
    assert (outcome.exit_code, outcome.transcript) == (
        127,
        "cannot start: [Errno 2] No such file or directory: './game'\n",
    )


@needs_sandbox
@pytest.mark.parametrize(
    ("lowered", "limit", "option"),
    [
        (resource.RLIMIT_FSIZE, LIMITS.file_bytes, "-Hf"),
        (resource.RLIMIT_STACK, LIMITS.stack_bytes, "-Hs"),
        (resource.RLIMIT_AS, LIMITS.memory_bytes, "-Hv"),
    ],
)
@pytest.mark.parametrize("step", ["build", "run"])
def test_a_limit_that_the_grading_shell_lowers_is_no_fault_of_the_program(
    step: str, lowered: int, limit: int, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = limit // 2
    test = program("make.sh", ("sh", "make.sh") if step == "build" else None, "cat", "make.sh")
    getrlimit = resource.getrlimit
    with sandboxed_environment(()) as environment, environment.runner(write(tmp_path, {"make.sh": OK})) as runner:
        monkeypatch.setattr(resource, "getrlimit", lambda kind: (allowed,) * 2 if kind == lowered else getrlimit(kind))
        with pytest.raises(SessionError, match=rf"allows {allowed}: raise what `ulimit {option}` shows"):
            runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {})
        monkeypatch.undo()
        assert runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {}).exit_code == 0


SETS_ITS_LIMITS = """\
#!/bin/sh
ulimit -n
ulimit -H -c
ulimit -n 20
ulimit -n
"""


def test_limits_are_there_when_a_program_begins(everywhere: RunEnvironment, tmp_path: Path) -> None:
    """Otherwise it could use more, and fail where it sets its own: a sanitizer does that at once."""
    game = write(tmp_path, {"game": SETS_ITS_LIMITS})
    (tmp_path / "game").chmod(0o700)
    with everywhere.runner(game) as runner:
        assert shown(runner, program("game", None, "./game")) == f"{LIMITS.open_files}\n0\n20\n"


def test_a_pipe_that_nobody_reads_any_more_ends_a_program(everywhere: RunEnvironment, tmp_path: Path) -> None:
    """Python ignores that signal, and other programs must not."""
    with everywhere.runner(write(tmp_path, {"pipe.sh": "yes | head -1\necho end\n"})) as runner:
        assert shown(runner, program("pipe.sh", None, "sh", "pipe.sh")) == "y\nend\n"
