"""The languages of programs that can be repaired: how programs are read, changed and written."""

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.repairing.c_changes import (
    c_texts,
    c_texts_for_line,
    c_texts_of_accepted,
    changed_c_programs,
)
from grader.plugins.locating.repairing.c_lines import (
    c_lines,
    c_text,
    edited_c,
    flat_c_lines,
    has_balanced_brackets,
    named_c_program,
)
from grader.plugins.locating.repairing.changes import changed_programs, guarded
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.program_lines import (
    own_program_lines,
    program_lines,
    program_text,
)
from grader.plugins.locating.repairing.renaming import named_program
from grader.plugins.locating.repairing.repairable_language import RepairableLanguage
from grader.plugins.locating.repairing.texts import accepted_texts, texts_for_line, texts_of_accepted
from grader.plugins.locating.rewriting import unplaced

PYTHON = RepairableLanguage(
    read=own_program_lines,
    formatted=program_lines,
    shown=own_program_lines,
    can_be_read=lambda text: parsed(text) is not None,
    text=program_text,
    edited=edited_source,
    named=named_program,
    texts=accepted_texts,
    guarded=guarded,
    changes=changed_programs,
    texts_for_line=texts_for_line,
    texts_of_accepted=lambda text, accepted: (change.text for change in texts_of_accepted(text, accepted)),
)

_C = RepairableLanguage(
    read=flat_c_lines,
    formatted=flat_c_lines,
    shown=c_lines,
    can_be_read=has_balanced_brackets,
    text=c_text,
    edited=edited_c,
    named=named_c_program,
    texts=c_texts,
    guarded=lambda _text: iter(()),
    changes=lambda text, _lines: map(unplaced, changed_c_programs(text)),
    texts_for_line=lambda text, wrong: map(unplaced, c_texts_for_line(text, wrong)),
    texts_of_accepted=c_texts_of_accepted,
)

_BY_SUFFIX = {"py": PYTHON, "c": _C}


def language_of(name: str) -> RepairableLanguage | None:
    """Return the language of the file `name`, or None if its programs cannot be repaired."""
    return _BY_SUFFIX.get(name.rpartition(".")[2])
