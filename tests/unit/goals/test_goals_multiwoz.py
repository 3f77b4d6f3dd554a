import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile, UsageError
from pytest_todeval.goals.corpus import open_corpus
from pytest_todeval.goals.message import mentions, sections
from pytest_todeval.goals.multiwoz import (
    database,
    goal_from_record,
    goals_of_all_splits,
    load_goals,
)
from pytest_todeval.worlds.multiwoz.world import MultiwozWorld


def em(text: str) -> str:
    return f"<span class='emphasis'>{text}</span>"


def record(**parts: Any) -> dict[str, Any]:
    absent: dict[str, Any] = {name: {} for name in ("police", "hospital", "taxi")}
    return {**absent, "message": [], "topic": {"taxi": False}, **parts}


HOTEL: dict[str, Any] = {
    "info": {"area": "north", "pricerange": "cheap"},
    "fail_info": {"area": "north", "pricerange": "moderate"},
    "book": {"day": "friday", "stay": "2", "people": "3", "invalid": False, "pre_invalid": True},
    "fail_book": {"stay": "5"},
    "reqt": ["phone"],
}
TAXI: dict[str, Any] = {"info": {"leaveAt": "17:15"}, "fail_info": {}, "reqt": ["car type"]}


def test_a_goal_is_read_without_loss() -> None:
    raw = record(hotel=HOTEL)
    before = json.dumps(raw)
    goal = goal_from_record("SNG0001.json", raw)
    assert (goal.name, goal.published) == ("multiwoz/SNG0001", False)
    assert goal.raw is raw
    assert json.dumps(goal.raw) == before
    (part,) = goal.domains
    assert part.book == {"day": "friday", "stay": "2", "people": "3"}
    assert part.first_book == {"day": "friday", "stay": "5", "people": "3"}
    assert part.request == ("phone",)
    assert part.wants_booking


def test_a_taxi_is_always_booked_and_others_where_they_have_slots() -> None:
    goal = goal_from_record(
        "X", record(taxi=TAXI, hotel={"info": {"area": "west"}, "book": {"invalid": False}})
    )
    assert {part.domain: part.wants_booking for part in goal.domains} == {
        "taxi": True,
        "hotel": False,
    }


def test_fail_book_holds_only_what_changes() -> None:
    part = {**HOTEL, "fail_book": {"stay": "5", "day": "friday"}}
    assert goal_from_record("X", record(hotel=part)).domains[0].fail_book == {"stay": "5"}


@pytest.mark.parametrize(
    ("sentences", "mentioned"),
    [
        ([f"The hotel should be in the {em('moderate')} price range"], True),
        ([f"The hotel should be {em('moderately priced')}"], True),
        (["The hotel should be moderately priced"], True),
        (["The hotel should be in the " + em("cheap") + " price range"], False),
        ([f"Make sure you get {em('moderate')}"], False),
        ([f"Once you find the {em('moderate')} one"], False),
        ([f"The hotel should be {em('immoderate')}"], False),
        ([], False),
    ],
)
def test_fail_info_counts_only_where_the_message_states_it(
    sentences: list[str], mentioned: bool
) -> None:
    opening = f"You are looking for a {em('place to stay')}"
    goal = goal_from_record("X", record(hotel=HOTEL, message=[opening, *sentences]))
    assert goal.domains[0].fail_inform == (HOTEL["fail_info"] if mentioned else {})


@pytest.mark.parametrize(
    ("phrase", "info", "fail_info", "mentioned"),
    [
        ("doesn't need to have free parking", {"parking": "yes"}, {"parking": "no"}, True),
        ("include free parking", {"parking": "yes"}, {"parking": "no"}, False),
        ("include free wifi", {"internet": "no"}, {"internet": "yes"}, True),
        ("doesn't need to include internet", {"internet": "no"}, {"internet": "yes"}, False),
        ("a star of 2", {"stars": "4"}, {"stars": "2"}, True),
        ("2 stars", {"stars": "4"}, {"stars": "2"}, True),
        ("hotel", {"type": "guesthouse"}, {"type": "hotel"}, True),
        ("free parking", {"type": "museum"}, {"type": "park"}, False),
        ("warkworth house", {"name": "warkworth house"}, {"name": "worth house"}, False),
    ],
)
def test_what_counts_as_stated(
    phrase: str, info: dict[str, str], fail_info: dict[str, str], mentioned: bool
) -> None:
    part = {"info": info, "fail_info": fail_info}
    message = [f"You are looking for a {em('place to stay')}. The hotel should {em(phrase)}"]
    goal = goal_from_record("X", record(hotel=part, message=message))
    assert bool(goal.domains[0].fail_inform) is mentioned


