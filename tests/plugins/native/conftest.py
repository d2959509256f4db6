"""The fixtures that run one program."""

from tests.run.conftest import interpreter, session

__all__ = ["interpreter", "session"]
