"""The keys of a test with an interactor, which is a file in the course's folder interactors/."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from grader.config.scalars import CheckerName, Line
from grader.config.yaml_reader import KeyPath
from grader.errors import nearest, quoted
from grader.files.digest import UntraceableError, content_digest, folder_digest
from grader.model.test import Visibility
from grader.plugins.interactors.causes import INTERACTOR
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.settings import Channel, InteractorSettings
from grader.spec.beside import NotBesideError
from grader.spec.tests_file import TestEntry

_FURTHER_KEYS = ("interactor_options", "interactor_seed", "through")
_JUDGED_OTHERWISE = (
    "checker",
    "checker_options",
    "compare",
    "expected",
    "expected_file",
    "expect",
    "compare_stderr",
    "written_files",
    "asks_again",
)
"""Keys for judging without an interactor."""


class TestWithInteractor(TestEntry):
    """A test with `interactor`."""

    way = "interactor"
    way_words = "which plays the other side"
    causes = (INTERACTOR,)

    interactor: CheckerName | None = None
    """The name of a file in `interactors/` that plays the other side. It reads the program's output, types input
    and judges the program.
    """
    interactor_options: dict[str, str] | None = None
    """Options for the interactor by name, passed as strings."""
    interactor_seed: Line | None = None
    """The seed of the interactor's random numbers. Choose a string that is hard to guess, because a program could
    try seeds such as `0` or `1`. By default, the seed is a digest of the folder `interactors/`, so the game
    changes with the files in it. For a public test, it is a digest of the interactor's own file, because
    students receive the seed.
    """
    through: Channel | None = None
    """The connection between the interactor and the program: `terminal` (the default) or `pipes`."""

    def refuse_misplaced(self) -> None:
        """Raise ValueError for keys that conflict with a plugin's keys."""
        super().refuse_misplaced()
        misplaced = [
            key
            for key in (_FURTHER_KEYS if self.interactor is None else _JUDGED_OTHERWISE)
            if getattr(self, key) not in (None, False, ())
        ]
        if misplaced and self.interactor is None:
            raise ValueError(f"found `{misplaced[0]}` without `interactor`, which it is for")
        if misplaced:
            raise ValueError(
                f"found `{misplaced[0]}` beside `interactor`, which judges what it sees; expected one of them"
            )
        if self.interactor is not None and not self.echo:
            raise ValueError("found `echo` beside `interactor`, which never sees what it types; expected `input`")

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may contain loop values, each with its location."""
        yield from super().plugin_texts()
        if self.interactor_seed is not None:
            yield ("interactor_seed",), self.interactor_seed
        yield from ((("interactor_options", name), text) for name, text in (self.interactor_options or {}).items())

    def plugin_interaction(
        self, tests_file: Path, fill: Callable[[str], str], visibility: Visibility, /
    ) -> InteractorRun | None:
        """Return the interaction of a plugin's test, or None for any other test. Raises NotBesideError."""
        if self.interactor is None:
            return None
        options = {name: fill(value) for name, value in (self.interactor_options or {}).items()}
        seed = None if self.interactor_seed is None else fill(self.interactor_seed)
        settings = _find_interactor(tests_file, self.interactor, options, seed, visibility)
        return InteractorRun(settings, self.through or Channel.TERMINAL)


def _find_interactor(
    tests_file: Path, name: str, options: Mapping[str, str], seed: str | None, visibility: Visibility
) -> InteractorSettings:
    """Return the interactor `name` for the tests in `tests_file`.

    Without a `seed`, the seed of a hidden test depends on all interactor files. The seed of a public test, which
    students receive, reveals nothing about other files. Raises NotBesideError.
    """
    folder = tests_file.resolve().parents[3] / "interactors"
    names = sorted(file.stem for file in folder.glob("*.py"))
    if name not in names:
        raise NotBesideError(f"there is no interactor {quoted(name)}{nearest(name, names)}")
    file = folder / f"{name}.py"
    try:
        content = folder_digest(file.parent)
    except UntraceableError as error:
        raise NotBesideError(f"found the link {error} beside the interactor {quoted(name)}; expected a file") from None
    if seed is None:
        seed = content_digest(file.read_bytes()) if visibility is Visibility.PUBLIC else content
    return InteractorSettings(name=name, file=file, content=content, options=tuple(options.items()), seed=seed)
