"""The Python requested by an assignment, and the Python that runs its programs."""

from dataclasses import dataclass, field

from grader.errors import SourceLocation
from grader.text.sentence import say


@dataclass(frozen=True, kw_only=True)
class PythonRequest:
    """The request in assignment.yaml: a version such as "3.13" (None: the grader's own), and packages.

    The locations belong to the two keys, and are None if the key or its file is missing. `made_with` is the version
    that created a bundle.
    """

    version: str | None = None
    packages: tuple[str, ...] = ()
    version_location: SourceLocation | None = field(default=None, compare=False)
    packages_location: SourceLocation | None = field(default=None, compare=False)
    made_with: str | None = None

    @property
    def asks(self) -> bool:
        """Return whether the course requests anything."""
        return self.version is not None or bool(self.packages)

    def differs_from(self, version: str) -> str | None:
        """Return a warning that programs run with a different version; None if `version` is suitable."""
        expected = self.version or self.made_with
        if expected in (None, minor_version(version)):
            return None
        both = {"version": version, "expected": expected}
        return say("your program runs with Python {version} here, and the course uses Python {expected}", **both)


@dataclass(frozen=True)
class PythonInUse:
    """The Python that programs were run with: its version, such as "3.13.2", and each package as `name==version`."""

    version: str
    packages: tuple[str, ...] = ()

    def __str__(self) -> str:
        packages = ", ".join(package.replace("==", " ") for package in self.packages)
        return f"{self.version} with {packages}" if packages else self.version


def minor_version(version: str) -> str:
    """Return the first two numbers of a version, for example "3.13" for "3.13.2"."""
    return ".".join(version.split(".")[:2])
