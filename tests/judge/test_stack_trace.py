"""What programs in other languages say when an error is not caught."""

import signal
from dataclasses import replace

import pytest

from grader.judge.judge import judge
from grader.judge.stack_trace import find_stack_trace
from grader.model.ending import EndsBySignal
from grader.model.interaction import StdinRun
from grader.model.outcome import Termination
from grader.model.program import BuildCommands
from grader.spec.languages import BUILD_LIMITS
from tests.judge.sessions import exited, game

JAVA = """\
Number: Exception in thread "main" java.util.NoSuchElementException: No line found
\tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)
\tat Game.ask(Game.java:12)
\tat Game.main(Game.java:5)
"""
JAVA_WITHOUT_MESSAGE = """\
Exception in thread "main" java.lang.StackOverflowError
\tat Game.deal(Game.java:7)
"""
WRONG_NAME = """\
Error: Could not find or load main class Game
Caused by: java.lang.NoClassDefFoundError: Game (wrong name: {})
"""
NO_CLASS = """\
Error: Could not find or load main class Game
Caused by: java.lang.ClassNotFoundException: Game
"""
NO_MAIN = """\
Error: Main method {} class Game, please define the main method as:
   public static void main(String[] args)
"""
NODE = """\
Number: game.js:2
  return hand.cards.length;
                    ^

TypeError: Cannot read properties of undefined (reading 'length')
    at count (game.js:2:21)
    at Object.<anonymous> (game.js:5:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""
NODE_IN_A_LIBRARY = """\
node:fs:573
  return binding.open(
                 ^

Error: ENOENT: no such file or directory, open 'cards.txt'
    at Object.openSync (node:fs:573:18)
    at read (lib/deck.js:3:20)
    at Object.<anonymous> (game.js:5:1) {
  errno: -2,
  code: 'ENOENT'
}

Node.js v20.20.2
"""
NODE_SYNTAX = """\
game.js:3
  let x = ;
          ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1469:18)

Node.js v20.20.2
"""
NODE_MODULE = """\
file://game.mjs:1
throw new RangeError('no cards');
      ^

RangeError: no cards
    at file://game.mjs:1:7
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)

