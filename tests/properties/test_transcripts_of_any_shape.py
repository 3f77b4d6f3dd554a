"""Whatever stands in a file of transcripts, it is read, or refused with the file's name."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import TodevalError
from pytest_todeval.research.offline.transcripts import (
    FORMATS,
    KnownGoals,
    Transcript,
    read_transcripts,
)
from tests.support.json_values import JSON_VALUES

KEYS = (
    "id", "goal", "turns", "user", "system", "tool_calls", "name", "arguments", "result", "state",
    "retrieved", "label", "usage", "dialog_id", "run_result", "goals", "dialog_pred",
    "initial_message", "conv_history", "role", "content", "conversation_text", "matches", "score",
    "match_count_in_conversation", "feedback", "metadata", "dialogues", "response", "db", "scores",
    "task_id", "traj", "info",
)  # fmt: skip
"""Keys that the formats know, so that what is under them is looked at."""

shapes = st.recursive(
    JSON_VALUES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("format", FORMATS)
@given(value=shapes)
def test_any_json_is_read_or_refused(format: str, value: Any) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        goals = KnownGoals(settings={"data": folder})
        refused = ""
        found: tuple[Transcript, ...] = ()
        try:
            found = read_transcripts(path, format, goals).found
        except TodevalError as error:
            refused = str(error)
        assert found or folder in refused or (format == "td-eval" and not value["dialogues"])
