"""The figures of the house hold, and the measures count what they say."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import code_measures as measures
from benchmarks import reading_measures as reading
from benchmarks.house import LIMITS, RATES
from benchmarks.source_package import Package
from tests import ROOT


def test_limits_and_rates_of_the_house() -> None:
    """One test, because to read the package takes longer than any measure."""
    house = Package(ROOT / "grader")
    places = {limit.title: limit.count(house) for limit in LIMITS}
    assert {limit.title: places[limit.title] for limit in LIMITS if len(places[limit.title]) > limit.most} == {}
    figures = {rate.title: rate.figure(house) for rate in RATES}
    assert {rate.title: figures[rate.title] for rate in RATES if figures[rate.title] > rate.most} == {}


@pytest.mark.slow
def test_the_figures_are_printed_with_those_of_other_packages() -> None:
    command = [sys.executable, "-m", "benchmarks.house"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == ("BROKEN" in run.stdout), run.stderr
    assert run.stdout.split("\n")[0].split() == ["limit", "grader", "click", "syrupy", "hypothesis"]
    assert all(title in run.stdout for title in [*(limit.title for limit in LIMITS), *(rate.title for rate in RATES)])


SOURCE = '''"""A module."""

from dataclasses import dataclass
from sample.one import two
import sample.other.leaf

from . import cousin  # noqa: F401

VALUE = 1
"""What VALUE means, for whatever it is worth."""


@dataclass(frozen=True)
class Wide:
    a: int
    b: int
    c: int
    d: int
    e: int | None


def make_it() -> Wide:
    """Not

    counted.
    """
    assert VALUE
    print(two, dict.get({}, None))
    print(two, file=pipe)
    return Wide(1, 2, 3, 4, None)
'''


@pytest.fixture
def sample(tmp_path: Path) -> Package:
    """A package of two folders that import each other, and a module that breaks about every limit."""
    folder = tmp_path / "sample"
    files = {
        "__init__.py": "",
        "one/__init__.py": "from sample.other.leaf import Wide\n",
        "one/two.py": SOURCE,
        "one/cousin.py": "",
        "other/__init__.py": '"""A face."""\n',
        "other/leaf.py": "import sample.one.two\n\n\nclass Wide:\n    pass\n",
    }
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    return Package(folder)


def test_modules_and_imports(sample: Package) -> None:
    assert measures.counted_modules(sample) == ["sample.one.cousin", "sample.one.two", "sample.other.leaf"]
    assert sample.imports["sample.one.two"] == {"sample.other.leaf", "sample.one.cousin"}
    assert measures.modules_with_one_importer(sample) == ["sample.one.cousin", "sample.one.two"]
    assert measures.package_cycles(sample) == ["sample.one and sample.other"]


def test_lines(sample: Package) -> None:
    sizes = {module.name: module.code_lines for module in sample.modules}
    assert sizes["sample.one.two"] == 17
    assert sizes["sample.other"] == 0
    assert measures.modules_over(sample, 16) == ["sample.one.two 17"]
    assert measures.modules_under(sample, 10) == ["sample.one.cousin 0", "sample.other.leaf 5"]
    assert measures.longest_function(sample) == 5
    assert measures.functions_over(sample, 3) == ["sample.one.two:22 make_it 5"]


def is_cousin(name: str) -> bool:
    return name == "sample.one.cousin"


def is_sample(name: str) -> bool:
    return name.startswith("sample")


def test_habits(sample: Package) -> None:
    assert measures.classes_of_one_name(sample) == ["Wide: sample.one.two, sample.other.leaf"]
    assert measures.classes_called(sample, ["Wide"]) == ["sample.one.two:14 Wide", "sample.other.leaf:4 Wide"]
    assert measures.unclear_dataclasses(sample) == ["sample.one.two:14 Wide"]
    assert measures.asserts(sample) == ["sample.one.two:27 assert"]
    assert measures.silenced_checks(sample) == ["sample.one.two:7 # noqa: F401"]
    assert measures.positional_nones(sample) == ["sample.one.two:30 Wide"]
    assert measures.prints(sample, is_cousin) == ["sample.one.two:28 print"]
    assert measures.prints(sample, is_sample) == []
    assert measures.imports_of(sample, ["dataclasses"], is_cousin) == ["sample.one.two:3 dataclasses"]


def test_constants(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("""\
_A, B = 1, 2
C: int
C = _A = 3
d = 1
d = 2


def first() -> int:
    D = 1
    D = 2
    return D


E: int = 5
""")
    package = Package(tmp_path)
    assert measures.constants_bound_twice(package) == [f"{tmp_path.name}:3 _A"]
    assert measures.constants_above_definitions(package) == pytest.approx(4 / 5)


def test_words(sample: Package, tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("One\nsees Nobody here\n")
    assert measures.turns_of_phrase(sample, [document], ["whatever", "nobody"]) == [
        "sample.one.two:10 whatever",
        "a.md:2 Nobody",
    ]
    assert measures.single_word_names(sample) == pytest.approx(2 / 3)
    assert measures.shared_words(sample, [sample, sample]) == 1
    assert measures.shared_words(sample, [sample]) == 0


READ = '''"""A module that lies here, of those that are told."""

FIRST = 1


def shout(text: str) -> str:
    """Return `text` in capitals."""
    one = text.upper()
    return one


def two_together(told: str) -> str:
    """What stands there. There is none of it."""
    lines = shout(told)
    return lines


SECOND = 2


class Lonely:
    """A class."""
'''


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text(READ)
    lonely = "\n".join(f"    field_{number}: int" for number in range(25))
    (tmp_path / "apart.py").write_text(f"{READ}{lonely}\n\n\nclass Other:\n{lonely}\n")
    package = Package(tmp_path)
    name = tmp_path.name
    assert reading.modules_of_islands(package) == [f"{name}.apart: Lonely | Other"]
    assert reading.modules_of_late_constants(package) == [name, f"{name}.apart"]
    assert reading.vague_bindings(package) == pytest.approx(1000 * 4 / 62)
    assert reading.docstrings_with_verb(package) == 50
    assert reading.docstrings_with_clause(package) == 50
    words = 2 * (10 + 4 + 8 + 2)
    turns = {turn: round(reading.foreign_turns(package, turn) * words / 1000) for turn in reading.FOREIGN_TURNS}
    assert list(turns.values()) == [2, 2, 2, 2, 2, 2]
    assert reading.lines_of_core(package, [f"{name}.apart."]) == 9


def test_what_a_condition_binds_joins_islands(tmp_path: Path) -> None:
    fields = "\n".join(f"    field_{number}: int" for number in range(25))
    first, second = f"class First:\n{fields}\n", f"class Second(Alias):\n{fields}\n"
    (tmp_path / "__init__.py").write_text(f"{first}if FLAG:\n    Alias = First\nelse:\n    Alias = object\n{second}")
    assert reading.modules_of_islands(Package(tmp_path)) == []
