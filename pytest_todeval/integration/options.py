"""What a user can set: the options, which are ini keys too, and the markers."""

from collections.abc import Container, Sequence

import pytest

from pytest_todeval import worlds
from pytest_todeval.integration.cassette_options import HELP, add_cassette_options
from pytest_todeval.integration.option_values import ini_name

# Each is `--todeval-NAME` on the command line and `todeval_NAME` in the ini file.
OPTIONS = {
    **worlds.OPTIONS,
    "trivial": "Goals that a bot passes by doing nothing: keep (default) or exclude. The summary "
    "names them.",
    "outputs": "How the bot has to tell a task's outputs: published (default: anywhere in a reply, "
    "as benchmarks have it) or strict (a word of its own, no other figure contradicting it).",
    "upstream": "tau-bench's and tau2's tasks as those benchmarks have them: counted (their own "
    "user, their counting of faults) or scored (rewards by their own code, too).",
    "limit": "At most this many goals per test.",
    "trials": "Play each goal this many times.",
    "shard": "Play a share of the dialogues: 2/5 is the second of five. `todeval merge` makes one "
    "of the results files.",
    "times": "A results file whose times say how to cut shards that take equally long.",
    "json": "Write the results file here.",
    "report": "Write a page for people here: what failed and why, by cause, plots, every dialogue. "
    "It is one file that needs no network.",
    "show": "Failures of dialogues: groups (default: those of one cause together, one of them in "
    "full), all or none; live: as groups, and each dialogue is shown while it is played.",
    "baseline": "A results file, or what `todeval baseline` made of one: the run is held against "
    "it goal by goal, and fails if a goal broke or a value is worse.",
    "undecided": "What becomes of a run that its gates and its baseline do not decide: pass, fail, "
    "or later (what failed is left to `todeval gate` on the results file). Default: it passes "
    "unless goals broke or failed.",
    "sequential": "End the run as soon as its gates and its baseline are decided. The value, any "
    "text, draws the order of goals: give what differs from run to run, such as the commit.",
    "user": "Who plays the user: agenda, recorded (the user's turns in the cassette), or a model "
    "with one of the prompts vanilla, thought, state_tracking, clem_todd (each also as "
    "NAME_published), autotod, autoeval_tod, llm, react, verify, reflection; or a benchmark's own: "
    "tau_bench, tau_bench_react, tau_bench_verify, tau_bench_reflection, tau2. Default: vanilla if "
    "a model is set for the user, else agenda.",
    "variation": "In what other words the bot hears the user: easy, medium, hard, typos, speech "
    "(by rule); with model: before it (model:hard), or a language (French), by the user's model.",
    "judge": "Who judges: rules, model, fused (a model, one call per turn), or published (a model, "
    "asked as the papers ask). Default: model if one is set for the judge, else rules.",
    "ear": "Who hears what the bot's words say: rules (default), or model: one call per turn, "
    "cross-checked by the rules.",
    "coverage": "Who hears what a user's model told of its goal, without which no verdict counts: "
    "rules (default), or model: one call of the judge's model per dialogue.",
    "claims": "Verdicts that nothing but the bot's own words and reports shows: keep (default; the "
    "summary counts them) or fail (such a verdict is undecided if it passed).",
    "hearing": "YAML or JSON file with sentences of your bot and what they mean, for all goals.",
    "model": "The model that plays the user, judges and hears; or by lane: "
    "judge:gpt-4o,user:gpt-4.1,ear:gpt-4o-mini",
    "base-url": "The model's OpenAI-compatible endpoint; or by lane.",
    "models": "YAML or JSON file with the settings of each lane's model: key, temperature, seed, "
    "time-out, limits.",
    "samples": "How often to ask the judge's model the same; a score is the median.",
    "policy": "File with the policy by which a model judges policy compliance.",
    "prompts": "Folder with prompt documents that replace the shipped ones of the same name.",
    "examples": "File, or folder of files (.txt, .md), with dialogues that a model imitates as the "
    "user; none for none. Default: the example of its prompt, if it has one.",
    "turn-timeout": "Seconds for each word of the bot and of the user (default: 30, or one answer "
    "of the slowest model that may be asked in a turn).",
    "dialogue-timeout": "Seconds for a dialogue (default: 300, or ten turns).",
    "record": "What happens to HTTP calls: replay (default), missing, rewrite, live or accept; or "
    "by lane, e.g. judge:rewrite.",
    "cassettes": "The folder of the cassettes (default: `cassettes` in the folder that configures "
    "pytest, else the one of `pyproject.toml` or `conftest.py`).",
    "allow": "Addresses (HOST:PORT, comma-separated) that may really be called in replay.",
    "jail": "What blocks the network in replay: kernel (default, on Linux) or python.",
    "concurrency": "Play so many dialogues at once, those of coming tests ahead of them "
    "(default: 8 if calls are really made and todeval_max_cost sets no limit, else 1). Order, "
    "reports and cassettes are the same.",
    "max-calls": "At most this many real HTTP calls in this run.",
    "max-cost": "No more real calls once they cost this many US dollars; needs todeval_prices.",
    "prices": "YAML or JSON file with US dollars per million tokens, {MODEL: {prompt: 2, "
    "completion: 8}}.",
}
FLAGS = {
    "resume": "Go on with the run whose results are in the file of --todeval-json: dialogues that "
    "passed or failed there are not played again.",
}
"""Said on the command line alone, without a value: they are of one run."""
INI_HELP = {
    "todeval_gate": "What the run has to reach, one gate a line, such as booking >= 0.85; gates, "
    "not single dialogues, then decide if it fails.",
    "todeval_gateway": "Model providers behind the fixture todeval_gateway, one a line: NAME = "
    "URL.",
    "todeval_composite": "Scores with weights of your own for the summary, one a line: NAME = "
    "WEIGHT METRIC + WEIGHT METRIC ..., of metrics, scores and rules.",
}
"""Settings that have no option, a list of lines each."""


