"""tau2's databases, loaded once: views that copy on write and are hashed by what changed."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import DataMissing
from pytest_todeval.worlds.tau2 import package, shared
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.domain import Tau2Domain, domain_of
from pytest_todeval.worlds.tau2.environment import Database, Environment
from pytest_todeval.worlds.tau2.records import RecordsView, RecordTable
from pytest_todeval.worlds.tau2.shared import SharedDatabase
from tests.support.examples import examples
from tests.support.tau2_world import lending_desk, task

ENVIRONMENT = "src/tau2/domains/mock/environment.py"


class Part(BaseModel):
    price: Any = 5
    tags: list[str] = ["new"]


class Item(BaseModel):
    name: str
    bought: date = date(2024, 5, 1)
    parts: dict[str, Part] = {}


class Shop(BaseModel):
    rates: list[float] = [1.5]
    items: dict[str, Item]
    names: dict[str, str] = {"a": "first"}
    by_number: dict[int, Item] = {}


def shop() -> Shop:
    items = {id: Item(name=id, parts={"p": Part()}) for id in ("b", "a", 'quote "ü"')}
    return Shop(items=items, by_number={1: Item(name="one")})


@pytest.fixture
def stock() -> SharedDatabase:
    return SharedDatabase(cast(Database, shop()))


def view(stock: SharedDatabase) -> Shop:
    return cast(Shop, stock.view())


def their_hash(database: Any) -> str:
    text = json.dumps(database.model_dump(), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def our_hash(stock: SharedDatabase, database: Any) -> str | None:
    return stock.hexdigest(database)


def without_it(item: Item | None) -> Item:
    assert item is not None
    return item


WAYS: dict[str, Callable[[dict[str, Item]], Item]] = {
    "[]": lambda items: items["a"],
    "get": lambda items: without_it(items.get("a")),
    "setdefault": lambda items: items.setdefault("a", Item(name="other")),
    "values": lambda items: list(items.values())[1],
    "items": lambda items: dict(items.items())["a"],
    "reversed": lambda items: list(reversed(items.values()))[1],
    "pop": lambda items: items.pop("a"),
    "popitem": lambda items: items.popitem()[1],
    "copy": lambda items: items.copy()["a"],
    "dict()": lambda items: dict(items)["a"],
    "{**}": lambda items: {**items}["a"],
    "|": lambda items: (items | {})["a"],
    "|=": lambda items: updated({}, items)["a"],
}


def updated(into: dict[str, Item], items: dict[str, Item]) -> dict[str, Item]:
    into |= items
    return into


@pytest.mark.parametrize("way", WAYS)
def test_what_is_given_out_is_ones_own(stock: SharedDatabase, way: str) -> None:
    item = WAYS[way](view(stock).items)
    assert type(item) is Item
    item.parts["p"].tags.append("changed")
    item.parts["more"] = Part()
    assert stock.original.model_dump() == shop().model_dump()


def test_it_stays_the_same_one(stock: SharedDatabase) -> None:
    items = view(stock).items
    assert items["a"] is items["a"] is items.get("a") is list(items.values())[1]
    assert items["a"] is not view(stock).items["a"]


def test_all_that_is_no_table_is_copied(stock: SharedDatabase) -> None:
    mine = view(stock)
    mine.rates.append(2.5)
    mine.names["b"] = "second"
    mine.by_number[1].name = "changed"
    assert stock.original.model_dump() == shop().model_dump()
    assert our_hash(stock, mine) == their_hash(mine)


def change_a_value(mine: Shop) -> None:
    mine.items["a"].parts["p"].price = 7


def change_a_type(mine: Shop) -> None:
    mine.items["a"].parts["p"].price = 5.0


def look(mine: Shop) -> None:
    list(mine.items.values())


def add(mine: Shop) -> None:
    mine.items["aa"] = Item(name="aa")
    mine.names["Z"] = "\n"


def remove(mine: Shop) -> None:
    del mine.items["a"]


def remove_all(mine: Shop) -> None:
    mine.items.clear()


def take_out_and_put_back(mine: Shop) -> None:
    mine.items["a"] = mine.items.pop("a")


def put_in_something_else(mine: Shop) -> None:
    mine.items["a"] = cast(Item, {"name": "a"})


def change_the_rest(mine: Shop) -> None:
    mine.rates[0] = 3.0


def nothing(mine: Shop) -> None:
    pass


CHANGES = [nothing, look, change_a_value, change_a_type, add, remove, remove_all]
CHANGES += [take_out_and_put_back, put_in_something_else, change_the_rest]


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # tau2's own hash gives it too
@examples(60)
@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(CHANGES)), max_size=8))
def test_the_hash_is_theirs_after_any_changes(
    changes: list[tuple[int, Callable[[Shop], None]]],
) -> None:
    stock = SharedDatabase(cast(Database, shop()))
    ours, plain = (view(stock), view(stock)), (shop(), shop())
    for which, change in changes:
        for database in (ours[which], plain[which]):
            try:
                change(database)
            except (KeyError, AttributeError):  # of what an earlier change took away
                continue
        assert [our_hash(stock, mine) for mine in ours] == [their_hash(mine) for mine in plain]
        assert [their_hash(mine) for mine in ours] == [their_hash(mine) for mine in plain]
    assert stock.original.model_dump() == shop().model_dump()


def test_only_records_that_were_given_out_are_rendered(
    stock: SharedDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert our_hash(stock, view(stock))
    rendered: list[str] = []
    piece = shared._piece

    def counted(id: str, record: Any) -> str:
        rendered.append(id)
        return piece(id, record)

    monkeypatch.setattr(shared, "_piece", counted)
    mine = view(stock)
    mine.items["a"].name = "changed"
    assert "b" in mine.items
    assert our_hash(stock, mine) == their_hash(mine)
    assert rendered == ["a"]


def replace_a_table(mine: Shop) -> None:
    mine.items = dict(mine.items)


def use_a_number_as_id(mine: Shop) -> None:
    mine.items[cast(str, 7)] = Item(name="seven")


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("change", [replace_a_table, use_a_number_as_id])
def test_what_only_tau2_can_hash_is_left_to_it(
    stock: SharedDatabase, change: Callable[[Shop], None]
) -> None:
    mine = view(stock)
    mine.items["a"].name = "changed"
    change(mine)
    assert our_hash(stock, mine) is None
    before, now = stock.before_and_now(cast(Database, mine))
    assert before["items"]["a"]["name"] == "a"
    assert now["items"]["a"]["name"] == "changed"


def test_differences_are_looked_for_in_what_was_given_out(stock: SharedDatabase) -> None:
    mine = view(stock)
    mine.items["a"].name = "changed"
    mine.items.pop("b")
    before, now = stock.before_and_now(cast(Database, mine))
    assert (sorted(before["items"]), list(now["items"])) == (["a", "b"], ["a"])
    assert before["names"] == now["names"] == {}


def test_a_record_that_cannot_be_packed_is_copied_in_its_own_way() -> None:
    class Stubborn:
        def __reduce_ex__(self, version: object) -> Any:
            raise TypeError("not me")

        def __deepcopy__(self, memo: object) -> "Stubborn":
            return Stubborn()

    records = {"a": Stubborn()}
    mine = RecordsView(RecordTable(records))
    assert type(mine["a"]) is Stubborn
    assert mine["a"] is not records["a"]
    assert mine["a"] is mine["a"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    return lending_desk(tmp_path)


def desk(home: Path) -> Tau2Backend:
    return Tau2Backend(home, "mock", task("DB"))


def test_databases_are_read_once(home: Path) -> None:
    first = desk(home)
    (home / "data/tau2/domains/mock/db.json").unlink()
    assert desk(home).state_hash() == first.state_hash()


BOOKS = st.sampled_from(["atlas", "novel", "map"]).map(lambda book: {"book": book})
TOOLS = st.sampled_from(["lend", "look", "buy", "drop", "peek", "pack"])
LISTING = st.booleans().map(lambda mark: ("list", {"mark": mark}))
CALLS = st.lists(st.tuples(st.integers(0, 1), st.one_of(st.tuples(TOOLS, BOOKS), LISTING)))


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lending_desk(tmp_path_factory.mktemp("desk"))


@examples(60)
@given(calls=CALLS)
def test_no_dialogue_sees_what_another_does(
    shared_home: Path, calls: list[tuple[int, tuple[str, dict[str, Any]]]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "OLDEST", (3, 11))
        domain = domain_of(shared_home, "mock")
    ours = [Tau2Backend(shared_home, "mock", task("DB")) for _ in range(2)]
    alone = [loaded_anew(domain) for _ in range(2)]
    for which, (tool, arguments) in calls:
        assert answer(ours[which], tool, arguments) == answer_alone(alone[which], tool, arguments)
        assert [each.state_hash() for each in ours] == ["+".join(hashes(each)) for each in alone]
    assert desk(shared_home).state_hash() == "+".join(hashes(loaded_anew(domain)))


def loaded_anew(domain: Tau2Domain) -> Environment:
    return domain.new_environment()


def hashes(environment: Environment) -> list[str]:
    return [environment.get_db_hash() or "", environment.get_user_db_hash() or ""]


def answer(backend: Tau2Backend, tool: str, arguments: Mapping[str, Any]) -> str:
    call = backend.call_user if tool == "pack" else backend.call
    try:
        return call(tool, **arguments)
    except ToolRefused as refused:
        return str(refused)


def answer_alone(environment: Environment, tool: str, arguments: Mapping[str, Any]) -> str:
    by = "user" if tool == "pack" else "assistant"
    call = SimpleNamespace(name=tool, requestor=by, arguments=dict(arguments))
    return environment.get_response(call).content


OTHER_CHECKOUTS = {
    "takes no databases": "get_environment = lambda: Desk(loaded(), Bag(bag={'books': []}))",
    "takes one of two": (
        "def get_environment(db=None): return Desk(db or loaded(), Bag(bag={'books': []}))"
    ),
    "does not use what it takes": (
        "def get_environment(db=None, user_db=None):\n"
        "    return Desk(loaded(), Bag(bag={'books': []}))"
    ),
    "breaks where it is given databases": (
        "def get_environment(db=None, user_db=None):\n"
        "    return Desk(loaded() if db is None else 1 / 0, Bag(bag={'books': []}))"
    ),
    "writes while it is made": (
        "made = get_environment\n"
        "def get_environment(db=None, user_db=None):\n"
        "    desk = made(db, user_db)\n"
        "    desk.pack('map')\n"
        "    return desk"
    ),
    "hashes in another way": (
        "def digest(db): return hashlib.sha256(repr(db).encode()).hexdigest()"
    ),
    "has one database for both": (
        "def get_environment(db=None, user_db=None):\n"
        "    class Both(Books, Bag): pass\n"
        "    both = Both(**loaded().model_dump(), bag={'books': []})\n"
        "    return Desk(db or both, user_db or both)"
    ),
    "computes a field from a table": (
        "class Counted(Books):\n"
        "    @computed_field\n"
        "    def count(self) -> int: return len(self.books)\n"
        "def loaded(): return Counted.model_validate(json.loads(DATA.read_text()))"
    ),
}


@pytest.mark.parametrize("other", OTHER_CHECKOUTS)
def test_a_checkout_of_another_kind_is_used_as_it_is(home: Path, other: str) -> None:
    with (home / ENVIRONMENT).open("a", encoding="utf-8") as file:
        file.write(f"from pydantic import computed_field\n{OTHER_CHECKOUTS[other]}\n")
    domain = domain_of(home, "mock")
    first, alone = desk(home), loaded_anew(domain)
    assert first.state_hash() == "+".join(hashes(alone))
    assert first.call("lend", book="atlas") == "lent"
    answer_alone(alone, "lend", {"book": "atlas"})
    assert first.state_hash() == "+".join(hashes(alone))
    assert desk(home).call("lend", book="atlas") == "lent"
    gold = domain.gold(task("DB"))
    assert gold.changes["agent", "books", "atlas", "out"] == "true"


def test_a_checkout_that_breaks_later_is_told(home: Path) -> None:
    with (home / ENVIRONMENT).open("a", encoding="utf-8") as file:
        file.write("Desk.policy = property(lambda self: (DATA.parent / 'policy').read_text())\n")
        file.write("Desk.__init__ = lambda self, *dbs, made=Desk.__init__: made(self, *dbs) or ")
        file.write("self.policy and None\n")
    policy = home / "data/tau2/domains/mock/policy"
    policy.write_text("Lend what is in.", encoding="utf-8")
    desk(home)
    policy.unlink()
    with pytest.raises(DataMissing, match=r"domain mock cannot be loaded from .*FileNotFoundError"):
        desk(home)
