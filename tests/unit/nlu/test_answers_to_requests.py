"""What a reply tells of a slot: right, wrong, nothing, or unclear."""

import pytest

from pytest_todeval.core.goal import DomainGoal, SlotForm
from pytest_todeval.nlu.slots import Slot, slot_of
from pytest_todeval.nlu.values.answers import answer

NON_ANSWERS = (
    "Yes.",
    "Sure!",
    "Of course. What would you like to know?",
    "I'll find out for you.",
    "One moment please, let me check that for you.",
    "I'm afraid I don't have that information.",
    "Could you tell me your name?",
)
CASES = (
    ("director", "Tim Burton", "Tim Burton.", "right"),
    ("director", "Tim Burton", "It was directed by Christopher Nolan.", "wrong"),
    ("gate", "B18", "The gate is B18.", "right"),
    ("gate", "B18", "B19, boarding at 10:45.", "wrong"),
    ("gate", "B18", "Not B18, gate B20.", "wrong"),
    ("seat", "12A", "Your seat is 2A.", "wrong"),
    ("phone", "+19258067432", "Call them at 925-806-7432.", "right"),
    ("phone", "+19258067432", "They are open from 9 to 5.", "nothing"),
    ("balance", "123.45", "Your balance is $1234.50.", "wrong"),
    ("wifi", "yes", "Unfortunately there is no wifi.", "wrong"),
    ("wifi", "yes", "Yes, it does.", "right"),
    ("doors", "5", "It has three doors and 2 airbags.", "wrong"),
    ("dress code", "smart casual", "We ask guests to dress smart-casual.", "right"),
    ("dress code", "smart casual", "Jackets are welcome at dinner.", "unclear"),
    ("appointment time", "14:30", "The appointment time is 2:30 in the afternoon.", "right"),
    ("appointment time", "14:30", "At half-past two.", "right"),
    ("due date", "2026-12-03", "Due Dec. 3rd, 2026.", "right"),
    ("due date", "2026-12-03", "Am 3. Dezember 2026.", "right"),
    ("flight number", "LH 2473", "You're on LH 2473.", "right"),
    ("flight number", "LH 2473", "You're on LH 2437.", "wrong"),
    ("number plate", "KA 01 AB 1234", "The plate is KA 01 AB 1234.", "right"),
    ("wifi", "yes", "Wifi yes, parking no.", "right"),
    ("wifi", "yes", "There is wifi, but no parking.", "right"),
    ("renewable", "no", "It cannot be renewed.", "right"),
    ("furnished", "no", "It is an unfurnished apartment.", "right"),
    ("furnished", "yes", "This apartment is unfurnished.", "wrong"),
    ("deposit", "300 pounds", "Kia Niro | deposit | 300 pounds | Anything else? Yes | No", "right"),
    ("postcode", "cb12ab", "Their postcode is CB1 2A.", "wrong"),
    ("postcode", "cb12ab", "They are in CB1.", "wrong"),
    ("entrance fee", "5 pounds", "It can be cancelled free of charge.", "nothing"),
    ("entrance fee", "5 pounds", "Entry is free of charge.", "wrong"),
    ("renewable", "no", '{"renewable": false}', "right"),
    ("renewable", "no", "Renewable: \u2717", "right"),
    ("pets allowed", "yes", "No problem, pets can stay for free.", "right"),
    ("pets allowed", "yes", "We do not take pets.", "wrong"),
)


@pytest.mark.parametrize(("slot", "value", "reply", "told"), CASES)
def test_a_reply_is_checked_against_the_true_value(
    slot: str, value: str, reply: str, told: str
) -> None:
    known = Slot(slot, (value,))
    assert answer(reply, known, value, user=f"What is the {slot}?").told == told


LURES = (
    ("boarding time", "06:45", "Check-in opens at 06:45, boarding is at 07:05.", "wrong"),
    ("boarding time", "06:45", "Boarding is at 06:45, departure at 07:25.", "right"),
    ("deposit", "$150", "It's $150 a day plus a deposit of $35.", "wrong"),
    ("deposit", "$150", "It's $35 a day plus a deposit of $150.", "right"),
    ("repair duration", "3 days", "It used to be three days; now it's six days.", "wrong"),
    ("phone", "98200 12345", "98200 12345 is the spa; for Rose House dial 98200 67890.", "unclear"),
    ("phone", "98200 12345", "Rose House has 98200 12345, the spa 98200 67890.", "right"),
    ("teacher", "Ann Lee", "Ann Lee is on leave, so the teacher is Ruth Day now.", "wrong"),
    ("teacher", "Ann Lee", "The teacher is Ann Lee, whom Ruth Day assists.", "right"),
)


@pytest.mark.parametrize(("slot", "value", "reply", "told"), LURES)
def test_a_true_value_does_not_excuse_another_that_is_given_as_the_answer(
    slot: str, value: str, reply: str, told: str
) -> None:
    known, user = Slot(slot, (value,)), f"What is the {slot}?"
    said = answer(reply, known, value, user=user, about=["Rose House"], covered=["$35"])
    assert said.told == told


@pytest.mark.parametrize("reply", NON_ANSWERS)
@pytest.mark.parametrize("slot", ["gate", "director", "price", "opening hours", "phone", "colour"])
def test_a_non_answer_tells_nothing_whether_the_value_is_known_or_not(
    slot: str, reply: str
) -> None:
    question = f"What is the {slot}?"
    assert answer(reply, Slot(slot), user=question).told == "nothing"
    assert answer(reply, Slot(slot, ("red",)), "red", user=question).told == "nothing"


def test_another_rows_value_is_wrong_and_the_same_rows_other_value_is_no_answer() -> None:
    colour = Slot("colour", ("red", "blue"))
    assert answer("It's blue.", colour, "red", others=("blue",)).told == "wrong"
    price = Slot("price", ("33",))
    assert answer("The deposit is $50.", price, "33", covered=("50",)).told == "nothing"


def test_a_declared_kind_and_description_win_over_the_name() -> None:
    part = DomainGoal("spa", request=("tag",), forms={"tag": SlotForm("amount", "security")})
    slot = slot_of(part, "tag")
    assert slot.kind.name == "amount"
    assert answer("The security is $50.", slot, asked=False).said == "$50"
    assert answer("The security is high.", slot).told == "nothing"
