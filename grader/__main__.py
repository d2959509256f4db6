"""What `python -m grader` runs."""

from grader.cli.main import main

# The worker processes of a cluster on this machine import this module too, under another name.
if __name__ == "__main__":
    main()
