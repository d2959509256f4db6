"""Imported before anything else by the process from which the workers on this machine are forked.

A terminal sends Ctrl-C to all processes of a command, but only the coordinator should react: from here on, this process
and its forks do nothing on SIGINT. SIGINT is not ignored outright, because the programs under test would inherit that.
"""

import signal

signal.signal(signal.SIGINT, lambda *_: None)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
