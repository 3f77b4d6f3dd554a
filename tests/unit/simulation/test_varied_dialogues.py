"""Dialogues in which the bot hears other words than the user says, and how they are read."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.facts.dialogue import gather, with_claims
from pytest_todeval.rules import check, load_rules
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.simulation.variation import make_variation
from pytest_todeval.testing import Answer, Broken, ScriptedSystem, StandInServer, Status
from tests.support.dialogue_world import BOOK, TABLE, backend, booked, booking, dialogue
from tests.support.dialogue_world import restaurant_goal as restaurant
from tests.support.llm_user_world import HOTEL, scripted, settings

ROOM = "I need a hotel in the north, please."


class Upper:
    """Shouts."""

    name, definition, asks_model = "shouted", "shouted 1", False

    def varied(self, text: str, turn: int, heard: str) -> str:
        return f"{turn}! {text.upper()} ({heard[-5:]})"


class Mute(Upper):
    def varied(self, text: str, turn: int, heard: str) -> str:
        return " "


class Silent:
    async def respond(self, turn: Turn | None) -> Utterance:
        await asyncio.sleep(0)
        return Utterance("A room.") if turn is None else Utterance("Bye.", StopReason.USER_DONE)


def test_the_bot_hears_other_words_than_the_user_says() -> None:
    heard: list[str] = []

    def bot(text: str, history: list[dict[str, str]]) -> str:
        heard.extend([text, *(said["content"] for said in history)])
        return "Which one?"

    user = ScriptedUser(["A room.", "In the north."])
    played = run_dialogue(HOTEL, user, bot, variation=Upper())
    assert heard == [
        "1! A ROOM. ()",
        "2! IN THE NORTH. ( one?)",
        *("1! A ROOM. ()", "Which one?"),
    ]
    assert played.variation == "shouted"
    assert [(t.user[0], t.meant) for t in played.turns] == [
        ("1", "A room."),
        ("2", "In the north."),
    ]
    assert "meant: A room." in played.explain()


def test_last_words_are_nobodys_to_hear_and_stay() -> None:
    played = run_dialogue(HOTEL, Silent(), ScriptedSystem(["Fine."]), variation=Upper())
    assert (played.last_words, played.turns[0].user) == ("Bye.", "1! A ROOM. ()")


def test_without_a_variation_a_dialogue_is_as_it_was() -> None:
    played = run_dialogue(HOTEL, ScriptedUser(["A room."]), ScriptedSystem(["Fine."]))
    entry = dialogue_entry(played, test="t", outcome=Outcome.PASSED)
    assert (played.variation, played.turns[0].meant) == ("", "")
    assert "variation" not in entry
    assert "meant" not in entry["turns"][0]


def test_the_record_keeps_both_and_reads_them_back() -> None:
    played = run_dialogue(
        HOTEL, ScriptedUser(["A room."]), ScriptedSystem(["Fine."]), variation=Upper()
    )
    entry: Any = dialogue_entry(played, test="t", outcome=Outcome.PASSED)
    assert (entry["variation"], entry["turns"][0]["meant"]) == ("shouted", "A room.")
    back = dialogue_of(entry)
    assert (back.variation, back.turns[0].meant) == ("shouted", "A room.")


def test_a_variation_that_says_nothing_is_the_simulators_fault() -> None:
    played = run_dialogue(HOTEL, Silent(), ScriptedSystem(["Fine."]), variation=Mute())
    assert played.fault is Outcome.SIMULATOR_FAULT
    assert "said nothing in turn 1" in played.detail


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "typos", "speech"])
def test_the_agenda_user_goes_on_from_its_own_words(level: str) -> None:
    said = ["Which area?", "For how many?", "Booked, the reference number is AB12CD34."]
    plain = run_dialogue(HOTEL, AgendaUser(HOTEL), ScriptedSystem(said))
    varied = run_dialogue(
        HOTEL, AgendaUser(HOTEL), ScriptedSystem(said), variation=make_variation(level, HOTEL)
    )
    assert [turn.as_meant for turn in varied.turns] == [turn.user for turn in plain.turns]
    assert all(turn.user != turn.meant for turn in varied.turns)
    assert varied.stop_reason is plain.stop_reason


def garbled(user: str, meant: str, system: str, *calls: Any) -> Turn:
    return Turn(1, user, system, tuple(calls), meant=meant)


def test_what_we_would_mishear_is_not_the_bots_failure() -> None:
    """The rule reads that four people were never spoken of, if it reads what the bot heard."""
    meant = "Book the Copper Kettle for 4 people on friday at 18:30."
    turn = garbled(
        "tabel pls",
        meant,
        "Your table is booked, reference AB12CD34.",
        booked("restaurant", **TABLE),
    )
    goal = restaurant(book=BOOK)
    told = dialogue(goal, turn, bookings=[booking("restaurant", **TABLE)])
    rule = "restaurant-slots-before-booking"
    broken = {each.rule for each in check(told, load_rules("restaurant"), backend()).broken}
    assert rule not in broken
    unsaid = replace(told, turns=(replace(turn, meant=""),))
    assert rule in {each.rule for each in check(unsaid, load_rules("restaurant"), backend()).broken}


def test_the_claims_are_added_to_what_the_bot_heard() -> None:
    turn = garbled("hotle plz", "A hotel, please.", "The Willow Lodge is nice.")
    with_heard: Dialogue = with_claims(Dialogue(HOTEL, (turn,)))
    assert (with_heard.turns[0].user, with_heard.turns[0].meant) == (
        "hotle plz",
        "A hotel, please.",
    )
    assert gather(with_heard).user_said(1) == "A hotel, please."


def test_an_echo_of_either_is_an_echo() -> None:
    turn = garbled("hotle plz", "A hotel, please.", "hotle plz")
    (facts,) = gather(Dialogue(HOTEL, (turn,))).turns
    assert facts.echo
    (other,) = gather(Dialogue(HOTEL, (replace(turn, system="A hotel, please."),))).turns
    assert other.echo


def test_another_language_is_the_users_language() -> None:
    turn = garbled(
        "Je cherche un hôtel pas cher dans le nord de la ville, s'il vous plaît.",
        "I am looking for a cheap hotel in the north of the town, please.",
        "Bien sûr, voici un hôtel dans le nord de la ville pour vous.",
    )
    french = Dialogue(HOTEL, (turn,), variation="French")
    rules = load_rules("common")
    assert "users-language" not in {each.rule for each in check(french, rules).broken}
    noisy = replace(french, variation="typos")
    assert "users-language" in {each.rule for each in check(noisy, rules).broken}


# by a model


def by_model(model: StandInServer, name: str, text: str = ROOM) -> Dialogue:
    variation = make_variation(name, HOTEL, model=settings(model))
    user = ScriptedUser([text])
    limits = Limits(max_turns=2)
    return run_dialogue(HOTEL, user, ScriptedSystem(["Ok."]), limits=limits, variation=variation)


@pytest.mark.parametrize(
    "reply",
    [
        "<variation>Some hotel up north it shall be.</variation>",
        "Here it is:\n<variation>\nSome hotel up north it shall be.\n</variation>\nFine?",
        "Some hotel up north it shall be.",
        "<easy_variations><variation>A hotel.</variation></easy_variations>"
        "<hard_variations><variation>Some hotel up north it shall be.</variation>"
        "<variation>It shall be.</variation></hard_variations>",
    ],
)
def test_a_model_says_it_in_other_words(reply: str) -> None:
    """Of several, H.1 asks for five, one is drawn among those that leave nothing out."""
    with scripted(reply.replace("up north", "in the north")) as model:
        played = by_model(model, "model:hard")
    assert played.turns[0].user == "Some hotel in the north it shall be."
    assert played.turns[0].meant == ROOM
    assert played.variation == "model:hard"
    system = str(model.requests[0].messages[0]["content"])
    assert "Hard: build the text anew" in system
    assert "letter by letter, wherever they stand: north" in system
    assert model.requests[0].schema is None


def test_a_language_is_a_translation() -> None:
    said = "<variation>Un hôtel dans le north, s'il vous plaît.</variation>"
    with scripted(said) as model:
        played = by_model(model, "French")
    assert played.turns[0].user == "Un hôtel dans le north, s'il vous plaît."
    assert "into this language: French" in str(model.requests[0].messages[0]["content"])


def test_what_is_left_out_is_asked_for_again_then_it_is_the_simulators_fault() -> None:
    with scripted("A hotel, please.", "<variation>A hotel in the north!</variation>") as model:
        played = by_model(model, "model:easy")
    assert played.turns[0].user == "A hotel in the north!"
    assert "leaves out 'north'" in model.requests[1].last_user
    with scripted("A hotel, please.", "One hotel.") as model:
        played = by_model(model, "model:easy")
    assert played.fault is Outcome.SIMULATOR_FAULT
    assert "leaves out 'north'" in played.detail


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Answer(error=Status(500)), Outcome.INFRASTRUCTURE),
        (Answer(error=Broken.RESET), Outcome.INFRASTRUCTURE),
        (Answer(error=Status(400, "too long")), Outcome.SIMULATOR_FAULT),
        (Answer(refusal="no"), Outcome.SIMULATOR_FAULT),
        (Answer("<variation>A hotel in the nor", finish="length"), Outcome.SIMULATOR_FAULT),
        ("x" * 5000, Outcome.SIMULATOR_FAULT),
        ("<think>north</think>", Outcome.SIMULATOR_FAULT),
    ],
)
def test_a_model_that_does_not_answer_is_nobodys_failure(answer: Any, fault: Outcome) -> None:
    with StandInServer(lambda request: answer) as model:
        played = by_model(model, "model:medium")
    assert played.fault is fault
    assert played.turns == ()


def test_the_definition_names_model_and_prompts() -> None:
    found = make_variation("model:typos", HOTEL, model="any-model").definition
    assert found.startswith("model:typos by any-model: variation 1 (")
    assert "variation_typos 1 (" in found
