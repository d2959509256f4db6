"""What problem.yaml says, in any of the formats, and where the output validator is."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.config.yaml_reader import read_document
from grader.importers.course_draft import CourseDraft, ImportingError

_LEGACY = ("", "legacy")
_KNOWN = ("legacy", "2023-07", "2023-07-draft", "2025-09", "2025-09-draft")
_REFUSED = ("multi-pass", "submit-answer")
_ABOUT_PEOPLE = (
    "problem_format_version uuid author source source_url license rights_owner keywords credits version embargo_until "
    "languages name type validation validator_flags limits grading"
).split()
"""Keys that are read, and those about the problem itself, which a course need not know."""

_READ_LIMITS = ("time_limit", "memory", "output", "compilation_time")
_DEFAULT_MEMORY, _DEFAULT_OUTPUT = 1024, 8
_MIB = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A problem: `time_limit` in seconds, None where the judge works it out; `memory` and `output` in MiB."""

    folder: Path
    name: str
    is_legacy: bool
    is_scoring: bool
    is_interactive: bool
    time_limit: float | None
    memory: int
    output: int
    compilation_time: float | None
    validator: Path | None
    validator_flags: tuple[str, ...]

    @property
    def memory_bytes(self) -> int:
        """How much memory a program may use."""
        return self.memory * _MIB

    @property
    def output_bytes(self) -> int:
        """How much a program may print."""
        return self.output * _MIB


def read_mapping(file: Path) -> dict[str, Any]:
    """The mapping in a YAML file; empty when there is no file or nothing in it. Raises SpecError, ImportingError."""
    found = read_document(file).data if file.is_file() else {}
    if not found:
        return {}
    if not isinstance(found, dict):
        raise ImportingError(f"{file} is no mapping of keys to values.")
    return {str(key): value for key, value in found.items()}


def read_problem(folder: Path, draft: CourseDraft) -> Problem:
    """The problem in a package. Raises ImportingError when it is none, or cannot be said here."""
    if not (folder / "problem.yaml").is_file():
        raise ImportingError(f"{folder} is no problem package: it has no problem.yaml.")
    said = read_mapping(folder / "problem.yaml")
    version = str(said.get("problem_format_version") or "")
    is_legacy = version in _LEGACY
    if not is_legacy and version not in _KNOWN:
        draft.note(f"The format {version} is not known; the package was read as one of 2025-09.")
    kinds = _kinds(said)
    for kind in _REFUSED:
        if kind in kinds:
            raise ImportingError(f"{folder}: a problem of the type {kind} cannot be imported.")
    for key in sorted(set(said) - set(_ABOUT_PEOPLE)):
        draft.note(f"problem.yaml: `{key}` was not imported.")
    limits = _limits(said, draft)
    return Problem(
        folder=folder,
        name=_name(said, folder, draft),
        is_legacy=is_legacy,
        is_scoring="scoring" in kinds,
        is_interactive="interactive" in kinds,
        time_limit=_time_limit(folder, limits),
        memory=int(float(limits.get("memory") or _DEFAULT_MEMORY)),
        output=int(float(limits.get("output") or _DEFAULT_OUTPUT)),
        compilation_time=float(limits["compilation_time"]) if limits.get("compilation_time") else None,
        validator=_validator(folder, said, is_legacy=is_legacy),
        validator_flags=flags_in(said.get("validator_flags")),
    )


def flags_in(value: object) -> tuple[str, ...]:
    """The arguments of a validator: a text, or a list of them."""
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(shlex.split(str(value or "")))


def _kinds(said: Mapping[str, Any]) -> set[str]:
    kind = said.get("type") or "pass-fail"
    return {*(kind if isinstance(kind, list) else str(kind).split()), *str(said.get("validation", "")).split()}


def _name(said: Mapping[str, Any], folder: Path, draft: CourseDraft) -> str:
    name = said.get("name") or folder.name
    if not isinstance(name, dict):
        return " ".join(str(name).split())
    chosen = "en" if "en" in name else next(iter(name))
    others = [one for one in name if one != chosen]
    if others:
        draft.note(f"problem.yaml: the name is the one in the language `{chosen}`; not that in {', '.join(others)}.")
    return " ".join(str(name[chosen]).split())


def _limits(said: Mapping[str, Any], draft: CourseDraft) -> dict[str, Any]:
    limits = said.get("limits") or {}
    if not isinstance(limits, dict):
        raise ImportingError("problem.yaml: `limits` is no mapping of keys to values.")
    others = sorted(set(limits) - set(_READ_LIMITS))
    if others:
        draft.note(f"problem.yaml: of the limits, {', '.join(others)} concern the judge and were not imported.")
    return limits


def _time_limit(folder: Path, limits: Mapping[str, Any]) -> float | None:
    beside = folder / ".timelimit"
    stated = limits.get("time_limit") or (beside.read_text("utf-8").strip() if beside.is_file() else "")
    return float(stated) if stated else None


def _validator(folder: Path, said: Mapping[str, Any], *, is_legacy: bool) -> Path | None:
    """The custom output validator: a file or a folder. The default one compares tokens."""
    if is_legacy and "custom" not in str(said.get("validation", "")).split():
        return None
    found = list(_validators(folder))
    if is_legacy and not found:
        raise ImportingError(f"{folder}: the validation is custom, and there is no output validator.")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise ImportingError(f"{folder}: there are several output validators ({names}); one can be imported.")
    return found[0] if found else None


def _validators(folder: Path) -> Iterator[Path]:
    for name in ("output_validators", "output_validator"):
        if (folder / name).is_dir():
            inner = [path for path in sorted((folder / name).iterdir()) if not path.name.startswith(".")]
            if name == "output_validator" and sum(path.is_file() for path in inner):
                yield folder / name
            else:
                yield from inner
