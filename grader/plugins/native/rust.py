"""The language Rust, built by rustc."""

from pathlib import PurePath

from grader.run.language import Arguments, Language


class Rust(Language):
    """Rust."""

    name = "Rust"
    tools = ("rustc",)

    def build_command(self, file: str, flags: Arguments) -> Arguments:
        """Return the command that builds the file."""
        return ("rustc", *flags, "-o", PurePath(file).stem, file)
