"""Made-up goals as a suite uses them: in a marker, over -n, from a file of one's own."""

import json

import pytest

from tests.plugin.conftest import Suite, apart

MADE_UP = """
import pytest
from pytest_todeval import synthetic, unfulfillable, unrealistic

@pytest.mark.goals(synthetic("demo", 4, seed=1))
def test_helps(dialogue):
    assert dialogue.success

@pytest.mark.goals(unfulfillable("demo", 4, seed=1))
def test_refuses(dialogue):
    assert dialogue.refusal and dialogue.success

@pytest.mark.goals(unrealistic("demo", 4, seed=1))
@pytest.mark.todeval(unserved="allowed")
def test_books_nothing_unreal(dialogue, backend):
    assert not (dialogue.success and backend.bookings())
"""


def test_made_up_goals_are_tests_like_others(suite: Suite, processes: list[str]) -> None:
    pytester = suite(MADE_UP)
    result = apart(pytester, *processes, "--todeval-json=results.json", "-v")
    result.assert_outcomes(passed=12)
    assert result.stdout.str().count("test_helps[synthetic/demo/") >= 4
    found = json.loads((pytester.path / "results.json").read_text())
    assert {"synthetic/demo", "unfulfillable/demo", "unrealistic/demo"} <= {
        *found["environment"]["goal_sets"]
    }
    chosen = found["environment"]["selections"]["synthetic/demo"]
    assert [each["made_up"] for each in chosen] == ["synthetic('demo', 4, seed=1)"]
    kept = [e for e in found["dialogues"] if e["goal"].startswith("unfulfillable/")]
    assert all(part["refusal"] for e in kept for part in e["goal_record"]["domains"])
    assert found["summary"]["metrics"]["refusal"]["total"] == 8


def test_ids_hang_neither_on_the_hash_seed_nor_on_the_process(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester, listings = suite(MADE_UP), []
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        result = apart(pytester, "--collect-only", "-q")
        listings.append([line for line in result.outlines if "::" in line])
    assert len(listings[0]) == 12
    assert listings[0] == listings[1]


def test_filters_and_limits_choose_among_them(suite: Suite) -> None:
    result = apart(
        suite(
            """
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("demo", 20, seed=1, domains=["hotel"]), booking=True, limit=3)
def test_books(dialogue):
    assert dialogue.booking
"""
        )
    )
    result.assert_outcomes(passed=3)


OWN = """\
name: shop
database: demo
goals:
  - id: north
    domains: {restaurant: {inform: {area: north, food: thai}, request: [phone]}}
  - id: south
    domains:
      restaurant:
        inform: {area: south, pricerange: cheap}
        book: {people: 2, day: monday, time: "18:00"}
  - id: nowhere
    domains: {hotel: {inform: {area: crater of a volcano}, refusal: true}}
"""


def test_a_file_of_ones_own_is_a_source_and_may_expect_refusals(suite: Suite) -> None:
    pytester = suite(
        """
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("own.yaml", 6, seed=2))
def test_made_up(dialogue):
    assert dialogue.success

@pytest.mark.goals("own.yaml", ids=["nowhere"])
def test_own(dialogue):
    assert dialogue.refusal.applicable
"""
    )
    (pytester.path / "own.yaml").write_text(OWN)
    result = apart(pytester, "-v")
    result.stdout.fnmatch_lines(["*test_made_up?synthetic/shop/restaurant-*"])
    result.assert_outcomes(passed=6, failed=1)  # the reference bot does not know the crater
    result.stdout.fnmatch_lines(["*the user gave up*never said that it cannot be had*"])


def test_what_cannot_be_made_up_stops_the_collection(suite: Suite) -> None:
    pytester = suite(
        """
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("service_desk", 3))
def test_it(dialogue):
    pass
"""
    )
    result = apart(pytester)
    result.stdout.fnmatch_lines(["*goals of service_desk name no domains and slots*"])
    result.assert_outcomes(errors=1)
