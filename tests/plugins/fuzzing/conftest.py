"""The course with a game of moves."""

from tests.authoring.conftest import moves_course as moves_course
