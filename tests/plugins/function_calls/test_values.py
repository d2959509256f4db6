"""Differences of values: none between equal ones, and one that is named between all others."""

import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.expectation import Tolerance
from grader.model.plain_values import Plain, words
from grader.plugins.function_calls.values import differences

CARDS: st.SearchStrategy[Plain] = st.sampled_from(["A♥", "10♠", "XX"]).map(lambda name: {"card": name})
SCALARS: st.SearchStrategy[Plain] = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.5, 1.0]), st.text("a♥'", max_size=2)
)
VALUES: st.SearchStrategy[Plain] = st.recursive(
    st.one_of(SCALARS, CARDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(lambda items: {"tuple": items}),
        st.lists(CARDS, max_size=3).map(lambda items: {"deck": items}),
    ),
    max_leaves=6,
)


@given(VALUES)
def test_nothing_differs_from_itself(value: Plain) -> None:
    assert differences("x", value, value, None) == []


@given(VALUES, VALUES)
def test_values_that_are_written_differently_differ(one: Plain, other: Plain) -> None:
    said = differences("x", one, other, None)
    assert bool(said) == (words(one) != words(other))
    assert all(line.startswith("x") for line in said)


def an_object(*attributes: tuple[str, Plain], name: str = "Odd") -> Plain:
    """An object with these attributes."""
    return {"instance": [name, [list(pair) for pair in attributes]]}


@pytest.mark.parametrize("name", ["", "\0", "\0.", ".", "\ud800", "a b", "\n", "__class__", "root['x']", "a" * 10_000])
def test_attributes_may_have_any_name(name: str) -> None:
    odd = an_object((name, []), ("x", 1))
    assert differences("r", odd, odd, None) == []
    assert differences("r", 3, odd, None)[0].startswith("r: 3 expected, found object of Odd(")
    assert differences("r", odd, 3, None)[0].startswith("r: object of Odd(")
    assert len(differences("r", an_object((name, []), ("x", 2)), odd, None)) == 1
    assert len(differences("r", an_object((name, [1]), ("x", 1)), odd, None)) == 1
    assert len(differences("r", an_object((name, []), ("x", 1), name="Other"), odd, None)) == 1
    assert differences("r", an_object(("x", 1)), odd, None) == []


@pytest.mark.parametrize(
    "odd",
    [
        {"instance": ["Odd", [[["x"], 1]]]},
        {"instance": ["Odd", [[{"a": 1}, 1]]]},
        {"instance": ["Odd", [[None, 1], ["x"]]]},
        {"instance": [["Odd"], []]},
        {"dict": [[{"dict": []}, float("nan")]]},
        {"set": [float("nan"), [float("nan")], {"set": [[]]}]},
        {"set": ["\ud800", 0.5]},
        {"set": [{"tuple": ["\ud800"]}, 0.5]},
        {"tuple": [2], "named": ["Odd", "x"], "attributes": [[["x"], 1]]},
        {"shown": "range(0, 10, 0)"},
        {"shown": "\ud800"},
        {"number": "9" * 10_000},
        {"number": None},
        "\0",
        "\0\0",
        "\ud800",
        10**4000,
        float("inf"),
    ],
)
@pytest.mark.parametrize("expected", [an_object(("x", 1)), 0.5, {"set": [0.5, {"tuple": [1, "a"]}]}, [], "text"])
@pytest.mark.parametrize("tolerance", [None, Tolerance(Decimal("0.1"))])
def test_odd_values_differ_and_are_shown(odd: object, expected: Plain, tolerance: Tolerance | None) -> None:
    [first, *_] = differences("r", expected, odd, tolerance)
    assert first.startswith("r")


@pytest.mark.parametrize("other", [0, 0.0, "False"])
def test_what_python_takes_as_equal_is_not(other: Plain) -> None:
    assert differences("x", [False, False, False], [False, False, other], None) == [
        f"x[2]: False expected, found {'the text ' * isinstance(other, str)}{words(other)}"
    ]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["card", "deck", "tuple", "set", "dict", "object", "x"]), inner, max_size=2)
    ),
    max_leaves=8,
)


@given(VALUES, ANYTHING, st.sampled_from([None, Tolerance(Decimal("0.1"))]))
def test_a_child_may_send_anything(expected: Plain, actual: object, tolerance: Tolerance | None) -> None:
    for line in differences("x", expected, actual, tolerance):
        assert not any(unicodedata.category(one) == "Cc" for one in line)


def test_a_child_may_send_something_very_deep() -> None:
    value: object = 1
    for _ in range(900):
        value = [value]
    assert differences("x", 1, value, None)


@pytest.mark.parametrize("count", [4, 5_000])
def test_items_too_much_and_too_few_are_told_from_changed_ones(count: int) -> None:
    assert differences("x", [1, 2, 3, 3], [1, 3, 3], None) == ["x[1]: 2 expected, missing"]
    assert "x[3]: 1 should not be there" in differences("x", [1, 1, 1], [1] * count, None)