def test_a_value_stated_of_another_domain_does_not_count() -> None:
    message = [
        f"You are looking for a {em('restaurant')} in the {em('moderate')} price range",
        f"You are also looking for a {em('place to stay')}",
    ]
    parts = record(hotel=HOTEL, restaurant={"info": {"pricerange": "moderate"}}, message=message)
    goal = goal_from_record("X", parts)
    assert [part.domain for part in goal.domains] == ["restaurant", "hotel"]
    assert not goal.domains[1].fail_inform


def test_domains_come_in_the_order_of_the_message_then_in_a_fixed_one() -> None:
    message = [
        "You are looking forward to try local restaurants",
        f"You are looking for a {em('train')}",
        f"You are also looking for {em('places to go')} in town",
    ]
    parts = {
        name: {"info": {"area": "x"}} for name in ("taxi", "restaurant", "attraction", "train")
    }
    goal = goal_from_record("X", record(**parts, message=message))
    assert [part.domain for part in goal.domains] == ["train", "attraction", "restaurant", "taxi"]


def test_a_message_in_one_piece_is_split() -> None:
    goal = goal_from_record("X", record(hotel=HOTEL, message="One.</br>Two.<br/>"))
    assert goal.message == ("One.", "Two.")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"hotel": []}, "goal.hotel: got list [], expected an object"),
        ({"hotel": {"info": "x"}}, "goal.hotel.info: got str 'x', expected an object"),
        ({"hotel": {"info": {"area": None}}}, "goal.hotel.info.area: got NoneType None"),
        ({"hotel": {"info": {"area": ["a"]}}}, "goal.hotel.info.area: got list ['a']"),
        ({"hotel": {"reqt": {"a": 1}}}, "goal.hotel.reqt: got dict {'a': 1}, expected a list"),
        (
            {"hotel": {"reqt": {"a": "x" * 51}}},
            f"goal.hotel.reqt: got dict {{'a': '{'x' * 51}'}}, ",
        ),
        (
            {"hotel": {"reqt": {"a": "x" * 52}}},
            f"goal.hotel.reqt: got dict {{'a': '{'x' * 50}..., ",
        ),
        ({"hotel": HOTEL, "message": [1]}, "goal.message: got list [1], expected a list of sent"),
        ({}, "goal: got no domain, expected at least one domain"),
    ],
)
def test_a_record_out_of_shape_says_where(parts: dict[str, Any], expected: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        goal_from_record("SNG1", record(**parts), file="test.json")
    assert str(caught.value).startswith(f"test.json: SNG1: {expected}")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "", "x[1]", "-n", "a" * 200])
def test_an_id_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidFile, match="expected letters, digits"):
        goal_from_record(name, record(hotel=HOTEL))


def dialogues(*names: str) -> str:
    log = [{"text": 'she said "goal": {"x": 1}, "log": [', "metadata": {"goal": {}}}]
    return json.dumps({name: {"goal": record(hotel=HOTEL), "log": log} for name in names}, indent=1)


def ids(folder: Path, split: str) -> list[str]:
    return [goal.id for goal in load_goals(folder, split)]


def test_one_file_per_split(tmp_path: Path) -> None:
    (tmp_path / "test.json").write_text(dialogues("B", "A"))
    with zipfile.ZipFile(tmp_path / "val.json.zip", "w") as archive:
        archive.writestr("val.json", dialogues("C.json"))
    assert ids(tmp_path, "test") == ["B", "A"]
    assert ids(tmp_path, "val") == ids(tmp_path, "dev") == ["C"]
    with pytest.raises(DataMissing, match=r"no data for split 'train' \(there is: val, test\)"):
        load_goals(tmp_path, "train")


