"""Settings that nothing in a run reads: refused on the command line, told if the ini file has them.

What the ini file and markers say may be meant for other runs, so one line tells it. What is read
only where a model is asked (`model`, `base_url`, `models`, `prices`) is known at the end alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.asked_for import require_gates, require_rules
from pytest_todeval.integration.case import NOTHING_DRAWN, case_of, parameters_of
from pytest_todeval.integration.fixtures import is_ours
from pytest_todeval.integration.matrix import USER, MatrixUser
from pytest_todeval.integration.option_values import given_value, ini_name, path_of, text_of
from pytest_todeval.integration.resolving import cast_of
from pytest_todeval.integration.settings import Settings
from pytest_todeval.simulation.variation import levels
from pytest_todeval.worlds.world import World

if TYPE_CHECKING:
    from pytest_todeval.play.settings import PlaySettings
    from pytest_todeval.runs.reports.schema import DialogueEntry

OF_MODELS = ("model", "models", "base-url", "prices")


class WithoutEffect(NamedTuple):
    """What the tests collected say."""

    refused: str = ""
    told: Sequence[str] = ()
    """What has no effect, each with why."""
    reads_models: bool = False
    """Whether a test asks for the settings of models, whatever it does with them."""


FOUND = pytest.StashKey[WithoutEffect]()
WORKER_FOUND = "todeval_without_effect"
"""What a worker of pytest-xdist found, which alone collects."""

DATA = ("data", "tau-home", "tau2-home")
KINDS = {
    "file": ("times", "hearing", "models", "policy", "prices"),
    "folder": ("prompts", "tau-home", "tau2-home"),
    "file or folder": ("examples", "data"),
}
"""What has to be there if an option names it."""
NO_MODEL = ("agenda", "recorded", "")


class Part(NamedTuple):
    """What tests of one function play and judge with."""

    test: str
    how: "PlaySettings"
    user: str
    """Who plays the user; empty if the suite brings one, or nobody plays."""
    judge: str
    """Who judges; empty if the test does not ask our judge."""
    world: World | None
    """None if no marker gives it goals."""


class RunToCheck(NamedTuple):
    """What is known of a run once its tests are collected."""

    settings: Settings
    parts: Sequence[Part]

    @property
    def played(self) -> "list[tuple[Part, World]]":
        return [(part, part.world) for part in self.parts if part.world is not None]

    @property
    def model_users(self) -> list[Part]:
        return [part for part in self.parts if part.user not in NO_MODEL]

    @property
    def model_judges(self) -> list[Part]:
        return [part for part in self.parts if part.judge not in ("rules", "")]

    @property
    def asks_judges_model(self) -> bool:
        """Whether anything but the fixture `judge` may ask it: coverage, sentences of a reward."""
        models = self.settings.model is not None or self.settings.models is not None
        own = any(type(world).evaluate is not World.evaluate for _, world in self.played)
        return bool(self.model_judges) or self.settings.coverage == "model" or (models and own)

    @property
    def varied_by_model(self) -> bool:
        told = (part.how.variation or self.settings.variation for part in self.parts)
        return any(name and name not in (*levels.LEVELS, "none") for name in told)

    def takes(self, place: str) -> bool:
        """Says whether a world reads where its data is."""
        return any(
            place in type(world).settings.values()
            or (place == "data" and getattr(world, "path", None) is not None)
            for _, world in self.played
        )


Lacks = Callable[[RunToCheck], bool]

NEEDS: Mapping[str, tuple[Lacks, str]] = {
    **{
        name: (
            lambda run, place=name: not run.takes(place),  # type: ignore[misc]
            f"no goal of this run is in the data that it is about ({data})",
        )
        for name, data in (("data", "MultiWOZ"), ("tau-home", "tau-bench"), ("tau2-home", "tau2"))
    },
    "outputs": (
        lambda run: all(type(world).outputs is World.outputs for _, world in run.played),
        "no goal of this run is a task with outputs",
    ),
    "upstream": (
        lambda run: all(type(world).upstream is World.upstream for _, world in run.played),
        "no goal of this run is tau-bench's or tau2's",
    ),
    "user": (
        lambda run: not any(part.user and part.how.user is None for part in run.parts),
        "each test says itself who plays its user",
    ),
    "variation": (
        lambda run: not any(part.how.variation is None for part, _ in run.played),
        "each test says itself how its user's words are varied",
    ),
    "judge": (
        lambda run: not any(part.judge and part.how.judge is None for part in run.parts),
        "no test leaves it to the run who judges with the fixture `judge`",
    ),
    "samples": (lambda run: not run.asks_judges_model, "no judge of this run is a model"),
    "policy": (lambda run: not run.model_judges, "no judge of this run is a model"),
    "coverage": (
        lambda run: run.settings.coverage == "model" and not run.model_users,
        "no user of this run is a model",
    ),
    "examples": (
        lambda run: not any(part.how.examples is None for part in run.model_users),
        "no user of this run is a model that is shown examples",
    ),
    "prompts": (
        lambda run: (
            not (
                run.model_users
                or run.asks_judges_model
                or run.varied_by_model
                or run.settings.ear == "model"
            )
        ),
        "no model of this run is asked with prompts of ours",
    ),
    **dict.fromkeys(
        (
            *("trivial", "limit", "trials", "shard", "ear", "claims", "hearing"),
            *("turn-timeout", "dialogue-timeout"),
        ),
        (lambda run: not run.played, "no test of this run has a goal"),
    ),
}
"""By option: when the tests that were collected leave it without effect, and what is said then."""

FOR_MARKERS: Mapping[str, tuple[Callable[[Part, bool], bool], str]] = {
    "persona": (lambda part, _: part.user in NO_MODEL, "no model plays the user"),
    "examples": (lambda part, _: part.user in NO_MODEL, "no model plays the user"),
    "user_model": (
        lambda part, varied: part.user in NO_MODEL and not varied,
        "no model plays the user",
    ),
    "user_style": (lambda part, _: part.user != "agenda", "the agenda user does not play"),
    "user": (lambda part, _: not part.user, "the suite brings a user of its own"),
    "judge": (lambda part, _: not part.judge, "nobody asks for the fixture `judge`"),
    "language": (
        lambda part, _: part.user in NO_MODEL and part.judge in ("rules", ""),
        "no model plays or judges",
    ),
}
"""By keyword of the marker `todeval`: when it has no effect on a test, and what is said then."""


def require_files(config: pytest.Config) -> None:
    """Raises UsageError for a file or folder that an option names and that is not there.

    Of data in the ini file, which not every machine has, that is said where it is read.
    """
    folder = path_of(config, "cassettes")
    if folder is not None and Settings.of(config).record == "replay" and not folder.is_dir():
        raise UsageError(
            f"{said(config, 'cassettes')}: no folder {folder}, so that nothing can be replayed; "
            "--todeval-record=missing makes it"
        )
    for kind, names in KINDS.items():
        for name in names:
            path = path_of(config, name)
            elsewhere = name in DATA and not given_value(config, name)
            if path is None or elsewhere or (name == "examples" and path.name == "none"):
                continue
            if not (path.is_dir() if kind == "folder" else path.exists()):
                raise UsageError(f"{said(config, name)}: no {kind} {path}")


def require_company(config: pytest.Config, settings: Settings) -> list[str]:
    """Returns what cannot have an effect for want of another option, as the lines for the ini file.

    Raises UsageError for one on the command line.
    """
    gated = settings.gates or settings.baseline
    live = settings.record == "live"
    lacking = {
        "times": not settings.shard and "it cuts shards: give --todeval-shard, too",
        "undecided": not gated and "it is about gates: give --todeval-gate or --todeval-baseline",
        "max-cost": not settings.prices and "what a call costs is not known: give todeval_prices",
        "allow": live and "with --todeval-record=live nothing is blocked",
        "jail": live and "with --todeval-record=live nothing is blocked",
        "cassettes": live and "with --todeval-record=live none is read or written",
    }
    return _told(config, ((name, why) for name, why in lacking.items() if why))


def look_at(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Notes what has no effect on the tests collected, before any is deselected.

    Raises pytest.UsageError if the command line says it, or if gates or tests ask for what there is
    not. A worker of pytest-xdist, where an error would end the process, plays nothing and hands it
    to the process that reports.
    """
    refused, told = "", list(config.stash.get(NOTHING_DRAWN, ()))
    try:
        told += of_tests(config, items)
        require_gates(Settings.of(config), items)
        require_rules(items)
    except UsageError as error:
        refused = str(error)
    asked = {name for item in items for name in getattr(item, "fixturenames", ())}
    if config.getini("todeval_gateway") and "todeval_gateway" not in asked:
        told.append("todeval_gateway (no test asks for the fixture of this name)")
    found = WithoutEffect(refused, told, "todeval_models" in asked)
    if hasattr(config, "workeroutput"):
        config.workeroutput[WORKER_FOUND] = tuple(found)
        if refused:
            items.clear()
    elif refused:
        raise pytest.UsageError(refused)
    config.stash[FOUND] = found


