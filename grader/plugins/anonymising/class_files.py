"""Writes the files about a class, such as extensions and marks, with numbers for names and without free text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.class_files.all_files import ClassFiles
from grader.config.yaml_writer import Writable, yaml_document
from grader.grading.content_state import submission_digest
from grader.intake.plain_folder import INSTRUCTORS
from grader.model.mark import ManualMarks, MarkOverride, Override, StudentExtension
from grader.model.submission import Submission

_COVERED = ("extensions", "marks", "overrides", "roster", "times", "teams")
_REASON, _BY = "as in the class itself", "the staff"
Entry = dict[str, Writable]


@dataclass(frozen=True)
class WrittenFiles:
    """The names of the class files that were written, and the content that could not be written."""

    names: Sequence[str]
    left_behind: Sequence[str]


def write_class_files(
    folder: Path, files: ClassFiles, submissions: Mapping[str, Sequence[Submission]], numbers: Mapping[str, str]
) -> WrittenFiles:
    """Write the files needed to give the class in `folder` the same marks. Raises OSError."""
    skipped: list[str] = []
    entries: dict[str, list[Entry]] = {"extensions": [], "marks": [], "overrides": []}
    for student, number in sorted(numbers.items(), key=lambda item: item[1]):
        who: Entry = {"student": number}
        extension = _extension_entry(files.extensions.of.get(student, StudentExtension()))
        marks = _marks(files.manual_marks(student))
        entries["extensions"] += [{**who, **extension}] if extension else []
        entries["marks"] += [{**who, **marks}] if marks else []
        digests = [submission_digest(submission.files) for submission in submissions[student]]
        for override in files.overrides_of(student):
            fitting = [digest for digest in digests if override.decision.fits(digest)]
            if len(fitting) == len(digests):
                entries["overrides"].append({**who, **_override_entry(override)})
            elif fitting:
                skipped.append(f"a decision about one of the attempts of {number}")
    for name, listed in entries.items():
        if listed:
            (folder / f"{name}.yaml").write_text(yaml_document({"format": 1, name: listed}), encoding="utf-8")
    names = [f"{name}.yaml" for name, listed in entries.items() if listed]
    # Students who submitted nothing are only listed in a roster.
    if any(not submission.source for attempts in submissions.values() for submission in attempts):
        (folder / "roster.csv").write_text("".join(f"{line}\n" for line in ("id", *sorted(numbers.values()))))
        names.append("roster.csv")
    return WrittenFiles(names, skipped)


def left_behind(folder: Path) -> Iterator[str]:
    """Yield the names of class files that are not copied."""
    yield from sorted(
        name for name in INSTRUCTORS if (folder / name).is_file() and name.partition(".")[0] not in _COVERED
    )


def _extension_entry(extension: StudentExtension) -> Entry:
    entry: Entry = {"due": f"{extension.due:%Y-%m-%d %H:%M:%S}"} if extension.due else {}
    if extension.late_days is not None:
        entry["late_days"] = extension.late_days
    if extension.extra_late_days:
        entry["extra_late_days"] = extension.extra_late_days
    return entry | {
        name: True for name, holds in (("waive", extension.waived), ("excused", extension.excused)) if holds
    }


def _marks(marks: ManualMarks) -> Entry:
    entry: Entry = {"points": {item: str(points) for item, points in marks.points.items()}} if marks.points else {}
    decided = (("confirm", marks.confirmed), ("waive", marks.waived))
    return entry | {name: sorted(rules) for name, rules in decided if rules}


def _override_entry(override: Override) -> Entry:
    reason: Entry = {"reason": _REASON, "by": _BY}
    if isinstance(override, MarkOverride):
        return {"mark": str(override.mark), **reason}
    score: Entry = {} if override.score is None else {"score": str(override.score)}
    return {"test": override.test, "verdict": override.verdict.value, **score, **reason}
