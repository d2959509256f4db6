"""Names of formats and platforms for the tab key and for help texts, taken from where they are registered.

They are looked up only when they are shown: most commands need no platform, and start faster without.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption


def downloads(incomplete: str) -> list[str]:
    """The formats in which submissions arrive."""
    from grader.platforms import DOWNLOADS

    return _beginning(incomplete, DOWNLOADS)


def exports(incomplete: str) -> list[str]:
    """What `grader export` writes."""
    from grader.platforms import EXPORTS

    return _beginning(incomplete, EXPORTS)


def autograders(incomplete: str) -> list[str]:
    """The platforms that run `grader autograde`."""
    from grader.platforms import STUDENT_EXPORTS

    return _beginning(incomplete, STUDENT_EXPORTS)


def comparisons(incomplete: str) -> list[str]:
    """The formats of `grader compare`."""
    from grader.reports.comparison import COMPARISON_FORMATS

    return _beginning(incomplete, COMPARISON_FORMATS)


def outputs(incomplete: str) -> list[str]:
    """The formats in which results are printed."""
    from grader.reports.output_formats import OUTPUT_FORMATS

    return _beginning(incomplete, OUTPUT_FORMATS)


_NAMES: Mapping[str, Callable[[str], list[str]]] = {
    "{downloads}": downloads,
    "{exports}": exports,
    "{autograders}": autograders,
    "{comparisons}": comparisons,
    "{outputs}": outputs,
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
            text = text.replace(placeholder, ", ".join(names("")))
    return text


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
