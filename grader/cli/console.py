"""Standard output as a console: colours in a terminal, plain text in a pipe, and no text is ever read as markup."""

from rich.console import Console


def output_console() -> Console:
    """Standard output. The environment variables NO_COLOR and FORCE_COLOR are obeyed."""
    return Console(highlight=False, markup=False, emoji=False)
