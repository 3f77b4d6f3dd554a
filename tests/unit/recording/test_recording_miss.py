"""What a person reads when a request is not in the cassette."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call, Header, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.miss import CassetteMiss, Miss, SpokenTurn, Where
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.store import write_cassette
from pytest_todeval.recording.tape import Tape
from tests.support.recorded_calls import answered, ask, reply

TEST = "test_hotel.py::test_books[multiwoz/MUL0148]"
PROMPT = " ".join(f"word{i}" if i != 216 else "parking" for i in range(1500))
TOOLS = [{"type": "function", "function": {"name": "find", "description": "Find a hotel"}}]

Message = Mapping[str, Any]


def said(*texts: str, prompt: str = PROMPT) -> list[Message]:
    """A history as the bot's model gets it: the prompt, then user and bot in turn."""
    roles = ("user", "assistant")
    return [
        {"role": "system", "content": prompt},
        *({"role": roles[i % 2], "content": text} for i, text in enumerate(texts)),
    ]


def request(messages: Sequence[Message], lane: Lane = Lane.SYSTEM, **others: Any) -> Request:
    body = json.dumps({"model": "m1", "messages": messages, "tools": TOOLS, **others})
    return Request(lane, "POST", "/v1/chat/completions", "", "application/json", body.encode())


def call(asked: Request, turn: int = 1) -> Call:
    return Call(call_key(asked), asked, Response(200, (), b"{}"), turn, "d")


def miss(
    asked: Request,
    recorded: Sequence[Call] | None,
    *,
    turn: int = 2,
    played: Sequence[int] = (),
    heard: Sequence[SpokenTurn] = (),
) -> Miss:
    where = Where(TEST, "multiwoz/MUL0148#0", asked.lane, turn, 1)
    return Miss(
        call_key(asked),
        asked,
        where,
        path=Path("cassettes/t.todeval.jsonl"),
        recorded=None if recorded is None else tuple(recorded),
        played=frozenset(played),
        heard=tuple(heard),
    )


HISTORY = ("a hotel please", "which area?", "the north", "with parking?", "yes")
RECORDED = [call(request(said(*HISTORY[: 2 * i + 1])), i + 1) for i in range(3)]


def test_one_changed_word_in_a_long_prompt() -> None:
    asked = request(said(*HISTORY[:3], prompt=PROMPT.replace("parking", "PARKING")))
    text = str(miss(asked, RECORDED, played=[0]))
    assert 'messages[0] (system) word 217: "parking" -> "PARKING"' in text
    assert "cause: the prompt was edited" in text
    assert f"test: {TEST}" in text
    assert "multiwoz/MUL0148#0 · lane system · turn 2 · call 1" in text
    assert "beside the nearest recorded call, of turn 2" in text
    assert "not reached: 2 recorded calls" in text
    assert f'pytest "{TEST}" --todeval-record=rewrite' in text
    assert "--todeval-record=system:rewrite" in text
    assert len(text) < 1500


@pytest.mark.parametrize(
    ("changed", "cause", "difference"),
    [
        ({"model": "m2"}, "the model changed", 'model: "m1" -> "m2"'),
        ({"temperature": 0}, "parameters changed (temperature)", "temperature: new 0"),
        ({"tools": None}, "the tools changed", "tools: "),
        (
            {
                "tools": [
                    {"type": "function", "function": {"name": "find", "description": "Find it"}}
                ]
            },
            "the tools changed",
            'tools[0].function.description word 2: "a hotel" -> "it"',
        ),
    ],
)
def test_causes_beside_the_messages(changed: dict[str, Any], cause: str, difference: str) -> None:
    found = miss(request(said(*HISTORY[:3]), **changed), RECORDED)
    assert found.cause == cause
    assert difference in str(found)


def test_several_causes_are_all_told() -> None:
    asked = request(said(*HISTORY[:3], prompt=PROMPT + " more"), model="m2")
    assert miss(asked, RECORDED).cause == "the prompt was edited; the model changed"


def test_the_bot_said_something_else_in_turn() -> None:
    """Known from what was heard of the bot: its words stand where the requests differ."""
    history = ("a hotel please", "which AREA do you want?", "the north", "with parking?", "yes")
    heard = [SpokenTurn(1, "which AREA do you want?"), SpokenTurn(2, "with parking?")]
    found = miss(request(said(*history)), RECORDED, turn=3, heard=heard)
    assert found.cause == "the bot said something else in turn 1"
    assert 'messages[2] (assistant) word 2: "area?" -> "AREA do you want?"' in str(found)


def test_a_judge_whose_transcript_changed_needs_all_recorded_anew() -> None:
    def judged(answer: str) -> Request:
        text = f"Judge this.\nUser: hello\nBot: {answer}\nIs it polite?"
        return request([{"role": "user", "content": text}], Lane.JUDGE)

    recorded = [call(judged("which area would you like?"))]
    heard = [SpokenTurn(1, "which part would you like?")]
    found = miss(judged("which part would you like?"), recorded, heard=heard)
    assert found.cause == "the bot said something else in turn 1"
    assert found.commands[0].endswith("--todeval-record=rewrite")


