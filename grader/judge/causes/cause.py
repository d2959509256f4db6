"""The result of a diagnosis."""

from enum import StrEnum


class Cause(StrEnum):
    """The catalogue of causes, explained to students in docs/diagnoses.md."""

    INTERNAL_ERROR = "internal-error"
    CANCELLED = "cancelled"
    UNDECIDED = "undecided"
    OVERRIDE = "override"
    MISSING_FILE = "missing-file"
    BUILD_ERROR = "build-error"
    IMPORT_ASKS_FOR_INPUT = "import-asks-for-input"
    IMPORT_PRINTS = "import-prints"
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output-limit"
    CPU_LIMIT = "cpu-limit"
    MEMORY_LIMIT = "memory-limit"
    PROCESS_LIMIT = "process-limit"
    FILE_LIMIT = "file-limit"
    OPEN_FILES_LIMIT = "open-files-limit"
    SYNTAX_ERROR = "syntax-error"
    CRASH = "crash"
    SIGNAL = "signal"
    PRINTED_TRACEBACK = "printed-traceback"
    NO_OUTPUT = "no-output"
    PROMPT = "prompt"
    DOUBLED_ECHO = "doubled-echo"
    ASKS_AT_ANOTHER_TIME = "asks-at-another-time"
    KEEPS_READING = "keeps-reading"
    INPUT_LEFT = "input-left"
    STOPS_EARLY = "stops-early"
    GOES_ON = "goes-on"
    EMPTY_LINE = "empty-line"
    LAST_LINE_END = "last-line-end"
    JOINED_LINES = "joined-lines"
    SPLIT_LINE = "split-line"
    DOUBLED_LINES = "doubled-lines"
    MISSING_LINE = "missing-line"
    EXTRA_LINE = "extra-line"
    ORDER = "order"
    TRAILING_BLANKS = "trailing-blanks"
    BLANKS = "blanks"
    TABS = "tabs"
    CASE = "case"
    VARIATION_SELECTOR = "variation-selector"
    INVISIBLE_CHARACTER = "invisible-character"
    CARRIAGE_RETURN = "carriage-return"
    COLOUR = "colour"
    LOOK_ALIKE = "look-alike"
    COMPOSITION = "composition"
    ENCODING = "encoding"
    WRONG_DEAL = "wrong-deal"
    NUMBER = "number"
    SYMBOL = "symbol"
    LINE_CUT_SHORT = "line-cut-short"
    LINE_TOO_LONG = "line-too-long"
    TEXT = "text"
    EXIT_STATUS = "exit-status"
    RETURNED = "returned"
    GIVEN = "given"
    ENDS_PROGRAM = "ends-program"
    CHECKER = "checker"
    SEALED = "sealed"


OF_CONTENT = frozenset(
    {
        Cause.ASKS_AT_ANOTHER_TIME,
        Cause.INPUT_LEFT,
        Cause.KEEPS_READING,
        Cause.STOPS_EARLY,
        Cause.GOES_ON,
        Cause.MISSING_LINE,
        Cause.EXTRA_LINE,
        Cause.ORDER,
        Cause.NUMBER,
        Cause.SYMBOL,
        Cause.LINE_CUT_SHORT,
        Cause.LINE_TOO_LONG,
        Cause.TEXT,
    }
)
"""The causes that a rule of the handout may explain: what is printed is wrong, not how it is written."""
