"""The folder of an exercise: its suite, the programs with known results, and the files beside programs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.plugins.importing.course_draft import CourseDraft, ImportingError, files_in
from grader.plugins.importing.tested import json_suite, suite
from grader.plugins.importing.tested.suite import InexpressibleCaseError, OwnFile, Suite

_SUITES = (".yaml", ".yml", ".tson", ".json")
_YAML = (".yaml", ".yml")
_USUAL = ("suite", "tests", "plan")
_LABELS = (
    ("correct", "correct"),
    ("solution", "correct"),
    ("wrong", "wrong"),
    ("run-error", "runtime-error"),
    ("comp-error", "compilation-error"),
)


@dataclass(frozen=True)
class Exercise:
    """An exercise, and the content of its config.json."""

    folder: Path
    config: dict[str, Any]

    @property
    def evaluation(self) -> Path:
        """The folder of suites, oracles and files."""
        return self.folder / "evaluation"

    @property
    def title(self) -> str:
        """The title shown to students."""
        names = (self.config.get("description") or {}).get("names") or {}
        return str(names.get("en") or next(iter(names.values()), self.folder.name))

    @property
    def language(self) -> str:
        """The language that the exercise states."""
        return str(self.config.get("programming_language") or "")

    def suite(self, named: str | None, draft: CourseDraft) -> Suite:
        """Return the suite named by config.json or the user. Raises ImportingError."""
        file = self._suite(named)
        for candidate in self._suites():
            if candidate != file:
                draft.note(f"evaluation/{candidate.name}: not imported; it may be another suite (--suite).")
        text = file.read_text("utf-8")
        suite_read: Suite = (suite if file.suffix in _YAML else json_suite).read_suite(text, file.name)
        if not suite_read.contexts:
            raise ImportingError(f"{file} has no test cases.")
        return suite_read

    def _suites(self) -> list[Path]:
        return [file for file in sorted(self.evaluation.glob("*")) if file.suffix in _SUITES and file.is_file()]

    def _suite(self, named: str | None) -> Path:
        named = named or (self.config.get("evaluation") or {}).get("test_suite")
        if named:
            if not (self.evaluation / named).is_file():
                raise ImportingError(f"{self.evaluation / named} is missing.")
            return self.evaluation / named
        suites = self._suites()
        usual = [file for file in suites if file.stem in _USUAL]
        if len(suites) == 1 or len(usual) == 1:
            return (usual or suites)[0]
        names = ", ".join(file.name for file in suites) or "none"
        raise ImportingError(f"{self.evaluation}: found {names}; name the suite with --suite.")

    def solutions(self) -> Iterator[tuple[str, Path]]:
        """Yield the programs with the labels in their names."""
        for folder in ("solution", "solutions"):
            for file in sorted((self.folder / folder).glob("*")):
                if file.is_file():
                    yield label_of(file.stem), file

    def file(self, file_name: OwnFile) -> Path:
        """Return a file from evaluation/ or from the files beside programs. Raises InexpressibleCaseError."""
        for folder in (self.evaluation, self.folder / "workdir"):
            if (folder / file_name.path).is_file():
                return folder / file_name.path
        raise InexpressibleCaseError(f"there is no file {file_name.path}")

    def files_beside(self) -> Sequence[tuple[str, Path]]:
        """Return the files that programs find beside them in every test."""
        return list(files_in(self.folder / "workdir")) if (self.folder / "workdir").is_dir() else ()


def label_of(name: str) -> str:
    """Return the label that the name of a program implies."""
    return next((label for start, label in _LABELS if name.startswith(start)), "unlabelled")


def read_exercise(folder: Path) -> Exercise:
    """Return the exercise in a folder. Raises ImportingError."""
    if not (folder / "evaluation").is_dir():
        raise ImportingError(f"{folder} is no exercise of TESTed: it has no folder evaluation/.")
    file = folder / "config.json"
    try:
        config = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise ImportingError(f"{file} is no JSON: {error}") from None
    return Exercise(folder, config if isinstance(config, dict) else {})
