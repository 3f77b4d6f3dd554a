"""Mistakes that people make in their first hours: each is refused, and what to do stands there.

A row is a mistake: what is written otherwise than in a suite that passes, and a part of what is
said. Nothing may pass in silence, and no traceback of ours may be shown.
"""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.plugin.conftest import RULE_SYSTEM, Suite, run

pytestmark = pytest.mark.thorough

GOALS = """\
goals:
- id: sauna
  domains:
    spa:
      inform: {treatment: sauna}
      book: {day: monday}
"""
MARK = '@pytest.mark.goals("demo", ids=["DEMO001"])'
PASSES = "assert dialogue.success"
BOT = "import pytest\n\n@pytest.fixture\ndef tod_system({asks}):\n    {body}\n"
SPA = """
import pytest

class Desk:
    def bookings(self):
        return [{booked}]

@pytest.fixture
def backend():
    return Desk()

@pytest.fixture
def tod_system():
    return lambda text: "I have booked a sauna on Monday for you. The reference is AB12CD."
"""


class Mistake(NamedTuple):
    """One mistake."""

    said: str
    """A part of what stands in the output."""
    mark: str = MARK
    body: str = PASSES
    arguments: str = "dialogue"
    conftest: str = RULE_SYSTEM
    files: Mapping[str, str | bytes] = {}
    options: tuple[str, ...] = ()
    head: str = ""


def goal_file(old: str, new: str, said: str) -> Mistake:
    assert old in GOALS
    return of_file(GOALS.replace(old, new), said)


def of_file(text: str | bytes, said: str) -> Mistake:
    return Mistake(said, mark='@pytest.mark.goals("own.yaml")', files={"own.yaml": text})


def asserted(body: str, said: str) -> Mistake:
    return Mistake(said, body=body, arguments="dialogue, judge")


def rules(text: str, said: str) -> Mistake:
    return asserted('assert judge.rules(dialogue, "r.yaml")', said)._replace(files={"r.yaml": text})


def bot(body: str, said: str, asks: str = "") -> Mistake:
    return Mistake(said, conftest=BOT.format(asks=asks, body=body))


def option(given: str, said: str) -> Mistake:
    return Mistake(said, options=tuple(given.split(" ")))


def marked(mark: str, said: str) -> Mistake:
    return Mistake(said, mark=f"@pytest.mark.{mark}")


