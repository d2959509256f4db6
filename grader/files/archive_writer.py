"""Writes zip and tar archives that depend on nothing but the files in them."""

import tarfile
import zipfile
from collections.abc import Collection, Mapping
from io import BytesIO

_MODE, _EXECUTABLE = 0o644, 0o755


def zip_archive(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """A zip of `files` by path, all of 1980; those in `executable` may be run."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | (_EXECUTABLE if path in executable else _MODE)) << 16
            archive.writestr(entry, files[path])
    return out.getvalue()


def tar_archive(files: Mapping[str, bytes]) -> bytes:
    """A tar of `files` by path, all of 1970."""
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(path)
            entry.size = len(files[path])
            entry.mode = _MODE
            archive.addfile(entry, BytesIO(files[path]))
    return out.getvalue()
