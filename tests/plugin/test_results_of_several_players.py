"""A run with two bots, two users and a limit: what its results file and its summary say of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import merge, read_results, strip_times

CONFTEST = """
import pytest
from pytest_todeval import ScriptedUser
from pytest_todeval.systems import RuleSystem


class Claims:
    def respond(self, text):
        return "I have booked it. The reference number is XK42QP7Z."


@pytest.fixture(params=[RuleSystem, Claims], scope="session")
def tod_system(request):
    return request.param


@pytest.fixture(params=["agenda", "script"])
def user_simulator(request, user_simulator):
    script = ["I want a hotel in the north.", "Book it."]
    return user_simulator if request.param == "agenda" else ScriptedUser(script)
"""
TEST = """
import pytest


@pytest.mark.goals("demo", domains=["hotel"], booking=True, limit=1, seed=4)
@pytest.mark.todeval(max_turns=12, unserved="allowed")
def test_books(dialogue, judge):
    judge.rules(dialogue, "hotel")
    assert dialogue.booking
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_hotel=TEST)
    return pytester


def test_the_file_names_who_played_and_on_what(suite: pytest.Pytester) -> None:
    result = suite.runpytest("--todeval-json=all.json", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=3)
    found = read_results(suite.path / "all.json")
    about: dict[str, Any] = {**found["environment"]}
    assert {name: each["class"] for name, each in about["bots"].items()} == {
        "Claims": ["conftest.Claims"],
        "RuleSystem": ["pytest_todeval.simulation.systems.rules.bot.RuleSystem"],
    }
    assert list(about["users"]) == ["AgendaUser", "ScriptedUser"]
    assert list(about["judges"]) == ["RuleJudge"]
    assert about["limits"]["max_turns"] == [12]
    assert about["selections"] == {
        "demo": [{"domains": ["hotel"], "booking": True, "limit": 1, "seed": 4}]
    }
    assert about["ear"] == ["rules"]
    assert set(about["rules"]) >= {"booking", "hotel"}  # which it includes
    assert {(e["bot"], e["user"], *e["judges"]) for e in found["dialogues"]} == {
        (bot, user, "RuleJudge")
        for bot in ("Claims", "RuleSystem")
        for user in ("AgendaUser", "ScriptedUser")
    }


