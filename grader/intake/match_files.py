"""Finds the programs that the assignment asks for among the files of a submission.

Self-checks import this module on any system, in a Python without packages and perhaps without compression modules, so
it must not need either.
"""

import filecmp
import os
import re
import stat
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

from grader.errors import quoted
from grader.files.archive_reader import ArchiveLimits, UnsafeInputError, bytes_words, is_junk
from grader.files.source_text import NoSourceError, source_text
from grader.intake.further_files import fits_pattern, is_leftover, names_below
from grader.intake.similar_names import SimilarNames, fold_name
from grader.intake.source_note import source_note
from grader.model.assignment import Assignment, FileNamePolicy, SubmissionPolicy
from grader.model.interaction import PluginInteraction
from grader.model.submission import SubmittedFile
from grader.model.test import Test
from grader.text.sentence import Sentence, say

_NOT_LOOKED_INTO = (".", "__")
ANY_DEPTH = 50
"""The maximum depth of folders searched for files."""

_MAX_NAMED = 4


@dataclass(frozen=True)
class FoundFile:
    """A file of a submission: `name` is its path in the submission, with `/` between folders.

    `regular` is false for a folder, link, pipe or other special file. Accents in `name` are composed, as in the names
    that an assignment asks for, even if they are decomposed on disk, as on macOS.
    """

    name: str
    path: Path
    regular: bool = True

    def __post_init__(self) -> None:
        """Compose the accents."""
        object.__setattr__(self, "name", unicodedata.normalize("NFC", self.name))

    @property
    def base(self) -> str:
        """Return the name without folders."""
        return self.name.rpartition("/")[2]

    @property
    def shown(self) -> str:
        """Return the name for people, as on disk."""
        return self.name if self.depth else self.path.name

    @property
    def depth(self) -> int:
        """Return the number of folders around the file."""
        return self.name.count("/")

    @property
    def folder(self) -> str:
        """Return the path of the file's folder, which is empty at the top."""
        return self.name.removesuffix(self.base)


def files_in(folder: Path, most: int, deepest: int = ANY_DEPTH) -> tuple[FoundFile, ...]:
    """Return all entries of `folder`, down to `deepest` levels of subfolders.

    Raises UnsafeInputError if there are more than `most` files, and OSError if the folder cannot be read.
    """
    files: list[FoundFile] = []
    count = 0
    for file in _below(folder, "", deepest):
        files.append(file)
        count += file.regular
        if count > most:
            raise UnsafeInputError(f"it has more than {most} files")
    return tuple(files)


def _below(folder: Path, prefix: str, deepest: int) -> Iterator[FoundFile]:
    """Yield all entries of `folder`, outer files first. Links are not followed, because they could lead anywhere."""
    with os.scandir(folder) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        yield FoundFile(prefix + entry.name, Path(entry.path), entry.is_file(follow_symlinks=False))
    for entry in ordered if prefix.count("/") < deepest else ():
        if entry.is_dir(follow_symlinks=False) and not (
            entry.name.startswith(_NOT_LOOKED_INTO) or is_junk([entry.name])
        ):
            with suppress(OSError):
                yield from _below(Path(entry.path), f"{prefix}{entry.name}/", deepest)


Programs = Mapping[str, Sequence[str]]
"""The required programs, each with the allowed names of its file; the first name that exists is used."""


@dataclass(frozen=True, kw_only=True)
class FileRequirements:
    """The files to look for.

    Modules in `provided` come from the instructor, so a student's own copy is not used. `policy` determines which other
    names are accepted, and how large a file may be. Files that match a pattern in `further` are allowed next to the
    programs, unless they conflict with `of_tests`, the files that a test places next to the program or requires it to
    write.
    """

    programs: Programs
    provided: tuple[str, ...] = ()
    policy: SubmissionPolicy = SubmissionPolicy()
    further: tuple[str, ...] = ()
    of_tests: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """Return all allowed names of program files."""
        return tuple(name for names in self.programs.values() for name in names)


def file_requirements(assignment: Assignment) -> FileRequirements:
    """Return the files required by `assignment`."""
    return FileRequirements(
        programs=assignment.file_names,
        provided=tuple(module.file for module in assignment.provided),
        policy=assignment.submission_policy,
        further=assignment.further_files,
        of_tests=frozenset(name for test in assignment.tests for name in _beside_program(test)),
    )


def _beside_program(test: Test) -> Iterator[str]:
    """Yield the names of the course's files next to a test's program, and of the files that it must write."""
    yield from (file.name for file in test.start.files)
    yield from test.side_output.files
    if isinstance(test.interaction, PluginInteraction):
        yield from test.interaction.modules


