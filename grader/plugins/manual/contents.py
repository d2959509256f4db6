"""The order of the manual's pages, on its site and in `grader docs`."""

from grader.plugins.manual.door import Door

_WRITE = (
    *("new-assignment", "differences", "expect", "functions", "repl-and-commands", "checkers", "interactors"),
    *("c-with-make", "languages", "partial-credit", "code-rules", "own-tests", "good-tests"),
)
_GRADE = ("late-days", "teams", "marking", "appeals", "similarity", "term", "python")
_CONNECT = ("platforms", "move", "self-check", "ci", "department", "privacy")

DOORS = (
    Door("Start", "start", {"": ("install", "first-class", "students")}),
    Door("Guides", "guides", {"Write tests": _WRITE, "Grade and mark": _GRADE, "Set up and integrate": _CONNECT}),
    Door("Concepts", "concepts", {"": ("from-test-to-mark", "when-input-is-typed", "sandbox", "fairness")}),
    Door("Reference", "reference", {"": ("index", "causes", "results", "python", "checker-protocol", "plugins")}),
    Door(
        "About",
        "about",
        {"": ("comparison", "architecture", "dependencies", "security", "contributing", "benchmarks", "changes")},
    ),
)
"""The parts of the manual in the order of the site. Pages that do not exist yet are skipped."""
