"""The tests of a repository of GitHub Classroom, in either of its two formats."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from grader.config.yaml_reader import YamlDocument, read_document
from grader.plugins.importing.course_draft import CourseDraft, ImportingError

IO, COMMAND, PYTHON = "io", "command", "python"
"""The kinds of graders: by output, by the exit status of a command, by pytest."""

_JSON = (".github/classroom/autograding.json", "autograding.json")
_GRADER = re.compile(r"(?:classroom-resources|education|github-education-resources)/autograding-(\w+)-grader@")
_REPORTER = re.compile(r"/autograding-grading-reporter@")
_AROUND = re.compile(r"actions/checkout@|/autograding-grading-reporter@|education/autograding@")
_NAME = re.compile(r'"name"\s*:')


@dataclass(frozen=True, kw_only=True)
class GraderTest:
    """A test of GitHub Classroom and its location; `comparison` is `exact`, `included` or `regex`."""

    place: str
    name: str
    kind: str
    setup: str
    command: str
    input: str
    output: str
    comparison: str
    minutes: Decimal | None
    points: Decimal | None


def read_tests(folder: Path, draft: CourseDraft) -> tuple[GraderTest, ...]:
    """Return the tests of both formats. Raises ImportingError, or SpecError if a workflow is not YAML."""
    tests = [test for name in _JSON if (folder / name).is_file() for test in _of_json(folder / name, name)]
    for file in sorted((folder / ".github" / "workflows").glob("*.y*ml")):
        document = read_document(file)
        tests += _of_workflow(document, file.relative_to(folder).as_posix(), draft)
    if not tests:
        raise ImportingError(f"{folder} has neither {_JSON[0]} nor a workflow with graders of GitHub Classroom.")
    return tuple(tests)


def _of_json(file: Path, name: str) -> Iterator[GraderTest]:
    text = file.read_text("utf-8-sig")
    try:
        content: Any = json.loads(text)
        entries: list[dict[str, Any]] = [dict(entry) for entry in content["tests"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ImportingError(
            f"{name} is no list of tests of GitHub Classroom: {type(error).__name__} {error}"
        ) from None
    lines = [text.count("\n", 0, match.start()) + 1 for match in _NAME.finditer(text)]
    for number, entry in enumerate(entries):
        line = f":{lines[number]}" if len(lines) == len(entries) else ""
        output, given = str(entry.get("output") or ""), str(entry.get("input") or "")
        yield GraderTest(
            place=f"{name}{line}",
            name=str(entry.get("name") or f"test {number + 1}"),
            kind=IO if output or given else COMMAND,
            setup=str(entry.get("setup") or ""),
            command=str(entry.get("run") or ""),
            input=_lines(given),
            output=_lines(output).strip(),
            comparison=str(entry.get("comparison") or "included"),
            minutes=_number(entry.get("timeout")),
            points=_number(entry.get("points")),
        )


def _of_workflow(document: YamlDocument, name: str, draft: CourseDraft) -> list[GraderTest]:
    data: Any = document.data
    jobs = data.get("jobs") if isinstance(data, dict) else None
    found: list[GraderTest] = []
    others: list[str] = []
    for job, content in jobs.items() if isinstance(jobs, dict) else ():
        steps = content.get("steps") if isinstance(content, dict) else None
        counted = _counted_steps(steps)
        for number, step in enumerate(steps if isinstance(steps, list) else ()):
            if not isinstance(step, dict) or not isinstance(step.get("with") or {}, dict):
                raise ImportingError(f"{name}: step {number + 1} of {job} is no mapping, or its `with` is none.")
            place = f"{name}:{document.place(('jobs', job, 'steps', number)).line}"
            uses = str(step.get("uses", ""))
            if (match := _GRADER.search(uses)) and match[1] in (IO, COMMAND, PYTHON):
                test = _of_step(step, match[1], place)
                if counted is not None and step.get("id") not in counted:
                    others.append(f"{place}: the test {test.name!r} was not imported: the reporter does not count it.")
                elif _never_runs(step):
                    others.append(f"{place}: the test {test.name!r} was not imported: its `if` is false.")
                else:
                    found.append(test)
            elif not _AROUND.search(uses):
                others.append(f"{place}: the step `{step.get('name') or uses or step.get('run')}` was not imported.")
    if found:
        for line in others:
            draft.note(" ".join(line.split()))
    return found


def _counted_steps(steps: Any) -> frozenset[str] | None:
    """Return the ids of the steps that the reporter of a job counts, or None if it does not list them."""
    for step in steps if isinstance(steps, list) else ():
        given = step.get("with") if isinstance(step, dict) and _REPORTER.search(str(step.get("uses"))) else None
        if isinstance(given, dict) and given.get("runners"):
            return frozenset(name.strip() for name in str(given["runners"]).split(","))
    return None


def _never_runs(step: Mapping[str, Any]) -> bool:
    condition = str(step.get("if", "true")).removeprefix("${{").removesuffix("}}")
    return condition.strip().lower() == "false"


def _of_step(step: Mapping[str, Any], kind: str, place: str) -> GraderTest:
    given: Mapping[str, Any] = step.get("with") or {}
    comparison = str(given.get("comparison-method") or "contains")
    return GraderTest(
        place=place,
        name=str(given.get("test-name") or step.get("name") or kind).strip(),
        kind=kind,
        setup=str(given.get("setup-command") or ""),
        command="pytest" if kind == PYTHON else str(given.get("command") or ""),
        input=_lines(str(given.get("input") or "").strip()),
        output=_lines(str(given.get("expected-output") or "")).strip(),
        comparison="included" if comparison == "contains" else comparison,
        minutes=_number(given.get("timeout")),
        points=_number(given.get("max-score")),
    )


def _number(value: Any) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() and number >= 0 else None


def _lines(text: str) -> str:
    """Return a string with Unix line endings, terminated unless it is empty."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"{plain}\n" if plain and not plain.endswith("\n") else plain
