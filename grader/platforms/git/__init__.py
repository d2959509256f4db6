"""Git repositories of students, as GitHub Classroom clones them."""

from grader.platforms.git.download import DOWNLOAD_FORMAT
from grader.platforms.platform import Platform

PLATFORM = Platform(download=DOWNLOAD_FORMAT)
