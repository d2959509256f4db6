"""Writes archives with the same bytes for the same files."""

import tarfile
import zipfile
from collections.abc import Collection, Mapping
from io import BytesIO

_MODE = 0o644
_EXECUTABLE = 0o755


def zip_archive(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """Return a zip archive of `files` by path, all dated 1980; files in `executable` are executable."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | (_EXECUTABLE if path in executable else _MODE)) << 16
            archive.writestr(entry, files[path])
    return out.getvalue()


def tar_archive(files: Mapping[str, bytes]) -> bytes:
    """Return a tar archive of `files` by path, all dated 1970."""
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(path)
            entry.size = len(files[path])
            entry.mode = _MODE
            archive.addfile(entry, BytesIO(files[path]))
    return out.getvalue()
