"""What Allure's report (`--alluredir`) has of a dialogue: what came of it, and what was said."""

from collections.abc import Iterable
from importlib import import_module

import pytest

LABELS = ("todeval.outcome", "todeval.cause", "todeval.decisive_turn")


def is_on(config: pytest.Config) -> bool:
    return bool(config.pluginmanager.hasplugin("allure_listener"))


def add_dialogue(report: pytest.TestReport, properties: Iterable[tuple[str, str]]) -> None:
    """Attach the dialogue of a failed test, and label it. Needs allure-pytest, which is on."""
    allure = import_module("allure")
    for name, text in report.sections:
        if name == "dialogue":
            allure.attach(text, "dialogue", allure.attachment_type.TEXT)
    for name, value in properties:
        if name in LABELS:
            allure.dynamic.label(name, value)
