"""What the simulated user takes a turn for, and what the metrics take it for, is the same."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.metrics.choices import claimed_bookings
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.calls.reading import CallOutcome, read_turn, standing
from pytest_todeval.facts.dialogue import TurnFacts, gather
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart, GoalMemory
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.understanding import Understanding
from tests.support.dialogue_world import (
    BOOK,
    DATABASE,
    ROWS,
    TABLE,
    backend,
    dialogue,
    restaurant_goal,
)

GOAL = restaurant_goal(book=BOOK)
KETTLE, SAFFRON = "The Copper Kettle", "Saffron Garden"

VERBS = ("book", "reserve", "check", "cancel", "update", "find", "order", "list", "get", "make", "")
THINGS = ("table", "restaurant", "booking", "reservation", "availability", "orders", "facebook", "")
NAMES = st.one_of(
    st.builds(lambda one, other: f"{one}_{other}".strip("_") or "run",
              st.sampled_from(VERBS), st.sampled_from(THINGS)),
    st.text(max_size=20),
)  # fmt: skip
FLAGS = st.dictionaries(
    st.sampled_from(("success", "ok", "error", "available", "booked", "status", "reference", "id",
                     "message", "name", "count")),
    st.sampled_from((True, False, None, "", "ok", "failed", "confirmed", "pending", "full",
                     "AB12CD", "Sorry, no table is free.", 200, 409, "the copper kettle")),
    max_size=4,
)  # fmt: skip
RESULTS = st.one_of(
    st.none(),
    st.booleans(),
    FLAGS,
    FLAGS.map(lambda flags: {"data": flags}),
    FLAGS.map(json.dumps),
    st.lists(st.sampled_from(ROWS["restaurant"]), max_size=3),
    st.text(max_size=40),
    st.sampled_from(("Booked! Your reference is QX12AB34.", "Error: full", "OK", "[[[[")),
)
CALLS = st.builds(
    ToolCall,
    NAMES,
    st.sampled_from(({}, TABLE, {"domain": "restaurant"}, {"area": "centre", "food": "italian"})),
    RESULTS,
    st.sampled_from((None, None, None, "the tool said no")),
)
FOREIGN = "Wszystko dobrze, prosze pana bardzo."
"""Words of which nothing is understood."""

OF_BOOKINGS = (
    "Your table is booked.", "I have booked it for you.", "It has not been booked yet.",
    "If you confirm, I will book it.", "I can have it booked in no time.", "Shall I book it?",
    "I was unable to book a table.", "Unfortunately, the restaurant is fully booked.",
    "It is usually booked weeks ahead.", "Nothing is booked.", "Your reference number is QX12AB34.",
)  # fmt: skip
BESIDES = (
    "", "Great!", "Thank you.", "It is in the centre.", "The phone number is 01999 111222.",
    "Anything else?", "The food is nice there.",
)  # fmt: skip
OF_NAMES = (
    f"How about {KETTLE}?", f"I recommend {SAFFRON}.", f"There is no {KETTLE} in my list.",
    f"{SAFFRON} is closed, sadly.", f"We have {KETTLE} and {SAFFRON}.", "I found nothing.",
    f"{KETTLE} is close to the museum.", f"Sorry, I do not know {SAFFRON}.", "Which area?",
)  # fmt: skip


def part_of(memory: GoalMemory, *, venue: str = "") -> DomainPart:
    """The user's business, with everything said that is to be said."""
    part = memory.parts[0]
    part.opened = part.book_raised = True
    part.told.update({**part.goal.inform, **part.goal.book})
    part.venue = venue
    return part


def user_reads(turn: Turn, venue: str = "") -> tuple[DomainPart, Reaction]:
    memory = GoalMemory(GOAL)
    part = part_of(memory, venue=venue)
    return part, Understanding(memory, DATABASE.vocabulary()).react(turn)


def metrics_read(turn: Turn) -> TurnFacts:
    return gather(dialogue(GOAL, turn), backend()).turns[0]


def turn_of(text: str, *calls: ToolCall, **more: Any) -> Turn:
    return Turn(1, "Please go on.", text, tuple(calls), **more)


@settings(deadline=None)
@given(st.lists(CALLS, max_size=3))
def test_of_calls_alone_the_user_believes_what_the_metrics_do(calls: list[ToolCall]) -> None:
    turn = turn_of(FOREIGN, *calls)
    part, reaction = user_reads(turn, KETTLE)
    facts = [fact for fact in metrics_read(turn).calls if fact.domain in (None, "restaurant")]
    done = [fact for fact in facts if fact.what in (CallOutcome.BOOKED, CallOutcome.CHANGED)]
    tried = [fact for fact in facts if fact.tried]
    assert (part.booked or reaction.booked_wrong) == bool(done)
    if not done:
        assert reaction.booking_failed == (bool(tried) and tried[-1].what is CallOutcome.REFUSED)
    found = {name for fact in facts for row in fact.rows if (name := row.get("name"))}
    known = {row["name"] for rows in part.rows.values() for row in rows if row.get("name")}
    assert known == {name for name in found if str(name).strip() not in ("", "?", "none")}


