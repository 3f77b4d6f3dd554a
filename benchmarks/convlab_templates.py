"""The reference bot in the words of ConvLab-3's manual system templates, over MultiWOZ goals.

    python benchmarks/convlab_templates.py CHECKOUT --data ../shared/data/multiwoz

CHECKOUT is a clone of ConvLab-3, or a folder that holds its `manual_system_template_nlg.json`; the
templates are read from there at run time. Decisions, bookings and values are RuleSystem's, so every
dialogue is served rightly; one that did not pass was misheard, or a template said what is not so.
The latter are told apart by playing the dialogue again without the templates that are broken,
vague or false where they stand.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.habits import misses, outcome, transcript
from benchmarks.hearing.habits_open import Worded
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import Row
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import multiwoz
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

FILE = "manual_system_template_nlg.json"
PLACES = (FILE, f"convlab/nlg/template/multiwoz/{FILE}")
COLUMNS = ("passed", "failed", "template", "simulator_fault", "judge_fault", "other")

Templates = Mapping[str, Mapping[str, Sequence[str]]]
"""Act -> slot -> sentences."""

NAMES = {
    "area": "Area", "pricerange": "Price", "food": "Food", "type": "Type", "stars": "Stars",
    "internet": "Internet", "parking": "Parking", "phone": "Phone", "address": "Addr",
    "postcode": "Post", "entrance fee": "Fee", "name": "Name", "duration": "Time",
    "price": "Ticket", "trainID": "Id", "leaveAt": "Leave", "arriveBy": "Arrive", "day": "Day",
    "time": "Time", "people": "People", "stay": "Stay", "departure": "Depart",
    "destination": "Dest", "department": "Department", "car type": "Car", "reference": "Ref",
}  # fmt: skip
"""The project's slots by ConvLab's names."""
OFFERED = {
    "restaurant": ("name", "pricerange", "area", "food"),
    "hotel": ("name", "pricerange", "stars", "type", "area", "internet", "parking"),
    "attraction": ("name", "type", "area"),
    "train": ("trainID", "leaveAt", "arriveBy"),
}
"""What is told of what is offered."""
BOOKED = {
    "Booking-Book": (
        ("Ref",), ("none", "Ref"), ("Name", "Ref"), ("Name", "People", "Day", "Ref"),
        ("People", "Day", "Stay", "Ref"), ("Name", "Day", "Time", "Ref"),
    ),
    "Train-OfferBooked": (
        ("Ref",), ("none", "Ref"), ("People", "Ref"), ("Id", "Ref"), ("Id", "Leave", "Ref"),
    ),
    "Taxi-Inform": (
        ("Car", "Phone"), ("none", "Car", "Phone"), ("Depart", "Dest", "Car", "Phone"),
        ("Depart", "Leave", "Car", "Phone"), ("none", "Arrive", "Car", "Phone"),
    ),
}  # fmt: skip
"""What is told of a booking made, in turn."""
ASKS_TO_BOOK = {
    "Booking-Inform": (("none",), ("Name",)),
    "Train-OfferBook": (("none",), ("Id",), ("Leave",)),
}

CLAIMS = re.compile(
    r"\bbooked\b|\bbooking (?:is|was)\b|\bi(?:'ve| ' ve| have)? booked\b|\ball set\b|"
    r"\breference number\b|\bi (?:will|try to)\b[^?]*$",
    re.IGNORECASE,
)
"""In a template for what is not booked: it says, or promises, that it is."""
DOUBTS = re.compile(r"\?|\bcan book\b", re.IGNORECASE)
"""In a template for what is booked: it asks, or says that it could be."""
REFUSES = re.compile(r"\bcan ?not help\b|\bwith no\b", re.IGNORECASE)
"""In a template for what was not found: it says something else."""


@dataclass
class Spoken:
    """What one bot said by templates."""

    sentences: Counter[str] = field(default_factory=Counter)
    """By act, those from templates."""
    own: Counter[str] = field(default_factory=Counter)
    """By act and slot, those without a template."""
    flaws: list[str] = field(default_factory=list)
    """Templates used that are broken, vague, or false where they stand."""


class TemplateBot(Worded):
    """RuleSystem with the words of templates."""

    def __init__(
        self, backend: MultiwozBackend, templates: Templates, seed: str, *, sound: bool
    ) -> None:
        super().__init__(backend)
        self.templates = templates
        self.seed = seed
        self.sound = sound
        """Whether to leave out the templates with a flaw."""
        self.spoken = Spoken()

    # Picking

    def pick(self, *key: str) -> random.Random:
        """A generator for one choice in this turn."""
        return random.Random("/".join((self.seed, str(self.state.turn), *key)))

    def act(self, act: str, slots: Mapping[str, str], own: str) -> str:
        """An act's sentences: one for all slots where there is one, else one for each."""
        whole = ";".join(sorted(slots))
        if len(slots) > 1 and whole in self.templates.get(act, {}):
            return self.sentence(act, whole, slots, own)
        return " ".join(self.sentence(act, slot, {slot: slots[slot]}, own) for slot in slots)

    def sentence(self, act: str, slot: str, values: Mapping[str, str], own: str) -> str:
        """One template, filled; the reference bot's own words where there is none."""
        choices = list(self.templates.get(act, {}).get(slot, ()))
        if self.sound:
            choices = [choice for choice in choices if not self.flaw(act, slot, choice)]
        if not choices:
            self.spoken.own[f"{act} {slot}"] += 1
            return own
        self.spoken.sentences[act] += 1
        template = self.pick(act, slot).choice(choices)
        flaw = self.flaw(act, slot, template)
        if flaw:
            self.spoken.flaws.append(f"turn {self.state.turn}: {act} {slot} {flaw}: {template}")
        for name, value in values.items():
            place = re.compile(rf"#{re.escape(act)}-{re.escape(name)}#", re.IGNORECASE)
            template = place.sub(value.replace("\\", r"\\"), template)
        text = template.strip()
        return text if text.endswith((".", "?", "!")) else f"{text} ."

    @staticmethod
    def flaw(act: str, slot: str, template: str) -> str:
        """What is wrong with a template where it stands; empty where it is sound."""
        places = {place.lower() for place in re.findall(r"#([^#]+)#", template)}
        wanted = {f"{act}-{s}".lower() for s in slot.split(";")}
        if places - wanted:
            return "has a place for another slot"
        if slot not in ("none", "Internet", "Parking") and not places and "Request" not in act:
            return "leaves the value out"
        kind = act.partition("-")[2]
        if act in BOOKED or slot == "Ref":
            return "doubts what is booked" if DOUBTS.search(template) else ""
        if kind in ("Inform", "Recommend") and slot in ("Food", "Type") and "?" in template:
            return "asks for what it should tell"
        if kind in ("Inform", "Recommend", "OfferBook") and CLAIMS.search(template):
            return "claims what is not booked"
        if kind == "NoOffer" and REFUSES.search(template):
            return "says something else"
        return ""

    # Speaking

    def told(self, act: str, slots: Sequence[str], row: Mapping[str, Any]) -> str:
        """The sentences that tell a row's values."""
        said = []
        for slot in slots:
            value = str(row.get(slot) or "?")
            if value == "?":
                continue
            own = wording.tell(slot, value, wording.title(row))
            if slot in ("internet", "parking") and value == "no":
                self.spoken.own[f"{act} {NAMES[slot]} no"] += 1
                said.append(own)
            else:
                said.append(self.act(act, {NAMES[slot]: value}, own))
        return " ".join(said)

    def say_offer(self, state: DomainState, row: Row) -> str:
        several = self.count > 1 and state.domain != "train"
        act = f"{state.domain.capitalize()}-{'Recommend' if several else 'Inform'}"
        return self.told(act, OFFERED[state.domain], row)

    def say_several(self, state: DomainState) -> str:
        own = super().say_several(state)
        return self.act(f"{state.domain.capitalize()}-Inform", {"Choice": str(self.count)}, own)

    def say_none(self, state: DomainState, text: str) -> str:
        act, wanted = f"{state.domain.capitalize()}-NoOffer", self.constraints_for(state)
        known = self.templates.get(act, {})
        slots = [s for s in wanted if NAMES[s] in known and s not in ("internet", "parking")]
        slot = self.pick(act).choice([*slots, "none"])
        return self.act(act, {NAMES.get(slot, slot): wanted.get(slot, "")}, text)

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        act, said = f"{domain.capitalize()}-Request", []
        for slot in slots:
            either = slot == "leaveAt" and self.pick(act, slot).random() < 0.5
            own = wording.ask(domain, slot, self.state.turn)
            said.append(self.act(act, {"Arrive" if either else NAMES[slot]: ""}, own))
        return " ".join(said)

    def say_value(self, slot: str, value: str, of: str) -> str:
        own = super().say_value(slot, value, of)
        domain = (self.state.current if self.telling is None else self.telling) or ""
        act = f"{domain.capitalize()}-Inform"
        absent = slot in ("internet", "parking") and value == "no"
        if absent or (slot == "price" and "room" in value):
            self.spoken.own[f"{act} {slot}"] += 1
            return own
        return self.act(act, {NAMES.get(slot, slot): value}, own)

    telling: str | None = None
    """The domain whose values are being told."""

    def serve(self, domain: str, heard: Understood) -> list[str]:
        self.telling = domain
        return super().serve(domain, heard)

    def say_unknown(self, slot: str, of: str) -> str:
        self.spoken.own[f"unknown {slot}"] += 1
        return super().say_unknown(slot, of)

    def tell_reference(self, state: DomainState) -> str:
        own = super().tell_reference(state)
        if not state.booked:
            return own
        act = f"{state.domain.capitalize()}-Inform"
        return self.act(act, {"Ref": str(state.booked[-1]["reference"])}, own)

    def say_shall_i(self, domain: str) -> str:
        act = "Train-OfferBook" if domain == "train" else "Booking-Inform"
        row = self.state.of(domain).row or {}
        values = {NAMES[slot]: str(value) for slot, value in row.items() if slot in NAMES}
        slots = self.pick(act).choice(ASKS_TO_BOOK[act])
        own = super().say_shall_i(domain)
        return self.act(act, {slot: values.get(slot, "") for slot in slots}, own)

    def booked_by(self, act: str, result: Mapping[str, Any], own: str) -> str:
        """That a booking was made."""
        values = {NAMES[slot]: str(value) for slot, value in result.items() if slot in NAMES}
        if act == "Taxi-Inform":
            values["Car"] = str(result["type"])
        slots = self.pick(act).choice(BOOKED[act])
        told = {slot: values.get(slot, "") for slot in slots if slot == "none" or slot in values}
        return self.act(act, told, own)

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        act = "Train-OfferBooked" if domain == "train" else "Booking-Book"
        return self.booked_by(act, result, super().say_booked(domain, result))

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return self.booked_by("Taxi-Inform", result, super().say_taxi(result))

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        own = super().say_refused(domain, reason, changing)
        tried = self.state.of(domain).tried or {}
        blamed = [s for s in ("day", "time", "stay") if s in reason.partition(";")[2]]
        slots = [slot for slot in blamed if slot in tried] or ["none"]
        slot = self.pick("NoBook").choice(slots)
        return self.act("Booking-NoBook", {NAMES.get(slot, slot): tried.get(slot, "")}, own)

    def say_more(self) -> str:
        return self.act("general-reqmore", {"none": ""}, super().say_more())

    def say_goodbye(self) -> str:
        return self.act("general-bye", {"none": ""}, super().say_goodbye())

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        rest = super().after(heard, said)
        if rest == [wording.not_understood(self.state.turn)]:
            return [self.act("general-reqinfo", {"none": ""}, rest[0])]
        return rest


