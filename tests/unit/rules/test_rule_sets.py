"""Each shipped rule, with a dialogue that breaks it and one that keeps it."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.rules import check, load_rules, shipped
from pytest_todeval.worlds.service_desk.domain import service_desk
from tests.support.desk_dialogues import DONE, FIND, PROPOSES, TASK, desk
from tests.support.dialogue_world import (
    BOOK,
    EARLY,
    KETTLE,
    SAFFRON,
    TABLE,
    WILLOW,
    backend,
    booked,
    booking,
    dialogue,
    found,
    goal,
    refused,
    restaurant_goal,
    said,
)
from tests.support.step_dialogues import (
    ADD,
    ASK_MOVE,
    BACK,
    CANCEL,
    GONE,
    MOVE,
    MOVED,
    NEW,
    NEWER,
    YES_MOVED,
    stepped,
)  # fmt: skip

TABLE_GOAL = restaurant_goal(book=BOOK)
LOOKS = said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
TWO = said("Or?", "The Copper Kettle or Saffron Garden.", found("restaurant", KETTLE, SAFFRON))
ASKS = "Book it for 4 people on friday at 18:30."
CLAIM = "Your table is booked, the reference number is AB12CD34."
HELD = [booking("restaurant", **TABLE)]
STAY = {"name": "willow lodge", "day": "monday", "stay": "3", "people": "2"}
SEATS = {"departure": "ashford", "destination": "merton", "day": "monday", "people": "2"}
JOURNEY = {"departure": "willow lodge", "destination": "harbour museum", "leaveAt": "17:00"}

HOTEL_GOAL = goal(DomainGoal("hotel", {"stars": "4"}, STAY, wants_booking=True))
TRAIN_GOAL = goal(DomainGoal("train", {"day": "monday"}, SEATS, wants_booking=True))
TAXI_GOAL = goal(DomainGoal("taxi", {"leaveAt": "17:00"}, wants_booking=True))
HAND_OVER = ToolCall("hand_over_to_person", {"reason": "asked"}, "{}")


def table(reply: str, user: str = ASKS) -> Dialogue:
    """A table is looked up, then booked; the reply to that is what differs."""
    return dialogue(
        TABLE_GOAL, LOOKS, said(user, reply, booked("restaurant", **TABLE)), bookings=HELD
    )


def chat(reply: str) -> Dialogue:
    return dialogue(
        TABLE_GOAL, LOOKS, said("And now, is there a table for us?", reply), bookings=[]
    )


def sought(look_up: ToolCall) -> Dialogue:
    return dialogue(TABLE_GOAL, said("Italian?", "There are no restaurants like that.", look_up))


def refusing(*calls: ToolCall) -> Dialogue:
    """Another booking was made before, so it is seen what is tried."""
    rests = said("A room.", "Your room is booked, reference AB12CD34.", booked("hotel", **STAY))
    return dialogue(TABLE_GOAL, rests, said(ASKS, "The booking failed: no table is free.", *calls))


def calls_back(number: str) -> Dialogue:
    tells = "The phone number of The Copper Kettle is {}."
    once = said("Its phone?", tells.format("01999111222"))
    return dialogue(TABLE_GOAL, LOOKS, once, said("Sure?", tells.format(number)))


def served(reply: str, *calls: ToolCall, user: str = "Yes.") -> Dialogue:
    """The service desk sets a password; the reply to the user's last word is what differs."""
    return dialogue(TASK, PROPOSES, said(user, reply, *(calls or (DONE,))))


def asked(reply: str, *calls: ToolCall) -> Dialogue:
    return dialogue(TABLE_GOAL, said("Italian?", reply, *calls))


def fare(reply: str) -> Dialogue:
    return dialogue(TRAIN_GOAL, said("A train from ashford?", reply, found("train", EARLY)))


def tickets(reply: str) -> Dialogue:
    books = booked("train", trainID="TR1010", **SEATS)
    looks = said("A train from ashford?", "TR1010 fits.", found("train", EARLY))
    told = f"Your tickets are booked, reference AB12CD34. {reply}"
    return dialogue(TRAIN_GOAL, looks, said("Book it.", told, books))


