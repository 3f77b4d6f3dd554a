"""Dialogues held to a protocol: what ends them, whose fault that is, and what is counted."""

from contextlib import suppress
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import Breach, ProtocolViolated, Side, violated
from pytest_todeval.errors import BackendError, UsageError
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import StandInServer
from tests.support.chat_world import client_of, wants
from tests.support.dialogue_world import DATABASE, restaurant_goal

SAYS = ["A table, please.", "For two.", "Thanks."]


def play(bot: Any, protocol: str = "strict", backend: Any = None, user: Any = None) -> Dialogue:
    wanted = restaurant_goal()
    limits = Limits(protocol=protocol)
    return run_dialogue(wanted, user or ScriptedUser(SAYS), bot, backend, limits)


class Sloppy:
    """Breaks the protocol in its second turn, and catches what that raises if `swallows`."""

    def __init__(self, swallows: bool = False) -> None:
        self.heard, self.swallows = 0, swallows

    def respond(self, text: str) -> str:
        self.heard += 1
        if self.heard == 2:
            try:
                violated(Breach.NO_CALL, "'Sure!' is no call")
            except ProtocolViolated:
                if not self.swallows:
                    raise
        return f"Reply {self.heard}."


@pytest.mark.parametrize("swallows", [False, True])
def test_the_bots_violation_ends_a_strict_dialogue(swallows: bool) -> None:
    dialogue = play(Sloppy(swallows))
    assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
    assert dialogue.fault is Outcome.FAILED
    assert "turn 2: no_call: 'Sure!' is no call" in dialogue.detail
    assert [(v.side, v.kind, v.turn) for v in dialogue.violations] == [
        (Side.SYSTEM, Breach.NO_CALL, 2)
    ]
    assert len(dialogue.turns) == (2 if swallows else 1)
    assert dialogue.protocol == "strict"


def test_a_lenient_dialogue_goes_on_and_counts() -> None:
    dialogue = play(Sloppy(), "lenient")
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert dialogue.fault is None
    assert [v.kind for v in dialogue.violations] == [Breach.NO_CALL]
    assert dialogue.protocol == "lenient"


def test_without_a_protocol_nobody_looks() -> None:
    dialogue = play(Sloppy(), "")
    assert dialogue.violations == ()
    assert dialogue.protocol == ""
    assert "violations" not in dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)


def test_an_unknown_protocol() -> None:
    with pytest.raises(UsageError, match=r"protocol is 'strickt'; .*strict"):
        Limits(protocol="strickt")


@pytest.mark.parametrize(
    ("call", "arguments", "kind"),
    [
        ("find_restaurant", {"area": "north"}, None),
        ("find_restaurant", {"colour": "red"}, Breach.UNKNOWN_ARGUMENT),
        ("book_restaurant", {"name": "saffron garden"}, Breach.MISSING_ARGUMENT),
        ("buy_restaurant", {}, Breach.UNKNOWN_CALL),
        ("find_restaurant", {"area": ["north"]}, Breach.WRONG_VALUE),
    ],
)
@pytest.mark.parametrize("protocol", ["strict", "lenient"])
def test_any_bot_is_held_to_the_tools_that_its_backend_declares(
    call: str, arguments: dict[str, Any], kind: Breach | None, protocol: str
) -> None:
    backend = MultiwozBackend(DATABASE)

    def bot(text: str) -> str:
        try:
            backend.call(call, **arguments)
        except Exception:
            return "No."
        return "Yes."

    dialogue = play(bot, protocol, backend)
    if kind is None:
        assert dialogue.violations == ()
        assert dialogue.stop_reason is StopReason.USER_DONE
        return
    assert {v.kind for v in dialogue.violations} == {kind}
    assert call in dialogue.violations[0].message
    if protocol == "strict":
        assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
        assert len(dialogue.violations) == len(dialogue.turns) == 1
    else:
        assert dialogue.stop_reason is StopReason.USER_DONE
        assert [v.turn for v in dialogue.violations] == [1, 2, 3]


