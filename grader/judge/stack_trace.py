"""Reads uncaught errors of Java, Node, Rust, C++ and C programs."""

import re

from grader.judge.traceback import Traceback, find_traceback, first_traceback, start_of_chain
from grader.model.interaction import is_repl
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.text.sentence import Sentence, say

# The last report explains why the program ended; the program may have printed others before.
_MAX_READ = 100_000
_LONGEST = 120
_STATUSES = (1, 120)
_JAVA = re.compile(r'Exception in thread "[^"\n]*" (?P<error>[\w.$]+)(?:: (?P<message>.*))?$', re.M)
_JAVA_FRAME = re.compile(r"^\tat (?P<module>[\w.]+(?:@[\w.]+)?/)?\S+\((?P<file>\w+\.java):(?P<line>\d+)\)$", re.M)
# Search for file names only at the start of a word, because otherwise a long line would take quadratic time.
_NODE_PLACE = re.compile(r"(?<![^\s:])(?:file://)?(?P<file>[^\s:]+):(?P<line>\d+)\n(?P<code>.*)\n *\^+ *\n")
_NODE_ERROR = re.compile(r"^(?:Uncaught )?(?P<error>[A-Z]\w*)(?: \[\w+\])?(?:: (?P<message>.*))?$", re.M)
_NODE_FRAME = re.compile(r"^    at (?:.*\()?(?:file://)?(?P<file>[^\s():<>]+):(?P<line>\d+):\d+\)?$", re.M)
_RUST = re.compile(
    r"thread '[^'\n]*' (?:\(\d+\) )?panicked at (?:'(?P<before>(?:[^\n]|\n(?!note: ))*)', )?"
    r"(?P<file>[^\s:]+):(?P<line>\d+):\d+:?(?:\n(?P<after>.*))?"
)
_TERMINATED = re.compile(
    r"terminate called after throwing an instance of '(?P<error>[^'\n]+)'(?:\n  what\(\):  (?P<message>.*))?"
)
# The text before the word "Assertion" contains the program's name, the location and the function.
_LONGEST_PLACE = 2_000
_ASSERTION = re.compile(
    r"(?<![^\s:])(?P<file>[^\s:]+):(?P<line>\d+): [^\n]*: Assertion `(?P<condition>[^\n]*)' failed\.$", re.M
)
_NOT_LOADED = re.compile(
    r"^Error: Could not find or load main class (?P<name>\S+)\n"
    r"Caused by: java\.lang\.(?:NoClassDefFoundError: \S+ \(wrong name: (?P<path>\S+)\)|ClassNotFoundException: )",
    re.M,
)
_NO_MAIN = re.compile(
    r"^Error: Main method (?:(?P<static>is not static)|(?P<void>must return a value of type void)|not found)"
    r" in class (?P<name>[^\s,]+),",
    re.M,
)


def traceback_of(test: Test, output: str) -> Traceback | None:
    """Return the last uncaught error as reported by the program's language."""
    trace = None if test.recipe is None else find_stack_trace(output)
    return trace or find_traceback(output, test.program, test.provided)


def telling_traceback(test: Test, output: str) -> Traceback | None:
    """Return the traceback that explains the failure, which is the last one.

    Python's prompt continues after a failure, so there the first traceback causes later ones.
    """
    if is_repl(test.interaction):
        return first_traceback(output, test.program, 0, test.provided)
    return traceback_of(test, output)


def may_end_by_error(test: Test, outcome: Outcome) -> bool:
    """Return whether the program ended the way an uncaught error ends it, even if it reported the error itself.

    Python exits with status 1, or 120 if its last output could not be written; other programs exit with any status
    except 0.
    """
    if outcome.ending is not Termination.EXITED:
        return outcome.ending is Termination.SIGNALLED
    return outcome.exit_code in _STATUSES if test.recipe is None else outcome.exit_code != 0


def start_of_crash_report(test: Test, output: str) -> int:
    """Return the position of the last uncaught error's report, or the length of `output`."""
    trace = traceback_of(test, output)
    return len(output) if trace is None else start_of_chain(output, trace.offset)


def find_stack_trace(output: str) -> Traceback | None:
    """Return the last uncaught error reported at the end of `output`."""
    cut = max(len(output) - _MAX_READ, 0)
    readers = _java, _java_launcher, _node, _rust, _cplusplus, _assertion
    traces = [trace for read in readers if (trace := read(output[cut:], cut))]
    return max(traces, key=lambda trace: trace.offset, default=None)


