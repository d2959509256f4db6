"""The forms as exports of an assignment, which do not belong to a particular learning platform."""

from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform

PLATFORM = Platform(
    exports=(
        AutograderExport(
            name="request-mail",
            about="`request-mail.txt`: a mail template for regrade requests, for `grader requests`",
            build=LateFunction("grader.plugins.requests.forms:mail_form"),
        ),
        AutograderExport(
            name="request-issue",
            about="`request-issue.zip`: a form for issues on GitHub, Forgejo and GitLab",
            build=LateFunction("grader.plugins.requests.forms:issue_form"),
        ),
        AutograderExport(
            name="request-moodle",
            about="`request-moodle.txt`: the questions for a Feedback activity in Moodle",
            build=LateFunction("grader.plugins.requests.forms:moodle_form"),
        ),
    ),
)