@dataclass
class Played:
    """One goal, with RuleSystem's own words and with templates."""

    plain: Dialogue
    dialogue: Dialogue
    column: str
    spoken: Spoken


@cache
def load_templates(checkout: Path) -> Templates:
    """The templates of a checkout."""
    found = next((checkout / place for place in PLACES if (checkout / place).is_file()), None)
    if found is None:
        raise SystemExit(f"{checkout}: no {FILE} there, nor in {PLACES[1].rpartition('/')[0]}")
    templates: Templates = json.loads(found.read_text(encoding="utf-8"))
    return templates


def run(goal: Goal, database: MultiwozDatabase, factory: Any) -> Dialogue:
    """One dialogue with its verdicts."""
    backend = MultiwozBackend(database, goal)
    user = AgendaUser(goal, database.vocabulary())
    dialogue = run_dialogue(goal, user, lambda: factory(backend), backend=backend)
    return replace(dialogue, verdicts=evaluate(dialogue, backend))


def by_templates(
    goal: Goal, database: MultiwozDatabase, templates: Templates, seed: int, *, sound: bool
) -> tuple[Dialogue, Spoken]:
    """One dialogue in the words of templates."""
    bots: list[TemplateBot] = []

    def make(backend: MultiwozBackend) -> TemplateBot:
        bots.append(TemplateBot(backend, templates, f"{goal.id}/{seed}", sound=sound))
        return bots[-1]

    dialogue = run(goal, database, make)
    return dialogue, bots[-1].spoken if bots else Spoken()


