"""What a user can set: options (command line over ini file) and the markers' signatures."""

import os
import re
from argparse import SUPPRESS
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_todeval import worlds
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.integration.cassette_options import add_cassette_options

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "GOAL_MARKERS",
    "MARKER_LINES",
    "Settings",
    "add_options",
    "cassette_folders",
    "is_gated",
    "is_shard",
    "partial_path",
    "path_of",
    "results_path",
    "same_run",
    "warn_of_old_names",
]

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
    "baseline": "A results file, or what `todeval baseline` made of one: the run is held against "
    "it goal by goal, and fails if a value is worse.",
    "undecided": "What becomes of a run whose gates its goals do not decide: pass (default) or "
    "fail.",
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


WHO_PLAYS = (
    "user",
    "variation",
    "judge",
    "ear",
    "coverage",
    "hearing",
    "model",
    "base-url",
    "models",
    "samples",
    "policy",
    "prompts",
    "examples",
)
"""The options that say who plays, and how."""

PLAYED_ON = tuple(worlds.OPTIONS)
"""The options that say where the goals and their tools are."""

TRIVIAL = ("keep", "exclude")
"""What becomes of goals that a bot passes by doing nothing."""

OLD_NAMES = {"trivial": "toothless"}
"""Options that had another name, which is still read."""

UPSTREAM = ("counted", "scored")
"""What a run takes of a benchmark's own ways."""

OUTPUTS = ("published", "strict")
"""How the outputs of a task have to be told."""

UNDECIDED = ("pass", "fail")
"""What becomes of a run whose gates are undecided."""

CLAIMS = ("keep", "fail")
"""What becomes of verdicts that are only claimed."""

EARS = ("rules", "model")
"""Who may hear what the words of bot or user say."""

JAILS = ("kernel", "python")
"""What may hold the network back in replay."""


MARKER_LINES = (
    *worlds.MARKERS,
    "goals(source, *, split=None, domains=None, booking=None, limit=None, seed=None, ids=None, "
    "exactly=None, every_domain_books=None, tasks=None): one test per goal of a goal set ('demo', "
    "'multiwoz', ...), of a YAML or JSON file (a path relative to the test file), or made up: "
    "synthetic('demo', 50), unrealistic(...), unfulfillable(...)",
    "trials(n): play each goal n times",
    "flaky_goal(*goals, reason, until): goals ('demo/DEMO012', 'DEMO01*') that are played and told "
    "but fail no run, up to and including the day `until` ('2027-01-31')",
    "matrix(systems=None, users=None): play each goal by each system with each user; lists, or "
    "mappings of names. A user is a name (of a user or an agenda style), keywords of the marker "
    "todeval, or a function goal -> user",
    "todeval(max_turns=None, turn_timeout=None, dialogue_timeout=None, user_style='plain', "
    "user=None, user_model=None, variation=None, judge=None, persona='', language='English', "
    "examples=None, "
    "protocol=None, unserved='fails'): how the dialogues of this test are played and judged",
)

GOAL_MARKERS = ("goals", *(line.partition("(")[0] for line in worlds.MARKERS))
"""The markers that make one test per goal."""


