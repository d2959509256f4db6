"""What of this program and its Python is installed, so that all machines of a cluster can be compared."""

from dataclasses import dataclass
from pathlib import Path

from grader.store.digest import folder_digest
from grader.store.identity import installed_packages, interpreter_identity

_PACKAGES_THAT_COUNT = ("cloudpickle-", "dask-", "distributed-", "pexpect-", "ptyprocess-", "pydantic-")


@dataclass(frozen=True)
class Installation:
    """The digest of our source, the packages that results depend on, and the path and version of the interpreter."""

    source: str
    packages: tuple[str, ...]
    interpreter: tuple[str | int, ...]

    def difference(self, other: "Installation") -> str | None:
        """Say what `other` has that is not as here; None if nothing is."""
        if other.source != self.source:
            return "another version of grader"
        if other.packages != self.packages:
            here, there = _only(self.packages, other.packages), _only(other.packages, self.packages)
            return f"other packages ({there} instead of {here})"
        if other.interpreter != self.interpreter:
            return f"another Python ({_words(other)} instead of {_words(self)})"
        return None


def _only(packages: tuple[str, ...], others: tuple[str, ...]) -> str:
    return ", ".join(name.removesuffix(".dist-info") for name in packages if name not in others) or "none"


def _words(installation: Installation) -> str:
    executable, version = installation.interpreter
    return f"{executable}, version {str(version).split()[0]}"


def this_installation() -> Installation:
    """What is installed here."""
    packages = tuple(name for name in installed_packages() if name.startswith(_PACKAGES_THAT_COUNT))
    return Installation(folder_digest(Path(__file__).parents[1]), packages, tuple(interpreter_identity()[:2]))
