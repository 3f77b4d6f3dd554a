"""Whatever a model answers, the papers' systems come back, in bounds, and book nothing by words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, RequestedCall
from pytest_todeval.research.systems.system import PaperSystem
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.systems import (
    AutoTODSystem,
    FunctionCallingSystem,
    ModularLLMSystem,
    ModularProgSystem,
    MonolithicSystem,
    PipelineSystem,
)
from tests.support.chat_world import DATABASE, DEMO
from tests.support.examples import examples

SYSTEMS: Sequence[type[PaperSystem]] = (
    MonolithicSystem,
    ModularProgSystem,
    ModularLLMSystem,
    AutoTODSystem,
    PipelineSystem,
    FunctionCallingSystem,
)
MOST_ANSWERS = 40
"""Two turns of at most ten steps, each a module that is asked three times, and more than that."""

names = st.sampled_from(
    [
        *("followup", "detectintent", "extractslots", "processnextsubsystem", "find_hotel"),
        *("book_hotel", "query_hotel", "find_book_hotel", "find_train", "", "x" * 300, "drop"),
    ]
)
arguments = st.sampled_from(
    [
        "{}",
        "",
        "[]",
        "{",
        "null",
        '{"message": "Hello."}',
        '{"message": ""}',
        '{"message": null}',
        '{"intent": "booking-request", "domain": "hotel"}',
        '{"intent": "detection-unknown", "domain": "donotcare"}',
        '{"area": "north", "stars": "4"}',
        '{"stars": {"operator": ">=", "value": "four"}}',
        '{"subsystem": "slot_extraction", "domain": "hotel"}',
        '{"subsystem": "response_generation", "data": {"rows": [1, [2]]}}',
        '{"sql": "SELECT * FROM hotel"}',
        '{"sql": "DROP TABLE hotel"}',
        '{"name": "nowhere", "day": "friday", "stay": 2, "people": 2}',
        '{"a": NaN}',
        '{"\\ud800": 1}',
    ]
)
texts = st.sampled_from(
    [
        "",
        "hotel",
        "Hello.",
        "{}",
        "{",
        '{"area": "north"}',
        "\x00",
        "a" * 5000,
        "⟦x⟧",
        "hotel train",
    ]
) | st.text(max_size=20)
completions = st.builds(
    Completion,
    text=texts,
    tool_calls=st.lists(
        st.builds(RequestedCall, st.sampled_from(["", "a", "b"]), names, arguments), max_size=2
    ).map(tuple),
    refusal=st.none() | st.just("No."),
    finish=st.sampled_from(["stop", "tool_calls", "length", "content_filter"]),
)


class Canned(ChatClient):
    """A client whose answers are given, over and over."""

    def __init__(self, answers: Sequence[Completion]) -> None:
        super().__init__("canned")
        self.count = 0
        self._answers: Iterator[Completion] = iter([*answers] * MOST_ANSWERS)

    def complete(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Completion:
        self.count += 1
        return next(self._answers)


@pytest.mark.parametrize("kind", SYSTEMS)
@pytest.mark.parametrize("protocol", ["strict", "lenient"])
@given(answers=st.lists(completions, min_size=1, max_size=8))
@examples(25)
def test_any_answers_end_the_dialogue_in_order(
    kind: type[PaperSystem], protocol: str, answers: list[Completion]
) -> None:
    client = Canned(answers)
    backend = MultiwozBackend(DATABASE)
    user = ScriptedUser(["A hotel in the north.", "Book it."])
    limits = Limits(protocol=protocol)
    dialogue = run_dialogue(DEMO.goals[0], user, kind(client, max_steps=4), backend, limits)
    assert client.count <= MOST_ANSWERS
    assert dialogue.fault in (None, Outcome.FAILED)
    assert dialogue.stop_reason in (
        StopReason.USER_DONE,
        StopReason.SYSTEM_ERROR,
        StopReason.EMPTY_REPLY,
        StopReason.SYSTEM_VIOLATION,
    )
    if protocol == "strict" and dialogue.violations:
        assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
    if protocol == "lenient":
        assert dialogue.stop_reason is not StopReason.SYSTEM_VIOLATION
    made = [call for call in backend.trace if call.name == "book_hotel" and call.error is None]
    assert len(dialogue.final_bookings) == len(made)