class Settings(NamedTuple):
    """The effective settings of a run."""

    places: Mapping[str, str] = MappingProxyType({})
    """By option: where the goals of worlds and their tools are (`data`, `tau-home`, ...)."""
    trivial: str | None = None
    upstream: str | None = None
    outputs: str | None = None
    limit: int | None = None
    trials: int | None = None
    shard: tuple[int, int] | None = None
    times: str | None = None
    json: str | None = None
    baseline: str | None = None
    undecided: str | None = None
    user: str | None = None
    variation: str | None = None
    judge: str | None = None
    ear: str | None = None
    coverage: str | None = None
    claims: str | None = None
    hearing: str | None = None
    model: str | None = None
    base_url: str | None = None
    models: str | None = None
    samples: int | None = None
    policy: str | None = None
    prompts: str | None = None
    examples: str | None = None
    turn_timeout: float | None = None
    dialogue_timeout: float | None = None
    record: str = "replay"
    allow: tuple[str, ...] = ()
    jail: str | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    prices: str | None = None
    composites: Mapping[str, str] = MappingProxyType({})
    """Weights by the name of a composite score."""
    gates: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: "pytest.Config") -> "Settings":
        """Those of a run, read once. Raises UsageError naming the wrong value."""
        if _SETTINGS not in config.stash:
            config.stash[_SETTINGS] = cls._read(config)
        return config.stash[_SETTINGS]

    @classmethod
    def _read(cls, config: "pytest.Config") -> "Settings":
        return cls(
            places=_places(config),
            trivial=_one_of(config, "trivial", TRIVIAL),
            upstream=_upstream(config),
            outputs=_one_of(config, "outputs", OUTPUTS),
            limit=_positive(config, "limit"),
            trials=_positive(config, "trials"),
            shard=_shard(config),
            times=_path_text(config, "times"),
            json=_text(config, "json"),
            baseline=_path_text(config, "baseline"),
            undecided=_one_of(config, "undecided", UNDECIDED),
            user=_user(config),
            variation=_variation(config),
            judge=_judge(config),
            ear=_one_of(config, "ear", EARS),
            coverage=_one_of(config, "coverage", EARS),
            claims=_one_of(config, "claims", CLAIMS),
            hearing=_text(config, "hearing"),
            model=_text(config, "model"),
            base_url=_text(config, "base-url"),
            models=_text(config, "models"),
            samples=_positive(config, "samples"),
            policy=_text(config, "policy"),
            prompts=_text(config, "prompts"),
            examples=_text(config, "examples"),
            turn_timeout=_above_0(config, "turn-timeout", "seconds"),
            dialogue_timeout=_above_0(config, "dialogue-timeout", "seconds"),
            record=_record(config),
            allow=_allow(config),
            jail=_one_of(config, "jail", JAILS),
            max_calls=_positive(config, "max-calls"),
            max_cost=_above_0(config, "max-cost", "US dollars"),
            prices=_text(config, "prices"),
            composites=_composites(config),
            gates=_gates(config),
        )

    def given(self) -> dict[str, str]:
        """The settings that differ from their default, as text."""
        given = self._asdict()
        differing = {k: v for k, v in given.items() if v != self._field_defaults[k]}
        places = {
            _ini(k).removeprefix("todeval_"): v for k, v in differing.pop("places", {}).items()
        }
        composites = {
            f"composite {name}": each for name, each in differing.pop("composites", {}).items()
        }
        if (shard := differing.pop("shard", None)) is not None:
            places["shard"] = "/".join(map(str, shard))
        others = {k: _told(v) for k, v in differing.items()}
        return {**places, **others, **composites}


_SETTINGS = pytest.StashKey[Settings]()


def add_options(parser: "pytest.Parser") -> None:
    """Declare the options and their ini twins."""
    group = parser.getgroup("todeval", "dialogue regression tests (pytest-todeval)")
    for name, text in OPTIONS.items():
        group.addoption(f"--todeval-{name}", dest=_ini(name), metavar=name.upper(), help=text)
        parser.addini(_ini(name), text, default="")
    for new, old in OLD_NAMES.items():
        group.addoption(f"--todeval-{old}", dest=_ini(old), help=SUPPRESS)
        parser.addini(_ini(old), f"Now {_ini(new)}.", default="")
    group.addoption(
        "--todeval-gate",
        action="append",
        dest="todeval_gates",
        metavar="GATE",
        help=f"{INI_HELP['todeval_gate']} May be given several times; in place of those of the ini "
        "file.",
    )
    for name, text in FLAGS.items():
        group.addoption(f"--todeval-{name}", dest=_ini(name), action="store_true", help=text)
    add_cassette_options(parser)
    for name, text in INI_HELP.items():
        parser.addini(name, text, type="linelist", default=[])


def is_gated(config: "pytest.Config") -> bool:
    """Whether gates or a baseline decide if the run fails."""
    settings = Settings.of(config)
    return bool(settings.gates or settings.baseline)


def is_shard(config: "pytest.Config") -> bool:
    """Whether this run plays a share of the dialogues."""
    return Settings.of(config).shard is not None


def warn_of_old_names(config: "pytest.Config") -> None:
    """Say the new name of each option that is set by its old one."""
    for new, old in OLD_NAMES.items():
        if config.getoption(_ini(old)) or config.getini(_ini(old)):
            message = f"--todeval-{old} (ini: {_ini(old)}) is now --todeval-{new} ({_ini(new)})"
            config.issue_config_time_warning(pytest.PytestConfigWarning(message), stacklevel=2)


def path_of(config: "pytest.Config", name: str) -> "Path | None":
    """The file or folder that an option names, or None.

    A path given on the command line starts where that was; one in the ini file beside it.
    """
    text = _text(config, name)
    if text is None:
        return None
    text = os.path.expanduser(text)
    if _given(config, name) or config.inipath is None:
        return config.invocation_params.dir / text
    return config.inipath.parent / text


def results_path(config: "pytest.Config") -> "Path | None":
    """Where the results file is to be, if one is asked for.

    Raises UsageError for a place that no file can be at: better before a run than after it.
    """
    text = _text(config, "json")
    if text is None:
        return None
    path = config.invocation_params.dir / text
    folder = next((each for each in path.parents if each.exists()), path.parent)
    if path.is_dir() or not folder.is_dir():
        what = f"{path} is a folder" if path.is_dir() else f"{folder} is no folder"
        raise UsageError(f"--todeval-json: got {text!r}, but {what}; expected a file to write")
    return path


def partial_path(results: "Path") -> "Path":
    """Where a run keeps what it has played until its results file is written."""
    return results.with_name(f"{results.name}.partial")


