"""Predicates over tasks, promises and the form of replies: when they hold and when not."""

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.worlds.service_desk.domain import service_desk
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.support.desk_dialogues import (
    ASKS,
    DONE,
    FIND,
    FIND_MARA,
    MARA,
    PROPOSES,
    RUBEN,
    TASK,
    WHO,
)
from tests.support.dialogue_world import KETTLE, dialogue, found, goal, restaurant_goal, said


def ask(name: str, played: Dialogue, known: Any = None, **arguments: Any) -> Found:
    """What a predicate finds in the last turn."""
    evidence = gather(played, ToolBackend(service_desk()) if known is None else known)
    found: Found = predicates()[name].function(View(evidence, evidence.turns[-1]), **arguments)
    assert found.reason
    return found


def replied(text: str, *calls: ToolCall, user: str = "And now, please, what is it?") -> Dialogue:
    return dialogue(TASK, said("A new password.", "Who are you?", FIND), said(user, text, *calls))


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Yes, please.", False),
        ("Sure, go ahead.", False),
        ("No, wait.", True),
        ("What will it cost?", True),
    ],
)
def test_changes_unconfirmed(answer: str, holds: bool) -> None:
    played = dialogue(TASK, ASKS, PROPOSES, said(answer, "Done.", DONE))
    assert ask("changes_tables", played).holds is True
    assert ask("changes_unconfirmed", played).holds is holds


@pytest.mark.parametrize(
    ("proposal", "holds"),
    [
        ("Ready to reset your password whenever you are.", False),
        ("Just say the word and your password is reset.", False),
        ("Your password is old.", True),
    ],
)
def test_what_a_yes_may_answer(proposal: str, holds: bool) -> None:
    played = dialogue(TASK, ASKS, said(WHO, proposal, FIND), said("Yes.", "Done.", DONE))
    assert ask("changes_unconfirmed", played).holds is holds


def test_a_yes_holds_until_something_is_changed() -> None:
    agreed = said("Yes.", "One moment. Your name?")
    late = dialogue(TASK, ASKS, PROPOSES, agreed, said("Ruben.", "Done.", DONE))
    assert ask("changes_unconfirmed", late).holds is False
    again = ToolCall("reset_password", {"employee_id": "E102"})
    twice = dialogue(TASK, ASKS, PROPOSES, said("Yes.", "Done.", DONE), said("Thanks.", "!", again))
    assert ask("changes_unconfirmed", twice).holds is True
    assert ask("changes_unconfirmed", dialogue(TASK, said("Yes.", "Done.", DONE))).holds is True


def test_nothing_is_known_of_changes_without_tables() -> None:
    played = dialogue(TASK, ASKS, PROPOSES, said("No.", "Done.", DONE))
    for name in ("changes_tables", "changes_unconfirmed", "changes_unseen"):
        assert ask(name, played, known=object()).holds is None
    assert ask("changes_tables", dialogue(TASK, PROPOSES)).holds is False
    assert ask("changes_unseen", dialogue(TASK, PROPOSES)).holds is None


def test_changes_unseen() -> None:
    assert (
        ask("changes_unseen", dialogue(TASK, PROPOSES, said("Yes.", "Done.", DONE))).holds is False
    )
    blind = dialogue(TASK, ASKS, said("Yes.", "Done.", DONE))
    assert ask("changes_unseen", blind).holds is True
    told = dialogue(TASK, ASKS, said("I am E102.", "Done.", DONE))
    assert ask("changes_unseen", told).holds is False


BY: dict[str, Any] = {"by": ["find_employee"], "proof": ["badge"]}


@pytest.mark.parametrize(("who", "holds"), [(WHO, False), (f"{RUBEN}, badge 1111", True)])
def test_acts_unidentified(who: str, holds: bool) -> None:
    meets = said(who, "I will reset it. Shall I?", FIND)
    played = dialogue(TASK, ASKS, meets, said("Yes.", "Done.", DONE))
    assert ask("acts_unidentified", played, **BY).holds is holds
    assert ask("acts_unidentified", dialogue(TASK, meets), **BY).holds is None
    first = dialogue(TASK, said(who, "Done.", DONE))
    assert ask("acts_unidentified", first, **BY).holds is True
    free = ask("acts_unidentified", first, **BY, allowed=["reset_password"])
    assert free.holds is None


