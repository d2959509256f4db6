"""Selects the part of an assignment that goes into a bundle."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.expected.transcripts import expected_file, wanted
from grader.model.assignment import Assignment
from grader.model.codec import place_of, to_json
from grader.model.interaction import Interaction, PluginInteraction
from grader.model.python_request import PythonRequest, minor_version
from grader.model.rule import Rule
from grader.model.test import Test, Visibility
from grader.plugins.bundling.content import BundleContent, BundledRule, moved_test
from grader.run.find_python import OWN_VERSION
from grader.run.plugin_session import PluginDialogue


def public_content(assignment: Assignment, *, checkers: bool = False, interactors: bool = False) -> BundleContent:
    """Return the part of an assignment that students may see, with or without `checkers` and `interactors`.

    Without them, tests that need one are omitted, because it may know the answers. Rules that reveal hidden tests are
    always omitted, and so are the tests of plugins that cannot be bundled: students' own tests, for example, contain
    correct programs.
    """
    public = [test for test in assignment.tests if test.visibility is Visibility.PUBLIC]
    return BundleContent(
        id=assignment.id,
        title=assignment.title,
        due=assignment.due.isoformat(),
        programs=tuple(replace(program, reference=Path()) for program in assignment.programs),
        provided=tuple(module.file for module in assignment.provided),
        limits=assignment.limits,
        rules=tuple(_bundled(rule) for rule in assignment.rules if not rule.check.reveals_hidden_tests),
        submission_policy=assignment.submission_policy,
        further_files=assignment.further_files,
        python=PythonRequest(
            version=assignment.python.version,
            packages=assignment.python.packages,
            made_with=minor_version(OWN_VERSION),
        ),
        tests=tuple(
            replace(
                _without_digest(moved_test(test, _in_bundle, Path())), hidden_twin_of=None, sample=None, location=None
            )
            for test in public
            if (checkers or test.checker is None) and _may_be_carried(test.interaction, interactors=interactors)
        ),
    )


def _may_be_carried(interaction: Interaction, *, interactors: bool) -> bool:
    """Return whether a bundle may contain an interaction, with or without the interactors of the course."""
    if not isinstance(interaction, PluginInteraction):
        return not isinstance(interaction, PluginDialogue) or bool(interaction.carried)
    return bool(interaction.carried) and (interactors or interaction.judging_file is None)


def _bundled(rule: Rule) -> BundledRule:
    return BundledRule(
        **{**vars(rule), "check": place_of(type(rule.check)), "options": json.loads(to_json(rule.check))}
    )


def _in_bundle(file: Path) -> Path:
    """Return the path of a checker or interactor in a bundle."""
    return Path(file.parent.name, file.name)


def _without_digest(test: Test) -> Test:
    """Return the test without the digest of its interactor, because the digest also covers hidden interactors."""
    interaction = test.interaction
    return (
        replace(test, interaction=interaction.without_digest()) if isinstance(interaction, PluginInteraction) else test
    )


def expected_names(assignment: Assignment, tests: Sequence[Test]) -> dict[tuple[str, str], str]:
    """Return the names of the expected files of `tests` in a bundle, by test and variant."""
    return {
        (test.id, variant): expected_file(assignment, test, variant).name for test, variant in wanted(assignment, tests)
    }
