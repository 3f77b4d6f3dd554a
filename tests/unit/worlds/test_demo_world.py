"""The demo world: complete, consistent with itself, and nobody else's."""

import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.goals import store
from pytest_todeval.goals.message import sections
from pytest_todeval.goals.multiwoz import load_goals

DEMO = store.DEMO
DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi")
VENUES = ("restaurant", "hotel", "attraction")
OTHER_TABLES = ("hospital", "police")
AREAS = {"centre", "north", "south", "east", "west"}
DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
JOURNEY = {"departure", "destination", "day", "leaveAt", "arriveBy"}
INFORM = {
    "restaurant": {"name", "food", "area", "pricerange"},
    "hotel": {"name", "area", "pricerange", "type", "stars", "internet", "parking"},
    "attraction": {"name", "area", "type"},
    "train": JOURNEY,
    "taxi": JOURNEY - {"day"},
}
BOOK = {
    "restaurant": {"people", "day", "time"},
    "hotel": {"people", "day", "stay"},
    "train": {"people"},
}
PLACE = {"phone", "address", "postcode", "area"}
REQUEST = {
    "restaurant": PLACE | {"food", "pricerange"},
    "hotel": PLACE | {"pricerange", "type", "stars", "internet", "parking"},
    "attraction": PLACE | {"type", "entrance fee"},
    "train": {"trainID", "price", "duration", "leaveAt", "arriveBy"},
    "taxi": {"car type", "phone"},
}
REQUEST_WORDS = {
    "phone": "phone number|contact number",
    "food": "type of food",
    "pricerange": "price range",
    "type": "hotel type|attraction type|type of attraction",
    "stars": "number of stars",
    "trainID": "train id",
    "duration": "travel time",
    "leaveAt": "departure time",
    "arriveBy": "arrival time",
}
SAME = {
    "day": "the same day",
    "people": "the same group of people",
    "area": "in the same area as",
    "pricerange": "the same price range as",
    "arriveBy": "by the booked time",
}
WORDING = {
    "people": "{} (?:people|person)",
    "stay": "{} nights?",
    "stars": "{} stars?",
    "leaveAt": "(?:leave after )?{}",
    "arriveBy": "arrive by {}",
}
YES_NO = {
    ("internet", "yes"): "(?:include )?free wifi",
    ("parking", "yes"): "(?:include )?free parking",
    ("parking", "no"): "does not need to have parking",
}
FLAGS = {"invalid", "pre_invalid"}

Row = Mapping[str, Any]
Parts = Mapping[str, Mapping[str, Any]]


@cache
def rows(domain: str) -> list[Row]:
    found: list[Row] = json.loads((DEMO / "db" / f"{domain}_db.json").read_text("utf-8"))
    return found


@cache
def records() -> dict[str, dict[str, Any]]:
    text = (DEMO / "data.json").read_text("utf-8")
    pairs: list[tuple[str, Any]] = json.JSONDecoder(object_pairs_hook=list).decode(text)
    assert len(pairs) == len(dict(pairs)), "an id stands twice in data.json"
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def listed(split: str) -> list[str]:
    return (DEMO / f"{split}ListFile").read_text("utf-8").split()


def goals() -> Iterable[tuple[str, str, Parts]]:
    """Id, message without mark-up, and the domains that the goal is about."""
    for name, record in records().items():
        goal = record["goal"]
        yield name, plain(goal["message"]), {d: goal[d] for d in DOMAINS if goal[d]}


def parts() -> Iterable[tuple[str, str, Mapping[str, Any]]]:
    return ((f"{name} {d}", d, part) for name, _, found in goals() for d, part in found.items())


def plain(message: Sequence[str]) -> str:
    return re.sub(r"<[^>]*>", "", "\n".join(message)).lower()


def about(name: str, domain: str) -> str:
    """The sentences of a goal's message on one domain."""
    goal = records()[name]["goal"]
    found = sections(goal["message"], [d for d in DOMAINS if goal[d]])
    return "\n".join(found[domain]).lower()


def matching(domain: str, constraints: Mapping[str, str]) -> list[Row]:
    return [r for r in rows(domain) if all(meets(r, s, v) for s, v in constraints.items())]


def meets(row: Row, slot: str, value: str) -> bool:
    if slot == "leaveAt":
        return str(row[slot]) >= value
    if slot == "arriveBy":
        return str(row[slot]) <= value
    return bool(row[slot] == value)


def changed(part: Mapping[str, Any], tried: str, final: str) -> dict[str, str]:
    return {s: v for s, v in part[tried].items() if part[final].get(s) != v}


def says(text: str, slot: str, value: str) -> bool:
    phrases = re.findall(r"<span class='emphasis'>([^<]*)</span>", text)
    pattern = YES_NO.get((slot, value)) or WORDING.get(slot, "{}").format(re.escape(value))
    return any(re.fullmatch(pattern, phrase) for phrase in phrases)


