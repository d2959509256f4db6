"""Each step of ours on what students hand in or print takes about as long for the worst megabyte as for a plain one.

The time is that of the processor, and the bound is generous: what grows with the square takes minutes. An eighth of
a megabyte is tried, in an eighth of the time and the memory; it has more lines than are compared one by one.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.files.archive_reader import ArchiveLimits, UnsafeInputError
from grader.files.unpack import unpack
from grader.intake.identity_words import IdentityWords, WordReplacer
from grader.intake.match_files import FoundFile
from grader.judge.diff import whole_diff
from grader.judge.judge import judge
from grader.judge.output_checks import judge_by_checks
from grader.judge.partial_credit import with_partial_credit
from grader.model.expectation import (
    HasJson,
    HasLines,
    HasNumbers,
    HasUnordered,
    OutputCheck,
    OutputChecks,
    Tolerance,
)
from grader.model.partial_credit import PartialCredit, PartialLines
from grader.model.rule import Rule
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.plugins.code_rules.forbidden_names import ForbiddenNames
from grader.plugins.code_rules.functions import NoNestedFunctions, OwnFunctions, RequiredFunctions, UsedFunctions
from grader.plugins.code_rules.global_variables import NoGlobalVariables
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.provided_module import UnchangedModule
from grader.plugins.code_rules.style import NamingStyle
from grader.plugins.error_reports.report import errors_in
from grader.plugins.function_calls.values import differences
from grader.plugins.similarity.fingerprints import Tokenizer
from grader.reports.html.text import shown
from grader.rules.check import check_rules
from grader.rules.source import UncheckedSourceError, UnreadableSourceError, read_source
from grader.text.escape import escape_controls
from tests.building import TEST
from tests.judge.sessions import exited
from tests.reports.graded_example import ASSIGNMENT

BYTES = 125_000
SOURCE_BYTES = 10_000
"""A quarter of the code of the tightest kind that is looked at: what is too long goes to a person."""
SECONDS = 5.0 / 8
TIMES = 20
MAX_BYTES = 100 * BYTES
EXPECTED = "".join(f"line {number} has the value {number * 37 % 101} of {number / 7:.3f}\n" for number in range(1000))


def filled(piece: str, size: int = BYTES) -> str:
    return piece * (size // len(piece.encode("utf-8", "surrogatepass")))


PLAIN = filled("The sum of 12 and 30 is 42.\n")
TEXTS = {
    "one line": filled("a"),
    "one line of words": filled("word "),
    "digits": filled("9"),
    "numbers": filled("12 "),
    "numbers with commas": filled("111,") + "1",
    "blanks in a line": f"x{filled(' ')}y",
    "many lines": filled("x\n"),
    "blank lines": filled("\n"),
    "groups of blank lines": filled("\n" * 999 + ";"),
    "short lines": filled("ab\n"),
    "spaces": filled(" "),
    "tabs": filled("\t"),
    "marks": "x" + filled("\u0315\u0300"),
    "deep": filled("["),
    "braces": filled('{"a":'),
    "escapes": filled("\x1b[31m"),
    "controls": filled("\0"),
    "cards": filled("K\u2660 "),
    "tracebacks": filled('Traceback (most recent call last):\n  File "game.py", line 1, in f\nValueError: x\n'),
    "headers": filled("Traceback (most recent call last):\n"),
}
ANY_ORDER = ComparisonPolicy(ignore=frozenset(IgnoredDifference), tolerance=Tolerance(Decimal("0.01")))
LENIENT = replace(ANY_ORDER, ignore=ANY_ORDER.ignore - {IgnoredDifference.LINE_ORDER})
OPEN = ComparisonPolicy(wildcard_lines=("line 1*",), wildcard_texts=("line 7*",))


def judged(comparison: ComparisonPolicy, text: str) -> None:
    test = replace(TEST, comparison=comparison, partial=PartialCredit(PartialLines(), if_stopped=True))
    outcome = exited(test, text)
    with_partial_credit(test, EXPECTED, outcome, judge(test, EXPECTED, outcome), ())


def checked(text: str) -> None:
    checks = [OutputCheck(kind=kind) for kind in (HasLines(None), HasUnordered(None), HasNumbers(None), HasJson("[1]"))]
    test = replace(TEST, expectation=OutputChecks(tuple(checks)))
    judge_by_checks(test, checks, EXPECTED, exited(test, text))


STEPS: dict[str, Callable[[str], object]] = {
    "exactly": lambda text: judged(ComparisonPolicy(), text),
    "leniently": lambda text: judged(LENIENT, text),
    "in any order": lambda text: judged(ANY_ORDER, text),
    "with open lines": lambda text: judged(OPEN, text),
    "checks": checked,
    "diff": lambda text: whole_diff(EXPECTED, text),
    "values": lambda text: differences("it", list(EXPECTED), list(text), None),
    "one value": lambda text: differences("it", {"set": [EXPECTED]}, {"set": [text]}, Tolerance(Decimal(1))),
    "html": shown,
    "escapes": escape_controls,
    "names": lambda text: FoundFile(text[:255], Path("x")),
    "similarity": lambda text: Tokenizer().tokens("game.py", text),
    "similarity of C": lambda text: Tokenizer().tokens("game.c", text),
}


def seconds(step: Callable[[], object]) -> float:
    started = time.thread_time()
    step()
    return time.thread_time() - started


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_the_worst_output_takes_about_as_long_as_a_plain_one(step: Callable[[str], object]) -> None:
    most = SECONDS + TIMES * seconds(lambda: step(PLAIN))
    taken = {name: seconds(lambda text=text: step(text)) for name, text in TEXTS.items()}  # type: ignore[misc]
    assert {name: round(one, 1) for name, one in taken.items() if one > most} == {}


FRAME = "    #0 0x1 in main game.c:1\n"
ADDRESS_ERROR = "==1==ERROR: AddressSanitizer: stack-buffer-overflow\n"
ERROR_REPORTS = {
    "one frame": f"{ADDRESS_ERROR}    #0 0x1 in {filled('a')}\n",
    "one frame of words": f"{ADDRESS_ERROR}    #0 0x1 in {filled('a:b ')}\n",
    "variables": f"{ADDRESS_ERROR}{filled('[1, 2) &a& ').replace('&', chr(39))}\n",
    "globals": ADDRESS_ERROR + filled("is located 1 bytes after global variable 'a' defined in ") + "\n",
    "leaks": filled("Direct leak of 1 byte(s) in 1 object(s) allocated from:\n    #0 0x1 in malloc /x/../a.c:1\n"),
    "undefined": filled("game.c:1:1: runtime error: signed integer overflow\n" + FRAME),
    "runtime error": filled("runtime error: "),
    "digits": f"==1== {filled('1')}\n",
    "lost": filled("==1== 1 (1 bytes in 1 blocks\n==1==\n"),
    "blank lines": "==1== x\n" + filled("==1== \n"),
    "addresses": "==1== Invalid read of size 4\n" + filled("==1==  Address 0x1 is 1,1 bytes "),
}


@pytest.mark.slow
def test_the_worst_report_of_errors_is_read_about_as_fast_as_a_plain_one() -> None:
    most = SECONDS + TIMES * seconds(lambda: errors_in(ADDRESS_ERROR + filled(FRAME)))
    times = {name: seconds(lambda report=report: errors_in(report)) for name, report in ERROR_REPORTS.items()}  # type: ignore[misc]
    assert {name: round(time, 1) for name, time in times.items() if time > most} == {}


@pytest.mark.slow
@pytest.mark.parametrize("comment", ["a", "ada ", "ada,", "a@", "a.b", "@", "# "])
def test_the_worst_comment_is_anonymised_about_as_fast_as_a_plain_one(comment: str) -> None:
    words = WordReplacer({"Ada Lovelace": "A"})
    plain, worst = (f"x = 1\n# {filled(piece)}\n" for piece in ("a word ", comment))
    replacer = IdentityWords(words, words)
    most = SECONDS + TIMES * seconds(lambda: replacer.in_program("game.py", plain))
    assert seconds(lambda: replacer.in_program("game.py", worst)) < most


@pytest.mark.slow
@pytest.mark.parametrize("step", ["exactly", "leniently", "in any order", "with open lines", "checks", "diff"])
@pytest.mark.parametrize("text", ["many lines", "blank lines", "short lines", "numbers", "tracebacks"])
def test_the_worst_output_takes_a_bounded_amount_of_memory(step: str, text: str) -> None:
    """Several programs are judged at once, and each may print ten times as much."""
    gc.collect()
    tracemalloc.start()
    STEPS[step](TEXTS[text])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MAX_BYTES


def numbered(line: str, size: int = SOURCE_BYTES) -> str:
    """A program with lines in which `N` is the number of the line, and `M` the next one."""
    lines = (line.replace("N", str(number)).replace("M", str(number + 1)) for number in range(size))
    text = ""
    for piece in lines:
        if len(text) + len(piece) >= size:
            break
        text += f"{piece}\n"
    return text


def nested(heads: Iterable[str], body: str) -> str:
    """A program with `body` many times in one line, inside of all `heads`."""
    depth, text = 0, "import cards\n"
    for depth, head in enumerate(heads):
        text += f"{' ' * depth}{head}\n"
    return f"{text}{' ' * (depth + 1)}{filled(body, SOURCE_BYTES)}\n"


def elifs(count: int, block: str) -> str:
    """A program with so many `elif`, and much in the last block."""
    return "if a: pass\n" + numbered(f"elif aN: {block}", 15 * count) + "else:\n " + filled("a=b;", SOURCE_BYTES) + "\n"


RULES = (
    *(ForbiddenNames(("eval", "sys.exit", "os.system")), NoGlobalVariables(), NoNestedFunctions()),
    *(UsedFunctions(("f1()",)), RequiredFunctions(("main()", "f1()")), OwnFunctions(3)),
    *(UnchangedModule("cards.py"), MainGuard(), NamingStyle()),
)
SOURCES = {
    "modules": "import cards\n" + numbered("def fN(m): fM(cards)"),
    "parameters": "import cards\ndef f1(m):\n" + numbered(" f1(cards); m.x = N"),
    "many ways": numbered("import aN as b; f(b)"),
    "lambdas": "import cards\ndef f1():\n" + numbered(" xN = lambda m=cards: m"),
    "loops": numbered("for a in [cards, cards]: a.x = N"),
    "ends": "def f1():\n" + "".join(f"{' ' * depth}while True:\n" for depth in range(1, 90)) + " " * 90 + "pass\n",
    "marks": "x" + "\u0315\u0300" * 49_000 + " = 1\n",
    "short marks": filled("x" + "\u0300" * 400 + " = 1\n", SOURCE_BYTES),
    "sum": f"x = {'+'.join('1' * 1000)}\n",
    "elif": "if a: pass\n" + "".join(f"elif a{number}: pass\n" for number in range(1000)),
    "parentheses": f"x = {'(' * 150}1{')' * 150}\n",
    "members": f"x = a{'.b' * 900}\n",
    "names": numbered("aN = N"),
    "aliases": numbered("aM = aN"),
    "functions": numbered("def fN(): fM()"),
    "classes": numbered("class CN: pass"),
    "globals": numbered("global aN; aN = b"),
    "deleted": numbered("del aN; aN = print"),
    "imports": numbered("import aN as bN"),
    "handlers": numbered("try: pass\nexcept E as eN: pass"),
    "digits": f"x = {'9' * 100_000}\n",
    "module in turn": "import os\n" + filled("a,b,c,d=b,c,d,os\n", SOURCE_BYTES),
    "in turn": filled("x=y\ny=x\n", SOURCE_BYTES),
    "texts": f"import os\nx=f'{filled('{os}', SOURCE_BYTES)}'\n",
    "tries": filled("try: a=b\nexcept: b=a\n", SOURCE_BYTES),
    "matches": filled("match a:\n case b: a=b\n", SOURCE_BYTES),
    "blocks": nested(["if x:"] * 28, "a=b;"),
    "deeper blocks": nested(["if x:"] * 90, "a=b;"),
    "loops in loops": nested(["for a in [cards]:"] * 28, "a;b;"),
    "functions in functions": nested(["def f():"] * 28, "a=b;"),
    "classes in classes": nested(["class C:"] * 28, "a=b;"),
    "long elif": elifs(190, "raise"),
    "longer elif": elifs(390, "pass"),
    "comprehensions": f"x={'[' * 28}{filled('a,', SOURCE_BYTES)}{' for a in b]' * 28}\n",
    "one value": f"{'a=' * (SOURCE_BYTES // 2)}os{'.b' * 80}\n",
    "one text": f"import os\na='x'\nb=f'{'{a}' * 150}'\n{filled('os[b];', SOURCE_BYTES)}\n",
    "members of modules": "import shutil\n" + filled(f"shutil{'.b' * 80}\n", SOURCE_BYTES),
    "makers": "import cards\n" + filled("type(x).a=1\nx=f()\n", SOURCE_BYTES),
    "named arguments": f"import cards\ndef f({', '.join(f'a{number}' for number in range(1000))}): a.b=1; "
    + f"{filled('a;', 7_500)}\n{numbered('f(aN=cards)', 7_500)}",
    "own imports": numbered("from game import f1 as main, aM as aN"),
    "one line": "; ".join(f"a{number}=1" for number in range(7_500)) + "\n",
}


@pytest.mark.slow
def test_the_worst_program_is_looked_at_about_as_fast_as_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "cards.py").write_text("class Card: ...\n")

    def look(text: str) -> None:
        (tmp_path / "game.py").write_text(text)
        with suppress(UncheckedSourceError, UnreadableSourceError, RecursionError):
            parsed = read_source(tmp_path / "game.py", "game.py", {"cards.py": tmp_path / "cards.py"})
            for rule in RULES:
                with suppress(UncheckedSourceError):
                    list(rule.findings(parsed))

    most = 2 * SECONDS + TIMES / 2 * seconds(lambda: look(numbered("def fN(x):\n    y = x + N\n    return y")))
    times = {name: seconds(lambda source=source: look(source)) for name, source in SOURCES.items()}  # type: ignore[misc]
    assert {name: round(time, 1) for name, time in times.items() if time > most} == {}


@pytest.mark.slow
def test_many_modules_are_looked_at_in_time(tmp_path: Path) -> None:
    texts = {f"m{number}.py": f"from m0 import *\nfrom m{number + 1} import *\nf1()\n" for number in range(1, 99)}
    texts |= {"double.py": "from m1 import *\n", "m0.py": "import os\n" + filled("a,b,c,d=b,c,d,os\n", 32_000)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    rules = (rule for rule in RULES if not isinstance(rule, UnchangedModule))
    asked = tuple(Rule(id=rule.name, title="", programs=("double.py",), check=rule) for rule in rules)
    files = {name: tmp_path / name for name in texts}
    taken = seconds(lambda: check_rules(replace(ASSIGNMENT, rules=asked), ["double.py"], files, ()))
    assert taken < 4 * SECONDS * TIMES


def test_junk_for_an_archive_is_refused_at_once(tmp_path: Path) -> None:
    limits = ArchiveLimits(files=1000, total_bytes=10_000_000)

    def take(name: str, text: str) -> None:
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        with suppress(UnsafeInputError):
            unpack(tmp_path / name, tmp_path / f"{name}-unpacked", limits, ZoneInfo("UTC"))

    for number, text in enumerate(TEXTS.values()):
        for end in ("zip", "tar", "tgz", "tar.xz"):
            assert seconds(lambda text=text, end=end, number=number: take(f"{number}.{end}", text)) < SECONDS  # type: ignore[misc]
