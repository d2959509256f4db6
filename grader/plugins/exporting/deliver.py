"""Sends the marks of a class to a learning platform through its API."""

from dataclasses import replace
from pathlib import Path

from grader.api.request import FilePath
from grader.model.results import ClassResult
from grader.platforms.platform import Delivery, DeliveryExport, DeliveryPlanner, ExportError, ExportOptions
from grader.plugins.exporting.export_options import check_options
from grader.plugins.exporting.formats import export_format
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import LoggedRun, record
from grader.store.origin import origin_of


def is_delivery(name: str) -> bool:
    """Return whether this export is sent to the platform instead of written. Raises GraderError for an unknown name."""
    return isinstance(export_format(name), DeliveryExport)


def delivery_planner(name: str, options: ExportOptions) -> DeliveryPlanner:
    """Return the function that plans a delivery of this name. Raises ExportError if an option is missing or wrong."""
    chosen = export_format(name)
    if not isinstance(chosen, DeliveryExport):
        raise ExportError(f"{name} is written, not sent to the platform.")
    check_options(chosen, options)
    return chosen.planner(options)


def deliver(graded: ClassResult, delivery: Delivery, reports: FilePath, run: LoggedRun) -> tuple[str, ...]:
    """Record the marks in the audit log of `reports` under `run`, and send them.

    Return a sentence for each student whose mark did not arrive. Raises ExportError.
    """
    delivered = replace(graded, rows=tuple(row for row in graded.rows if row.student in delivery.students))
    # The log is written first, so that it contains every mark that was sent.
    record(Path(reports) / AUDIT_LOG, delivered, origin_of(graded.assignment), run)
    return delivery.send()
