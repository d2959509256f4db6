"""Archives for tests."""

import zipfile
from collections.abc import Mapping
from io import BytesIO


def zip_archive(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of `files` by path."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content)
    return out.getvalue()
