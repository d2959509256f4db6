"""The `grader` command, also as `python -m grader`."""

import atexit
import gc
import os
import sys

_OBJECTS_BETWEEN_COLLECTIONS = 100_000


class _QuickEnd:
    """Ends the process before Python's own clean-up, which would take a fifth of the time of a check."""

    def __init__(self) -> None:
        self.status: int | None = None

    def __call__(self) -> None:
        """Exit at once if the command set an exit status and all its output can be written."""
        if self.status is None:
            return
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(self.status)


def main() -> None:
    """Run the command line."""
    end = _QuickEnd()
    # Registered before anything else is imported, so that it runs after all other exit handlers.
    atexit.register(end)
    # Modules and their classes live as long as the command, and garbage collection would take a third of the start-up
    # time.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    from grader.cli.main import main as run_command_line

    try:
        run_command_line()
    except SystemExit as exit_:
        if isinstance(exit_.code, int):
            end.status = exit_.code & 0xFF
        raise


# The worker processes of a cluster on this machine import this module too, under a different name.
if __name__ == "__main__":
    main()
