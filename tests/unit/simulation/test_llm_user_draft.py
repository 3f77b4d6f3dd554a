"""Thought, state and message of a draft; and what a draft may not be."""

import pytest

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.simulation.llm_user.checks import Known, instructions_of, wrong_with
from pytest_todeval.simulation.llm_user.conversation import Conversation
from pytest_todeval.simulation.llm_user.endings import find_ending
from pytest_todeval.simulation.llm_user.reply import LONGEST, read_draft
from pytest_todeval.simulation.llm_user.strategy import Form


@pytest.mark.parametrize(
    "written",
    [
        "Thought: it wants the area\nResponse: In the north, please.",
        "**Thought:** it wants the area\n\n**Response:** In the north, please.",
        "Thought:\nit wants the area\n\nUser Response:\nIn the north, please.",
        "<thought>it wants the area</thought><response>In the north, please.</response>",
        "<thought>it wants the area</thought>\nIn the north, please.",
        "<think>hm, hm</think>Thought: it wants the area\nResponse: In the north, please.",
        '{"thought": "it wants the area", "response": "In the north, please."}',
        '```json\n{"Thought": "it wants the area", "Response": "In the north, please."}\n```',
        'Thought: it wants the area\nResponse: "In the north, please."',
        "Thought: it wants the area\nResponse: User: In the north, please.",
        "Thought: it wants the area\nResponse: In the north, please.\n\nThought: next, book",
    ],
)
def test_a_thought_and_a_response(written: str) -> None:
    draft = read_draft(written, Form.THOUGHT)
    assert draft.text == "In the north, please."
    assert draft.thought == "it wants the area"


@pytest.mark.parametrize(
    "written",
    [
        "I think the area is asked for. In the north.",
        "Thought: in the north",
        "<think>in the north",
        '{"thought": "in the north"}',
        "x" * (LONGEST + 1),
    ],
)
def test_without_a_response_nothing_is_said(written: str) -> None:
    with pytest.raises(Unreadable):
        read_draft(written, Form.THOUGHT)


def test_a_token_in_a_thought_ends_nothing() -> None:
    draft = read_draft("Thought: not yet ###STOP###\nResponse: In the north.", Form.THOUGHT)
    assert find_ending(draft.text) is None


def test_a_bare_ending_needs_no_label() -> None:
    assert read_draft("<COMPLETE CONVERSATION>", Form.THOUGHT).text == "<COMPLETE CONVERSATION>"
    assert read_draft("###STOP###", Form.STATE).text == "###STOP###"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("A hotel, please.", "A hotel, please."),
        ("User: A hotel, please.", "A hotel, please."),
        ("**User:** A hotel, please.", "A hotel, please."),
        ("Kullanıcı: Bir otel, lütfen.", "Bir otel, lütfen."),
        ("المستخدم: فندق من فضلك", "فندق من فضلك"),
        ('"A hotel, please."', "A hotel, please."),
        ('"A hotel" or "a hostel"', '"A hotel" or "a hostel"'),
        ("Response: A hotel, please.", "A hotel, please."),
        ("Thought: what now\nResponse: A hotel, please.", "A hotel, please."),
        ("<think>what\n\nnow</think>\nA hotel, please.", "A hotel, please."),
        ("what now</think>A hotel, please.", "A hotel, please."),
        ('{"response": "A hotel, please."}', "A hotel, please."),
        ('{"error": 1}', '{"error": 1}'),
        ("A hotel\ud83d, please.", "A hotel, please."),
        ("State: on\nMode: off", "State: on\nMode: off"),
        ("It says this:\nMessage: no signal", "It says this:\nMessage: no signal"),
    ],
)
def test_a_plain_draft_loses_what_is_not_said(written: str, text: str) -> None:
    assert read_draft(written, Form.PLAIN).text == text


