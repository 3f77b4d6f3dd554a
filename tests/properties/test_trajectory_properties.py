"""Whatever a stored trajectory holds, it is read as steps and replayed without an exception."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.research.offline.trajectories.reading import Trajectory
from pytest_todeval.research.offline.trajectories.replaying import replay
from pytest_todeval.research.offline.trajectories.steps import Spoken, StoredCall, steps
from tests.support.examples import examples
from tests.support.library_world import Message, goal, library, set_field, task

LIBRARY = library()
GOLD = set_field("L1", "weeks", 4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
TEXTS = st.sampled_from(
    [
        "Action:",
        'Action: {"name": "set_field", "arguments": {"loan": "L1", "field": "weeks", "value": 4}}',
        'Action: {"name": "respond", "arguments": {"content": 5}}',
        'Action: {"name": "remove", "arguments": {"data": {}, "self": 1}}',
        "API output: {}",
        "###STOP###",
    ]
)
CALLS = st.lists(
    st.fixed_dictionaries(
        {
            "function": st.fixed_dictionaries(
                {"name": st.sampled_from(["set_field", "remove", "hand_over", "fly"]) | JSON},
                optional={"arguments": st.sampled_from(["{}", "{", '{"loan": "L1"}']) | JSON},
            )
        }
    )
    | JSON,
    max_size=2,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"]) | st.text(max_size=3)},
        optional={"content": TEXTS | JSON, "tool_calls": CALLS | JSON},
    ),
    max_size=8,
)


@examples(150)
@given(MESSAGES)
def test_no_message_breaks_the_replay(messages: list[Message]) -> None:
    found = list(steps(messages))
    spoken = sum(message["role"] == "assistant" for message in messages)
    assert sum(isinstance(step, StoredCall | Spoken) for step in found) == spoken
    raw: dict[str, Any] = task([GOLD])
    trajectory = Trajectory(0, 0, None, raw, tuple(messages), "", "file: [0]")
    dialogue = replay(trajectory, goal([GOLD]), LIBRARY).dialogue
    assert dialogue.reward.value in (0.0, 1.0)
    assert [turn.index for turn in dialogue.turns] == list(range(1, len(dialogue.turns) + 1))
    assert len(dialogue.tool_calls) <= spoken
