"""Measures how often a diagnosis says the same as an instructor; lists the other diagnoses, then prints JSON.

The mistakes come from tests/judge/student_mistakes.yaml.
"""

import argparse
import json

from grader.run.environment import open_environment
from tests.judge.student_mistakes import explain_all, wrong_ones


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every sentence, not only those that are wrong")
    options = parser.parse_args()
    with open_environment() as environment:
        explained = list(explain_all(environment))
    wrong = wrong_ones(explained)
    for one in explained if options.all else wrong:
        cause = one.judgement.diagnosis.cause.id if one.judgement.diagnosis else "passed"
        print(f"{one.mistake.name}: {one.sentence} [{cause}]{''.join(f' <{fault}>' for fault in one.faults)}")
    right = len(explained) - len(wrong)
    print(json.dumps({"mistakes": len(explained), "right": right, "share": round(right / len(explained), 3)}))


if __name__ == "__main__":
    main()
