"""Checks the rules of an assignment in another version of Python, which reads programs that this one cannot.

It is run by its path with that Python, which has only the standard library. The request comes on standard input from
the grader itself; what is found goes to standard output as JSON. The programs are read, never run.
"""

import json
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

if __name__ == "__main__":
    # After the standard library, which nothing that lies beside the grader may replace.
    sys.path.append(str(Path(__file__).parents[2]))

from grader.model.assignment import Assignment
from grader.model.rule import RuleFinding, RuleResult
from grader.rules.check import check_rules
from grader.rules.source import JudgedTest


def rules_request(
    assignment: Assignment, programs: Iterable[str], files: Mapping[str, Path], judged: Sequence[JudgedTest]
) -> bytes:
    """The bytes that ask the child for what `check_rules` would find."""
    return pickle.dumps((assignment, tuple(programs), dict(files), tuple(judged)))


def results_in(answer: str, assignment: Assignment) -> tuple[RuleResult, ...]:
    """What the child found. Raises ValueError, LookupError or TypeError when that is no answer."""
    rules = {rule.id: rule for rule in assignment.rules}
    return tuple(
        RuleResult(rules[one["rule"]], tuple(RuleFinding(**found) for found in one["findings"]), one["judged"])
        for one in json.loads(answer)
    )


def main() -> None:
    """Answer one request."""
    results = check_rules(*pickle.load(sys.stdin.buffer))
    found = [
        {"rule": one.rule.id, "findings": [asdict(finding) for finding in one.findings], "judged": one.judged}
        for one in results
    ]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
