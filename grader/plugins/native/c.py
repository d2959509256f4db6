"""The language C, built by gcc."""

from collections.abc import Iterable, Iterator

from grader.plugins.native.c_family import OWN_PLACE, STRICT, CFamily


class C(CFamily):
    """C, where a call that matches no declaration is an error in tests."""

    name = "C"
    tools = ("gcc",)
    end = ".c"
    has_exceptions = False
    support = (
        ("grader_calls.h", "calls.h"),
        ("grader_calls_write.h", "write.h"),
        ("grader_calls_report.h", "report.h"),
    )
    first = "grader_calls_write.h"
    options = ("-Wno-error=missing-prototypes",)

    def preamble(self) -> Iterator[str]:
        """Yield the reporting code, and the warnings that count as errors."""
        yield '#include "grader_calls.h"'
        yield from (f'#pragma GCC diagnostic error "-W{kind}"' for kind in STRICT)

    def value_call(self, line: str, text: str) -> Iterable[str]:
        """Return the call in a macro, which reports its value."""
        return (line, f"GRADER_CALL_({text});", OWN_PLACE)
