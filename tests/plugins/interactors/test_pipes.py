"""The three pipes of a program that is talked to without a terminal."""

import fcntl
import os
import select
import subprocess

from grader.plugins.interactors.pipes import ProgramPipes


def test_the_end_of_input_has_come_when_it_was_said() -> None:
    """A program that another thread is starting has all pipes open until it is executed."""
    before = set(os.listdir("/proc/self/fd"))
    with ProgramPipes(1000) as pipes:
        ours = [int(name) for name in set(os.listdir("/proc/self/fd")) - before]
        writers = [fd for fd in ours if os.path.exists(f"/proc/self/fd/{fd}") and _is_for_writing(fd)]
        other = subprocess.Popen(["sleep", "0.2"], pass_fds=writers)
        pipes.end_input()
        poll = select.poll()
        poll.register(pipes.program_fd, 0)
        assert poll.poll(0) == [(pipes.program_fd, select.POLLHUP)]
        other.wait()


def _is_for_writing(descriptor: int) -> bool:
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
