"""The verdicts, most serious first."""

from enum import StrEnum


class Verdict(StrEnum):
    """What came of a test. `internal-error` is ours: it costs no mark and the test must be rerun."""

    INTERNAL_ERROR = "internal-error"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory-limit"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    EXIT_STATUS = "exit-status"
    WRONG_OUTPUT = "wrong-output"
    BUILD_ERROR = "build-error"
    MISSING_FILE = "missing-file"
    PASSED = "passed"
