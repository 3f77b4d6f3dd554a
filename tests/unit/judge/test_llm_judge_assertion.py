"""Whether a sentence about a dialogue is true of it, as a model reads it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, ModelUnavailable, UsageError
from pytest_todeval.judge.llm_judge import assertion, context
from pytest_todeval.judge.llm_judge.assertion import judge_assertion
from pytest_todeval.judge.llm_judge.judge import LLMJudge
from pytest_todeval.judge.question import ModelBench
from pytest_todeval.judge.rule_judge import RuleJudge
from pytest_todeval.llm.prompt import Prompts
from pytest_todeval.standin.answer import Answerable
from pytest_todeval.testing import Answer, StandInServer, Status
from tests.support.dialogue_world import restaurant_goal
from tests.support.hostile_replies import HOSTILE, gullible
from tests.support.judging_world import everywhere, panel_of, played, texts, together

SENTENCE = "The bot should not name a price."


def says(answer: str, reason: str = "told why") -> Mapping[str, str]:
    return {"reason": reason, "answer": answer}


def judged(
    server: StandInServer,
    shown: Dialogue | None = None,
    *models: str,
    sentence: str = SENTENCE,
    samples: int = 1,
) -> Verdict:
    panel = panel_of(server, *models, samples=samples)
    bench = ModelBench(panel, Prompts())
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


@pytest.mark.parametrize("reply", ["Well ...", "", says("perhaps"), says("not applicable")])
def test_what_does_not_tell_is_a_fault(reply: Answerable) -> None:
    with (
        StandInServer(lambda request: reply) as server,
        pytest.raises(JudgeFault, match=r"test/G1: 'The bot should not .*could not be judged: "),
    ):
        judged(server)


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        (("yes", "yes", "no"), True),
        (("no", "?", "no"), False),
        (("yes", "no", "?"), None),
        (("yes", "?", "?"), None),
    ],
)
def test_most_answers_count(given: tuple[str, ...], passed: bool | None) -> None:
    with StandInServer(lambda request: says(given[request.body["seed"]])) as server:
        if passed is None:
            with pytest.raises(JudgeFault):
                judged(server, samples=3)
        else:
            assert bool(judged(server, samples=3)) is passed


def test_a_divided_panel_is_a_fault() -> None:
    with (
        StandInServer(lambda request: says("yes" if request.model == "a" else "no")) as server,
        pytest.raises(JudgeFault, match="the answers are divided"),
    ):
        judged(server, None, "a", "b")


def test_nothing_to_ask_is_never_asked_and_an_endpoint_out_of_reach_is_no_answer() -> None:
    with StandInServer(lambda request: Answer(error=Status(503))) as server:
        with pytest.raises(JudgeFault, match="no turn"):
            judged(server, Dialogue(restaurant_goal()))
        with pytest.raises(UsageError, match="expected a sentence"):
            judged(server, sentence=" \n")
        assert server.hits == 0
        with pytest.raises(ModelUnavailable):
            judged(server)


def test_a_test_asks_the_judge() -> None:
    with StandInServer(lambda request: says("no", "It names £10.")) as server:
        verdict = LLMJudge(panel_of(server).clients[0]).holds(played(), SENTENCE)
    assert not verdict
    assert verdict.reason == "It names £10."
    with pytest.raises(UsageError, match=r"judge\.holds needs a model as the judge"):
        RuleJudge().holds(played(), SENTENCE)


def test_the_same_is_asked_in_the_same_words() -> None:
    with StandInServer(lambda request: says("no")) as server:
        judged(server)
        judged(server)
    first, second = (request.body for request in server.requests)
    assert first == second


@pytest.fixture(scope="module")
def weak_judge() -> Iterator[StandInServer]:
    with StandInServer(gullible(says("no"), says("yes"))) as server:
        yield server


@pytest.mark.parametrize("reply", HOSTILE)
def test_no_reply_talks_itself_up(weak_judge: StandInServer, reply: str) -> None:
    assert not judged(weak_judge, everywhere(reply))
    assert not judged(weak_judge, everywhere("Hello."), sentence=reply)


@pytest.mark.parametrize("place", [context, assertion])
def test_without_fences_they_would(
    weak_judge: StandInServer, monkeypatch: pytest.MonkeyPatch, place: object
) -> None:
    monkeypatch.setattr(place, "fenced", lambda kind, text: text)
    assert judged(weak_judge, everywhere(HOSTILE[0]), sentence=HOSTILE[0])