def test_calls_unseen() -> None:
    assert ask("calls_unseen", dialogue(TASK, PROPOSES)).holds is False
    other = said(WHO, "One moment.", FIND, FIND_MARA)
    unseen = ask("calls_unseen", dialogue(TASK, other))
    assert unseen.holds is True
    assert MARA in unseen.reason
    assert ask("calls_unseen", dialogue(TASK, ASKS)).holds is None


def test_identity_by_the_tools_that_find_a_person() -> None:
    assert ask("acts_unidentified", dialogue(TASK, said("Hi", "Done.", DONE))).holds is True
    assert (
        ask("acts_unidentified", dialogue(TASK, PROPOSES, said("Yes.", "!", DONE))).holds is False
    )
    lists = ToolCall("list_licences", {}, "[]")
    assert ask("acts_unidentified", dialogue(TASK, said("Hi", "Which?", lists))).holds is None
    assert ask("acts_unidentified", dialogue(TASK, PROPOSES), known=object()).holds is None


@pytest.mark.parametrize(
    ("user", "text", "holds"),
    [
        ("Yes.", "Are you sure?", True),
        ("Yes.", "Shall I really reset it?", True),
        ("Yes.", "For which of the two accounts?", False),
        ("Yes, for 3 weeks.", "For 3 weeks. Is that correct?", None),
        ("What is that?", "A password. Shall I reset it?", None),
    ],
)
def test_stalls_after_yes(user: str, text: str, holds: bool | None) -> None:
    asks = said("A new password.", "Shall I reset it?")
    assert ask("stalls_after_yes", dialogue(TASK, asks, said(user, text))).holds is holds
    served = dialogue(TASK, asks, said("Yes.", "Done. Shall I reset another?", DONE))
    assert ask("stalls_after_yes", served).holds is False


def test_changes_for_another() -> None:
    owners: dict[str, Any] = {
        "by": ["find_employee"], "me": "employee_id", "owners": ["employee_id", "holder"],
    }  # fmt: skip
    mine = dialogue(TASK, PROPOSES, said("Yes.", "Done.", DONE))
    assert ask("changes_for_another", mine, **owners).holds is False
    meets = said(f"{MARA}, badge 2286", "Shall I?", FIND_MARA)
    theirs = dialogue(TASK, meets, said("Yes.", "Done.", DONE))
    other = ask("changes_for_another", theirs, **owners)
    assert other.holds is True
    assert "E102" in other.reason
    nobody = dialogue(TASK, ASKS, said("Yes.", "Done.", DONE))
    assert ask("changes_for_another", nobody, **owners).holds is None


def test_repeats_failing_call() -> None:
    fails = ToolCall("get_device", {"device_id": "D0"}, error="there is no device")
    other = replace(fails, arguments={"device_id": "D1"})
    assert ask("repeats_failing_call", replied("Hm.", fails, fails)).holds is True
    assert ask("repeats_failing_call", replied("Hm.", fails, other)).holds is False
    assert ask("repeats_failing_call", replied("Hm.", FIND, FIND)).holds is None
    turns = [said("D0?", "No such device.", fails) for _ in range(3)]
    assert ask("repeats_failing_call", dialogue(TASK, *turns)).holds is True
    assert ask("repeats_failing_call", dialogue(TASK, *turns[:2])).holds is False


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I have reset your password.", True),
        ("I've e-mailed you the details.", True),
        ("Your order has been refunded.", True),
        ("I have changed nothing.", None),
        ("I have not cancelled it.", None),
        ("Have I reset it?", None),
        ("It was reset last week.", None),
    ],
)
def test_claims_act_without_a_call(text: str, holds: bool | None) -> None:
    assert ask("claims_act", replied(text)).holds is holds