def test_a_refusal_is_no_violation() -> None:
    backend = MultiwozBackend(DATABASE)

    def bot(text: str) -> str:
        try:
            backend.call("book_restaurant", name="nowhere", day="friday", time="18:30", people=2)
        except Exception as refusal:
            return str(refusal)
        return "Booked."

    assert play(bot, "strict", backend).violations == ()


def test_what_is_not_the_bots_fault_stays_so() -> None:
    def bot(text: str) -> str:
        with suppress(ProtocolViolated):
            violated(Breach.NO_CALL, "words")
        raise BackendError("the database is away")

    dialogue = play(bot)
    assert dialogue.stop_reason is StopReason.BACKEND_ERROR
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert len(dialogue.violations) == 1


def llm_user(*says: str, protocol: str = "strict") -> Dialogue:
    with StandInServer.script(list(says)) as server:
        user = LLMUser(restaurant_goal(), client_of(server), "clem_todd")
        return play(lambda text, history: "Which one?", protocol, user=user)


def test_done_with_words_beside_it_is_the_users_violation() -> None:
    """A.7.1, rule 6: no additional text follows or precedes it."""
    dialogue = llm_user("An Italian restaurant in the centre.", "Thank you so much! DONE")
    assert dialogue.stop_reason is StopReason.USER_VIOLATION
    assert dialogue.fault is Outcome.SIMULATOR_FAULT
    assert "Thank you so much! DONE" in dialogue.detail
    (found,) = dialogue.violations
    assert (found.side, found.kind, found.turn) == (Side.USER, Breach.ENDING_NOT_ALONE, 2)


def test_leniently_it_ends_as_it_always_did() -> None:
    says = ("An Italian restaurant in the centre.", "Thank you so much! DONE")
    dialogue = llm_user(*says, protocol="lenient")
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert [v.kind for v in dialogue.violations] == [Breach.ENDING_NOT_ALONE]
    assert llm_user(*says, protocol="").violations == ()


def test_done_alone_keeps_to_the_protocol() -> None:
    dialogue = llm_user("An Italian restaurant in the centre.", "DONE")
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert dialogue.violations == ()


def test_a_draft_that_no_user_can_have_said_is_a_violation() -> None:
    dialogue = llm_user("")
    assert dialogue.stop_reason is StopReason.USER_VIOLATION
    assert [v.kind for v in dialogue.violations] == [Breach.UNSAYABLE]
    again = llm_user("", "An Italian restaurant in the centre.", "DONE", protocol="lenient")
    assert again.stop_reason is StopReason.USER_DONE
    assert [v.kind for v in again.violations] == [Breach.UNSAYABLE]


def test_violations_are_stored_and_come_back() -> None:
    dialogue = play(Sloppy(), "lenient")
    entry: Any = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)
    assert entry["protocol"] == "lenient"
    assert entry["violations"] == [
        {"side": "system", "kind": "no_call", "message": "'Sure!' is no call", "turn": 2}
    ]
    assert dialogue_of(entry).violations == dialogue.violations


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (("drop_tables", {}), Breach.UNKNOWN_CALL),
        (("find_restaurant", {"colour": "red"}), Breach.UNKNOWN_ARGUMENT),
        (("find_restaurant", "{"), Breach.UNREADABLE_CALL),
    ],
)
def test_a_chat_system_is_held_to_its_tools(call: tuple[str, Any], kind: Breach) -> None:
    def played(protocol: str, *script: Any) -> Dialogue:
        with StandInServer.script([wants(call), *script]) as server:
            system = ChatSystem(client_of(server))
            return play(system, protocol, MultiwozBackend(DATABASE))

    strict = played("strict")
    assert strict.stop_reason is StopReason.SYSTEM_VIOLATION
    assert [each.kind for each in strict.violations] == [kind]
    lenient = played("lenient", *SAYS)
    assert lenient.stop_reason is StopReason.USER_DONE
    assert [each.kind for each in lenient.violations] == [kind]
