"""Models that play no user: what they say is never a pass, and never the bot's failure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Reply
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.llm_user import STRATEGIES, LLMUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.testing import ScriptedSystem
from tests.support.llm_user_world import HOTEL

GOAL = Goal(
    "two",
    "mine",
    (
        DomainGoal("hotel", {"area": "north", "stars": "4"}, request=("phone",)),
        DomainGoal("train", {"departure": "ely", "day": "monday"}, request=("trainID",)),
    ),
    (
        "You want a hotel in the north with 4 stars, and its phone number.",
        "You also want a train from Ely on Monday, and its number.",
    ),
    solution="Platform nine at dawn.",
)
BOT = (
    "Welcome, I can help with hotels and trains. What do you want?",
    "Could you say a little more about it?",
    "I see. Which part of town would you like?",
    "There are several. Do you have a price in mind?",
    "Let me know if you need anything else from me.",
)
ECHO = "the words of the bot"
SWAPPED = "the words of the bot, answered as a bot"

GARBAGE: Mapping[str, Sequence[str]] = {
    "silent": ["", " ", "...", "\u200b"],
    "dots": ["…", "?!", "---"],
    "echoing": ["Hello!", ECHO],
    "echoing with a preface": ["Hello!", f"You said: {ECHO}"],
    "role-swapped": ["Hello! How can I help you today?", SWAPPED],
    "offers help": ["I'd be happy to help you find a hotel in the north. What is your budget?"],
    "asks as a clerk": ["What kind of hotel would you like?", "Which day will you be travelling?"],
    "has booked": ["I have booked a table for you, anything else?", "Enjoy your stay!"],
    "confirms": ["Your booking has been confirmed. Your reference number is 4FG7.", "Goodbye!"],
    "found some": ["I found 3 hotels in the north for you.", "The first one has 4 stars."],
    "thanks the caller": ["Thank you for calling the hotel desk.", "How may I assist you?"],
    "waits for the user": ["I'm here to help! Tell me what you need.", "Please go ahead."],
    "the assistant": ["I am the AI assistant. Write your first sentence.", "Write again."],
    "an assistant": ["I'm a virtual assistant for hotels.", "I am your assistant."],
    "a chatbot": ["I'm a chatbot and can't stay in hotels.", "I am only a bot."],
    "a language model": ["As a large language model, I do not need a hotel."],
    "a language model, plainly": ["I'm just a language model.", "I'm a text-based AI model."],
    "a known model": ["My name is ChatGPT and I like hotels.", "I was trained by a company."],
    "no ability": ["I'm afraid I don't have the ability to speak.", "I can't speak."],
    "no access": ["I do not have access to real-time hotel data."],
    "cannot help": ["Sorry, I can't help with that.", "I cannot assist you with this request."],
    "apologises": ["I apologize, but I cannot fulfil this request about hotels."],
    "instructions": ["The chatbot is waiting. Write your first sentence.", "Write the next one."],
    "instructions, one by one": ["Write your first message.", "Write your next message."],
    "instructions, of a kind": ["Keep every name, number, day and time as it is given above."],
    "its task": ["You play a person who talks to a chatbot about a hotel.", "Stay in character."],
    "its goal's label": ["Your goal is to find a hotel in the north.", "Your goal is a train."],
    "its screen": ["Write your first message to the chatbox on the screen of the computer."],
    "the user, from outside": ["The user wants a hotel in the north.", "The user says thanks."],
    "prompt-leaking": ["My system prompt says that I want a hotel.", "{{goal}}"],
    "placeholders": ["I want [hotel name] please.", "<insert message>"],
    "off-goal": ["Which films are on tonight?", "A comedy, please.", "Two tickets.", "Great."],
    "chatting": ["Hi!", "Nice weather today.", "How was your weekend?", "Mine was fine."],
    "agreeing": ["Yes.", "Okay then.", "Sure.", "Fine with me.", "All right."],
    "farewells": ["Goodbye!", "Bye.", "See you.", "Take care.", "So long."],
    "French": ["Bonjour, je cherche une chambre.", "Au nord.", "Merci.", "Quatre.", "Lundi."],
    "German": ["Guten Tag.", "Ein Zimmer bitte.", "Vier Sterne.", "Danke.", "Bis bald."],
    "word salad": ["La femme de France, le grand f", "blue of the when", "seven or and", "the"],
    "looping": ["Hello?"] * 5,
    "looping in two": ["Hello?", "Anybody there?"] * 3,
    "numbers": ["1", "2", "3", "4", "5"],
    "markup": ["## Step", "**", "- one\n- two", "| a | b |"],
    "an error": ["Error: 500 from upstream", "Traceback (most recent call last):"],
    "a list": ['["hello"]', '{"text": 1}', "[]"],
    "a story": ["Once upon a time there was a fox.", "It ran.", "It slept.", "It woke.", "End."],
}


class Garbage(ChatClient):
    """A model that says the lines of a script, in the form asked for; it accepts any draft."""

    def __init__(self, lines: Sequence[str], strategy: str) -> None:
        super().__init__(ModelSettings("fake", base_url="http://127.0.0.1:9/v1"))
        self._lines, self._form, self._said = lines, str(STRATEGIES[strategy].form), 0

    def complete(self, messages: Any, *, schema: Any = None, **_: Any) -> Completion:
        if schema is not None:
            return Completion('{"reason": "fine", "answer": "yes"}')
        line = self._lines[min(self._said, len(self._lines) - 1)]
        self._said += 1
        # tau-bench's reflecting user labels its message; others write it as their form has it.
        heard = re.findall(r"⟦chatbot \w+⟧\n(.*?)\n⟦", str(messages[-1]["content"]), re.DOTALL)
        answer = heard[-1] if heard else "Hello."
        line = line.replace(SWAPPED, f"Sure, I can help you with that: {answer}")
        line = line.replace(ECHO, answer)
        if self._form == "said":
            return Completion(f"Thought: hm\nUser: {line}")
        if self._form == "plain":
            return Completion(line)
        state = '\nState: {"hotel.inform.area": "open"}' if self._form == "state" else ""
        return Completion(f"Thought: hm{state}\nResponse: {line}")


def play(
    lines: Sequence[str],
    strategy: str,
    goal: Goal = GOAL,
    bot: Sequence[Any] = BOT,
    **options: Any,
) -> Dialogue:
    """A dialogue with a model that says these lines."""
    user = LLMUser(goal, Garbage(lines, strategy), strategy, **options)
    return run_dialogue(goal, user, ScriptedSystem(bot), limits=Limits(max_turns=len(bot)))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_garbage_is_the_simulators(strategy: str) -> None:
    assert len(GARBAGE) >= 30
    charged = {}
    for name, lines in GARBAGE.items():
        dialogue = play(lines, strategy)
        if dialogue.fault is not Outcome.SIMULATOR_FAULT:
            charged[name] = (dialogue.stop_reason, [turn.user for turn in dialogue.turns])
    assert charged == {}


@pytest.mark.parametrize("leaves", ["###STOP###", "Bye. ###STOP###"])
def test_a_user_that_leaves_without_its_goal_is_the_simulators(leaves: str) -> None:
    dialogue = play(["Hi!", "Nice weather.", leaves], "llm")
    assert dialogue.fault is Outcome.SIMULATOR_FAULT
    assert "hotel" in dialogue.detail
    assert "train" in dialogue.detail


def test_a_bot_that_raises_on_garbage_is_the_bots() -> None:
    def crash(text: str, history: object) -> str:
        raise ValueError(text)

    dialogue = play(["Nice weather."], "llm", bot=[crash])
    assert dialogue.fault is Outcome.FAILED


@pytest.mark.parametrize("turns", [1, 2])
def test_a_bot_that_ends_it_before_the_user_could_speak_is_the_bots(turns: int) -> None:
    bot = [*BOT[: turns - 1], Reply("Goodbye.", done=True)]
    dialogue = play(["Hello there!", "Can you hear me?"], "llm", bot=bot)
    assert dialogue.stop_reason is StopReason.SYSTEM_DONE
    assert dialogue.fault is None


def test_a_bot_that_answers_a_sound_user_with_nonsense_is_the_bots() -> None:
    said = ["A hotel in the north, please.", "Hello?", "I said a hotel.", "Are you there?", "Hm."]
    dialogue = play(said, "llm", bot=["Moo.", "Moo!", "Moo?", "Moo moo."])
    assert dialogue.fault is None


@pytest.mark.parametrize(
    "said",
    [
        "I would like a place to stay.",
        "Somewhere in the north would be good.",
        "Is there anything with four stars?",
        "I need to get to town from Ely.",
    ],
)
def test_a_word_of_the_goal_is_enough_for_a_verdict(said: str) -> None:
    assert play(["Hello.", said, "Yes.", "Okay.", "Sure."], "llm").fault is None


def test_what_was_conveyed_is_known_turn_by_turn() -> None:
    lines = ["Hello.", "A hotel in the north.", "And a train."]
    user = LLMUser(GOAL, Garbage(lines, "llm"), "llm")
    run_dialogue(GOAL, user, ScriptedSystem(BOT), limits=Limits(max_turns=2))
    assert user.conveyed == ((), ("hotel",), ("train",))


def test_a_user_in_another_language_is_held_to_no_english_words() -> None:
    dialogue = play(GARBAGE["French"], "llm", language="French")
    assert dialogue.fault is None


def test_a_goal_without_slots_is_held_to_no_words() -> None:
    goal = Goal("task", "mine", (), ("You want to return the boots.",))
    assert play(["Hello.", "It is about an order."] * 3, "llm", goal, BOT[:2]).fault is None
    assert play(["I am the AI assistant."], "llm", goal).fault is Outcome.SIMULATOR_FAULT


@pytest.mark.parametrize(
    "said",
    [
        "I am the assistant manager of a hotel and need a room in the north.",
        "I work as an assistant and need a hotel.",
        "Is there anything else you need from me to book the hotel?",
        "I have booked a hotel before, now I want one in the north.",
        "Would you like me to spell the name of the hotel?",
        "I can't help it, I want a hotel.",
        "Has my hotel booking been confirmed?",
        "How can I help you find my hotel booking?",
        "I don't have access to my e-mail, so please tell me the hotel's number.",
        "Could you help me with a hotel?",
    ],
)
def test_people_may_say_so(said: str) -> None:
    assert play([said, "In the north."], "llm", HOTEL, BOT[:1]).fault is None
