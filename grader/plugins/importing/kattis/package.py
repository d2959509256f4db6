"""A problem package as it is on disk: problem.yaml, the validator, test cases and their groups."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.config.yaml_reader import read_document
from grader.plugins.importing.course_draft import CourseDraft, ImportingError, files_in, safe_name

_LEGACY = ("", "legacy")
_KNOWN = ("legacy", "2023-07", "2023-07-draft", "2025-09", "2025-09-draft")
_REFUSED = ("multi-pass", "submit-answer")
_ABOUT_PEOPLE = (
    "problem_format_version",
    "uuid",
    "author",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "keywords",
    "credits",
    "version",
    "embargo_until",
    "languages",
    "name",
    "type",
    "validation",
    "validator_flags",
    "limits",
    "grading",
)
"""Keys that are read, and keys about the problem itself, which a course does not need."""

_READ_LIMITS = ("time_limit", "memory", "output", "compilation_time")
_DEFAULT_MEMORY, _DEFAULT_OUTPUT = 1024, 8
_MIB = 1 << 20
_CASE = (".in", ".ans", ".args", ".desc", ".yaml", ".files")
"""The suffixes of the files of a test case that are read."""
_GROUP_FILES = ("testdata.yaml", "test_group.yaml")
_INHERITED = ("args", "output_validator_args", "output_validator_flags")
"""The group settings that apply to all cases below the group in any version of the format."""
_READ_KEYS = (
    "on_reject",
    "grading",
    "grader_flags",
    "accept_score",
    "reject_score",
    "range",
    "output_validator_flags",
    "output_validator_args",
    "max_score",
    "score_aggregation",
    "require_pass",
    "args",
    "description",
)


@dataclass(frozen=True, kw_only=True)
class KattisProblem:
    """A problem; in a legacy package, `validator_scores` is set if the validator gives scores.

    `time_limit` is in seconds, or None if the judge computes it; `memory` and `output` are in MiB.
    """

    folder: Path
    name: str
    is_legacy: bool
    is_scoring: bool
    is_interactive: bool
    validator_scores: bool
    time_limit: float | None
    memory: int
    output: int
    compilation_time: float | None
    validator: Path | None
    validator_flags: tuple[str, ...]

    @property
    def memory_bytes(self) -> int:
        """Return the memory that a program may use, in bytes."""
        return self.memory * _MIB

    @property
    def output_bytes(self) -> int:
        """Return the output that a program may print, in bytes."""
        return self.output * _MIB


def read_mapping(file: Path) -> dict[str, Any]:
    """Read the mapping in a YAML file, which may be missing or empty. Raises SpecError and ImportingError."""
    content = read_document(file).data if file.is_file() else {}
    if not content:
        return {}
    if not isinstance(content, dict):
        raise ImportingError(f"{file} is no mapping of keys to values.")
    return {str(key): value for key, value in content.items()}


def read_problem(folder: Path, draft: CourseDraft) -> KattisProblem:
    """Return the problem in a package. Raises ImportingError if it is missing or cannot be expressed here."""
    if not (folder / "problem.yaml").is_file():
        raise ImportingError(f"{folder} is no problem package: it has no problem.yaml.")
    settings = read_mapping(folder / "problem.yaml")
    version = str(settings.get("problem_format_version") or "")
    is_legacy = version in _LEGACY
    if not is_legacy and version not in _KNOWN:
        draft.note(f"The format {version} is not known; the package was read as one of 2025-09.")
    kinds = _kinds(settings)
    for kind in _REFUSED:
        if kind in kinds:
            raise ImportingError(f"{folder}: a problem of the type {kind} cannot be imported.")
    for key in sorted(set(settings) - set(_ABOUT_PEOPLE)):
        draft.note(f"problem.yaml: `{key}` was not imported.")
    limits = _limits(settings, draft)
    return KattisProblem(
        folder=folder,
        name=_name(settings, folder, draft),
        is_legacy=is_legacy,
        is_scoring="scoring" in kinds,
        is_interactive="interactive" in kinds,
        validator_scores="score" in kinds,
        time_limit=_time_limit(folder, limits),
        memory=int(float(limits.get("memory") or _DEFAULT_MEMORY)),
        output=int(float(limits.get("output") or _DEFAULT_OUTPUT)),
        compilation_time=float(limits["compilation_time"]) if limits.get("compilation_time") else None,
        validator=_validator(folder, settings, is_legacy=is_legacy),
        validator_flags=flags_in(settings.get("validator_flags")),
    )


def flags_in(value: object) -> tuple[str, ...]:
    """Return the arguments of a validator: a text, or a list of texts."""
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(shlex.split(str(value or "")))


def _kinds(settings: Mapping[str, Any]) -> set[str]:
    kind = settings.get("type") or "pass-fail"
    return {*(kind if isinstance(kind, list) else str(kind).split()), *str(settings.get("validation", "")).split()}


def _name(settings: Mapping[str, Any], folder: Path, draft: CourseDraft) -> str:
    name = settings.get("name") or folder.name
    if not isinstance(name, dict):
        return " ".join(str(name).split())
    chosen = "en" if "en" in name else next(iter(name))
    others = [language for language in name if language != chosen]
    if others:
        draft.note(f"problem.yaml: the name is the one in the language `{chosen}`; not that in {', '.join(others)}.")
    return " ".join(str(name[chosen]).split())


def _limits(settings: Mapping[str, Any], draft: CourseDraft) -> dict[str, Any]:
    limits = settings.get("limits") or {}
    if not isinstance(limits, dict):
        raise ImportingError("problem.yaml: `limits` is no mapping of keys to values.")
    others = sorted(set(limits) - set(_READ_LIMITS))
    if others:
        draft.note(f"problem.yaml: of the limits, {', '.join(others)} concern the judge and were not imported.")
    return limits


def _time_limit(folder: Path, limits: Mapping[str, Any]) -> float | None:
    limit_file = folder / ".timelimit"
    stated = limits.get("time_limit") or (limit_file.read_text("utf-8").strip() if limit_file.is_file() else "")
    return float(stated) if stated else None


def _validator(folder: Path, settings: Mapping[str, Any], *, is_legacy: bool) -> Path | None:
    """Return the custom output validator: a file or a folder. The default one compares tokens."""
    if is_legacy and "custom" not in str(settings.get("validation", "")).split():
        return None
    validators = list(_validators(folder))
    if is_legacy and not validators:
        raise ImportingError(f"{folder}: the validation is custom, and there is no output validator.")
    if len(validators) > 1:
        names = ", ".join(path.name for path in validators)
        raise ImportingError(f"{folder}: there are several output validators ({names}); one can be imported.")
    return validators[0] if validators else None


def _validators(folder: Path) -> Iterator[Path]:
    for name in ("output_validators", "output_validator"):
        if (folder / name).is_dir():
            inner = [path for path in sorted((folder / name).iterdir()) if not path.name.startswith(".")]
            if name == "output_validator" and sum(path.is_file() for path in inner):
                yield folder / name
            else:
                yield from inner


@dataclass(frozen=True, kw_only=True)
class Case:
    """A test case; `path` is the path of its files in data/, without their suffixes."""

    path: str
    input: Path | None
    answer: Path
    args: tuple[str, ...]
    title: str
    files: tuple[tuple[str, Path], ...]
    flags: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id of its test."""
        return case_id(self.path)

    @property
    def is_sample(self) -> bool:
        """Return whether students see it."""
        return self.path.startswith("sample")


