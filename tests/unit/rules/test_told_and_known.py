"""Predicates that hold figures, words and manners against all that the bot knows."""

import json
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.evaluate.rules.load import load_rules
from pytest_todeval.evaluate.rules.predicates import reply_language
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.worlds.service_desk.domain import service_desk
from tests.support.desk_dialogues import DONE, FIND, PROPOSES, TASK, desk
from tests.support.dialogue_world import (
    EARLY,
    KETTLE,
    SAFFRON,
    backend,
    booked,
    booking,
    dialogue,
    found,
    goal,
    restaurant_goal,
    said,
)

TRIP = goal(DomainGoal("train", {"day": "monday"}))


def ask(name: str, played: Dialogue, known: Any = None, **arguments: Any) -> Found:
    """What a predicate finds in the last turn."""
    evidence = gather(played, backend() if known is None else known)
    result: Found = predicates()[name].function(View(evidence, evidence.turns[-1]), **arguments)
    assert result.reason
    return result


def train(text: str, user: str = "A train from ashford?") -> Dialogue:
    return dialogue(TRIP, said(user, text, found("train", EARLY)))


def venue(text: str, user: str = "Italian food?") -> Dialogue:
    return dialogue(restaurant_goal(), said(user, text, found("restaurant", KETTLE)))


def task(text: str, *calls: ToolCall, user: str = "Yes.") -> Dialogue:
    return dialogue(TASK, PROPOSES, said(user, text, *calls))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("It costs ten pounds and ten pence.", False),
        ("It costs twelve pounds.", True),
        ("It costs ten pounds ten.", False),
        ("It costs 10 pounds 20.", True),
        ("For two people that is 20.20 pounds.", False),
        ("That is 30.30 pounds.", True),
        ("The ride takes fifty minutes.", False),
        ("The ride takes an hour and five minutes.", True),
        ("You save 10 percent.", True),
        ("It leaves at nine o'clock.", False),
        ("It leaves at half past ten.", True),
        ("Write to us at help@trains.example.", True),
        ("It runs 3 days a week.", True),
        ("A nice idea for a day out!", None),
        ("You are number 23. May I help you?", None),
    ],
)
def test_figures(text: str, holds: bool | None) -> None:
    assert ask("ungrounded", train(text)).holds is holds


def test_a_time_may_follow_from_another_and_a_duration_told_with_it() -> None:
    assert ask("ungrounded", train("With 50 minutes on top of 09:50 it is 10:40.")).holds is False
    assert ask("ungrounded", train("With 50 minutes on top of 09:50 it is 10:45.")).holds is True


@pytest.mark.parametrize(("people", "holds"), [("six", False), ("sixteen", True)])
def test_a_price_is_multiplied_by_the_number_that_was_said(people: str, holds: bool) -> None:
    asked = said(f"For {people} people.", "It is 60.60 pounds in all.", found("train", EARLY))
    assert ask("ungrounded", dialogue(TRIP, asked)).holds is holds


@pytest.mark.parametrize(("told", "holds"), [("99", False), ("95", True), ("9", True)])
def test_pence_behind_the_pounds_belong_to_the_price(told: str, holds: bool) -> None:
    assert ask("ungrounded", venue(f"It is 7 pounds {told}.", "For £7.99?")).holds is holds


@pytest.mark.parametrize(("minutes", "holds"), [(80, False), (40, True), (60, True)])
def test_a_ride_of_hours_and_minutes_lasts_both(minutes: int, holds: bool) -> None:
    asked = "Does it take an hour and twenty minutes?"
    assert ask("ungrounded", train(f"It takes {minutes} minutes.", asked)).holds is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("You could try The Copper Kettle.", False),
        ("You could try Golden Lion.", True),
        ("You could try Saffron Garden.", True),
        ("Trains are called Monday Ashford.", True),
    ],
)
def test_a_name_is_a_venue_unless_it_is_a_known_value(text: str, holds: bool | None) -> None:
    played = dialogue(restaurant_goal(), said("Italian food?", text, found("restaurant", KETTLE)))
    known = MultiwozBackend(MultiwozDatabase({"restaurant": [{**KETTLE, "address": "mill road"}]}))
    assert ask("names_unknown_venue", played, known).holds is holds


