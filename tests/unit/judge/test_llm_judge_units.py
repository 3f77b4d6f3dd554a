"""Natural-language unit tests: shipped, as sentences, from a file; per turn and per dialogue."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import InvalidFile, JudgeFault, UsageError
from pytest_todeval.evaluate.judge.llm_judge import dimensions
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.places import turn_places
from pytest_todeval.evaluate.judge.llm_judge.unit_tests import UnitTest, unit_tests
from pytest_todeval.evaluate.judge.llm_judge.units import _mean, score_units
from pytest_todeval.evaluate.judge.llm_judge.votes import nothing_said, sample_of
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.ask import Asked
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.yes_no import YesNoReply
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.judging_world import (
    NO_MODEL,
    graded,
    panel_of,
    played,
    texts,
)

POLITE, SHORT = "Is the reply polite?", "Is the reply short?"

Source = Sequence[str] | str | Path | None

DIMENSIONS = [f"unit_{name}" for name in dimensions.DIMENSIONS]


def judged(
    server: StandInServer,
    tests: Source = None,
    per: str = "turn",
    shown: Dialogue | None = None,
    samples: int = 1,
) -> Mapping[str, ScoreSeries]:
    panel = panel_of(server, samples=samples)
    return score_units(
        ModelBench(panel, Prompts()), played() if shown is None else shown, tests, per
    )


def values(series: Mapping[str, ScoreSeries]) -> dict[str, list[float | None]]:
    return {name: [score.value for score in each] for name, each in series.items()}


def numbered(*scores: object) -> Mapping[str, object]:
    return graded({f"test_{at}": score for at, score in enumerate(scores, 1)})


def asks(request: ChatRequest) -> int:
    """How many tests are asked about."""
    assert request.schema is not None
    return len(request.schema["properties"])


def always(score: object) -> Callable[[ChatRequest], Answerable]:
    """Gives every test the same score."""
    return lambda request: numbered(*[score] * asks(request))


def test_the_shipped_tests_give_a_score_per_dimension() -> None:
    with StandInServer(lambda request: numbered(5, 4, 3, 1, 1, 2, 5, 5, 5)) as server:
        series = judged(server)
    assert len(server.requests) == 3
    assert values({name: series[name] for name in DIMENSIONS}) == {
        "unit_conversation_cohesion": [4, 4, 4],
        "unit_backend_consistency": [pytest.approx(4 / 3)] * 3,
        "unit_policy_compliance": [5, 5, 5],
    }
    assert list(series)[:3] == DIMENSIONS
    assert len(series) == 12
    first = series["unit_conversation_cohesion"][0]
    assert (first.turn, first.scale, first.reason) == (1, (1, 5), "lowest 3: test_3 it is")
    assert "unit_test_turn 1 (" in first.definition


def test_the_shipped_test_of_the_dialogue() -> None:
    with StandInServer(always(4)) as server:
        series = judged(server, per="dialogue")
    assert values(series) == {"unit_goal_completion": [4]}
    assert series["unit_goal_completion"][0].turn is None
    assert series["unit_goal_completion"] >= 4
    assert "⟦goal " in texts(server)[0]


def test_sentences_are_their_own_names() -> None:
    with StandInServer(lambda request: numbered(*[2, 5][: asks(request)])) as server:
        several = judged(server, [POLITE, f" {SHORT}\n", POLITE])
        one = judged(server, POLITE, per="dialogue")
    assert values(several) == {POLITE: [2, 2, 2], SHORT: [5, 5, 5]}
    assert values(one) == {POLITE: [2]}
    assert [score.name for score in several[SHORT]] == [SHORT] * 3


def test_a_file_of_tests(tmp_path: Path) -> None:
    path = tmp_path / "tests.yaml"
    path.write_text(
        f"turn:\n  manners:\n    - {POLITE}\n    - {SHORT}\n  brevity: {SHORT}\n", encoding="utf-8"
    )
    with StandInServer(lambda request: numbered(2, 5)) as server:
        series = judged(server, path)
        assert values(judged(server, str(path))) == values(series)
    assert {name: each[0] for name, each in values(series).items()} == {
        "manners": 3.5,
        "brevity": 5,
        POLITE: 2,
        SHORT: 5,
    }
    with pytest.raises(UsageError, match="no unit tests under `dialogue`"):
        unit_tests(path, "dialogue")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tests.yaml.*expected a mapping with the key `turn` or `dialogue`"),
        ("- a", "expected a mapping"),
        ("turns: {a: b}", "tests.yaml:1: unknown key 'turns'; did you mean 'turn'"),
        ("turn: [a]", "expected names"),
        ("turn:\n  a: ''", "tests.yaml:2: a: expected a sentence"),
        ("turn:\n  a: [b, 3]", "tests.yaml:2: a: expected a sentence"),
        ("turn:\n  a: []", "tests.yaml:2: a: expected a sentence"),
        ("turn:\n  3: b", "tests.yaml:2: the name of a test is 3"),
    ],
)
def test_mistakes_in_a_file_are_told_with_their_line(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "tests.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=message):
        unit_tests(path)


@pytest.mark.parametrize("source", [[], "", [""], [POLITE, " "], "missing.yaml", Path("missing")])
def test_mistakes_in_a_call_are_told(source: Source) -> None:
    with pytest.raises(UsageError):
        unit_tests(source)
    with pytest.raises(UsageError, match="per is 'word', expected one of turn, dialogue"):
        unit_tests(POLITE, "word")


def test_loading_gives_names_and_sentences() -> None:
    assert unit_tests([POLITE]) == (UnitTest(POLITE, (POLITE,)),)
    shipped = unit_tests(None)
    assert [(test.name, len(test.sentences)) for test in shipped] == [(n, 3) for n in DIMENSIONS]


def test_what_a_turn_does_not_have_counts_in_no_mean() -> None:
    idle = "not applicable"
    with StandInServer(
        lambda request: numbered(4, idle, 2, idle, idle, idle, 5, 5, idle)
    ) as server:
        series = judged(server)
    assert series["unit_conversation_cohesion"][0].value == 3
    assert series["unit_backend_consistency"][0].unscored == idle
    assert series["unit_policy_compliance"][0].value == 5
    assert not series["unit_backend_consistency"].applicable
    with pytest.raises(JudgeFault, match="unit_backend_consistency is not applicable"):
        assert series["unit_backend_consistency"] >= 5


def test_no_test_of_a_whole_dialogue_is_not_applicable() -> None:
    with StandInServer(always("not applicable")) as server:
        series = judged(server, POLITE, per="dialogue")
    assert series[POLITE][0].is_fault


def test_an_unreadable_answer_is_never_a_mean() -> None:
    def answer(request: ChatRequest) -> Answerable:
        spoilt = "in turn 2," in str(request.messages[1]["content"])
        return numbered(5, 5, 5) if spoilt else always(5)(request)

    with StandInServer(answer) as server:
        series = judged(server)
    for name in DIMENSIONS:
        assert [score.value for score in series[name]] == [5, None, 5]
        with pytest.raises(JudgeFault, match=f"{name} of turn 2 is unscored"):
            assert series[name] >= 1


def test_samples_and_other_tests_have_their_own_definition() -> None:
    with StandInServer(lambda request: numbered(1 + 2 * request.body["seed"])) as server:
        score = judged(server, POLITE, samples=2)[POLITE][0]
        other = judged(server, SHORT, samples=2)[SHORT][0]
    assert (score.value, score.spread, len(score.samples)) == (2, 2, 2)
    assert score.definition != other.definition


def as_published(
    answer: Callable[[ChatRequest], Answerable], tests: Source = None, per: str = "turn"
) -> tuple[Mapping[str, ScoreSeries], list[ChatRequest]]:
    with StandInServer(answer) as server:
        bench = ModelBench(panel_of(server), Prompts(published=True))
        series = score_units(bench, played(), tests, per)
    return series, list(server.requests)


def test_as_published_each_test_has_a_call_of_its_own() -> None:
    series, asked = as_published(lambda request: "Score: 4\nJustification: so it is")
    assert len(asked) == 3 * 9
    assert all("response_format" not in request.body for request in asked)
    assert values({name: series[name] for name in DIMENSIONS}) == {
        name: [4, 4, 4] for name in DIMENSIONS
    }
    assert "published unit_test_turn 1 (" in series[DIMENSIONS[0]][0].definition
    _, asked = as_published(lambda request: "Score: 4", per="dialogue")
    assert len(asked) == 1
    assert "⟦goal " in asked[0].last_user


@pytest.mark.parametrize(
    ("scores", "mean"), [((4, 5), 5), ((5, 4.9), 5), ((4.2, 4.6), 4), ((1, 2), 2), ((1, 1), 1)]
)
def test_as_published_a_mean_is_rounded_halves_up(
    tmp_path: Path, scores: tuple[float, float], mean: float
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(f"turn:\n  manner:\n    - {POLITE}\n    - {SHORT}\n", "utf-8")
    by_test = dict(zip((POLITE, SHORT), scores, strict=True))

    def answer(request: ChatRequest) -> str:
        return next(f"Score: {n}" for test, n in by_test.items() if test in request.last_user)

    series, _ = as_published(answer, path)
    assert values(series) == {
        "manner": [mean] * 3,
        POLITE: [scores[0]] * 3,
        SHORT: [scores[1]] * 3,
    }


def test_as_published_every_turn_has_a_score() -> None:
    series, _ = as_published(lambda request: "Score: not applicable", [POLITE])
    assert all(score.is_fault for score in series[POLITE])


def test_the_first_sentence_without_a_score_tells_why_there_is_no_mean() -> None:
    idle = {name: Score(name, None, name, 1, unscored=Score.NOT_APPLICABLE) for name in "ab"}
    fault = Score("c", None, "cut off", 1, unscored="cut off")
    good = {name: Score(name, value, name, 1) for name, value in (("d", 4), ("e", 2), ("f", 2))}
    scores = {**idle, "c": fault, **good}
    told = {names: _mean(UnitTest("t", tuple(names)), scores) for names in ("ab", "abc", "adef")}
    assert [(each.name, each.value, each.reason) for each in told.values()] == [
        ("t", None, "a"), ("t", None, "cut off"), ("t", pytest.approx(8 / 3), "lowest 2: e"),
    ]  # fmt: skip


def test_no_answers_settle_nothing_and_one_may_be_neither_yes_nor_no() -> None:
    assert nothing_said(()) == "0 of 0 answers cannot be read"
    lost = Sample("a", None, "cut off"), Sample("b", None, "odd"), Sample("c", 1.0, "so")
    assert nothing_said(lost) == "2 of 3 answers cannot be read; a: cut off"
    assert nothing_said(lost[1:]) is None
    neither = PanelAnswer("m", Asked(YesNoReply(None, "well")))
    assert sample_of(neither, "does not apply").reason == "does not apply"
    assert sample_of(neither).reason == "no answer"


def test_each_turn_is_shown_with_all_that_was_said_up_to_it() -> None:
    shown = [each["utterances"] for each in turn_places(NO_MODEL, played())]
    assert [text.count("Turn ") for text in shown] == [1, 2, 3]
    for turn, text in zip(played().turns, shown, strict=True):
        assert text.endswith(f"{fenced('user', turn.user)}\n{fenced('system', turn.system)}")
