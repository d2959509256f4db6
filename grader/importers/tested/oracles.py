"""What judges beside the comparison of texts and values: checkers of the course that stand for TESTed's oracles."""

import json
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import CourseDraft, files_in
from grader.importers.tested.exercise import Exercise
from grader.importers.tested.suite import ExpectedText, Oracle

_TEMPLATES = Path(__file__).parents[1] / "templates"
_HOME = "tested_oracles"
_COMPARING = ("ignoreWhitespace", "caseInsensitive", "tryFloatingPoint")
"""The options that change how texts are compared; all others belong to one of these."""

_SUITES = (".yaml", ".yml", ".tson", ".json")


class UnsaidError(Exception):
    """A test case cannot be said here; the message says why."""


class OracleFiles:
    """Puts checkers into the course, and says how a test names them."""

    def __init__(self, exercise: Exercise, draft: CourseDraft) -> None:
        self._exercise, self._draft = exercise, draft
        self._count = 0

    def keys(self, oracle: Oracle, value: str) -> dict[str, Writable]:
        """The keys of a test that a function of the course judges. Raises UnsaidError."""
        folder = f"{_HOME}/{self._draft.id}"
        file = self._exercise.evaluation / oracle.file
        if not oracle.file.endswith(".py") or not file.is_file():
            raise UnsaidError("its oracle is not in Python, or not there")
        for name, one in files_in(self._exercise.evaluation):
            if one.suffix not in _SUITES:
                self._draft.add(f"checkers/{folder}/{name}", one)
        self._draft.add(f"checkers/{_HOME}/evaluation_utils.py", _TEMPLATES / "tested_evaluation_utils.py.txt")
        self._draft.add("checkers/tested_oracle.py", _TEMPLATES / "tested_oracle.py.txt")
        options: dict[str, Writable] = {
            "file": f"{folder}/{file.relative_to(self._exercise.evaluation).as_posix()}",
            "function": oracle.function,
            "value": value,
        }
        if oracle.arguments:
            options["arguments"] = f"[{', '.join(one.source for one in oracle.arguments)}]"
        return {"checker": "tested_oracle", "checker_options": options}

    def comparing(self, streams: dict[str, ExpectedText]) -> dict[str, Writable]:
        """The keys of a test that a checker compares texts of."""
        self._count += 1
        name = f"{_HOME}/{self._draft.id}/says-{self._count}.json"
        says = {stream: {"text": one.text, "options": dict(one.options)} for stream, one in streams.items()}
        self._draft.add(f"checkers/{name}", json.dumps(says, ensure_ascii=False, indent=1) + "\n")
        self._draft.add("checkers/tested_output.py", _TEMPLATES / "tested_output.py.txt")
        return {"checker": "tested_output", "checker_options": {"says": name}}


def is_plain(text: ExpectedText | None) -> bool:
    """Whether a text is compared character by character."""
    return text is None or (text.oracle is None and not any(text.options.get(one) for one in _COMPARING))