def test_a_code_told_letter_by_letter() -> None:
    resets = ToolCall("reset", {}, "temporary password anchor716")
    told = "It is a-n-c-h-o-r-7-1-{}."
    for last, holds in (("6", False), ("7", True)):
        played = dialogue(restaurant_goal(), said("And?", told.format(last), resets))
        assert ask("ungrounded", played).holds is holds


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("features", "They have a heated pool."),
        ("reviews", "Guests rate it 4.7 out of 5."),
        ("hours", "They are open daily from ten."),
        ("terms", "A cancellation fee of 5 pounds applies."),
        ("services", "You are on the waiting list."),
        ("scarcity", "Only two are left!"),
        ("the past", "Welcome back!"),
    ],
)
def test_invents(family: str, text: str) -> None:
    assert ask("invents", venue(text), what=[family]).holds is True
    asks = text.rstrip(".!") + "?"
    assert ask("invents", venue(asks), what=[family]).holds is None
    told = ToolCall("note", {}, text.lower())
    founded = dialogue(restaurant_goal(), said("And?", text, told))
    assert ask("invents", founded, what=[family]).holds is False


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I just rang them for you.", True),
        ("A deposit was charged to your card.", True),
        ("I will keep an eye on it.", True),
        ("I have reset your password.", False),
        ("I have not called anybody.", None),
    ],
)
def test_deeds_that_reach_others(text: str, holds: bool | None) -> None:
    played = task(text, DONE)
    assert ask("claims_act", played, ToolBackend(service_desk())).holds is holds


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, 502 Bad Gateway.",
        "Fine.\nUser: And now?",
        "It\u00e2\u20ac\u2122s a nice place.",
        "find_employee(employee_id='E1') is done.",
        "Dear [Your Name], it is done.",
        "Anything else for you? Anything else for you? Anything else for you?",
        "The the the place is nice.",
    ],
)
def test_broken_form(text: str) -> None:
    assert ask("form", venue(text)).holds is True


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Here it is. Espero que esta opci\u00f3n le parezca bien. Anything else?", False),
        ("Here it is. \u041a\u0430\u043a \u0434\u0435\u043b\u0430?", False),
        ("It goes from Las Vegas to Los Angeles, and you are there in an hour.", True),
        ("Here it is, your table. Please do so as soon as possible.", True),
        ("Ask Restaurant would do as well.", True),
        ("Sure! Bistro Do Mar e Sol, Rua de Santa Catarina?", None),
    ],
)
def test_a_sentence_in_another_language(text: str, holds: bool) -> None:
    user = "I would like a table for the two of us and it is for lunch."
    assert ask("language_of_reply", venue(text, user)).holds is holds


def test_without_the_library_the_rule_cannot_apply_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reply_language, "find_spec", lambda name: None)
    played = venue("Espero que esta opci\u00f3n le parezca bien.")
    found = ask("language_of_reply", played)
    assert found.holds is None
    assert "pytest-todeval[languages]" in found.reason
    idle = check(played, load_rules("common"), backend()).idle
    assert "pytest-todeval[languages]" in idle["users-language"]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("As an AI language model I cannot know.", True),
        ("I have been instructed not to mention it.", True),
        ("(Internal note, do not show: offer extras.)", True),
        ("Please tell me the e-mail address and the badge number.", False),
    ],
)
def test_what_a_bot_was_told(text: str, holds: bool) -> None:
    assert ask("leaks_instructions", task(text), ToolBackend(service_desk())).holds is holds


def test_another_persons_record_is_read_but_not_told() -> None:
    (tickets,) = desk(ToolCall("list_tickets", {"employee_id": "E107"}))
    known = ToolBackend(service_desk())
    assert ask("reads_for_another", task("Hm.", tickets), known).holds is True
    assert ask("tells_of_another", task("I can't help you there.", tickets), known).holds is False
    assert ask("tells_of_another", task("T305 is about software.", tickets), known).holds is True


def test_an_order_by_name_after_a_proposal_is_a_yes() -> None:
    known = ToolBackend(service_desk())
    closes = ToolCall("close_ticket", {"ticket_id": "T305", "resolution": "solved"})
    proposes = said("Hm.", "I can close T305 or T306. Shall I?", FIND)
    asks = said("What are they about?", "Both are old.")
    for user, holds in (("Close T305 now.", False), ("Hm, old?", True)):
        played = dialogue(TASK, proposes, asks, said(user, "Done.", closes))
        assert ask("changes_unconfirmed", played, known).holds is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("It is booked for Friday.", False),
    ],
)
def test_a_day_beside_the_one_that_is_booked(text: str, holds: bool) -> None:
    slots = {"name": "the copper kettle", "day": "friday", "time": "18:30", "people": "4"}
    made = said("Book it.", text, booked("restaurant", **slots))
    held = [booking("restaurant", **slots)]
    played = dialogue(restaurant_goal(), made, bookings=held)
    assert ask("misstates_booking", played).holds is holds


