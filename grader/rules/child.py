"""Checks an assignment's rules in another version of Python, which can parse programs that this version cannot.

The other Python runs this file by its path, with only the standard library and the folders given as arguments. It reads
the request from standard input and writes the findings to standard output as JSON.
"""

import json
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

if __name__ == "__main__":
    # These folders come after the standard library, so that nothing next to the grader can replace it.
    sys.path += sys.argv[1:]

from grader.model.assignment import Assignment
from grader.model.rule import RuleFinding, RuleResult
from grader.rules.check import check_rules
from grader.rules.code_rule import JudgedTest


def rules_request(
    assignment: Assignment, programs: Iterable[str], files: Mapping[str, Path], judged: Sequence[JudgedTest]
) -> bytes:
    """Return the request to compute `check_rules`, as bytes for the child."""
    return pickle.dumps((assignment, tuple(programs), dict(files), tuple(judged)))


def import_folders(assignment: Assignment) -> set[str]:
    """Return the folders from which the child can import the grader and the assignment's rules."""
    packages = {
        __name__.partition(".")[0],
        *(type(rule.check).__module__.partition(".")[0] for rule in assignment.rules),
    }
    files = [(Path(str(sys.modules[name].__file__)), hasattr(sys.modules[name], "__path__")) for name in packages]
    return {str(file.parents[1] if is_package else file.parent) for file, is_package in files}


def results_in(answer: str, assignment: Assignment) -> tuple[RuleResult, ...]:
    """Return the child's findings. Raises ValueError, LookupError or TypeError if the answer is invalid."""
    rules = {rule.id: rule for rule in assignment.rules}
    return tuple(
        RuleResult(rules[rule], tuple(RuleFinding(**facts) for facts in findings), judged, unread)
        for rule, findings, judged, unread in json.loads(answer)
    )


def main() -> None:
    """Answer one request."""
    results = check_rules(*pickle.load(sys.stdin.buffer))
    entries = [
        (result.rule.id, [asdict(finding) for finding in result.findings], result.judged, result.unread)
        for result in results
    ]
    json.dump(entries, sys.stdout)


if __name__ == "__main__":
    main()