@dataclass(frozen=True, kw_only=True)
class Group:
    """A group of test cases at `path` in data/, with its own and its inherited settings."""

    path: str
    settings: Mapping[str, Any]
    cases: tuple[Case, ...]
    groups: tuple["Group", ...]

    def all_cases(self) -> Iterator[Case]:
        """Yield the group's own cases, then the cases of the groups inside it."""
        yield from self.cases
        for group in self.groups:
            yield from group.all_cases()

    def all_groups(self) -> Iterator["Group"]:
        """Yield the group and all groups inside it."""
        yield self
        for group in self.groups:
            yield from group.all_groups()


def case_id(path: str) -> str:
    """Return the name of a test for the case at this path."""
    return safe_name(path.replace("/", "-"))


def read_test_data(problem: KattisProblem, draft: CourseDraft) -> Group:
    """Return all groups. Raises SpecError and ImportingError if a file cannot be read."""
    root = _read_group(problem, problem.folder / "data", "", {})
    for group in root.all_groups():
        unread = sorted(set(group.settings) - set(_READ_KEYS))
        if unread:
            draft.note(f"data/{group.path}: {', '.join(f'`{key}`' for key in unread)} was not imported.")
    case_files = {f"{case.path}{suffix}" for case in root.all_cases() for suffix in _CASE}
    for name, _file in files_in(problem.folder / "data"):
        path = Path(name)
        if case_files.isdisjoint(map(str, (path, *path.parents))) and path.name not in _GROUP_FILES:
            draft.note(f"data/{name}: {_why_ignored(path)}.")
    return root


