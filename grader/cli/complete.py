"""What the shell offers when a user presses the tab key, and the same names in help texts.

Names are looked up only when they are shown: most commands need no platform, and start faster without.
"""

from collections.abc import Callable, Mapping
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption

from grader.api.names import (
    assignment_names,
    autograder_names,
    comparison_names,
    download_names,
    export_names,
    output_names,
    program_names,
)

Completion = Callable[[str], list[str]]


def _completion_of(names: Callable[[], list[str]]) -> Completion:
    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


assignments = _completion_of(assignment_names)
programs = _completion_of(program_names)
downloads = _completion_of(download_names)
exports = _completion_of(export_names)
autograders = _completion_of(autograder_names)
comparisons = _completion_of(comparison_names)
outputs = _completion_of(output_names)


def files(_incomplete: str) -> list[str]:
    """No names: all shells then offer files, and know best how to quote them."""
    return []


_NAMES: Mapping[str, Callable[[], list[str]]] = {
    "{downloads}": download_names,
    "{exports}": export_names,
    "{autograders}": autograder_names,
    "{comparisons}": comparison_names,
    "{outputs}": output_names,
}


class CommandWithNames(TyperCommand):
    """A command whose help texts may hold `{downloads}`, `{exports}` and so on for the names themselves."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Put the names into the help texts, then write the help."""
        for parameter in self.params:
            if isinstance(parameter, TyperArgument | TyperOption):
                parameter.help = _with_names(parameter.help or "")
        super().format_help(ctx, formatter)


def _with_names(text: str) -> str:
    for placeholder, names in _NAMES.items():
        if placeholder in text:
            text = text.replace(placeholder, ", ".join(names()))
    return text
