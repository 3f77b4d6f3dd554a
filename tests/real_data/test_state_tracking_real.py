"""The belief states of MultiWOZ's test dialogues, against themselves and with known faults."""

import json
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.evaluate.metrics.coverage import coverage
from pytest_todeval.evaluate.metrics.state_tracking.belief import pairs_of
from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.goals.multiwoz import goal_from_record
from pytest_todeval.systems import RuleSystem

DIALOGUES = 120
State = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> list[Dialogue]:
    """Dialogues of the test set as they were, with the states as they were annotated."""
    file = shared_data / "multiwoz" / "test.json.zip"
    with zipfile.ZipFile(file) as archive:
        records = json.loads(archive.read("test.json"))
    return [_dialogue(name, records[name], file) for name in list(records)[:DIALOGUES]]


def _dialogue(name: str, record: Mapping[str, Any], file: Path) -> Dialogue:
    log = record["log"]
    turns = tuple(
        Turn(at, user["text"], system["text"], state=system["metadata"])
        for at, (user, system) in enumerate(zip(log[::2], log[1::2], strict=True), 1)
    )
    return Dialogue(goal_from_record(name, record["goal"], file=str(file), published=True), turns)


def labels(dialogue: Dialogue) -> list[Mapping[str, Any]]:
    return [turn.state or {} for turn in dialogue.turns]


@pytest.mark.parametrize("match", ["exact", "normalised"])
def test_the_annotation_agrees_with_itself(corpus: list[Dialogue], match: str) -> None:
    for dialogue in corpus:
        report = labelled(dialogue, labels(dialogue), match)
        assert all(score.value == 1 for series in report.scores.values() for score in series)


def test_annotated_slots_are_those_of_the_schema(corpus: list[Dialogue]) -> None:
    outside = {
        key
        for dialogue in corpus
        for label in labels(dialogue)
        for key in pairs_of(label)
        if key not in StateSchema.for_dialogue(dialogue).slots
    }
    assert outside == set()


def nested(pairs: Mapping[str, str]) -> State:
    state: State = {}
    for key, value in pairs.items():
        domain, _, slot = key.partition("-")
        state.setdefault(domain, {})[slot] = value
    return state


def perturbed(dialogue: Dialogue, rng: random.Random) -> tuple[list[State], list[int]]:
    """The states with some pairs dropped, swapped for another value or made up; and in how many
    slots each turn's is wrong then.
    """
    states, wrong = [], []
    for label in labels(dialogue):
        pairs = pairs_of(label)
        touched = [key for key in pairs if rng.random() < 0.2]
        for key in touched:
            if rng.random() < 0.5:
                del pairs[key]
            else:
                pairs[key] = "zzyzx"
        if rng.random() < 0.2:
            pairs["spaceship-colour"] = "mauve"
            touched.append("spaceship-colour")
        states.append(nested(pairs))
        wrong.append(len(touched))
    return states, wrong


def test_faults_put_into_the_states_are_counted_exactly(corpus: list[Dialogue]) -> None:
    rng = random.Random(7)
    faults = 0
    for dialogue in corpus:
        states, wrong = perturbed(dialogue, rng)
        turns = tuple(
            Turn(t.index, t.user, t.system, state=state)
            for t, state in zip(dialogue.turns, states, strict=True)
        )
        report = labelled(Dialogue(dialogue.goal, turns), labels(dialogue))
        found = [len({*turn.joint_missed, *turn.joint_incorrect}) for turn in report.turns]
        assert found == wrong
        joint = [score.value for score in report.joint_goal_accuracy]
        assert joint == [float(count == 0) for count in wrong]
        faults += sum(wrong)
    assert faults > 500


def rule_states(dialogue: Dialogue, database: MultiwozDatabase) -> Iterator[Turn]:
    bot = RuleSystem(MultiwozBackend(database))
    for turn in dialogue.turns:
        reply = bot.respond(turn.user)
        yield Turn(turn.index, turn.user, reply.text, state=reply.state)


def test_the_reference_bot_agrees_with_itself_and_often_with_people(
    corpus: list[Dialogue], shared_data: Path
) -> None:
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    right = turns = 0
    for dialogue in corpus[:40]:
        played = Dialogue(dialogue.goal, tuple(rule_states(dialogue, database)))
        assert labelled(played, labels(played), "exact").joint_goal_accuracy >= 1
        report = labelled(played, labels(dialogue))
        right += sum(score.value == 1 for score in report.turn_state_accuracy)
        turns += len(played.turns)
    # It answers here to what people told another bot, whose questions it did not ask.
    assert 0.3 < right / turns < 1


def test_people_raise_nearly_all_that_their_goals_say(corpus: list[Dialogue]) -> None:
    keywords = [word for dialogue in corpus for word in coverage(dialogue).keywords]
    assert len(keywords) > 1000
    assert sum(word.raised for word in keywords) / len(keywords) >= 0.95
