"""What a program must print and how it must end, in a test that starts it."""

from grader.config.yaml_writer import Writable
from grader.importers.tested.oracles import OracleFiles, UnsaidError, is_plain
from grader.importers.tested.read_yaml import FILE_MARK
from grader.importers.tested.suite import ExpectedText, Step

_NOTHING = ExpectedText(text="")


def judged_output(step: Step, oracles: OracleFiles) -> dict[str, Writable]:
    """The keys that say what must be printed. Where a suite says nothing, nothing may be. Raises UnsaidError."""
    if step.error is not None:
        raise UnsaidError("an exception that ends the program is a crash here")
    stdout, stderr = step.stdout or _NOTHING, step.stderr or _NOTHING
    if stderr.oracle or any(one.text.startswith(FILE_MARK) for one in (stdout, stderr)):
        raise UnsaidError("its text is in a file, or judged by an oracle on standard error")
    if stdout.oracle is not None:
        return oracles.keys(stdout.oracle, repr(stdout.text))
    if is_plain(stdout) and is_plain(stderr) and not stderr.text:
        return {"expected": stdout.text, "compare_stderr": True}
    return oracles.comparing({"stdout": stdout, "stderr": stderr})


def ended_otherwise(step: Step) -> dict[str, Writable]:
    """The exit status, which does not count where a suite says nothing of it."""
    if step.exit_status is None:
        return {"exit_status": "any"}
    return {"exit_status": str(step.exit_status)} if step.exit_status else {}
