"""The credit of `partial: repair`."""

from grader.grading.submission_step import CreditStep
from grader.plugins.locating.repairing.credit import credit

REPAIR = CreditStep(credit=credit)
