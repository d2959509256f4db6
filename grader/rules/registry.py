"""Checks the rules of an assignment on one submission."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.rule import Rule, RuleFinding, RuleKind, RuleResult
from grader.rules import functions, modules, style
from grader.rules.hard_coding import JudgedTest, hard_coding
from grader.rules.source import ParsedSource, UnreadableSourceError, read_source

_CHECKS: dict[RuleKind, Callable[[Rule, ParsedSource], Iterator[RuleFinding]]] = {
    RuleKind.REQUIRED_FUNCTIONS: functions.required_functions,
    RuleKind.MAIN_USED: functions.main_used,
    RuleKind.NO_GLOBAL_VARIABLES: functions.no_global_variables,
    RuleKind.NO_NESTED_FUNCTIONS: functions.no_nested_functions,
    RuleKind.FORBIDDEN_NAMES: modules.forbidden_names,
    RuleKind.HEADER_COMMENT: style.header_comment,
    RuleKind.DOCSTRINGS: style.docstrings,
    RuleKind.NAMING: style.naming,
    RuleKind.LINE_LENGTH: style.line_length,
}


def check_rules(
    assignment: Assignment, programs: Iterable[str], files: Mapping[str, Path], judged: Sequence[JudgedTest]
) -> tuple[RuleResult, ...]:
    """What the rules find in `files`, the programs handed in by name. Only rules about `programs` are checked.

    `judged` are the tests that were run. Without hidden twins among them, as in a self-check, nothing is said of hard
    coding.
    """
    wanted = set(programs)
    has_twins = any(one.test.hidden_twin_of for one in judged)
    rules = [
        rule
        for rule in assignment.rules
        if wanted & set(rule.programs) and (has_twins or rule.kind is not RuleKind.HARD_CODING)
    ]
    # What no rule asks about is not read: a source can be made to take long.
    sources, faults = _read(files) if rules else ({}, {})
    return tuple(_check(assignment, rule, sources, faults, judged) for rule in rules)


def _read(files: Mapping[str, Path]) -> tuple[dict[str, ParsedSource], dict[str, RuleFinding]]:
    sources: dict[str, ParsedSource] = {}
    faults: dict[str, RuleFinding] = {}
    for name, path in files.items():
        try:
            source = read_source(path, name)
            source.names  # noqa: B018 - a program may be faulty in a way that only its table of names shows
            sources[name] = source
        except UnreadableSourceError as error:
            faults[name] = RuleFinding(name, None, "", f"{error}{f' in line {error.line}' if error.line else ''}")
        except OSError as error:
            faults[name] = RuleFinding(name, None, "", f"the file cannot be read: {error.strerror}")
    return sources, faults


def _check(
    assignment: Assignment,
    rule: Rule,
    sources: Mapping[str, ParsedSource],
    faults: Mapping[str, RuleFinding],
    judged: Sequence[JudgedTest],
) -> RuleResult:
    if rule.kind is RuleKind.HARD_CODING:
        own = [one for one in judged if one.test.program in rule.programs]
        settled = all(one.verdict is not Verdict.INTERNAL_ERROR for one in own)
        return RuleResult(rule, tuple(hard_coding(own, sources)), judged=settled)
    found: list[RuleFinding] = []
    for program in rule.programs:
        if program in sources:
            found += sorted(_findings(assignment, rule, sources[program]), key=lambda one: one.line or 0)
        elif not rule.asks:
            # A file that is not there, or is no Python, has cost its tests already; it is no reason to deduct more.
            found.append(faults.get(program) or RuleFinding(program, None, "", "there is no such file"))
    return RuleResult(rule, tuple(found))


def _findings(assignment: Assignment, rule: Rule, source: ParsedSource) -> Iterator[RuleFinding]:
    if rule.kind is not RuleKind.PROVIDED_MODULE:
        yield from _CHECKS[rule.kind](rule, source)
        return
    for module in assignment.provided:
        if module.file == rule.module:
            yield from modules.provided_module(rule, source, read_source(module.source, module.file))