MISTAKES: Mapping[str, Mistake] = {
    # markers
    "marker misspelt": marked("gaols('demo')", "did you mean `goals`?"),
    "keyword misspelt": marked("goals('demo', domain=['hotel'])", "did you mean 'domains'?"),
    "goal set misspelt": marked("goals('dmo')", "did you mean"),
    "goal file missing": marked("goals('nowhere.yaml')", "nowhere.yaml"),
    "domain misspelt": marked("goals('demo', domains=['hotl'])", "did you mean 'hotel'?"),
    "domains as text": marked("goals('demo', domains='hotel')", "domains"),
    "id misspelt": marked("goals('demo', ids=['DEM001'])", "DEM001"),
    "limit of text": marked("goals('demo', limit='2')", "limit"),
    "limit of 0": marked("goals('demo', limit=0)", "limit"),
    "label that no goal has": marked("goals('demo', labels=['smoke'])", "smoke"),
    "seed without limit": marked("goals('demo', seed=1, domains=['hotl'])", "hotl"),
    "trials of 0": Mistake("trials: got 0", mark=f"@pytest.mark.trials(0)\n{MARK}"),
    "max_turns of text": Mistake("max_turns", mark=f"@pytest.mark.todeval(max_turns='x')\n{MARK}"),
    "keyword of todeval": Mistake("max_turns", mark=f"@pytest.mark.todeval(max_turn=3)\n{MARK}"),
    "user misspelt": Mistake("agenda", mark=f"@pytest.mark.todeval(user='agnda')\n{MARK}"),
    "style misspelt": Mistake("chatty", mark=f"@pytest.mark.todeval(user_style='chaty')\n{MARK}"),
    "protocol misspelt": Mistake("strict", mark=f"@pytest.mark.todeval(protocol='strct')\n{MARK}"),
    "quarantine without reason": Mistake(
        "reason", mark=f"@pytest.mark.flaky_goal('DEMO001')\n{MARK}"
    ),
    "quarantine of nobody": Mistake(
        "DEMO999",
        mark=f"@pytest.mark.flaky_goal('DEMO999', reason='r', until='2999-01-01')\n{MARK}",
    ),
    "quarantine of no date": Mistake(
        "until", mark=f"@pytest.mark.flaky_goal('DEMO001', reason='r', until='soon')\n{MARK}"
    ),
    "trials without goals": Mistake("no marker gives it goals", mark="@pytest.mark.trials(2)"),
    "no marker": Mistake("no marker says which", mark=""),
    "no MultiWOZ": marked("multiwoz(split='test')", "todeval data get multiwoz"),
    "no tau-bench": marked("tau_bench('airline')", "tau"),
    # fixtures
    "fixture misspelt": Mistake("add an argument `dialogue`", arguments="dialog"),
    "no tod_system": Mistake("tod_system", conftest=""),
    "tod_system is None": bot("return None", "None"),
    "tod_system is an object": bot("return object()", "respond"),
    "bot asks for what there is not": bot("return lambda text, foo: text", "foo"),
    "constructor asks for what there is not": bot(
        "class Bot:\n        def __init__(self, db): pass\n"
        "        def respond(self, text): return 'x'"
        "\n    return Bot",
        "db",
    ),
    "bot replies a dict": bot("return lambda text: {'text': 'hi'}", "dict"),
    "bot replies None": bot("return lambda text: None", "None"),
    "bot replies nothing": bot("return lambda text: ''", "empty"),
    "bot crashes": bot("return lambda text: 1 / 0", "ZeroDivisionError"),
    "no bookings()": Mistake(
        "bookings",
        conftest=f"{RULE_SYSTEM}\n@pytest.fixture\ndef backend():\n    return object()\n",
    ),
    "booking without domain": Mistake(
        "domain",
        mark='@pytest.mark.goals("own.yaml")',
        files={"own.yaml": GOALS},
        conftest=SPA.replace("{booked}", "{'day': 'monday'}"),
        body="assert dialogue.booking",
    ),
    "booking in a misspelt domain": Mistake(
        "spaa",
        mark='@pytest.mark.goals("own.yaml")',
        files={"own.yaml": GOALS},
        conftest=SPA.replace("{booked}", "{'domain': 'spaa', 'day': 'monday'}"),
        body="assert dialogue.booking",
    ),
    # goal files
    "key misspelt": goal_file("inform", "infrom", "did you mean 'inform'?"),
    "slot misspelt": of_file(f"slots: {{spa: [treatmnt, day]}}\n{GOALS}", "unknown slot"),
    "value misspelt": of_file(
        f"slots: {{spa: {{treatment: [massage, bath], day: }}}}\n{GOALS}", "unknown value 'sauna'"
    ),
    "tab": goal_file("    spa:", "\tspa:", "own.yaml:4: broken YAML"),
    "key twice": goal_file("    spa:", "    spa: {}\n    spa:", "own.yaml:5"),
    "decimal": goal_file("monday", "1.5", "own.yaml"),
    "id twice": of_file(GOALS + GOALS.removeprefix("goals:\n"), "is taken by goal 1"),
    "empty file": of_file("", "own.yaml"),
    "no goals": of_file("goals: []", "there are no goals"),
    "latin-1": of_file(GOALS.replace("sauna", "säuna").encode("latin-1"), "UTF-8"),
    "asks for nothing": goal_file(
        "inform: {treatment: sauna}\n      book: {day: monday}", "{}", ""
    ),
    "message alone": of_file("goals:\n- id: a\n  message: Hello.\n", "solution"),
    "unknown database": of_file(f"database: town\n{GOALS}", "town"),
    # rules
    "rule file missing": asserted('assert judge.rules(dialogue, "no.yaml")', "no.yaml"),
    "rule set misspelt": asserted('assert judge.rules(dialogue, "comon")', "common"),
    "predicate misspelt": rules("rules: [{id: a, says: x, never: bokked}]", "unknown predicate"),
    "rule without says": rules("rules: [{id: a, never: {phrase: x}}]", "`says` is missing"),
    "rule without demand": rules("rules: [{id: a, says: x}]", "takes one of"),
    "rule file of nothing": rules("rules: []", "there are no rules"),
    "pattern broken": rules("rules: [{id: a, says: x, never: {pattern: '('}}]", "r.yaml:1"),
    # assertions
    "assert all turns": asserted("assert judge.turns(dialogue)", "policy_compliance"),
    "bound beyond the scale": asserted(
        "assert judge.turns(dialogue).policy_compliance >= 0.8", "0.8"
    ),
    "bound above the scale": asserted("assert judge.turns(dialogue).policy_compliance >= 6", "6"),
    "score misspelt": asserted("assert judge.turns(dialogue).policy >= 4", "policy_compliance"),
    "verdict misspelt": asserted("assert dialogue.boking", "booking"),
    "bookings for booking": asserted("assert dialogue.bookings", "booking"),
    "a verdict is True": asserted("assert dialogue.success is True", "assert dialogue.success"),
    "needs a model": asserted("assert judge.quality(dialogue).empathy >= 3", "model"),
    # options
    "option misspelt": option("--todeval-limt=1", "did you mean --todeval-limit?"),
    "record mode misspelt": option("--todeval-record=replya", "replay"),
    "limit no number": option("--todeval-limit=some", "limit"),
    "user misspelt in an option": option("--todeval-user=agend", "agenda"),
    "judge misspelt in an option": option("--todeval-judge=rule", "rules"),
    "judge without model": option("--todeval-judge=model", "model"),
    "model without name": option("--todeval-user=vanilla", "model"),
    "shard of nothing": option("--todeval-shard=3/2", "shard"),
    "gate misspelt": option("--todeval-gate=bokking>=0.8", "booking"),
    "gate that is none": option("--todeval-gate=booking", "booking"),
    "gate beyond the scale": option("--todeval-gate=booking>=85", "85"),
    "baseline missing": option("--todeval-baseline=no.json", "no.json"),
    "baseline that is no results file": option("--todeval-baseline=conftest.py", "not a results"),
    "model without key": option(
        "--todeval-user=vanilla --todeval-model=gpt-4o --todeval-record=live", "OPENAI_API_KEY"
    ),
    "results into no folder": option("--todeval-json=/proc/no/r.json", "/proc/no"),
    "policy without model": option("--todeval-policy=conftest.py", "no judge of this run"),
    "samples without model": option("--todeval-samples=9", "no judge of this run"),
    "undecided without gate": option("--todeval-undecided=fail", "it is about gates"),
    "times without shards": option("--todeval-times=conftest.py", "--todeval-shard"),
    "data nowhere": option("--todeval-data=nowhere", "nowhere"),
    "live without allowance": option("--todeval-max-cost=1", "todeval_prices"),
    "ini key misspelt": Mistake(
        "did you mean todeval_gate?",
        files={"pytest.ini": "[pytest]\ntodeval_gates = booking >= 1\n"},
    ),
    # ways of writing tests
    "unittest class": Mistake(
        "without unittest.TestCase",
        head="import unittest",
        mark=f"{MARK}\nclass TestIt(unittest.TestCase):\n    def test_a(self, dialogue):\n"
        f"        pass\n\n{MARK}",
    ),
    "unittest class with a default": Mistake(
        "without unittest.TestCase",
        head="import unittest",
        mark=f"{MARK}\nclass TestIt(unittest.TestCase):\n"
        f"    def test_a(self, dialogue=None):\n        assert dialogue.booking\n\n{MARK}",
    ),
    "parametrized goal": Mistake("expected a goal", mark='@pytest.mark.parametrize("goal", ["x"])'),
    "async test": Mistake(
        "write `def`", mark=f"{MARK}\nasync def test_a(dialogue): pass\n\n{MARK}"
    ),
    "a goal of its own name": marked("goals('demo/DEMO001')", "demo"),
    "two tests of one file name": Mistake(
        "DEMO404", mark='@pytest.mark.goals("demo", ids=["DEMO404"])'
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_and_says_what_to_do(suite: Suite, name: str) -> None:
    mistake = MISTAKES[name]
    test = f"import pytest\n{mistake.head}\n\n{mistake.mark}\ndef test_it({mistake.arguments}):\n"
    made = suite(f"{test}    {mistake.body}\n", mistake.conftest)
    for path, content in mistake.files.items():
        data = content.encode() if isinstance(content, str) else content
        (made.path / path).write_bytes(data)
    result = run(made, "-p", "no:xdist", "-Wdefault", *mistake.options)
    printed = "\n".join([*result.outlines, *result.errlines])
    assert result.ret != 0
    assert mistake.said in printed
    assert "pytest_todeval/" not in printed.replace("pytest_todeval/worlds", "")
    assert "Traceback" not in printed
    assert "INTERNALERROR" not in printed