@pytest.mark.parametrize("ending", ["", ".txt", ".json"])
@pytest.mark.parametrize("zipped", [False, True])
def test_one_file_with_lists(tmp_path: Path, ending: str, zipped: bool) -> None:
    files = {
        "data.json": dialogues("A.json", "B.json", "C.json", "D.json"),
        f"testListFile{ending}": "C.json\nA.json\n",
        f"valListFile{ending}": "B\n",
    }
    place = tmp_path / "mw.zip" if zipped else tmp_path
    if zipped:
        with zipfile.ZipFile(place, "w") as archive:
            for name, text in files.items():
                archive.writestr(f"MultiWOZ_2.1/{name}", text)
    else:
        for name, text in files.items():
            (place / name).write_text(text)
    assert ids(place, "test") == ["C", "A"]
    assert ids(place, "val") == ["B"]
    assert ids(place, "train") == ["D"]


def test_a_split_without_dialogues_is_missing(tmp_path: Path) -> None:
    (tmp_path / "test.json").write_text("{}")
    with pytest.raises(DataMissing, match=r"test\.json: no dialogue of split 'test'"):
        load_goals(tmp_path, "test")


def test_a_list_that_names_what_is_not_there_says_so(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(dialogues("A"))
    (tmp_path / "testListFile").write_text("A\nB\n")
    with pytest.raises(InvalidFile, match=r"testListFile: names dialogue 'B', which is not in"):
        load_goals(tmp_path, "test")


def test_what_was_said_is_read_in_turn(tmp_path: Path) -> None:
    whole = json.loads(dialogues("A.json", "B.json", "C.json"))
    whole["A.json"]["log"] = [{"text": " a  room ?"}, {"text": "Which ?"}, {"text": "Any ."}]
    whole["B.json"]["log"] = [{"text": "a"}, 3]
    whole["C.json"]["log"] = "odd"
    (tmp_path / "test.json").write_text(json.dumps(whole))
    (tmp_path / "val.json").write_text(dialogues("D"))
    corpus = open_corpus(tmp_path)
    assert corpus is not None
    assert corpus.texts("A") == ("a room ?", "Which ?", "Any .")
    assert (corpus.texts("B"), corpus.texts("C"), corpus.texts("E")) == ((), (), ())
    assert len(corpus.texts("D")) == 1
    goal_set = MultiwozWorld().from_folder(tmp_path, "test")
    (turn,) = goal_set.world.reference(goal_set.goals[0])
    assert (turn.index, turn.user, turn.system) == (1, "a room ?", "Which ?")
    assert goal_set.world.reference(goal_set.goals[1]) == []


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("order", [("goal", "log"), ("log", "goal")])
def test_any_layout_of_the_json_gives_the_same_goals(
    tmp_path: Path, indent: int | None, order: tuple[str, str]
) -> None:
    whole = json.loads(dialogues("A", "B"))
    text = json.dumps({k: {key: d[key] for key in order} for k, d in whole.items()}, indent=indent)
    (tmp_path / "test.json").write_text(text)
    goals = load_goals(tmp_path, "test")
    assert {goal.id: goal.raw for goal in goals} == {k: d["goal"] for k, d in whole.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (dialogues("A", "B")[:-20], r"test\.json:\d+: not JSON"),
        (dialogues("A") + "}", r"test\.json:\d+: not JSON: Extra data"),
        (dialogues("A").replace('"goal": {\n', '"goal": {,\n', 1), r"test\.json:3: not JSON"),
        ("[1]", r"test\.json: got a JSON list, expected an object of dialogues"),
        (
            '{"A": {"log": []}}',
            r"test\.json: A: got the keys log, expected an object with a `goal`",
        ),
        ('{"A": 3}', r"test\.json: A: got 3, expected an object with a `goal`"),
        ('{"A": {"goal": 3, "log": []}}', r"test\.json: A: goal: got int 3, expected an object"),
        ("[" * 100_000, r"test\.json: not JSON that can be read"),
    ],
)
def test_a_broken_file_says_where(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "test.json").write_text(text)
    with pytest.raises(InvalidFile, match=expected):
        load_goals(tmp_path, "test")


