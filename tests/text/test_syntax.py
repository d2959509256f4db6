"""Source is read in several threads at once, whatever runs in between."""

import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.text.syntax import parse

SOURCE = "x = [" + ", ".join(f"f({number}, g({number}))" for number in range(2000)) + "]\n"


@pytest.fixture
def other_threads_at_each_collection() -> Iterator[None]:
    def wait(_phase: str, _facts: dict[str, int]) -> None:
        time.sleep(0.0001)

    before = gc.get_threshold()
    gc.callbacks.append(wait)
    gc.set_threshold(50)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(wait)


@pytest.mark.usefixtures("other_threads_at_each_collection")
def test_source_is_read_in_several_threads_at_once() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert all(len(tree.body) == 1 for tree in threads.map(parse, [SOURCE] * 8))
