"""The course with secrets, and its bundle."""

from tests.selfcheck.conftest import bundle as bundle
from tests.selfcheck.conftest import secret_course as secret_course