MARKER_LINES = (
    *worlds.MARKERS,
    "goals(source, *, split=None, domains=None, booking=None, limit=None, seed=None, ids=None, "
    "exactly=None, every_domain_books=None, tasks=None, labels=None): one test per goal of a goal "
    "set ('demo', 'multiwoz', ...), of a YAML or JSON file (a path relative to the test file), or "
    "made up: synthetic('demo', 50), unrealistic(...), unfulfillable(...)",
    "property_goals(source, *, domains=None, satisfiable=True, steps=4, styles=True, noise=False, "
    "faults=False, max_examples=100): one test that Hypothesis draws goals for, a dialogue each; "
    "it shows the smallest that fails",
    "relations(*names): beside property_goals or @given: hold each dialogue against one of a user "
    "who wants the same otherwise (reordered, paraphrased, greeting, shouted, aside, split, "
    "at_once, corrected, asked_twice, stricter; all by default)",
    "trials(n): play each goal n times",
    "flaky_goal(*goals, reason, until): goals ('demo/DEMO012', 'DEMO01*') that are played and "
    "reported, but fail no run, up to and including the day `until` ('2027-01-31')",
    "matrix(systems=None, users=None): play each goal by each system with each user; lists, or "
    "mappings of names. A user is a name (of a user or an agenda style), keywords of the marker "
    "todeval, or a function goal -> user",
    "todeval(max_turns=None, turn_timeout=None, dialogue_timeout=None, user_style='plain', "
    "user=None, user_model=None, variation=None, judge=None, persona='', language='English', "
    "examples=None, protocol=None, unserved='fails', asks=()): how the dialogues of this test are "
    "played and judged, and what the test asks the judge, to be asked as soon as they are over",
    "todeval_cassette(allow=()): a cassette for a test without a dialogue: its HTTP is recorded "
    "once and replayed offline. `allow`: addresses (HOST:PORT) that are really called",
)

GOAL_MARKERS = ("goals", *(line.partition("(")[0] for line in worlds.MARKERS))
"""The markers that make one test per goal."""


def add_options(parser: pytest.Parser) -> None:
    """Declare the options and their ini twins."""
    group = parser.getgroup("todeval", "dialogue regression tests (pytest-todeval)")
    for name, text in OPTIONS.items():
        group.addoption(f"--todeval-{name}", dest=ini_name(name), metavar=name.upper(), help=text)
        parser.addini(ini_name(name), text, default="")
    group.addoption(
        "--todeval-gate",
        action="append",
        dest="todeval_gates",
        metavar="GATE",
        help=f"{INI_HELP['todeval_gate']} May be given several times; in place of those of the ini "
        "file.",
    )
    for name, text in FLAGS.items():
        group.addoption(f"--todeval-{name}", dest=ini_name(name), action="store_true", help=text)
    add_cassette_options(parser)
    for name, text in INI_HELP.items():
        parser.addini(name, text, type="linelist", default=[])


def refuse_unknown(config: pytest.Config, parser: pytest.Parser, args: Sequence[str]) -> None:
    """Refuses options and ini keys that begin like ours and are none: pytest says what it expects
    of no option, and of an ini key it only warns.

    Called once the first conftest files are read, which may declare some of their own.
    """
    ours = any(each.startswith("--todeval-") for each in args)
    for each in parser.parse_known_and_unknown_args(args)[1] if ours else ():
        if each.startswith("--todeval-"):
            option = each.partition("=")[0]
            known = [f"--todeval-{name}" for name in (*OPTIONS, *FLAGS, "gate")]
            raise pytest.UsageError(f"there is no option {option}{_near(option, known)}")
    keys = [*map(ini_name, OPTIONS), *INI_HELP, *HELP]
    # pytest 9 has deprecated the attribute by which older ones say what the file holds.
    held = config._inicfg if hasattr(config, "_inicfg") else config.inicfg
    for key in held:
        if key.startswith("todeval_") and key not in keys and key not in _declared(parser):
            raise pytest.UsageError(f"{config.inipath}: there is no key {key}{_near(key, keys)}")


def _near(given: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(given, known, n=1)
    return f": did you mean {near[0]}?" if near else " (`pytest --help` lists them)"


def _declared(parser: pytest.Parser) -> Container[str]:
    """Returns the ini keys that conftest files and other plugins declare."""
    return parser._inidict