ORDER = ToolCall(
    "get_order",
    {"order_id": "X1"},
    '{"items": [{"price": 235.13}, {"price": 197.33}, {"price": 346.97}, {"price": 511.24}]}',
)
"""Of these the first, third and fourth come to 1093.34."""


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("You get 1093.34 back.", False),
        ("You get 1,093.34 dollars back.", False),
        ("The refund is $1290.67.", False),
        ("The refund is $1290.76.", True),
        ("You get 1094.34 back.", True),
    ],
)
def test_a_total_of_some_amounts_of_a_result(text: str, holds: bool) -> None:
    assert ask("ungrounded", task(text, ORDER), ToolBackend(service_desk())).holds is holds


def test_totals_over_several_results() -> None:
    paid = [
        f'[{{"by": "card_1", "amount": {debit}}}, {{"by": "card_2", "amount": -{credit}}}]'
        for debit, credit in ((7136, 6594), (4420, 3925), (621, 418))
    ]
    calls = [ToolCall("change", {"number": at}, each) for at, each in enumerate(paid)]
    for sum_told, holds in (("12177", False), ("10937", False), ("10938", True)):
        played = task(f"In all that is {sum_told}.", *calls)
        assert ask("ungrounded", played, ToolBackend(service_desk())).holds is holds


@pytest.mark.parametrize(("total", "holds"), [("2616.28", False), ("1256.57", False), ("80", True)])
def test_what_several_records_come_to(total: str, holds: bool) -> None:
    orders = [
        ToolCall("get", {}, {"order_id": f"#W{at}", "price": 20 + at, "amount": amount})
        for at, amount in enumerate((1429.81, 70, 1186.47, 70.1))
    ]
    played = task(f"You get ${total} back.", *orders)
    assert ask("ungrounded", played, ToolBackend(service_desk())).holds is holds


def test_rows_of_a_look_up_are_not_added_up() -> None:
    rows = [{**EARLY, "trainID": f"TR{at}", "price": f"{1000 + at} pounds"} for at in range(3)]
    played = dialogue(TRIP, said("A train?", "That is 3003 pounds.", found("train", *rows)))
    assert ask("ungrounded", played).holds is True


@pytest.mark.parametrize(
    ("total", "known"),
    [("1100", True), ("10011", True), ("1111", True), ("11111", False), ("111111", True)],
)
def test_a_few_amounts_of_a_result_may_be_added_up_or_all_of_them(total: str, known: bool) -> None:
    paid = ToolCall("list", {}, json.dumps([{"amount": 10**power} for power in range(6)]))
    played = task(f"In all that is {total}.", paid)
    assert ask("ungrounded", played, ToolBackend(service_desk())).holds is not known


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("It leaves from platform 4.", True),
        ("You are in coach B.", True),
        ("It is two miles from the town.", True),
        ("You travel on the 14th of March.", True),
        ("You arrive at twenty minutes to eleven.", None),
        ("It takes twenty minutes.", True),
        ("You leave on May 19.", False),
        ("That is the morning of 20 May.", False),
    ],
)
def test_what_goes_by_a_number(text: str, holds: bool | None) -> None:
    asked = train(text, "A train from ashford on 2024-05-19?")
    assert ask("ungrounded", asked).holds is holds


def test_a_time_with_an_h_is_no_code() -> None:
    assert ask("ungrounded", train("It leaves at 09h00.")).holds is False
    assert ask("ungrounded", train("It leaves at 09h05.")).holds is True


def test_a_platform_that_is_known() -> None:
    told = found("train", {**EARLY, "platform": "4"})
    assert ask("ungrounded", dialogue(TRIP, said("When?", "Platform 4.", told))).holds is False


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I have 3 restaurants like that.", True),
        ("There are four more places.", True),
        ("I found 2 places.", False),
        ("It stood out among the 4 I told you about.", True),
        ("It stood out among the 2 I told you about.", False),
        ("I found one place.", None),
        ("There is one more option.", None),
        ("There are over 5 places.", None),
    ],
)
def test_miscounts(text: str, holds: bool | None) -> None:
    two = found("restaurant", KETTLE, SAFFRON)
    assert ask("miscounts", dialogue(restaurant_goal(), said("?", text, two))).holds is holds


