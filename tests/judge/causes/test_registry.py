"""The causes that the modules declare are those of the registry, and their ids and former ids are explained."""

import importlib
import pkgutil
from collections import Counter

from grader.judge import causes
from grader.judge.causes.diagnose import GIVEN_ELSEWHERE, all_causes, all_finders
from grader.judge.evidence import CauseFinder
from grader.model import general_causes
from grader.model.cause import Cause
from grader.plugins import content_causes, error_reports, function_calls, screens

MODULES = [
    importlib.import_module(f"{package.__name__}.{module.name}")
    for package in (causes, content_causes, error_reports, function_calls, screens)
    for module in pkgutil.iter_modules(package.__path__)
]


def declared(kind: type) -> list[object]:
    """The values of a type that the modules hold, each once."""
    values = (value for module in (*MODULES, general_causes) for value in vars(module).values())
    return list({id(value): value for value in values if isinstance(value, kind)}.values())


def test_every_declared_cause_is_registered() -> None:
    assert set(declared(Cause)) == {*GIVEN_ELSEWHERE, *(cause for finder in all_finders() for cause in finder.causes)}


def test_every_finder_is_tried_once() -> None:
    assert Counter(map(id, declared(CauseFinder))) == Counter(map(id, all_finders()))


def test_no_two_causes_have_an_id() -> None:
    assert len({cause.id for cause in all_causes()}) == len(all_causes())
