"""The effective settings of a run, read once and checked."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from pytest_todeval import worlds
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.option_values import (
    given_value,
    naming_option,
    number_above_0,
    one_of,
    path_of,
    path_text,
    positive_int,
    require_inside,
    said_by_person,
    start_of,
    text_of,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.address import Address

WHO_PLAYS = (
    *("user", "variation", "judge", "ear", "coverage", "hearing", "model", "base-url", "models"),
    *("samples", "policy", "prompts", "examples"),
)
"""The options that say who plays, and how."""

PLAYED_ON = tuple(worlds.OPTIONS)
"""The options that say where the goals and their tools are."""

CHOICES = {
    "trivial": ("keep", "exclude"),
    "upstream": ("counted", "scored"),
    "outputs": ("published", "strict"),
    "show": ("groups", "all", "none", "live"),
    "undecided": ("pass", "fail", "later"),
    "ear": ("rules", "model"),
    "coverage": ("rules", "model"),
    "claims": ("keep", "fail"),
    "jail": ("kernel", "python"),
}
"""By option: the words it takes, if these are few."""
TEXTS = (
    *("json", "report", "hearing", "model", "base_url", "models", "policy", "prompts", "examples"),
    "prices",
)
PATHS = ("times", "baseline")
NUMBERS = ("limit", "trials", "samples", "concurrency", "max_calls")
"""Settings that need no more than to be read."""


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
    report: str | None = None
    show: str | None = None
    baseline: str | None = None
    undecided: str | None = None
    sequential: str | None = None
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
    concurrency: int | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    prices: str | None = None
    composites: Mapping[str, str] = MappingProxyType({})
    """Weights by the name of a composite score."""
    gates: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: pytest.Config) -> "Settings":
        """Returns those of a run, read once. Raises UsageError naming the wrong value."""
        if _SETTINGS not in config.stash:
            config.stash[_SETTINGS] = cls._read(config)
        return config.stash[_SETTINGS]

    @classmethod
    def _read(cls, config: pytest.Config) -> "Settings":
        simple: dict[str, Any] = {name: text_of(config, name.replace("_", "-")) for name in TEXTS}
        simple |= {name: path_text(config, name) for name in PATHS}
        simple |= {name: one_of(config, name, known) for name, known in CHOICES.items()}
        simple |= {name: positive_int(config, name.replace("_", "-")) for name in NUMBERS}
        _refuse_strict_upstream(simple)
        return cls(
            places=_places(config),
            shard=_shard(config),
            sequential=_sequential(config),
            user=_who(config, "user"),
            variation=_who(config, "variation"),
            judge=_judge(config),
            turn_timeout=number_above_0(config, "turn-timeout", "seconds"),
            dialogue_timeout=number_above_0(config, "dialogue-timeout", "seconds"),
            record=_record(config),
            allow=_allow(config),
            max_cost=number_above_0(config, "max-cost", "US dollars"),
            composites=_composites(config),
            gates=_gates(config),
            **simple,
        )

    @property
    def plays_ahead(self) -> bool:
        """Says whether dialogues may be played at once: if that is asked for, or calls are made.

        Not by itself under a limit of cost, as what calls under way cost is known too late, and
        where a dialogue is followed turn by turn.
        """
        free = self.max_cost is None and self.show != "live"
        return self.concurrency is not None or (self.record != "replay" and free)

    def given(self) -> dict[str, str]:
        """Returns the settings that differ from their default, as text."""
        given = self._asdict()
        differing = {k: v for k, v in given.items() if v != self._field_defaults[k]}
        places = {k.replace("-", "_"): v for k, v in differing.pop("places", {}).items()}
        composites = {f"composite {k}": v for k, v in differing.pop("composites", {}).items()}
        if (shard := differing.pop("shard", None)) is not None:
            places["shard"] = "/".join(map(str, shard))
        others = {k: _told(v) for k, v in differing.items()}
        return {**places, **others, **composites}


_SETTINGS = pytest.StashKey[Settings]()


def results_path(config: pytest.Config, option: Literal["json", "report"] = "json") -> Path | None:
    """Returns where the results file, or the page, is to be, if one is asked for.

    Raises UsageError for a place that no file can be at: better before a run than after it.
    """
    text = text_of(config, option)
    if text is None:
        return None
    from pytest_todeval.core.documents.writing import unwritable

    path = start_of(config) / text
    if not said_by_person(config, option):
        require_inside(config, option, path)
    if wrong := unwritable(path):
        raise UsageError(f"--todeval-{option}: got {text!r}, but {wrong}; expected a file to write")
    return path


def partial_path(results: Path) -> Path:
    """Returns where a run keeps what it has played until its results file is written."""
    return results.with_name(f"{results.name}.partial")


def same_run(config: pytest.Config) -> tuple[str, ...]:
    """The options given on the command line without which others would play, or other goals."""
    given = {name: given_value(config, name) for name in (*WHO_PLAYS, *PLAYED_ON)}
    return tuple(f"--todeval-{name}={value}" for name, value in given.items() if value)


def _places(config: pytest.Config) -> dict[str, str]:
    found = {name: path_of(config, name) for name in PLAYED_ON}
    return {name: str(place) for name, place in found.items() if place is not None}


def _refuse_strict_upstream(given: Mapping[str, Any]) -> None:
    if given["upstream"] is not None and given["outputs"] == "strict":
        raise UsageError(
            "--todeval-upstream and --todeval-outputs=strict: the benchmarks do not ask for "
            "outputs strictly; leave out one of the two"
        )


def _who(config: pytest.Config, name: Literal["user", "variation"]) -> str | None:
    value = text_of(config, name)
    if value is not None:
        from pytest_todeval.play.who import check_user, check_variation

        check = check_user if name == "user" else check_variation
        check(value, f"--todeval-{name}")
    return value


def _judge(config: pytest.Config) -> str | None:
    if text_of(config, "judge") is None:
        return None
    from pytest_todeval.play.who import JUDGES

    return one_of(config, "judge", JUDGES)


def _record(config: pytest.Config) -> str:
    text = text_of(config, "record") or "replay"
    if text != "replay":  # most runs replay, and need not import what knows the modes
        from pytest_todeval.recording.mode import modes_from

        with naming_option("record"):
            modes_from(text)
        from pytest_todeval.trust import in_ci

        if in_ci() and not said_by_person(config, "record"):
            raise UsageError(
                f"todeval_record = {text}: in CI, a file of the project alone has no call really "
                f"made. If you want that, say it on the command line: --todeval-record={text}"
            )
    return text


def _allow(config: pytest.Config) -> tuple[str, ...]:
    addresses = tuple(filter(None, re.split(r"[,\s]+", text_of(config, "allow") or "")))
    if addresses:
        from pytest_todeval.recording.address import Address

        with naming_option("allow"):
            for address in addresses:
                _require_trust(config, Address.parse(address))
    return addresses


def _require_trust(config: pytest.Config, address: "Address") -> None:
    from pytest_todeval.recording.address import is_loopback
    from pytest_todeval.trust import in_ci, line_to_trust, may_be_called

    local = address.host.startswith("/") or is_loopback(address.host)
    if local or not in_ci() or said_by_person(config, "allow"):
        return
    if not may_be_called(f"//{address}"):
        raise UsageError(
            f"todeval_allow: in CI, {address} is not called because a file of the project alone "
            f"asks for it. If you trust it, set in the job's environment: "
            f"{line_to_trust(f'//{address}')}"
        )


def _shard(config: pytest.Config) -> tuple[int, int] | None:
    text = text_of(config, "shard")
    if text is None:
        return None
    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"--todeval-shard: got {text!r}, expected N/OF, such as 2/5")
    return int(found[1]), int(found[2])


def _sequential(config: pytest.Config) -> str | None:
    if config.getoption("todeval_sequential") == "":
        raise UsageError(
            "--todeval-sequential: got nothing, expected any text, such as the commit; is a "
            "variable not set?"
        )
    value = text_of(config, "sequential")
    if value is None:
        return None
    if not (_gates(config) or text_of(config, "baseline")):
        raise UsageError(
            "--todeval-sequential needs what is to be decided: give --todeval-gate or "
            "--todeval-baseline"
        )
    if text_of(config, "shard"):
        raise UsageError(
            "--todeval-sequential and --todeval-shard: a shard cannot tell when the whole run is "
            "decided; leave out one of the two"
        )
    return value


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _gates(config: pytest.Config) -> tuple[str, ...]:
    gates = tuple(config.getoption("todeval_gates", None) or config.getini("todeval_gate"))
    if gates:
        from pytest_todeval.runs.reports.gates.gate import parse_gate

        with naming_option("gate"):
            for gate in gates:
                parse_gate(gate)
    return gates


def _composites(config: pytest.Config) -> dict[str, str]:
    lines = config.getini("todeval_composite")
    if not lines:
        return {}
    from pytest_todeval.runs.statistics.composite import composites_from

    try:
        return {each.name: each.formula for each in composites_from(lines)}
    except UsageError as error:
        raise UsageError(f"todeval_composite: {error}") from None
