"""Expected calls on disk."""

from hypothesis import given
from hypothesis import strategies as st

from grader.judge.function_call import ExpectedCall, read_expected_call
from tests.judge.test_values import VALUES

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)


@given(VALUES, ANY_TEXT, st.dictionaries(st.sampled_from(["tableau", "stock", "returned"]), VALUES))
def test_what_is_written_is_read(returned: object, printed: str, values: dict[str, object]) -> None:
    call = ExpectedCall(returned, printed, values)  # type: ignore[arg-type]
    text = call.text()
    assert read_expected_call(text) == call
    assert text.encode().decode() == text, "the file is UTF-8"


def test_a_line_per_value() -> None:
    call = ExpectedCall([1, {"card": "3♥"}], "é\n", {"deck": {"deck": []}})
    assert call.text() == (
        '{\n "returned": [1, {"card": "3♥"}],\n "printed": "é\\n",\n "given deck": {"deck": []}\n}\n'
    )
