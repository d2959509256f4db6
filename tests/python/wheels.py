"""Wheels made on the spot, and pip kept from the network."""

import zipfile
from pathlib import Path

import pytest

NAME = "grader_test_words"


def wheel(folder: Path, version: str, word: str, name: str = NAME, module: str = "") -> Path:
    """Make a wheel whose module has `WORD`, or is `module`."""
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": module or f"WORD = {word!r}\n",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{about}/RECORD"))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in {**files, f"{about}/RECORD": record}.items():
            archive.writestr(path, text)
    return file


def use_wheels(patch: pytest.MonkeyPatch, folder: Path, cache: Path) -> None:
    """Have pip look only in `folder`, and packages be kept in `cache`."""
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", str(folder))
    patch.setenv("PIP_NO_CACHE_DIR", "1")
    patch.setenv("XDG_CACHE_HOME", str(cache))