def cassette_folders(config: "pytest.Config") -> "list[Path]":
    """The folders of cassettes where pytest was started, at its root, and beside its arguments."""
    start = config.invocation_params.dir
    near = [config.rootpath, start]
    for argument in getattr(config, "args", ()):
        place = start / argument.partition("::")[0]
        near += [place, place.parent]
    return [place / "cassettes" for place in dict.fromkeys(near) if (place / "cassettes").is_dir()]


def _places(config: "pytest.Config") -> dict[str, str]:
    found = {name: path_of(config, name) for name in PLAYED_ON}
    return {name: str(place) for name, place in found.items() if place is not None}


def same_run(config: "pytest.Config") -> tuple[str, ...]:
    """The options given on the command line without which others would play, or other goals."""
    given = {name: _given(config, name) for name in (*WHO_PLAYS, *PLAYED_ON)}
    return tuple(f"--todeval-{name}={value}" for name, value in given.items() if value)


def _ini(name: str) -> str:
    return f"todeval_{name.replace('-', '_')}"


def _given(config: "pytest.Config", name: str) -> str | None:
    # Before the first conftest.py is read, pytest 8.3 holds the options in a namespace apart.
    early = getattr(config.known_args_namespace, _ini(name), None)
    value: str | None = config.getoption(_ini(name), early)
    return value


def _text(config: "pytest.Config", name: str) -> str | None:
    names = [each for each in (name, OLD_NAMES.get(name)) if each]
    given = *(_given(config, each) for each in names), *(config.getini(_ini(n)) for n in names)
    return next((str(value) for value in given if value), None)


def _one_of(config: "pytest.Config", name: str, known: tuple[str, ...]) -> str | None:
    value = _text(config, name)
    if value is not None and value not in known:
        raise UsageError(f"--todeval-{name}: got {value!r}; {known_names(value, known)}")
    return value


def _upstream(config: "pytest.Config") -> str | None:
    value = _one_of(config, "upstream", UPSTREAM)
    if value is not None and _text(config, "outputs") == "strict":
        raise UsageError(
            "--todeval-upstream and --todeval-outputs=strict: the benchmarks do not ask for "
            "outputs strictly; leave out one of the two"
        )
    return value


def _user(config: "pytest.Config") -> str | None:
    value = _text(config, "user")
    if value is not None:
        from pytest_todeval.play.who import check_user

        check_user(value, "--todeval-user")
    return value


def _variation(config: "pytest.Config") -> str | None:
    value = _text(config, "variation")
    if value is not None:
        from pytest_todeval.play.who import check_variation

        check_variation(value, "--todeval-variation")
    return value


def _judge(config: "pytest.Config") -> str | None:
    if _text(config, "judge") is None:
        return None
    from pytest_todeval.play.who import JUDGES

    return _one_of(config, "judge", JUDGES)


def _record(config: "pytest.Config") -> str:
    text = _text(config, "record") or "replay"
    if text != "replay":  # most runs replay, and need not import what knows the modes
        from pytest_todeval.recording.mode import modes_from

        with _named("record"):
            modes_from(text)
    return text


def _allow(config: "pytest.Config") -> tuple[str, ...]:
    addresses = tuple(filter(None, re.split(r"[,\s]+", _text(config, "allow") or "")))
    if addresses:
        from pytest_todeval.recording.address import Address

        with _named("allow"):
            for address in addresses:
                Address.parse(address)
    return addresses


@contextmanager
def _named(option: str) -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        raise UsageError(f"--todeval-{option}: {error}") from None


def _shard(config: "pytest.Config") -> tuple[int, int] | None:
    text = _text(config, "shard")
    if text is None:
        return None
    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"--todeval-shard: got {text!r}, expected N/OF, such as 2/5")
    return int(found[1]), int(found[2])


def _path_text(config: "pytest.Config", name: str) -> str | None:
    path = path_of(config, name)
    return None if path is None else str(path)


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _gates(config: "pytest.Config") -> tuple[str, ...]:
    gates = tuple(config.getoption("todeval_gates", None) or config.getini("todeval_gate"))
    if gates:
        from pytest_todeval.reports.gates.gate import parse_gate

        with _named("gate"):
            for gate in gates:
                parse_gate(gate)
    return gates


def _composites(config: "pytest.Config") -> dict[str, str]:
    lines = config.getini("todeval_composite")
    if not lines:
        return {}
    from pytest_todeval.statistics.composite import composites_from

    try:
        return {each.name: each.formula for each in composites_from(lines)}
    except UsageError as error:
        raise UsageError(f"todeval_composite: {error}") from None


def _above_0(config: "pytest.Config", name: str, unit: str) -> float | None:
    text = _text(config, name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UsageError(f"--todeval-{name}: got {text!r}, expected {unit}, more than 0")
    return value


def _positive(config: "pytest.Config", name: str) -> int | None:
    text = _text(config, name)
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--todeval-{name}: got {text!r}, expected a whole number from 1 up")
    return int(text)