@settings(deadline=None)
@given(st.lists(CALLS, max_size=4), st.booleans())
def test_of_calls_a_backend_knows_best_for_both(calls: list[ToolCall], booked: bool) -> None:
    made = (Booking("restaurant", "QX12AB34", TABLE),) if booked else ()
    turn = turn_of(FOREIGN, *calls, booked=made)
    facts = read_turn(turn, GOAL)
    assert metrics_read(turn).calls == facts
    assert metrics_read(turn).made == made
    assert len(standing(facts)) <= len(made)


@settings(deadline=None)
@given(
    st.sampled_from(OF_BOOKINGS),
    st.sampled_from(BESIDES),
    st.sampled_from(BESIDES),
    st.lists(CALLS.filter(lambda call: not call.error), max_size=2),
)
def test_of_words_on_bookings_both_believe_the_same(
    said: str, before: str, after: str, calls: list[ToolCall]
) -> None:
    turn = turn_of(f"{before} {said} {after}".strip(), *calls)
    part, reaction = user_reads(turn, KETTLE)
    facts = metrics_read(turn)
    claimed = claimed_bookings(gather(dialogue(GOAL, turn_of(turn.system)), backend()))
    if facts.acts(Act.BOOKED) or not calls:
        assert (part.booked or reaction.booked_wrong) == bool(claimed)
    if facts.acts(Act.BOOKING_FAILED):
        assert not part.booked
        assert reaction.booking_failed


@settings(deadline=None)
@given(
    st.sampled_from(OF_NAMES),
    st.sampled_from(BESIDES),
    st.lists(st.sampled_from(ROWS["restaurant"]), max_size=2),
)
def test_the_user_takes_only_what_the_metrics_count_as_an_offer(
    said: str, after: str, rows: list[dict[str, Any]]
) -> None:
    found = ToolCall("find_restaurant", {}, rows)
    turn = turn_of(f"{said} {after}".strip(), found)
    part, reaction = user_reads(turn)
    offers = {offer.lower() for offer in metrics_read(turn).offers}
    taken = part.venue or part.candidate or reaction.taken
    assert not taken or taken.lower() in offers
    if offers and rows:
        assert taken or reaction.another or reaction.refused


@settings(deadline=None)
@given(st.sampled_from(OF_NAMES), st.sampled_from(BESIDES), st.booleans())
def test_without_a_database_they_agree_on_offers_too(said: str, after: str, shown: bool) -> None:
    rows = ROWS["restaurant"] if shown else []
    turn = turn_of(f"{said} {after}".strip(), ToolCall("find_restaurant", {}, rows))
    memory = GoalMemory(GOAL)
    part = part_of(memory)
    reaction = Understanding(memory, None).react(turn)
    offers = {_bare(name) for name in gather(dialogue(GOAL, turn)).turns[0].offers}
    taken = _bare(part.venue or part.candidate or reaction.taken)
    assert not taken or taken in offers
    assert not offers or taken or reaction.another or reaction.refused


def _bare(name: str) -> str:
    return name.lower().removeprefix("the ")


SLOTS = ("berth", "tide window", "crane_hire", "duty fee")
SAYS = (
    "The {slot} is {value}.", "{slot}: {value}", "{slot} = {value}", "The {slot}? It's {value}.",
    "{value} ({slot}).", "{slot} \U0001f449 {value} \U0001f60a", "- **{slot}**: {value}",
    "| {slot} | {value} |", "That'll be {value}, the {slot}.", "It is {value} for the {slot}.",
    "We do not speak of that.", "Which {slot}?", "Lovely weather!", "{value}",
)  # fmt: skip
VALUES = ("7 North Quay", "90 pounds", "12:30", "K. Amsel", "none", "blue")


@settings(deadline=None)
@given(st.sampled_from(SLOTS), st.sampled_from(SAYS), st.sampled_from(VALUES),
       st.sampled_from(BESIDES))  # fmt: skip
def test_the_metric_takes_as_told_whatever_the_user_does(
    slot: str, says: str, value: str, after: str
) -> None:
    words = slot.replace("_", " ")
    goal = Goal("G-port", "own", (DomainGoal("port", inform={"size": "s"}, request=(slot,)),))
    text = f"{says.format(slot=words, value=value)} {after}".strip()
    turn = Turn(1, f"What is the {words}?", text)
    memory = GoalMemory(goal)
    part = memory.parts[0]
    part.opened, part.asking = True, (slot,)
    part.told.update(part.goal.inform)
    Understanding(memory, None).react(turn)
    success = evaluate(dialogue(goal, turn))["success"]
    if part.answers.get(slot, UNKNOWN) != UNKNOWN:
        assert success.passed or success.doubt
