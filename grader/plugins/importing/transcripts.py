"""Recorded runs: the input of a program in NAME.in, and its output in NAME.out, NAME.ans or NAME.expected."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import count
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import (
    AssignmentDraft,
    CourseDraft,
    ImportedAssignment,
    ImportingError,
    files_in,
    safe_name,
)
from grader.plugins.importing.languages import LANGUAGES
from grader.plugins.importing.programs import Labelled, ProgramSet, read_program

_INPUT, _ARGUMENTS = ".in", ".args"
_OUTPUTS = (".out", ".ans", ".expected")
_RIGHT = "accepted"

_ROLES = {
    **dict.fromkeys(("in", "input", "inputs"), _INPUT),
    **dict.fromkeys(("out", "output", "outputs", "expected", "answer", "answers"), _OUTPUTS[0]),
    "args": _ARGUMENTS,
}
"""The kinds of files by their names, or by the names of their folders."""


@dataclass(frozen=True, kw_only=True)
class _Recording:
    name: str
    input: Path | None
    output: Path
    arguments: Path | None

    def entry(self, test_id: str, draft: CourseDraft) -> dict[str, Writable]:
        """Return the test with this id, and put its files into the draft."""
        entry: dict[str, Writable] = {"id": test_id}
        if self.arguments is not None:
            entry["args"] = [word for line in _lines(self.arguments) for word in shlex.split(line)]
        if self.input is None:
            entry["stdin_text"] = ""
        else:
            entry["stdin"] = f"{test_id}.in"
            draft.add_own(f"inputs/{test_id}.in", self.input)
        draft.add_own(f"samples/{test_id}.out", self.output)
        if not self.output.read_bytes().endswith(b"\n"):
            draft.note(f"{self.output.name} ends without a newline, and so must what a program prints in {test_id}.")
        return {**entry, "expected_file": f"{test_id}.out"}


def import_transcripts(
    folder: Path, course: Path, *, name: str, due: date, solution: Path | None, patterns: tuple[str, str] | None = None
) -> ImportedAssignment:
    """Make a test from each pair of files in a folder and its subfolders.

    `patterns` are the names of inputs and outputs, in which `*` represents the name of a recording, by default the
    usual suffixes. Raises ImportingError.
    """
    draft = CourseDraft(name, folder)
    if patterns is not None:
        recordings = list(_named_recordings(folder, patterns, draft))
    else:
        recordings = list(_recordings(folder, solution, draft))
    if not recordings and patterns is not None:
        raise ImportingError(f"{folder} has no recorded runs: {patterns[0]} with {patterns[1]}.")
    if not recordings:
        outputs = ", ".join(f"NAME{suffix}" for suffix in _OUTPUTS)
        raise ImportingError(f"{folder} has no recorded runs: NAME{_INPUT} with one of {outputs}.")
    tests = [recording.entry(test_id, draft) for test_id, recording in _ids(recordings)]
    marks = Decimal(len(tests))
    programs = ProgramSet.of(_solution(solution), draft, right=_RIGHT)
    if solution is None:
        draft.note(f"No solution was given, so students hand in {programs.entry['file']}, which nothing was tried on.")
    assignment = AssignmentDraft(
        draft=draft,
        title=name,
        program=programs.entry,
        further_files=programs.patterns,
        marks=marks,
        due=due,
    )
    assignment.add(tests, defaults={"points": "1"})
    return draft.write(course, len(tests))


def _recordings(folder: Path, solution: Path | None, draft: CourseDraft) -> Iterator[_Recording]:
    solution_file = solution.resolve() if solution is not None else None
    files = {_without_kind(name): file for name, file in files_in(folder) if file != solution_file}
    used: set[str] = set()
    for name in sorted({str(Path(file).with_suffix("")) for file in files}):
        outputs = [f"{name}{suffix}" for suffix in _OUTPUTS if f"{name}{suffix}" in files]
        given = [f"{name}{suffix}" for suffix in (_INPUT, _ARGUMENTS) if f"{name}{suffix}" in files]
        if outputs and given:
            used |= {outputs[0], *given}
            yield _Recording(
                name=name,
                input=files.get(f"{name}{_INPUT}"),
                output=files[outputs[0]],
                arguments=files.get(f"{name}{_ARGUMENTS}"),
            )
    for name in sorted(set(files) - used):
        draft.note(f"{name}: not imported; it is no part of a pair.")


def _named_recordings(folder: Path, patterns: tuple[str, str], draft: CourseDraft) -> Iterator[_Recording]:
    """Yield the pairs of files whose names fit the patterns with the same text for each `*`."""
    recordings: list[dict[str, tuple[str, Path]]] = []
    for pattern in patterns:
        form = re.compile(re.escape(pattern).replace(r"\*", "([^/]*)"))
        fits = ((form.fullmatch(name), name, file) for name, file in files_in(folder))
        recordings.append({"-".join(match.groups()): (name, file) for match, name, file in fits if match})
    inputs, outputs = recordings
    for name in sorted(inputs.keys() & outputs.keys()):
        yield _Recording(name=name or "run", input=inputs[name][1], output=outputs[name][1], arguments=None)
    for name in sorted(inputs.keys() ^ outputs.keys()):
        draft.note(f"{(inputs.get(name) or outputs[name])[0]}: not imported; it is no part of a pair.")


def _without_kind(name: str) -> str:
    """Return the name as if input and output were in the same folder: `a.in` for `input/a.txt` or `a/input`."""
    *folders, file = Path(name).parts
    stem = Path(file).stem
    if (suffix := _ROLES.get(stem.lower())) and folders:
        return f"{'/'.join(folders)}{suffix}"
    role = next((number for number, part in enumerate(folders) if part.lower() in _ROLES), None)
    if role is None or Path(file).suffix == _ARGUMENTS:
        return name
    return "/".join((*folders[:role], *folders[role + 1 :], f"{stem}{_ROLES[folders[role].lower()]}"))


def _ids(recordings: Iterable[_Recording]) -> Iterator[tuple[str, _Recording]]:
    """Yield a unique id for each recording, made from its name by replacing some characters."""
    used: set[str] = set()
    for recording in recordings:
        plain = safe_name(recording.name.replace("/", "-"))
        ids = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        test_id = next(name for name in ids if name not in used)
        used.add(test_id)
        yield test_id, recording


def _solution(solution: Path | None) -> list[Labelled]:
    if solution is None:
        return []
    program = read_program(solution) if solution.exists() else None
    if program is None:
        languages = ", ".join(language.name for language in LANGUAGES if language.is_here)
        raise ImportingError(f"{solution} is no program in a language that can be run here: {languages}.")
    return [Labelled(_RIGHT, program)]


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8-sig").splitlines()
