"""The chat bot: turn by turn against scripted models, and in whole dialogues."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pytest_todeval
from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import (
    BackendError,
    InvalidFile,
    ModelRejected,
    ModelUnavailable,
    UsageError,
)
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.support.chat_world import (
    DATABASE,
    DEMO,
    NORTH,
    Tools,
    bot_of,
    clerk,
    client_of,
    find_hotel,
    observations,
    one_turn,
    wants,
)

# What is sent


def test_the_messages_of_a_dialogue_grow() -> None:
    with bot_of("Which area?", wants(NORTH), "North 0.", "Bye.") as (bot, server):
        texts = [bot.respond(text).text for text in ("A hotel.", "North.", "Thanks.")]
    assert texts == ["Which area?", "North 0.", "Bye."]
    call_id = server.requests[2].messages[-1]["tool_call_id"]
    function = {"name": "find_hotel", "arguments": '{"area": "north"}'}
    calls = [{"id": call_id, "type": "function", "function": function}]
    assert server.requests[-1].messages == (
        {"role": "system", "content": "You book hotels."},
        {"role": "user", "content": "A hotel."},
        {"role": "assistant", "content": "Which area?"},
        {"role": "user", "content": "North."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": call_id, "content": '["north 0"]'},
        {"role": "assistant", "content": "North 0."},
        {"role": "user", "content": "Thanks."},
    )
    for before, after in zip(server.requests, server.requests[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages


def test_settings_and_name_of_the_model_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandInServer(lambda request: "Hello.") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert ChatSystem("tiny")().respond("Hi").text == "Hello."
        settings = pytest_todeval.ModelSettings("small", server.base_url, temperature=0.0, seed=7)
        ChatSystem(settings)().respond("Hi")
    named, set_up = (request.body for request in server.requests)
    assert named["model"] == "tiny"
    assert (set_up["model"], set_up["temperature"], set_up["seed"]) == ("small", 0.0, 7)
    assert "tools" not in named


def test_instructions_are_a_text_a_file_or_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "bot.md"
    path.write_text("Sell żurek.", encoding="utf-8")
    with StandInServer(lambda request: "Hello.") as server:
        for system in (ChatSystem(client_of(server), path), ChatSystem(client_of(server))):
            system().respond("Hi")
    own, shipped = (request.messages[0]["content"] for request in server.requests)
    assert own == "Sell żurek."
    assert "reference number" in shipped


@pytest.mark.parametrize("instructions", ["", " \n", 7])
def test_instructions_that_say_nothing(instructions: Any) -> None:
    with pytest.raises(UsageError, match="instructions are"):
        ChatSystem("m", instructions)


def test_instructions_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    for name in ("latin.txt", "none.txt"):
        with pytest.raises(InvalidFile, match=f"{name}: cannot be read"):
            ChatSystem("m", tmp_path / name)


@pytest.mark.parametrize("steps", [0, -1, True, 2.5, "10"])
def test_a_wrong_number_of_steps(steps: Any) -> None:
    with pytest.raises(UsageError, match="max_steps is"):
        ChatSystem("m", max_steps=steps)


def test_half_a_surrogate_pair_can_be_said_and_told() -> None:
    def look() -> None:
        raise KeyError("\udc00")

    with bot_of(wants(("look", {})), "It is \ud83d here", "Yes.", tools=[look]) as (bot, server):
        assert bot.respond("where \ude00?").text == "It is \ufffd here"
        bot.respond("sure?")
    contents = [m["content"] for m in server.requests[2].messages[1:]]
    assert contents[0] == "where \ufffd?"
    assert contents[3] == "It is \ufffd here"


# Answers


def test_text_beside_a_call_is_kept_for_the_model_only() -> None:
    reply, requests = one_turn(Answer("One moment.", tool_calls=[NORTH]), "North 0.")
    assert reply.text == "North 0."
    assert requests[1].messages[2]["content"] == "One moment."


@pytest.mark.parametrize("silence", [Answer(), Answer(""), Answer(" \n"), Answer(finish="length")])
def test_an_empty_answer_is_asked_for_once_more(silence: Answer) -> None:
    with bot_of(silence, "Which area?", "Fine.") as (bot, server):
        assert bot.respond("A hotel.").text == "Which area?"
        bot.respond("North.")
    again, after = server.requests[1:]
    assert [m["role"] for m in again.messages] == ["system", "user", "assistant", "user"]
    assert "empty" in again.last_user
    # The reminder does not stay.
    assert [m["content"] for m in after.messages[1:]] == ["A hotel.", "Which area?", "North."]


def test_an_empty_answer_twice_is_an_empty_reply() -> None:
    assert one_turn(Answer(), Answer())[0].text == ""


def test_an_empty_answer_after_a_call() -> None:
    reply, requests = one_turn(wants(NORTH), Answer(), wants(NORTH), "North 0.")
    assert reply.text == "North 0."
    assert [m["role"] for m in requests[3].messages][2:] == ["assistant", "tool"] * 2


def test_a_refusal_is_the_answer() -> None:
    reply, _ = one_turn(Answer(refusal="I can't help with that."))
    assert reply.text == "I can't help with that."


def test_calls_beside_a_refusal_are_not_run() -> None:
    reply, _ = one_turn(Answer(refusal="No.", tool_calls=[NORTH]))
    assert (reply.text, reply.tool_calls) == ("No.", ())


def test_a_text_cut_off_is_the_answer() -> None:
    assert one_turn(Answer("The Acorn is", finish="length"))[0].text == "The Acorn is"
    assert one_turn(Answer("The Acorn", finish="content_filter"))[0].text == "The Acorn"


@pytest.mark.parametrize("last", ['{"area": "so', "", '{"area": "south"}'])
def test_the_call_that_was_cut_off_is_not_run(last: str) -> None:
    cut = Answer(tool_calls=[NORTH, ("find_hotel", last)], finish="length")
    reply, requests = one_turn(cut, "North 0.")
    first, second = observations(requests[1])
    assert first == '["north 0"]'
    assert "cut off" in second
    assert [call.result for call in reply.tool_calls] == [["north 0"], None]


def test_usage_is_that_of_all_answers() -> None:
    def used(prompt: int, completion: int, **answer: Any) -> Answer:
        usage = {"prompt_tokens": prompt, "completion_tokens": completion}
        return Answer(usage=usage, **answer)

    reply, _ = one_turn(used(10, 1, tool_calls=[NORTH]), used(20, 0), used(30, 5, text="Hello."))
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (60, 6)


def test_a_turn_that_raised_is_as_if_it_had_not_been() -> None:
    with bot_of("Hello.", Answer(error=Status(500)), "Which area?") as (bot, server):
        bot.respond("Hi.")
        with pytest.raises(ModelUnavailable):
            bot.respond("A hotel.")
        assert bot.respond("A hotel.").text == "Which area?"
    assert server.requests[1].messages == server.requests[2].messages


def test_a_request_that_the_endpoint_does_not_take() -> None:
    rejected = Answer(error=Status(400, "too long", code="context_length_exceeded"))
    with bot_of(rejected) as (bot, _), pytest.raises(ModelRejected, match="too long"):
        bot.respond("A hotel.")


# Whole dialogues


def play(
    answer: Callable[[ChatRequest], Answerable],
    *says: str,
    tools: Tools | None = None,
    backend: Any = None,
    goal: Goal = DEMO.goals[0],
) -> Dialogue:
    with StandInServer(answer) as server:
        system = ChatSystem(client_of(server), "You book hotels.", tools, max_steps=3)
        user = ScriptedUser(says) if says else AgendaUser(goal, DATABASE.vocabulary())
        dialogue = run_dialogue(goal, user, system, backend)
        assert server.failures == ()
        return dialogue


@pytest.mark.parametrize("index", range(0, len(DEMO.goals), 8))
def test_a_good_model_serves_the_goals_of_the_demo(index: int) -> None:
    goal = DEMO.goals[index]
    backend = MultiwozBackend(DATABASE, goal)
    dialogue = play(clerk, backend=backend, goal=goal)
    assert dialogue.stop_reason is StopReason.USER_DONE, dialogue.explain(full=True)
    verdicts = evaluate(dialogue, backend)
    assert all(verdicts[name] for name in ("inform", "success", "booking"))
    # Each call once, though trace, reply and log tell of it.
    assert dialogue.tool_calls == tuple(backend.trace)
    assert all(turn.usage and turn.usage.prompt_tokens for turn in dialogue.turns)


def test_one_system_serves_dialogues_one_after_the_other_with_equal_requests() -> None:
    goal = DEMO.goals[0]
    with StandInServer(clerk) as server:
        system = ChatSystem(client_of(server))
        bodies = []
        for _ in range(2):
            before = len(server.requests)
            backend = MultiwozBackend(DATABASE, goal)
            run_dialogue(goal, AgendaUser(goal, DATABASE.vocabulary()), system, backend)
            bodies.append([request.body for request in server.requests[before:]])
    assert len(bodies[0]) > 3
    assert bodies[0] == bodies[1]


def test_answers_that_are_not_plain_are_marked_in_the_spans() -> None:
    with StandInServer.script(
        [wants(NORTH), "Hello.", Answer(refusal="No."), Answer("The", finish="length")]
    ) as server:
        system = ChatSystem(client_of(server), tools=[find_hotel])
        dialogue = run_dialogue(DEMO.goals[0], ScriptedUser(["a", "b", "c"]), system)
    spans = [[name for name, _ in turn.spans] for turn in dialogue.turns]
    assert spans == [["model", "model"], ["model (refused)"], ["model (cut off)"]]
    assert all(seconds > 0 for turn in dialogue.turns for _, seconds in turn.spans)


def test_equal_calls_of_functions_are_kept_each() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "Hello." if observations(request) else wants(NORTH, NORTH)

    dialogue = play(answer, "Hi.", tools=[find_hotel])
    assert [call.result for call in dialogue.tool_calls] == [["north 0"]] * 2


def failing_after_a_call(error: Answer) -> Callable[[ChatRequest], Answerable]:
    return lambda request: error if observations(request) else wants(NORTH)


@pytest.mark.parametrize(
    ("answer", "reason", "fault", "detail"),
    [
        (Answer(), StopReason.EMPTY_REPLY, Outcome.FAILED, "answered with nothing"),
        (wants(NORTH), StopReason.SYSTEM_ERROR, Outcome.FAILED, "after 3 rounds of tool calls"),
        (Answer(error=Status(400)), StopReason.SYSTEM_ERROR, Outcome.FAILED, "ModelRejected"),
        (Answer(error=Status(503)), StopReason.NETWORK, Outcome.INFRASTRUCTURE, "ModelUnavailable"),
    ],
)
def test_how_a_dialogue_ends_where_the_model_fails(
    answer: Answer, reason: StopReason, fault: Outcome, detail: str
) -> None:
    dialogue = play(failing_after_a_call(answer), "A hotel.", tools=[find_hotel])
    assert (dialogue.stop_reason, dialogue.fault) == (reason, fault)
    assert detail in dialogue.detail
    # What was done in the turn is kept.
    (turn,) = dialogue.turns
    assert turn.tool_calls[0] == ToolCall("find_hotel", {"area": "north"}, ["north 0"])


def test_a_backend_that_breaks_is_nobodys_failure() -> None:
    class Broken(MultiwozBackend):
        def call(self, tool: str, /, **arguments: Any) -> Any:
            raise BackendError("no disk")

    backend = Broken(DATABASE)
    dialogue = play(lambda request: wants(NORTH), "A hotel.", backend=backend)
    assert (dialogue.stop_reason, dialogue.fault) == (
        StopReason.BACKEND_ERROR,
        Outcome.INFRASTRUCTURE,
    )


def test_the_package_names_it() -> None:
    assert pytest_todeval.ChatSystem is ChatSystem
    assert repr(ChatSystem("tiny")) == "<ChatSystem tiny>"


def test_without_instructions_the_policy_of_the_backend_holds() -> None:
    class Desk:
        policy = "Be brief."

    with StandInServer(lambda request: "Yes.") as server:
        bot = ChatSystem(ModelSettings("m", base_url=server.base_url))
        bot(Desk()).respond("Hello")
        bot(None).respond("Hello")
        own, default = (request.messages[0]["content"] for request in server.requests)
    assert own == "Be brief."
    assert default == Prompts().get("chat_system").messages[0][1]


GOAL_IN_WORDS = Goal("a", "desk", (), ("You want help.",))


def desk_bot(answers: list[Answer], **options: Any) -> tuple[Dialogue, tuple[ChatRequest, ...]]:
    """A dialogue at the service desk with a model that gives these answers."""
    backend = ToolBackend(ServiceDeskWorld().tool_domain(), **options)
    with StandInServer.script(answers) as server:
        bot = ChatSystem(ModelSettings("m", base_url=server.base_url))
        played = run_dialogue(GOAL_IN_WORDS, ScriptedUser(["Hello."]), bot, backend)
        return played, server.requests


def test_one_call_at_a_time_where_the_backend_wants_it() -> None:
    both = [("get_device", {"device_id": "D1"}), ("get_device", {"device_id": "D2"})]
    played, requests = desk_bot([Answer(tool_calls=both), Answer("Well.")], first_call_only=True)
    assert [call.arguments for call in played.tool_calls] == [{"device_id": "D1"}]
    assert len(requests[1].messages[-2]["tool_calls"]) == 1
    played, _ = desk_bot([Answer(tool_calls=both), Answer("Well.")])
    assert len(played.tool_calls) == 2


def test_a_tool_that_ends_the_dialogue_ends_the_turn() -> None:
    over = [("hand_over_to_person", {"summary": "I cannot do this."})]
    played, requests = desk_bot([Answer(tool_calls=over)])
    assert len(requests) == 1
    assert played.stop_reason is StopReason.SYSTEM_DONE
    assert [call.name for call in played.tool_calls] == ["hand_over_to_person"]


def test_words_beside_the_call_that_ends_it_are_said_but_where_a_message_is_a_call() -> None:
    over = Answer("You get R5.", tool_calls=[("hand_over_to_person", {"summary": "I cannot."})])
    assert desk_bot([over])[0].turns[0].system == "You get R5."
    (turn,) = desk_bot([over], first_call_only=True)[0].turns
    assert (turn.system, len(turn.tool_calls)) == ("", 1)


def test_a_tool_that_is_not_there_is_answered_as_the_backend_does() -> None:
    call = Answer(tool_calls=[("brew_tea", {})])
    played, requests = desk_bot([call, Answer("Sorry.")])
    assert requests[1].messages[-1]["content"] == "Unknown action brew_tea"
    assert [call.error for call in played.tool_calls] == ["Unknown action brew_tea"]


def test_a_tools_own_error_is_passed_on_word_for_word() -> None:
    call = [("get_device", {"device_id": "no such"})]
    played, requests = desk_bot([Answer(tool_calls=call), Answer("Sorry.")])
    told = requests[1].messages[-1]["content"]
    assert told.startswith("Error: ")
    assert not told.startswith("Error: Error")
    assert played.tool_calls[0].error == told


def test_what_the_tools_of_a_task_answer_is_told_as_it_is_however_often() -> None:
    calls = [Answer(tool_calls=[("get_device", {"device_id": "D1"})])] * 4
    _, requests = desk_bot([*calls, Answer("Well.")])
    told = observations(requests[4])
    assert len(told) == 4
    assert len(set(told)) == 1


@pytest.mark.parametrize(
    ("script", "asked"),
    [("ccccc", 3), ("rccc", 3), ("rrccc", 3), ("crcc", 3), ("rrrrr", 3)],
)
def test_the_model_is_asked_nothing_past_the_steps_of_a_dialogue(script: str, asked: int) -> None:
    answers = {"c": Answer(tool_calls=[("brew_tea", {})]), "r": Answer("Well.")}
    backend = ToolBackend(ServiceDeskWorld().tool_domain(), 3, first_call_only=True)
    with StandInServer.script([answers[each] for each in script]) as server:
        user = ScriptedUser(["Hello.", "And?", "So?", "What?"])
        played = run_dialogue(GOAL_IN_WORDS, user, ChatSystem(client_of(server)), backend)
        assert server.hits == asked
    assert (played.stop_reason, played.fault) == (StopReason.TURN_LIMIT, None)
    assert played.detail == "3 replies and calls were made before the script had ended"


def test_calls_that_functions_make_of_a_backend_use_up_its_steps_too() -> None:
    def brew(backend: Any) -> str:
        return str(backend.call("brew_tea"))

    backend = ToolBackend(ServiceDeskWorld().tool_domain(), max_steps=2)
    with StandInServer.script([wants(("brew", {}))] * 3) as server:
        system = ChatSystem(client_of(server), tools=[brew])
        played = run_dialogue(GOAL_IN_WORDS, ScriptedUser(["Hello."]), system, backend)
        assert server.hits == 2
    assert played.stop_reason is StopReason.TURN_LIMIT


def test_a_dialogue_has_as_many_steps_as_the_backend_allows() -> None:
    look = [("get_device", {"device_id": "D1"})]
    answers = [Answer(tool_calls=look), Answer(tool_calls=look), Answer("Well.")]
    backend = ToolBackend(ServiceDeskWorld().tool_domain(), max_steps=3)
    with StandInServer.script(answers) as server:
        bot = ChatSystem(ModelSettings("m", base_url=server.base_url))
        user = ScriptedUser(["Hello.", "And now?"])
        played = run_dialogue(GOAL_IN_WORDS, user, bot, backend)
    assert played.stop_reason is StopReason.TURN_LIMIT
    assert played.detail == "3 replies and calls were made before the script had ended"
