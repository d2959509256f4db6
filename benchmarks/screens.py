"""Counts frames that differ between runs of programs that draw, beside busy loops.

The thirteen games of soliterm, installed in a temporary environment, get random keys chosen by a seed. Their game
clock stands still, since a ticking clock differs in each run. Text, colours and the cursor are compared. Prints JSON:
frames, how many differ from the first run, and the time of a frame and of a line in a dialogue. Run as
`python -m benchmarks.screens`.
"""

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from grader.model.assignment import Isolation
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue
from grader.model.outcome import Outcome
from grader.model.program import Limits, StartSettings
from grader.model.test import Test, Visibility
from grader.plugins.screens.interaction import ScreenDialogue
from grader.plugins.screens.settings import ScreenPart, ScreenSettings, Span
from grader.plugins.screens.written_frames import WrittenFrame, frames_in
from grader.run.environment import open_environment
from grader.run.interface import TestRunner

_PACKAGE = "soliterm==1.2.0"
_GAME = """\
import os, random, sys
packages, game, deal, wait = sys.argv[1:]
sys.path.insert(0, packages)
os.environ.update({name: os.getcwd() for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")})
random.seed(deal)
from soliterm.tui import app
app.clock = lambda: 0.0
app.App.read_key.__defaults__ = (int(wait),)
sys.argv = ["soliterm", "--game", game, "--deal", deal, "--no-animation", "--no-sync"]
from soliterm.cli import main
main()
"""
_DIALOGUE = """\
while True:
    print("Got", input("Line? "))
"""
_GAMES = (
    *("bakersdozen", "canfield", "eightoff", "fortythieves", "freecell", "golf", "klondike", "pyramid", "scorpion"),
    *("spider", "spiderette", "triplepeaks", "yukon"),
)
_KEYS = (
    *("<up>", "<down>", "<left>", "<right>", "<enter>", "<space>", "<esc>", "<tab>", "<home>", "<end>", "<page-down>"),
    *"acdefghijklmnoprstuvwxyz?/+-1234567890",
)
"""Keys of the games, except `q`, which ends the game, and `b`, which shows an animation."""
_SIZE = (24, 80)
_LIMITS = Limits(wall_seconds=3600, cpu_seconds=3600, output_bytes=1 << 30)
_TEST = Test(
    id="t",
    title="",
    program="game.py",
    part="p",
    visibility=Visibility.PUBLIC,
    points=Decimal(1),
    interaction=Dialogue(()),
    ending=SUCCESS,
)


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        packages = _install(folder / "environment")
        (folder / "game.py").write_text(_GAME, encoding="utf-8")
        (folder / "dialogue.py").write_text(_DIALOGUE, encoding="utf-8")
        environment = stack.enter_context(open_environment())
        runner = stack.enter_context(environment.runner([(folder / name, name) for name in ("game.py", "dialogue.py")]))
        stack.enter_context(_busy_loops(options.busy))
        print(json.dumps(_measure(runner, packages, options), indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", choices=_GAMES, default=_GAMES)
    parser.add_argument("--keys", type=int, default=100, help="for each game and seed")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1], help="of the keys and deals")
    parser.add_argument("--runs", type=int, default=4, help="of each seed, compared with the first")
    parser.add_argument("--busy", type=int, default=8, help="busy loops beside the runs")
    parser.add_argument("--wait", type=int, default=-1, help="milliseconds that a game waits for a key; -1: no timeout")
    return parser.parse_args()


def _install(folder: Path) -> Path:
    """Install the games in a new environment; return the folder of its packages."""
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", _PACKAGE], check=True)
    return next(folder.glob("lib/python*/site-packages"))


@contextmanager
def _busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _measure(runner: TestRunner, packages: Path, options: argparse.Namespace) -> dict[str, object]:
    frames = differing = 0
    seconds = 0.0
    differences = []
    for game, seed in itertools.product(options.games, options.seeds):
        keys = random.Random(f"{game} {seed}").choices(_KEYS, k=options.keys)
        arguments = (str(packages), game, str(seed), str(options.wait))
        test = replace(_TEST, interaction=_dialogue_of(keys), start=StartSettings(arguments=arguments))
        first: list[WrittenFrame] = []
        for run in range(options.runs):
            begun = time.monotonic()
            shown = _frames(_run(runner, test))
            seconds += time.monotonic() - begun
            frames += len(shown)
            first = first or shown
            wrong = [index for index, (a, b) in enumerate(itertools.zip_longest(first, shown)) if a != b]
            differing += len(wrong)
            if wrong:
                differences.append({"game": game, "seed": seed, "run": run, "frames": wrong[:5]})
    begun = time.monotonic()
    lines = ["x"] * options.keys
    _run(runner, replace(_TEST, program="dialogue.py", interaction=Dialogue(tuple(lines), echo=True)))
    line_seconds = (time.monotonic() - begun) / len(lines)
    return {
        "frames": frames,
        "differing": differing,
        "differences": differences,
        "ms per frame": round(1000 * seconds / frames, 2),
        "ms per line of a dialogue": round(1000 * line_seconds, 2),
    }


def _dialogue_of(keys: Sequence[str]) -> ScreenDialogue:
    rows, columns = _SIZE
    settings = ScreenSettings(
        rows=rows,
        columns=columns,
        parts=frozenset(ScreenPart),
        shown_rows=Span(1, rows),
        shown_columns=Span(1, columns),
    )
    return ScreenDialogue(tuple(keys), screen=settings)


def _run(runner: TestRunner, test: Test) -> Outcome:
    return runner.run(test, _LIMITS, Isolation.FRESH_PROCESS, {})


def _frames(outcome: Outcome) -> list[WrittenFrame]:
    if len(outcome.typed) < 2:
        raise SystemExit(f"the game has not started: {outcome.errors or outcome.transcript}")
    return frames_in(outcome.transcript.splitlines())


if __name__ == "__main__":
    main()
