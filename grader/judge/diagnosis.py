"""The result of a diagnosis."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    """Why a test did not pass: the name of a cause in docs/diagnoses.md, and one plain sentence."""

    cause: str
    sentence: str
