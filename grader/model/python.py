"""Which Python runs the programs of an assignment: what the course asks for, and what was found."""

from dataclasses import dataclass, field

from grader.errors import SourceLocation


@dataclass(frozen=True, kw_only=True)
class PythonRequest:
    """What assignment.yaml asks for: a version such as "3.13" (None: the grader's), and packages.

    The locations are those of the two keys, None where a key is not there or its file is not. `made_with` is the
    version that a bundle was made with.
    """

    version: str | None = None
    packages: tuple[str, ...] = ()
    version_location: SourceLocation | None = field(default=None, compare=False)
    packages_location: SourceLocation | None = field(default=None, compare=False)
    made_with: str | None = None

    @property
    def asks(self) -> bool:
        """Whether the course asks for anything."""
        return self.version is not None or bool(self.packages)

    def differs_from(self, version: str) -> str | None:
        """What is to be said when programs run with this `version`; None when it is the right one, or any will do."""
        expected = self.version or self.made_with
        if expected in (None, minor_version(version)):
            return None
        return f"your program runs with Python {version} here, and the course uses Python {expected}"


ANY_PYTHON = PythonRequest()
"""The Python that runs the grader, without packages."""


@dataclass(frozen=True)
class PythonInUse:
    """The Python that programs were run with: its version, such as "3.13.2", and each package as `name==version`."""

    version: str
    packages: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = ", ".join(package.replace("==", " ") for package in self.packages)
        return f"{self.version} with {said}" if said else self.version


def minor_version(version: str) -> str:
    """The first two numbers of a version: "3.13" of "3.13.2"."""
    return ".".join(version.split(".")[:2])