def of_tests(config: pytest.Config, items: Sequence[pytest.Item]) -> list[str]:
    """Returns what has no effect on the tests collected, as lines.

    Raises UsageError for an option that the command line gives.
    """
    asked = [name for name in NEEDS if text_of(config, name)]
    tests = [item for item in items if isinstance(item, pytest.Function)]
    marked = [item for item in tests if item.get_closest_marker("todeval") is not None]
    if not (asked or marked):
        return []
    parts = _parts(config, tests if asked else marked)
    run = RunToCheck(
        Settings.of(config),
        [each for each in {id(part): part for part in parts.values()}.values() if each],
    )
    lacking = ((name, NEEDS[name][1]) for name in asked if NEEDS[name][0](run))
    return [*_told(config, lacking), *_of_markers(run, {item: parts[item] for item in marked})]


def said(config: pytest.Config, name: str) -> str:
    """Returns an option as it was given: on the command line, or in the ini file."""
    return f"--todeval-{name}" if given_value(config, name) else f"{ini_name(name)} (ini file)"


def _told(config: pytest.Config, lacking: "Iterable[tuple[str, Any]]") -> list[str]:
    lines = []
    for name, why in lacking:
        if not text_of(config, name):
            continue
        if given_value(config, name):
            raise UsageError(
                f"--todeval-{name} has no effect in this run: {why}. Leave it out; what is meant "
                f"for other runs can stand in the ini file ({ini_name(name)})"
            )
        lines.append(f"{ini_name(name)} ({why})")
    return lines


