"""Shipped rules on what real people wrote as the bot: few findings, or the rules cry wolf."""

import json
import zipfile
from collections import Counter
from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.rules import check, load_rules

DIALOGUES = 100


class LookUp:
    """The database alone: nobody knows what was booked."""

    def __init__(self, database: MultiwozDatabase) -> None:
        self.database = database
        self.query = database.query


def test_common_rules_are_broken_in_few_human_turns(shared_data: Path) -> None:
    folder = shared_data / "multiwoz"
    goals = {goal.id: goal for goal in load_goals(folder, "val")}
    database = LookUp(MultiwozDatabase.load(folder))
    records = json.loads(zipfile.ZipFile(folder / "val.json.zip").read("val.json"))
    values: Counter[int | None] = Counter()
    broken: Counter[str] = Counter()
    for name, record in list(records.items())[:DIALOGUES]:
        texts = [turn["text"] for turn in record["log"]]
        pairs = zip(texts[::2], texts[1::2], strict=True)
        turns = (Turn(at, user, system) for at, (user, system) in enumerate(pairs, 1))
        played = Dialogue(goals[name.removesuffix(".json")], tuple(turns))
        report = check(played, load_rules("common"), database)
        values.update(result.value for result in report.results)
        broken.update(result.rule for result in report.broken)
    assert values[1] > 1000
    assert broken["no-personal-details"] == 0
    assert values[0] / (values[0] + values[1]) <= 0.01, broken
