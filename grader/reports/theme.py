"""The appearance of each meaning: terminal styles and page colours. Colours are only defined here."""

from collections.abc import Mapping
from enum import StrEnum

PAGES: Mapping[str, tuple[str, str]] = {
    "back": ("#f4f6f9", "#11141a"),
    "card": ("#ffffff", "#1a1e27"),
    "soft": ("#eef1f6", "#232936"),
    "line": ("#d9dfe8", "#313848"),
    "text": ("#171b24", "#e8ebf2"),
    "muted": ("#525c6e", "#a5aebf"),
    "link": ("#1d4fc4", "#93b4ff"),
    "pressed-text": ("#ffffff", "#10131a"),
    "control-line": ("#848d9e", "#6b7487"),
    "bar": ("#4a77e0", "#6f97f5"),
    "meter": ("#1f8a50", "#4fc487"),
    "meter-back": ("#f3c7c4", "#5b2927"),
    # Verdicts and differences: the text, its background, and the part that differs.
    "passed": ("#0f6236", "#7fe0a8"),
    "passed-back": ("#dbf4e5", "#12351f"),
    "passed-mark": ("#a9e3c1", "#1f5c39"),
    "failed": ("#9c1d19", "#ffa39d"),
    "failed-back": ("#fde5e3", "#411a19"),
    "failed-mark": ("#f8bfbb", "#74302d"),
    "warning": ("#734600", "#f4c66b"),
    "warning-back": ("#fdedcd", "#3a2a0b"),
    "crashed": ("#861a5e", "#f7a6da"),
    "crashed-back": ("#fbe1f1", "#3f1630"),
    "not-judged": ("#5632a3", "#c8b0ff"),
    "not-judged-back": ("#ece5fd", "#2c2150"),
    "neutral": ("#454e60", "#c4cad7"),
    "neutral-back": ("#e5e9f0", "#2d3440"),
    # The same verdicts as areas in a chart.
    "passed-area": ("#2c9c60", "#3fae74"),
    "failed-area": ("#d6524c", "#d9625c"),
    "warning-area": ("#d9962a", "#d9a441"),
    "crashed-area": ("#b83c88", "#cf62a5"),
    "not-judged-area": ("#7d55d6", "#9a7bea"),
    "neutral-area": ("#8a94a6", "#7c8699"),
    # A session as a terminal shows it, which is dark in the light theme too.
    "screen": ("#151922", "#151922"),
    "screen-text": ("#e4e8f1", "#e4e8f1"),
    "screen-muted": ("#a3adbf", "#a3adbf"),
    "screen-now": ("#202838", "#202838"),
    "screen-now-line": ("#7fb0ff", "#7fb0ff"),
    "screen-differs": ("#ffaaa4", "#ffaaa4"),
    "screen-differs-line": ("#ff8f88", "#ff8f88"),
    "screen-right": ("#8fe3b0", "#8fe3b0"),
    "screen-special": ("#d5c4ff", "#d5c4ff"),
    "screen-special-back": ("#3a2d63", "#3a2d63"),
    "typed": ("#1c1a10", "#1c1a10"),
    "typed-back": ("#f5d76e", "#f5d76e"),
    # Program code.
    "code-keyword": ("#8a1a6a", "#f0a0dc"),
    "code-string": ("#17602f", "#93dfa6"),
    "code-number": ("#7d4100", "#f0bd80"),
    "code-builtin": ("#0f5a69", "#84d3e0"),
    # Passages shared by two programs.
    "match-0": ("#dbe7ff", "#1c2f57"),
    "match-0-line": ("#3564cf", "#7fa5ff"),
    "match-1": ("#fdeac4", "#40300c"),
    "match-1-line": ("#9a6200", "#e6b54f"),
    "match-2": ("#d7f3e3", "#12381f"),
    "match-2-line": ("#1b7a45", "#63cf92"),
    "match-3": ("#f9dff0", "#431934"),
    "match-3-line": ("#a92c7a", "#f08acb"),
    "match-4": ("#e6defc", "#2d2354"),
    "match-4-line": ("#6a44bd", "#b79bff"),
    "match-5": ("#d4f0f4", "#0e3840"),
    "match-5-line": ("#11727f", "#5bc9d8"),
}
"""The page colours by meaning, on a light and on a dark background: `passed` is `var(--passed)` in CSS."""


class TerminalStyle(StrEnum):
    """Rich styles by meaning. Two of them can be joined with a space, such as HEADING and FAILED."""

    PASSED = "green"
    FAILED = "red"
    WARNING = "yellow"
    NOT_JUDGED = "magenta"
    MUTED = "dim"
    HEADING = "bold"
    NOT_HEADING = "not bold"
    DIFFERING = "bold reverse"
    TYPED = "not dim bold"


def page_colours() -> str:
    """Return the colours of the pages as CSS variables."""
    variables = "".join(f"  --{name}: light-dark({light}, {dark});\n" for name, (light, dark) in PAGES.items())
    return f":root {{\n{variables}}}\n"
