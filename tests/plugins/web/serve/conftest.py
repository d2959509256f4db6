"""A served class that tests share, and one of their own for those that change much."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Client, marked_course, served


@pytest.fixture(scope="package")
def shared_course(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    return marked_course(tmp_path_factory.mktemp("served"))


@pytest.fixture(autouse=True)
def nothing_decided(shared_course: SmallCourse) -> None:
    """Begin each test without a word about the class."""
    for file in shared_course.students.glob("*.yaml"):
        file.unlink()


@pytest.fixture(scope="module")
def address(shared_course: SmallCourse) -> Iterator[str]:
    with served(shared_course) as found:
        yield found


@pytest.fixture
def marker(address: str) -> Client:
    return Client(address).enter("Eve")


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    return marked_course(tmp_path)