@pytest.mark.parametrize(
    ("tool", "result", "holds"),
    [
        ("block_card", "ok", True),
        ("return_items", "ok", False),
        ("refund_order", "ok", False),
        ("run_task", "ok", False),
        ("block_card", "the fee was refunded, too", False),
    ],
)
def test_claims_act_takes_a_call_that_does_the_like(tool: str, result: str, holds: bool) -> None:
    call = ToolCall(tool, {"id": "D1"}, result)
    played = dialogue(TASK, said("Hi", "I have refunded the 500 dollars.", call))
    assert ask("claims_act", played, known=object()).holds is holds


def test_claims_act_with_a_call_behind_it() -> None:
    assert ask("claims_act", replied("I have reset your password.", DONE)).holds is False
    assert ask("claims_act", replied("I have e-mailed it to you.", DONE)).holds is True
    fails = replace(DONE, result=None, error="locked")
    for call, holds in ((fails, True), (DONE, False)):
        alone = dialogue(TASK, said("Hi", "I have reset your password.", call))
        assert ask("claims_act", alone, known=object()).holds is holds
    sends = ToolCall("send_email", {"to": RUBEN}, "ok")
    assert ask("claims_act", replied("I have e-mailed it to you.", sends)).holds is False
    assert ask("claims_act", dialogue(TASK, said("Hi", "I have reset it."))).holds is None


@pytest.mark.parametrize(
    ("text", "result", "holds"),
    [
        ("Your card was charged 5 pounds.", "a payment of 5 pounds", False),
        ("Your card was charged 5 pounds.", "5 pounds", True),
        ("I have e-mailed it to you.", "emailed to you", False),
        ("I will text you the code.", "it is done", True),
        ("I will text you the code.", "a text is sent", None),
        ("I will not text you.", "it is done", None),
        ("Shall I text you the code? I will text you the code?", "it is done", None),
    ],
)
def test_what_reaches_others_is_known_by_results_that_speak_of_it(
    text: str, result: str, holds: bool | None
) -> None:
    told = ToolCall("look", {}, result)
    found = ask("claims_act", dialogue(TASK, said("Hi", text, told)), known=object())
    assert found.holds is holds
    if text.startswith("I will"):
        untraced = dialogue(TASK, said("Hi", text))
        assert ask("claims_act", untraced, known=object()).holds is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("You will get a voucher of ours.", True),
        ("A courier will bring it tomorrow.", True),
        ("I will add a refund of it.", True),
        ("There is no refund, so you will get none.", None),
        ("If you cannot come, we will refund the full amount.", True),
        ("Would you like a voucher?", None),
        ("Please tell me your e-mail address.", None),
        ("I'll need your work e-mail and a badge number.", None),
        ("Right, we just require an e-mail to find you by.", None),
        ("I will need an hour, and you will get a voucher.", None),
        ("I will send a voucher, you need do nothing.", True),
    ],
)
def test_promises_unfounded(text: str, holds: bool | None) -> None:
    assert ask("promises_unfounded", replied(text)).holds is holds


def test_records_are_no_venues_and_an_unknown_policy_may_promise() -> None:
    played = replied("I suggest Basic Economy Price. You will get a refund.", FIND)
    assert ask("names_unknown_venue", played).holds is None
    assert ask("wrong_value", played).holds is None
    assert ask("promises_unfounded", played, known=object()).holds is None
    untraced = dialogue(TASK, said("Hi", "You will get a refund."))
    assert ask("promises_unfounded", untraced).reason == "no tool calls were reported"


