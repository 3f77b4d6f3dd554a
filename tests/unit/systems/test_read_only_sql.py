"""SQL that a model writes: it reads the rows that it is given, and nothing else, in bounds."""

import threading
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.research.systems.sql import LONGEST_QUERY, MOST_ROWS, conditions, select
from tests.support.chat_world import DATABASE

HOTELS = DATABASE.rows("hotel")
TRAINS = DATABASE.rows("train")


def names(query: str) -> list[Any]:
    return [row.get("name") for row in select("hotel", HOTELS, query)["results"]]


@pytest.mark.parametrize(
    ("query", "constraints"),
    [
        ("SELECT * FROM hotel WHERE area = 'north'", {"area": "north"}),
        ("select * from Hotel where AREA = 'North' and pricerange='cheap'",
         {"area": "north", "pricerange": "cheap"}),
        ("SELECT * FROM hotel WHERE stars = 4", {"stars": "4"}),
        ("SELECT * FROM hotel WHERE stars = '4' AND \"parking\" LIKE 'yes'",
         {"stars": "4", "parking": "yes"}),
        ("```sql\nSELECT * FROM hotel WHERE internet = 'no';\n```", {"internet": "no"}),
        ("WITH n AS (SELECT * FROM hotel WHERE area='east') SELECT * FROM n", {"area": "east"}),
    ],
)  # fmt: skip
def test_it_finds_what_the_backend_finds(query: str, constraints: dict[str, str]) -> None:
    wanted = [row["name"] for row in DATABASE.query("hotel", constraints)]
    found = select("hotel", HOTELS, query)
    assert found["count"] == len(wanted)
    assert [row["name"] for row in found["results"]] == wanted[:MOST_ROWS]


def test_numbers_compare_as_numbers_and_times_as_times() -> None:
    rows = [{"name": str(n), "rooms": str(n), "opens": f"{n:02}:00"} for n in range(5, 15)]
    assert select("h", rows, "SELECT * FROM h WHERE rooms > 9")["count"] == 5
    assert select("h", rows, "SELECT * FROM h WHERE opens < '10:00'")["count"] == 5
    assert select("h", rows, "SELECT MAX(rooms) AS most FROM h")["results"] == [{"most": 14}]


def test_columns_for_the_databases_own_use_are_not_there() -> None:
    with pytest.raises(ToolRefused, match="no such column: takesbookings"):
        select("hotel", HOTELS, "SELECT takesbookings FROM hotel")


def test_a_name_with_a_quote_and_a_nested_value() -> None:
    rows = [{"name": 'bob\'s "inn"', "price": {"single": "20"}, "tags": ["a", "b"]}]
    (found,) = select("inn", rows, "SELECT * FROM inn WHERE name LIKE 'bob''s%'")["results"]
    assert found["name"] == 'bob\'s "inn"'
    assert found["price"] == '{"single": "20"}'


def test_columns_and_tables_of_any_name() -> None:
    rows = [{'a"b; DROP': "1", "select": "2", "": "3"}]
    assert select('x"; y', rows, 'SELECT "select" FROM "x""; y"')["results"] == [{"select": 2}]


def test_columns_that_differ_in_case_alone_and_too_many_of_them() -> None:
    assert select("t", [{"Name": "a", "name": "b"}], "SELECT name FROM t")["count"] == 1
    with pytest.raises(ToolRefused, match="too many columns"):
        select("t", [{f"c{n}": "1" for n in range(3000)}], "SELECT 1")


@pytest.mark.parametrize("rows", [[], [{}]])
def test_a_table_without_rows_or_columns(rows: list[dict[str, Any]]) -> None:
    assert select("t", rows, "SELECT COUNT(*) AS n FROM t")["results"] == [{"n": len(rows)}]


