"""C++, which g++ builds."""

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
    # It comes first: it must not meet the macros of a program, and pragmas of a program change how values are laid out.
    first = "grader_calls.hpp"
    options = ("-fexceptions",)

    def value_call(self, line: str, text: str) -> Iterable[str]:
        """Return the call in a function, which reports its value or exception."""
        return ("    grader_::call_([&] { grader_::end_(((", line, text, OWN_PLACE, "    ), grader_::Call_())); });")
