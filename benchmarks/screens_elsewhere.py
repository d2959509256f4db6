"""Counts frames that differ between runs of programs that draw, in other tools for testing them.

The sessions are those of `benchmarks.screens`. tui-test waits until the screen is idle. curtaincall cannot, so it waits
0.1 s after each key, as sessions with a fixed pause do. Prints JSON. Run as `python -m benchmarks.screens_elsewhere`.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.drawing_programs import KEYS, PROGRAMS, install
from benchmarks.screens import busy_loops
from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.keystrokes import parse_keys

_PAUSE = 0.1
_TOOLS = ("tui-test==0.1.1", "curtaincall==0.4.0")
_ROWS, _COLUMNS = 24, 80

Session = Callable[[list[str], Sequence[str]], list[str]]


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", nargs="*", choices=PROGRAMS, default=PROGRAMS)
    parser.add_argument("--keys", type=int, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--busy", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        launcher = install(folder)
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--target", folder / "tools", *_TOOLS], check=True
        )
        sys.path.append(str(folder / "tools"))
        os.chdir(folder)
        with busy_loops(options.busy):
            figures = {tool.__name__: _measure(tool, launcher, options) for tool in (tui_test, curtaincall)}
    print(json.dumps({**figures, "load": os.getloadavg()[0]}, indent=2))


def _measure(session: Session, launcher: Path, options: argparse.Namespace) -> dict[str, object]:
    frames = differing = 0
    begun = time.monotonic()
    for program in options.programs:
        keys = random.Random(f"{program} 1").choices(KEYS, k=options.keys)
        command = [sys.executable, str(launcher), str(launcher.parent), program, "1", "-1"]
        first, *others = (session(command, keys) for _ in range(options.runs))
        frames += len(first) * options.runs
        differing += sum(a != b for shown in others for a, b in zip(first, shown, strict=True))
    seconds = time.monotonic() - begun
    return {"frames": frames, "differing": differing, "ms per frame": round(1000 * seconds / frames, 1)}


def _codes(keys: Sequence[str]) -> list[str]:
    """Return what a terminal in the mode of curses sends for each key."""
    emulator = ScreenEmulator(_ROWS, _COLUMNS)
    emulator.draw(b"\x1b[?1h")
    return [b"".join(map(emulator.code_of, parse_keys(key))).decode() for key in keys]


def tui_test(command: list[str], keys: Sequence[str]) -> list[str]:
    """Return the text of the screen before each key and after the last one, as tui-test shows it."""
    return asyncio.run(_tui_test(command, keys))


async def _tui_test(command: list[str], keys: Sequence[str]) -> list[str]:
    from tui_test import TuiTest

    frames = []
    async with TuiTest.ephemeral() as terminal:
        await terminal.run(*command, cols=_COLUMNS, rows=_ROWS)
        for code in (*_codes(keys), ""):
            await terminal.wait_idle(timeout=60_000)
            frames.append(await terminal.text())
            await terminal.write(code)
    return frames


def curtaincall(command: list[str], keys: Sequence[str]) -> list[str]:
    """Return the text of the screen before each key and after the last one, as curtaincall shows it."""
    from curtaincall.terminal import Terminal

    frames = []
    terminal = Terminal(" ".join(command), rows=_ROWS, cols=_COLUMNS)
    terminal.start()
    try:
        for code in (*_codes(keys), ""):
            time.sleep(_PAUSE)
            frames.append(terminal.to_snapshot())
            terminal.write(code)
    finally:
        terminal.kill()
    return frames


if __name__ == "__main__":
    main()
