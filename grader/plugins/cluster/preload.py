"""Imported ahead of everything by the process that the workers on this machine are forked from.

Ctrl-C, which a terminal sends to all processes of a command, is for the one that coordinates: from here on this process
and its forks do nothing on SIGINT. It is not ignored, which the programs under test would inherit.
"""

import signal

signal.signal(signal.SIGINT, lambda *_: None)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
