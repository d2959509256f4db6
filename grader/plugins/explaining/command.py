"""The command `grader explain`, which explains the words of a report."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress

import click

_LISTS = ("verdict", "cause", "difference", "column", "rule", "file", "key", "command", "topic")
_EXAMPLES = (
    ("verdicts", "wrong-output, timeout"),
    ("causes", "wrong-prompt, blank-line; what may differ: trailing-whitespace"),
    ("columns", "late_days, cap, raw"),
    ("rules", "main-guard, docstrings"),
    ("files, keys", "assignment.yaml, late.policy, compare.ignore"),
    ("commands", "check, grade"),
    ("topics", "sandbox, lateness"),
)


@click.command()
@click.argument("words", metavar="[WORD]", nargs=-1, help="The word to explain; default: an overview.")
@click.pass_context
def explain(context: click.Context, *, words: Sequence[str]) -> None:
    """Explain a verdict, a cause, a rule or a key."""
    word = " ".join(words)
    if not word:
        _print_overview()
        return
    listed = word.removesuffix("s")
    if listed in _LISTS:
        _print_list(context, listed)
    _print_word(context, word, may_be_unknown=listed in _LISTS or word in _commands(context))


def _print_overview() -> None:
    print("`grader explain WORD` explains these and more; `grader explain causes` lists all causes, and so on:")
    for name, words in _EXAMPLES:
        print(f"  {name:12} {words}")


def _commands(context: click.Context) -> Sequence[str]:
    group = context.parent.command if context.parent else None
    return group.list_commands(context) if isinstance(group, click.Group) else ()


def _print_list(context: click.Context, listed: str) -> None:
    """Print all words of a kind."""
    from rich.console import Console
    from rich.markdown import Markdown

    from grader.plugins.explaining.api import explanations

    words: dict[str, list[str]] = {}
    for entry in explanations():
        if listed in str(entry.kind).split()[0] and not (entry.place and entry.kind.name == "TOPIC"):
            words.setdefault(entry.label, []).append(f"`{entry.word}`")
    if listed == "command":
        words["command"] = [f"`{name}`" for name in _commands(context)]
    for sort, names in words.items():
        Console(highlight=False).print(Markdown(f"{sort}: {', '.join(dict.fromkeys(names))}"), "")


def _print_word(context: click.Context, word: str, *, may_be_unknown: bool) -> None:
    """Print the help of a command, and the explanation of a word. Raises ExplainError."""
    from rich.console import Console
    from rich.markdown import Markdown

    from grader.plugins.explaining.api import ExplainError, Explanation, WordKind, explain

    console = Console(highlight=False)
    for text in _help_of(context, word):
        console.print(text, markup=False, soft_wrap=True)
    matches: Sequence[Explanation] = ()
    with suppress(ExplainError) if may_be_unknown else nullcontext():
        matches = explain(word)
    for match in matches:
        gap = " " if match.kind in (WordKind.KEY, WordKind.RULE, WordKind.ACCEPTED) else "\n\n"
        console.print(Markdown(f"`{match.word}` ({match.label}):{gap}{match.text}"), "")


def _help_of(context: click.Context, name: str) -> Iterator[str]:
    """Yield the help of a command."""
    group = context.parent.command if context.parent else None
    command = group.get_command(context, name) if isinstance(group, click.Group) else None
    if command is not None:
        yield command.get_help(click.Context(command, info_name=name, parent=context.parent))
