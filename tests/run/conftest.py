"""A clean interpreter for all tests of this folder, and a short way to hold a session with a program given as text."""

import shutil
import subprocess
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from grader.model.outcome import Outcome
from grader.run.interpreter import Interpreter, student_environment
from grader.run.terminal.session import run_dialogue


class Session(Protocol):
    """Runs a program, given as its source, on some inputs; keywords are those of `run_dialogue`."""

    def __call__(
        self, source: str, inputs: Sequence[str] = (), *, env: dict[str, str] | None = None, **keywords: Any
    ) -> Outcome: ...


@pytest.fixture(scope="session")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    return student_environment(tmp_path_factory.mktemp("interpreter"))


@pytest.fixture
def session(interpreter: Interpreter, tmp_path: Path) -> Session:
    workdir = tmp_path / "work"
    workdir.mkdir()

    def hold(source: str, inputs: Sequence[str] = (), *, env: dict[str, str] | None = None, **keywords: Any) -> Outcome:
        (workdir / "program.py").write_text(textwrap.dedent(source), encoding="utf-8")
        return run_dialogue(interpreter.program("program.py", workdir, env or {}), inputs, **keywords)

    return hold


needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def without_first_thread(folder: Path, work: str) -> Path:
    """Compile a program whose first thread ends at once while another one does this work, in C."""
    (folder / "program.c").write_text(f"""
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void *work(void *nothing) {{
{work}
    return nothing;
}}
int main(void) {{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}}
""")
    subprocess.run(["cc", "-pthread", "-o", folder / "program", folder / "program.c"], check=True)
    return folder / "program"
