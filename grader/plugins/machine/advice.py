"""Suggests what to do next on this system."""

import shutil
import sys
from collections.abc import Sequence

from grader.run.protection import ProtectionCheck, is_protected

_READY = ("This machine is ready. `grader demo` grades a sample class, `grader init` starts a course of your own.",)
_OTHER_SYSTEM = (
    "Grading a class needs Linux, because its kernel makes the sandbox. Use a virtual machine or, under Windows, WSL",
    "(`wsl --install`). What works here as it is: `grader check`, `watch`, `bundle`, `generate`, `init` and `new`, and",
    "`grader grade --sandbox none` for programs that you trust.",
)
_NO_BUBBLEWRAP = (
    "The sandbox needs bubblewrap. Install it, then run `grader doctor` again:",
    "  Debian, Ubuntu:  sudo apt-get install bubblewrap",
    "  Fedora:          sudo dnf install bubblewrap",
    "  Arch:            sudo pacman -S bubblewrap",
)
_NO_NAMESPACES = (
    "bubblewrap is installed, but this system does not let it make a sandbox. The usual reasons:",
    "  Ubuntu 23.10 and newer keep ordinary users from making namespaces. An administrator allows it with:",
    "    sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    "  Some systems switch namespaces off for all users. An administrator switches them on with:",
    "    sudo sysctl kernel.unprivileged_userns_clone=1",
    "  A container keeps its programs from it: its engine must let it make user namespaces.",
    "More: `grader docs install`",
)
_UNTIL_THEN = (
    "Until then `grader grade --sandbox none` grades with limits only: use it only for programs that you trust.",
)


def next_steps(protections: Sequence[ProtectionCheck]) -> tuple[str, ...]:
    """Return advice on what to do next, given this machine's protections against harmful submissions."""
    if is_protected(protections):
        return _READY
    if sys.platform != "linux":
        return _OTHER_SYSTEM
    reason = _NO_BUBBLEWRAP if shutil.which("bwrap") is None else _NO_NAMESPACES
    return *reason, *_UNTIL_THEN
