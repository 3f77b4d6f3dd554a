"""Turns that real models wrote as users: endings, echoes and repeats found, and nothing besides."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.simulation.llm_user.checks import Known, wrong_with
from pytest_todeval.simulation.llm_user.conversation import Conversation, shown
from pytest_todeval.simulation.llm_user.conveyed import Conveyed
from pytest_todeval.simulation.llm_user.endings import find_ending
from pytest_todeval.simulation.llm_user.reply import read_draft
from pytest_todeval.simulation.llm_user.sides import wrong_side
from pytest_todeval.simulation.llm_user.strategy import Form

Exchange = tuple[str, str]
"""What the user's model wrote, and what the bot answered."""


def found(goal: str, exchanges: Iterator[Exchange]) -> Iterator[str]:
    heard = Conversation()
    for written, answer in exchanges:
        text = read_draft(written, Form.PLAIN).text
        ending = find_ending(text)
        if ending is not None:
            yield "ends with words" if ending.words else "ends alone"
        else:
            yield wrong_with(text, Known(goal, (), heard)) or "can be said"
        if heard.repeats(text):
            yield "repeats itself"
        heard.user.append(text)
        heard.bot.append(shown(answer))


def tau_exchanges(trajectory: list[dict[str, Any]]) -> Iterator[Exchange]:
    users = [n for n, message in enumerate(trajectory) if message["role"] == "user"]
    for start, end in zip(users, [*users[1:], len(trajectory)], strict=True):
        said = [m["content"] or "" for m in trajectory[start:end] if m["role"] == "assistant"]
        yield trajectory[start]["content"], said[-1] if said else ""


def test_turns_of_tau_benchs_user(shared_data: Path) -> None:
    path = shared_data / "tau_bench" / "airline" / "trajectories_gpt-4o.json"
    counts = Counter(
        what
        for run in json.loads(path.read_text(encoding="utf-8"))
        for what in found(run["info"]["task"]["instruction"], tau_exchanges(run["traj"]))
    )
    assert counts == {"can be said": 347, "ends with words": 27, "ends alone": 11}


def test_turns_of_autotods_user(shared_data: Path) -> None:
    path = shared_data / "autotod" / "gpt_dialogues_0613.jsonl"
    counts: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        run = json.loads(line)["run_result"]
        exchanges = ((t["user"], t["agent"] or "") for t in run["dialog_pred"])
        counts.update(found(" ".join(run["goal_messages"]), exchanges))
    assert counts == {
        "can be said": 848,
        "speaks for the side of the chatbot": 13,  # each one read: all are the other side's words
        "repeats the words of the chatbot": 1,
        "repeats itself": 28,
    }


@pytest.mark.thorough
@pytest.mark.parametrize("split", ["test", "val"])
def test_people_convey_their_goals_and_speak_for_themselves(shared_data: Path, split: str) -> None:
    with zipfile.ZipFile(shared_data / "multiwoz" / f"{split}.json.zip") as archive:
        data = json.loads(archive.read(archive.namelist()[0]))
    goals = {goal.id: goal for goal in load_goals(shared_data / "multiwoz", split)}
    swapped, silent, unraised = Counter[str](), 0, 0
    for name, record in data.items():
        conveyed = Conveyed(goals[name.removesuffix(".json")], "English")
        for said in record["log"][::2]:
            conveyed.take(said["text"])
            swapped[wrong_side(said["text"], lambda words: False)] += 1
        silent += bool(conveyed.nothing)
        raised = {domain for domains in conveyed.said for domain in domains}
        unraised += sum(part.domain not in raised for part in conveyed.goal.domains)
    assert silent == 0
    assert unraised == {"test": 5, "val": 4}[split]
    # "Is there anything else I can help you with?": the workers' own slips
    assert swapped == {
        "": {"test": 7370, "val": 7362}[split],
        "speaks for the side of the chatbot": {"test": 2, "val": 3}[split],
    }


@pytest.mark.parametrize("split", ["test", "val"])
def test_every_multiwoz_goal_has_a_text(shared_data: Path, split: str) -> None:
    goals = load_goals(shared_data / "multiwoz", split)
    for goal in goals:
        text = goal_text(goal)
        assert text
        assert not set("<>") & set(text)
        assert "&" not in text.replace("& ", "")
    assert len(goals) == {"test": 1000, "val": 999}[split]