def _java(text: str, cut: int) -> Traceback | None:
    start = text.rfind('Exception in thread "')
    match = _JAVA.match(text, start) if start >= 0 else None
    if match is None:
        return None
    frame = next(
        (candidate for candidate in _JAVA_FRAME.finditer(text, match.end()) if candidate["module"] is None), None
    )
    error = match["error"].rpartition(".")[2]
    return _trace(cut + start, error, match["message"], (frame["file"], frame["line"]) if frame else None)


def _node(text: str, cut: int) -> Traceback | None:
    end = text.rfind("\nNode.js v")
    places = [*_NODE_PLACE.finditer(text, 0, end)] if end >= 0 else []
    # A line of code may contain text that looks like a location.
    place = places[-1] if places else None
    error = _NODE_ERROR.search(text, place.end(), end) if place else None
    if place is None or error is None:
        return None
    frame = _NODE_FRAME.search(text, error.end(), end)
    compiling = error["error"] == "SyntaxError" and frame is None
    source = frame if frame and (frame["file"], frame["line"]) != (place["file"], place["line"]) else place
    code = place["code"].strip() if source is place else ""
    where = (source["file"], source["line"])
    return _trace(cut + place.start(), error["error"], error["message"], where, code=code, compiling=compiling)


def _rust(text: str, cut: int) -> Traceback | None:
    start = text.rfind("thread '", 0, max(text.rfind("' panicked at "), text.rfind(") panicked at ")) + 1)
    match = _RUST.match(text, start) if start >= 0 else None
    if match is None:
        return None
    message = match["after"] if match["before"] is None else match["before"]
    # A panic inside the library itself names a line in the library.
    place = None if match["file"].startswith("/") else (match["file"], match["line"])
    return _trace(cut + start, say("a panic"), message, place)


def _cplusplus(text: str, cut: int) -> Traceback | None:
    start = text.rfind("terminate called after throwing an instance of '")
    match = _TERMINATED.match(text, start) if start >= 0 else None
    return None if match is None else _trace(cut + start, match["error"], match["message"], place=None)


def _assertion(text: str, cut: int) -> Traceback | None:
    last = text.rfind(": Assertion `")
    start = max(text.rfind("\n", 0, max(last, 0)) + 1, last - _LONGEST_PLACE)
    match = _ASSERTION.search(text, start) if last >= 0 else None
    if match is None:
        return None
    message = say("{condition} does not hold", condition=f"`{match['condition'][:_LONGEST]}`")
    return _trace(cut + match.start(), say("a failed assertion"), message, (match["file"], match["line"]))


def _java_launcher(text: str, cut: int) -> Traceback | None:
    """Return the reason why Java cannot start the given class."""
    start = text.rfind("Error: Could not find or load main class ")
    if start >= 0 and (match := _NOT_LOADED.match(text, start)):
        message = _why_not_loaded(match["name"], match["path"])
    else:
        start = text.rfind("Error: Main method ")
        match = _NO_MAIN.match(text, start) if start >= 0 else None
        if match is None:
            return None
        message = _why_not_started(match)
    return _trace(cut + start, say("an error of the Java launcher"), message, place=None)


def _why_not_loaded(name: str, path: str | None) -> Sentence:
    name = name[:_LONGEST]
    if path is None:
        return say("there is no class {name}; the class must have the name of its file", name=name)
    package = path.rpartition("/")[0].replace("/", ".")
    if not package:
        return say("the class is called {found}, not {name}", found=path[:_LONGEST], name=name)
    line = f"`package {package[:_LONGEST]};`"
    return say("the file of the class {name} has the line {line}; remove that line", name=name, line=line)


def _why_not_started(match: re.Match[str]) -> Sentence:
    name = match["name"][:_LONGEST]
    if match["static"]:
        return say("the method `main` of the class {name} is not `static`", name=name)
    if match["void"]:
        return say("the method `main` of the class {name} returns a value; it must be `void`", name=name)
    return say("the class {name} has no method `public static void main(String[] args)`", name=name)


def _trace(
    offset: int,
    error: str,
    message: str | None,
    place: tuple[str, str] | None,
    *,
    code: str = "",
    compiling: bool = False,
) -> Traceback:
    shown_message = message if isinstance(message, Sentence) else _shortened((message or "").strip().split("\n", 1)[0])
    return Traceback(
        offset=offset,
        error=error if len(error) <= _LONGEST else error[:_LONGEST],
        message=shown_message,
        file=place[0] if place else "",
        line=int(place[1][:9]) if place else None,
        code=code[:_LONGEST],
        compiling=compiling,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
