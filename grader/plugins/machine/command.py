"""The command `grader doctor`."""

import platform
from typing import TYPE_CHECKING

import click

from grader.cli.options import ExitCode
from grader.cli.output import Messages

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.option("--install", is_flag=True, help="First, install the packages that the course's assignments need.")
@click.pass_obj
def doctor(messages: Messages, *, install: bool) -> ExitCode:
    """Check what this machine has for grading, and suggest what to do next."""
    from rich.console import Console

    from grader.plugins.machine.advice import next_steps
    from grader.plugins.machine.api import install_packages, python_checks, usual_tools
    from grader.run.protection import is_protected, protections

    if install:
        install_packages(messages.progress(""))
    console = Console(highlight=False)
    console.print(f"Python {platform.python_version()} on {platform.system()} {platform.release()}", soft_wrap=True)
    protection_checks = protections()
    for protection in protection_checks:
        _print_check(console, protection.name, protection.found, available=protection.available)
    pythons = list(python_checks())
    for python in pythons:
        _print_check(console, python.assignment, python.description, available=python.available)
    tools = usual_tools()
    for title, names in (("other languages", tools.installed), ("not installed", tools.missing)):
        if names:
            console.print(f"     {title}: {', '.join(names)}", soft_wrap=True)
    _print_plugins(console)
    console.print()
    for line in next_steps(protection_checks):
        console.print(line, markup=False, soft_wrap=True)
    complete = is_protected(protection_checks) and all(check.available for check in pythons)
    return 0 if complete else 1


def _print_check(console: "Console", name: str, description: str, *, available: bool) -> None:
    from grader.reports.theme import TerminalStyle

    mark = f"[{TerminalStyle.PASSED}]yes[/]" if available else f"[{TerminalStyle.FAILED}]no [/]"
    console.print(f"{mark}  {name}: ", end="", soft_wrap=True)
    console.print(description, markup=False, soft_wrap=True)


def _print_plugins(console: "Console") -> None:
    """Print the names that each distribution registers, such as `my-plugin 1.0.0 (grader.commands: longest)`."""
    from grader.extensions import installed_extensions

    names: dict[str, dict[str, list[str]]] = {}
    for extension in installed_extensions():
        groups = names.setdefault(f"{extension.distribution} {extension.version}", {})
        groups.setdefault(extension.group, []).append(extension.name)
    for distribution, groups in names.items():
        listed = "; ".join(f"{group}: {', '.join(sorted(items))}" for group, items in sorted(groups.items()))
        console.print(f"     plugins of {distribution}: {listed}", markup=False, soft_wrap=True)
