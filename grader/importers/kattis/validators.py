"""What judges the output: the default validator as a checker, and custom ones as programs that a checker runs."""

from collections.abc import Mapping
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import CourseDraft, ImportingError, files_in
from grader.importers.kattis.problem import Problem
from grader.importers.kattis.test_data import Case

_TEMPLATES = Path(__file__).parents[1] / "templates"
_PROGRAMS = "kattis_programs"
"""The folder, beside checkers and interactors, of validators and of what starts them."""

_RUNNABLE = (".cc", ".cpp", ".cxx", ".C", ".c++", ".c", ".py", ".py3")


class Judging:
    """Adds what judges a problem to the course, and says how a test names it."""

    def __init__(self, problem: Problem, draft: CourseDraft) -> None:
        """Raises ImportingError when the validator cannot be run here."""
        self._problem, self._draft = problem, draft
        self._home = "interactors" if problem.is_interactive else "checkers"
        self._validator = f"{_PROGRAMS}/{draft.id}"
        if problem.validator is None:
            if problem.is_interactive:
                raise ImportingError(f"{problem.folder}: an interactive problem needs an output validator.")
            draft.add("checkers/kattis_tokens.py", _TEMPLATES / "kattis_tokens.py.txt")
            return
        _refuse_unknown_language(problem.validator)
        draft.add_folder(f"{self._home}/{self._validator}", problem.validator)
        draft.add(f"{self._home}/{_PROGRAMS}/build.py", _TEMPLATES / "kattis_build.py.txt")
        name, template = (
            ("kattis_interactor", "kattis_interactor.py.txt")
            if problem.is_interactive
            else ("kattis_validator", "kattis_validator.py.txt")
        )
        draft.add(f"{self._home}/{name}.py", _TEMPLATES / template)

    def keys(self, case: Case, highest: str) -> Mapping[str, Writable]:
        """The keys of a test that say how it is judged; `highest` is the score that earns all points, if any."""
        answer = f"kattis_data/{self._draft.id}/{case.id}.ans"
        self._draft.add(f"{self._home}/{answer}", case.answer)
        flags = {"flags": " ".join(case.flags)} if case.flags else {}
        if self._problem.is_interactive:
            given = f"kattis_data/{self._draft.id}/{case.id}.in"
            self._draft.add(f"{self._home}/{given}", case.input or b"")
            options = {"validator": self._validator, "input": given, "answer": answer, **flags}
            return {"interactor": "kattis_interactor", "interactor_options": options, "through": "pipes"}
        if self._problem.validator is None:
            return {"checker": "kattis_tokens", "checker_options": {"answer": answer, **flags}}
        scored = {"highest": highest} if highest else {}
        options = {"validator": self._validator, "answer": answer, **flags, **scored}
        return {"checker": "kattis_validator", "checker_options": options}


def _refuse_unknown_language(validator: Path) -> None:
    names = [validator.name] if validator.is_file() else [name for name, _ in files_in(validator)]
    scripts = {"build", "run"}.intersection(names)
    if scripts or not any(Path(name).suffix in _RUNNABLE for name in names):
        raise ImportingError(
            f"{validator}: an output validator in C, C++ or Python can be imported; this one is in another language, "
            "or has a script that builds it."
        )