def _why_ignored(path: Path) -> str:
    """Explain why a file in data/ is not imported: its other half is missing, or it is not part of a test case."""
    if path.suffix == ".ans":
        return f"there is no {path.stem}.in, so it was not imported"
    if path.suffix in _CASE:
        return f"there is no {path.stem}.ans, so it was not imported"
    return "not imported; it is no part of a test case"


def _read_group(problem: KattisProblem, folder: Path, path: str, outer: Mapping[str, Any]) -> Group:
    stated = {key: value for name in _GROUP_FILES for key, value in read_mapping(folder / name).items()}
    inherits_all = problem.is_legacy or (folder / _GROUP_FILES[0]).is_file()
    settings = {**{key: value for key, value in outer.items() if inherits_all or key in _INHERITED}, **stated}
    prefix = f"{path}/" if path else ""
    inner = sorted(folder.iterdir()) if folder.is_dir() else []
    names = {file.stem for file in inner if file.is_file() and file.suffix in (".in", ".ans")}
    names = {name for name in names if _is_case(folder / name)}
    return Group(
        path=path,
        settings=settings,
        cases=tuple(_read_case(problem, folder / name, f"{prefix}{name}", settings) for name in sorted(names)),
        groups=tuple(
            _read_group(problem, path_inside, f"{prefix}{path_inside.name}", settings)
            for path_inside in inner
            if path_inside.is_dir() and path_inside.suffix != ".files"
        ),
    )


def _is_case(base: Path) -> bool:
    """Return whether a test case has an answer, and input for a program."""
    inputs = [base.with_name(f"{base.name}{suffix}") for suffix in (".in", ".args", ".files")]
    return base.with_name(f"{base.name}.ans").is_file() and any(file.exists() for file in inputs)


def _read_case(problem: KattisProblem, base: Path, path: str, settings: Mapping[str, Any]) -> Case:
    def beside(suffix: str) -> Path:
        return base.with_name(f"{base.name}{suffix}")

    merged = {**settings, **read_mapping(beside(".yaml"))}
    title = merged.get("description") or (beside(".desc").read_text("utf-8") if beside(".desc").is_file() else "")
    args = flags_in(merged.get("args"))
    if beside(".args").is_file():
        args = tuple(shlex.split(beside(".args").read_text("utf-8")))
    flag_text = merged.get("output_validator_args") or merged.get("output_validator_flags")
    return Case(
        path=path,
        input=beside(".in") if beside(".in").is_file() else None,
        answer=beside(".ans"),
        args=args,
        title=" ".join(str(title).split()),
        files=tuple(files_in(beside(".files"))),
        flags=(*problem.validator_flags, *flags_in(flag_text)),
    )
