"""The language JavaScript, run by Node without a build."""

from grader.run.language import Arguments, Language


class JavaScript(Language):
    """JavaScript."""

    name = "JavaScript"
    tools = ("node",)

    def run_command(self, file: str) -> Arguments:
        """Return the command that runs the file."""
        return ("node", file)
