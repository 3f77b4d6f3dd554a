"""Whether a sentence about a dialogue is true of it, as a model reads it."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.assertion import judge_assertion
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import StandInServer
from tests.support.judging_world import panel_of, played, texts, together

SENTENCE = "The bot should not name a price."


def says(answer: str, reason: str = "told why") -> Mapping[str, str]:
    return {"reason": reason, "answer": answer}


def judged(
    server: StandInServer,
    shown: Dialogue | None = None,
    *models: str,
    sentence: str = SENTENCE,
) -> Verdict:
    bench = ModelBench(panel_of(server, *models), Prompts())
    return judge_assertion(bench, played() if shown is None else shown, sentence)


@pytest.mark.parametrize("passed", [True, False])
def test_the_verdict_has_a_reason(passed: bool) -> None:
    with StandInServer(lambda request: says("yes" if passed else "no", "No price.")) as server:
        verdict = judged(server)
    assert len(server.requests) == 1
    assert (verdict.name, verdict.reason) == (f"holds: {SENTENCE}", "No price.")
    assert bool(verdict) is passed
    assert verdict.basis == "judged by m"
    assert verdict.definition.startswith("model assertion 1 (")


def test_the_answers_of_a_panel_are_kept() -> None:
    with StandInServer(lambda request: says("no" if request.model == "n" else "yes")) as server:
        verdict = judged(server, None, "m", "n", "o")
        alone = judged(server)
    assert verdict
    assert [(each.by, each.value) for each in verdict.samples] == [("m", 1), ("n", 0), ("o", 1)]
    assert len(alone.samples) == 0


def test_what_is_shown() -> None:
    shown = replace(played(), goal=replace(played().goal, message=("Eat well.",)))
    with StandInServer(lambda request: says("yes")) as server:
        judged(server, shown)
        judged(server, shown, sentence="The bot is polite.")
    one, other = texts(server)
    for text in (one, other):
        assert '"the copper kettle"' in text, "what tools gave back is shown"
        assert "Eat well." not in text, "the goal is not"
    assert "⟦statement " in one
    assert SENTENCE in one + other
    assert together(one, other) > one.index("⟦statement "), "the dialogue comes first"


def test_verdicts_on_different_sentences_are_not_the_same_metric() -> None:
    with StandInServer(lambda request: says("yes")) as server:
        first, again = judged(server), judged(server, sentence=f" {SENTENCE}\n")
        other = judged(server, sentence="The bot is polite.")
    assert first.definition == again.definition
    assert first.definition != other.definition


def test_no_sentence_is_never_asked_about() -> None:
    with StandInServer(lambda request: says("yes")) as server:
        with pytest.raises(UsageError, match="expected a sentence"):
            judged(server, sentence=" \n")
        assert server.hits == 0


def test_a_test_asks_the_judge() -> None:
    with StandInServer(lambda request: says("no", "It names £10.")) as server:
        verdict = LLMJudge(panel_of(server).clients[0]).holds(played(), SENTENCE)
    assert not verdict
    assert verdict.reason == "It names £10."
    with pytest.raises(UsageError, match=r"judge\.holds needs a model as the judge"):
        RuleJudge().holds(played(), SENTENCE)
