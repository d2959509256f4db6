"""Checks assignment.yaml: references between its entries, and to files in other folders."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, nearest, quoted
from grader.spec.assignment_file import AssignmentFile, ProvidedEntry
from grader.spec.languages import BuildEntry, setting_faults


def cross_check(folder: Path, document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Yield the problems within assignment.yaml in `folder`."""
    if content.id != folder.name:
        message = f"found the id `{content.id}`; expected the name of the folder, `{folder.name}`"
        yield Problem(document.place(("id",)), message)
    yield from repeated(document, "programs", "file", [program.file for program in content.programs])
    yield from _alternative_problems(document, content)
    yield from repeated(document, "parts", "id", [part.id for part in content.parts])
    if content.late and content.late.cut_off and content.late.cut_off < content.due:
        message = f"found {content.late.cut_off}; expected a time that is not before the due date, {content.due}"
        yield Problem(document.place(("late", "cut_off")), message)


def _alternative_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    taken = [program.file for program in content.programs] + [module.file for module in content.provided]
    for program_index, program in enumerate(content.programs):
        for index, alternative in enumerate(program.alternatives):
            if alternative.file in taken:
                place = document.place(("programs", program_index, "alternatives", index, "file"))
                yield Problem(place, f"{quoted(alternative.file)} is given twice")
            taken.append(alternative.file)


def language_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Yield a problem for each build setting that the program's language does not support."""
    for number, program in enumerate(content.programs):
        steps: KeyPath = ("programs", number)
        entries = [(program.file, program.build, steps)]
        for index, alternative in enumerate(program.alternatives):
            entries.append((alternative.file, alternative.build, (*steps, "alternatives", index)))
        for file, build, place in entries:
            for key, message in setting_faults(file, build) if isinstance(build, BuildEntry) else ():
                yield Problem(document.place((*place, "build", key)), message)


def repeated(document: YamlDocument, key: str, name: str, values: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each entry in the list `key` that repeats the value of `name`; `values` lists all values."""
    for index, value in enumerate(values):
        if value in values[:index]:
            yield Problem(document.place((key, index, name)), f"{quoted(value)} is given twice")


def provided_problems(references: Path, document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Yield a problem for each provided module that is repeated, also submitted, or missing from `references`."""
    yield from repeated(document, "provided", "file", [module.file for module in content.provided])
    for index, module in enumerate(content.provided):
        if module.file in (program.file for program in content.programs):
            message = f"{quoted(module.file)} is a program to hand in; expected a file that is only provided"
            yield Problem(document.place(("provided", index, "file")), message)
        if not source(module, references).is_file():
            message = f"there is no file {source(module, references).name} in {references}"
            yield Problem(document.place(("provided", index, "source")), message)
    if content.editions and not content.provided:
        message = "found editions, but no `provided` module that could have them"
        yield Problem(document.key_place(("editions",)), message)


def rule_problems(document: YamlDocument, content: AssignmentFile) -> Iterator[Problem]:
    """Yield a problem for each rule that is repeated or refers to a missing item, and for each repeated manual item."""
    programs = [program.file for program in content.programs]
    parts = [part.id for part in content.parts]
    modules = [module.file for module in content.provided]
    yield from repeated(document, "rules", "id", [rule.id for rule in content.rules])
    for index, rule in enumerate(content.rules):
        named = [("program", "program", rule.program, programs), ("part", "part", rule.part, parts)]
        named += [(key, "provided module", file, modules) for key, file in rule.provided_files().items()]
        for key, what, name, names in named:
            if name is not None and name not in names:
                message = f"there is no {what} {quoted(name)} in assignment.yaml{nearest(name, names)}"
                yield Problem(document.place(("rules", index, key)), message)
    first: set[str] = set()
    for part_index, part in enumerate(content.parts):
        for index, item in enumerate(part.manual):
            if item.id in first:
                place = document.place(("parts", part_index, "manual", index, "id"))
                yield Problem(place, f"the manual item {quoted(item.id)} is given twice")
            first.add(item.id)


def source(module: ProvidedEntry, references: Path) -> Path:
    """Return the file in the folder `references` that is provided as `module`."""
    return references / (module.source or module.file)