@dataclass(frozen=True)
class MatchedFiles:
    """The programs that were found, their further files, and notes for the instructor.

    `unused` lists all other files that no note explains. `refused` maps a program's name to the reason why the file
    with that name was rejected.
    """

    files: tuple[SubmittedFile, ...]
    notes: tuple[str, ...]
    unused: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class _Findings:
    """The findings so far: notes, the files that the notes cover, and the accepted files."""

    notes: list[str] = field(default_factory=list)
    noted: set[FoundFile] = field(default_factory=set)
    hints: set[FoundFile] = field(default_factory=set)
    taken: dict[FoundFile, SubmittedFile] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def refuse(self, name: str, sentence: str, *files: FoundFile) -> None:
        self.refused[name] = sentence
        self.note(sentence, *files)

    def note(self, sentence: str, *files: FoundFile) -> None:
        self.notes.append(sentence)
        self.noted.update(files)

    def pass_over(self, file: FoundFile, taken: FoundFile | None) -> None:
        """Add a note that `taken` is used instead of the file; do nothing if `taken` is None."""
        if taken is not None:
            self.note(say("{file} is passed over: {taken} is there", file=file.shown, taken=taken.shown), file)


def match_files(files: Sequence[FoundFile], sought: FileRequirements) -> MatchedFiles:
    """Return the programs in `files`, and the allowed further files next to them.

    Programs are searched for at the top level first, then in subfolders. A different name is only accepted if the
    policy allows it; otherwise the most similar name becomes a hint. If a program has alternatives, the first existing
    file is used.
    """
    findings = _Findings()
    exact = {
        program: _at_the_top(names, files, findings) or _in_subfolders(names, files, findings)
        for program, names in sought.programs.items()
    }
    missing = [program for program, taken in exact.items() if not taken]
    present = [file for taken in exact.values() for _, file in taken[:1]]
    candidates = [*_without_modules(files, present, sought)] if missing and present else files
    for program in sought.programs:
        taken = exact[program] or _similar(program, candidates, sought, findings)
        if taken:
            name, file = taken[0]
            for _, file_taken in taken[1:]:
                findings.pass_over(file_taken, file)
            _take(name, file, sought.policy, findings)
    programs = dict(findings.taken)
    for file in _own_copies(files, sought, programs):
        findings.note(f"{file.base} is passed over: the one that is provided is used", file)
    _take_further(files, sought, findings)
    for file in files:
        if _is_unused(file, files, findings):
            findings.pass_over(
                file, next((taken_program for taken_program in programs if taken_program.base == file.base), None)
            )
    read = [file for file in findings.taken.values() if file.name in sought.names or file.name.endswith(".py")]
    unused = [file.name for file in files if _is_unused(file, files, findings)]
    notes = (*findings.notes, *(note for file in read if (note := source_note(file))))
    return MatchedFiles(tuple(findings.taken.values()), notes, tuple(unused), findings.refused)


def _own_copies(
    files: Sequence[FoundFile], sought: FileRequirements, programs: Iterable[FoundFile]
) -> Iterator[FoundFile]:
    """Yield the student's copies of provided modules, at the top level or next to a program."""
    folders = {"", *(file.folder for file in programs)}
    for name in sought.provided:
        yield from (file for file in files if file.base == name and file.folder in folders)


def _take_further(files: Sequence[FoundFile], sought: FileRequirements, findings: _Findings) -> None:
    """Accept the further files in the programs' folders, under the paths that a program would use there."""
    folders = tuple(dict.fromkeys(file.folder for file in findings.taken))
    remaining_bytes = sought.policy.total_bytes
    taken_names = {*sought.names, *sought.provided}
    if not folders:
        _note_without_program(files, sought, findings)
    by_name: dict[str, FoundFile] = {}
    for file in files if folders and sought.further else ():
        if file in findings.taken or file in findings.noted or _is_folder(file):
            continue
        names = [name for name in names_below(file.name, folders) if fits_pattern(name, sought.further)]
        name = next((name for name in names if name not in taken_names), None)
        if name is None:
            findings.pass_over(file, next((by_name[name] for name in names if name in by_name), None))
            continue
        if not file.regular:
            findings.note(f"{file.shown} is not taken: it is a link or something else that is not a regular file", file)
            continue
        reason = _reason_against(name, sought, taken_names)
        if reason is not None:
            findings.note(f"{file.shown} is not taken: {reason}", file)
            continue
        size = file.path.lstat().st_size
        if size <= remaining_bytes:
            taken_names.add(name)
            by_name[name] = file
            remaining_bytes -= size if _take(name, file, sought.policy, findings) else 0
        else:
            most = bytes_words(sought.policy.total_bytes)
            findings.note(f"{file.shown} is not taken: all files together may have {most}", file)


