"""Programs that want to win a function test without the function."""

import pytest

from grader.model.assignment import Isolation
from grader.model.expected_call import ExpectedCall, ExpectedStep
from grader.model.judgement import Verdict
from grader.plugins.function_calls.judge import judge_call
from tests.attacks.arena import SECRET, Arena
from tests.building import call_of

TREASURE = ExpectedCall((ExpectedStep(returned=SECRET),), printed="", given={})

DESCRIPTORS = """
import json, os
for number in range(3, 400):
    try:
        os.fstat(number)
    except OSError:
        continue
    for secret in SECRETS:
        for place in (0,):
            try:
                os.pwrite(number, REPORT(secret), place)
            except OSError:
                pass
"""

SEARCH_SECRET = """
import gc, json, os, sys
MARKS = []
for thing in gc.get_objects():
    if isinstance(thing, dict) and isinstance(thing.get("report"), str):
        MARKS.append(thing)
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if isinstance(value, dict) and isinstance(value.get("report"), str):
            MARKS.append(value)
    frame = frame.f_back
SECRETS = {"", "secret", *(marks["report"] for marks in MARKS)}
FORGED = {"object": "expected"}
STEP = {"returned": FORGED, "raised": None}
REPORT = lambda secret: json.dumps({"secret": secret, "steps": [STEP], "given": {}}).encode()
"""

FORGES_ALL = f"""
{SEARCH_SECRET}
def double(number):
    exec(DESCRIPTORS, globals())
    print(MARKS[0]["end"], flush=True)
    os._exit(0)
DESCRIPTORS = {DESCRIPTORS!r}
"""

