"""The folder data/: test cases and their groups, with what testdata.yaml and test_group.yaml say of them."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.importers.course_draft import CourseDraft, files_in, safe_name
from grader.importers.kattis.problem import Problem, flags_in, read_mapping

_CASE = (".in", ".ans", ".args", ".desc", ".yaml", ".files")
"""What belongs to a test case and is read."""

_GROUP_FILES = ("testdata.yaml", "test_group.yaml")

_READ_KEYS = (
    "on_reject grading grader_flags accept_score reject_score range output_validator_flags output_validator_args "
    "max_score score_aggregation require_pass args description"
).split()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A test case: `path` is that of its files without their ending, in data/."""

    path: str
    input: Path | None
    answer: Path
    args: tuple[str, ...]
    title: str
    files: tuple[tuple[str, Path], ...]
    flags: tuple[str, ...]

    @property
    def id(self) -> str:
        """What the test is called."""
        return case_id(self.path)

    @property
    def is_sample(self) -> bool:
        """Whether students see it."""
        return self.path.startswith("sample")


@dataclass(frozen=True, kw_only=True)
class Group:
    """A group of test cases, in data/ at `path`: what is said of it, or of all that is around it."""

    path: str
    settings: Mapping[str, Any]
    cases: tuple[Case, ...]
    groups: tuple["Group", ...]

    def all_cases(self) -> Iterator[Case]:
        """Its cases, and those of the groups in it."""
        yield from self.cases
        for group in self.groups:
            yield from group.all_cases()

    def all_groups(self) -> Iterator["Group"]:
        """The group and those in it."""
        yield self
        for group in self.groups:
            yield from group.all_groups()


def case_id(path: str) -> str:
    """The name of a test for the case at this path."""
    return safe_name(path.replace("/", "-"))


def read_test_data(problem: Problem, draft: CourseDraft) -> Group:
    """All groups. Raises SpecError and ImportingError when a file cannot be read."""
    root = _read_group(problem, problem.folder / "data", "", {})
    for group in root.all_groups():
        own = sorted(set(group.settings) - set(_READ_KEYS))
        if own:
            draft.note(f"data/{group.path}: {', '.join(f'`{key}`' for key in own)} was not imported.")
    ignored: dict[str, int] = {}
    known = {f"{case.path}{suffix}" for case in root.all_cases() for suffix in _CASE}
    for name, _file in files_in(problem.folder / "data"):
        if not any(name == one or name.startswith(f"{one}/") for one in known) and Path(name).name not in _GROUP_FILES:
            ignored[Path(name).suffix] = ignored.get(Path(name).suffix, 0) + 1
    for suffix, count in ignored.items():
        draft.note(f"data/: {count} of the files are no test case ({suffix or 'without an ending'}), and were not imported.")
    return root


def _read_group(problem: Problem, folder: Path, path: str, around: Mapping[str, Any]) -> Group:
    own = {key: value for name in _GROUP_FILES for key, value in read_mapping(folder / name).items()}
    settings = {**(around if problem.is_legacy or (folder / _GROUP_FILES[0]).is_file() else {}), **own}
    prefix = f"{path}/" if path else ""
    inner = sorted(folder.iterdir()) if folder.is_dir() else []
    names = {file.stem for file in inner if file.is_file() and file.suffix in (".in", ".ans")}
    names = {name for name in names if _is_case(folder / name)}
    return Group(
        path=path,
        settings=settings,
        cases=tuple(_read_case(problem, folder / name, f"{prefix}{name}", settings) for name in sorted(names)),
        groups=tuple(
            _read_group(problem, one, f"{prefix}{one.name}", settings)
            for one in inner
            if one.is_dir() and one.suffix != ".files"
        ),
    )


def _is_case(base: Path) -> bool:
    """Whether there is what a program is given, and an answer."""
    beside = [base.with_name(f"{base.name}{suffix}") for suffix in (".in", ".args", ".files")]
    return base.with_name(f"{base.name}.ans").is_file() and any(file.exists() for file in beside)


def _read_case(problem: Problem, base: Path, path: str, settings: Mapping[str, Any]) -> Case:
    def beside(suffix: str) -> Path:
        return base.with_name(f"{base.name}{suffix}")

    own = {**settings, **read_mapping(beside(".yaml"))}
    title = own.get("description") or (beside(".desc").read_text("utf-8") if beside(".desc").is_file() else "")
    args = flags_in(own.get("args"))
    if beside(".args").is_file():
        args = tuple(shlex.split(beside(".args").read_text("utf-8")))
    said = own.get("output_validator_args") or own.get("output_validator_flags")
    return Case(
        path=path,
        input=beside(".in") if beside(".in").is_file() else None,
        answer=beside(".ans"),
        args=args,
        title=" ".join(str(title).split()),
        files=tuple(files_in(beside(".files"))),
        flags=(*problem.validator_flags, *flags_in(said)),
    )
