"""Faulty programs of an earlier class, kept as samples that the tests must catch, without revealing who wrote them."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from grader.analysis.failure_groups import FailureGroup, signs_of
from grader.grading.grade_submission import grade_submission
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.auditing.base_run import TrialSetting
from grader.plugins.auditing.samples import VERDICTS
from grader.text.syntax import parse

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_WORD = 2
_LONG_NAME = 4
"""A name of at least this many letters is unlikely to be part of another word by chance."""


@dataclass(frozen=True)
class FaultyProgram:
    """A submission with the mistake of a group: the group's name, the text of each file, and the test results."""

    group: str
    texts: Mapping[str, str]
    graded: GradedSubmission

    def write(self, sample: Path) -> None:
        """Write the program and its verdicts to a folder as a sample."""
        _write(self.texts, sample)
        failing = list(_failing(self.graded))
        fails: dict[str, list[str]] = {}
        for result in failing:
            if str(result.verdict) not in fails.setdefault(result.test.part, []):
                fails[result.test.part].append(str(result.verdict))
        content = {"about": f"a mistake of an earlier class, which shows in {failing[0].test.id}", "fails": fails}
        (sample / VERDICTS).write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), encoding="utf-8")


@dataclass(frozen=True)
class EarlierClass:
    """A class: its grading settings, and for each student the texts to keep and all names, split into words."""

    setting: TrialSetting
    texts: Mapping[str, Mapping[str, str]]
    names: Mapping[str, Collection[tuple[str, ...]]]

    def faulty_program(self, group: FailureGroup, folder: Path) -> FaultyProgram | None:
        """Return the smallest program with a group's mistake, or None if no program can be kept.

        The program is graded in `folder`, exactly as it will be kept.
        """
        members = [name for name in group.students if name in self.texts and not self._reveals_author(name)]
        for number, name in enumerate(sorted(members, key=lambda name: sum(map(len, self.texts[name].values())))):
            graded = _graded(self.setting, self.texts[name], folder / f"{group.id}-{number}")
            if _shows_mistake(graded, group):
                return FaultyProgram(group.id, self.texts[name], graded)
        return None

    def _reveals_author(self, student: str) -> bool:
        """Return whether the texts contain part of the student's own name, or anyone's full name."""
        text = "\n".join((*self.texts[student], *self.texts[student].values())).casefold()
        words = _words(text)
        own_words = {word for name in self.names[student] for word in name}
        if own_words.intersection(words) or any(word in text for word in own_words if len(word) >= _LONG_NAME):
            return True
        spaced = f" {' '.join(words)} "
        return any(f" {' '.join(name)} " in spaced for names in self.names.values() for name in names if len(name) > 1)


def earlier_class(setting: TrialSetting, submissions: Sequence[GradedSubmission]) -> EarlierClass:
    """Return a class that was graded with this setting."""
    all_texts = {submission.submission.student: _texts(submission.submission) for submission in submissions}
    texts = {student: texts_kept for student, texts_kept in all_texts.items() if texts_kept}
    return EarlierClass(
        setting, texts, {submission.submission.student: _names(submission.submission) for submission in submissions}
    )


def _texts(submission: Submission) -> dict[str, str]:
    """Return the files without comments and docstrings, or no files if one of them is not Python or cannot be read."""
    texts = {}
    for file in submission.files:
        try:
            if not file.name.endswith(".py"):
                return {}
            texts[file.name] = _without_docstrings(file.path.read_bytes().decode("utf-8-sig"))
        except (OSError, SyntaxError, ValueError, RecursionError):
            return {}
    return texts


def _without_docstrings(source: str) -> str:
    tree = parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                if ast.get_docstring(node, clean=False) is not None:
                    node.body[:1] = [] if len(node.body) > 1 else [ast.Pass()]
            case _:
                pass
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _names(submission: Submission) -> set[tuple[str, ...]]:
    """Return the names of a student, split into words."""
    identity = submission.identity
    names = (submission.student, identity.name, identity.id, identity.email, identity.login)
    return {tuple(_words(name)) for name in names if name is not None}


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if len(word) >= _SHORTEST_WORD]


def _graded(setting: TrialSetting, texts: Mapping[str, str], folder: Path) -> GradedSubmission:
    _write(texts, folder)
    files = tuple(SubmittedFile(name, folder / name) for name in texts)
    submission = Submission(student=folder.name, files=files, submitted=None, time_source=TimeSource.NONE, notes=())
    tests = setting.assignment.tests
    return grade_submission(
        setting.assignment, tests, setting.transcripts, submission, setting.outcomes, tick=lambda: None
    )


def _write(texts: Mapping[str, str], folder: Path) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _shows_mistake(graded: GradedSubmission, group: FailureGroup) -> bool:
    """Return whether the program shows the group's mistake, and no test failed because of a fault in the grader."""
    failing = list(_failing(graded))
    if any(result.verdict is Verdict.INTERNAL_ERROR for result in failing):
        return False
    return any(group.has(sign.digest) for result in failing for sign in signs_of(result))


def _failing(graded: GradedSubmission) -> Iterator[TestResult]:
    return (result for result in graded.results if result.verdict is not Verdict.PASSED)
