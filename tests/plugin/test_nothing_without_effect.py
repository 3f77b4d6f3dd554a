"""Each option, ini key and keyword of a marker has an effect in a run, or the run says it has none.

Every one of them stands in a table here: a new one has to be decided on.
"""

from dataclasses import fields
from fnmatch import fnmatch
from pathlib import Path

import pytest

from pytest_todeval.integration.cassette_options import HELP as CASSETTE_KEYS
from pytest_todeval.integration.option_values import ini_name
from pytest_todeval.integration.options import FLAGS, INI_HELP, OPTIONS
from pytest_todeval.play.settings import PlaySettings
from tests.plugin.conftest import RULE_SYSTEM, Suite, apart, run

TEST = """
import pytest

@pytest.mark.goals("demo", booking=True, limit=2, seed=1)
def test_books(dialogue, judge):
    assert dialogue.booking
    assert judge.rules(dialogue, "common")
"""
FILES = {
    "policy.md": "Never recommend.",
    "prices.yaml": "m: {prompt: 1, completion: 2}",
    "example.txt": "USER: hello",
    "hearing.yaml": '- {says: "You are in.", means: [booked]}',
    "models.yaml": "user: {model: m}",
    "prompts/README.md": "",
    "cassettes/README.md": "",
}

REFUSED = {
    "data": (".", "no goal of this run is in the data that it is about (MultiWOZ)"),
    "tau-home": (".", "no goal of this run is in the data that it is about (tau-bench)"),
    "tau2-home": (".", "no goal of this run is in the data that it is about (tau2)"),
    "outputs": ("strict", "no goal of this run is a task with outputs"),
    "upstream": ("counted", "no goal of this run is tau-bench's or tau2's"),
    "times": ("r.json", "it cuts shards: give --todeval-shard, too"),
    "undecided": ("fail", "it is about gates: give --todeval-gate or --todeval-baseline"),
    "samples": ("9", "no judge of this run is a model"),
    "policy": ("policy.md", "no judge of this run is a model"),
    "prompts": ("prompts", "no model of this run is asked with prompts of ours"),
    "examples": ("example.txt", "no user of this run is a model that is shown examples"),
    "max-cost": ("1", "what a call costs is not known: give todeval_prices"),
}
"""Options that have no effect on this suite: a value, and why."""

SHOWN = {
    "limit": (("1",), "*1 dialogue over demo*"),
    "trials": (("2",), "*4 dialogues over demo*"),
    "shard": (("1/2",), "*1 deselected*"),
    "json": (("new.json",), "results: new.json"),
    "report": (("page.html",), "*page.html*"),
    "baseline": (("r.json",), "*= gates =*"),
    "sequential": (("1", "--todeval-baseline=r.json"), "*= gates =*"),
    "user": (("recorded",), "*--todeval-user=recorded: the cassette * does not exist*"),
    "judge": (("model",), "*needs a model: name one with --todeval-model*"),
    "ear": (("model",), "*needs a model: name one with --todeval-model*"),
    "coverage": (("model",), "*needs a model: name one with --todeval-model*"),
    "variation": (("French",), "*the variation 'French' needs a model*"),
    "model": (("judge:m", "--todeval-judge=rules"), "*--todeval-model (no model was asked)*"),
    "models": (("models.yaml", "--todeval-user=agenda"), "*--todeval-models (no model was asked)*"),
    "base-url": (("http://127.0.0.1:9/v1",), "*--todeval-base-url (no model was asked)*"),
    "prices": (("prices.yaml",), "*--todeval-prices (no model was asked)*"),
    "turn-timeout": (("0.000001",), "*turn*"),
    "dialogue-timeout": (("0.000001",), "*dialogue*"),
    "record": (("missing",), "*plan (missing)*"),
    "cassettes": (("new", "--todeval-record=missing"), "*plan (missing)*"),
    "jail": (("python",), "*Python's sockets and known clients are held back (as asked)*"),
    "max-calls": (("5", "--todeval-record=missing"), "*budget: 5 calls*"),
    "resume": (
        ("", "--todeval-json=new.json"),
        "*resuming: 2 of the dialogues stand in new.json*",
    ),
    "gate": (("booking >= 0.1",), "*= gates =*"),
}
"""Options that have an effect on this suite, or are said to have none in its end."""

