"""CodeGrade: the messages of a Custom Test in its AutoTest V2."""

from grader.model.option import LateFunction
from grader.platforms.platform import Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="codegrade",
            about="`codegrade/STUDENT.jsonl`: the messages of a Custom Test in CodeGrade's AutoTest V2",
            suffix=".jsonl",
            needs_mark=True,
            holds_origin=False,
            renderer=without_options(LateFunction("grader.plugins.platforms.codegrade.messages:codegrade_messages")),
        ),
    ),
)
