"""The finders of the grader, without those that look at cards and tables."""

from grader.judge.causes.diagnose import CORE_FINDERS
from grader.judge.evidence import CauseFinder
from grader.plugins.content_causes.family import CONTENT

FINDERS: tuple[CauseFinder, ...] = (
    *CORE_FINDERS,
    *(finder for finders in CONTENT.before.values() for finder in finders),
)