def values_elsewhere(found: Parts, domain: str, slot: str) -> set[str]:
    """What "the same" may refer to: the slot in other domains, or of a venue named there."""
    asked = "time" if slot == "arriveBy" else slot
    others = [(d, part) for d, part in found.items() if d != domain]
    told = {p.get(k, {}).get(asked) for _, p in others for k in ("info", "book")}
    named = {r.get(asked) for d, p in others if "name" in p["info"] for r in matching(d, p["info"])}
    return {value for value in told | named if value}


def as_minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def test_there_is_enough_of_everything() -> None:
    counts = {domain: len(rows(domain)) for domain in (*VENUES, "train")}
    assert counts["restaurant"] >= 55
    assert counts["hotel"] >= 30
    assert counts["attraction"] >= 35
    assert counts["train"] >= 400
    assert len(listed("test")) >= 60
    assert len(listed("val")) >= 10
    assert sum(f.stat().st_size for f in DEMO.rglob("*") if f.is_file()) < 600_000


def test_the_goals_cover_what_goals_can_be_about() -> None:
    found = [p for name, _, p in goals() if name in listed("test")]
    sizes = Counter(len(p) for p in found)
    assert sizes[1] >= 30
    assert sizes[2] >= 15
    assert sizes[3] >= 10
    alone = {domain for p in found if len(p) == 1 for domain in p}
    assert alone == set(DOMAINS)
    assert sum(bool(part["fail_info"]) for p in found for part in p.values()) >= 10
    assert sum(bool(part.get("fail_book")) for p in found for part in p.values()) >= 8
    for domain, slots in REQUEST.items():
        assert {s for p in found for s in p.get(domain, {}).get("reqt", ())} == slots
    assert {s for p in found if "train" in p for s in p["train"]["info"]} == JOURNEY


def test_readme_states_the_right_figures() -> None:
    readme = " ".join((DEMO / "README.md").read_text("utf-8").split())
    found = [p for _, _, p in goals()]
    sizes = Counter(len(p) for p in found)
    failing = sum(bool(part["fail_info"]) for p in found for part in p.values())
    refused = sum(bool(part.get("fail_book")) for p in found for part in p.values())
    first, second = listed("test"), listed("val")
    for words in (
        f"{len(rows('restaurant'))} restaurants, {len(rows('hotel'))} hotels",
        f"{len(rows('attraction'))} attractions, {len(rows('train'))} trains",
        f"{len(found)} goals, {len(first)} in `testListFile` and {len(second)} in `valListFile`",
        f"{sizes[1]} over one domain, {sizes[2]} over two, {sizes[3]} over three",
        f"{failing} start with constraints that nothing meets, {refused} with a booking",
    ):
        assert words in readme


def test_every_goal_is_listed_in_exactly_one_split() -> None:
    assert sorted(listed("test") + listed("val")) == sorted(records())


def test_names_ids_and_telephone_numbers_are_unique() -> None:
    venues = [row for domain in VENUES for row in rows(domain)]
    everywhere = venues + [row for domain in OTHER_TABLES for row in rows(domain)]
    for values in (
        [row["name"] for row in venues],
        [row["phone"] for row in everywhere],
        [row["trainID"] for row in rows("train")],
        *([row["id"] for row in rows(domain)] for domain in VENUES),
    ):
        assert [v for v, times in Counter(values).items() if times > 1] == []
    assert all(re.fullmatch(r"01632960\d{3}", row["phone"]) for row in everywhere)


def test_values_are_of_the_known_vocabulary() -> None:
    for domain in VENUES:
        assert {row["area"] for row in rows(domain)} == AREAS
    for domain in ("restaurant", "hotel"):
        assert {r["pricerange"] for r in rows(domain)} == {"cheap", "moderate", "expensive"}
    assert {row["type"] for row in rows("hotel")} == {"hotel", "guesthouse"}
    assert {row["stars"] for row in rows("hotel")} <= set("012345")
    assert {row[slot] for row in rows("hotel") for slot in ("internet", "parking")} == {"yes", "no"}
    assert all(row["name"] == row["name"].lower().strip() for d in VENUES for row in rows(d))


def test_trains_run_both_ways_every_day_and_take_the_time_they_say() -> None:
    towns = {row["departure"] for row in rows("train")} - {"marlwick"}
    lines = {(t, "marlwick") for t in towns} | {("marlwick", t) for t in towns}
    assert len(towns) == 8
    served = {(row["departure"], row["destination"], row["day"]) for row in rows("train")}
    assert served == {(*line, day) for line in lines for day in DAYS}
    for row in rows("train"):
        took = as_minutes(row["arriveBy"]) - as_minutes(row["leaveAt"])
        assert row["duration"] == f"{took} minutes"
        assert re.fullmatch(r"\d+\.\d\d pounds", row["price"])
        assert re.fullmatch(r"TR\d{4}", row["trainID"])


