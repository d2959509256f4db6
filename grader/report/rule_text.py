"""Rules about the code, and items marked by hand, in words for the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from grader.judge.characters import harmless
from grader.marks.exact import exact
from grader.rules.finding import RuleResult
from grader.spec.assignment import Part

if TYPE_CHECKING:
    from grader.report.graded_class import Row

_MOST_FINDINGS = 10


def rule_lines(result: RuleResult, *, points: bool = True) -> Iterator[Text]:
    """Whether a rule is kept, then every place where it is not."""
    word, style = ("kept", "green") if result.kept else ("broken", "red")
    if not result.judged:
        word, style = "not judged", "magenta"
    text = Text("  ").append(f"{word:<15}", style).append(f"{result.rule.id}: {result.rule.title}")
    if points and result.rule.points:
        text.append(f" ({exact(result.points)} of {exact(result.rule.points)})")
    yield text
    for finding in result.findings[:_MOST_FINDINGS]:
        yield Text(f"    {harmless(str(finding))}")
    more = len(result.findings) - _MOST_FINDINGS
    if more > 0:
        yield Text(f"    and {more} more")


def manual_lines(row: "Row", part: Part) -> Iterator[Text]:
    """The items of a part that a person marks; one that nobody has marked yet says so."""
    for item in part.manual:
        points = row.manual.points.get(item.id)
        said = f"{'by hand':<15}" if points is not None else f"{'not yet marked':<15}"
        worth = f"({exact(points)} of {exact(item.marks)})" if points is not None else f"(of {exact(item.marks)})"
        yield Text("  ").append(said, "" if points is not None else "yellow").append(f"{item.id}: {item.title} {worth}")


def cost_words(result: RuleResult) -> str:
    """What breaking a rule costs."""
    if result.rule.zero:
        return "the whole mark"
    return f"{exact(result.rule.deduct)} point{'' if result.rule.deduct == 1 else 's'}"
