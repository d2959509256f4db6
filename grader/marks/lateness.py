"""Computes marks from points, lateness and rounding, and explains the calculation in words.

Nothing is stored here, because every report recalculates the marks. Results shared by many students are cached.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import lru_cache

from grader.model.amount import settled
from grader.model.mark import Mark, StudentExtension
from grader.model.policy import FinalStep, LatePenalty, LatePolicy, LateTerms, LateWork, Rounding, RoundingMode
from grader.text.sentence import Sentence, say, say_plural
from grader.text.words import duration_words, format_decimal, lateness_words, shortened

_MAX_REMEMBERED = 1024
_DAY = timedelta(days=1)
_NOTHING = timedelta(0)
_MODES = {
    RoundingMode.HALF_UP: ROUND_HALF_UP,
    RoundingMode.HALF_EVEN: ROUND_HALF_EVEN,
    RoundingMode.UP: ROUND_CEILING,
    RoundingMode.DOWN: ROUND_FLOOR,
}


def rounded(mark: Decimal, highest: Decimal, rounding: Rounding | None) -> Decimal:
    """Round `mark` by the rule, but not above the `highest` mark.

    Without a rule, it stays exact, or is rounded to four places if it has no finite decimal.
    """
    if rounding is None:
        return shortened(settled(mark))
    return min(settled(mark).quantize(Decimal(1).scaleb(-rounding.places), _MODES[rounding.mode]), highest)


@dataclass(frozen=True)
class LateAllowance:
    """A student's allowance for lateness, which combines the assignment's terms with the student's extension."""

    terms: LateTerms = LateTerms()
    granted: StudentExtension = StudentExtension()

    @property
    def bank(self) -> int:
        """Return the late days in the student's bank before this assignment."""
        granted_days = self.granted.late_days
        return (self.terms.late_days if granted_days is None else granted_days) + self.granted.extra_late_days

    @property
    def usable(self) -> int:
        """Return the number of late days that can be used for this assignment."""
        most = self.terms.max_late_days
        return self.bank if most is None else min(self.bank, most)

    def missed_cut_off(self, submitted: datetime, due: datetime) -> datetime | None:
        """Return the cut-off if the work was submitted after it; it is never before the student's own `due` date."""
        cut_off = self.terms.cut_off
        if cut_off is None or self.granted.waived:
            return None
        return cut_off if min(lateness(submitted, cut_off), lateness(submitted, due)) > _NOTHING else None


@dataclass(frozen=True)
class _Choice:
    """The mark if `used` late days are taken from the bank; `work` holds the remaining lateness."""

    used: int
    work: LateWork
    penalty: LatePenalty
    mark: Decimal


def mark_with_lateness(
    raw: Decimal,
    full: Decimal,
    policy: LatePolicy | None,
    submitted: datetime,
    due: datetime,
    *,
    allowance: LateAllowance = LateAllowance(),
    final: FinalStep = FinalStep(),
) -> Mark:
    """Return the mark for work worth `raw` of `full` marks, submitted at `submitted`; both times have a zone.

    Points above the highest mark do not count. The mark is min(cap, points) minus the deduction, never below zero, then
    rounded. Late days are taken from the bank to get the best mark.
    """
    late = lateness(submitted, due)
    missed = allowance.missed_cut_off(submitted, due)
    cut_off = None if missed is None else _cut_off_step(due, missed)
    mark = _mark_of(
        _LateCase(raw=raw, full=full, policy=policy, late=late, cut_off=cut_off, allowance=allowance, final=final)
    )
    first, *further = mark.steps
    return replace(mark, steps=(first, _time_step(submitted, due, late), *further))


@dataclass(frozen=True, kw_only=True)
class _LateCase:
    """All inputs of a mark. `cut_off` is the step that mentions a missed cut-off."""

    raw: Decimal
    full: Decimal
    policy: LatePolicy | None
    late: timedelta
    cut_off: Sentence | None
    allowance: LateAllowance
    final: FinalStep


@lru_cache(_MAX_REMEMBERED)
def _mark_of(case: _LateCase) -> Mark:
    """Return the mark without the step on the times, which differ for every student."""
    raw, late, allowance, rounding = case.raw, case.late, case.allowance, case.final.rounding
    most = case.full if case.final.highest is None else case.final.highest
    work = LateWork(min(raw, most), case.full, late if late > allowance.terms.grace else _NOTHING, most)
    steps: list[str] = [points_step(raw, case.full)]
    if case.cut_off is not None:
        best = _Choice(0, work, LatePenalty(Decimal(0), Decimal(0)), Decimal(0))
        steps.append(case.cut_off)
    else:
        best = _best_choice(work, case.policy, allowance, rounding)
        highest = say("With bonus points the mark can be {most} at most.", most=format_decimal(most))
        steps += [highest] if raw > most else []
        steps += _late_steps(late, case.policy, allowance, best)
        steps += _sum_steps(work.points, best)
    mark = rounded(best.mark, most, rounding)
    if rounding is not None and mark != best.mark:
        steps.append(_rounding_step(best.mark, mark, rounding))
    return Mark(
        raw=raw,
        late=late,
        late_days=best.work.days,
        late_hours=best.work.hours,
        cap=best.penalty.cap,
        deduction=best.penalty.deduction,
        unrounded=best.mark,
        adjusted=mark,
        bank_used=best.used,
        bank_left=allowance.bank - best.used,
        steps=(*steps, say("Mark: {mark}.", mark=format_decimal(mark))),
    )


