"""A terminal with a screen: unlike the one for lines, it has the stated size and the keys that a person's has."""

import fcntl
import struct
import termios

from grader.run.process.terminal import Terminal

_SPECIAL_KEYS = {
    "VINTR": b"\x03",
    "VQUIT": b"\x1c",
    "VERASE": b"\x7f",
    "VKILL": b"\x15",
    "VWERASE": b"\x17",
    "VREPRINT": b"\x12",
    "VEOF": b"\x04",
    "VLNEXT": b"\x16",
}
"""The keys that edit a line or send a signal, as on any terminal. The key that suspends a program is left out, because
nobody could resume it.
"""


class ScreenTerminal(Terminal):
    """A fresh pseudo-terminal of `rows` and `columns`. Use it as a context manager, which closes both ends on exit."""

    def __init__(self, rows: int, columns: int) -> None:
        """Open the terminal. Raises SessionError if the machine has no pseudo-terminal left."""
        super().__init__(echo=True)
        attributes = termios.tcgetattr(self.program_fd)
        attributes[0] |= termios.ICRNL
        attributes[1] |= termios.OPOST | termios.ONLCR
        attributes[3] |= termios.ISIG | termios.ECHOE | termios.ECHOK | termios.ECHOCTL
        for name, key in _SPECIAL_KEYS.items():
            attributes[6][getattr(termios, name)] = key
        termios.tcsetattr(self.program_fd, termios.TCSANOW, attributes)
        fcntl.ioctl(self.program_fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _without_returns(self, text: str) -> str:
        """Return the text as it is, because carriage returns move the cursor."""
        return text

    def _let_text_be_data(self) -> None:
        """Leave the terminal as the program has set it up."""