def test_a_dialogue_without_goal_among_others_is_not_skipped(tmp_path: Path) -> None:
    whole = {**json.loads(dialogues("A")), "B": {"log": []}}
    (tmp_path / "test.json").write_text(json.dumps(whole))
    with pytest.raises(InvalidFile, match=r"B: got the keys log"):
        load_goals(tmp_path, "test")


def test_a_broken_zip_says_so(tmp_path: Path) -> None:
    (tmp_path / "test.json.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InvalidFile, match=r"test\.json\.zip: broken zip"):
        load_goals(tmp_path, "test")
    (tmp_path / "mw.zip").write_bytes(b"no zip")
    with pytest.raises(InvalidFile, match=r"mw\.zip: not a readable zip"):
        load_goals(tmp_path / "mw.zip", "test")


def test_an_unknown_split_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown split 'tset': did you mean 'test'\? Known: tr"):
        load_goals(tmp_path, "tset")


def test_a_folder_without_data_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"no MultiWOZ data; expected a folder or zip with test"):
        load_goals(tmp_path, "test")


def test_a_goal_set_knows_its_databases_and_what_it_was_read_from(tmp_path: Path) -> None:
    (tmp_path / "test.json").write_text(dialogues("A"))
    first = MultiwozWorld().from_folder(tmp_path, "test")
    world = MultiwozWorld(dialogues=tmp_path)
    assert (first.name, first.world, first.world.published) == ("multiwoz", world, True)
    assert first.goals[0].published
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "hotel_db.json").write_text("[]")
    assert database(tmp_path) == tmp_path
    with zipfile.ZipFile(tmp_path / "mw.zip", "w") as archive:
        archive.writestr("mw/data.json", "{}")
    assert database(tmp_path / "mw.zip") is None
    with zipfile.ZipFile(tmp_path / "mw.zip", "a") as archive:
        archive.writestr("mw/db/hotel_db.json", "[]")
    assert database(tmp_path / "mw.zip") == tmp_path / "mw.zip"
    (tmp_path / "test.json").write_text(dialogues("AB"))
    second = MultiwozWorld().from_folder(tmp_path, "test")
    assert second.goals[0].id == "AB"
    assert second.fingerprint != first.fingerprint


def test_domains_that_the_message_does_not_raise_come_last_in_a_fixed_order() -> None:
    rest = ["restaurant", "hotel", "attraction", "taxi", "abbey", "zoo"]
    assert list(sections(("You want a train.",), [*reversed(rest), "train"])) == ["train", *rest]


@pytest.mark.parametrize(
    ("phrase", "values", "stated"),
    [
        ("include free parking", {"parking": "yes"}, True),
        ("no parking", {"parking": "no"}, True),
        ("no parking", {"parking": "Yes"}, False),
        ("no parking", {"area": "no"}, True),
        ("parking in a garage", {"parking": "garage"}, True),
        ("a place", {"parking": "garage"}, False),
        ("cheaply", {"pricerange": "cheap"}, True),
        ("cheaply", {"area": "cheap"}, False),
        ("anything", {}, False),
    ],
)
def test_a_phrase_states_its_values(phrase: str, values: dict[str, str], stated: bool) -> None:
    assert mentions((f"<span class='emphasis'>{phrase}</span>",), values) is stated


def test_all_splits_and_no_data_at_all(tmp_path: Path) -> None:
    assert list(goals_of_all_splits(tmp_path)) == []
    (tmp_path / "notes.zip").write_text("no zip")
    assert database(tmp_path / "notes.zip") is None
    for split in ("val", "test"):
        record = {"goal": {"hotel": HOTEL}, "log": []}
        (tmp_path / f"{split}.json").write_text(json.dumps({split.upper(): record}))
    (tmp_path / "train.json").write_text("{}")
    assert [goal.id for goal in goals_of_all_splits(tmp_path)] == ["VAL", "TEST"]
