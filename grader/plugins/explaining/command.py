"""The command `grader explain`: what the words of a report mean."""

import click


@click.command()
@click.argument("word", required=False, help="A cause of failure, a rule, a file or a key; default: list them all.")
def explain(*, word: str | None) -> None:
    """Say what the documents say of a cause, a rule or a key."""
    from rich.console import Console
    from rich.markdown import Markdown

    from grader.plugins.explaining.api import WordKind, explanations
    from grader.plugins.explaining.api import explain as explain_word

    console = Console(highlight=False)
    if word is not None:
        for match in explain_word(word):
            gap = "\n\n" if match.kind in (WordKind.CAUSE, WordKind.FILE) else " "
            console.print(Markdown(f"`{match.word}` ({match.sort}):{gap}{match.text}"), "")
        return
    words: dict[str, list[str]] = {}
    for entry in explanations():
        words.setdefault(entry.sort, []).append(f"`{entry.word}`")
    for sort, names in words.items():
        console.print(Markdown(f"{sort}: {', '.join(dict.fromkeys(names))}"), "")