def test_an_edited_judge_is_recorded_alone() -> None:
    recorded = [call(request(said("is it good?", prompt="Judge."), Lane.JUDGE), 0)]
    found = miss(request(said("is it good?", prompt="Judge well."), Lane.JUDGE), recorded, turn=0)
    assert found.cause == "the prompt was edited"
    assert found.commands[0] == f'pytest "{TEST}" --todeval-record=judge:rewrite'
    assert "outside the turns" in str(found)


def test_a_simulated_user_that_hears_something_new() -> None:
    recorded = [call(request(said("hello", "which area?"), Lane.USER), 2)]
    found = miss(request(said("hello", "what price?"), Lane.USER), recorded, turn=2)
    assert found.cause == "the bot said something else in turn 1"


def test_an_extra_call() -> None:
    found = miss(RECORDED[1].request, RECORDED, played=[0, 1])
    assert found.cause == "an extra call: it is recorded once, and was made once more"
    found = miss(request(said(*HISTORY, "fine", "bye")), RECORDED, played=[0, 1, 2])
    assert found.cause.startswith("an extra call: all 3 recorded calls of the lane system")


def test_nothing_recorded() -> None:
    asked = request(said("hi"))
    assert miss(asked, None).cause == "nothing is recorded for this test yet"
    assert miss(asked, None).commands == (f'pytest "{TEST}" --todeval-record=missing',)
    judged = request(said("hi"), Lane.JUDGE)
    assert miss(judged, RECORDED).cause == "nothing is recorded for the lane judge"


def test_another_endpoint() -> None:
    asked = RECORDED[0].request
    other = Request(asked.lane, "POST", "/v1/responses", "", asked.content_type, asked.body)
    found = miss(other, RECORDED)
    assert "another endpoint is called" in found.cause
    assert 'path: "/v1/chat/completions" -> "/v1/responses"' in str(found)


def test_differences_that_are_only_white_space() -> None:
    found = miss(request(said("a hotel  please")), RECORDED)
    assert "character 9 (white space)" in str(found)


def test_bodies_that_are_no_json() -> None:
    def form(text: bytes) -> Request:
        return Request(Lane.SYSTEM, "POST", "/f", "", "text/plain", text)

    found = miss(form(b"one two four"), [call(form(b"one two three"))])
    assert 'body word 3: "three" -> "four"' in str(found)


@pytest.mark.parametrize("body", [b"", b"[", b"\xff\xfe", b"[1]", b"null", b"{}", b"[" * 9999])
def test_hostile_bodies_are_told_too(body: bytes) -> None:
    asked = Request(Lane.SYSTEM, "POST", "/v1/chat/completions", "", "application/json", body)
    assert "not in the cassette" in str(miss(asked, RECORDED))


def test_what_is_shown_does_not_act_on_a_terminal() -> None:
    text = str(miss(request(said("a \x1b[31mred\x9b hotel\u202e")), RECORDED))
    assert text.replace("\n", "").isprintable()


def test_a_node_id_is_quoted_for_the_shell() -> None:
    where = Where('t.py::t[a"$(rm)`]', "d", Lane.SYSTEM, 1, 1)
    asked = request(said("hi"))
    found = Miss("k", asked, where, path=Path("p"), recorded=None, played=frozenset())
    assert '"t.py::t[a\\"\\$(rm)\\`]"' in found.commands[0]


def test_the_error_says_what_the_miss_says() -> None:
    found = miss(request(said("hi")), RECORDED)
    assert str(CassetteMiss(found)) == str(found)


def test_the_nearest_of_five_thousand_is_found() -> None:
    prompt = PROMPT[:3000]
    texts = [f"I want hotel number {i * 7919 % 5000} in street {i}, please" for i in range(5000)]
    recorded = [call(request(said(text, prompt=prompt)), i % 30) for i, text in enumerate(texts)]
    changed = texts[4321].replace("please", "now")
    text = str(miss(request(said(changed, prompt=prompt)), recorded))
    assert 'messages[1] (user) word 9: "please" -> "now"' in text


@pytest.mark.parametrize(
    ("folder", "named"), [("cassettes", ""), ("kept here", ' "kept here"'), ("a/cassettes", None)]
)
def test_the_command_that_renames_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, named: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    lying, asked = tmp_path / folder, ask({"model": "m", "messages": said()})
    header = Header("old.py::t", "2025-01-01T00:00:00+00:00", 0, goal="g")
    write_cassette(lying / "old.todeval.jsonl", header, [answered(asked, reply("Hello."))])
    process = ProcessCassette(lying / "_process.todeval.jsonl", modes=modes_from("replay"))
    tape = Tape(
        lying / "new.todeval.jsonl",
        test="new.py::t",
        dialogue="d",
        modes=modes_from("replay"),
        process=process,
        goal="g",
    )
    with pytest.raises(CassetteMiss) as caught:
        tape.begin(asked, 1)
    tape.finish(keep=False)
    expected = f' "{folder}"' if named is None else named
    line = f'todeval cassettes rename "old.py::t" "new.py::t"{expected}'
    assert str(caught.value).splitlines()[6].endswith(f": {line}")