def lateness(submitted: datetime, due: datetime) -> timedelta:
    """Return the real time from `due` to `submitted`, across clock changes; zero if on time."""
    return max(submitted.astimezone(UTC) - due.astimezone(UTC), _NOTHING)


def _best_choice(
    work: LateWork, policy: LatePolicy | None, allowance: LateAllowance, rounding: Rounding | None
) -> _Choice:
    applied = None if allowance.granted.waived else policy
    choices = (_choice(work, applied, used) for used in range(allowance.usable + 1))
    return max(choices, key=lambda choice: rounded(choice.mark, work.highest, rounding))


def _choice(work: LateWork, policy: LatePolicy | None, used: int) -> _Choice:
    work = replace(work, late=max(work.late - used * _DAY, _NOTHING))
    cost = policy.penalty(work) if policy and work.late else LatePenalty(work.highest, Decimal(0))
    return _Choice(used, work, cost, max(min(cost.cap, work.points) - cost.deduction, Decimal(0)))


def points_step(points: Decimal, full: Decimal) -> Sentence:
    """Return the step with a submission's points, which begins every calculation."""
    return say("Points: {points} of {full}.", points=format_decimal(points), full=format_decimal(full))


def _time_step(submitted: datetime, due: datetime, late: timedelta) -> Sentence:
    return say(
        "Due {due}, handed in {submitted}: {late}.",
        due=_time(due),
        submitted=_time(submitted),
        late=lateness_words(late),
    )


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S %Z}"


def _cut_off_step(due: datetime, cut_off: datetime) -> Sentence:
    if lateness(due, cut_off):
        return say("That is after the cut-off, which is the due date here: no marks are left.")
    return say("That is after the cut-off, {time}: no marks are left.", time=_time(cut_off))


def _late_steps(late: timedelta, policy: LatePolicy | None, allowance: LateAllowance, best: _Choice) -> Iterator[str]:
    """Yield the steps from the lateness to the penalty; nothing if the work is on time."""
    grace = allowance.terms.grace
    if not late:
        return
    if allowance.granted.waived:
        yield say("The penalty for lateness is waived.")
    elif policy is None:
        yield say("Lateness costs nothing.")
    elif late <= grace:
        yield say("That is within the grace period of {grace} and counts as on time.", grace=duration_words(grace))
    else:
        if grace:
            yield say("That is more than the grace period of {grace}: all of it counts.", grace=duration_words(grace))
        if allowance.bank:
            yield _bank_step(allowance, best)
        yield from best.penalty.steps


def _bank_step(allowance: LateAllowance, best: _Choice) -> Sentence:
    bank = say_plural(allowance.bank, "{count} late day", "{count} late days")
    if best.used == 0:
        return say("No late day is used: the mark would not be higher. {bank} left, as before.", bank=bank)
    return say(
        "This assignment takes {used} of {bank} in the bank, {left} left: counted as {counted}.",
        used=best.used,
        bank=bank,
        left=allowance.bank - best.used,
        counted=lateness_words(best.work.late),
    )


def _sum_steps(raw: Decimal, best: _Choice) -> Iterator[Sentence]:
    cap, deduction = best.penalty.cap, best.penalty.deduction
    values = {
        "cap": format_decimal(cap),
        "raw": format_decimal(raw),
        "deduction": format_decimal(deduction),
        "mark": format_decimal(best.mark),
    }
    if best.penalty.steps and not deduction and cap < best.work.highest:
        yield say("The smaller of {cap} and {raw} is {mark}.", **values)
    if deduction > raw:
        yield say("{raw} - {deduction} is less than 0, so 0 is left.", **values)
    elif deduction:
        yield say("{raw} - {deduction} = {mark}.", **values)


def _rounding_step(unrounded: Decimal, mark: Decimal, rounding: Rounding) -> Sentence:
    return say(
        "Rounded to {places} ({mode}): {unrounded} becomes {mark}.",
        places=say_plural(rounding.places, "{count} decimal place", "{count} decimal places"),
        mode=Sentence((rounding.mode,), {}),
        unrounded=format_decimal(unrounded),
        mark=format_decimal(mark),
    )
