"""The verdicts, most serious first."""

from enum import StrEnum


class Verdict(StrEnum):
    """What came of a test. `internal-error` is ours: it costs no mark and the test must be rerun."""

    INTERNAL_ERROR = "internal-error"
    TIMEOUT = "timeout"
    CPU_LIMIT = "cpu-limit"
    MEMORY_LIMIT = "memory-limit"
    PROCESS_LIMIT = "process-limit"
    FILE_LIMIT = "file-limit"
    OPEN_FILES_LIMIT = "open-files-limit"
    OUTPUT_LIMIT = "output-limit"
    CRASH = "crash"
    EXIT_STATUS = "exit-status"
    WRONG_OUTPUT = "wrong-output"
    BUILD_ERROR = "build-error"
    MISSING_FILE = "missing-file"
    PASSED = "passed"
