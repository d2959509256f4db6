"""The student's program as an interactor sees it."""

from grader.plugins.interactors.program import StudentProgram as StudentProgram
