"""The language C++, built by g++."""

from collections.abc import Iterable

from grader.plugins.native.c_family import OWN_PLACE, CFamily


class CPlusPlus(CFamily):
    """C++."""

    name = "C++"
    tools = ("g++",)
    end = ".cpp"
    support = (
        ("grader_calls.hpp", "calls.hpp"),
        ("grader_calls_write.h", "write.h"),
        ("grader_calls_report.h", "report.h"),
    )
    # It comes first, because a program's macros must not affect it, and its pragmas change the layout of values.
    first = "grader_calls.hpp"
    options = ("-fexceptions",)

    def value_call(self, line: str, text: str) -> Iterable[str]:
        """Return the call in a function, which reports its value or exception."""
        return ("    grader_::call_([&] { grader_::end_(((", line, text, OWN_PLACE, "    ), grader_::Call_())); });")
