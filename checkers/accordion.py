"""The checker `accordion`, which judges Accordion solitaire; accordion_solver does the work."""

from accordion_solver.check import check

__all__ = ["check"]
