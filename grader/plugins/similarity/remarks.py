"""Remarks on the pages of students about passages that programs of the class share, for the instructor only."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any

from grader.api.request import GradeRequest, Progress
from grader.model.finding import Finding, FindingView, LineRemark, LineRemarks
from grader.model.outcome import CodeLine
from grader.model.results import ClassResult
from grader.model.submission import Submission
from grader.plugins.similarity.api import similar_in_class, submissions_by_owners
from grader.plugins.similarity.fingerprints import SimilarPair, disjoint_passages
from grader.reports.html.pages import page_links
from grader.text.file_names import file_names


@dataclass(frozen=True)
class SimilarPassages(Finding):
    """The passages of a student's files that other students share, with a remark at the first line of each."""

    remarks: LineRemarks

    def results(self) -> Mapping[str, Any]:
        """Return the remarks on each line."""
        return {
            "similar": [
                {"file": place.file, "line": place.line, "words": remark.words}
                for place, remarks in self.remarks.items()
                for remark in remarks
            ]
        }

    def view(self, _: Submission) -> FindingView:
        """Return the remarks."""
        return FindingView(remarks=self.remarks)


def find_passages(
    graded: ClassResult, _request: GradeRequest, progress: Progress, _cancelled: Event
) -> Mapping[str, SimilarPassages]:
    """Return the passages that programs of a graded class share, by student. Raises SimilarError."""
    pages = page_links(file_names(row.student for row in graded.rows))
    owners = submissions_by_owners(row.graded.submission for row in graded.rows)
    pages_of_owners = {names: pages[submissions[0].student] for names, submissions in owners.items()}
    passages = passages_by_student(similar_in_class(graded, progress), pages_of_owners)
    return {item.student: shared for names, shared in passages.items() for item in owners[names]}


def passages_by_student(pairs: Iterable[SimilarPair], pages: Mapping[str, str]) -> Mapping[str, SimilarPassages]:
    """Return the passages that `pairs` share, by student; each links to the page of the other student."""
    remarks: dict[str, dict[CodeLine, list[LineRemark]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        for passage in disjoint_passages(pair.passages):
            sides = ((pair.first.source, passage.first), (pair.second.source, passage.second))
            for (source, own_lines), (partner, other_lines) in (sides, sides[::-1]):
                if source.student in pages and partner.student in pages:
                    like = f"like {_lines_words(other_lines)} of {partner.file} of {partner.student}"
                    words = f"{_lines_words(own_lines)} {'is' if own_lines[0] == own_lines[1] else 'are'} {like}"
                    remark = LineRemark("similar", words, f"{pages[partner.student]}.html#code", private=True)
                    remarks[source.student][CodeLine(source.file, own_lines[0])].append(remark)
    return {student: SimilarPassages(of_student) for student, of_student in remarks.items()}


def _lines_words(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"line {first}" if first == last else f"lines {first} to {last}"
