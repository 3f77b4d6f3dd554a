"""What the user says next, given what the turn calls for: reactions first, then its agenda."""

import random
from dataclasses import replace

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.agenda import Agenda
from pytest_todeval.simulation.agenda.answering import Answering
from pytest_todeval.simulation.agenda.facts import Facts
from pytest_todeval.simulation.agenda.memory import UNKNOWN, DomainPart, GoalMemory
from pytest_todeval.simulation.agenda.reaction import Reaction
from pytest_todeval.simulation.agenda.styles import STYLES
from tests.agenda.world import FAILING, HOTEL, PHONE, ROOM, TABLE, goal_of

QUIET = Reaction()
TRAIN = DomainGoal("train", inform={"day": "friday", "leaveAt": "10:00"}, request=("price",))
RIDE = DomainGoal("taxi", inform={"departure": "a", "destination": "b"}, request=("phone",),
                  wants_booking=True)  # fmt: skip


class Drawn(random.Random):
    """Draws the same number each time: 0.5 asks before it books and praises nothing."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self.number = number

    def random(self) -> float:
        return self.number


def agenda(*parts: DomainGoal, style: str = "chatty", drawn: float = 0.5) -> Agenda:
    memory = GoalMemory(goal_of(*parts))
    return Agenda(memory, Drawn(drawn), STYLES[style], Answering(Facts({}, "1")))


def under_way(
    *parts: DomainGoal, style: str = "chatty", venue: str = "Sea View", drawn: float = 0.5
) -> tuple[Agenda, DomainPart]:
    """The user has said its constraints of the first domain, and a venue was found (or "")."""
    plan = agenda(*parts, style=style, drawn=drawn)
    part = plan.memory.parts[0]
    part.opened = True
    part.told.update(part.inform)
    part.venue = venue
    return plan, part


def kinds(acts: tuple[Say, ...]) -> list[ActKind]:
    return [act.kind for act in acts]


def slots(acts: tuple[Say, ...]) -> dict[str, str]:
    return {slot: value for act in acts for slot, value in act.slots.items()}


# The agenda itself


def test_it_opens_with_its_constraints_and_says_no_slot_of_the_booking() -> None:
    plan = agenda(ROOM)
    (opening,) = plan.next_acts(QUIET, 0)
    assert opening == Say(ActKind.OPEN, "hotel", {"area": "north"})
    assert plan.memory.parts[0].opened
    assert plan.memory.parts[0].told == {"area": "north"}


@pytest.mark.parametrize(("style", "most"), [("terse", 1), ("plain", 3), ("chatty", 5)])
def test_a_style_says_so_many_slots_in_a_turn(style: str, most: int) -> None:
    many = DomainGoal("hotel", inform=dict.fromkeys("abcde", "1"))
    counts = set()
    for seed in range(20):
        plan = agenda(many, style=style)
        plan.rng = random.Random(seed)
        counts.add(len(slots(plan.next_acts(QUIET, 0))))
    assert max(counts) == most
    assert min(counts) == (5 if style == "chatty" else 1)


def test_even_one_that_says_everything_at_once_says_no_more_than_twelve_slots() -> None:
    for seed in range(10):
        plan = agenda(DomainGoal("hotel", inform=dict.fromkeys("abcdefghijklmnopqrst", "1")))
        plan.rng = random.Random(seed)
        assert [len(slots(plan.next_acts(QUIET, 0))) for _ in range(3)] == [12, 8, 0]


def test_the_rest_of_the_constraints_follows_slot_by_slot_in_the_goals_order() -> None:
    plan = agenda(DomainGoal("hotel", inform={"a": "1", "b": "2", "c": "3"}), style="terse")
    said = [plan.next_acts(QUIET, 0) for _ in range(3)]
    assert [slots(acts) for acts in said] == [{"a": "1"}, {"b": "2"}, {"c": "3"}]
    assert [kinds(acts) for acts in said] == [[ActKind.OPEN], [ActKind.INFORM], [ActKind.INFORM]]


def test_a_venue_is_asked_for_and_in_every_second_turn_all_is_said_again() -> None:
    plan, _ = under_way(HOTEL, venue="")
    said = [plan.next_acts(QUIET, strikes) for strikes in range(4)]
    assert [kinds(acts) for acts in said] == [
        [ActKind.RECOMMEND], [ActKind.RESTATE], [ActKind.RECOMMEND], [ActKind.RESTATE]
    ]  # fmt: skip
    assert slots(said[0]) == {}
    assert slots(said[1]) == HOTEL.inform


def test_a_venue_wanted_by_name_is_asked_for_by_name() -> None:
    plan, _ = under_way(DomainGoal("hotel", inform={"name": "Sea View", "area": "north"}), venue="")
    assert plan.next_acts(QUIET, 0) == (Say(ActKind.RECOMMEND, "hotel", {"name": "Sea View"}),)


def test_a_domain_without_venues_needs_none() -> None:
    plan, _ = under_way(DomainGoal("pizza", inform={"size": "big"}, request=("price",)), venue="")
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.REQUEST]


def test_requests_come_before_the_booking_or_after_it() -> None:
    both = replace(ROOM, request=("phone",))
    asks, _ = under_way(both)
    assert kinds(asks.next_acts(QUIET, 0)) == [ActKind.REQUEST]
    books, part = under_way(both, drawn=0.3)
    assert kinds(books.next_acts(QUIET, 0)) == [ActKind.BOOK]
    part.booked = True
    assert kinds(books.next_acts(QUIET, 0)) == [ActKind.REQUEST]
    orders: set[bool] = set()
    for seed in range(20):
        orders |= set(Agenda(GoalMemory(goal_of(both)), random.Random(seed), STYLES["plain"],
                             Answering(Facts({}, "1"))).books_first.values())  # fmt: skip
    assert orders == {True, False}


def test_a_taxi_is_booked_before_its_number_is_asked_for() -> None:
    plan, part = under_way(RIDE, venue="")
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.BOOK]
    part.booked = True
    assert plan.next_acts(QUIET, 0)[0].slots == {"phone": ""}


def test_a_request_is_made_again_in_other_words_once_there_is_a_strike() -> None:
    plan, part = under_way(PHONE)
    assert plan.next_acts(QUIET, 0) == (Say(ActKind.REQUEST, "hotel", {"phone": ""}, "Sea View"),)
    assert part.requested["phone"] == 1
    assert part.asking == ("phone",)
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.REQUEST]
    assert kinds(plan.next_acts(QUIET, 1)) == [ActKind.REQUEST_AGAIN]
    other, _ = under_way(PHONE)
    assert kinds(other.next_acts(QUIET, 1)) == [ActKind.REQUEST], "nothing was asked for yet"


def test_the_booking_is_raised_slot_by_slot_and_then_asked_for_again() -> None:
    plan, part = under_way(ROOM, style="terse")
    said = [plan.next_acts(QUIET, 0) for _ in range(4)]
    assert [kinds(acts) for acts in said] == [
        [ActKind.BOOK], [ActKind.INFORM], [ActKind.INFORM], [ActKind.BOOK_AGAIN]
    ]  # fmt: skip
    assert slots(said[3]) == ROOM.book
    assert part.book_raised
    assert said[0][0].venue == "Sea View"


def test_an_unclear_question_of_the_bot_brings_the_booking_slots_forward() -> None:
    both = replace(ROOM, request=("phone",))
    plan, _ = under_way(both)
    assert kinds(plan.next_acts(Reaction(unclear=True), 0)) == [ActKind.BOOK]
    plan, part = under_way(both)
    part.told.update(part.book)
    assert kinds(plan.next_acts(Reaction(unclear=True), 0)) == [ActKind.REQUEST]


def test_the_next_domain_is_opened_after_a_word_of_thanks() -> None:
    plan, _ = under_way(HOTEL, TABLE)
    acts = plan.next_acts(QUIET, 1)
    assert kinds(acts) == [ActKind.GOING_ON, ActKind.OPEN]
    assert {act.domain for act in acts} == {"restaurant"}
    assert plan.memory.index == 1


def test_two_domains_that_are_done_are_passed_at_once() -> None:
    plan, _ = under_way(HOTEL, DomainGoal("pizza", inform={"size": "big"}), TABLE)
    second = plan.memory.parts[1]
    second.opened = True
    second.told.update(second.inform)
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.GOING_ON, ActKind.OPEN]
    assert plan.memory.index == 2


def test_in_a_domain_that_follows_the_strikes_of_the_one_before_do_not_count() -> None:
    plan, _ = under_way(HOTEL, PHONE)
    second = plan.memory.parts[1]
    second.opened = True
    second.told.update(second.inform)
    assert kinds(plan.next_acts(QUIET, 1)) == [ActKind.GOING_ON, ActKind.RECOMMEND]


def test_nothing_is_said_when_nothing_is_left() -> None:
    plan, _ = under_way(HOTEL)
    assert plan.next_acts(QUIET, 0) == ()
    assert plan.memory.current is None
    assert plan.next_acts(QUIET, 0) == ()
    assert plan.last == ()


# Habits


def test_one_that_returns_keeps_a_question_of_the_first_domain_that_has_one() -> None:
    plan = agenda(HOTEL, PHONE, TABLE, style="returns")
    assert [part.kept for part in plan.memory.parts] == ["", "phone", ""]
    last_only = agenda(HOTEL, PHONE, style="returns")
    assert not any(part.kept for part in last_only.memory.parts)
    assert not any(part.kept for part in agenda(PHONE, TABLE).memory.parts)


def test_one_that_returns_asks_its_question_in_the_end_and_once() -> None:
    plan = agenda(PHONE, HOTEL, style="returns")
    for part in plan.memory.parts:
        part.opened, part.venue = True, "Sea View"
        part.told.update(part.inform)
    (returning,) = plan.next_acts(QUIET, 0)
    assert returning == Say(ActKind.RETURN, "hotel", {"phone": ""}, "Sea View")
    first = plan.memory.parts[0]
    assert plan.memory.current is first
    assert (first.requested["phone"], first.asking, first.kept) == (1, ("phone",), "")
    first.answers["phone"] = "123"
    assert plan.next_acts(QUIET, 0) == ()


@pytest.mark.parametrize("why", ["answered", "abandoned"])
def test_one_that_returns_does_not_where_there_is_nothing_to_ask(why: str) -> None:
    plan = agenda(PHONE, HOTEL, style="returns")
    for part in plan.memory.parts:
        part.opened, part.venue = True, "Sea View"
        part.told.update(part.inform)
    first = plan.memory.parts[0]
    if why == "answered":
        first.answers["phone"] = "123"
    else:
        first.abandoned = "nothing was found"
        plan.memory.index = 1
    assert plan.next_acts(QUIET, 0) == ()


def test_one_that_asks_again_does_so_once_for_what_it_was_told() -> None:
    asked = replace(PHONE, request=("phone", "address"))
    plan, part = under_way(asked, PHONE, style="asks_again")
    part.answers = {"phone": UNKNOWN, "address": "1 Mill Road"}
    assert plan.next_acts(QUIET, 0) == (
        Say(ActKind.ASK_AGAIN, "hotel", {"address": ""}, "Sea View"),
    )
    assert part.asked_again == "address"
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.GOING_ON, ActKind.OPEN]


def test_one_that_asks_again_and_was_told_nothing_goes_on() -> None:
    plan, part = under_way(PHONE, style="asks_again")
    part.answers = {"phone": UNKNOWN}
    assert plan.next_acts(QUIET, 0) == ()
    plain, part = under_way(PHONE)
    part.answers = {"phone": "123"}
    assert plain.next_acts(QUIET, 0) == ()


# What the bot asks


def test_what_is_asked_is_answered_and_the_bot_has_the_next_word() -> None:
    plan, _ = under_way(ROOM)
    acts = plan.next_acts(Reaction(asked=("people", "day")), 0)
    assert acts == (Say(ActKind.ANSWER, "hotel", {"people": "3", "day": "friday"}, "Sea View"),)


def test_what_is_not_in_the_goal_does_not_matter_and_the_agenda_goes_on() -> None:
    plan, part = under_way(ROOM)
    acts = plan.next_acts(Reaction(asked=("stars", "people")), 0)
    assert kinds(acts) == [ActKind.ANSWER, ActKind.NO_PREFERENCE]
    assert acts[1].slots == {"stars": ""}
    assert part.indifferent == {"stars"}
    acts = plan.next_acts(Reaction(asked=("stars",)), 0)
    assert kinds(acts) == [ActKind.NO_PREFERENCE, ActKind.BOOK]


def test_a_question_before_there_is_a_venue_leaves_the_search_to_the_bot() -> None:
    plan, _ = under_way(HOTEL, venue="")
    assert kinds(plan.next_acts(Reaction(asked=("stars",)), 0)) == [ActKind.NO_PREFERENCE]
    waiting, _ = under_way(HOTEL, TABLE, venue="")
    assert kinds(waiting.next_acts(Reaction(asked=("stars",)), 1)) == [ActKind.NO_PREFERENCE]
    assert waiting.memory.index == 0, "the user does not leave a domain that the bot asks about"


@pytest.mark.parametrize("asked", ["time", "leaveAt", "arriveBy"])
def test_one_wish_of_a_time_answers_the_question_for_another(asked: str) -> None:
    plan, _ = under_way(TRAIN, venue="")
    assert slots(plan.next_acts(Reaction(asked=(asked,)), 0)) == {"leaveAt": "10:00"}
    plan, _ = under_way(TABLE, venue="")
    assert slots(plan.next_acts(Reaction(asked=(asked,)), 0)) == {"time": "18:00"}


def test_a_goal_without_booking_declines_one() -> None:
    plan, part = under_way(PHONE)
    acts = plan.next_acts(Reaction(offers_booking=True), 0)
    assert kinds(acts) == [ActKind.NO_BOOKING, ActKind.REQUEST]
    acts = plan.next_acts(Reaction(asked=("people", "day", "time", "stay")), 0)
    assert kinds(acts) == [ActKind.NO_BOOKING, ActKind.REQUEST]
    assert not part.indifferent
    train, _ = under_way(TRAIN, venue="TR1")
    assert slots(train.next_acts(Reaction(asked=("day",)), 0)) == {"day": "friday"}


def test_an_offer_to_book_is_accepted_with_all_that_it_takes() -> None:
    plan, part = under_way(ROOM)
    acts = plan.next_acts(Reaction(offers_booking=True), 0)
    assert kinds(acts) == [ActKind.YES, ActKind.ANSWER]
    assert acts[1].slots == ROOM.book
    assert part.untold_booking == {}
    acts = plan.next_acts(Reaction(offers_booking=True), 0)
    assert acts == (Say(ActKind.YES, "hotel"), Say(ActKind.BOOK_AGAIN, "hotel", {}, "Sea View"))


def test_an_offer_to_book_is_not_accepted_before_all_constraints_are_said() -> None:
    plan, part = under_way(replace(ROOM, inform={"area": "north", "stars": "4"}))
    del part.told["stars"]
    acts = plan.next_acts(Reaction(offers_booking=True), 0)
    assert kinds(acts) == [ActKind.INFORM]


def test_once_it_is_booked_questions_are_not_answered_any_more() -> None:
    plan, part = under_way(replace(ROOM, request=("phone",)))
    part.booked = True
    part.answers["reference"] = "ABC"
    acts = plan.next_acts(Reaction(asked=("people",), offers_booking=True), 0)
    assert kinds(acts) == [ActKind.REQUEST]


def test_the_users_last_words_are_repeated_for_a_bot_that_did_not_understand() -> None:
    plan, _ = under_way(ROOM)
    said = plan.next_acts(QUIET, 0)
    assert plan.next_acts(Reaction(not_understood=True), 0) == said
    fresh = agenda(ROOM)
    assert kinds(fresh.next_acts(Reaction(not_understood=True), 0)) == [ActKind.OPEN]


# Offers and objections


@pytest.mark.parametrize(
    ("reaction", "kind"),
    [
        (Reaction(changed={"food": "british"}), ActKind.CHANGE),
        (Reaction(changed={"food": "british"}, unforced=True), ActKind.CHANGE_MIND),
        (Reaction(wrong={"area": "north"}), ActKind.CORRECT),
        (Reaction(wrong={"people": "3"}, booked_wrong=True), ActKind.CORRECT_BOOKING),
        (Reaction(another={"area": "north"}), ActKind.ANOTHER),
    ],
)
def test_an_objection_is_all_that_is_said(reaction: Reaction, kind: ActKind) -> None:
    plan, part = under_way(replace(ROOM, request=("phone",)))
    reaction.asked, reaction.offers_booking, reaction.had_choice = ("stars",), True, True
    (act,) = plan.next_acts(reaction, 0)
    assert act.kind is kind
    assert part.told == {**part.told, **act.slots}


def test_an_offer_that_does_not_fit_is_turned_down_though_no_constraint_is_named() -> None:
    plan, _ = under_way(HOTEL, venue="")
    assert kinds(plan.next_acts(Reaction(another={}), 0))[0] is ActKind.ANOTHER


def test_of_a_change_what_falls_away_does_not_matter() -> None:
    plan, _ = under_way(FAILING, venue="")
    acts = plan.next_acts(Reaction(changed={"food": "british", "stars": ""}), 0)
    assert acts[0] == Say(ActKind.CHANGE, "restaurant", {"food": "british"})
    assert acts[1] == Say(ActKind.NO_PREFERENCE, "restaurant", {"stars": ""})
    assert len(acts) == 2
    only, _ = under_way(HOTEL, venue="")
    assert kinds(only.next_acts(Reaction(changed={"stars": ""}), 0))[0] is ActKind.NO_PREFERENCE


def test_one_of_several_is_picked_and_a_single_one_is_praised_now_and_then() -> None:
    several = Reaction(taken="Sea View", had_choice=True)
    plan, _ = under_way(PHONE)
    acts = plan.next_acts(several, 0)
    assert acts[0] == Say(ActKind.PICK, "hotel", venue="Sea View")
    assert kinds(acts) == [ActKind.PICK, ActKind.REQUEST]
    single = Reaction(taken="Sea View")
    assert kinds(under_way(PHONE)[0].next_acts(single, 0)) == [ActKind.REQUEST]
    praising, _ = under_way(PHONE, drawn=0.2)
    assert kinds(praising.next_acts(single, 0)) == [ActKind.GOOD, ActKind.REQUEST]
    assert kinds(under_way(PHONE, drawn=0.2)[0].next_acts(QUIET, 0)) == [ActKind.REQUEST]
    terse, _ = under_way(PHONE, style="terse", drawn=0.2)
    assert kinds(terse.next_acts(single, 0)) == [ActKind.REQUEST]


# Refusals


@pytest.mark.parametrize(("refusals", "insists"), [(1, True), (2, True), (3, False)])
def test_the_third_refusal_ends_the_domain(refusals: int, insists: bool) -> None:
    plan, part = under_way(HOTEL, TABLE, venue="")
    part.refusals = refusals
    acts = plan.next_acts(Reaction(refused=True), 0)
    if insists:
        assert kinds(acts) == [ActKind.RESTATE]
        assert slots(acts) == HOTEL.inform
        assert not part.abandoned
    else:
        assert part.abandoned == "nothing was found"
        assert acts[-1].kind is ActKind.OPEN
        assert acts[-1].domain == "restaurant"


@pytest.mark.parametrize(("failures", "insists"), [(1, True), (3, True), (4, False)])
def test_the_fourth_failure_ends_the_booking(failures: int, insists: bool) -> None:
    plan, part = under_way(ROOM)
    part.book_raised = True
    part.told.update(part.book)
    part.booking_failures = failures
    acts = plan.next_acts(Reaction(booking_failed=True), 0)
    assert kinds(acts) == ([ActKind.BOOK_AGAIN] if insists else [])
    assert part.booking_dropped is not insists
    if insists:
        assert slots(acts) == ROOM.book


def test_a_failed_booking_with_a_question_is_answered_not_repeated() -> None:
    plan, part = under_way(ROOM)
    part.booking_failures = 1
    acts = plan.next_acts(Reaction(booking_failed=True, asked=("people",)), 0)
    assert kinds(acts) == [ActKind.ANSWER]
    untold, part = under_way(replace(ROOM, inform={"area": "north", "stars": "4"}), venue="")
    del part.told["stars"]
    assert kinds(untold.next_acts(Reaction(booking_failed=True), 0)) == [ActKind.INFORM]


# Questions besides the business


def test_a_fact_is_told_and_the_bot_has_the_next_word_while_something_is_open() -> None:
    asked = Reaction(questions=(UserQuestion(Ask.FACT, "name"),))
    plan, _ = under_way(ROOM)
    assert kinds(plan.next_acts(asked, 0)) == [ActKind.FACT]
    done, _ = under_way(HOTEL, TABLE)
    assert kinds(done.next_acts(asked, 0)) == [ActKind.FACT, ActKind.GOING_ON, ActKind.OPEN]


def test_what_is_right_is_confirmed_unless_it_was_refused() -> None:
    plan, _ = under_way(ROOM)
    assert kinds(plan.next_acts(Reaction(confirms=True), 0)) == [ActKind.CONFIRM]
    plan, part = under_way(HOTEL, venue="")
    part.refusals = 1
    assert kinds(plan.next_acts(Reaction(confirms=True, refused=True), 0)) == [ActKind.RESTATE]


def test_the_word_asked_for_is_all_that_is_said() -> None:
    plan, part = under_way(ROOM)
    part.told.update(part.book)
    acts = plan.next_acts(Reaction(reply=("1", "2"), offers_booking=True), 0)
    assert acts == (Say(ActKind.REPLY, "hotel", {"reply": "1"}),)


def test_the_user_has_no_idea_twice_in_a_domain_and_then_sticks_to_its_business() -> None:
    plan, _ = under_way(PHONE)
    said = [kinds(plan.next_acts(Reaction(baffling=True), 0)) for _ in range(3)]
    assert said == [
        [ActKind.NO_IDEA, ActKind.REQUEST],
        [ActKind.NO_IDEA, ActKind.REQUEST],
        [ActKind.REQUEST],
    ]
    done, _ = under_way(HOTEL)
    assert done.next_acts(Reaction(baffling=True), 0) == ()


# Giving up


def test_what_is_to_fail_is_given_up_for_the_alternative() -> None:
    plan, part = under_way(FAILING, venue="")
    plan.set_back()
    assert not part.tries_first
    assert not part.abandoned
    assert slots(plan.next_acts(QUIET, 0)) == {"food": "british"}


def test_a_domain_in_which_nothing_was_found_is_given_up_for_the_next() -> None:
    plan, part = under_way(HOTEL, TABLE, venue="")
    plan.set_back()
    assert part.abandoned == "nothing was found"
    assert plan.memory.index == 1
    unopened = agenda(DomainGoal("pizza"), TABLE)
    unopened.set_back()
    assert unopened.memory.parts[0].abandoned
    untold, part = under_way(HOTEL)
    part.told.clear()
    untold.set_back()
    assert part.abandoned


def test_requests_that_were_made_are_given_up_before_the_booking() -> None:
    plan, part = under_way(replace(ROOM, request=("phone",)))
    plan.next_acts(QUIET, 0)
    plan.set_back()
    assert part.dropped == {"phone"}
    assert not part.booking_dropped
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.BOOK]


def test_a_booking_is_given_up_before_requests_that_were_never_made() -> None:
    plan, part = under_way(replace(ROOM, request=("phone",)), drawn=0.3)
    plan.next_acts(QUIET, 0)
    plan.set_back()
    assert part.booking_dropped
    assert not part.dropped
    assert kinds(plan.next_acts(QUIET, 0)) == [ActKind.REQUEST]
    assert not part.abandoned


def test_what_was_given_up_is_not_repeated() -> None:
    plan, _ = under_way(ROOM)
    plan.next_acts(QUIET, 0)
    plan.set_back()
    assert plan.last == ()
    plan.memory.index = 1
    plan.set_back()
    assert plan.memory.index == 1
