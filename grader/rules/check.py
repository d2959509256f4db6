"""Checks a submission against the rules of an assignment."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import GraderError
from grader.model.assignment import Assignment
from grader.model.interaction import FunctionCall, PluginInteraction, typed_lines
from grader.model.judgement import Verdict
from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.rules.code_rule import HiddenTestRule, JudgedTest, SourceRule
from grader.rules.source import ParsedSource, UncheckedSourceError, UnreadableSourceError, read_source
from grader.text.sentence import say

# With all rules, checking this much code takes about ten seconds at worst.
_FILES, _BYTES, _NODES = "files of Python", "bytes of Python", "names, operators and the like"
_MOST = {_FILES: 100, _BYTES: 400_000, _NODES: 50_000}


def check_rules(
    assignment: Assignment, programs: Iterable[str], files: Mapping[str, Path], judged: Sequence[JudgedTest]
) -> tuple[RuleResult, ...]:
    """Check the rules about `programs` on the submitted `files`, given by name.

    `judged` lists the tests that were run. Without hidden twins among them, as in a self-check, rules that need hidden
    twins are skipped.
    """
    rules = rules_about(assignment, programs, judged)
    # Sources that are not needed by any rule are not read, because a source can be designed to take a long time.
    handed_in = _read(assignment, files if rules else {})
    return tuple(_check(rule, handed_in, judged) for rule in rules)


def rules_about(assignment: Assignment, programs: Iterable[str], judged: Sequence[JudgedTest]) -> tuple[Rule, ...]:
    """Return the rules that `check_rules` checks."""
    program_names = set(programs)
    has_twins = any(judged_test.test.hidden_twin_of for judged_test in judged)
    return tuple(
        rule
        for rule in assignment.rules
        if program_names & set(rule.programs) and (has_twins or not rule.check.reveals_hidden_tests)
    )


def undecided(rule: Rule, error: Exception) -> RuleResult:
    """Return the result for a rule on which the grader failed: neither kept nor broken."""
    reason = str(error) if isinstance(error, GraderError) else f"{type(error).__name__}: {error}"
    return RuleResult(rule, (RuleFinding(message=f"the grader could not check this rule ({reason})"),), judged=False)


@dataclass(frozen=True, kw_only=True)
class _HandedIn:
    """A submission's programs by file name, the student's modules, and the reasons why some cannot be read.

    `unchecked` gives the reason for each file that Python may run but that is not examined. `programs` contains the
    names of all programs.
    """

    sources: Mapping[str, ParsedSource]
    modules: tuple[ParsedSource, ...]
    faults: Mapping[str, RuleFinding]
    faulty_modules: tuple[RuleFinding, ...]
    unchecked: Mapping[str, str]
    programs: Collection[str]


def _read(assignment: Assignment, files: Mapping[str, Path]) -> _HandedIn:
    provided = {module.file: module.source for module in assignment.provided}
    sources: dict[str, ParsedSource] = {}
    faults: dict[str, RuleFinding] = {}
    unchecked: dict[str, str] = {}
    room = Counter(_MOST)
    for name, path in sorted(files.items(), key=lambda item: item[0] not in assignment.program_named):
        if name not in assignment.program_named and not name.endswith(".py"):
            continue
        try:
            _take(room, _FILES, 1)
            _take(room, _BYTES, path.stat().st_size)
            sources[name] = read_source(path, name, provided)
            _take(room, _NODES, len(sources[name].nodes))
        except UncheckedSourceError as error:
            unchecked[name] = str(error)
        except UnreadableSourceError as error:
            faults[name] = RuleFinding(file=name, message=f"{error}{f' in line {error.line}' if error.line else ''}")
        except OSError as error:
            faults[name] = RuleFinding(file=name, message=say("the file cannot be read: {error}", error=error.strerror))
    programs = sources.keys() & assignment.program_named.keys()
    alone = tuple(source for name, source in sources.items() if name not in programs)
    modules = tuple(replace(one, modules=alone) for one in alone)
    return _HandedIn(
        sources={
            name: replace(sources[name], modules=modules, called_by_others=_called_names(assignment, name, sources))
            for name in programs
        },
        modules=modules,
        faults=faults,
        faulty_modules=tuple(fault for name, fault in faults.items() if name not in assignment.program_named),
        unchecked=unchecked,
        programs=assignment.program_named,
    )


def _take(room: Counter[str], kind: str, amount: int) -> None:
    """Reserve room for a file or its content. Raises UncheckedSourceError if there is not enough."""
    room[kind] -= amount
    for each, most in _MOST.items():
        if room[each] < 0:
            raise UncheckedSourceError(f"the submission has more than {most} {each}")


def _called_names(assignment: Assignment, program: str, sources: Mapping[str, ParsedSource]) -> frozenset[str] | None:
    """Return the words of a program's tests and of programs that name it, or None if tests may call any function."""
    interactions = [test.interaction for test in assignment.tests if test.program == program]
    if not interactions or any(isinstance(interaction, PluginInteraction) for interaction in interactions):
        return None
    calls = [text for call in interactions if isinstance(call, FunctionCall) for text in (*call.calls, *call.setup)]
    typed = [line for interaction in interactions for line in typed_lines(interaction)]
    users = [item.text for name, item in sources.items() if name != program and Path(program).stem in item.text]
    return frozenset(re.findall(r"\w+", "\n".join([*calls, *typed, *users])))


def _check(rule: Rule, handed_in: _HandedIn, judged: Sequence[JudgedTest]) -> RuleResult:
    """Check a rule. If the grader fails, only this rule is undecided."""
    try:
        return _result(rule, handed_in, judged)
    except Exception as error:
        return undecided(rule, error)


def _result(rule: Rule, handed_in: _HandedIn, judged: Sequence[JudgedTest]) -> RuleResult:
    for name, reason in handed_in.unchecked.items():
        # A module may be part of any program.
        if name in rule.programs or name not in handed_in.programs:
            raise UncheckedSourceError(f"{name}: {reason}")
    match rule.check:
        case SourceRule() as check:
            return _source_result(check, rule, handed_in)
        case HiddenTestRule() as check:
            relevant = [judged_test for judged_test in judged if judged_test.test.program in rule.programs]
            settled = all(judged_test.verdict is not Verdict.INTERNAL_ERROR for judged_test in relevant)
            return RuleResult(rule, tuple(check.findings(relevant, handed_in.sources)), judged=settled)
    raise TypeError(f"a rule is a SourceRule or a HiddenTestRule: {rule.check}")


def _source_result(check: SourceRule, rule: Rule, handed_in: _HandedIn) -> RuleResult:
    sources = [handed_in.sources[program] for program in rule.programs if program in handed_in.sources]
    faults = [
        handed_in.faults.get(program) or RuleFinding(file=program, message=say("there is no such file"))
        for program in rule.programs
        if program not in handed_in.sources
    ]
    if check.holds_in_modules:
        sources += handed_in.modules
        faults += handed_in.faulty_modules
    broken = [finding for source in sources for finding in _findings_in(check, source)]
    # The tests already penalise a missing file, or a file that is not Python, so nothing more is deducted.
    findings = broken if rule.asks else [*faults, *broken]
    # Programs share their modules.
    return RuleResult(rule, tuple(dict.fromkeys(findings)), unread=bool(faults) and not broken)


def _findings_in(check: SourceRule, source: ParsedSource) -> list[RuleFinding]:
    return sorted(check.findings(source), key=lambda finding: finding.line or 0)