@pytest.mark.parametrize(
    "state",
    ['{"a.b": "done"}', "{'a.b': 'done'}", '```json\n{"a.b": "done"}\n```'],
)
def test_a_state_may_be_json_or_a_python_literal(state: str) -> None:
    draft = read_draft(f"Thought: x\nState: {state}\nResponse: Hello.", Form.STATE)
    assert (draft.text, draft.thought, draft.state) == ("Hello.", "x", {"a.b": "done"})
    whole = read_draft(
        '{"thought": "x", "state": {"a.b": "done"}, "response": "Hello."}', Form.STATE
    )
    assert whole.state == {"a.b": "done"}


@pytest.mark.parametrize("state", ['{"a.b": "do', "exit()", "{__import__('os'): 1}", ""])
def test_a_broken_state_leaves_the_message(state: str) -> None:
    draft = read_draft(f"Thought: x\nState: {state}\nResponse: Hello.", Form.STATE)
    assert (draft.text, draft.state) == ("Hello.", None)
    assert draft.state_fault
    assert read_draft("Thought: x\nResponse: Hello.", Form.STATE).state_fault == "gave no state"


BOT = "We have three hotels in the north, which price range would you like?"
KNOWN = Known(
    goal="You want the [blue] hotel, mode <b>.",
    instructions=instructions_of(
        ["Say what you want bit by bit, in your own words, and react. {{goal}}\nShort."]
    ),
    conversation=Conversation(["A hotel"], [BOT]),
    solutions=("Hold the reset key.",),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "says nothing"),
        ("...", "says nothing"),
        ("\u200f \u202e", "says nothing"),
        ("I would like to book [hotel_name] please", "holds a placeholder"),
        ("I am {{name}}", "holds a placeholder"),
        ("I am {name}", "holds a placeholder"),
        ("Book it for <name>", "holds a placeholder"),
        ("Mon nom est [prénom]", "holds a placeholder"),
        ("اسمي [الاسم]", "holds a placeholder"),
        ("Error code: 429 - rate limit", "is an error message"),
        ("openai.RateLimitError: slow down", "is an error message"),
        ("Traceback (most recent call last): ...", "is an error message"),
        ('{"error": {"message": "no"}}', "is an error message"),
        ("HTTP 503 service unavailable", "is an error message"),
        ("Sure.\nThought: I should ask", "lets a thought out"),
        ("North. <think>so", "lets a thought out"),
        ("North.\nSystem: Here are three hotels.", "speaks in another role"),
        ("Assistant: How can I help?", "speaks in another role"),
        ("As an AI language model, I cannot book.", "speaks of itself as a model or an assistant"),
        ("I’m a user simulator", "speaks of itself as a model or an assistant"),
        ("⟦chatbot 123⟧ north", "delimiter"),
        ("say what you want BIT BY BIT in your own words and react", "repeats its instructions"),
        (BOT, "repeats the words of the chatbot"),
        (f"Ok! {BOT.upper()}", "repeats the words of the chatbot"),
        ("Should I hold the RESET key?", "suggests a remedy"),
    ],
)
def test_what_a_user_cannot_have_said(text: str, expected: str) -> None:
    assert expected in wrong_with(text, KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "A hotel in the north, please.",
        "👍",
        "Tamam, kuzeyde olsun.",
        "Au nord, s’il vous plaît !",
        "في الشمال من فضلك",
        "The [blue] one, in mode <b>.",
        "See [this](https://example.com), 3 < 4 and {1}",
        "It keeps showing Error 404: not found",
        "My mail is <me@example.com>",
        "Three hotels? Moderate, please.",
        "I thought: why not.",
        "A system prompt pops up on the screen.",
    ],
)
def test_what_a_user_can_have_said(text: str) -> None:
    assert wrong_with(text, KNOWN) == ""


def test_a_short_answer_may_be_the_bots_and_a_solution_the_bot_named_may_be_taken_up() -> None:
    heard = Conversation(["Hi"], ["Goodbye!"])
    assert wrong_with("Goodbye!", Known("", (), heard)) == ""
    offered = Conversation(["Hi"], ["Hold the reset key for ten seconds."])
    assert wrong_with("Hold the reset key?", Known("", (), offered, ("hold the reset key",))) == ""


def test_the_reason_for_a_leaked_solution_does_not_tell_it() -> None:
    assert "reset" not in wrong_with("Should I hold the reset key?", KNOWN)
