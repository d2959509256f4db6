"""Looks up the installed learning platforms: plugins in the group `grader.platforms`, each declared as a `Platform`."""

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from grader.errors import GraderError, known_name
from grader.extensions import PLATFORMS, LoadedGroup, load_group
from grader.intake.download_format import DownloadFormat, RecognisedFormats
from grader.intake.read_class import PLAIN
from grader.platforms.platform import Export, Platform, StudentExport

_Declaration = TypeVar("_Declaration", bound="_Named")


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def installed_platforms() -> LoadedGroup[Platform]:
    """Load the declarations of all platforms."""
    return load_group(PLATFORMS, Platform)


def recognised_formats() -> RecognisedFormats:
    """Return the formats that can be recognised in a folder of submissions."""
    installed = installed_platforms()
    formats = [platform.download for platform in installed.objects.values() if platform.download]
    formats.sort(key=lambda download: (download.index is None, download.evidence))
    return RecognisedFormats(tuple(formats), tuple(map(str, installed.broken)))


def downloads() -> Mapping[str, DownloadFormat]:
    """Map names to submission formats, including a plain folder."""
    return _by_name((PLAIN, *recognised_formats().formats))


def exports() -> Mapping[str, Export]:
    """Map names to exports."""
    return _by_name(export for platform in installed_platforms().objects.values() for export in platform.exports)


def student_exports() -> Mapping[str, StudentExport]:
    """Map names to the exports about a single submission, which platforms' autograders write."""
    return {name: export for name, export in exports().items() if isinstance(export, StudentExport)}


def download_format(name: str) -> DownloadFormat:
    """Return the submission format with this name. Raises GraderError if no plugin has it."""
    return look_up(name, downloads(), "format of submissions")


def _by_name(declarations: Iterable[_Declaration]) -> dict[str, _Declaration]:
    """Map names to declarations; if names are equal, the first one is used."""
    first: dict[str, _Declaration] = {}
    for declaration in declarations:
        first.setdefault(declaration.name, declaration)
    return dict(sorted(first.items()))


def look_up(name: str, declarations: Mapping[str, _Declaration], kind: str) -> _Declaration:
    """Look up a name. Raises GraderError, which also lists platforms that cannot be loaded."""
    try:
        return known_name(name, declarations, kind)
    except GraderError as error:
        raise GraderError("\n".join(map(str, (error, *installed_platforms().broken)))) from None
