"""Hostile programs in tests of screens: what they draw is for the emulator alone, and it takes no more than it may."""

import pytest

from grader.model.judgement import Verdict
from tests.attacks.arena import SECRET, Arena

ATTACKS = {
    "a flood of codes": ("while True: print(end='\\x1b[31m\\x1b[2J' * 100)", Verdict.OUTPUT_LIMIT),
    "100 MB of codes": ("for _ in range(100): print(end='\\x1b[1;1H' * 170_000)", Verdict.OUTPUT_LIMIT),
    "a code without an end": ("print(end='\\x1bP' + 'x' * 90_000, flush=True); input()", Verdict.WRONG_OUTPUT),
    "characters a billion times": (
        "print(end='x\\x1b[2147483647b' * 5_000, flush=True); input()",
        Verdict.WRONG_OUTPUT,
    ),
    "an enormous screen": (
        """
import fcntl, struct, termios
fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 65535, 65535, 0, 0))
print(end="\\x1b[8;99999;99999t\\x1b[?40h\\x1b[?3h\\x1b[99999;99999H!", flush=True)
input()
""",
        Verdict.WRONG_OUTPUT,
    ),
    "an enormous title": ("print(end='\\x1b]2;' + 't' * 90_000 + '\\x07', flush=True); input()", Verdict.WRONG_OUTPUT),
    "endless questions": ("while True: print(end='\\x1b[6n\\x1b[c', flush=True); input()", Verdict.WRONG_OUTPUT),
    "more questions than answers fit": (
        "import tty; tty.setraw(0); print(end='\\x1b[6n' * 20_000, flush=True); input()",
        Verdict.WRONG_OUTPUT,
    ),
    "answers that nobody reads": (
        "import time, tty; tty.setraw(0); print(end='\\x1b[6n' * 20_000, flush=True)\nwhile True: time.sleep(0.1)",
        Verdict.TIMEOUT,
    ),
    "the clipboard and the printer": (
        "print(end='\\x1b]52;c;cm0gLXJm\\x07\\x1b]52;c;?\\x07\\x1b[5iowned\\x1b[4i\\x1b[i', flush=True); input()",
        Verdict.WRONG_OUTPUT,
    ),
    "never waits": ("while True: pass", Verdict.TIMEOUT),
    "never stands still": (
        "import time\nwhile True: print(end=f'\\x1b[H{time.time()}', flush=True)",
        Verdict.OUTPUT_LIMIT,
    ),
    "a child that goes on drawing": (
        """
import os
if os.fork():
    input()
else:
    os.setsid()
    while True: print(end="\\x1b[2J", flush=True)
""",
        Verdict.OUTPUT_LIMIT,
    ),
    "a fork bomb that draws": (
        """
import os
while True:
    try:
        os.fork()
    except OSError:
        print(end="\\x1b[H")
""",
        {Verdict.TIMEOUT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT},
    ),
    "looks for what is expected": (
        """
import os
for top, _, names in os.walk("/"):
    for name in names:
        if "session" in name and not top.startswith(("/proc", "/sys", "/usr", "/opt")):
            print(open(os.path.join(top, name), errors="replace").read())
input()
""",
        {Verdict.WRONG_OUTPUT, Verdict.OUTPUT_LIMIT, Verdict.TIMEOUT},
    ),
    "claims to be a frame": (f"print('    1|{SECRET}\\nkey: a\\nend')\ninput()", Verdict.WRONG_OUTPUT),
}
QUICK = ("more questions than answers fit", "an enormous screen")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in ATTACKS]
)
def test_a_program_that_draws_wins_nothing(name: str, arena: Arena) -> None:
    spec = arena.course / "test_specs" / "heist"
    tests = spec / "tests" / "attack.yaml"
    tests.write_text(tests.read_text().replace("input: [attack]", "keys: [attack]"))
    (spec / "expected" / "session.canonical.txt").write_text(f"    1|Word:\nkey: attack\nend\n    1|{SECRET}\n")
    source, verdicts = ATTACKS[name]
    spoils = arena.grade({"attack.py": source}, "session")
    result = spoils.result("session")
    assert result.verdict in (verdicts if isinstance(verdicts, set) else {verdicts}), spoils.transcript("session")[
        -500:
    ]
    assert result.outcome is not None
    assert len(result.outcome.transcript) < 100_000