ELSEWHERE = {
    "concurrency": "test_many_dialogues_at_once.test_dialogues_overlap_and_each_test_has_its_own_"
    "output",
    "show": "test_failure_groups_in_runs",
    "trivial": "test_tasks_in_runs.test_trivial_goals_can_be_left_out",
    "claims": "test_results_of_several_players.test_claims_are_kept_or_fail",
    "hearing": "test_hearing_in_runs.test_processes_hear_alike",
    "allow": "test_jail_in_runs.test_what_is_allowed_is_reached_by_all",
    "todeval_gate": "test_gates_in_runs",
    "todeval_composite": "test_figures_in_runs.test_tokens_are_priced_and_composites_reckoned",
    "todeval_mask": "test_cassettes_in_runs",
    "todeval_match": "test_secret_bots_in_runs",
    "todeval_redact": "test_secret_bots_in_runs",
    "todeval_shared": "test_calls_of_the_process.test_todeval_shared_names_calls_of_the_process",
    "todeval_ignore": "test_calls_of_the_process.test_ignored_calls_are_answered_offline_and_"
    "recorded_nowhere",
}
"""What other tests show to have an effect: the rules of calls hold for whatever calls come."""

IDLE_KEYS = {"todeval_gateway": "no test asks for the fixture of this name"}

KEYWORDS = {
    "persona": ("'busy'", "no model plays the user"),
    "examples": ("[]", "no model plays the user"),
    "user_model": ("'m'", "no model plays the user"),
    "user_style": ("'chatty'", ""),
    "user": ("'agenda'", ""),
    "judge": ("'rules'", ""),
    "language": ("'French'", "no model plays or judges"),
    "variation": ("'easy'", ""),
    "max_turns": ("9", ""),
    "turn_timeout": ("9", ""),
    "dialogue_timeout": ("90", ""),
    "protocol": ("'strict'", ""),
    "unserved": ("'allowed'", ""),
    "asks": ("['turns']", ""),
}
"""Keywords of the marker `todeval`: a value, and why it has no effect on this suite."""


@pytest.fixture
def a_suite(suite: Suite) -> pytest.Pytester:
    made = suite(TEST, RULE_SYSTEM)
    for name, text in FILES.items():
        made.path.joinpath(name).parent.mkdir(exist_ok=True)
        made.path.joinpath(name).write_text(text, encoding="utf-8")
    assert run(made, "-p", "no:xdist", "--todeval-json=r.json").ret == 0
    return made


def test_every_option_is_decided_on() -> None:
    told = [*REFUSED, *SHOWN, *ELSEWHERE, *IDLE_KEYS]
    assert sorted(told) == sorted({*OPTIONS, *FLAGS, "gate", *INI_HELP, *CASSETTE_KEYS})
    assert set(KEYWORDS) == {each.name for each in fields(PlaySettings)}
    here = Path(__file__).parent
    for place in ELSEWHERE.values():
        module, _, test = place.partition(".")
        assert f"def {test}" in here.joinpath(f"{module}.py").read_text(encoding="utf-8")


def test_what_has_no_effect_is_refused_or_told(a_suite: pytest.Pytester) -> None:
    for name, (value, why) in REFUSED.items():
        result = run(a_suite, "-p", "no:xdist", f"--todeval-{name}={value}")
        assert result.ret == pytest.ExitCode.USAGE_ERROR, name
        assert f"--todeval-{name} has no effect in this run: {why}." in str(result.stderr), name
    together = {name: each for name, each in REFUSED.items() if name != "upstream"}
    lines = [f"{ini_name(name)} = {value}" for name, (value, _) in together.items()]
    a_suite.makeini("\n".join(["[pytest]", *lines, "todeval_gateway = vllm = http://a.b/v1"]))
    result = run(a_suite, "-p", "no:xdist")
    result.assert_outcomes(passed=2)
    (told,) = [each for each in result.outlines if "without effect in this run" in each]
    for name, (_, why) in together.items():
        assert f"{ini_name(name)} ({why})" in told
    for name, why in IDLE_KEYS.items():
        assert f"{name} ({why})" in told


