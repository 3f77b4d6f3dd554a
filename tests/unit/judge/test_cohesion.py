"""What speaks against a turn in its conversation, heard word by word."""

import pytest

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.judge.cohesion import cohesion_faults
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import BOOK, dialogue, goal, restaurant_goal

(RESTAURANT,) = restaurant_goal(book=BOOK).domains
HOTEL = DomainGoal("hotel", {"stars": "4"})
ASKS = "What is their phone number and the postcode?"
WANTS = "A restaurant for 4 people on Friday."


def heard(
    *claims: DialogueAct, user: str = "Yes.", text: str = "Hello to you.", calls: int = 0
) -> Turn:
    """A turn of which only the claims were understood."""
    made = (ToolCall("find_restaurant"),) * calls
    return Turn(0, user, text, made, claims=claims, claims_by="bot")


def faults(*turns: Turn, part: DomainGoal = RESTAURANT) -> list[tuple[str, str]]:
    """Of the last turn."""
    evidence = gather(dialogue(goal(part), *turns))
    return [(each.kind, each.reason) for each in cohesion_faults(evidence, evidence.turns[-1])]


def asks_for(slot: str | None, domain: str | None = "restaurant") -> DialogueAct:
    return DialogueAct(Act.REQUEST, domain, slot)


def test_a_reply_is_repeated_if_the_user_said_something_else() -> None:
    same, other, more = heard(), heard(user="And?"), heard(user="Then?")
    assert faults(same, other) == [("repeated reply", "says the same as in turn 1")]
    assert faults(same, other, more) == [("repeated again", "says the same 3 times in a row")]
    assert faults(same, same) == []
    assert faults(same, heard(user="And?", calls=1)) == []  # it has looked again
    assert faults(same, heard(text="Hm."), other) == []


@pytest.mark.parametrize(
    ("claims", "text", "kind"),
    [
        ((), "It is nice there.", "no answer"),
        ((), "The phone is 1. Lovely.", "half an answer"),
        ((), "The phone is 1. I will send the rest later.", None),
        ((), "Lovely place. I will send the rest later.", "no answer"),
        ((asks_for("name"),), "Say the name of it.", None),
        ((), "Which one do you mean?", None),
        ((DialogueAct(Act.REQUEST_MORE),), "Need more?", "no answer"),
        ((DialogueAct(Act.BOOKING_FAILED),), "Not possible now.", None),
        (
            (
                DialogueAct(Act.INFORM, None, "phone", "01999"),
                DialogueAct(Act.INFORM, "restaurant", "postcode", "qx1"),
            ),
            "01999 and qx1, friend.",
            None,
        ),
        (
            (DialogueAct(Act.INFORM, None, "phone", "01999"),),
            "01999, friend.",
            "half an answer",
        ),
    ],
)
def test_what_was_asked_is_answered(
    claims: tuple[DialogueAct, ...], text: str, kind: str | None
) -> None:
    left = {"no answer": "phone, postcode", "half an answer": "postcode", None: ""}[kind]
    told = [] if kind is None else [(kind, f"does not answer what the user asked: {left}")]
    assert faults(heard(*claims, user=ASKS, text=text)) == told


@pytest.mark.parametrize(
    ("claims", "text", "again"),
    [
        ((asks_for("day"),), "Which day is it?", "day, which the user has said: friday"),
        ((asks_for("day"), asks_for("time")), "When would you go?", None),
        (
            (asks_for("people"), asks_for("time")),
            "How many, and when?",
            "people, which the user has said: 4",
        ),
        (
            (asks_for("people", None),),
            "How many are you?",
            "people, which the user has said: 4",
        ),
        ((asks_for("people", "hotel"),), "How many are you?", None),
        ((asks_for(None),), "How is it?", None),
        ((asks_for("people"),), "So 4 people, right?", None),
        ((asks_for("people"),), "It is 4 people.", None),
        (
            (asks_for("people"),),
            "4 people? How many are you?",
            "people, which the user has said: 4",
        ),
        ((asks_for("time"),), "At what time?", None),  # wanted, and not said
        ((asks_for("name"),), "Which one?", None),
    ],
)
def test_what_was_said_is_not_asked_again(
    claims: tuple[DialogueAct, ...], text: str, again: str | None
) -> None:
    told = [] if again is None else [("asks again", f"asks for the {again}")]
    assert faults(heard(*claims, user=WANTS, text=text)) == told
    assert faults(heard(*claims, user="A taxi for 4 people.", text=text), part=HOTEL) == []