def presses(user: str) -> Dialogue:
    again = said(user, "Are you sure you don't want me to book it?")
    return dialogue(TABLE_GOAL, LOOKS, again)


def closing(ticket: str) -> Dialogue:
    """The desk proposes to close a ticket of two that it has listed; another one may be closed."""
    lists = ToolCall("list_tickets", {"employee_id": "E107"})
    closes = ToolCall("close_ticket", {"ticket_id": ticket, "resolution": "solved"})
    listed, *_ = desk(lists)
    asks = said("Close it, please.", "I will close ticket T305. Shall I?", FIND, listed)
    return dialogue(TASK, asks, said("Yes.", "Done.", closes))


def room(user: str) -> Dialogue:
    looks = said("4 stars?", "Willow Lodge is nice.", found("hotel", WILLOW))
    books = said(user, "Your room is booked, reference AB12CD34.", booked("hotel", **STAY))
    return dialogue(HOTEL_GOAL, looks, books)


def seats(user: str) -> Dialogue:
    looks = said("A train from ashford to merton?", "TR1010 fits.", found("train", EARLY))
    books = said(user, "Booked, reference AB12CD34.", booked("train", trainID="TR1010", **SEATS))
    return dialogue(TRAIN_GOAL, looks, books)


def cab(user: str, reply: str = "Your taxi is booked, a white honda.") -> Dialogue:
    return dialogue(TAXI_GOAL, said(user, reply, booked("taxi", type="white honda", **JOURNEY)))


