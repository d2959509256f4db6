"""Reads results.json back, as far as needed to compare two runs."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.reports.results_json import FORMAT

_DIGITS = 16


class ResultsError(GraderError):
    """The results at the given path are missing or cannot be read."""


@dataclass(frozen=True)
class MarkFactor:
    """A fact that a mark depends on, in words, and the points it adds or takes off (None if not stated in points)."""

    words: str
    points: Decimal | None = None


MarkFactors = Mapping[tuple[str, str], MarkFactor]
"""Facts by kind (`test`, `group`, `rule`, `by hand`, `lateness`, …) and name."""


@dataclass(frozen=True)
class KnownMark:
    """A student in a run: the mark (None if missing), its wording, and the facts that it depends on."""

    mark: Decimal | None
    words: str
    facts: MarkFactors


@dataclass(frozen=True)
class KnownRun:
    """A run of `grader grade` on one assignment."""

    assignment: str
    students: Mapping[str, KnownMark]


def read_run(path: Path) -> KnownRun:
    """Read the run from the file results.json at `path`, or in the folder `path`. Raises ResultsError."""
    file = path / "results.json" if path.is_dir() else path
    try:
        content = json.loads(file.read_bytes())
    except OSError as error:
        inner = sorted(format_found.parent.name for format_found in path.glob("*/results.json"))
        hint = f" Name one of the folders in it: {', '.join(inner)}." if inner else ""
        raise ResultsError(f"{file} cannot be read: {error.strerror}.{hint}") from None
    except ValueError:
        raise ResultsError(f"{file} is no JSON; expected results.json as `grader grade` writes it.") from None
    format_found = content.get("format") if isinstance(content, dict) else None
    if format_found != FORMAT:
        raise ResultsError(
            f"{file} has the format {format_found}; expected {FORMAT}."
            " Upgrade this grader if a newer one wrote the file; otherwise grade again."
        )
    try:
        return KnownRun(
            content["assignment"]["id"],
            {submission["student"]: _mark(submission) for submission in content["submissions"]},
        )
    except (KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise ResultsError(f"{file} is damaged ({error!r}); grade again to have it written anew.") from None


def _mark(entry: Mapping[str, Any]) -> KnownMark:
    mark = Decimal(entry["mark"]["adjusted"]) if entry["mark"] else None
    words = "excused" if entry["excused"] else entry["mark"]["adjusted"] if entry["mark"] else "no mark"
    return KnownMark(mark, words, dict(_factors(entry)))


def _factors(entry: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], MarkFactor]]:
    if entry["digest"]:
        yield ("submission", "content"), MarkFactor(entry["digest"][:_DIGITS])
    yield ("submission", "handed in"), MarkFactor(entry["submitted"] or "not known")
    for program, variant in entry["variants"].items():
        yield ("variant", program), MarkFactor(variant)
    for test in entry["tests"]:
        yield ("test", test["id"]), MarkFactor(test["verdict"], Decimal(test["points"]))
    for group in entry.get("groups", ()):
        words = f"{group['passed']} of {len(group['tests'])} passed"
        yield ("group", group["id"]), MarkFactor(words, Decimal(group["points"]))
    for rule in entry["rules"]:
        yield ("rule", rule["id"]), MarkFactor(_rule_words(rule), _rule_points(rule))
    for item in entry["manual"]:
        points = item["points"]
        yield ("by hand", item["id"]), MarkFactor(points or "not yet marked", Decimal(points or 0))
    for key in ("excused", "waived"):
        if entry[key]:
            yield ("consideration", key), MarkFactor("yes")
    yield from _lateness_factors(entry)
    for override in entry["overrides"]:
        what = f"test {override['test']}" if "test" in override else "mark"
        decided = override["verdict"] if "test" in override else override["mark"]
        yield ("override", what), MarkFactor(f"{decided} ({override['by']}: {override['reason']})")


def _rule_words(rule: Mapping[str, Any]) -> str:
    word = "kept" if rule["kept"] else "broken" if rule["judged"] else "not judged"
    return f"{word}, {rule['decision']}" if rule["decision"] else word


def _rule_points(rule: Mapping[str, Any]) -> Decimal | None:
    """Return the points of a rule minus its cost, or None if it takes the whole mark."""
    confirmed = rule["decision"] == "confirmed"
    if confirmed and rule["zero_mark"]:
        return None
    return Decimal(rule["points"]) - (Decimal(rule["deduct"]) if confirmed else 0)


def _lateness_factors(entry: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], MarkFactor]]:
    yield ("lateness", "due"), MarkFactor(entry["due"])
    mark = entry["mark"]
    if not mark:
        return
    yield ("lateness", "highest mark"), MarkFactor(mark["cap"])
    yield ("lateness", "deduction"), MarkFactor(mark["late_deduction"], -Decimal(mark["late_deduction"]))
    yield ("lateness", "days that count"), MarkFactor(str(mark["late_days"]))
    yield ("lateness", "days from the bank"), MarkFactor(str(mark["bank_used"]))
    before = mark["unrounded"]
    decided = any("mark" in override for override in entry["overrides"])
    if before != mark["adjusted"] and not decided:
        yield ("rounding", "mark"), MarkFactor(f"from {before}", Decimal(mark["adjusted"]) - Decimal(before))
