"""The reference bot hears what real people told other bots (validation dialogues, turn by turn)."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.nlu.values.normalise import normalise, same_value
from pytest_todeval.systems import RuleSystem

DIALOGUES = 150
Constraint = tuple[str, str]


def annotated(metadata: dict[str, Any]) -> Iterator[tuple[Constraint, str]]:
    for domain, state in metadata.items():
        for slot, value in {**state["semi"], **state["book"]}.items():
            if slot not in ("booked", "ticket", "name") and value not in (
                "",
                "not mentioned",
                "none",
            ):
                yield (domain, slot), value


def heard_and_missed(log: list[dict[str, Any]], database: MultiwozDatabase) -> tuple[int, int]:
    bot = RuleSystem(MultiwozBackend(database))
    before: dict[Constraint, str] = {}
    heard = missed = 0
    for user, system in zip(log[::2], log[1::2], strict=False):
        bot.respond(user["text"])
        belief = {(d, s): v for d, slots in bot.state.belief().items() for s, v in slots.items()}
        now = dict(annotated(system["metadata"]))
        for key, value in now.items():
            if before.get(key) != value:
                told = belief.get(key, "")
                hit = same_value(key[1], value, told) or normalise(key[1], value) == told
                heard, missed = heard + hit, missed + (not hit)
        before = now
    return heard, missed


def test_hears_most_of_what_people_say(shared_data: Path) -> None:
    folder = shared_data / "multiwoz"
    with zipfile.ZipFile(folder / "val.json.zip") as archive:
        dialogues = json.loads(archive.read("val.json"))
    database = MultiwozDatabase.load(folder)
    counts = [heard_and_missed(d["log"], database) for d in list(dialogues.values())[:DIALOGUES]]
    heard, missed = map(sum, zip(*counts, strict=True))
    # The context here is our bot's own, not that of the bot the people talked to.
    assert heard / (heard + missed) >= 0.8