def test_a_number_beyond_all_floats_is_not_close_to_one() -> None:
    assert len(differences("x", 0.5, 10**400, Tolerance(Decimal("0.1")))) == 1


@pytest.mark.parametrize(
    ("expected", "actual", "passes"),
    [
        (3.0, 3, True),
        (3, 3.0, False),
        (3.0, 4, False),
        (1.0, True, False),
        ([1.5, 2.0], [1.5, 2], True),
        ({"dict": [["mean", 3.0]]}, {"dict": [["mean", 3]]}, True),
        ({"set": [1.0, 2.0]}, {"set": [2, 1]}, True),
        ({"tuple": [1e300]}, {"tuple": [10**400]}, False),
    ],
)
def test_an_integer_does_where_a_float_is_expected(expected: Plain, actual: Plain, passes: bool) -> None:
    assert (not differences("x", expected, actual, None)) == passes


@pytest.mark.parametrize(("actual", "count"), [(2.505, 0), (2.52, 1), (3, 1)])
def test_numbers_may_be_off_by_the_tolerance(actual: float, count: int) -> None:
    assert len(differences("x", [2.5], [actual], Tolerance(Decimal("0.01")))) == count


def test_differences_are_named_where_they_are() -> None:
    expected: Plain = [[{"card": "2♦"}, {"card": "3♥"}], {"dict": [["a", 1]]}]
    assert differences("tableau", expected, [[{"card": "2♦"}], {"dict": [["a", 2]]}], None) == [
        "tableau[0][1]: 3♥ expected, missing",
        "tableau[1]['a']: 1 expected, found 2",
    ]


def test_long_values_and_many_differences_are_cut() -> None:
    said = differences("x", list(range(1000)), [f"{'y' * 200}{number}" for number in range(1000)], None)
    assert len(said) == 1000
    assert all(len(line) < 130 for line in said)


PAIRS: dict[str, tuple[Plain, object]] = {
    "the same item many times": ([1] * 2_000, [1, 2] * 1_000),
    "as much of it as is still aligned": ([1] * 299, [1, 2] * 149),
    "few items in turn": ([n % 2 for n in range(3_000)], [n % 3 for n in range(3_001)]),
    "a large grid": (
        [[row * column for column in range(200)] for row in range(200)],
        [[row * column + 1 for column in range(200)] for row in range(201)],
    ),
    "dictionaries in a list": (
        [{"dict": [["a", n], ["b", [n]]]} for n in range(2_000)],
        [{"dict": [["a", -n], ["b", [n + 3]]]} for n in range(2_001)],
    ),
    "large sets": ({"set": list(range(30_000))}, {"set": list(range(1, 40_000))}),
    "many lines": ("a\nb\n" * 20_000, "b\na\n" * 20_001),
    "a list of long texts": (["a" * 20_000 + str(n) for n in range(90)], ["a" * 20_000 + str(-n) for n in range(99)]),
    "very many numbers": (list(range(30_000)), [*range(29_999), 0]),
}


@pytest.mark.parametrize("tolerance", [None, Tolerance(Decimal("0.5"))])
@pytest.mark.parametrize("name", PAIRS)
def test_large_values_are_compared_soon(name: str, tolerance: Tolerance | None) -> None:
    """To align all of them takes minutes or hours. Only the first differences are looked for."""
    assert 0 < len(differences("x", *PAIRS[name], tolerance)) <= 1000


def test_items_are_aligned_where_several_are_missing() -> None:
    assert differences("x", list(range(300)), [n for n in range(300) if n not in (100, 140, 141)], None) == [
        "x[100]: 100 expected, missing",
        "x[140]: 140 expected, missing",
        "x[141]: 141 expected, missing",
    ]


def test_of_a_set_both_sides_are_named() -> None:
    assert differences("x", {"set": [1, 2, 3]}, {"set": [1, 4, 5]}, None) == [
        "x: 2 expected, missing; 4 should not be there",
        "x: 3 expected, missing; 5 should not be there",
    ]
    assert differences("x", [{"set": [1]}], [{"set": [1, 2]}], None) == ["x[0]: 2 should not be there"]


