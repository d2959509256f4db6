"""Describes the installation on a machine of a cluster, which must be the same on every machine."""

from dataclasses import dataclass
from pathlib import Path

from grader.files.digest import folder_digest
from grader.store.provenance import installed_packages, interpreter_identity

_PACKAGES_THAT_COUNT = ("cloudpickle-", "dask-", "distributed-", "pexpect-", "ptyprocess-", "pydantic-")


@dataclass(frozen=True)
class Installation:
    """The digest of the grader's source, the packages that affect results, and the interpreter's path and version."""

    source: str
    packages: tuple[str, ...]
    interpreter: tuple[str | int, ...]

    def difference(self, remote: "Installation") -> str | None:
        """Describe how `remote` differs from this installation, or return None if it does not."""
        if remote.source != self.source:
            return "another version of grader"
        if remote.packages != self.packages:
            local_packages, remote_packages = (
                _only(self.packages, remote.packages),
                _only(remote.packages, self.packages),
            )
            return f"other packages ({remote_packages} instead of {local_packages})"
        if remote.interpreter != self.interpreter:
            return f"another Python ({_words(remote)} instead of {_words(self)})"
        return None


def _only(packages: tuple[str, ...], others: tuple[str, ...]) -> str:
    return ", ".join(name.removesuffix(".dist-info") for name in packages if name not in others) or "none"


def _words(installation: Installation) -> str:
    executable, version = installation.interpreter
    return f"{executable}, version {str(version).split()[0]}"


def this_installation() -> Installation:
    """Describe the installation on this machine."""
    packages = tuple(name for name in installed_packages() if name.startswith(_PACKAGES_THAT_COUNT))
    return Installation(folder_digest(Path(__file__).parents[1]), packages, tuple(interpreter_identity()[:2]))
