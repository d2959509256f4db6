"""What docs/reference/clusters.md says of Dask's own deployments: scripts grade, Dask reads its file as meant."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker

from grader.run.run_slots import TESTS_PER_CORE
from tests import ROOT
from tests.conftest import RIGHT, WRONG, Grader, SmallCourse
from tests.sandbox import needs_sandbox

DOCUMENT = ROOT / "docs" / "reference" / "clusters.md"
_SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
_PORT = 2222

# What a command leaves behind ends with it. The folder is what a server run by root wants.
_CONTAINED = (
    *("bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd"),
    *("--unshare-pid", "--proc", "/proc", "--die-with-parent", "--cap-add", "ALL"),
)
_OWN_NETWORK = (*_CONTAINED, "--unshare-net")

# Jobs are processes of this machine. As in SLURM, the file of a job may go as soon as it was taken.
_SBATCH = """\
#!/bin/sh
job=$(cat "$1")
setsid sh -c "$job" > /dev/null 2>&1 &
echo "Submitted batch job $!"
"""
_SCANCEL = '#!/bin/sh\nfor job; do kill -- "-$job"; done\n'


def block(name: str) -> str:
    """A file of the document."""
    text = DOCUMENT.read_text()
    return text.partition(f"```{name}\n")[2].partition("```")[0]


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with a few places of the example made those of this machine."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def hand_in_and_grade(course: SmallCourse, grader: Grader) -> str:
    """Hand in a few programs; returns what is printed when they are graded without a cluster."""
    for number in range(6):
        course.hand_in(f"student-{number}", f"{WRONG if number % 2 else RIGHT}# {number}\n")
    printed = grader("grade", "submissions").stdout
    shutil.rmtree(course.folder / ".grader")
    shutil.rmtree(course.reports)
    return printed


def run_here(command: list[str], course: SmallCourse, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **variables}
    return subprocess.run(command, cwd=course.folder, env=environment, capture_output=True, text=True, check=False)


def make_sshd(folder: Path) -> list[str]:
    """Write keys and settings of a server, and a home folder that reaches it; returns the server's command."""
    (folder / "home" / ".ssh").mkdir(parents=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    (folder / "known").write_text(f"[127.0.0.1]:{_PORT} {(folder / 'host.pub').read_text()}")
    (folder / "home" / ".ssh" / "config").write_text(
        f'Host 127.0.0.1\nPort {_PORT}\nIdentityFile "{folder}/user"\nUserKnownHostsFile "{folder}/known"\n'
    )
    (folder / "settings").write_text(
        f'ListenAddress 127.0.0.1:{_PORT}\nHostKey "{folder}/host"\nAuthorizedKeysFile "{folder}/user.pub"\n'
        "PidFile none\nUsePAM no\nStrictModes no\nAuthenticationMethods publickey\n"
    )
    return [str(_SSHD), "-D", "-f", str(folder / "settings"), "-E", str(folder / "log")]


@pytest.mark.slow
@needs_sandbox
@pytest.mark.skipif(_SSHD is None, reason="needs the Debian package openssh-server")
def test_a_class_is_graded_over_ssh(grader: Grader, small_course: SmallCourse, tmp_path: Path) -> None:
    printed = hand_in_and_grade(small_course, grader)
    script = changed(
        block("python file=grade_over_ssh.py"),
        ('["lab1", "lab1", "lab2", "lab3"]', '["127.0.0.1", "127.0.0.1", "127.0.0.1"]'),
        ('"n_workers": 8, "nthreads": 5', '"n_workers": 2, "nthreads": 2'),
    )
    (small_course.folder / "grade_over_ssh.py").write_text(script)
    server = make_sshd(tmp_path / "ssh")
    graded = shlex.join([sys.executable, "grade_over_ssh.py", "submissions"])
    command = [*_OWN_NETWORK, "sh", "-c", f"{shlex.join(server)} & {graded}"]
    there = run_here(command, small_course, HOME=str(tmp_path / "ssh" / "home"))
    log = (tmp_path / "ssh" / "log").read_text()
    assert there.returncode == 0, there.stderr + log
    assert there.stdout == printed
    assert log.count("Accepted publickey") == 3
    assert list((tmp_path / "ssh" / "home").iterdir()) == [tmp_path / "ssh" / "home" / ".ssh"]


@pytest.mark.slow
@needs_sandbox
def test_a_class_is_graded_by_jobs_of_slurm_with_certificates(
    grader: Grader, small_course: SmallCourse, tmp_path: Path
) -> None:
    printed = hand_in_and_grade(small_course, grader)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, program in (("sbatch", _SBATCH), ("scancel", _SCANCEL)):
        (tools / name).write_text(program)
        (tools / name).chmod(0o755)
    script = changed(
        block("python file=grade_on_slurm.py"),
        ("processes=8", "processes=2"),
        ("8 * 5", "2 * 2"),
        ("jobs=8", "jobs=2"),
        ('"/scratch/grader"', repr(str(tmp_path))),
    )
    (small_course.folder / "grade_on_slurm.py").write_text(script)
    path = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [*_CONTAINED, sys.executable, "grade_on_slurm.py", "submissions"]
    there = run_here(command, small_course, PATH=path)
    assert there.returncode == 0, there.stderr
    assert there.stdout == printed
    assert not list(tmp_path.glob(".dask-jobqueue*"))


def test_the_file_for_kubernetes_starts_what_dask_understands() -> None:
    [text] = re.findall(r"^```yaml\n(apiVersion: .*?)^```$", DOCUMENT.read_text(), re.M | re.S)
    found = yaml.safe_load(text)
    assert (found["apiVersion"], found["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    [worker] = found["spec"]["worker"]["spec"]["containers"]
    [scheduler] = found["spec"]["scheduler"]["spec"]["containers"]
    for container, program in ((worker, dask_worker), (scheduler, dask_scheduler)):
        assert container["args"][:2] == ["dask", program.main.name]
        given = program.main.make_context("dask", [*container["args"][2:]]).params
        assert container is scheduler or given["nthreads"] == worker["resources"]["limits"]["cpu"] * TESTS_PER_CORE + 1
    service = found["spec"]["scheduler"]["service"]
    assert service["selector"]["dask.org/cluster-name"] == found["metadata"]["name"]
    assert service["ports"][0]["targetPort"] == scheduler["ports"][0]["name"]
    assert service["ports"][0]["port"] == scheduler["ports"][0]["containerPort"] == 8786