WRITES = (
    "INSERT INTO hotel (name) VALUES ('x')",
    "UPDATE hotel SET name = 'x'",
    "DELETE FROM hotel",
    "DROP TABLE hotel",
    "CREATE TABLE other (x)",
    "ALTER TABLE hotel RENAME TO other",
    "WITH x AS (SELECT 1) DELETE FROM hotel",
    "WITH x AS (SELECT 1) INSERT INTO hotel (name) SELECT 'x'",
    "SELECT * FROM hotel; DROP TABLE hotel",
    "SELECT 1; SELECT 2",
    "REINDEX",
    "VACUUM INTO '{path}'",
    "BEGIN",
    "SAVEPOINT a",
)
OUTSIDE = (
    "ATTACH DATABASE '{path}' AS other",
    "DETACH DATABASE main",
    "PRAGMA table_info(hotel)",
    "PRAGMA writable_schema = ON",
    "SELECT * FROM pragma_table_info('hotel')",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_master",
    "SELECT name FROM hotel WHERE (SELECT COUNT(*) FROM sqlite_master) > 0",
    "SELECT * FROM restaurant",
    "SELECT load_extension('{path}')",
    "SELECT readfile('{path}')",
    "SELECT writefile('{path}', 'x')",
    "SELECT fts3_tokenizer('a')",
    "SELECT * FROM json_each('[1]')",
    "SELECT sqlite_version()",
    "SELECT random()",
    "SELECT hex(randomblob(8))",
    "EXPLAIN SELECT * FROM hotel",
    "VALUES (1)",
    "",
    "   ",
    ";",
    "hello",
    "/* SELECT */ PRAGMA user_version",
    "SELECT '\0'",
    "SELECT '\ud800'",
)
LOOPS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n",
    "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "SELECT COUNT(*) FROM train a, train b, train c, train d",
    "SELECT zeroblob(1000000000)",
    "SELECT replace('aaaaaaaaaaaaaaaa', 'a', name) FROM train",
    "SELECT group_concat(a.trainID) FROM train a, train b",
    "SELECT printf('%1000000d', 1)",
    "SELECT COUNT(*) FROM train WHERE trainID LIKE '" + "%a" * 300 + "'",
    "SELECT " + "(" * 200 + "1" + ")" * 200,
    "SELECT 1" + " UNION ALL SELECT 1" * 50,
    "SELECT " + ", ".join(["1"] * 500),
    "SELECT '" + "x" * LONGEST_QUERY + "'",
    "SELECT trainID" + " || trainID" * 100 + " FROM train",
)


@pytest.mark.parametrize("query", [*WRITES, *OUTSIDE])
def test_what_is_not_allowed_is_refused_and_changes_nothing(query: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    before = [dict(row) for row in HOTELS]
    with pytest.raises(ToolRefused, match='Write one SELECT over the table "hotel" with') as told:
        select("hotel", HOTELS, query.replace("{path}", str(path)))
    assert '"name"' in str(told.value)
    assert not path.exists()
    assert [dict(row) for row in HOTELS] == before
    assert len(names("SELECT * FROM hotel")) == MOST_ROWS


@pytest.mark.parametrize("query", LOOPS)
def test_what_takes_too_long_or_makes_too_much_is_refused(query: str) -> None:
    with pytest.raises(ToolRefused):
        select("train", TRAINS, query)


def test_a_loop_is_stopped_by_a_count_of_steps() -> None:
    with pytest.raises(ToolRefused, match="the query takes too long"):
        select("train", TRAINS, "SELECT COUNT(*) FROM train a, train b, train c")


def test_no_answer_is_longer_than_a_model_should_read() -> None:
    rows = [{"name": "x" * 5000} for _ in range(20)]
    with pytest.raises(ToolRefused, match="the answer is too long"):
        select("t", rows, "SELECT * FROM t")
    assert select("t", rows, "SELECT COUNT(*) AS n FROM t")["count"] == 1


def test_bytes_and_infinities_do_not_break_it() -> None:
    found = select("t", [{"a": "1"}], "SELECT x'00ff' AS b, 9e999 AS i FROM t")["results"]
    assert found[0]["b"] == "(bytes)"
    with pytest.raises(ToolRefused):
        select("t", [{"a": "1"}], "SELECT CAST(x'ff' AS TEXT) AS b FROM t")


def test_it_runs_in_any_thread() -> None:
    found: list[Any] = []
    thread = threading.Thread(
        target=lambda: found.append(names("SELECT name FROM hotel WHERE stars = 5"))
    )
    thread.start()
    thread.join()
    assert found[0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT * FROM hotel WHERE area = 'north' AND stars >= 3", {"area": "north",
         "stars": "3"}),
        ("SELECT name FROM inn WHERE name LIKE '%bob''s%' LIMIT 5", {"name": "bob's"}),
        ('SELECT * FROM hotel WHERE "price range" = "cheap"', {"price range": "cheap"}),
        ("SELECT * FROM train WHERE `leaveAt` >= '09:00'", {"leaveAt": "09:00"}),
        ("SELECT 1", {}),
        ("'" * 5000 + "=" * 5000, {}),
    ],
)  # fmt: skip
def test_conditions_that_the_text_shows(query: str, expected: dict[str, str]) -> None:
    assert conditions(query) == expected