@pytest.mark.thorough
def test_what_has_an_effect_shows_it(a_suite: pytest.Pytester) -> None:
    for name, ((value, *more), shown) in SHOWN.items():
        given = f"--todeval-{name}={value}" if value else f"--todeval-{name}"
        result = apart(a_suite, "-p", "no:xdist", given, *more)
        told = result.outlines + result.errlines
        assert any(fnmatch(line, shown) for line in told), (name, told)


@pytest.mark.thorough
def test_workers_tell_what_they_collected(a_suite: pytest.Pytester) -> None:
    a_suite.makeini("[pytest]\ntodeval_policy = policy.md")
    result = run(a_suite, "-n2", "--todeval-samples=9")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["ERROR: --todeval-samples has no effect in this run: *"])
    result = run(a_suite, "-n2")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["todeval: without effect in this run: todeval_policy (*"])


def test_keywords_of_markers_without_effect_are_told(suite: Suite) -> None:
    given = ", ".join(f"{name}={value}" for name, (value, _) in KEYWORDS.items())
    made = suite(TEST.replace("def test", f"@pytest.mark.todeval({given})\ndef test"), RULE_SYSTEM)
    result = run(made, "-p", "no:xdist", "--collect-only")
    (told,) = [each for each in result.outlines if "without effect in this run" in each]
    for name, (_, why) in KEYWORDS.items():
        assert (f"`todeval({name}=...)` of" in told) is bool(why), name
        assert not why or f"{name}=...)` of test_bot.py::test_books ({why})" in told


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("@pytest.mark.trials(2)\ndef test_it(): pass", "is marked `trials` but no marker gives"),
        ("@pytest.mark.todeval(max_turns=2)\ndef test_it(): pass", "no test that bears it has a"),
        (
            "@pytest.mark.goals('demo', seed=1, ids=['DEMO001'])\ndef test_it(goal): pass",
            "`goals(seed=...)` of test_bot.py::test_it (without `limit` nothing is drawn)",
        ),
    ],
)
def test_markers_without_effect_are_told(suite: Suite, test: str, told: str) -> None:
    result = run(suite(f"import pytest\n{test}", RULE_SYSTEM), "-p", "no:xdist")
    result.stdout.fnmatch_lines([f"*{told}*"])


@pytest.mark.parametrize(
    "given",
    ["policy", "prompts", "examples", "prices", "times", "hearing", "models", "data", "cassettes"],
)
def test_what_is_named_has_to_be_there(suite: Suite, given: str) -> None:
    result = run(suite(TEST, RULE_SYSTEM), "-p", "no:xdist", f"--todeval-{given}=nowhere")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--todeval-{given}: no *nowhere*"])


def test_misspelt_options_and_keys_are_told_with_what_was_meant(suite: Suite) -> None:
    made = suite(TEST, RULE_SYSTEM)
    result = run(made, "-p", "no:xdist", "--todeval-limt=3")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no option --todeval-limt: did you mean --todeval-limit?"])
    made.makeini("[pytest]\ntodeval_gates = booking >= 0.8")
    result = run(made, "-p", "no:xdist")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no key todeval_gates: did you mean todeval_gate?"])
    made.makeini("[pytest]\ntodeval_own = 1")
    made.makeconftest(f"{RULE_SYSTEM}\ndef pytest_addoption(parser): {DECLARES}")
    run(made, "-p", "no:xdist", "--todeval-mine=1").assert_outcomes(passed=2)


DECLARES = "parser.addini('todeval_own', 'x'); parser.addoption('--todeval-mine')"
