"""Programs that draw in other languages, and with other libraries than curses: each shows the same screens."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.program import Limits
from grader.run.environment import RunEnvironment, open_environment
from grader.spec.languages import BUILD_LIMITS, BuildEntry, recipe
from tests.plugins.screens.conftest import screen_test

SHOWN = "    1|Count: 0\nkey: <up>\n    1|Count: 1\nkey: <up>\n    1|Count: 2\nkey: q\nend\n"
LIMITS = Limits(wall_seconds=60, memory_bytes=8 << 30, processes=256)
C = r"""
#include <ncurses.h>
int main(void) {
    int count = 0, key = 0;
    initscr(); keypad(stdscr, TRUE); noecho(); curs_set(0);
    while (key != 'q') { mvprintw(0, 0, "Count: %d", count); key = getch(); count += key == KEY_UP; }
    endwin();
}
"""
JAVA = r"""
public class Game {
    static void stty(String... command) throws Exception {
        new ProcessBuilder(command).inheritIO().start().waitFor();
    }
    public static void main(String[] arguments) throws Exception {
        stty("stty", "raw", "-echo");
        int count = 0, key = 0;
        while (key != 'q') {
            System.out.print("\033[2J\033[HCount: " + count);
            System.out.flush();
            key = System.in.read();
            if (key == 'A') count++;
        }
        System.out.print("\033[2J\033[H");
        System.out.flush();
        stty("stty", "sane");
    }
}
"""
NODE = r"""
let count = 0;
const draw = () => process.stdout.write(`\x1b[2J\x1b[HCount: ${count}`);
require("readline").emitKeypressEvents(process.stdin);
process.stdin.setRawMode(true);
process.stdin.on("keypress", (text, key) => {
  if (key.name === "up") count++;
  if (text === "q") process.stdout.write("\x1b[2J\x1b[H", () => process.exit());
  else draw();
});
draw();
"""
RUST = r"""
use std::io::{Read, Write};
extern "C" {
    fn tcgetattr(fd: i32, mode: *mut [u8; 256]) -> i32;
    fn tcsetattr(fd: i32, when: i32, mode: *const [u8; 256]) -> i32;
    fn cfmakeraw(mode: *mut [u8; 256]);
}
fn main() {
    let (mut mode, mut count, mut keys) = ([0u8; 256], 0, std::io::stdin().bytes());
    unsafe { tcgetattr(0, &mut mode); cfmakeraw(&mut mode); tcsetattr(0, 0, &mode); }
    loop {
        print!("\x1b[2J\x1b[HCount: {count}");
        std::io::stdout().flush().unwrap();
        match keys.next() { Some(Ok(b'A')) => count += 1, Some(Ok(b'q')) | None => break, _ => {} }
    }
    print!("\x1b[2J\x1b[H");
}
"""
LIVE = f"""
import sys, tty
sys.path.append({str(Path(pytest.__file__).parents[1])!r})
from rich.live import Live
tty.setcbreak(0)
count = 0
with Live("Count: 0", screen=True) as live:
    while (key := sys.stdin.read(1)) != "q":
        count += key == "A"
        live.update(f"Count: {{count}}", refresh=True)
"""
TEXTUAL = f"""
import sys
sys.path.append({str(Path(pytest.__file__).parents[1])!r})
from textual.app import App
from textual.widgets import Label
class Game(App):
    count = 0
    def compose(self):
        yield Label("Count: 0")
    def on_key(self, event):
        if event.key == "q":
            self.exit()
        elif event.key == "up":
            self.count += 1
            self.query_one(Label).update(f"Count: {{self.count}}")
Game().run()
"""
LANGUAGES = {
    "game.c": ("gcc", C, BuildEntry(flags=("-lncurses",))),
    "Game.java": ("javac", JAVA, BuildEntry()),
    "game.js": ("node", NODE, BuildEntry()),
    "game.rs": ("rustc", RUST, BuildEntry()),
}


COMPILED_SLOWLY = ("Game.java", "game.rs")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in COMPILED_SLOWLY else ()) for name in LANGUAGES]
)
def test_another_language_draws_too(name: str, everywhere: RunEnvironment, tmp_path: Path) -> None:
    tool, source, build = LANGUAGES[name]
    if not shutil.which(tool) or (tool == "gcc" and not Path("/usr/include/ncurses.h").exists()):
        pytest.skip(f"needs the Debian package of {tool}, and libncurses-dev for C")
    (tmp_path / name).write_text(source)
    test = replace(screen_test(("<up>", "<up>", "q")), program=name, recipe=recipe(name, build, None, BUILD_LIMITS))
    with everywhere.runner([(tmp_path / name, name)], [test]) as runner:
        outcome = runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {})
    assert outcome.transcript == SHOWN, outcome


LIBRARIES = {"rich.Live, which draws in a thread": LIVE, "Textual, which reads keys in a thread": TEXTUAL}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if "Textual" in name else ()) for name in LIBRARIES]
)
def test_another_library_draws_too(name: str, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(LIBRARIES[name])
    test = screen_test(("<up>", "<up>", "q"))
    with open_environment() as environment, environment.runner([(tmp_path / "game.py", "game.py")], [test]) as runner:
        outcome = runner.run(test, LIMITS, Isolation.FRESH_PROCESS, {})
    assert outcome.transcript == SHOWN, outcome