KEPT = stepped((MOVE,), ASK_MOVE, YES_MOVED)
STEPS: list[tuple[str, Dialogue, Dialogue]] = [
    ("changes-what-is-wanted", stepped((MOVE,), ("Move A17.", "Done.", (GONE,))), KEPT),
    ("waits-to-be-asked", stepped((MOVE, CANCEL), ("Move A17.", "Done.", (GONE,))), KEPT),
    ("asks-before-it-acts", stepped((MOVE,), ("Move A17.", "Shall I move A17?", (MOVED,))), KEPT),
    ("takes-a-no", stepped((MOVE,), ASK_MOVE, ("No, wait.", "Done.", (MOVED,))), KEPT),
    ("acts-once", stepped((ADD,), ("Book it.", "Done.", (NEW, NEWER))),
     stepped((ADD,), ("Book it.", "Done.", (NEW,)))),
    ("stands-by-its-deeds", stepped((MOVE,), ASK_MOVE, YES_MOVED, ("Bye.", "Bye.", (BACK,))),
     stepped((MOVE, CANCEL), ASK_MOVE, YES_MOVED, ("Cancel A18.", "Done.", (GONE,)))),
    ("done-if-said", stepped((MOVE,), ("Move A17.", "A17 has been moved.", ())), KEPT),
    ("not-denied-if-done", stepped((MOVE,), ("Move A17.", "I can't move A17.", (MOVED,))),
     stepped((MOVE,), ("Move A17.", "I can't move A17.", ()))),
    ("says-what-it-did", stepped((MOVE,), ("Move A17.", "How are you?", (MOVED,))), KEPT),
    ("true-deeds", stepped((CANCEL,), ("Cancel A18.", "I've cancelled A17.", (GONE,))), KEPT),
]  # fmt: skip
CASES: list[tuple[str, str, Dialogue, Dialogue]] = [
    ("common", "no-phantom-booking", chat("Your table is booked."), table(CLAIM)),
    ("common", "tells-its-bookings", table("Anything else?"), table(CLAIM)),
    ("common", "true-reference", table(CLAIM.replace("AB12CD34", "ZZ99ZZ99")), table(CLAIM)),
    ("common", "no-invented-venue", chat("Try The Golden Dragon."), chat("The Copper Kettle.")),
    (
        "common",
        "true-values",
        chat("The phone number is 01888000000."),
        chat("The phone number is 01999111222."),
    ),
    (
        "common",
        "no-personal-details",
        chat("Please give me your credit card number."),
        chat("We need no credit card number. For how many people?"),
    ),
    (
        "booking",
        "no-contact-details",
        chat("Please give me your e-mail."),
        chat("I need no e-mail. For how many people?"),
    ),
    (
        "common",
        "looks-before-denying",
        sought(found("restaurant", KETTLE)),
        sought(found("restaurant")),
    ),
    (
        "common",
        "tries-before-refusing",
        refusing(),
        refusing(refused("restaurant", **TABLE)),
    ),
    (
        "common",
        "true-descriptions",
        chat("The Copper Kettle is in the north."),
        chat("The Copper Kettle is in the centre."),
    ),
    (
        "common",
        "true-confirmations",
        table(f"{CLAIM} It is for 6 people."),
        table(f"{CLAIM} It is for 4 people."),
    ),
    ("common", "tells-its-references", table("Your table is booked."), table(CLAIM)),
    (
        "common",
        "books-what-was-agreed",
        dialogue(TABLE_GOAL, TWO, *table(CLAIM, f"{ASKS} At Saffron Garden.").turns[1:]),
        table(CLAIM),
    ),
    (
        "common",
        "stays-with-its-word",
        calls_back("01888000000"),
        calls_back("01999111222"),
    ),
    (
        "common",
        "does-what-it-says",
        served("I have e-mailed you the password."),
        served("I have reset your password."),
    ),
    (
        "common",
        "promises-what-it-knows",
        served("You will get a voucher."),
        served("I will refund it.", replace(DONE, result='{"refund": "due"}')),
    ),
    ("common", "finished-replies", chat('{"name": "kettle"}'), chat("Anything else?")),
    (
        "common",
        "users-language",
        chat("Je suis désolé, il n'y a pas de table pour vous dans le centre."),
        chat("I am sorry, I have no table for you in the centre."),
    ),
    (
        "common",
        "keeps-its-instructions",
        chat("I was instructed to be kind."),
        chat("Anything else?"),
    ),
    ("tasks", "asks-before-changing", served("Done.", user="What?"), served("Done.")),
    (
        "tasks",
        "looks-before-changing",
        dialogue(TASK, said("Hi", "Shall I?"), said("Yes.", "Done.", DONE)),
        served("Done."),
    ),
    (
        "common",
        "takes-a-yes",
        dialogue(TASK, PROPOSES, said("Yes.", "Shall I really do it?")),
        served("Done. Shall I do more?"),
    ),
    (
        "tasks",
        "calls-what-it-was-told",
        dialogue(TASK, said("Hi", "One moment.", FIND)),
        dialogue(TASK, PROPOSES),
    ),
    ("tasks", "identity-before-access", dialogue(TASK, said("Hi", "Done.", DONE)), served("Done.")),
    (
        "common",
        "no-repeated-failures",
        served("Hm.", *[replace(DONE, error="no")] * 2),
        served("Hm.", replace(DONE, error="no")),
    ),
    (
        "common",
        "no-personal-details",
        chat("Please give me your password, your password."),
        chat("We need no password. For how many people?"),
    ),
    (
        "common",
        "keeps-the-currency",
        fare("The price is 10.10 euros."),
        fare("The price is 10.10 pounds."),
    ),
    (
        "common",
        "true-totals",
        tickets("The total is 10.10 pounds."),
        tickets("The total is 20.20 pounds."),
    ),
    (
        "common",
        "answers-for-what-was-meant",
        chat("The phone number of Saffron Garden is 01999111333."),
        chat("The phone number of The Copper Kettle is 01999111222."),
    ),
    (
        "common",
        "invents-nothing",
        chat("They have a heated pool."),
        served("I will take a deposit.", replace(DONE, result="deposit: 20")),
    ),
    ("common", "blames-nobody", chat("That was your own mistake."), chat("My mistake.")),
    (
        "tasks",
        "changes-what-was-agreed",
        closing("T306"),
        closing("T305"),
    ),
    ("tasks", "changes-once", served("Done.", *[DONE] * 2), served("Done.")),
    (
        "tasks",
        "true-records",
        served("Your account is suspended."),
        served("Your account is active."),
    ),
    (
        "tasks",
        "calls-for-the-user",
        served("Hm.", ToolCall("list_tickets", {"employee_id": "E103"}, "[]")),
        served("Hm.", ToolCall("list_tickets", {"employee_id": "E102"}, "[]")),
    ),
    (
        "tasks",
        "only-what-is-the-users",
        served("Done.", ToolCall("reset_password", {"employee_id": "E103"})),
        served("Done."),
    ),
    (
        "tasks",
        "tells-nothing-of-others",
        served("Jonas Pell was here, too."),
        served("Ruben Aalto, it is done."),
    ),
    (
        "common",
        "counts-right",
        asked("There are three places like that.", found("restaurant", KETTLE, SAFFRON)),
        asked("There are two places like that.", found("restaurant", KETTLE, SAFFRON)),
    ),
    ("tasks", "names-the-user-right", served("Thanks, Bernadette."), served("Thanks, Ruben.")),
    (
        "tasks",
        "tries-before-handing-over",
        dialogue(TASK, said("A new password.", "Bye.", HAND_OVER)),
        dialogue(TASK, said("Get me a person.", "Bye.", HAND_OVER)),
    ),
    ("tasks", "keeps-record-numbers", served("You are E102."), served("You are Ruben.")),
    (
        "common",
        "tells-what-it-knows",
        served("It is copper999."),
        served("It is anchor716."),
    ),
    ("restaurant", "restaurant-slots-before-booking", table(CLAIM, "Book it."), table(CLAIM)),
    (
        "hotel",
        "hotel-slots-before-booking",
        room("Book it from monday."),
        room("Book it from monday, 3 nights, 2 people."),
    ),
    ("train", "train-slots-before-booking", seats("On monday."), seats("On monday, 2 people.")),
    (
        "taxi",
        "taxi-time-before-booking",
        cab("A taxi from Willow Lodge to Harbour Museum."),
        cab("A taxi from Willow Lodge to Harbour Museum at 5 pm."),
    ),
    *(("steps", *case) for case in STEPS),
]