Node.js v20.20.2
"""
RUST = """\
thread 'main' (92) panicked at game.rs:4:21:
index out of bounds: the len is 3 but the index is 4
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
OLDER_RUST = """\
thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 4', game.rs:4:21
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
RUST_IN_ITS_LIBRARY = """\
thread 'main' panicked at /rustc/1234/library/std/src/io/stdio.rs:1165:9:
failed printing to stdout: Broken pipe (os error 32)
"""
CPLUSPLUS = """\
Number: terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)
"""
CPLUSPLUS_NUMBER = "terminate called after throwing an instance of 'int'\n"
ASSERTION = "Number: game: game.c:12: main: Assertion `number > 0' failed.\n"


@pytest.mark.parametrize(
    ("output", "error", "message", "file", "line", "code"),
    [
        (JAVA, "NoSuchElementException", "No line found", "Game.java", 12, ""),
        (JAVA_WITHOUT_MESSAGE, "StackOverflowError", "", "Game.java", 7, ""),
        (
            NODE,
            "TypeError",
            "Cannot read properties of undefined (reading 'length')",
            "game.js",
            2,
            "return hand.cards.length;",
        ),
        (
            NODE_IN_A_LIBRARY,
            "Error",
            "ENOENT: no such file or directory, open 'cards.txt'",
            "lib/deck.js",
            3,
            "",
        ),
        (NODE_SYNTAX, "SyntaxError", "Unexpected token ';'", "game.js", 3, "let x = ;"),
        (NODE_MODULE, "RangeError", "no cards", "game.mjs", 1, "throw new RangeError('no cards');"),
        (RUST, "a panic", "index out of bounds: the len is 3 but the index is 4", "game.rs", 4, ""),
        (OLDER_RUST, "a panic", "index out of bounds: the len is 3 but the index is 4", "game.rs", 4, ""),
        (RUST_IN_ITS_LIBRARY, "a panic", "failed printing to stdout: Broken pipe (os error 32)", "", None, ""),
        (
            CPLUSPLUS,
            "std::out_of_range",
            "vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)",
            "",
            None,
            "",
        ),
        (CPLUSPLUS_NUMBER, "int", "", "", None, ""),
        (ASSERTION, "a failed assertion", "`number > 0` does not hold", "game.c", 12, ""),
    ],
)
def test_what_is_read(output: str, error: str, message: str, file: str, line: int | None, code: str) -> None:
    found = find_stack_trace(f"Welcome\n{output}")
    assert found is not None
    assert (found.error, found.message, found.file, found.line, found.code) == (error, message, file, line, code)
    assert found.compiling == (output is NODE_SYNTAX)


@pytest.mark.parametrize("output", ["", "Number: 4\n", "panicked at the disco\n", "Node.js v20\n", "a: Assertion `b\n"])
def test_no_error(output: str) -> None:
    assert find_stack_trace(output) is None


def test_the_last_error_counts_and_much_output_before_it_does_not_matter() -> None:
    found = find_stack_trace(f"{JAVA}{'x' * 300_000}\n{RUST}")
    assert found is not None
    assert found.error == "a panic"
    assert found.offset == len(JAVA) + 300_001


COMPILED = replace(game("4"), program="game.rs", recipe=BuildCommands(build=None, run=("./game",), limits=BUILD_LIMITS))


def judged(output: str, exit_code: int) -> tuple[str, str, str]:
    judgement = judge(COMPILED, "Number: 4\nDouble: 8\n", exited(COMPILED, f"Number: 4\n{output}", exit_code))
    assert judgement.diagnosis is not None
    return judgement.verdict, judgement.diagnosis.cause.id, judgement.diagnosis.sentence


def test_an_error_that_is_not_caught_is_a_crash_with_its_line() -> None:
    sentence = "The program stops in line 4 with a panic: index out of bounds: the len is 3 but the index is 4."
    assert judged(RUST, 101) == ("crash", "crash", sentence)


@pytest.mark.parametrize(("wanted", "verdict"), [(signal.SIGABRT, "passed"), (signal.SIGSEGV, "crash")])
def test_an_assertion_may_be_what_ends_a_program_as_it_should(wanted: signal.Signals, verdict: str) -> None:
    test = replace(COMPILED, ending=EndsBySignal(wanted))
    text = "Number: 4\n"
    ended = exited(test, text, 0)
    outcome = replace(ended, ending=Termination.SIGNALLED, exit_code=None, signal=signal.SIGABRT, errors=ASSERTION)
    assert judge(test, text, outcome).verdict == verdict


def test_a_program_that_node_cannot_read() -> None:
    sentence = "Node cannot read the program: SyntaxError: Unexpected token ';' in line 3 of `game.js` (`let x = ;`)."
    assert judged(NODE_SYNTAX, 1) == ("crash", "syntax-error", sentence)


def test_an_error_at_the_end_of_input_asks_for_more() -> None:
    again = "The program asks for input again after the test's last line was typed"
    assert judged(JAVA, 1) == ("crash", "reads-past-input", f"{again}; expected in place of that: `Double: 8`.")
    test = replace(COMPILED, interaction=StdinRun(None, "4\n"))
    outcome = replace(exited(test, "Number: ", 1), errors=JAVA)
    diagnosis = judge(test, "Number: Double: 8\n", outcome).diagnosis
    assert diagnosis is not None
    hint = "does it make several Scanners? The first one takes all input: make one for the whole program"
    assert diagnosis.sentence == f"{again}; {hint}."


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            WRONG_NAME.format("lab/tools/Game"),
            "the file of the class Game has the line `package lab.tools;`; remove that line",
        ),
        (WRONG_NAME.format("game"), "the class is called game, not Game"),
        (NO_CLASS, "there is no class Game; the class must have the name of its file"),
        (NO_MAIN.format("not found in"), "the class Game has no method `public static void main(String[] args)`"),
        (NO_MAIN.format("is not static in"), "the method `main` of the class Game is not `static`"),
        (
            NO_MAIN.format("must return a value of type void in"),
            "the method `main` of the class Game returns a value; it must be `void`",
        ),
    ],
)
def test_a_class_that_java_does_not_start(said: str, sentence: str) -> None:
    found = find_stack_trace(f"4\n{said}")
    assert found is not None
    assert (found.offset, found.error, found.message) == (2, "an error of the Java launcher", sentence)
    crash = f"The program stops with an error of the Java launcher: {sentence}."
    assert judged(said, 1) == ("crash", "crash", crash)


@pytest.mark.parametrize(
    "output",
    [
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat Game.main(Game.java:5)\n',
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
    ],
)
def test_memory_that_runs_out_is_a_limit(output: str) -> None:
    assert judged(output, 1)[:2] == ("memory-limit", "memory-limit")