@pytest.mark.parametrize(
    ("expected", "actual", "count"),
    [
        (10**400, 10**400, 0),
        (10**400, 10**400 + 1, 0),
        (10**400, 10**400 + 2, 1),
        (10**400, 0.5, 1),
        (0.5, 10**400, 1),
        (10**400, float("inf"), 1),
        ({"number": "inf"}, {"number": "inf"}, 0),
        ({"number": "inf"}, {"number": "-inf"}, 1),
        ({"number": "nan"}, {"number": "nan"}, 0),
        ({"number": "nan"}, 1.0, 1),
        (1.0, float("nan"), 1),
        (1e308, -1e308, 1),
        (10**12, 10**12 + 2, 1),
        (0.1, 1.1, 0),
        (True, 2, 1),
    ],
)
def test_a_tolerance_for_every_number(expected: Plain, actual: object, count: int) -> None:
    assert len(differences("x", expected, actual, Tolerance(Decimal(1)))) == count
    assert len(differences("x", [expected], [actual], Tolerance(Decimal(1)))) == count


def test_a_share_of_each_number() -> None:
    share = Tolerance(relative=Decimal("1e-9"))
    assert differences("x", [1.5e9, 0.001, 3], [1.5e9 + 1, 0.001, 3.0], share) == []
    assert len(differences("x", [1.5e9, 0.001, 3], [1.5e9 + 2, 0.0010001, 4], share)) == 3


def test_a_deck_is_no_list_or_tuple_of_its_cards() -> None:
    cards: Plain = [{"card": "A♥"}]
    for other in (cards, {"tuple": cards}):
        assert len(differences("x", {"deck": cards}, other, None)) == 1
        assert len(differences("x", [other], [{"deck": cards}], None)) == 1


@pytest.mark.parametrize(
    ("expected", "actual", "tolerance"),
    [
        (10**10, 10**10 + 5, "0.01"),
        (1e12, 1e12 + 500, "0.01"),
        (10**200, 10**200 + 10**150, "1"),
        ({"number": "nan"}, 1.0, "1"),
        ({"set": [1.0, 2.0]}, {"set": [1.0, 2.5]}, "0.1"),
        ({"set": [{"tuple": [1.0]}, {"tuple": [5.0]}]}, {"set": [{"tuple": [1.0]}, {"tuple": [1.1]}]}, "0.1"),
        ({"dict": [[1.0, "a"], [2.0, "b"]]}, {"dict": [[1.1, "b"], [2.1, "a"]]}, "0.1"),
        ({"dict": [["__a", 1], ["b", 2]]}, {"dict": [["__a", 3], ["b", 2]]}, "1"),
        ({"dict": [["__a", 1], ["b", 2]]}, {"dict": [["b", 2]]}, None),
        ({"shown": "b'abc'"}, {"shown": "b'xyz'"}, None),
        ({"number": "1" * 400}, {"number": "1" * 399 + "2"}, None),
        (True, 1, "1"),
        ([1, 2], [1, 2, 3], "1"),
        ([1, 2, 3], [1, 2], "1"),
    ],
)
def test_a_tolerance_or_a_name_hides_no_difference(expected: Plain, actual: Plain, tolerance: str | None) -> None:
    assert differences("x", expected, actual, Tolerance(Decimal(tolerance)) if tolerance else None)


def points(*members: tuple[float, float]) -> list[Plain]:
    return [{"tuple": list(member)} for member in members]


MANY = [(float(number), 0.0) for number in range(2000)]


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (1.0, 1.01),
        ([1.0, 1.01, 1.02], [1.01, 1.02, 1.03]),
        ({"set": [1.0, 2.0]}, {"set": [2.01, 1.01]}),
        ({"dict": [[1.0, "a"], ["k", {"tuple": [2.0]}]]}, {"dict": [["k", {"tuple": [2.01]}], [1.01, "a"]]}),
        ({"set": points((10.0, 1), (2.0, 1))}, {"set": points((9.995, 1), (2.0, 1))}),
        ({"set": points((0.3, 0.5), (0.3, 0.7))}, {"set": points((0.301, 0.501), (0.3, 0.7))}),
        ({"set": points((1.0, 1), (1.01, 1))}, {"set": points((1.02, 1), (1.01, 1))}),
        ({"set": points(*MANY)}, {"set": points((0.005, 0), *MANY[1:])}),
        (
            {"dict": [[key, "a"] for key in points((10.0, 1.0), (2.0, 1.0))]},
            {"dict": [[key, "a"] for key in points((9.995, 1.0), (2.01, 1.0))]},
        ),
        ({"dict": [[1.0, "a"], [1.01, "b"]]}, {"dict": [[1.005, "b"], [1.001, "a"]]}),
    ],
)
def test_a_number_may_be_off_wherever_it_stands(expected: Plain, actual: Plain) -> None:
    assert differences("x", expected, actual, Tolerance(Decimal("0.01"))) == []


