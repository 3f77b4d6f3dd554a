"""Whatever the goal, the user speaks: no placeholder, no Python, always an end."""

import re
import string

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.styles import STYLES
from tests.support.examples import examples

WORDS = st.text(string.ascii_letters + "äß' -", min_size=1, max_size=12).map(str.strip)
WORD = WORDS.filter(lambda text: text.lower() != "none" and any(char.isalnum() for char in text))
SLOTS = st.one_of(
    WORD,
    st.sampled_from(["area", "name", "people", "leaveAt", "arriveBy", "internet", "type", "stars"]),
)
VALUES = st.one_of(WORD, st.sampled_from(["centre", "1", "4", "yes", "no", "17:30", "friday"]))
DOMAINS = st.one_of(
    WORD, st.sampled_from(["restaurant", "hotel", "train", "taxi", "attraction", "police"])
)
SLOT_VALUES = st.dictionaries(SLOTS, VALUES, max_size=4)


@st.composite
def domain_goals(draw: st.DrawFn) -> DomainGoal:
    return DomainGoal(
        domain=draw(DOMAINS),
        inform=draw(st.dictionaries(SLOTS, VALUES, min_size=1, max_size=4)),
        fail_inform=draw(SLOT_VALUES),
        book=draw(SLOT_VALUES),
        fail_book=draw(SLOT_VALUES),
        request=tuple(draw(st.lists(SLOTS, max_size=3, unique=True))),
        wants_booking=draw(st.booleans()),
    )


GOALS = st.builds(
    Goal,
    id=st.just("G"),
    source=st.just("own"),
    domains=st.lists(
        domain_goals(), min_size=1, max_size=3, unique_by=lambda part: part.domain
    ).map(tuple),
)
REPLIES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "No preference on the area? What about the price?",
                "I'm sorry, there is nothing like that.",
                "How about The Oak? Would you like me to book it?",
                "Booked! The reference number is ABCD1234.",
                "The booking failed. Which time would you like?",
                "For how many people, and on which day?",
                "May I have your name, e-mail address and card number?",
                "Window or aisle? Any allergies? Reply 1 to confirm, 2 to cancel.",
                "So that is 3 people, correct? Shall I go ahead?",
                "It has not been booked yet. Do you accept our terms?",
                "",
                "{value} {details} {0} %s",
            ]
        ),
        st.text(max_size=40),
    ),
    min_size=1,
    max_size=5,
)


@examples(60)
@given(GOALS, REPLIES, st.sampled_from(sorted(STYLES)), st.integers(0, 5))
def test_every_goal_is_spoken_and_every_dialogue_ends(
    goal: Goal, replies: list[str], style: str, seed: int
) -> None:
    user = AgendaUser(goal, style=style, seed=seed)
    said = user.respond(None)
    for index in range(1, 150):
        assert not re.search(r"\{|\}|None\b|\[|\]|  | \.", said.text), said.text
        if said.stop is not None:
            break
        assert said.text.strip(), "the user falls silent"
        said = user.respond(Turn(index, said.text, replies[index % len(replies)]))
    assert said.stop in (
        StopReason.USER_DONE,
        StopReason.USER_GAVE_UP,
        StopReason.SIMULATOR_FAULT,
    )
    if said.stop is not StopReason.USER_DONE:
        assert said.reason
