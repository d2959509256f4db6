"""Small programs, by name and topic, that show how they are run; see test_faithful.

A line `# file: NAME` in a source begins another file beside the program.
"""

from tests.run.faithful import at_exit, endings, imports, machine, main_module, streams, tracebacks

PROGRAMS = {
    **endings.PROGRAMS,
    **tracebacks.PROGRAMS,
    **main_module.PROGRAMS,
    **imports.PROGRAMS,
    **streams.PROGRAMS,
    **at_exit.PROGRAMS,
    **machine.PROGRAMS,
}
