"""The published fields of the formats, as models that know no others.

Gradescope: "Autograder specifications". PrairieLearn: "External grading". Autolab: "Guide for lab authors". GitHub
Classroom: what the actions autograding-io-grader writes and autograding-grading-reporter reads.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Visibility = Literal["hidden", "after_due_date", "after_published", "visible"]
OutputFormat = Literal["text", "html", "simple_format", "md", "ansi"]


class Schema(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GradescopeTest(Schema):
    score: float | None = None
    max_score: float | None = None
    status: Literal["passed", "failed"] | None = None
    name: str | None = None
    name_format: OutputFormat | None = None
    number: str | None = None
    output: str | None = None
    output_format: OutputFormat | None = None
    tags: list[str] = []
    visibility: Visibility = "visible"
    extra_data: dict[str, Any] = {}


class Gradescope(Schema):
    score: float = Field(ge=0)
    execution_time: float | None = None
    output: str = ""
    output_format: OutputFormat = "simple_format"
    test_output_format: OutputFormat = "text"
    test_name_format: OutputFormat = "text"
    visibility: Visibility = "visible"
    stdout_visibility: Visibility = "hidden"
    extra_data: dict[str, Any] = {}
    tests: list[GradescopeTest]
    leaderboard: list[dict[str, Any]] = []


class Autolab(Schema):
    scores: dict[str, float]
    scoreboard: list[float] | None = None


class PrairieLearnTest(Schema):
    name: str
    description: str = ""
    points: float
    max_points: float
    message: str = ""
    output: str = ""


class PrairieLearn(Schema):
    gradable: Literal[True]
    score: float = Field(ge=0, le=1)
    message: str = ""
    output: str = ""
    tests: list[PrairieLearnTest]


class PrairieLearnNotGradable(Schema):
    gradable: Literal[False]
    format_errors: list[str] = Field(min_length=1)


class ClassroomTest(Schema):
    name: str
    status: Literal["pass", "fail", "error"]
    message: str | None
    test_code: str
    filename: str
    line_no: int
    execution_time: str
    score: float
    max_score: float | None = None


class Classroom(Schema):
    version: Literal[1]
    status: Literal["pass", "fail", "error"]
    max_score: float
    tests: list[ClassroomTest] = Field(min_length=1)
