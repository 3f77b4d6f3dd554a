"""Reports that other plugins make show the dialogue: pytest-html and Allure."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.test_page_in_runs import SUITE

WITH_MARKUP = SUITE.replace('"Hm."', '"<script>owned=1</script> Hm."')


@pytest.mark.skipif(find_spec("pytest_html") is None, reason="needs pytest-html")
@pytest.mark.parametrize("spread", [(), ("-n2",)])
def test_pytest_html_has_the_dialogue(pytester: pytest.Pytester, spread: tuple[str, ...]) -> None:
    pytester.makepyfile(WITH_MARKUP)
    pytester.runpytest("--html=out.html", "--self-contained-html", *spread)
    text = (pytester.path / "out.html").read_text(encoding="utf-8")
    assert "bot: &amp;lt;script&amp;gt;owned" in text
    assert "<script>owned" not in text


def allure_results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*-result.json"))]


@pytest.mark.skipif(find_spec("allure_pytest") is None, reason="needs allure-pytest")
@pytest.mark.parametrize("spread", [(), ("-n2",)])
def test_allure_has_the_dialogue_and_what_came_of_it(
    pytester: pytest.Pytester, spread: tuple[str, ...]
) -> None:
    pytester.makepyfile(WITH_MARKUP)
    pytester.runpytest("--alluredir=allure", *spread)
    folder = pytester.path / "allure"
    found = allure_results(folder)
    assert len(found) == 12
    for result in found:
        labels = {each["name"]: each["value"] for each in result["labels"]}
        attached = {each["name"]: folder / each["source"] for each in result.get("attachments", ())}
        assert labels["todeval.outcome"] == result["status"]
        assert ("todeval.cause" in labels) == (result["status"] == "failed")
        assert ("dialogue" in attached) == (result["status"] == "failed")
        if "dialogue" in attached:
            assert "bot: <script>owned=1</script> Hm." in attached["dialogue"].read_text()
        (parameter,) = [each for each in result["parameters"] if each["name"] == "goal"]
        assert parameter["value"].startswith("demo/")
        assert len(parameter["value"]) < 30