def play(goal: Goal, database: MultiwozDatabase, templates: Templates, seed: int) -> Played:
    """One goal in both wordings; once more without flawed templates where it did not pass."""
    impossible = unsatisfiable(goal, database)
    if impossible is not None:
        fault, reason = Outcome.ORACLE_FAULT, StopReason.ORACLE_FAULT
        nothing = Dialogue(goal, stop_reason=reason, fault=fault, detail=impossible)
        return Played(nothing, nothing, "oracle_fault", Spoken())
    plain = run(goal, database, RuleSystem)
    dialogue, spoken = by_templates(goal, database, templates, seed, sound=False)
    column = outcome(dialogue)
    if column != Outcome.PASSED and spoken.flaws:
        again, _ = by_templates(goal, database, templates, seed, sound=True)
        column = "template" if outcome(again) == Outcome.PASSED else column
    return Played(plain, dialogue, column, spoken)


def play_some(checkout: Path, data: Path, split: str, seed: int, which: slice) -> list[Played]:
    """Some goals of a split: what one process plays."""
    folder = multiwoz.database(data)
    assert folder is not None, f"no databases in {data}"
    database, templates = MultiwozDatabase.load(folder), load_templates(checkout)
    goals = multiwoz.load_goals(data, split)[which]
    return [play(goal, database, templates, seed) for goal in goals]


