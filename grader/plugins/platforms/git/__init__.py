"""Students' Git repositories, as GitHub Classroom clones them."""

from grader.intake.download_format import DownloadFormat, Evidence
from grader.platforms.platform import Platform
from grader.plugins.platforms.git.download import fits, read

PLATFORM = Platform(
    download=DownloadFormat(
        name="git", title="Git repositories", fits=fits, read=read, entry_is_student=True, evidence=Evidence.CONTENTS
    )
)
