"""The page on the architecture shows the packages that there are."""

import re
import tomllib

from tests import ROOT

TEXT = (ROOT / "docs" / "about" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = {folder.name for folder in (ROOT / "grader").iterdir() if (folder / "__init__.py").exists()}
MODULES = {"errors", "extensions", "installation", "time_limit"}


def test_each_package_and_module_has_a_line() -> None:
    lines = re.findall(r"^- \*\*(\w+)\*\*: ", TEXT, re.M)
    assert sorted(lines) == sorted(PACKAGES | MODULES)


def test_the_picture_and_the_contract_name_each_package() -> None:
    picture = set(re.findall(r"\w+", TEXT.split("```")[1]))
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = {name.strip() for layer in contracts[0]["layers"] for name in layer.split("|")}
    assert picture >= PACKAGES
    assert layers == PACKAGES | MODULES


def test_modules_named_in_a_line_exist() -> None:
    for package, text in re.findall(r"^- \*\*(\w+)\*\*: (.*?)\n(?=[-\n])", TEXT, re.M | re.S):
        folder = ROOT / "grader" / package
        names = {path.name for path in folder.rglob("*")} | {path.stem for path in folder.rglob("*.py")}
        for name in re.findall(r"`(\w+)/?`", text):
            assert name in names | PACKAGES | {"GraderError", "Assignment"}, (package, name)
