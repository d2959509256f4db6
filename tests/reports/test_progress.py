"""How far a task is, in plain lines."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

import pytest

from grader.reports.terminal.console import progress_bar, tell_progress
from grader.text.language import speaking
from grader.text.language import told as in_words


@dataclass
class Timer:
    """A clock that only waiting moves, and a task that ends at `end`."""

    end: float
    now: float = 1000.0
    waits: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    def has_ended(self, seconds: float) -> bool:
        self.waits.append(seconds)
        self.now += seconds
        return self.now > self.end


def told(end: float) -> list[str]:
    timer, lines = Timer(1000.0 + end), list[str]()
    tell_progress(lambda seconds: f"{seconds:g}", lines.append, timer.has_ended, timer.clock)
    return lines


def test_lines_after_three_and_eight_seconds_and_then_one_every_ten() -> None:
    assert told(30) == ["3", "8", "18", "28"]


def test_a_task_that_ends_at_once_tells_nothing() -> None:
    assert told(2.9) == []


def one_line(
    words: Callable[[float], str],
    write: Callable[[str], None],
    _has_ended: Callable[[float], bool],
    _clock: Callable[[], float],
) -> None:
    """Tells once, as if the task had taken 40.2 seconds."""
    write(words(40.2))


@pytest.mark.parametrize(
    ("counted", "steps", "line"),
    [
        ("tests", 300, "Grading: 0 of 300 tests, 40 s\n"),
        ("", 300, "Grading: 0 of 300, 40 s\n"),
        ("tests", 0, "Grading: 40 s\n"),
    ],
)
def test_the_words(
    counted: str, steps: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grader.reports.terminal.console.tell_progress", one_line)
    with progress_bar(counted, "Grading", steps):
        pass
    assert capsys.readouterr().err == line


@pytest.mark.parametrize(
    ("language", "line"), [("en", "Checking: 1 of 3 tests, 3 s\n"), ("zh_CN", "正在检查：1 / 3 项测试，3 秒\n")]
)
def test_lines_are_in_the_language_that_is_spoken(
    language: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The thread that writes them begins without it."""
    ticked, written = Event(), Event()

    def after_three_seconds(words: Callable[[float], str], write: Callable[[str], None], *_: object) -> None:
        ticked.wait()
        write(words(3))
        written.set()

    monkeypatch.setattr("grader.reports.terminal.console.tell_progress", after_three_seconds)
    with speaking(language), progress_bar(in_words("tests"), in_words("Checking"), 3) as tick:
        tick()
        ticked.set()
        written.wait()
    assert capsys.readouterr().err == line
