"""The image is built from a fresh Debian, and grades in its sandbox with the options that the script gives."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader import __version__
from tests import ROOT
from tests.docs.running import csv_rows
from tools.document_steps import BLOCK

CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
DOCUMENT = ROOT / "docs" / "reference" / "container.md"
SCRIPT = ROOT / "tools" / "grader-in-container"
USER = 12345
BASE = "localhost/debian:fresh"
# Docker's images of Debian are made with these settings.
DEBIAN_SETTINGS = (
    *("--dpkgopt=force-unsafe-io", "--dpkgopt=path-exclude=/usr/share/doc/*"),
    *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*"),
)
# What Docker refuses to a container without privileges.
AS_DOCKER = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [
        {
            "names": [
                "fsopen",
                "fsmount",
                "mount",
                "move_mount",
                "open_tree",
                "pivot_root",
                "setns",
                "umount2",
                "unshare",
            ],
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": 1,
        },
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {
            "names": ["clone"],
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": 1,
            # CLONE_NEWUSER
            "args": [{"index": 0, "value": 0x10000000, "valueTwo": 0x10000000, "op": "SCMP_CMP_MASKED_EQ"}],
        },
    ],
}
# Lower than those of any machine; by default Podman raises them, which not every root may.
LIMITS = "--ulimit=nofile=1024:1024", "--ulimit=nproc=4000:4000"
# Containers run where the control groups are of the kind that every version of Podman understands.
OWN_CONTROL_GROUPS = 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"'


def run(command: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


@dataclass(frozen=True)
class Engine:
    """Podman with a store of its own."""

    store: Path

    def command(self, *arguments: str | Path) -> list[str]:
        places = "--root", self.store / "images", "--runroot", self.store / "run", "--cgroup-manager", "cgroupfs"
        inside = ["sh", "-c", OWN_CONTROL_GROUPS, "podman", "podman", *places, *arguments]
        return list(map(str, ["unshare", "--mount", *inside]))

    def container(self, *arguments: str | Path) -> list[str]:
        """The command that runs the image with the options that any machine understands."""
        return self.command("run", "--cgroups=disabled", "--network=none", *LIMITS, *arguments)


@pytest.fixture
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with the image of the smaller kind, built as the document says."""
    if os.geteuid() != 0 or not shutil.which("podman") or not shutil.which("mmdebstrap"):
        pytest.skip("needs root and the Debian packages podman and mmdebstrap")
    folder = tmp_path_factory.mktemp("image")
    # Podman refuses long paths for what it runs.
    engine = Engine(Path(tempfile.mkdtemp(prefix="podman-")))
    try:
        release = re.findall(r"debian:(\w+)-slim", CONTAINERFILE)[0]
        debian = run(["mmdebstrap", "--quiet", "--variant=minbase", *DEBIAN_SETTINGS, release, folder / "debian.tar"])
        if debian.returncode != 0:
            pytest.skip(f"no fresh Debian to be had: {debian.stderr.splitlines()[-1]}")
        for command in (engine.command("import", "--quiet", folder / "debian.tar", BASE), build_command(engine)):
            done = run(command)
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        yield engine
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(engine.store)


def build_commands() -> list[list[str]]:
    """The commands of the document that build the image."""
    lines = [line for block in BLOCK.finditer(DOCUMENT.read_text()) for line in block["body"].splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("podman build ")]


def build_command(engine: Engine) -> list[str]:
    """The one for Python alone, with the Debian of this test, and what pip trusts here."""
    (command,) = (command for command in build_commands() if "--target" in command)
    options = ["--isolation=chroot", "--layers=false", "--network=host", f"--build-arg=DEBIAN={BASE}"]
    certificates = os.environ.get("PIP_CERT")
    if certificates:
        settings = engine.store.with_name("pip.conf")
        settings.write_text("[global]\ncert = /certificates.pem\n")
        options += [f"--volume={certificates}:/certificates.pem:ro", f"--volume={settings}:/etc/pip.conf:ro"]
    return engine.command("build", *options, *command[2:])


def test_the_document_builds_both_images() -> None:
    stages = re.findall(r"^FROM \S+ AS (\w+)$", CONTAINERFILE, re.M)
    assert stages == ["build", "grader", "languages"]
    assert [command[2:] for command in build_commands()] == [
        ["--tag", "grader", "."],
        ["--tag", "grader", "--target", "grader", "."],
    ]


def test_what_is_copied_is_in_the_context() -> None:
    """Podman hands the builder only what .containerignore lets through."""
    copied = {
        source for line in re.findall(r"^COPY (?!--from)(.*)$", CONTAINERFILE, re.M) for source in line.split()[:-1]
    }
    let_through = re.findall(r"^!(.*)$", (ROOT / ".containerignore").read_text(), re.M)
    assert copied == set(let_through)
    assert all((ROOT / source).exists() for source in copied)


