"""The published fields of the formats, as models that know no others.

Gradescope: "Autograder specifications". PrairieLearn: "External grading". Autolab: "Guide for lab authors". GitHub
Classroom: what the actions autograding-io-grader writes and autograding-grading-reporter reads. Classroom 50: its
schema classroom50/result/v1. CodeGrade: "JSON object for displaying unit test output", and the types of its package
cg-pytest-reporter. Ed, which publishes none: what the mark scripts of courses print.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

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


INSTANT = r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"
Score = Annotated[int, Field(ge=0)]
Words = Annotated[str, Field(min_length=1)]


class Classroom50Test(BaseModel):
    """More fields are allowed; `score` is at most `max-score`."""

    model_config = ConfigDict(extra="allow", strict=True)

    name: Words = Field(alias="test-name")
    passed: bool
    score: Score
    max_score: Score = Field(alias="max-score")

    @model_validator(mode="after")
    def earns_no_more_than_there_is(self) -> "Classroom50Test":
        assert self.score <= self.max_score
        return self


class Classroom50Score(Schema):
    """What of a result.json is about the submission, not about whose it is."""

    score: Score
    max_score: Score = Field(alias="max-score")
    tests: list[Classroom50Test]

    @model_validator(mode="after")
    def earns_no_more_than_there_is(self) -> "Classroom50Score":
        assert self.score <= self.max_score
        return self


class Classroom50Result(Classroom50Score):
    version: Literal["classroom50/result/v1"] = Field(alias="schema")
    classroom: Words
    assignment: Words
    assignment_type: Literal["individual", "group"]
    owner: Words
    submission: str = Field(pattern="^submit/")
    commit: Words
    release: Words
    review: Words
    datetime: str = Field(pattern=INSTANT)
    graded_at: str | None = Field(None, pattern=INSTANT)


class CodeGradeCase(Schema):
    name: str
    status: Literal["success", "failure", "skipped"]
    description: str = ""
    weight: float = Field(1, ge=0)
    reason: str = ""
    stdout: str = ""
    stderr: str = ""


class CodeGradeSuite(Schema):
    id: str
    name: str
    weight: float = 1
    cases: list[CodeGradeCase] = Field(alias="testCases")


class CodeGradeTests(Schema):
    tag: Literal["unit-test"]
    results: list[CodeGradeSuite]


class CodeGradePoints(Schema):
    tag: Literal["points"]
    points: str = Field(pattern=r"^\d+/[1-9]\d*$")


class EdCase(Schema):
    name: str
    score: float
    ok: bool
    passed: bool
    feedback: str
    hidden: bool
    private: bool


class Ed(Schema):
    testcases: list[EdCase] = Field(min_length=1)
