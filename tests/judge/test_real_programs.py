"""Real programs in a real terminal, from what a student wrote to the sentence that explains the failure."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from grader.judge.judge import judge
from grader.model.interaction import is_repl, typed_lines
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.interpreter import Interpreter, student_environment
from grader.run.terminal.session import run_dialogue
from tests.judge.sessions import at_prompt, game

RIGHT = """\
    def simulate(n, i):
        print(f"{n} games")

    def play():
        seed = int(input("Seed: "))
        if seed % 2:
            print("Won! \u263a\ufe0f")
        else:
            print("Lost! \u2639\ufe0f")

    if __name__ == "__main__":
        play()
    """
GAME = game("4")
CALL = at_prompt("from solitaire_1 import simulate", "simulate(10, 0)")
LIMITS = Limits(wall_seconds=20)

Judge = Callable[[Test, str], Judgement]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    return student_environment(tmp_path_factory.mktemp("python"))


@pytest.fixture
def judge_program(python: Interpreter, tmp_path: Path) -> Judge:
    """Judges a program against RIGHT."""

    def hold(test: Test, program: str, folder: Path) -> Outcome:
        folder.mkdir()
        (folder / test.program).write_text(dedent(program), encoding="utf-8")
        at_the_prompt = is_repl(test.interaction)
        launch = python.prompt(folder) if at_the_prompt else python.program(test.program, folder)
        return run_dialogue(launch, typed_lines(test.interaction), limits=LIMITS)

    def judged(test: Test, program: str) -> Judgement:
        right = hold(test, RIGHT, tmp_path / "right")
        return judge(test, right.transcript, hold(test, program, tmp_path / "student"))

    return judged


def changed(old: str, new: str) -> str:
    assert old in RIGHT
    return RIGHT.replace(old, new)


@pytest.mark.parametrize(
    ("test", "program", "verdict", "cause", "sentence"),
    [
        pytest.param(
            GAME,
            changed("Lost! \u2639\ufe0f", "Lost! \u2639"),
            "wrong-output",
            "variation-selector",
            "In line 2 the invisible character U+FE0F (variation selector-16) is missing after \u2639; "
            "all else is right.",
            id="selector",
        ),
        pytest.param(
            GAME,
            changed("Seed: ", "Seed:"),
            "wrong-output",
            "wrong-prompt",
            "In the prompt in line 1 one space is missing at the end; all else is right.",
            id="prompt",
        ),
        pytest.param(
            GAME,
            changed('int(input("Seed: "))', 'int(input("Seed: ")) / 0'),
            "crash",
            "crash",
            'The program stops in line 5 (`seed = int(input("Seed: ")) / 0`) with ZeroDivisionError: division by zero.',
            id="crash",
        ),
        pytest.param(
            GAME,
            changed("if seed % 2:", "if seed % 2"),
            "crash",
            "syntax-error",
            "Python cannot read the program: SyntaxError: expected ':' in line 6 (`if seed % 2`).",
            id="syntax error",
        ),
        pytest.param(
            GAME,
            changed('    if __name__ == "__main__":\n        play()\n', ""),
            "wrong-output",
            "no-output",
            "The program prints nothing: is the file saved, and does it call a function that prints?",
            id="main function not called",
        ),
        pytest.param(
            GAME,
            changed('seed = int(input("Seed: "))', 'seed = int(input("Seed: ")); input("Again? ")'),
            "crash",
            "reads-past-input",
            "The program asks for input again after the test's last line was typed "
            '(line 5: `seed = int(input("Seed: ")); input("Again? ")`); expected in place of that: `Lost! ☹️`.',
            id="asks once more",
        ),
        pytest.param(
            GAME,
            changed("if seed % 2:", "if [0] * (10 ** 12):"),
            "memory-limit",
            "memory-limit",
            "The program needs more memory than a test may use: MemoryError in line 6 (`if [0] * (10 ** 12):`).",
            id="memory",
        ),
        pytest.param(
            GAME,
            changed("if seed % 2:", "import os; os.abort()\n        if seed % 2:"),
            "crash",
            "signal",
            "The program was ended by SIGABRT: the Python interpreter itself gave up.",
            id="signal",
        ),
        pytest.param(
            CALL,
            changed('if __name__ == "__main__":', "if True:"),
            "crash",
            "import-asks-for-input",
            "Importing solitaire_1.py already asks for input: put the code that runs the program under "
            "`if __name__ == '__main__':`.",
            id="import asks",
        ),
        pytest.param(
            CALL,
            changed('if __name__ == "__main__":\n        play()', "print('Solitaire')"),
            "wrong-output",
            "import-prints",
            "Importing solitaire_1.py already prints `Solitaire`: put the code that runs the program under "
            "`if __name__ == '__main__':`.",
            id="import prints",
        ),
        pytest.param(
            CALL,
            changed("simulate(n, i)", "simulate(n)"),
            "crash",
            "crash",
            "`simulate(10, 0)` stops with TypeError: simulate() takes 1 positional argument but 2 were given.",
            id="wrong parameters",
        ),
        pytest.param(
            CALL,
            changed('print(f"{n} games")', "return simulate(n, i)"),
            "crash",
            "crash",
            "`simulate(10, 0)` stops in line 2 (`return simulate(n, i)`) with RecursionError: "
            "maximum recursion depth exceeded.",
            id="endless recursion",
        ),
        pytest.param(
            CALL,
            changed("def simulate", "def frequencies"),
            "crash",
            "crash",
            "`from solitaire_1 import simulate` stops with ImportError: cannot import name 'simulate' from "
            "'solitaire_1' (solitaire_1.py).",
            id="nothing to import",
        ),
        pytest.param(
            CALL,
            changed('print(f"{n} games")', 'print(f"{n} games", end="")'),
            "wrong-output",
            "missing-newline",
            "A newline is missing in line 3 after `10 games`: the next line follows on the same line.",
            id="no line end before the prompt",
        ),
        pytest.param(
            CALL,
            dedent(RIGHT) + "import sys\nsys.exit()\n",
            "wrong-output",
            "unread-input",
            "Python's prompt is closed before `simulate(10, 0)` can be typed: does the program call exit() or quit()?",
            id="exit at the prompt",
        ),
        pytest.param(
            CALL,
            changed('print(f"{n} games")', "raise SystemExit('no games')"),
            "wrong-output",
            "text",
            "Line 3 is `no games`; expected `10 games`.",
            id="exit with a message",
        ),
    ],
)
def test_program(judge_program: Judge, test: Test, program: str, verdict: str, cause: str, sentence: str) -> None:
    judgement = judge_program(test, program)
    assert judgement.diagnosis is not None
    found = (judgement.verdict, judgement.diagnosis.cause.id, judgement.diagnosis.sentence)
    assert found == (verdict, cause, sentence)


def test_right_program_passes(judge_program: Judge) -> None:
    assert judge_program(GAME, changed("seed", "number")).verdict == "passed"