FORGERS = {
    "writes a report with the true secret and prints the mark of the end": (
        FORGES_ALL,
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "writes reports with the true secret": (
        SEARCH_SECRET + DESCRIPTORS + "def double(number): os._exit(0)",
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "writes a report and exits while it is imported": (
        SEARCH_SECRET + DESCRIPTORS + "print(*SECRETS)\nprint(*SECRETS)\nos._exit(0)",
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "an endless report": (
        SEARCH_SECRET
        + """
REPORT = lambda secret: b'{"secret": "' + b"x" * 1_900_000
"""
        + DESCRIPTORS
        + "def double(number): os._exit(0)",
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "a deeply nested report": (
        SEARCH_SECRET
        + """
REPORT = lambda secret: b'{"secret": "%s", "given": {}, "steps": [{"raised": null, "returned": ' % secret.encode() + (
    b"[" * 500_000
)
"""
        + DESCRIPTORS
        + "def double(number): os._exit(0)",
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "a wide report": (
        SEARCH_SECRET
        + """
FORGED.clear()
FORGED["dict"] = [[number, number] for number in range(100_000)]
"""
        + DESCRIPTORS
        + "def double(number): os._exit(0)",
        {Verdict.WRONG_OUTPUT, Verdict.EXIT_STATUS},
    ),
    "a value with a wide tree": (
        "def double(number): return {n: str(n) for n in range(200_000)}",
        Verdict.EXIT_STATUS,
    ),
    "a value that contains itself": (
        "def double(number):\n    found = []\n    found.append(found)\n    return found",
        Verdict.WRONG_OUTPUT,
    ),
    "a value that equals everything": (
        """
class Anything(str):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __class__ = str
def double(number): return Anything("x")
""",
        Verdict.WRONG_OUTPUT,
    ),
    "other builtins": (
        """
import builtins
class Yes:
    __eq__ = lambda self, other: True
builtins.print = builtins.len = builtins.isinstance = builtins.type = builtins.compile = lambda *_, **__: Yes()
def double(number): return Yes()
""",
        {Verdict.WRONG_OUTPUT, Verdict.CRASH},
    ),
    "other modules": (
        """
import json, os, sys
json.dumps = lambda *_: '{"returned": true}'
sys.modules["json"] = sys.modules["os"] = sys.modules["traceback"] = None
def double(number): return 8
""",
        Verdict.EXIT_STATUS,
    ),
    "another writer": (
        """
import os
write = os.write
def double(number): return 8
os.write = lambda number, content: write(number, content.replace(b'"returned": 8', b'"returned": "x"'))
""",
        Verdict.WRONG_OUTPUT,
    ),
    "a writer of other words": (
        """
import os
write = os.write
def double(number): return 8
os.write = lambda number, content: write(number, b"8" * len(content))
""",
        Verdict.WRONG_OUTPUT,
    ),
    "a trace function": (
        """
import sys
def trace(frame, event, argument):
    if event == "return" and frame.f_code.co_name == "plain":
        frame.f_locals["value"] = "x"
    return trace
sys.settrace(trace); sys.setprofile(trace)
def double(number):
    return 8
""",
        Verdict.WRONG_OUTPUT,
    ),
    "an exit function": (
        """
import atexit, os
atexit.register(os._exit, 0)
def double(number): raise SystemExit(0)
""",
        Verdict.EXIT_STATUS,
    ),
    "exits at once": ("import os\nos._exit(0)", Verdict.EXIT_STATUS),
    "exits in the call": ("import os\ndef double(number): os._exit(0)", Verdict.EXIT_STATUS),
    "replaces the process": (
        "import os\ndef double(number): os.execv('/bin/echo', ['echo', 'done'])",
        Verdict.EXIT_STATUS,
    ),
    "a caller's frame": (
        """
import sys
def double(number):
    frame = sys._getframe(1)
    while frame:
        for name in frame.f_locals:
            if name in ("returned", "content", "request"):
                print(frame.f_locals[name])
        frame = frame.f_back
    return 8
""",
        Verdict.WRONG_OUTPUT,
    ),
}


@pytest.mark.parametrize("name", FORGERS)
def test_a_report_cannot_win(name: str, arena: Arena) -> None:
    """The child never learns what is expected, so a report that is forged is as good as a guess."""
    source, verdicts = FORGERS[name]
    spoils = arena.grade({"attack.py": source}, "call")
    result = spoils.result("call")
    wanted = verdicts if isinstance(verdicts, set) else {verdicts}
    assert result.verdict in wanted, (result.judgement, spoils.transcript("call")[-500:])
    assert SECRET not in spoils.transcript("call")
    in_a_fork = judge_call(result.test, call_of(result.test), TREASURE, spoils.outcomes["call", Isolation.FORK])
    assert in_a_fork.verdict in wanted, in_a_fork


def test_the_forgery_is_read_as_a_report(arena: Arena) -> None:
    """Otherwise the forgers would prove nothing."""
    spoils = arena.grade({"attack.py": FORGES_ALL}, "call")
    for isolation in Isolation:
        call = spoils.outcomes["call", isolation].call
        assert call is not None
        assert [step.returned for step in call.steps] == [{"object": "expected"}], isolation


ENDERS = {
    "exits with success": ("import os; os._exit(0)", Verdict.WRONG_OUTPUT),
    "exits in an exit function": ("import atexit, os; atexit.register(os._exit, 0); 1 / 0", Verdict.WRONG_OUTPUT),
    "hides its traceback": ("import sys; sys.excepthook = lambda *_: print('fine'); 1 / 0", Verdict.WRONG_OUTPUT),
    "other builtins": ("import builtins; builtins.input = builtins.print = builtins.exec = None", Verdict.WRONG_OUTPUT),
    "other modules": ("import sys; sys.modules.clear(); print(1)", Verdict.WRONG_OUTPUT),
    "a profile function": (
        "import sys; sys.setprofile(lambda *_: None); sys.settrace(lambda *_: None)",
        Verdict.WRONG_OUTPUT,
    ),
    "a thread that never ends": (
        "import threading, time; threading.Thread(target=time.sleep, args=(1000,)).start()",
        Verdict.TIMEOUT,
    ),
    "an exit function that never ends": ("import atexit, time; atexit.register(time.sleep, 1000)", Verdict.TIMEOUT),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", Verdict.CRASH),
    "a crash of the interpreter": ("import ctypes; ctypes.string_at(0)", Verdict.CRASH),
}


@pytest.mark.parametrize("name", ENDERS)
def test_an_end_that_is_not_the_program_s(name: str, arena: Arena) -> None:
    source, verdict = ENDERS[name]
    spoils = arena.grade({"attack.py": source}, "session")
    assert spoils.result("session").verdict is verdict, spoils.transcript("session")[-500:]
