"""Reads the Schema-Guided Dialogue corpus' `train` part from a folder, as this project's dialogues.

A service becomes a domain with a name that its developer would give it, its slots keep their names,
but the slot that tells which item is meant is called `name`. Goals come from the user's last
state and from what it asks for. The corpus is CC BY-SA 4.0; nothing of it is part of this project.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal

DOMAINS = {
    "Banks_1": "bank", "Buses_1": "bus", "Buses_2": "bus", "Calendar_1": "calendar",
    "Events_1": "event", "Events_2": "event", "Flights_1": "flight", "Flights_2": "flight",
    "Homes_1": "apartment", "Hotels_1": "hotel", "Hotels_2": "house", "Hotels_3": "hotel",
    "Media_1": "film", "Movies_1": "movie", "Music_1": "music", "Music_2": "music",
    "RentalCars_1": "rental_car", "RentalCars_2": "rental_car", "Restaurants_1": "restaurant",
    "RideSharing_1": "cab", "RideSharing_2": "cab", "Services_1": "hair_stylist",
    "Services_2": "dentist", "Services_3": "doctor", "Travel_1": "attraction",
    "Weather_1": "weather",
}  # fmt: skip
ENTITIES = (
    "restaurant_name", "hotel_name", "event_name", "movie_name", "song_name", "car_name",
    "stylist_name", "dentist_name", "doctor_name", "attraction_name", "property_name", "title",
)  # fmt: skip
"""The slot of a service that names its items; some services have none."""
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Service:
    """One service, by its schema."""

    record: Record

    @property
    def name(self) -> str:
        return str(self.record["service_name"])

    @property
    def domain(self) -> str:
        return DOMAINS.get(self.name, self.name.partition("_")[0].lower())

    @cached_property
    def slots(self) -> Mapping[str, Record]:
        return {slot["name"]: slot for slot in self.record["slots"]}

    @cached_property
    def entity(self) -> str:
        return next((slot for slot in ENTITIES if slot in self.slots), "")

    @cached_property
    def searches(self) -> list[Record]:
        return [each for each in self.record["intents"] if not each["is_transactional"]]

    @cached_property
    def deeds(self) -> list[Record]:
        return [each for each in self.record["intents"] if each["is_transactional"]]

    @cached_property
    def of_deeds(self) -> frozenset[str]:
        """The slots that only a transaction takes."""
        searched = {slot for intent in self.searches for slot in taken(intent)}
        return frozenset(s for intent in self.deeds for s in taken(intent) if s not in searched)

    def own(self, slot: str) -> str:
        """The slot as a goal calls it."""
        return "name" if slot and slot == self.entity else slot


def taken(intent: Record) -> list[str]:
    """The slots that an intent takes."""
    return [*intent["required_slots"], *intent["optional_slots"]]


def read_services(folder: Path) -> dict[str, Service]:
    """The services by name."""
    records = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    return {record["service_name"]: Service(record) for record in records}


def read_records(folder: Path, every: int = 1) -> Iterator[Record]:
    """The dialogues as they stand in the files, each `every`th."""
    count = 0
    for path in sorted(folder.glob("dialogues_*.json")):
        for record in json.loads(path.read_text(encoding="utf-8")):
            count += 1
            if count % every == 0:
                yield record


def dialogue_of(record: Record, services: Mapping[str, Service], *, visible: bool) -> Dialogue:
    """One dialogue; with its calls and their results if they are to be `visible`."""
    turns = []
    pairs = zip(record["turns"][::2], record["turns"][1::2], strict=False)
    for index, (user, system) in enumerate(pairs, 1):
        calls = _calls(system, services) if visible else ()
        turns.append(Turn(index, user["utterance"], system["utterance"], tuple(calls)))
    return Dialogue(_goal(record, services), tuple(turns))


def _calls(system: Record, services: Mapping[str, Service]) -> Iterator[ToolCall]:
    for frame in system["frames"]:
        if call := frame.get("service_call"):
            own = services[frame["service"]].own
            rows = [
                {own(slot): value for slot, value in row.items()}
                for row in frame.get("service_results", ())
            ]
            arguments = {own(slot): value for slot, value in call["parameters"].items()}
            yield ToolCall(call["method"], arguments, rows)


def _goal(record: Record, services: Mapping[str, Service]) -> Goal:
    told: dict[str, dict[str, str]] = {name: {} for name in record["services"]}
    asked: dict[str, dict[str, None]] = {name: {} for name in record["services"]}
    wants = defaultdict(bool)
    for turn in record["turns"][::2]:
        for frame in turn["frames"]:
            service = services[frame["service"]]
            state = frame["state"]
            for slot, values in state["slot_values"].items():
                if values[0] != "dontcare":
                    told[service.name][slot] = said_as(values[0])
            asked[service.name].update(dict.fromkeys(state["requested_slots"]))
            wants[service.name] |= state["active_intent"] in [d["name"] for d in service.deeds]
    parts = []
    for name, slots in told.items():
        service = services[name]
        book = {service.own(s): v for s, v in slots.items() if s in service.of_deeds}
        inform = {service.own(s): v for s, v in slots.items() if s not in service.of_deeds}
        request = tuple(service.own(slot) for slot in asked[name])
        parts.append(
            DomainGoal(
                service.domain,
                inform,
                book=book,
                request=request,
                wants_booking=wants[name],
            )
        )
    return Goal(str(record["dialogue_id"]), "sgd", tuple(parts))


def said_as(value: str) -> str:
    return {"True": "yes", "False": "no"}.get(value, value)
