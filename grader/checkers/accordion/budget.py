"""How long a search may take."""

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """A time on the clock of the processor at which to give up; waiting for the processor costs nothing."""

    ends: float

    @classmethod
    def of(cls, seconds: float) -> "Budget":
        """A budget of so many seconds from now."""
        return cls(time.process_time() + seconds)

    def is_spent(self) -> bool:
        """Whether it is time to give up."""
        return time.process_time() >= self.ends