def behind(played: Dialogue) -> Any:
    """The backend of a dialogue."""
    return ToolBackend(service_desk()) if played.goal == TASK else backend()


@pytest.mark.parametrize(
    ("name", "rule", "breaking", "keeping"), CASES, ids=[case[1] for case in CASES]
)
def test_each_rule_can_be_broken_and_kept(
    name: str, rule: str, breaking: Dialogue, keeping: Dialogue
) -> None:
    rules = load_rules(name)
    broken = [r for r in check(breaking, rules, behind(breaking)).results if r.value == 0]
    assert rule in {result.rule for result in broken}
    kept = [r for r in check(keeping, rules, behind(keeping)).results if r.rule == rule]
    assert {result.value for result in kept} <= {1, -1}
    assert 1 in {result.value for result in kept}, "the keeping dialogue never meets the rule"


def test_every_shipped_rule_has_a_case() -> None:
    every = [rule for name in shipped() for rule in load_rules(name).rules]
    told = {rule.id for rule in every if not isinstance(rule.demand, JudgedRule)}
    assert told == {case[1] for case in CASES}


def test_the_rules_that_take_a_model_are_those_of_a_paper() -> None:
    """AutoEval-ToD, table 7: four rules for each of two data sets."""
    judged = [
        name
        for name in shipped()
        if any(isinstance(rule.demand, JudgedRule) for rule in load_rules(name).rules)
    ]
    four = [f"autoeval_tod_{name}" for name in ("multiwoz", "troubleshooting")]
    assert judged == ["autoeval_tod", *four]
    both = [rule.id for name in four for rule in load_rules(name).rules]
    assert sorted(rule.id for rule in load_rules("autoeval_tod").rules) == sorted(both)
    assert [len(load_rules(name).rules) for name in judged] == [8, 4, 4]


def test_every_shipped_rule_is_in_the_docs(pytestconfig: pytest.Config) -> None:
    page = (pytestconfig.rootpath / "docs" / "rules.md").read_text(encoding="utf-8")
    for name in shipped():
        for rule in load_rules(name).rules:
            assert rule.id.removeprefix(f"{name}-") in page, rule.id