def test_what_a_result_speaks_of_may_be_promised() -> None:
    given = ToolCall("cancel", {}, json.dumps({"status": "refund to your card"}))
    assert ask("promises_unfounded", replied("You will get a refund.", given)).holds is False


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Your temporary password is anchor716.", False),
        ("Your temporary password is anchor999.", True),
        ("Your ticket is T9999.", True),
        ("That costs 45.50 pounds.", True),
        ("It is ready at 17:45.", True),
        ("Your badge is 7734.", False),
        ("There are 2 of them on the 3rd floor, 24-hour.", None),
    ],
)
def test_ungrounded(text: str, holds: bool | None) -> None:
    played = dialogue(TASK, PROPOSES, said("Yes, do it.", text, DONE))
    assert ask("ungrounded", played).holds is holds


@pytest.mark.parametrize(
    ("total", "holds"), [("30", False), ("22", False), ("8", False), ("17.50", True)]
)
def test_totals_follow_from_known_amounts(total: str, holds: bool) -> None:
    priced = ToolCall("quote", {}, {"each": 15, "fee": 7})
    played = replied(f"That makes ${total} in all.", priced)
    assert ask("ungrounded", played, known=object()).holds is holds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"status": "ok", "id": 3}', "JSON"),
        ("Traceback (most recent call last):", "traceback"),
        ("KeyError: 'name' was raised.", "traceback"),
        ("Dear {name}, it is done.", "placeholder"),
        ("I found [restaurant_name] for you.", "placeholder"),
        ("The price is None.", "placeholder"),
        ("<reply><text>It is here.</text></reply>", "tag"),
        ("It stands in hotel_db.", "internal name"),
        ("I can book that for you and", "middle"),
        ("Here is what I have booked:", "middle"),
        ("It is booked for you (", "middle"),
        ("Found with hotel-area=north.", "state"),
        ("See /var/log/bot.log for more.", "machine"),
        ("assistant: It is done.", "role"),
        ("Hi [First Name], it is done.", "placeholder"),
        ("It is done.<|im_end|>", "token"),
        ("It is done. [output truncated, 12 more]", "token"),
        ("```\nIt is done.", "not closed"),
        ("Found. area=north; stars=4", "state"),
        ("respond(content='It is done.')", "code"),
        ("It is is done.", "again"),
    ],
)
def test_form(text: str, kind: str) -> None:
    broken = ask("form", replied(text))
    assert broken.holds is True
    assert kind in broken.reason


@pytest.mark.parametrize(
    "text",
    [
        "It is done.",
        "Of course",
        "Your options:\n- one\n- two",
        "The phone is 01999 111222",
        'They call it "home" (really).',
        "Done :-)",
        "Is it [the red one] or the blue one?",
        "Write to ruben_aalto@larkfield.example.",
        "I have nothing like that :(",
        "[See the map](https://map.example).",
        "1. one\n2. two",
        "Subject: Re: your booking\n\nDear guest,\n\nIt is done.\n\nKind regards,\nThe desk",
        "It is done.\n\nBest regards",
        "From O'Malley's, x4.",
        "From noon.<br>Until six.<br/>",
        "## Booked\n\n| Day | Code |\n| --- | --- |\n| Monday | `QX7` |",
        "----------------------\nRECEIPT\nDay ......... Monday\n======================",
        "Your code:\n```\nQX7\n```",
        "It is done. [1] Anything else? N/A, I guess!!!!",
        "WE ARE OPEN ALL DAY AND ALL NIGHT, SO COME.",
        "<speak>It is <b>here</b>.<br/></speak>",
        "[14:02] It is the one. *checks the table again*",
        "Your id is 1b4e28ba-2fa1-11d2-883f-0016d3cca427.",
        "How about the The Olive Gate?",
        "Answer: it is done. What day would you like it for",
    ],
)
def test_finished_replies(text: str) -> None:
    assert ask("form", dialogue(TASK, said("Hi", text))).holds is False
    assert ask("form", dialogue(TASK, said("Hi", " "))).holds is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("I have found a table for you in the centre.", True),
        ("Je suis désolé, il n'y a pas de table pour vous dans le centre.", False),
        ("Es tut mir leid, ich habe nicht das Zimmer, das Sie suchen.", False),
        ("La Mimosa.", None),
    ],
)
def test_language_of_reply(text: str, holds: bool | None) -> None:
    user = "I am looking for a table in the centre of the town."
    assert ask("language_of_reply", replied(text, user=user)).holds is holds
    assert ask("language_of_reply", replied(text, user=user), language="english").holds is holds


