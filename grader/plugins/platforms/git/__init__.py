"""Git repositories of students, as GitHub Classroom clones them."""

from grader.platforms.platform import Platform
from grader.plugins.platforms.git.download import DOWNLOAD_FORMAT

PLATFORM = Platform(download=DOWNLOAD_FORMAT)