def test_every_slot_is_known() -> None:
    for where, domain, part in parts():
        assert set(part) <= {"info", "fail_info", "book", "fail_book", "reqt"}, where
        assert set(part["info"]) | set(part["fail_info"]) <= INFORM[domain], where
        assert set(part.get("reqt", ())) <= REQUEST[domain], where
        assert set(part.get("fail_book", ())) <= set(part.get("book", ())), where
        if "book" in part:
            assert set(part["book"]) - FLAGS == BOOK[domain], where


def test_every_part_of_a_goal_asks_for_something() -> None:
    """Else a bot that does nothing would satisfy it."""
    assert [where for where, _, part in parts() if not (part.get("book") or part.get("reqt"))] == []


def test_final_constraints_are_met_and_first_ones_are_not() -> None:
    for where, domain, part in parts():
        if domain == "taxi":
            continue
        assert matching(domain, part["info"]), where
        if part["fail_info"]:
            assert part["fail_info"] != part["info"], where
            assert matching(domain, part["fail_info"]) == [], where


def test_what_is_asked_is_known_of_every_row_that_fits() -> None:
    for where, domain, part in parts():
        if domain != "taxi":
            fitting = matching(domain, part["info"])
            unknown = [s for s in part.get("reqt", ()) for r in fitting if r[s] in ("?", "")]
            assert unknown == [], where


def test_a_refused_booking_differs_from_the_one_to_make() -> None:
    for where, _, part in parts():
        if part.get("fail_book"):
            assert changed(part, "fail_book", "book") == part["fail_book"], where
            assert part["book"]["pre_invalid"] is True, where


def test_taxi_places_are_venues_or_follow_from_two_of_them() -> None:
    names = {row["name"] for domain in VENUES for row in rows(domain)}
    for name, _, found in goals():
        if "taxi" not in found:
            continue
        wanted = found["taxi"]["info"]
        assert len({"leaveAt", "arriveBy"} & set(wanted)) == 1, name
        places = [wanted[s] for s in ("departure", "destination") if s in wanted]
        if places:
            assert len(set(places)) == 2, name
            assert set(places) <= names, name
        else:
            assert len(set(VENUES) & set(found)) == 2, name


def test_the_message_states_every_value() -> None:
    for name, _, found in goals():
        for domain, part in found.items():
            text = about(name, domain)
            wanted = {**part["info"], **part.get("book", {})}
            for slot, value in wanted.items():
                if slot in FLAGS or says(text, slot, value):
                    continue
                same = slot in SAME and SAME[slot] in text
                referred = same and value in values_elsewhere(found, domain, slot)
                assert referred, f"{name}: {domain} {slot} {value!r} is not in the message"


def test_the_message_states_what_fails_first() -> None:
    for name, _, found in goals():
        for domain, part in found.items():
            failing = changed(part, "fail_info", "info") | part.get("fail_book", {})
            for slot, value in failing.items():
                assert says(about(name, domain), slot, value), (
                    f"{name}: {domain} fails {slot} {value!r}, unsaid"
                )


def test_the_message_states_every_request() -> None:
    for name, _, found in goals():
        for domain, part in found.items():
            text = about(name, domain)
            for slot in part.get("reqt", ()):
                assert re.search(REQUEST_WORDS.get(slot, slot), text), f"{name}: {domain} {slot}"
            assert ("reference number" in text) == ("book" in part), f"{name}: {domain}"


@pytest.mark.parametrize("split", ["test", "val"])
def test_the_loader_reads_every_goal_as_it_is_meant(split: str) -> None:
    loaded = load_goals(DEMO, split)
    assert [goal.id for goal in loaded] == listed(split)
    for goal in loaded:
        record = records()[goal.id]["goal"]
        meant = [domain for domain in record if domain in DOMAINS and record[domain]]
        assert [part.domain for part in goal.domains] == meant, goal.id
        for part in goal.domains:
            raw = record[part.domain]
            assert part.inform == raw["info"], goal.id
            assert part.fail_inform == raw["fail_info"], goal.id
            assert part.fail_book == raw.get("fail_book", {}), goal.id
            assert part.request == tuple(raw.get("reqt", ())), goal.id


def test_no_name_or_row_is_that_of_multiwoz(shared_data: Path) -> None:
    for domain in VENUES:
        text = (shared_data / "multiwoz" / "db" / f"{domain}_db.json").read_text("utf-8")
        real = json.loads(text)
        ours = rows(domain)
        assert set().union(*ours) <= set().union(*real)
        for column in ("name", "phone", "address", "postcode"):
            theirs = {row.get(column, "").lower() for row in real}
            assert {row[column].lower() for row in ours} & theirs == set()


@pytest.mark.thorough
def test_no_sentence_is_that_of_multiwoz(shared_data: Path) -> None:
    theirs: set[str] = set()
    for split in ("test", "val"):
        with zipfile.ZipFile(shared_data / "multiwoz" / f"{split}.json.zip") as archive:
            dialogues = json.loads(archive.read(f"{split}.json"))
        for dialogue in dialogues.values():
            theirs.update(plain(dialogue["goal"]["message"]).splitlines())
    ours = {line for _, text, _ in goals() for line in text.splitlines()}
    assert ours & theirs == set()