def _note_without_program(files: Sequence[FoundFile], sought: FileRequirements, findings: _Findings) -> None:
    """Add notes about files that would be allowed next to a program if there were one."""
    for file in files:
        everywhere = {"", *(f"{folder}/" for folder in map(str, PurePosixPath(file.name).parents) if folder != ".")}
        might_be = any(fits_pattern(name, sought.further) for name in names_below(file.name, everywhere))
        if might_be and _is_unused(file, files, findings):
            findings.note(f"{file.shown} is not used: there is no program beside it", file)


def _reason_against(name: str, sought: FileRequirements, taken_names: Collection[str]) -> str | None:
    """Return why a further file conflicts with the program or with `taken_names`, or None."""
    hidden = _hidden_by(name, sought.provided)
    if hidden is not None:
        return f"Python would import it in place of {hidden}, which is provided"
    for similar_name in sorted({*taken_names, *sought.of_tests}):
        if name.startswith(f"{similar_name}/"):
            return f"{similar_name} is a file beside the program, so no folder can be called so"
        if similar_name.startswith(f"{name}/"):
            return f"{name} is a folder beside the program, so no file can be called so"
    return None


def _hidden_by(name: str, provided: Sequence[str]) -> str | None:
    """Return the provided module that this file would shadow (as a package or a binary module), or None."""
    top, _, inner = name.partition("/")
    if inner.startswith("__init__."):
        module = f"{top}.py"
    elif top.endswith((".so", ".pyd")):
        module = f"{top.partition('.')[0]}.py"
    else:
        return None
    return module if module in provided else None


def _is_unused(file: FoundFile, files: Sequence[FoundFile], findings: _Findings) -> bool:
    """Return whether the file is unused, and is neither explained by a note nor a common leftover."""
    if file in findings.taken or file in findings.noted | findings.hints or is_leftover(file.name) or _is_folder(file):
        return False
    # An opened archive is represented by its files.
    return not any(inner.name.startswith(f"{file.name}/") for inner in files)


def _is_folder(file: FoundFile) -> bool:
    with suppress(OSError):
        return not file.regular and stat.S_ISDIR(file.path.lstat().st_mode)
    return False


Taken = list[tuple[str, FoundFile]]


def _at_the_top(names: Sequence[str], files: Sequence[FoundFile], findings: _Findings) -> Taken:
    """Return the top-level files with exactly these names, except names shared by several files."""
    taken: Taken = []
    for name in names:
        top = [file for file in files if file.depth == 0 and file.name == name]
        regular = [file for file in top if file.regular]
        if len(regular) == 1:
            taken.append((name, regular[0]))
        elif top and not regular:
            sentence = f"{top[0].shown} is a folder, a link or something else that is not a regular file"
            findings.refuse(name, sentence, *top)
    return taken


def _in_subfolders(names: Sequence[str], files: Sequence[FoundFile], findings: _Findings) -> Taken:
    """Return the only file in a subfolder with exactly one of these names, preferring outer subfolders."""
    for name in names:
        inner = [file for file in files if file.base == name and file.regular]
        outermost = [file for file in inner if file.depth == min(candidate.depth for candidate in inner)]
        if len(outermost) == 1:
            findings.note(say("{file} is taken from a folder: {taken}", file=name, taken=outermost[0].name))
            return [(name, outermost[0])]
        if outermost and _are_the_same(outermost):
            findings.note(_where(name, outermost, "the same in all"), *outermost)
            return [(name, outermost[0])]
        if outermost:
            findings.refuse(name, _where(name, outermost, "none is taken"), *inner)
    return []


def _where(name: str, files: Sequence[FoundFile], outcome: str) -> str:
    if len({file.name for file in files}) < len(files):
        return f"{name} is there {len(files)} times, in names whose accents are encoded differently, and {outcome}"
    places = ", ".join(quoted(file.name) for file in files[:_MAX_NAMED])
    return f"{name} is in more than one folder, and {outcome}: {places}"


def _are_the_same(files: Sequence[FoundFile]) -> bool:
    with suppress(OSError):
        return all(filecmp.cmp(files[0].path, file.path, shallow=False) for file in files[1:])
    return False


