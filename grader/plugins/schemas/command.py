"""The command `grader schema`."""

import sys
from pathlib import Path

import click

from grader.cli.options import PATH


@click.command()
@click.argument(
    "kind", required=False, help="The kind: assignment, tests, audit, extensions, marks, overrides and so on."
)
@click.option(
    "--output",
    type=PATH,
    metavar="FOLDER",
    default=Path("schemas"),
    help="Without KIND: the folder to write all schemas to.",
)
def schema(*, kind: str | None, output: Path) -> None:
    """Print the JSON Schema of a kind of YAML file. Without a kind, write all schemas to a folder, for editors."""
    from grader.plugins.schemas.api import schema as schema_text
    from grader.plugins.schemas.api import schema_file, write_schemas

    if kind is not None:
        sys.stdout.write(schema_text(kind))
        return
    written = write_schemas(output)
    print(f"{len(written)} schemas are in {output}. The first line of a tests file, for editors:")
    print(f"# yaml-language-server: $schema=../../../{output.name}/{schema_file('tests')}")
