"""`grader doctor`: what this machine offers to run submissions safely."""

import platform

from rich.console import Console

from grader.reports.theme import TERMINAL
from grader.run.sandbox.protection import protections

_ADVICE = "Without a sandbox, `grader grade` needs --sandbox none: use it only for programs that you trust."


def run_doctor() -> int:
    """Print what protection there is, and why not more; returns 0 if submissions can be kept in a sandbox."""
    console = Console(highlight=False)
    console.print(f"Python {platform.python_version()} on {platform.system()} {platform.release()}", soft_wrap=True)
    found = protections()
    for protection in found:
        mark = f"[{TERMINAL.passed}]yes[/]" if protection.available else f"[{TERMINAL.failed}]no [/]"
        console.print(f"{mark}  {protection.name}: ", end="", soft_wrap=True)
        console.print(protection.found, markup=False, soft_wrap=True)
    if all(protection.available for protection in found):
        return 0
    console.print(_ADVICE, soft_wrap=True)
    return 1
