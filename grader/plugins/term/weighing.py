"""Computes the totals of a term from weights, and from groups in which only the best members count.

Shares are exact fractions of full marks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Component:
    """Assignments that count together: the mean of the `best` members that count for a student."""

    id: str
    weight: Fraction
    members: tuple[str, ...]
    best: int

    def number(self, counting: int) -> int:
        """Return how many shares form the mean if `counting` members count for a student."""
        return min(self.best, counting)

    def chosen(self, shares: Mapping[str, Fraction]) -> tuple[str, ...]:
        """Return the members that form the mean; among equals, the earlier ones."""
        of_members = [member for member in self.members if member in shares]
        ranked = sorted(of_members, key=lambda member: shares[member], reverse=True)
        return tuple(ranked[: self.number(len(of_members))])

    def share(self, shares: Mapping[str, Fraction]) -> Fraction | None:
        """Return the mean, or None if no member counts."""
        chosen = self.chosen(shares)
        return mean(shares[member] for member in chosen) if chosen else None


def total_share(components: Sequence[Component], shares: Mapping[str, Fraction]) -> Fraction | None:
    """Return the share of everything that counts for a student. Parts that do not count do not have any weight."""
    counting = [(component.weight, component.share(shares)) for component in components]
    weighed = [(weight, share) for weight, share in counting if share is not None]
    if not weighed:
        return None
    return sum((weight * share for weight, share in weighed), Fraction(0)) / sum(weight for weight, _ in weighed)


def mean(values: Iterable[Fraction]) -> Fraction:
    """Return the exact mean of at least one value."""
    all_values = tuple(values)
    return sum(all_values, Fraction(0)) / len(all_values)
