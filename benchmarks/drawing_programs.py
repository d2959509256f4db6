"""The programs that draw of the benchmark: games from the package index, and two in C and Rust of the folder drawing.

Each starts from a seed, has no clock, and reads keys one after the other.
"""

import shutil
import subprocess
import venv
from pathlib import Path

SOLITAIRES = (
    *("bakersdozen", "canfield", "eightoff", "fortythieves", "freecell", "golf", "klondike", "pyramid", "scorpion"),
    *("spider", "spiderette", "triplepeaks", "yukon"),
)
PROGRAMS = (*SOLITAIRES, "2048", "sudoku", "solitaire", "boxes-c", "walk-rust")
KEYS = (
    *("<up>", "<down>", "<left>", "<right>", "<enter>", "<space>", "<esc>", "<tab>", "<home>", "<end>", "<page-down>"),
    *"acdefghijklmnoprstuvwxyz?/+-1234567890",
)
"""Keys of the games, except `q` and `!`, which end some of them, and `b`, which shows an animation."""
LAUNCHER = "game.py"
_PACKAGES = ("soliterm==1.2.0", "cursed-2048==0.1.2", "play-sudoku==0.0.9", "solitaire-game==0.0.11")
_LAUNCHER = """\
import datetime, os, random, sys
folder, game, seed, wait = sys.argv[1:]
if game in ("boxes-c", "walk-rust"):
    os.execv(f"{folder}/{game}", [game, seed])
sys.path.insert(0, f"{folder}/packages")
os.environ.update({name: os.getcwd() for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")})
random.seed(seed)
sys.argv = ["game"]
if game == "2048":
    from cursed_2048.main import main
elif game == "sudoku":
    from sudoku_game.main import main
elif game == "solitaire":
    from solitaire_game import game_ui
    game_ui.datetime = type("Still", (), {"now": lambda: datetime.datetime(2025, 1, 1)})
    from solitaire_game.main import main
else:
    from soliterm.tui import app
    app.clock = lambda: 0.0
    app.App.read_key.__defaults__ = (int(wait),)
    sys.argv = ["soliterm", "--game", game, "--deal", seed, "--no-animation", "--no-sync"]
    from soliterm.cli import main
main()
"""


def install(folder: Path) -> Path:
    """Install the programs in an existing folder; return the Python file that starts any of them.

    It takes the folder, a program, a seed, and the milliseconds that a solitaire waits for a key (-1: no timeout).
    """
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *_PACKAGES], check=True)
    (folder / "packages").symlink_to(next((folder / "environment").glob("lib/python*/site-packages")))
    sources = Path(__file__).parent / "drawing"
    for compiler, source, program, options in (
        ("gcc", "boxes.c", "boxes-c", ("-lncurses",)),
        ("rustc", "walk.rs", "walk-rust", ()),
    ):
        if shutil.which(compiler):
            subprocess.run([compiler, sources / source, "-O", "-o", folder / program, *options], check=True)
    launcher = folder / LAUNCHER
    launcher.write_text(_LAUNCHER, encoding="utf-8")
    return launcher