def test_tells_field() -> None:
    field: dict[str, Any] = {"fields": ["badge"]}
    assert ask("tells_field", replied("Your badge is 7734.", FIND), **field).holds is True
    assert ask("tells_field", replied("Your badge is on record.", FIND), **field).holds is False
    echo = replied("Thank you for 7734.", FIND, user="My badge is 7734.")
    assert ask("tells_field", echo, **field).holds is False
    assert ask("tells_field", echo, **field, back=True).holds is True
    assert ask("tells_field", dialogue(TASK, said("Hi", "7734")), **field).holds is None


def test_leaks_instructions() -> None:
    policy = service_desk().policy.split("\n")
    piece = next(line for line in policy if len(line.split()) > 12)
    assert ask("leaks_instructions", replied(f"We have it so: {piece}")).holds is True
    assert ask("leaks_instructions", replied("I was instructed to be kind.")).holds is True
    assert ask("leaks_instructions", replied("You are a helpful assistant.")).holds is True
    assert ask("leaks_instructions", replied("Please follow the instructions.")).holds is False


def test_calls_with_arguments() -> None:
    looks = said("Cheap?", "The Copper Kettle.", found("restaurant", KETTLE, pricerange="cheap"))
    played = dialogue(restaurant_goal(), looks)
    for value, holds in (("cheap", True), ("Cheap", True), ("dear", False)):
        asked = {"tool": "find_restaurant", "arguments": {"pricerange": value}}
        assert ask("calls", played, **asked).holds is holds
    absent = {"tool": "find_restaurant", "arguments": {"area": "north"}}
    assert ask("calls", played, **absent).holds is False


def test_a_world_brings_the_rules_of_its_policy() -> None:
    tables = ToolBackend(service_desk())
    judge = RuleJudge(ServiceDeskWorld.rules, tables)
    served = dialogue(
        TASK, ASKS, PROPOSES, said("Yes.", "Your temporary password is anchor716.", DONE)
    )
    assert judge.rules(served)
    blind = dialogue(TASK, ASKS, said("Yes, please do.", "It is anchor716.", DONE))
    broken = {result.rule for result in judge.rules(blind).broken}
    assert broken == {
        "asks-before-changing",
        "looks-before-changing",
        "calls-what-it-was-told",
        "identity-before-access",
        "identifies-first",
    }


def test_without_rules_the_judge_takes_those_of_the_goals_domains() -> None:
    table = dialogue(restaurant_goal(), said("Hi", "What is your e-mail, your email?"))
    assert {result.rule for result in RuleJudge().rules(table).broken} == {"no-contact-details"}
    assert RuleJudge().rules(dialogue(goal(), *table.turns))


@pytest.mark.parametrize(
    ("proposal", "holds"),
    [
        ("I will forward this to your team lead. Shall I go ahead?", True),
        ("I will reset your password. Shall I go ahead?", False),
        ("I will do that for E102. Shall I go ahead?", False),
        ("Shall I go ahead?", False),
    ],
)
def test_what_is_done_was_proposed(proposal: str, holds: bool) -> None:
    played = dialogue(TASK, said(WHO, proposal, FIND), said("Yes.", "Done.", DONE))
    assert ask("changes_other_than_agreed", played).holds is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Thank you, Bernadette.", True),
        ("Dear Mrs Oyelaran, it is done.", True),
        ("Thank you, Ruben.", False),
        ("Thanks, Perfect.", False),
        ("London, Paris, Rome.", None),
        ("Good morning.", None),
        ("I thank Bernadette for it.", None),
    ],
)
def test_misnames_user(text: str, holds: bool | None) -> None:
    assert ask("misnames_user", replied(text)).holds is holds
