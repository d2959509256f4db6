"""Keeps the results of searches in the store, among the answers, so that a search that ended is not repeated."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from functools import cache
from pathlib import Path

from grader.files.digest import digest, file_digest
from grader.grading.result_cache import ResultCache
from grader.model.outcome import CheckResult, CheckStatus
from grader.plugins.locating.repairing.failing import MendedProgram
from grader.plugins.locating.repairing.finding import ProgramRepair, SearchResult


def kept_result(
    archive: ResultCache,
    program: MendedProgram,
    accepted: Sequence[str],
    search: Callable[[], SearchResult],
    sessions: Sequence[Path] = (),
) -> SearchResult:
    """Return the result of a search from the store, or else of the search itself; it is kept if the time sufficed.

    `sessions` are the files with random sessions that are played. Raises StoreError.
    """
    key = _key(archive, program, accepted, list(map(file_digest, sessions)))
    answer = archive.answer(key)
    if answer is not None:
        return SearchResult(_repair(json.loads(answer.reason)))
    result = search()
    if not result.out_of_time:
        reason = json.dumps(None if result.repair is None else asdict(result.repair))
        archive.store.keep_answer(key, CheckResult(status=CheckStatus.UNKNOWN, reason=reason, score=None))
    return result


def _key(archive: ResultCache, program: MendedProgram, accepted: Sequence[str], sessions: Sequence[str]) -> str:
    # How much a test counts does not matter, and shared points can be fractions, which have no digest.
    tests = [replace(result.test, points=Decimal(0)) for result in program.graded.results]
    results = [
        [test, result.expected, result.verdict] for test, result in zip(tests, program.graded.results, strict=True)
    ]
    content = [archive.harness, program.name, program.graded.digest, results, accepted, sessions]
    return digest(["repair", _search_digest(), *content])


@cache
def _search_digest() -> str:
    """Return the digest of the code of the search, so that another version of it searches again."""
    return digest([file_digest(file) for file in sorted(Path(__file__).parent.glob("*.py"))])


def _repair(fields: dict[str, object] | None) -> ProgramRepair | None:
    if fields is None:
        return None
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return ProgramRepair(**{**fields, **lists})  # type: ignore[arg-type]
