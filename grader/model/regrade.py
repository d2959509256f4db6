"""Students' regrade requests, and the answers."""

from dataclasses import dataclass
from enum import StrEnum

from grader.text.sentence import Sentence, say


class RequestState(StrEnum):
    """The state of a request: open, answered or declined."""

    OPEN = "open"
    ANSWERED = "answered"
    DECLINED = "declined"


@dataclass(frozen=True, kw_only=True)
class RegradeRequest:
    """A student's request; `about` is a test, item or rule, or None for the whole mark.

    `answer` goes to the student and was given `by` a person; both are empty while the request is open.
    """

    id: str
    student: str
    about: str | None
    text: str
    state: RequestState = RequestState.OPEN
    answer: str = ""
    by: str = ""

    @property
    def words(self) -> Sentence:
        """A sentence about the state of the request, without the answer."""
        match self.state:
            case RequestState.OPEN:
                return say("not answered yet")
            case RequestState.ANSWERED:
                return say("answered by {name}", name=self.by)
            case RequestState.DECLINED:
                return say("declined by {name}", name=self.by)
