"""The page of causes: the text below each cause in the source, in the order in which students meet them."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import grader
from grader.model.judgement import NoteKind
from grader.plugins.schemas.descriptions import descriptions
from tools.reference.markdown import joined, package_text, table

PAGE = "causes.md"


@dataclass(frozen=True)
class CauseSection:
    """Causes that students meet at the same stage of their work, by id."""

    title: str
    causes: Sequence[str]
    about: str = ""


SECTIONS = (
    CauseSection(
        "The program does not start, or is stopped",
        (
            *("missing-file", "syntax-error", "source-format", "build-error", "cannot-be-called"),
            *(
                "import-asks-for-input",
                "import-prints",
                "no-output",
                "crash",
                "printed-traceback",
                "timeout",
                "not-run",
            ),
            *("output-limit", "cpu-limit", "memory-limit", "process-limit", "file-limit", "open-files-limit"),
            *("signal", "memory-error", "memory-leak", "undefined-behaviour"),
        ),
    ),
    CauseSection(
        "Input",
        (
            *(
                "wrong-prompt",
                "hidden-input",
                "shown-input",
                "echoed-input",
                "asks-at-another-time",
                "reads-past-input",
            ),
            "unread-input",
        ),
    ),
    CauseSection(
        "Missing, extra and misplaced lines",
        (
            *("truncated-output", "extra-output", "blank-line", "final-newline", "missing-newline", "extra-newline"),
            *("repeated-lines", "missing-line", "extra-line", "line-order"),
        ),
    ),
    CauseSection(
        "Characters that are easy to miss",
        (
            *("trailing-whitespace", "spacing", "tabs", "case", "variation-selector", "invisible-character"),
            *("carriage-return", "ansi-escape", "confusable-character", "unicode-normalization", "encoding"),
        ),
    ),
    CauseSection(
        "Wrong content",
        (
            *("wrong-deal", "board-shape", "card-notation", "card", "card-line", "card-group", "word-order", "number"),
            *("symbol", "line-cut-short", "line-too-long", "text", "exit-status"),
        ),
    ),
    CauseSection(
        "Programs that draw",
        (
            *("draws", "screen-escape", "screen-not-redrawn", "screen-not-cleared", "screen-skipped", "screen-ended"),
            *("screen-empty", "screen-shifted", "screen-mark", "screen-deal", "screen-text", "screen-style"),
        ),
        "A test of a program that draws, for example with curses, presses keys and compares the screens before each "
        "key and at the end. The report counts rows and columns from 1, although curses counts them from 0.",
    ),
    CauseSection(
        "Functions",
        ("returned", "given", "exception", "calls-exit"),
        "A function test imports your program, calls a function, and checks its return value, its output and its "
        "changes to the arguments. If there are several calls in a row, the report shows the first one that differs "
        "and the calls before it.",
    ),
    CauseSection("Checks of the output", ("output-check", "side-output")),
    CauseSection("Checkers, interactors and commands", ("checker", "interactor", "command-failed")),
    CauseSection(
        "Your own tests",
        ("good-refused", "bad-accepted", "tests-not-run"),
        "If you submit your own tests, they are run on your instructor's programs. They must accept the right ones, "
        "and at least one test should fail for each wrong program.",
    ),
    CauseSection(
        "Sealed tests",
        ("sealed",),
        "In a self-check, the expected output of some tests is sealed. The check can detect the first wrong line, but "
        "it does not know the right one.",
    ),
    CauseSection(
        "The grader and the course staff",
        ("required-test", "needs-review", "override", "cancelled", "internal-error"),
    ),
)


def cause_page() -> str:
    """Return the page."""
    return joined(_blocks())


def _blocks() -> Iterator[str]:
    texts = described_causes()
    yield package_text("notes", "causes.md")
    for section in SECTIONS:
        yield f"## {section.title}"
        yield section.about
        for cause in section.causes:
            yield f"### `{cause}`"
            yield texts[cause]
    yield "## What is ignored"
    yield (
        "Your course can ignore certain differences. The report mentions them in a note beside the verdict, because "
        "they could matter elsewhere."
    )
    meanings = descriptions(NoteKind)
    yield table(("note", "meaning"), ((f"`{kind}`", meanings[kind.name]) for kind in NoteKind))


@cache
def described_causes() -> Mapping[str, str]:
    """Return the text below each cause in the source of the grader, by id."""
    texts: dict[str, str] = {}
    for file in sorted(Path(grader.__file__).parent.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if "Cause(" in source:
            texts.update(_causes_in(ast.parse(source)))
    return texts


def _causes_in(module: ast.Module) -> Iterator[tuple[str, str]]:
    for statement, following in zip(module.body, module.body[1:], strict=False):
        match statement, following:
            case (
                ast.Assign(value=ast.Call(func=ast.Name(id="Cause"), args=[ast.Constant(value=str(cause)), *_])),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield cause, "\n\n".join(map(_unfolded, text.strip().split("\n\n")))


def _unfolded(paragraph: str) -> str:
    """Return a paragraph on one line, including a quotation."""
    mark = "> " if paragraph.startswith("> ") else ""
    return mark + " ".join(line.removeprefix("> ").strip() for line in paragraph.splitlines())