@pytest.mark.parametrize("text", ["\0", "\0\0", "\0.a", "a\0", "\0\x1b[31m"])
def test_texts_with_null_characters_are_shown_as_they_are(text: str) -> None:
    shown = repr(text)
    assert differences("x", 1, text, None) == [f"x: 1 expected, found {shown}"]
    assert differences("x", text, 1, None) == [f"x: {shown} expected, found 1"]
    assert differences("x", [1], [1, text], None) == [f"x[1]: {shown} should not be there"]
    both: list[Plain] = [{"set": [1]}, {"dict": [[text, 1]]}, {"dict": []}, an_object(("a", text))]
    assert differences("x", both[0], {"set": [1, text]}, None) == [f"x: {shown} should not be there"]
    assert differences("x", both[1], both[2], None) == [f"x[{shown}]: 1 expected, missing"]
    assert differences("x", 1, both[3], None) == [f"x: 1 expected, found object of Odd(a={shown})"]


def test_long_texts_are_shown_where_they_differ() -> None:
    [said] = differences("x", f"{'y' * 200}one", f"{'y' * 200}two", None)
    assert said == f"x: …{'y' * 20}one' expected, found …{'y' * 20}two'"


def test_zero_has_no_sign() -> None:
    assert differences("x", 0.0, -0.0, None) == []


def item(**attributes: Plain) -> Plain:
    return {"instance": ["Item", [[name, value] for name, value in attributes.items()]]}


@pytest.mark.parametrize(
    ("expected", "actual", "count"),
    [
        ([item(a=1), item(a=2, b=3)], [item(a=1, b=None), item(a=2, b=3)], 0),
        (item(a=item(c=1), c=2), item(a=item(a=None, c=1), c=2), 0),
        ({"set": [item(a=1), item(a=2, b=3)]}, {"set": [item(a=2, b=3), item(a=1, b=0)]}, 0),
        ({"dict": [["x", item(a=1)], ["y", item(b=1)]]}, {"dict": [["y", item(a=0, b=1)], ["x", item(a=1)]]}, 0),
        ([item(a=1), item(a=2, b=3)], [item(a=1, b=3), item(a=2)], 1),
        (item(a=item(c=1), c=2), item(a=item(a=None, c=2), c=2), 1),
        ({"set": [item(a=1), item(a=2, b=3)]}, {"set": [item(a=2, b=4), item(a=1, b=0)]}, 1),
    ],
)
def test_what_an_object_of_the_reference_lacks_does_not_count(expected: Plain, actual: Plain, count: int) -> None:
    for tolerance in (None, Tolerance()):
        assert len(differences("x", expected, actual, tolerance)) == count


def test_a_long_chain_of_objects() -> None:
    expected, actual = item(a=0), item(a=0, b=None)
    for number in range(45):
        expected, actual = item(a=number, b=expected), item(a=number, b=actual)
    assert differences("x", expected, actual, None) == []


@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-3, 3).filter(bool), st.data())
def test_ranges_are_equal_when_python_says_so(start: int, stop: int, step: int, data: st.DataObject) -> None:
    one = range(start, stop, step)
    other = data.draw(
        st.sampled_from([range(start, stop + 1, step), range(start, stop - 1, step), range(start, stop, step + 1 or 1)])
    )
    said = differences("x", {"shown": repr(one)}, {"shown": repr(other)}, None)
    assert (not said) == (one == other)


@pytest.mark.parametrize(
    ("tolerance", "found", "are_equal"),
    [
        (None, "(1-0j)", True),
        (None, "(1+0.001j)", False),
        (Tolerance(Decimal("0.01")), "(1.001+0.001j)", True),
        (Tolerance(Decimal("0.01")), "(1.001+0.1j)", False),
        (Tolerance(Decimal("0.01")), "(nan+0j)", False),
        (Tolerance(Decimal("0.01")), "b'1'", False),
    ],
)
def test_parts_of_complex_numbers_may_be_off(tolerance: Tolerance | None, found: str, *, are_equal: bool) -> None:
    assert (not differences("x", {"shown": "(1+0j)"}, {"shown": found}, tolerance)) == are_equal
    assert (not differences("x", [{"shown": "(1+0j)"}], [{"shown": found}], tolerance)) == are_equal


def test_a_range_of_any_size_is_compared() -> None:
    huge = f"range(0, {10**60}, 7)"
    assert differences("x", {"shown": huge}, {"shown": huge}, None) == []
    assert differences("x", {"shown": huge}, {"shown": f"range({'9' * 2000})"}, None)


@pytest.mark.parametrize("other", [[1, 0], [0, 1, 0, 0], [0, 1, 1]])
@pytest.mark.parametrize("tolerance", [None, Tolerance(Decimal("0.1"))])
def test_what_is_in_a_set_keeps_its_order_and_repetitions(other: list[Plain], tolerance: Tolerance | None) -> None:
    expected: Plain = {"set": [{"tuple": [0, 1]}]}
    actual: Plain = {"set": [{"tuple": other}]}
    assert differences("x", expected, expected, tolerance) == []
    assert differences("x", expected, actual, tolerance) != []
    assert differences("x", {"a": [expected]}, {"a": [actual]}, tolerance) != []
