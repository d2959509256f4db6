"""Similar programs as JSON."""

import json
from collections.abc import Sequence

from grader.plugins.similarity.fingerprints import SimilarPair

SIMILAR_FORMAT = "grader-similar/1"


def similar_json(assignment_id: str, pairs: Sequence[SimilarPair]) -> str:
    """Return the pairs of one assignment, with the lines that they share."""
    content = {"format": SIMILAR_FORMAT, "assignment": assignment_id, "pairs": [_pair(pair) for pair in pairs]}
    return json.dumps(content, indent=1) + "\n"


def _pair(pair: "SimilarPair") -> dict[str, object]:
    first, second = pair.first.source, pair.second.source
    return {
        "first": {"student": first.student, "file": first.file},
        "second": {"student": second.student, "file": second.file, "earlier": second.earlier},
        "first_share": round(pair.first_share, 4),
        "second_share": round(pair.second_share, 4),
        "passages": [{"first": passage.first, "second": passage.second} for passage in pair.passages],
    }
