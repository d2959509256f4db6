"""What a program has as standard input, output and errors when there is no terminal."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Streams:
    """Descriptors of ours; the program gets copies of them."""

    stdin: int
    stdout: int
    stderr: int

    @property
    def descriptors(self) -> tuple[int, int, int]:
        """All three, in the order of their numbers in the program."""
        return self.stdin, self.stdout, self.stderr
