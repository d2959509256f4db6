"""Makes the picture of a terminal in the README anew: `python -m tests.docs.terminal_picture`.

It shows what `make demo` shows of a student's own check, as the command prints it at a terminal of 100 columns.
"""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from tests import ROOT

PICTURE = ROOT / "docs" / "images" / "check.svg"
COMMAND = "grader check solitaire_1.py --show 1"
_STUDENT = ROOT / "submissions" / "comp9021-25t3-a1" / "prompt-and-capital-letter"
_COLUMNS = 100
# A picture loads nothing from anywhere.
_WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture(), encoding="utf-8")


def picture() -> str:
    """The picture, an SVG."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"$ {COMMAND}\n{_printed(_STUDENT)}"))
    drawn = console.export_svg(title="A student's own check", theme=MONOKAI, unique_id="check")
    return _WEB_FONT.sub("", drawn)


def _printed(folder: Path) -> str:
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(_COLUMNS)}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", *COMMAND.split()]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    ).stdout


if __name__ == "__main__":
    main()