def engines_bin(folder: Path, name: str, script: str) -> dict[str, str]:
    """The environment of a machine whose only engine is a script; the user has the number USER."""
    folder.mkdir()
    for program, content in ((name, script), ("id", f"echo {USER}")):
        (folder / program).write_text(f"#!/bin/sh\n{content}\n")
        (folder / program).chmod(0o755)
    for program in ("sh", "unshare"):
        (folder / program).symlink_to(shutil.which(program) or program)
    return {"PATH": str(folder)}


@pytest.mark.parametrize(("name", "more"), [("docker", []), ("podman", ["--userns=keep-id"])])
def test_the_script_hands_everything_on(name: str, more: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "a b's ü"
    folder.mkdir()
    environment = engines_bin(tmp_path / "bin", name, "printf '%s\\n' \"$@\"; exit 3")
    done = subprocess.run(
        [SCRIPT, "grade", "a class"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (3, "")
    before, after = done.stdout.splitlines()[:3], done.stdout.splitlines()[-5:]
    assert before[:2] == ["run", "--rm"]
    assert after == [f"--volume={folder}:{folder}", f"--workdir={folder}", "grader", "grade", "a class"]
    options = done.stdout.splitlines()[2:-5]
    assert options[:-6] == ["--interactive", *more, f"--user={USER}:{USER}"]
    documented = set(re.findall(r"`(--(?:cap-drop|security-opt)=[^`]+)`", DOCUMENT.read_text()))
    assert set(options[-6:]) == documented


def test_without_an_engine_the_script_says_so(tmp_path: Path) -> None:
    environment = engines_bin(tmp_path / "bin", "neither", "")
    done = run([SCRIPT, "doctor"], PATH=environment["PATH"])
    assert done.returncode == 127
    assert done.stderr.startswith("Podman or Docker is needed")


def grade_by_the_script(engine: Engine, tmp_path: Path) -> None:
    """Grade a class as on a machine with Docker, whose part Podman takes."""
    environment = engines_bin(
        tmp_path / "bin", "docker", f'shift; PATH={os.defpath} exec {shlex.join(engine.container())} "$@"'
    )
    course = tmp_path / "course"
    course.mkdir()
    os.chown(course, USER, USER)

    def grader(*arguments: str) -> str:
        done = subprocess.run(
            [SCRIPT, *arguments], cwd=course, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert grader("--version") == f"grader {__version__}\n"
    assert "yes  sandbox: bubblewrap, started by an ordinary user" in grader("doctor")
    grader("init")
    grader("new", "assignment", "sums")
    grader("generate")
    for student, program in (("ada", (course / "reference" / "sums.py").read_text()), ("ben", "print(0)\n")):
        folder = course / "submissions" / "sums" / student
        folder.mkdir(parents=True)
        (folder / "sums.py").write_text(program)
        (folder / "submission.yaml").write_text("submitted: 2020-01-01 12:00\n")
    grader("grade", "submissions/sums")
    marks = course / "reports" / "sums" / "results.csv"
    assert [(row["student"], row["mark"]) for row in csv_rows(marks)] == [("ada", "10"), ("ben", "0")]
    assert marks.stat().st_uid == USER


def resolve_packages_of_languages(engine: Engine) -> None:
    """Resolve the packages of the last stage; to install them would take minutes."""
    stage = CONTAINERFILE.partition(" AS languages\n")[2]
    (commands,) = re.findall(r"^RUN (.*?[^\\])$", stage, re.M | re.S)
    simulated = commands.replace("apt-get install", "apt-get install --simulate").replace("\\\n", "")
    in_shell = "--network=host", "--user=0", "--entrypoint=sh", "grader", "-c"
    done = run(engine.command("run", "--rm", "--cgroups=disabled", *LIMITS, *in_shell, simulated))
    assert done.returncode == 0, done.stdout + done.stderr
    installed = set(re.findall(r"^Inst (\S+)", done.stdout, re.M))
    assert {"default-jdk-headless", "g++", "gcc", "make", "nodejs", "rustc", "valgrind"} <= installed


def try_without_options(engine: Engine, tmp_path: Path) -> None:
    profile = tmp_path / "docker.json"
    profile.write_text(json.dumps(AS_DOCKER))
    all_paths = "--security-opt=systempaths=unconfined"
    refusals = {
        ("--security-opt=seccomp=unconfined",): "Can't mount proc on /proc",
        (f"--security-opt=seccomp={profile}", all_paths): "No permissions to create a new namespace",
    }
    for options, words in refusals.items():
        done = run(engine.container("--rm", *options, "grader", "doctor"))
        assert done.returncode == 1, done.stdout + done.stderr
        assert words in done.stdout
        assert words in DOCUMENT.read_text()


@pytest.mark.slow
@pytest.mark.longest
def test_the_image_is_built_and_grades_in_its_sandbox(engine: Engine, tmp_path: Path) -> None:
    """One test, for one image takes minutes."""
    grade_by_the_script(engine, tmp_path)
    try_without_options(engine, tmp_path)
    resolve_packages_of_languages(engine)
