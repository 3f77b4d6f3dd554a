"""`todeval mutate`: a suite that asserts little lets faults through, and is told what would not."""

import json

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import Suite

WEAK = """
import pytest

@pytest.mark.goals("demo", ids=["DEMO001", "DEMO002", "DEMO003"])
@pytest.mark.todeval(unserved="allowed")
def test_says_something(dialogue):
    assert dialogue.turns
"""


def test_survivors_are_told_with_what_would_have_caught_them(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytester = suite(WEAK)
    monkeypatch.chdir(pytester.path)
    options = ["mutate", "--only", "altered,leaks,hides_refusals", "--json", "kills.json"]
    assert main([*options, "test_bot.py"]) == 1
    told = capsys.readouterr().out
    assert "3 dialogues pass without a fault" in told
    assert "SURVIVED" in told
    found = {
        e["mutant"]: e for e in json.loads((pytester.path / "kills.json").read_text())["mutants"]
    }
    assert not found["altered"]["killed_by"]
    assert found["leaks"]["changed"]
    assert found["leaks"]["advice"].startswith("assert judge.rules(dialogue): rule ")
    advised = [e["advice"] for e in found.values() if e["changed"]]
    body = "\n    ".join(["assert dialogue.turns", *(a.split(":")[0] for a in advised)])
    strong = WEAK.replace("assert dialogue.turns", body).replace(
        "(dialogue)", "(dialogue, judge)", 1
    )
    suite(strong)
    assert main([*options, "test_bot.py"]) == 0
    assert "killed in" in capsys.readouterr().out


def test_a_suite_that_cannot_be_run_is_told(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(suite(WEAK).path)
    assert main(["mutate", "no_such_test.py"]) == 2
    assert "pytest did not run the suite" in capsys.readouterr().err
    assert main(["mutate", "--only", "alterd", "test_bot.py"]) == 2
    assert "did you mean 'altered'" in capsys.readouterr().err
