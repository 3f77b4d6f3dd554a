"""What pytest's JUnit file (`--junitxml`) has of a dialogue: properties, and what was said."""

from collections.abc import Iterator
from statistics import fmean
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

import pytest

if TYPE_CHECKING:
    from pytest_todeval.runs.reports.schema import DialogueEntry


def is_written(config: pytest.Config) -> bool:
    return bool(config.getoption("xmlpath", None))


def properties(entry: "DialogueEntry", cause: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Names and values, each name with `todeval.` before it."""
    from pytest_todeval.runs.reports.causes import broken_in

    told: dict[str, object] = {name: entry.get(name) for name in ("goal", "outcome", "bot", "user")}
    told["stop_reason"] = entry["stop_reason"]
    told["turns"] = len(entry["turns"])
    told["cause"] = cause and cause["title"]
    told["decisive_turn"] = cause and cause["turn"]
    told |= {name: value for name, value in entry["metrics"].items() if value is not None}
    for name, scores in entry["scores"].items():
        values = [score["value"] for score in scores if score["value"] is not None]
        told[name] = f"{fmean(values):.2f}" if values else None
    broken = [name for name, results in entry["rules"].items() if broken_in(results)]
    told["broken_rules"] = ", ".join(broken)
    yield from (
        (f"todeval.{name}", str(value)) for name, value in told.items() if value not in (None, "")
    )


def add_dialogue(report: pytest.TestReport, config: pytest.Config) -> None:
    """Puts what was said in a failed test where JUnit has a test's output."""
    from _pytest.junitxml import bin_xml_escape, xml_key

    xml = config.stash.get(xml_key, None)
    said = "\n\n".join(f"{name}\n{text}" for name, text in report.sections if name == "dialogue")
    if xml is None or not said:
        return
    element = Element("system-out")
    element.text = bin_xml_escape(said)
    xml.node_reporter(report).append(element)
