"""Conversations become goals: by their calls, checked, masked, folded, the failed first."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.start.drafts.conversations import drafts_of
from pytest_todeval.start.drafts.from_dialogue import goal_shown, is_said
from pytest_todeval.worlds import registry

MOVED = ToolCall("update_appointment", {"id": "A17", "day": "wednesday"}, {})
DONE = {"status": "confirmed", "reference": "AB12"}


def dialogue(*turns: Turn) -> Dialogue:
    numbered = tuple(Turn(at, t.user, t.system, t.tool_calls) for at, t in enumerate(turns, 1))
    return Dialogue(Goal("one", "chat", ()), numbered)


def turn(user: str, *calls: ToolCall, bot: str = "Fine.") -> Turn:
    return Turn(1, user, bot, calls)


def shown(*turns: Turn) -> dict[str, Any] | None:
    entry = goal_shown(dialogue(*turns), "one")
    return None if entry is None else {key: entry[key] for key in entry if key != "id"}


def test_a_booking_has_what_the_user_said_and_not_what_the_bot_found() -> None:
    arguments = {"name": "The Acorn", "people": 4, "day": "friday", "time": "18:30"}
    found = shown(
        turn(
            "A table in the north", ToolCall("find_restaurant", {"area": "north"}, [{"name": "x"}])
        ),
        turn("for four on Friday at 6:30 pm", ToolCall("book_restaurant", arguments, DONE)),
    )
    assert found == {
        "domains": {
            "restaurant": {
                "inform": {"area": "north"},
                "book": {"people": "4", "day": "friday", "time": "18:30"},
            }
        }
    }


@pytest.mark.parametrize(
    ("user", "call", "step"),
    [
        ("cancel order W123", ToolCall("cancel_order", {"order_id": "W123"}, "ok"),
         {"cancel": {"order": {"order_id": "W123"}}}),
        ("move A17 to Wednesday", MOVED,
         {"change": {"appointment": {"id": "A17"}, "to": {"day": "wednesday"}}}),
        ("block card 4711", ToolCall("block_card", {"last4": "4711"}, True),
         {"block": {"card": {}, "with": {"last4": "4711"}}}),
        ("I want a refund for W9", ToolCall("issue_refund", {"order_id": "W9"}, "ok"),
         {"refund": {"order": {"order_id": "W9"}}}),
    ],
)  # fmt: skip
def test_a_deed_is_a_step(user: str, call: ToolCall, step: dict[str, Any]) -> None:
    assert shown(turn(user, call)) == {"steps": [step]}


@pytest.mark.parametrize(
    "call",
    [
        ToolCall("cancel_order", {"order_id": "W123"}, error="no such order"),
        ToolCall("get_order", {"order_id": "W9"}, {"status": "shipped"}),
        ToolCall("find_hotel", {"area": "south"}, []),
    ],
)
def test_what_did_nothing_shows_no_deed(call: ToolCall) -> None:
    assert shown(turn("Order W123 in the north", call)) is None


def test_a_value_is_said_in_any_form_of_its_kind() -> None:
    assert is_said("time", "18:30", "at half past six in the evening, 6:30 pm")
    assert is_said("name", "The Acorn", "the acorn, please")
    assert not is_said("people", "4", "at 14:00")


PERSON = {"first_name": "Joe", "last_name": "Bloggs", "email": "joe@shop.test", "day": "friday"}


def test_personal_data_is_replaced_everywhere_by_the_same() -> None:
    talk = dialogue(
        turn("I am Joe Bloggs, joe@shop.test, 020 7946 0958"),
        turn(
            "Friday",
            ToolCall("book_table", PERSON, DONE),
            bot="Booked, Joe. We mail joe@shop.test.",
        ),
    )
    drafts = drafts_of({"one": talk})
    text = json.dumps([*drafts.goals[0].entry.items()]) + repr(drafts.goals[0].dialogue.turns)
    for secret in ("Joe", "Bloggs", "joe@shop.test", "7946"):
        assert secret not in text
    assert drafts.goals[0].dialogue.turns[1].system.endswith("person1@example.org.")
    assert drafts.masked == 4
    kept = drafts_of({"one": talk}, keep_personal=True)
    assert "joe@shop.test" in repr(kept.goals[0].dialogue.turns)


def test_duplicates_are_folded_and_the_failed_and_rare_come_first() -> None:
    def books(day: str, words: str = "") -> Dialogue:
        return dialogue(
            turn(f"A table on {day}{words}", ToolCall("book_table", {"day": day}, DONE))
        )

    failed = dialogue(
        turn("A table on monday", ToolCall("book_table", {"day": "monday"}, error="full")),
        turn("then tuesday", ToolCall("book_table", {"day": "tuesday"}, DONE)),
    )
    rare = dialogue(turn("cancel W1", ToolCall("cancel_order", {"order_id": "W1"}, "ok")))
    other = books("sunday", " and be quick about it")
    drafts = drafts_of(
        {"a": books("friday"), "b": books("friday", ", would you?"), "c": other,
         "d": rare, "e": failed, "f": dialogue(turn("hello"))}
    )  # fmt: skip
    assert [each.entry["id"] for each in drafts.goals] == ["e", "d", "a", "c"]
    assert drafts.goals[2].like == ["b"]
    assert [*drafts.left_out] == ["f"]


def test_the_command_writes_goals_users_and_transcripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = {"function": {"name": "book_table", "arguments": '{"day": "friday"}'}}
    messages = [
        {"role": "user", "content": "A table on Friday"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "content": json.dumps(DONE)},
        {"role": "assistant", "content": "Booked, AB12."},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"id": "talk/1", "messages": messages}))
    out, test, judged = (tmp_path / name for name in ("g.yaml", "test_g.py", "t.jsonl"))
    arguments = ["--out", str(out), "--recorded", str(test), "--transcripts", str(judged)]
    assert main(["goals", "from", str(log), *arguments]) == 0
    assert "1 conversation (chat): 1 goal, 0 folded" in capsys.readouterr().err
    assert registry.load(str(out)).goals[0].domain("table") is not None
    assert '"A table on Friday"' in test.read_text()
    assert main(["judge", str(judged), "--ask", "turns"]) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.jsonl"], "there is no such file"),
        (["{log}", "--recorded", "x.py"], "needs --out"),
        (["{log}", "--limit", "0"], "expected a whole number"),
        (["{log}", "--out", "{log}"], "would replace a file that is read"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"messages": [{"role": "user", "content": "a"}]}')
    given = [each.replace("{log}", str(log)) for each in arguments]
    assert main(["goals", "from", *given]) == 2
    assert told in capsys.readouterr().err
