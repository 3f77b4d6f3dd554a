"""What desks say of a deed is heard as what they say of booking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.steps import VERBS, Effect, Verb
from pytest_todeval.nlu.verbs import as_booking, speaks_of, words_for
from tests.support.examples import examples

ICE = Verb("ice", Effect.SETS, done=("your {thing} is on ice", "it sleeps now."))


@pytest.mark.parametrize(
    ("verb", "said", "heard"),
    [
        ("cancel", "I've cancelled it.", "I've booked it."),
        ("cancel", "Canceling your booking now.", "booking your note now."),
        ("cancel", "I took visit A1 off the list.", "I booked visit A1 the list."),
        ("cancel", "The cancellation went through.", "The booking went through."),
        ("change", "Shall I move it?", "Shall I book it?"),
        ("change", "It was modified.", "It was booked."),
        ("change", "Your move is done.", "Your booking is done."),
        ("block", "The card is frozen, not unblocked.", "The card is booked, not unblocked."),
        ("return", "I sent it back.", "I booked it."),
        ("pay", "It is paid.", "It is booked."),
        ("pay", "Thanks, payment received.", "Thanks,  It is booked. "),
        ("book", "It is booked and cancelled.", "It is booked and cancelled."),
        ("activate", "Your card is active.", "Your card is booked."),
        ("exchange", "I'm swapping them.", "I'm booking them."),
    ],
)
def test_the_words_of_a_deed_become_those_of_booking(verb: str, said: str, heard: str) -> None:
    assert as_booking(said, VERBS[verb]) == heard


def test_a_verb_of_ones_own_is_heard_by_its_forms_and_examples() -> None:
    assert as_booking("I iced it.", ICE) == "I booked it."
    for said in ("Well, your old debit card is on ice!", "It sleeps now"):
        assert "It is booked." in as_booking(said, ICE)


def test_every_shipped_verb_has_words() -> None:
    for verb in VERBS.values():
        assert words_for(verb)
        said = "" if verb.name == "ask" else words_for(verb)[0].split()[0]
        assert verb.name == "ask" or speaks_of(f"I will {said} back it", verb) or said in ("send",)


@examples(60)
@given(st.text(max_size=60), st.sampled_from([*VERBS.values(), ICE]), st.text(max_size=9))
def test_any_text_and_any_verb_may_come(text: str, verb: Verb, name: str) -> None:
    own = Verb(name or "x", done=(text,))
    assert isinstance(as_booking(text, verb) + as_booking(text, own), str)