@pytest.mark.thorough
def test_each_has_a_line_and_parts_merge_to_the_whole(
    suite: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.runpytest("--todeval-json=all.json", "-p", "no:cacheprovider").stdout.fnmatch_lines(
        [
            "  by bot * dialogues  passed  inform * booking *",
            "  Claims * 2       0 * 0 of 1*",
            "  RuleSystem * 2       1 * 1 of 1*",
            "  by user * dialogues  passed *",
            "  AgendaUser * 2       1 *",
            "  ScriptedUser * 2       0 *",
        ]
    )
    parts = []
    for name in ("agenda", "script"):
        suite.runpytest(f"--todeval-json={name}.json", "-k", name, "-p", "no:cacheprovider")
        parts.append(suite.path / f"{name}.json")
    out = suite.path / "merged.json"
    capsys.readouterr()
    assert main(["merge", *map(str, reversed(parts)), "--json", str(out)]) == 0
    assert "  by bot" in capsys.readouterr().out
    assert strip_times(read_results(out)) == strip_times(read_results(suite.path / "all.json"))
    assert main(["judge", str(out), "--json", str(suite.path / "judged.json")]) == 0
    assert list(read_results(suite.path / "judged.json")["summary"]["bots"]) == [
        "Claims",
        "RuleSystem",
    ]


@pytest.mark.thorough
def test_two_bots_under_one_test_are_two_dialogues(suite: pytest.Pytester) -> None:
    for name in ("one", "other"):
        bot = f"class {name.title()}(Claims):\n    pass\n\n\n"
        fixture = f"@pytest.fixture\ndef tod_system():\n    return {name.title()}\n"
        suite.makeconftest(CONFTEST + bot + fixture)
        suite.runpytest(f"--todeval-json={name}.json", "-k", "script", "-p", "no:cacheprovider")
    files = [read_results(suite.path / f"{name}.json") for name in ("one", "other")]
    assert [entry["test"] for entry in files[0]["dialogues"]] == [
        entry["test"] for entry in files[1]["dialogues"]
    ]
    assert list(merge(files)["summary"]["bots"]) == ["One", "Other"]


DESK = """
class Desk:
    def __init__(self, words="Booked.", **given):
        self.words = words
    def respond(self, text):
        return self.words
    @classmethod
    def make(cls):
        return cls()
    @classmethod
    def answer(cls, text):
        return "Booked."

def make():
    return Desk()

async def make_soon():
    return Desk()

def respond(text):
    return text

def talk(text, tone):
    return tone
"""
MADE = """
import functools
import desk
import pytest
from desk import Desk, make, make_soon, respond, talk

@pytest.fixture
def tod_system():
    def inner(text):
        return "Booked."
    return {bot}
"""
NAMES = {
    "make": "Desk",
    "make_soon": "Desk",
    "lambda: Desk()": "Desk",
    "lambda: Desk": "Desk",
    "functools.partial(Desk, words='Done.')": "Desk",
    "functools.partial(make)": "Desk",
    "Desk().respond": "Desk",
    "Desk.make": "Desk",
    "Desk.answer": "Desk",
    "desk": "desk",
    "respond": "desk.respond",
    "functools.partial(talk, tone='kind')": "desk.talk",
    "inner": "{test}.inner",
    "lambda: inner": "{test}.inner",
    "lambda text: text": "{test}.<lambda>",
    "lambda: 1 / 0": "{test}.<lambda>",
}


def test_a_bot_goes_by_a_name_that_its_author_knows(pytester: pytest.Pytester) -> None:
    tests = {f"test_{at:02}": bot for at, bot in enumerate(NAMES)}
    modules = {test: TEST + MADE.replace("{bot}", bot) for test, bot in tests.items()}
    short = {test: text.replace("max_turns=12", "max_turns=1") for test, text in modules.items()}
    pytester.makepyfile(desk=DESK, **short)
    result = pytester.runpytest_inprocess("--todeval-json=r.json", "-p", "no:cacheprovider")
    found = read_results(pytester.path / "r.json")
    assert {entry["test"][:7]: entry["bot"] for entry in found["dialogues"]} == {
        test: NAMES[bot].format(test=test) for test, bot in tests.items()
    }
    about = found["environment"]["bots"]
    assert about["Desk"]["class"] == ["desk.Desk"]
    assert about["test_12.inner"]["class"] == ["test_12.tod_system.<locals>.inner"]
    result.stdout.fnmatch_lines(["  Desk * 9 *", "  desk.talk * 1 *"])


def test_an_address_is_told_without_what_is_secret_in_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "import pytest\n@pytest.fixture\ndef tod_system():\n"
        "    return 'http://localhost:1/bot?key=abcdefgh12345'\n"
    )
    pytester.makepyfile(test_hotel=TEST)
    pytester.runpytest("--todeval-json=r.json", "-p", "no:cacheprovider")
    text = (pytester.path / "r.json").read_text()
    assert list(json.loads(text)["environment"]["bots"]) == ["http://localhost/bot"]
    assert "abcdefgh12345" not in text


NO_BACKEND = (
    "import pytest\n@pytest.fixture\ndef backend():\n    return None\n"
    "@pytest.fixture\ndef tod_system():\n"
    "    return lambda text: 'Your table is booked. The reference number is XK42QP7Z.'\n"
)
GOAL = "- id: table\n  domains: {shop: {book: {day: friday}}}\n"
CLAIMED = """
import pytest

@pytest.mark.goals("goals.yaml")
def test_books(dialogue):
    assert dialogue.booking
"""


@pytest.fixture
def claiming(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(NO_BACKEND)
    pytester.makepyfile(test_shop=CLAIMED)
    Path("goals.yaml").write_text(GOAL)
    return pytester


def test_a_green_run_says_what_is_only_claimed(claiming: pytest.Pytester) -> None:
    result = claiming.runpytest("--todeval-json=r.json", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["  claimed, not verified: booking 1 of 1 passed*--todeval-claims=fail refuses these*"]
    )
    assert read_results(claiming.path / "r.json")["summary"]["claimed"]["booking"] == 1


@pytest.mark.parametrize("ini", [True, False])
def test_who_wants_proof_refuses_what_is_claimed(claiming: pytest.Pytester, ini: bool) -> None:
    options = [] if ini else ["--todeval-claims=fail"]
    if ini:
        claiming.makeini("[pytest]\ntodeval_claims = fail\n")
    result = claiming.runpytest(*options, "--todeval-json=r.json", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*JudgeFault: booking is undecided: *--todeval-claims=fail asks*"])
    (entry,) = read_results(claiming.path / "r.json")["dialogues"]
    assert (entry["outcome"], entry["metrics"]["booking"]) == ("judge_fault", None)
    assert entry["verdicts"]["booking"]["passed"] is None
    assert "--todeval-claims" in entry["verdicts"]["booking"]["refused"]


def test_claims_are_kept_or_fail(claiming: pytest.Pytester) -> None:
    result = claiming.runpytest("--todeval-claims=refuse", "-p", "no:cacheprovider")
    result.stderr.fnmatch_lines(["*--todeval-claims: got 'refuse'; *Known: keep, fail*"])
