"""One gate as it is written: `booking >= 0.85 for domain hotel`."""

import re
from dataclasses import dataclass

from pytest_todeval.errors import UsageError

SCOPES = ("goals", "domain", "bot", "user", "label")
UNITS = {"": 1.0, "s": 1.0, "ms": 0.001, "%": 0.01}
_GATE = re.compile(
    r"\s*(?P<name>pass[@^]\d{1,2}|[A-Za-z][\w./ -]*?)"
    r"(?:\.(?P<statistic>mean|min|max|p50|p90|total|rate|count))?"
    r"\s*(?P<sign>>=|<=|==|<|>)\s*(?P<bound>\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>s|ms|%)?"
    r"(?P<scope>(?:\s+for\s+\w+\s+\S+)*)\s*",
    re.ASCII,
)
_SCOPE = re.compile(r"for\s+(\w+)\s+(\S+)")
_SIGN_MEANT = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "=": "=="}
_NOT_A_SIGN = re.compile("=>|=<|≥|≤|(?<![<>=])=(?![<>=])")
EXPECTED = (
    "`NAME[.STATISTIC] SIGN NUMBER [for goals|domain|bot|user|label NAME]`, such as "
    "`booking >= 0.85`, `policy_compliance.min >= 3`, `latency.p90 <= 3s`, "
    "`rules.no-phantom-booking == 0`"
)


@dataclass(frozen=True, slots=True)
class Gate:
    """What has to hold."""

    text: str
    """As it was written."""
    name: str
    """A verdict, a score (`judge.NAME` is NAME), `rules.NAME`, `passed`, `pass^4`, `pass@4`,
    `faults`, `flaky`, `latency`, `turns` or `cost`."""
    statistic: str | None
    """None: the usual one of the name."""
    sign: str
    bound: float
    scope: tuple[tuple[str, str], ...] = ()
    """Of which dialogues: by goal set, domain, bot, user or label of the goal."""


def parse_gate(text: str) -> Gate:
    """Reads one. Raises UsageError, with what is expected."""
    found = _GATE.fullmatch(text)
    if found is None:
        raise UsageError(f"gate: got {text.strip()!r:.80}, expected {EXPECTED}{_meant(text)}")
    scope = tuple((key, value) for key, value in _SCOPE.findall(found["scope"]))
    if unknown := [key for key, _ in scope if key not in SCOPES]:
        raise UsageError(
            f"gate {text.strip()!r:.80}: got `for {unknown[0]}`, expected one of "
            f"{', '.join(SCOPES)}"
        )
    name, unit = found["name"].strip().removeprefix("judge."), found["unit"] or ""
    if wrong := _wrong_unit(name, unit):
        raise UsageError(f"gate {text.strip()!r:.80}: {wrong}")
    return Gate(
        " ".join(text.split()),
        name,
        found["statistic"],
        found["sign"],
        float(found["bound"]) * UNITS[unit],
        scope,
    )


def _meant(text: str) -> str:
    if text.strip().endswith((".json", ".jsonl")):
        return "; of runs, one is held against gates: `todeval merge` makes one file of several"
    likely = _NOT_A_SIGN.sub(lambda found: _SIGN_MEANT[found[0]], text.strip())
    return f"; did you mean `{likely:.80}`?" if _GATE.fullmatch(likely) else ""


def _wrong_unit(name: str, unit: str) -> str | None:
    if unit in ("s", "ms") and name.partition(".")[0] != "latency":
        return f"{unit!r} is a unit of latency, not of {name}"
    if unit == "%" and name in ("latency", "turns", "cost"):
        return f"'%' is a unit of shares, not of {name}"
    return None
