"""Properties of values and of listening that hold for any input."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.values.normalise import find_times, normalise, same_value, to_minutes
from pytest_todeval.nlu.vocabulary import Vocabulary
from tests.support.examples import examples

SLOTS = st.sampled_from(
    ["name", "area", "time", "leaveAt", "people", "day", "type", "price", "phone", "size", "food"]
)
PHRASES = st.lists(
    st.sampled_from(
        ["no", "hotel", "book", "booked", "what", "day", "?", ".", ",", "for", "4", "people", "at",
         "17:30", "reference", "AB12CD34", "not", "would", "you", "like", "the", "cheap", "or",
         "Old Mill", "from", "to", "taxi", "'s", "n't", "and", "\n", "*", "£", "is"]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip
VOCABULARY = Vocabulary({"hotel": ("Old Mill",)}, {"size": ("small", "large")})


@given(SLOTS, st.text(max_size=60))
@examples(150)
def test_a_normalised_value_stays_the_same_value(slot: str, value: str) -> None:
    assert same_value(slot, value, value)
    assert normalise(slot, normalise(slot, value)) == normalise(slot, value)


@given(SLOTS, st.text(max_size=30), st.text(max_size=30))
@examples(100)
def test_sameness_does_not_depend_on_the_order(slot: str, one: str, other: str) -> None:
    assert same_value(slot, one, other) is same_value(slot, other, one)


@given(st.integers(0, 23), st.integers(0, 59))
@examples(60)
def test_times_are_found_in_both_notations(hour: int, minute: int) -> None:
    half = "am" if hour < 12 else "pm"
    for said in (f"{hour:02d}:{minute:02d}", f"{(hour - 1) % 12 + 1}:{minute:02d} {half}"):
        assert to_minutes(said) == 60 * hour + minute
        assert find_times(f"It leaves at {said}.") == [f"{hour:02d}:{minute:02d}"]


@given(st.one_of(st.text(max_size=300), PHRASES))
@examples(200)
def test_listening_never_fails_and_always_says_what(text: str) -> None:
    heard = listen(text, VOCABULARY, domain="hotel")
    assert heard == listen(text, VOCABULARY, domain="hotel")
    assert len(set(heard)) == len(heard)
    for one in heard:
        named = one.act is Act.NO_OFFER and one.slot is not None
        has_value = named or one.act in (Act.OFFER, Act.INFORM, Act.REFERENCE)
        assert (one.value is not None) is has_value
        assert (one.slot is not None) is (has_value or one.act is Act.REQUEST)
