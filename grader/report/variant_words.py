"""Which accepted reading of the handout a submission was read as, in words."""

from collections.abc import Iterator

from grader.pipeline.results import GradedSubmission
from grader.spec.assignment import Assignment


def variant_words(assignment: Assignment, graded: GradedSubmission) -> Iterator[str]:
    """`read as: VARIANT` for programs read as another variant than the preferred one, named unless they are all."""
    for programs in assignment.readings:
        variant = graded.variants.get(programs[0].file)
        if variant is not None and variant != programs[0].variants[0]:
            files = ", ".join(program.file for program in programs)
            everything = len(programs) == len(assignment.programs)
            yield f"read as: {variant}" if everything else f"{files} read as: {variant}"
