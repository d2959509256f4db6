"""Checks that an export takes the options that are given."""

from dataclasses import fields

from grader.platforms import exports
from grader.platforms.platform import ClassExport, DeliveryExport, Export, ExportError, ExportOptions, StudentExport


def check_options(export: ClassExport | StudentExport | DeliveryExport, options: ExportOptions) -> None:
    """Raise ExportError for an option that `export` does not take."""
    for field in fields(options):
        if getattr(options, field.name) is not None and field.name not in export.options:
            takers = ", ".join(name for name, export_taken in exports().items() if _takes(export_taken, field.name))
            raise ExportError(f"--{field.name.replace('_', '-')} is for {takers}, not for {export.name}.")


def _takes(export: Export, option: str) -> bool:
    return isinstance(export, ClassExport | StudentExport | DeliveryExport) and option in export.options
