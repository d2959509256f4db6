"""The last step to a mark.

What lateness does to a mark. Nothing here is stored: marks are computed anew for every report.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from grader.marks.penalty import LatePenalty, penalty, started_days, started_hours
from grader.model.mark import NO_ALLOWANCE, LateAllowance, Mark
from grader.model.policy import LatePolicy, Rounding, RoundingMode
from grader.text.words import duration_words, format_decimal, lateness_words, pluralize

_MODES = {
    RoundingMode.HALF_UP: ROUND_HALF_UP,
    RoundingMode.HALF_EVEN: ROUND_HALF_EVEN,
    RoundingMode.UP: ROUND_CEILING,
    RoundingMode.DOWN: ROUND_FLOOR,
}


def rounded(mark: Decimal, full: Decimal, rounding: Rounding | None) -> Decimal:
    """`mark` as the rule says, but never more than the `full` mark; without a rule it stays exact."""
    if rounding is None:
        return mark
    return min(mark.quantize(Decimal(1).scaleb(-rounding.places), _MODES[rounding.mode]), full)


_DAY = timedelta(days=1)


_NOTHING = timedelta(0)


@dataclass(frozen=True)
class _Choice:
    """The mark if `used` late days are taken from the bank, which leaves the work late by `late`."""

    used: int
    late: timedelta
    penalty: LatePenalty
    mark: Decimal


def mark_with_lateness(
    raw: Decimal,
    full: Decimal,
    policy: LatePolicy | None,
    submitted: datetime,
    due: datetime,
    *,
    leeway: LateAllowance = NO_ALLOWANCE,
    rounding: Rounding | None = None,
) -> Mark:
    """The mark of work worth `raw` of `full` marks, handed in at `submitted`; both times know their zones.

    The mark is min(cap, raw) less the deduction, never below zero, then rounded. Late days are taken from the bank only
    as far as they raise the mark: of all numbers of days, the smallest that gives the best mark.
    """
    late = lateness(submitted, due)
    counted = late if late > leeway.terms.grace else _NOTHING
    closed = _is_closed(submitted, due, leeway)
    applied = None if leeway.granted.waived or closed else policy
    choices = [_choice(raw, full, applied, counted, used) for used in range(1 if closed else leeway.usable + 1)]
    best = max(choices, key=lambda choice: choice.mark)
    cap = Decimal(0) if closed else best.penalty.cap
    exact_mark = Decimal(0) if closed else best.mark
    mark = rounded(exact_mark, full, rounding)
    steps = [f"Points: {format_decimal(raw)} of {format_decimal(full)}.", _time_step(submitted, due, late)]
    if closed:
        steps.append(_cut_off_step(due, leeway))
    else:
        steps += _late_steps(late, policy, leeway, best)
        steps += _sum_steps(raw, best)
    if rounding is not None and mark != exact_mark:
        steps.append(_rounding_step(exact_mark, mark, rounding))
    return Mark(
        raw=raw,
        late=late,
        late_days=started_days(best.late),
        late_hours=started_hours(best.late),
        cap=cap,
        deduction=best.penalty.deduction,
        unrounded=exact_mark,
        adjusted=mark,
        bank_used=best.used,
        bank_left=leeway.bank - best.used,
        steps=(*steps, f"Mark: {format_decimal(mark)}."),
    )


def lateness(submitted: datetime, due: datetime) -> timedelta:
    """The real time between `due` and `submitted`, across changes of the clock; zero when on time."""
    return max(submitted.astimezone(UTC) - due.astimezone(UTC), _NOTHING)


def _is_closed(submitted: datetime, due: datetime, leeway: LateAllowance) -> bool:
    """Whether it is after the cut-off, which is never before the student's own due date."""
    cut_off = leeway.terms.cut_off
    if cut_off is None or leeway.granted.waived:
        return False
    return min(lateness(submitted, cut_off), lateness(submitted, due)) > _NOTHING


def _choice(raw: Decimal, full: Decimal, policy: LatePolicy | None, late: timedelta, used: int) -> _Choice:
    left = max(late - used * _DAY, _NOTHING)
    cost = penalty(policy, raw, full, left)
    return _Choice(used, left, cost, max(min(cost.cap, raw) - cost.deduction, Decimal(0)))


def _time_step(submitted: datetime, due: datetime, late: timedelta) -> str:
    return f"Due {due:%Y-%m-%d %H:%M:%S %Z}, handed in {submitted:%Y-%m-%d %H:%M:%S %Z}: {lateness_words(late)}."


def _cut_off_step(due: datetime, leeway: LateAllowance) -> str:
    cut_off = leeway.terms.cut_off
    assert cut_off is not None
    if lateness(due, cut_off):
        return "That is after the cut-off, which is the due date here: nothing can be had."
    return f"That is after the cut-off, {cut_off:%Y-%m-%d %H:%M:%S %Z}: nothing can be had."


def _late_steps(late: timedelta, policy: LatePolicy | None, leeway: LateAllowance, best: _Choice) -> Iterator[str]:
    """From the lateness to the penalty; nothing when on time."""
    grace = leeway.terms.grace
    if not late:
        return
    if leeway.granted.waived:
        yield "The penalty for lateness is waived."
    elif policy is None:
        yield "Lateness costs nothing."
    elif late <= grace:
        yield f"That is within the grace period of {duration_words(grace)} and counts as on time."
    else:
        if grace:
            yield f"That is more than the grace period of {duration_words(grace)}: all of it counts."
        if leeway.bank:
            yield _bank_step(leeway, best)
        yield from best.penalty.steps


def _bank_step(leeway: LateAllowance, best: _Choice) -> str:
    bank = pluralize(leeway.bank, "late day")
    if best.used == 0:
        return f"No late day is used: the mark would not be higher. {bank} left, as before."
    left, counted = leeway.bank - best.used, lateness_words(best.late)
    return f"This assignment takes {best.used} of {bank} in the bank, {left} left: counted as {counted}."


def _sum_steps(raw: Decimal, best: _Choice) -> Iterator[str]:
    cap, deduction = best.penalty.cap, best.penalty.deduction
    if best.penalty.steps and not deduction:
        yield f"The smaller of {format_decimal(cap)} and {format_decimal(raw)} is {format_decimal(best.mark)}."
    if deduction > raw:
        yield f"{format_decimal(raw)} - {format_decimal(deduction)} is less than 0, so 0 is left."
    elif deduction:
        yield f"{format_decimal(raw)} - {format_decimal(deduction)} = {format_decimal(best.mark)}."


def _rounding_step(unrounded: Decimal, mark: Decimal, rounding: Rounding) -> str:
    places = pluralize(rounding.places, "decimal place")
    return f"Rounded to {places} ({rounding.mode}): {format_decimal(unrounded)} becomes {format_decimal(mark)}."
