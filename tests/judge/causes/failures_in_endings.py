"""Programs that end otherwise than expected."""

import signal
from dataclasses import replace

from grader.model.interaction import FunctionCall
from grader.model.outcome import CallResult, Termination
from grader.model.program import BuildCommands, Sanitized, Sanitizer
from grader.spec.languages import BUILD_LIMITS
from grader.spec.tests_file import USUAL_CHECKS
from tests.judge.causes.failures import (
    LOST,
    LOST_GAME,
    SIMULATE,
    SIMULATION,
    TWICE,
    TWO_SIMULATIONS,
    Failure,
    first_lines,
)
from tests.judge.sessions import ended, exited

IN_PLAY = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 40, in <module>
    play()
  File "solitaire_1.py", line 12, in play
    card = deck[52]
           ~~~~^^^^
IndexError: list index out of range
"""
IN_CARDS = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 40, in <module>
    play()
  File "solitaire_1.py", line 12, in play
    card = deck.deal()
           ^^^^^^^^^^^
  File "cards.py", line 88, in deal
    return self.__deck.pop()
           ^^^^^^^^^^^^^^^^^
IndexError: pop from empty list
"""
IN_SIMULATE = """\
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
  File "solitaire_1.py", line 12, in simulate
    wins[cards] += 1
    ~~~~^^^^^^^
KeyError: 4
"""
NO_SIMULATE = """\
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
ImportError: cannot import name 'simulate' from 'solitaire_1' (solitaire_1.py)
"""
THEN_UNKNOWN = """\
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
NameError: name 'simulate' is not defined
"""
OUT_OF_MEMORY = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 7, in <module>
    deck = list(range(10 ** 12))
           ^^^^^^^^^^^^^^^^^^^^^
MemoryError
"""
OVER_THE_LIMIT = """\
Traceback (most recent call last):
  File "solitaire_1.py", line 3, in <module>
    {}
{}
"""
UNAVAILABLE = "Error: [Errno 11] Resource temporarily unavailable"
UNREADABLE = """\
  File "solitaire_1.py", line 3
    for card in deck
                    ^
SyntaxError: expected ':'
"""

IN_UTF_16 = """\
SyntaxError: Non-UTF-8 code starting with '\\xff' in file solitaire_1.py on line 1, but no encoding declared
"""

COMPILER_SAYS = """\
game.cpp: In function 'int main()':
game.cpp:3:14: error: expected ';' before '}' token
    3 |     return 0 }
"""
COMPILED = replace(
    LOST_GAME,
    recipe=BuildCommands(build=("g++", "-O2", "-o", "game", "game.cpp"), run=("./game",), limits=BUILD_LIMITS),
)

CALLED_IN_C = replace(
    COMPILED,
    program="queue.c",
    interaction=FunctionCall(
        calls=("queue_size(q)",),
        variables={},
        setup=("struct queue *q = queue_new()",),
        checks=frozenset(USUAL_CHECKS),
        cards=None,
    ),
)
CALL_NOT_COMPILED = "call: error: implicit declaration of function ‘queue_size’\n"

UNDER_SANITIZERS = replace(
    LOST_GAME,
    recipe=BuildCommands(
        build=("gcc", "-o", "sort", "sort.c", "-fsanitize=address,undefined"),
        run=("./sort",),
        limits=BUILD_LIMITS,
        finder=Sanitized((Sanitizer.ADDRESS, Sanitizer.UNDEFINED), leaks=True),
    ),
)
PAST_THE_END = """\
sort.c:14:27: runtime error: load of address 0x7ffe28c5d878 with insufficient space for an object of type 'int'
=================================================================
==17==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffe28c5d878 at pc 0x560 bp 0x7ff sp 0x7fe
READ of size 4 at 0x7ffe28c5d878 thread T0
    #0 0x56057ac9749b in sorted sort.c:14
    #1 0x56057ac9749b in main sort.c:30
    #2 0x7effa0445249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

Address 0x7ffe28c5d878 is located in stack of thread T0 at offset 88 in frame
    #0 0x56057ac97258 in sorted sort.c:10

  This frame has 2 object(s):
    [32, 36) 'n' (line 11)
    [48, 88) 'numbers' (line 12) <== Memory access at offset 88 overflows this variable
