"""The `grader` command, also as `python -m grader`."""

import gc

_OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main() -> None:
    """Run the command line."""
    # Modules and their classes live as long as the command: to look for garbage among them is a third of its start.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    from grader.cli.main import main as run_command_line

    run_command_line()


# The worker processes of a cluster on this machine import this module too, under another name.
if __name__ == "__main__":
    main()
