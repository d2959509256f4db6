"""Test functions that earn points, as tests and groups of tests of a course."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePosixPath

from grader.config.yaml_writer import Writable
from grader.plugins.importing.assertions import asserted_entries
from grader.plugins.importing.course_draft import CourseDraft, UniqueNames
from grader.plugins.importing.stated import InexpressibleError
from grader.plugins.importing.test_files import TestFunction

TOLERANCE = "0.000000001"


@dataclass(frozen=True, kw_only=True)
class Counted:
    """A test function that earns points, and its visibility."""

    function: TestFunction
    title: str
    points: Decimal
    visibility: str = "public"
    whole: Mapping[str, Writable] = field(default_factory=dict)
    """The keys of a test that runs the function unchanged, if that is possible."""

    def add(
        self,
        program: str,
        names: UniqueNames,
        added: tuple[list[dict[str, Writable]], list[dict[str, Writable]]],
        draft: CourseDraft,
    ) -> bool:
        """Add a test for each assertion, or else one that runs the function unchanged. Return whether there is a test.

        Several tests count together, in a group. A function without tests is noted.
        """
        tests, groups = added
        place = f"{self.function.file.name}: the test {self.function.node.name}"
        try:
            entries = asserted_entries(self.function, PurePosixPath(program).stem)
        except InexpressibleError as reason:
            if not self.whole:
                draft.leave_out(place, self.points, reason)
                return False
            draft.note(f"{place} is run by pytest as it stands, and passes by its exit status alone: {reason}.")
            entries = [dict(self.whole)]
        test_id = names.of("-".join(filter(None, (self.function.class_name, self.function.node.name))))
        title = " ".join(self.title.split()) or test_id
        keys: dict[str, Writable] = {"title": title, "program": program, "visibility": self.visibility}
        if len(entries) == 1 or not self.points:
            counts: dict[str, Writable] = {"points": f"{self.points:f}"}
        else:
            counts = {"group": test_id}
            groups.append({"id": test_id, "title": title, "points": f"{self.points:f}", "count": "all"})
        for number, entry in enumerate(entries, 1):
            own_id = test_id if len(entries) == 1 else names.of(f"{test_id}-{number}")
            tests.append({"id": own_id, **keys, **counts, **entry})
        return True