def test_a_value_in_a_sentence_that_asks_nothing_is_not_asked_for() -> None:
    text = "I can see 2 tables for 4 people, so I need to narrow it down a bit. Which area?"
    told = DialogueAct(Act.REQUEST, "restaurant", "people", sentence=text.split(" Which")[0])
    asked = DialogueAct(
        Act.REQUEST, "restaurant", "people", sentence="For 4 people, how many chairs?"
    )
    assert faults(heard(told, user=WANTS, text=text)) == []
    assert [kind for kind, _ in faults(heard(asked, user=WANTS, text=text))] == ["asks again"]


def test_after_a_failure_to_ask_again_is_to_the_point() -> None:
    again = heard(asks_for("people"), user="Well.", text="How many are you?")
    failed = heard(DialogueAct(Act.BOOKING_FAILED), user=WANTS, text="Sorry, no.")
    nothing = heard(DialogueAct(Act.NO_OFFER, "restaurant"), user=WANTS, text="Sorry, none.")
    assert faults(failed, again) == faults(nothing, again) == []
    assert [kind for kind, _ in faults(failed, heard(text="So it is."), again)] == ["asks again"]
    at_once = heard(asks_for("people"), DialogueAct(Act.NO_OFFER), user=WANTS, text="How many?")
    assert faults(at_once) == []


def test_a_duration_answers_how_long_it_takes() -> None:
    asked = heard(user="How long does the journey take?", text="You sit on it for 18 minutes.")
    assert faults(asked, part=DomainGoal("train", {"day": "monday"})) == []


def test_who_looks_again_and_finds_the_same_may_say_the_same() -> None:
    again = ToolCall("find_restaurant", {"area": "north"}, {"count": 0, "results": []})
    turns = [
        Turn(0, user, "None there. Another area?", (again,), claims=(), claims_by="bot")
        for user in ("The north.", "The north, please.", "I said the north.")
    ]
    assert faults(*turns) == []
    blind = [Turn(0, each.user, each.system, claims=(), claims_by="bot") for each in turns]
    assert [kind for kind, _ in faults(*blind)] == ["repeated again"]


def test_an_offer_that_has_what_is_wished_for_may_be_made_again() -> None:
    text = "How about The Copper Kettle, for 4 people?"
    first = heard(user="Well?", text=text)
    assert faults(first, heard(user="For 4 people.", text=text)) == []
    assert [kind for kind, _ in faults(first, heard(user="So what?", text=text))] == [
        "repeated reply"
    ]


def test_who_asks_for_another_value_knows_the_first() -> None:
    asked = DialogueAct(Act.REQUEST, "restaurant", "people", sentence="other number of people?")
    assert faults(heard(asked, user=WANTS, text="Other number of people?")) == []


def test_a_look_up_that_found_nothing_is_a_reason_to_ask_again() -> None:
    empty = ToolCall("find_restaurant", {"people": "4"}, {"count": 0, "results": []})
    asked = (asks_for("people"),)
    for call, kinds in ((empty, []), (ToolCall("find_restaurant"), ["asks again"])):
        turn = Turn(0, WANTS, "Another party?", (call,), claims=asked, claims_by="bot")
        assert [kind for kind, _ in faults(turn)] == kinds


def test_one_word_is_too_little_only_where_something_was_said() -> None:
    for user, kinds in (("Yes.", []), ("Is it?", ["one word"]), (WANTS, ["one word"])):
        assert [kind for kind, _ in faults(heard(user=user, text="Ready."))] == kinds
