"""Expected calls on disk."""

from hypothesis import given
from hypothesis import strategies as st

from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep, read_expected_call
from tests.plugins.function_calls.test_values import VALUES

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
EXCEPTIONS = st.builds(ExpectedException, ANY_TEXT, ANY_TEXT)
STEPS = st.builds(ExpectedStep, VALUES, st.none() | EXCEPTIONS)


@given(
    st.lists(STEPS, min_size=1, max_size=3).map(tuple),
    ANY_TEXT,
    st.dictionaries(st.sampled_from(["tableau", "stock", "returned"]), VALUES),
)
def test_what_is_written_is_read(steps: tuple[ExpectedStep, ...], printed: str, values: dict[str, object]) -> None:
    call = ExpectedCall(steps, printed, values)  # type: ignore[arg-type]
    text = call.text(tuple(f"f({number})" for number in range(len(steps))))
    assert read_expected_call(text) == call
    assert text.encode().decode() == text, "the file is UTF-8"


def test_a_line_per_value() -> None:
    call = ExpectedCall((ExpectedStep([1, {"card": "3♥"}]),), "é\n", {"deck": {"deck": []}})
    assert call.text(("f()",)) == (
        '{\n "returned": [1, {"card": "3♥"}],\n "printed": "é\\n",\n "given deck": {"deck": []}\n}\n'
    )


def test_a_line_per_call() -> None:
    raised = ExpectedException("ValueError", "no")
    call = ExpectedCall((ExpectedStep(1), ExpectedStep(None, raised)), "", {})
    assert call.text(("f(1)", "f(2)")) == (
        '{\n "calls": [\n'
        '  {"call": "f(1)", "returned": 1},\n'
        '  {"call": "f(2)", "returned": null, "raised": {"type": "ValueError", "message": "no"}}\n'
        ' ],\n "printed": ""\n}\n'
    )