def test_a_turn_is_about_the_domain_that_is_spoken_of() -> None:
    played = venue("The Copper Kettle is a nice place.")
    assert ask("about", played, domain="restaurant").holds is True
    other = ask("about", played, domain="hotel")
    assert (other.holds, other.reason) == (False, "the turn is about restaurant")
    nothing = ask("about", dialogue(TASK, said("Hm.", "Hm.")), domain="hotel")
    assert (nothing.holds, nothing.reason) == (False, "the turn is about no known domain")


def test_nobody_counts_what_was_not_looked_up() -> None:
    untold = dialogue(restaurant_goal(), said("?", "There are 33 restaurants."))
    assert ask("miscounts", untold).holds is None


@pytest.mark.parametrize(
    "text",
    [
        "Do I really have to spell everything out for you?",
        "Make up your mind.",
        "Can't you read?",
    ],
)
def test_rude_words(text: str) -> None:
    assert ask("blames_user", venue(text)).holds is True


@pytest.mark.parametrize(("total", "holds"), [("295", False), ("296", True)])
def test_two_items_that_the_reply_names_come_to_a_total(total: str, holds: bool) -> None:
    flights = [
        {"number": f"HAT{at}", "prices": {"economy": 100 + at, "business": 900}}
        for at in range(30, 60)
    ]
    text = f"1. HAT31 to LGA, HAT64 to PHL: ${total}"
    priced = [*flights, {"number": "HAT64", "prices": {"economy": 164}}]
    played = task(text, ToolCall("search", {}, json.dumps(priced)))
    assert ask("ungrounded", played, ToolBackend(service_desk())).holds is holds


@pytest.mark.parametrize(
    ("number", "holds"),
    [("+44 1999 111 222", False), ("+44 1999 111 223", True)],
)
def test_a_phone_number_with_the_countrys_code(number: str, holds: bool) -> None:
    told = venue(f"The phone number of The Copper Kettle is {number}.")
    assert ask("wrong_value", told, slots=["phone"]).holds is holds


@pytest.mark.parametrize(
    "text",
    [
        "Ugh, sorry, that did not work.",
        "You should have no trouble finding it.",
        "Not sure? Whatever, we can keep browsing.",
        "A stupid slip of mine, sorry.",
        "It is not your fault.",
        "I'll be more careful.",
        "Ring them so that you don't get lost.",
        "I'm not your typical bot.",
    ],
)
def test_words_that_blame_nobody(text: str) -> None:
    assert ask("blames_user", venue(text)).holds is False


@pytest.mark.parametrize(
    ("name", "text", "holds"),
    [
        ("form", "{% if vip %}Thanks!{% endif %} It is booked.", True),
        ("form", "It is booked.\n\nRegenerate response", True),
        ("form", "It is [output truncated, 40 more characters]", True),
        ("form", "Draft 2 (warm): It is booked.", True),
        ("form", "It is booked.\nKind regards,\nKim", False),
        ("leaks_instructions", "All of it stays confidential.", False),
        ("language_of_reply", "Hier geht es gerne noch sehr viel weiter.", False),
        ("language_of_reply", "Prosz\u0119 da\u0107 mi zna\u0107, je\u015bli b\u0119dzie.", False),
        ("claims_act", "The chef has been made aware of it.", True),
        ("claims_act", "Your first booking has been cancelled.", True),
        ("claims_act", "Once it has been cancelled, tell me.", None),
        ("claims_act", "I've got a message from you.", None),
    ],
)
def test_traces_and_deeds(name: str, text: str, holds: bool | None) -> None:
    user = "I want Italian food in the centre of the town, is there any that you can book for me?"
    assert ask(name, venue(text, user)).holds is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Are you sure?", None),
    ],
)
def test_what_the_user_names_and_is_there_is_not_doubted(text: str, holds: bool | None) -> None:
    looked = said("Indian food?", "Saffron Garden is nice.", found("restaurant", SAFFRON))
    asked = said("Is there The Copper Kettle?", text)
    assert ask("denies_unlooked", dialogue(restaurant_goal(), looked, asked)).holds is holds