SUMMARY: AddressSanitizer: stack-buffer-overflow sort.c:14 in sorted
==17==ABORTING
"""
LEAKS = """\
==92== 40 bytes in 1 blocks are definitely lost in loss record 1 of 2
==92==    at 0x48417B4: malloc (vg_replace_malloc.c:381)
==92==    by 0x10917A: copied (sort.c:7)
==92==    by 0x10918A: main (sort.c:31)
==92==
==92== 2,400 (40 direct, 2,360 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 2
==92==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==92==    by 0x1091AA: main (sort.c:33)
==92==
""".replace("(vg_", "(/build/valgrind/coregrind/vg_")
OVERFLOW = """\
sort.c:9:18: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
"""

FAILURES = (
    Failure(
        "an error that a sanitizer finds",
        UNDER_SANITIZERS,
        LOST,
        replace(exited(UNDER_SANITIZERS, first_lines(LOST, 3), 1), error_report=PAST_THE_END),
        "memory-error",
        "The program reads 1 element past the end of `numbers`, an array of 10, in line 14 of `sort.c`.",
    ),
    Failure(
        "an error that a sanitizer finds before the memory limit",
        UNDER_SANITIZERS,
        LOST,
        replace(exited(UNDER_SANITIZERS, ""), ending=Termination.MEMORY_LIMIT, exit_code=None, error_report=OVERFLOW),
        "undefined-behaviour",
        "The program does what is undefined (signed integer overflow: 2147483647 + 1 cannot be represented in type "
        "'int'), in line 9 of `sort.c`.",
    ),
    Failure(
        "leaks that valgrind finds",
        UNDER_SANITIZERS,
        LOST,
        replace(exited(UNDER_SANITIZERS, LOST), error_report=LEAKS),
        "memory-leak",
        "The program never frees 40 bytes that it allocates, in line 7 of `sort.c`; 1 more error was found.",
    ),
    Failure(
        "an overflow that a sanitizer finds",
        UNDER_SANITIZERS,
        LOST,
        replace(exited(UNDER_SANITIZERS, LOST), error_report=OVERFLOW),
        "undefined-behaviour",
        "The program does what is undefined (signed integer overflow: 2147483647 + 1 cannot be represented in type "
        "'int'), in line 9 of `sort.c`.",
    ),
    Failure(
        "not compiling",
        COMPILED,
        LOST,
        replace(exited(COMPILED, COMPILER_SAYS, 1), in_build=True),
        "build-error",
        "The program cannot be built: `g++ -O2 -o game game.cpp` ended with exit status 1; it says "
        "`game.cpp:3:14: error: expected ';' before '}' token`.",
    ),
    Failure(
        "calling a function that is not there",
        CALLED_IN_C,
        "",
        replace(exited(CALLED_IN_C, CALL_NOT_COMPILED, 1), in_build=True, call=CallResult()),
        "cannot-be-called",
        "`queue_size(q)` cannot be called: queue.c has no `queue_size` that fits. The compiler says "
        "`implicit declaration of function ‘queue_size’`.",
    ),
    Failure(
        "nothing printed",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, ""),
        "no-output",
        "The program prints nothing: is the file saved, and does it call a function that prints?",
    ),
    Failure(
        "a function that prints nothing at the prompt",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, first_lines(SIMULATE, 2) + ">>> \n"),
        "no-output",
        "`simulate(10, 0)` prints nothing; expected `Number of cards left | Number of rounds | Frequency`.",
    ),
    Failure(
        "a function that prints nothing at the prompt, twice",
        TWO_SIMULATIONS,
        TWICE,
        exited(TWO_SIMULATIONS, first_lines(TWICE, 2) + ">>> simulate(30, 7)\n>>> \n"),
        "no-output",
        "`simulate(30, 7)` prints nothing; expected `Number of cards left | Frequency`.",
    ),
    Failure(
        "crash while simulating",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, first_lines(SIMULATE, 2) + IN_SIMULATE + ">>> \n"),
        "crash",
        "`simulate(10, 0)` stops in line 12 (`wins[cards] += 1`) with KeyError: 4.",
    ),
    Failure(
        "nothing to import",
        SIMULATION,
        SIMULATE,
        exited(SIMULATION, first_lines(SIMULATE, 1) + NO_SIMULATE + ">>> simulate(10, 0)\n" + THEN_UNKNOWN + ">>> \n"),
        "crash",
        (
            "`from solitaire_1 import simulate` stops with ImportError: cannot import name 'simulate' from "
            "'solitaire_1' (solitaire_1.py)."
        ),
    ),
    Failure(
        "caught and printed",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, first_lines(LOST, 1) + IN_PLAY + "Sorry\n"),
        "printed-traceback",
        (
            "The program prints a traceback and goes on: IndexError: list index out of range in line 12 "
            "(`card = deck[52]`)."
        ),
    ),
    Failure(
        "crash",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, first_lines(LOST, 1) + IN_PLAY, 1),
        "crash",
        "The program stops in line 12 (`card = deck[52]`) with IndexError: list index out of range.",
    ),
    Failure(
        "crash in a provided module",
        replace(LOST_GAME, provided=("cards.py",)),
        LOST,
        exited(LOST_GAME, first_lines(LOST, 1) + IN_CARDS, 1),
        "crash",
        (
            "The program stops in line 12 (`card = deck.deal()`) with IndexError: pop from empty list; the provided "
            "`cards.py`, which this line uses, raises it."
        ),
    ),
    Failure(
        "not Python",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, UNREADABLE, 1),
        "syntax-error",
        "Python cannot read the program: SyntaxError: expected ':' in line 3 (`for card in deck`).",
    ),
    Failure(
        "saved in UTF-16",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, IN_UTF_16, 1),
        "source-format",
        "Python cannot read solitaire_1.py: it is saved in UTF-16; save it again as plain text in UTF-8.",
    ),
    Failure(
        "out of memory",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, OUT_OF_MEMORY, 1),
        "memory-limit",
        ("The program needs more memory than a test may use: MemoryError in line 7 (`deck = list(range(10 ** 12))`)."),
    ),
    Failure(
        "too many processes",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, OVER_THE_LIMIT.format("os.fork()", f"BlockingIO{UNAVAILABLE}"), 1),
        "process-limit",
        (
            "The program starts more processes or threads than a test may have: BlockingIOError: [Errno 11] "
            "Resource temporarily unavailable in line 3 (`os.fork()`)."
        ),
    ),
    Failure(
        "too much in a file",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, OVER_THE_LIMIT.format("log.write(text)", "OSError: [Errno 27] File too large"), 1),
        "file-limit",
        (
            "The program writes more to files than a test may: OSError: [Errno 27] File too large in line 3 "
            "(`log.write(text)`)."
        ),
    ),
    Failure(
        "too many open files",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, OVER_THE_LIMIT.format('open("deck.txt")', "OSError: [Errno 24] Too many open files"), 1),
        "open-files-limit",
        (
            "The program has more files open than a test may: OSError: [Errno 24] Too many open files in line 3 "
            '(`open("deck.txt")`).'
        ),
    ),
    Failure(
        "too much processor time",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, ""), Termination.SIGNALLED, signal.SIGXCPU),
        "cpu-limit",
        "The program needs more processor time than a test may use: look for a loop that does not end.",
    ),
    Failure(
        "too much memory together",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, ""), Termination.MEMORY_LIMIT),
        "memory-limit",
        "The program, with all it started, needs more memory than a test may use: look for a loop that collects.",
    ),
    Failure(
        "exit status",
        LOST_GAME,
        LOST,
        exited(LOST_GAME, LOST, 3),
        "exit-status",
        "The output is right, but the exit status is 3; expected 0.",
    ),
    Failure(
        "loops",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, first_lines(LOST, 1)), Termination.TIMED_OUT),
        "timeout",
        (
            "The program was still running after 30 seconds, and its output ended at line 1: look for a "
            "loop that does not end."
        ),
    ),
    Failure(
        "loops at once",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, ""), Termination.TIMED_OUT),
        "timeout",
        ("The program was still running after 30 seconds, and it printed nothing: look for a loop that does not end."),
    ),
    Failure(
        "sleeps",
        LOST_GAME,
        LOST,
        replace(ended(exited(LOST_GAME, first_lines(LOST, 1)), Termination.TIMED_OUT), cpu_seconds=0.1),
        "timeout",
        (
            "The program was still running after 30 seconds, and its output ended at line 1: it hardly used the "
            "processor, so look for a `sleep` or another wait."
        ),
    ),
    Failure(
        "sleeps at once",
        LOST_GAME,
        LOST,
        replace(ended(exited(LOST_GAME, ""), Termination.TIMED_OUT), cpu_seconds=0.1),
        "timeout",
        (
            "The program was still running after 30 seconds, and it printed nothing: it hardly used the processor, so "
            "look for a `sleep` or another wait."
        ),
    ),
    Failure(
        "loops where the processor time is not measured",
        LOST_GAME,
        LOST,
        replace(ended(exited(LOST_GAME, ""), Termination.TIMED_OUT), cpu_seconds=0.0),
        "timeout",
        ("The program was still running after 30 seconds, and it printed nothing: look for a loop that does not end."),
    ),
    Failure(
        "loops on a busy machine",
        LOST_GAME,
        LOST,
        replace(ended(exited(LOST_GAME, ""), Termination.TIMED_OUT), cpu_seconds=6.0, starved_seconds=22.0),
        "timeout",
        ("The program was still running after 30 seconds, and it printed nothing: look for a loop that does not end."),
    ),
    Failure(
        "prints for ever",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, LOST + "So\n" * 100_000), Termination.OUTPUT_LIMIT),
        "output-limit",
        "The program was stopped because it printed more than a test may: look for a loop that prints.",
    ),
    Failure(
        "interpreter crashes",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, first_lines(LOST, 1)), Termination.SIGNALLED, signal.SIGSEGV),
        "signal",
        ("The program was ended by SIGSEGV: the Python interpreter itself crashed, often by very deep recursion."),
    ),
    Failure(
        "unknown signal",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, ""), Termination.SIGNALLED, 63),
        "signal",
        "The program was ended by signal 63.",
    ),
    Failure(
        "interrupted",
        LOST_GAME,
        LOST,
        ended(exited(LOST_GAME, ""), Termination.CANCELLED),
        "cancelled",
        "Grading was interrupted before this test ended; it must be run again.",
    ),
)