def _parts(
    config: pytest.Config, tests: Sequence[pytest.Function]
) -> dict[pytest.Function, Part | None]:
    """By test, the same one for all that share function, markers and the matrix's user."""
    made: dict[object, Part | None] = {}
    found = {}
    for item in tests:
        case, user = case_of(item), parameters_of(item).get(USER)
        world = None if case is None else case.goal_set.world
        marks = tuple(id(mark) for mark in item.iter_markers("todeval"))
        key = (id(item.parent), item.originalname, marks, id(user), id(world))
        if key not in made:
            made[key] = _part(config, item, world, user)
        found[item] = made[key]
    return found


def _part(
    config: pytest.Config, item: pytest.Function, world: World | None, user: object
) -> Part | None:
    from pytest_todeval.integration.markers import play_settings

    judges = is_ours(item, "judge")
    if world is None and not judges:
        return None
    cast, how = cast_of(config), play_settings(item)
    own = isinstance(user, MatrixUser) and user.make is not None
    plays = world is not None and not own and is_ours(item, "user_simulator")
    return Part(
        item.nodeid.partition("[")[0],
        how,
        cast.plays_user(how, world.user_prompt) if plays and world is not None else "",
        cast.plays_judge(how) if judges else "",
        world,
    )


def _of_markers(run: RunToCheck, marked: Mapping[pytest.Function, Part | None]) -> Iterator[str]:
    """Keywords of the marker `todeval` without effect on any of the tests that bear it."""
    bearers: dict[int, tuple[pytest.Mark, list[Part]]] = {}
    for item, part in marked.items():
        for mark in item.iter_markers("todeval"):
            _, parts = bearers.setdefault(id(mark), (mark, []))
            parts += [] if part is None else [part]
    for mark, parts in bearers.values():
        if not parts:
            yield "the marker `todeval` (no test that bears it has a goal)"
        for name in mark.kwargs if parts else ():
            idle, why = FOR_MARKERS.get(name, (lambda part, _: False, ""))
            if all(idle(part, run.varied_by_model) for part in parts):
                yield f"`todeval({name}=...)` of {parts[0].test} ({why})"


def of_models(config: pytest.Config, entries: "Sequence[DialogueEntry]") -> list[str]:
    """Returns what is said of models, though none answered in the dialogues of a run."""
    asked = {lane for entry in entries for lane in entry.get("calls", ())}
    if not asked:
        priced = any(entry["usage"]["prompt_tokens"] for entry in entries)  # the bot reports them
        given = (name for name in OF_MODELS if text_of(config, name))
        names = [name for name in given if name != "prices" or not priced]
        return [f"{said(config, name)} (no model was asked)" for name in names]
    parts = (part.partition(":")[0].strip() for part in (text_of(config, "model") or "").split(","))
    idle = [lane for lane in parts if lane in {each.value for each in Lane} - asked]
    return [f"{said(config, 'model')} (no model was asked as {lane})" for lane in idle]
