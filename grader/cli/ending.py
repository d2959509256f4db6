"""Makes SIGTERM and SIGHUP end a command like an error: programs are killed and temporary files removed.

Ctrl-C is Python's own KeyboardInterrupt. All of these signals reach the main thread even while it waits.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_SHELLS_ADD = 128
"""The number that shells add to a signal to form an exit status."""

_SECONDS_TO_WAKE = 0.05


class EndedBySignal(SystemExit):
    """A signal ended the command; the exit code is the one shells use."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise EndedBySignal in the main thread when such a signal arrives; call this from the main thread.

    A signal that was already ignored when the command started, for example under `nohup`, is still ignored.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handled_signals = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _frame: FrameType | None) -> None:
        for handled in handled_signals:
            signal.signal(handled, signal.SIG_IGN)
        # Write without the stream, which may be in the middle of printing, and allow for a closed terminal.
        with suppress(OSError):
            os.write(2, f"Ended by {signal.Signals(number).name}.\n".encode())
        raise EndedBySignal(_SHELLS_ADD + number)

    for handled in handled_signals:
        signal.signal(handled, end)
    try:
        with _woken_by_signals():
            yield
    finally:
        for handled in handled_signals:
            signal.signal(handled, signal.SIG_DFL)


def go_on_ending(error: BaseException | None) -> None:
    """Raise the signal's exception if `error` came after it, because errors during clean-up no longer matter."""
    while error is not None:
        if isinstance(error, EndedBySignal):
            raise error
        error = error.__context__


@contextmanager
def _woken_by_signals() -> Iterator[None]:
    """Make the main thread act on every signal, even while it is blocked; call this from the main thread.

    A signal that arrives in another thread, or just before the main thread waits for a lock, does not end that wait. A
    second signal, which has no meaning of its own, ends the wait.
    """
    if not hasattr(signal, "pthread_kill"):
        yield
        return
    main, woken = threading.get_ident(), threading.Event()
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)

    def wake() -> None:
        while number := os.read(read_end, 1):
            woken.clear()
            while number[0] != signal.SIGURG and not woken.wait(_SECONDS_TO_WAKE):
                signal.pthread_kill(main, signal.SIGURG)

    handler = signal.signal(signal.SIGURG, lambda *_: woken.set())
    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    thread = threading.Thread(target=wake, name="signals", daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(write_end)
        thread.join()
        os.close(read_end)
        signal.signal(signal.SIGURG, handler)
