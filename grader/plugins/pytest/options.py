"""A pytest plugin: `pytest --submission PATH` runs the tests of an assignment as pytest tests.

Without that option it does nothing, and imports nothing either.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: "pytest.Parser") -> None:
    """Add the options."""
    group = parser.getgroup("grader", "tests of an assignment (grader)")
    group.addoption(
        "--submission",
        metavar="PATH",
        dest="grader_submission",
        help="run the public tests on this program, or folder with programs",
    )
    group.addoption(
        "--assignment",
        metavar="ID",
        dest="grader_assignment",
        help="the assignment; default: based on the file names",
    )
    group.addoption("--hidden", action="store_true", dest="grader_hidden", help="run the hidden tests too")


def pytest_configure(config: "pytest.Config") -> None:
    """Take part only if there is a submission."""
    if config.getoption("grader_submission") is not None:
        from grader.plugins.pytest.items import SubmissionPlugin

        config.pluginmanager.register(SubmissionPlugin(config), "grader-submission")