def play_all(arguments: argparse.Namespace) -> list[Played]:
    """The goals of a split, over so many processes."""
    number = arguments.processes
    shares = [slice(n, arguments.limit, number) for n in range(number)]
    some = partial(play_some, arguments.checkout, arguments.data, arguments.split, arguments.seed)
    if number == 1:
        return some(shares[0])
    with ProcessPoolExecutor(number) as processes:
        return [one for share in processes.map(some, shares) for one in share]


def summary(played: Sequence[Played]) -> Iterator[str]:
    """The figures, line by line."""
    possible = [one for one in played if one.column != "oracle_fault"]
    yield f"{len(played)} goals, {len(played) - len(possible)} of them unsatisfiable (oracle_fault)"
    rows = {
        "own words": Counter(outcome(one.plain) for one in possible),
        "templates": Counter(one.column for one in possible),
    }
    yield f"{'':10} " + " ".join(f"{column:>15}" for column in COLUMNS)
    for name, counts in rows.items():
        yield f"{name:10} " + " ".join(f"{counts[column]:>15}" for column in COLUMNS)
        whole = max(1, counts.total())
        rates = (f"{100 * counts[column] / whole:.2f} %" for column in COLUMNS)
        yield f"{'':10} " + " ".join(f"{rate:>15}" for rate in rates)
    said: Counter[str] = sum((one.spoken.sentences for one in played), Counter())
    own: Counter[str] = sum((one.spoken.own for one in played), Counter())
    yield f"sentences from templates: {said.total()}, of {len(said)} acts; without: {own.total()}"
    yield "  without a template: " + ", ".join(f"{act} {n}" for act, n in own.most_common())
    flawed = sum(bool(one.spoken.flaws) for one in played)
    yield f"dialogues with a broken, vague or false template in them: {flawed}"


def reasons(played: Sequence[Played]) -> Iterator[str]:
    """The dialogues that did not pass, each with why."""
    for one in sorted(played, key=lambda one: (one.column, one.dialogue.goal.id)):
        if one.column in ("passed", "oracle_fault"):
            continue
        dialogue = one.dialogue
        yield f"{one.column}: {dialogue.goal.id} ({dialogue.stop_reason}) {dialogue.detail}"
        for verdict in misses(dialogue):
            yield f"    {verdict!r}"
        if one.column == "template":
            yield from (f"    {flaw}" for flaw in one.spoken.flaws)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path, metavar="DIR", help="a clone of ConvLab-3")
    parser.add_argument("--data", type=Path, required=True, help="MultiWOZ folder or zip")
    parser.add_argument("--split", default="test", choices=("train", "val", "test"))
    parser.add_argument("--limit", type=int, help="only so many goals")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="another draw of the templates")
    parser.add_argument("--show", action="store_true", help="print the dialogues that failed")
    arguments = parser.parse_args()
    load_templates(arguments.checkout)
    started = time.perf_counter()
    played = play_all(arguments)
    if arguments.show:
        for one in played:
            if one.column not in ("passed", "oracle_fault"):
                print("\n".join((one.column, *transcript(one.dialogue), *one.spoken.flaws, "")))
    print("\n".join(summary(played)))
    print("\n".join(reasons(played)))
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