def _similar(program: str, all_files: Sequence[FoundFile], sought: FileRequirements, findings: _Findings) -> Taken:
    """Return a file with a different name if the policy accepts it; otherwise add a note about similar files.

    A file whose name is just as similar to another program is not used.
    """
    names = sought.programs[program]
    reserved = {*sought.names, *sought.provided}
    others = [file for file in all_files if file.regular and file.base not in reserved and file not in findings.taken]
    in_case = [(name, file) for name in names for file in others if fold_name(file.base) == fold_name(name)]
    rivals = [rival for rival in sought.programs if rival != program]
    similar = SimilarNames(program, rivals, [file.base for file in others])
    near = [file for file in others if file.base in similar.close]
    close = in_case or [(name, file) for name in names[:1] for file in near if similar.lead(file.base) > 0]
    accepted = {FileNamePolicy.EXACT: [], FileNamePolicy.IGNORE_CASE: in_case, FileNamePolicy.CLOSEST_MATCH: close}[
        sought.policy.names
    ]
    if len(accepted) == 1:
        findings.note(f"{accepted[0][0]}: {quoted(accepted[0][1].name)} is taken for it")
        return accepted
    if accepted:
        files = sorted((file for _, file in accepted), key=lambda file: file.name)
        names_of_all = " and ".join(quoted(file.name) for file in files[:_MAX_NAMED])
        findings.refuse(names[0], f"{names_of_all} could each be {names[0]}, and none is taken", *files)
        return []
    if not any(file.name in names or (file.regular and file.base in names) for file in all_files):
        alike = [file for _, file in close] or near or [file for file in others if file.base in similar.only_other]
        likely = [file for file in alike if similar.lead(file.base) >= 0]
        accepting = FileNamePolicy.IGNORE_CASE if in_case else FileNamePolicy.CLOSEST_MATCH
        hint = _hint(" or ".join(names), likely, others, accepting if len(close) == 1 else None)
        if hint.file:
            findings.refuse(names[0], hint.sentence)
            findings.hints.update(hint.file)
        else:
            findings.note(hint.sentence)
    return []


def _without_modules(
    files: Sequence[FoundFile], programs: Sequence[FoundFile], sought: FileRequirements
) -> Iterator[FoundFile]:
    """Yield the files that could be a missing program, except further files mentioned by one of `programs`."""
    words: set[str] = set()
    for program in programs:
        with suppress(NoSourceError):
            words.update(re.findall(r"\w+", source_text(program.path)))
    folders = {"", *(program.folder for program in programs)}
    for file in files:
        is_further = any(fits_pattern(name, sought.further) for name in names_below(file.name, folders))
        if file.base in sought.names or not is_further or PurePosixPath(file.base).stem not in words:
            yield file


@dataclass(frozen=True)
class _Hint:
    """The note on a missing program, and the file that it names, if any."""

    sentence: Sentence
    file: tuple[FoundFile, ...] = ()


def _hint(
    program: str, likely: Sequence[FoundFile], others: Iterable[FoundFile], accepting: FileNamePolicy | None
) -> _Hint:
    if likely:
        values = {"file": program, "other": quoted(likely[0].name), "accepting": accepting}
        return _Hint(say("{file} is missing; there is {other}", **values), (likely[0],))
    notebook = next((file for file in others if fold_name(file.base).endswith(".ipynb")), None)
    if notebook is None or not program.endswith(".py"):
        return _Hint(say("{file} is missing", file=program))
    sentence = say(
        "{file} is missing; there is the notebook {notebook}, whose code must be saved as a Python program",
        file=program,
        notebook=quoted(notebook.name),
    )
    return _Hint(sentence, (notebook,))


def _take(name: str, file: FoundFile, policy: SubmissionPolicy, findings: _Findings) -> bool:
    """Accept a file unless it is too large; return whether it was accepted."""
    size = file.path.lstat().st_size
    if size <= policy.file_bytes:
        findings.taken[file] = SubmittedFile(name, file.path)
        return True
    most = bytes_words(policy.file_bytes)
    findings.refuse(name, f"{name} is not taken: it has {bytes_words(size)}; at most {most} are taken", file)
    return False


@dataclass(frozen=True, kw_only=True)
class SubmissionRequirements(FileRequirements):
    """The files that an assignment asks for, the time zone of its times, and its rules for accepting submissions.

    Work that is late by `grace` or less is on time; `late_matters` is true if lateness can lower a mark.
    """

    zone: ZoneInfo
    grace: timedelta = timedelta(0)
    late_matters: bool = True

    @property
    def limits(self) -> ArchiveLimits:
        """Return the limits for a student's archives."""
        return ArchiveLimits(self.policy.files, self.policy.total_bytes)


def submission_requirements(assignment: Assignment) -> SubmissionRequirements:
    """Return the requirements of `assignment`."""
    return SubmissionRequirements(
        **vars(file_requirements(assignment)),
        zone=assignment.zone,
        grace=assignment.late_terms.grace,
        late_matters=assignment.late is not None or assignment.late_terms.cut_off is not None,
    )
