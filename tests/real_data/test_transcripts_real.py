"""The papers' released files as they are: everything in them is read, in the format they show."""

from pathlib import Path

import pytest

from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.research.offline.transcripts import KnownGoals, Transcripts, read_transcripts

FILES = {
    # format, dialogues, turns, calls, dialogues without a turn
    "autotod/gpt_dialogues_0613.jsonl": ("autotod", 100, 862, 0, 0),
    "judge_replies/multiwoz_autotod_judged_by_gpt4o.json": ("td-eval", 100, 475, 416, 0),
    "judge_replies/tau_airline_mistral_large_judged_by_gpt4o.json": ("td-eval", 50, 148, 163, 25),
    "tau_bench/airline/trajectories_gpt-4o.json": ("tau-bench", 50, 346, 334, 0),
}


@pytest.mark.parametrize("file", FILES)
def test_files_are_read_whole(shared_data: Path, file: str) -> None:
    found = read_transcripts(shared_data / file)
    turns = [turn for each in found.found for turn in each.dialogue.turns]
    calls = sum(len(turn.tool_calls) for turn in turns)
    silent = sum(not each.dialogue.turns for each in found.found)
    assert (found.format, len(found.found), len(turns), calls, silent) == FILES[file]
    assert all(turn.user.strip() or turn.tool_calls or turn.system.strip() for turn in turns)


def test_every_reply_of_td_evals_judge_is_read(shared_data: Path) -> None:
    files = [file for file in FILES if "judged_by" in file]
    found = [each for file in files for each in read_transcripts(shared_data / file).found]
    scores = [score for each in found for series in each.scores.values() for score in series]
    assert len(scores) == 3 * (475 + 148)
    assert not [score for score in scores if score.value is None]


@pytest.fixture(scope="module")
def predicted(shared_data: Path) -> Transcripts:
    file = shared_data / "multiwoz" / "evaluation" / "predictions" / "galaxy-e2e.json"
    return read_transcripts(file, "dst", KnownGoals(settings={"data": shared_data}))


def test_states_of_a_published_system_against_the_labels_of_2_1(predicted: Transcripts) -> None:
    """100 dialogues, as in the paper's protocol; a system whose states are wrong and right."""
    assert len(predicted.found) == 1000
    values: dict[str, list[float]] = {}
    for each in predicted.found[:100]:
        assert each.labels is not None
        for name, series in labelled(each.dialogue, each.labels).scores.items():
            values.setdefault(name, []).extend(s.value for s in series if s.value is not None)
    means = {name: round(sum(found) / len(found), 2) for name, found in values.items()}
    assert means == {
        "turn_state_accuracy": 0.74,
        "joint_goal_accuracy": 0.44,
        "slot_accuracy": 0.96,
        "slot_f1": 0.88,
    }


def test_the_labels_agree_with_themselves(predicted: Transcripts) -> None:
    for each in predicted.found[:50]:
        assert each.labels is not None
        turns = tuple(
            type(turn)(turn.index, turn.user, turn.system, state=label)
            for turn, label in zip(each.dialogue.turns, each.labels, strict=True)
        )
        report = labelled(type(each.dialogue)(each.dialogue.goal, turns), each.labels, "exact")
        assert all(score.value == 1 for score in report.joint_goal_accuracy)
