"""AutoEval-ToD (Jain et al. 2025) held to its words; sections, prompts and tables are its own.

Expected values are derived here from the paper's definitions.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.latency import Latency
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.retrieval import progressive, retrieval, retrieval_rates
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.reading.rules import RulesReader
from pytest_todeval.models.reading.yes_no import YesNoReader
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.prices import Prices
from pytest_todeval.rules import Rule, RuleSet, load_rules
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.runs.statistics.composite import Composite
from pytest_todeval.simulation.llm_user import STRATEGIES
from pytest_todeval.simulation.loop import Limits
from pytest_todeval.simulation.variation import make_variation
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import KETTLE, SAFFRON, dialogue, found, restaurant_goal, said
from tests.support.llm_user_world import HEADSET, play
from tests.support.papers_prompts import autoeval_tod, written
from tests.support.papers_world import (
    by_schema,
    judging,
    kept,
    talk,
    temperatures,
    text_of,
    unfenced,
)

QUALITY = (
    "factual_correctness",
    "completeness",
    "entailment",
    "unbiased",
    "empathy",
    "language_correctness",
)
TAGGED = "<answer>YES</answer>"

# 3.1 Retrieval: Hit-Rate@k and MRR@k; 3.3: the same by turn


def hits(ranking: Sequence[str], right: set[str], k: int) -> float:
    """3.1: whether the correct item is within the top k."""
    return float(any(item in right for item in ranking[:k]))


def reciprocal(ranking: Sequence[str], right: set[str], k: int) -> float:
    """3.1: one over the rank of the first relevant item; 0 if none is within the top k."""
    ranks = [rank for rank, item in enumerate(ranking[:k], 1) if item in right]
    return 1 / ranks[0] if ranks else 0.0


# 3.2 User experience: latency, goal completion, turns to resolution


@pytest.mark.parametrize("percent", [50, 90])
@pytest.mark.parametrize("count", [1, 2, 5, 10, 37])
def test_latency_percentiles_by_nearest_rank(percent: int, count: int) -> None:
    """The least value that at least p of 100 turns do not exceed."""
    drawn = random.Random(count)
    seconds = {turn: drawn.random() for turn in range(1, count + 1)}
    enough = [
        value
        for value in sorted(seconds.values())
        if 100 * sum(each <= value for each in seconds.values()) >= percent * count
    ]
    latency = Latency.of(seconds)
    assert (latency.p50 if percent == 50 else latency.p90) == enough[0]


@pytest.mark.thorough
def test_latency_percentiles_are_numpys() -> None:
    numpy = pytest.importorskip("numpy")
    drawn = random.Random(3)
    for count in range(1, 60):
        seconds = {turn: drawn.random() for turn in range(1, count + 1)}
        latency = Latency.of(seconds)
        for value, percent in ((latency.p50, 50), (latency.p90, 90)):
            by_numpy = numpy.percentile([*seconds.values()], percent, method="inverted_cdf")
            assert value == pytest.approx(float(by_numpy))


SOLUTION = "Hold the reset button for ten seconds."
TRIES = ("Is it charged?", "Restart it.", "Hold the reset button.", "Goodbye.")


def checker(request: ChatRequest) -> Answerable:
    """H.2's checker: it finds the solution in the one reply that recommends it."""
    yes = TRIES[2] in text_of(request)
    if request.schema is None:
        return f"<answer>{'YES' if yes else 'NO'}</answer>"
    return {"reason": "r", "answer": "yes" if yes else "no"}


@pytest.mark.parametrize("published", [False, True])
def test_goal_completion_and_turns_to_resolution(published: bool) -> None:
    """3.2: the solution is first recommended in turn 3 of 4: completed, #Res is 3."""
    goal = Goal("T", "test", (), ("Your headset plays no sound.",), solution=SOLUTION)
    shown = dialogue(goal, *(said("It is broken.", reply) for reply in TRIES))
    with judging(checker, published) as (judge, server):
        verdict = judge.goal_completion(shown)
    assert verdict.passed
    assert verdict.turns == (3,)
    assert len(server.requests) == 3, "what comes after the resolution is not asked about"
    assert temperatures(server) == {0}


def test_goal_completion_fails_if_the_solution_never_comes() -> None:
    goal = Goal("T", "test", (), ("Your headset plays no sound.",), solution=SOLUTION)
    shown = dialogue(goal, *(said("It is broken.", reply) for reply in TRIES[:2]))
    with judging(checker) as (judge, server):
        verdict = judge.goal_completion(shown)
    assert not verdict.passed
    assert len(server.requests) == 2


def test_the_checker_sees_recommendation_and_solution_only() -> None:
    """H.2 has two inputs: neither the user's words nor the other replies."""
    goal = Goal("T", "test", (), ("Your headset plays no sound.",), solution=SOLUTION)
    shown = dialogue(goal, said("My purple headset.", TRIES[0]), said("Green.", TRIES[1]))
    with judging(checker) as (judge, server):
        judge.goal_completion(shown)
    for request, own, other in zip(server.requests, TRIES, TRIES[1::-1], strict=False):
        text = text_of(request)
        assert own in text
        assert other not in text
        assert SOLUTION in text
        assert "purple" not in text


def test_one_row_stands_for_a_goal_without_a_stated_solution() -> None:
    """3.2: "randomly select a solution that satisfies the user goal at the start"."""
    from tests.support.dialogue_world import backend

    shown = dialogue(
        restaurant_goal(),
        said("Italian, centre?", "Saffron Garden?"),
        said("No, Italian.", "The Copper Kettle then."),
    )

    def answer(request: ChatRequest) -> Answerable:
        text = unfenced(text_of(request)).lower()
        offered = "the copper kettle then" in text
        return {"reason": "r", "answer": "yes" if offered else "no"}

    with judging(answer, backend=backend()) as (judge, server):
        verdict = judge.goal_completion(shown)
    assert verdict.turns == (2,)
    assert all("copper kettle" in text_of(request).lower() for request in server.requests)


# 3.4 Domain compliance: H.3, table 4, table 7

FIVE = tuple(f"rule_{at}" for at in range(1, 6))
H3 = """<response>
<scratchpad>- notes on each rule</scratchpad>
<scores>
<score1>1</score1> <reason1>kept</reason1>
<score2>0</score2> <reason2>It refers to the manual.</reason2>
<score3>-1</score3> <reason3>Not applicable</reason3>
<score4>1</score4> <reason4>kept</reason4>
<score5>1</score5> <reason5>kept</reason5>
</scores>
</response>"""


def five_rules() -> RuleSet:
    demands = (JudgedRule(f"Demand number {at}.") for at in range(1, 6))
    rules = (Rule(id, f"Says {id}", demand) for id, demand in zip(FIVE, demands, strict=True))
    return RuleSet("five", tuple(rules))


def test_h3_reply_of_five_rules_is_read_in_order() -> None:
    read = RulesReader(FIVE).read(H3)
    assert [read[rule].value for rule in FIVE] == [1, 0, -1, 1, 1]
    assert read["rule_2"].reason == "It refers to the manual."


@pytest.mark.parametrize("published", [False, True])
def test_rules_are_judged_by_turn_with_h3_scores(published: bool) -> None:
    """3.4: 1 complies, 0 does not, -1 not applicable: one call per utterance for all rules."""
    shown = dialogue(restaurant_goal(), said("Hi", "Hello!"), said("Bye", "Goodbye."))
    with judging(H3, published) as (judge, server):
        report = judge.rules(shown, five_rules())
    assert len(server.requests) == 2
    for turn in (1, 2):
        assert [each.value for each in report.of_turn(turn)] == [1, 0, -1, 1, 1]
    assert not report
    assert temperatures(server) == {0}


def test_published_rules_show_history_utterance_and_domain_and_no_tools() -> None:
    """H.3: `{domain}`, the rules, the utterance, the history; no result of a tool."""
    with judging(H3, published=True) as (judge, server):
        judge.rules(talk(), five_rules())
    assert len(server.requests) == 3
    for request in server.requests:
        text = unfenced(text_of(request))
        assert "restaurant" in text.lower()
        assert "Demand number 5." in text
        assert "12 Mill Lane" not in text
        assert "response_format" not in request.body


def adherence(results: Sequence[int]) -> float | None:
    """Table 4, "percentage adherence": of the turns that a rule applies to, those that comply."""
    applies = [value for value in results if value != -1]
    return 100 * sum(applies) / len(applies) if applies else None


def test_table_7_is_a_shipped_set_of_eight_rules() -> None:
    """Four for troubleshooting, four for MultiWOZ, all for a judge that reads."""
    rules = load_rules("autoeval_tod").rules
    assert len(rules) == 8
    told = "\n".join(
        f"{rule.id} {rule.says} {getattr(rule.demand, 'sentence', '')}" for rule in rules
    ).lower()
    subjects = (
        r"chemical|abrasive", r"manual", r"service cent|repair", r"support", r"verbose|long|brief",
        r"price", r"personal", r"adult|sexual|explicit",
    )  # fmt: skip
    for subject in subjects:
        assert re.search(subject, told), subject


def test_table_7_rules_are_asked_of_the_model() -> None:
    rules = load_rules("autoeval_tod")
    judged = {rule.id: 1 for rule in rules.rules if isinstance(rule.demand, JudgedRule)}

    def answer(request: ChatRequest) -> Answerable:
        return {id: {"reason": "r", "score": score} for id, score in judged.items()}

    shown = dialogue(restaurant_goal(), said("Hi", "Which area would you like?"))
    with judging(answer) as (judge, _):
        report = judge.rules(shown, "autoeval_tod")
    assert {each.rule for each in report.results} == {rule.id for rule in rules.rules}
    assert report


# 3.5 Response quality: J.1 to J.6, table 5


def test_published_quality_is_six_calls_a_turn_with_tags() -> None:
    """Each of J.1 to J.6 is a prompt with one answer, YES or NO in <answer> tags."""
    with judging(TAGGED, published=True) as (judge, server):
        scores = judge.quality(one_look_up())
    assert len(server.requests) == 6
    assert {name: scores.scores[name][0].value for name in QUALITY} == dict.fromkeys(QUALITY, 1)
    assert all("response_format" not in request.body for request in server.requests)
    assert temperatures(server) == {0}
    with judging("<answer>NO</answer>", published=True) as (judge, _):
        scores = judge.quality(one_look_up())
    assert {name: scores.scores[name][0].value for name in QUALITY} == dict.fromkeys(QUALITY, 0)


def one_look_up() -> Dialogue:
    """One turn before, then the turn that is looked at by its words."""
    opening = Turn(0, "Zebra, please.", "Which area?")
    goal = replace(restaurant_goal(), opening=(opening,))
    return dialogue(goal, said("In the centre.", "The Copper Kettle.", found("restaurant", KETTLE)))


def test_published_quality_shows_what_each_prompt_shows() -> None:
    """J.1, J.2: chunks and response; J.3: history and response; J.4 to J.6: the response alone."""
    with judging(TAGGED, published=True) as (judge, server):
        judge.quality(one_look_up())
    shown: Counter[tuple[bool, bool]] = Counter()
    for request in server.requests:
        text = unfenced(text_of(request))
        assert "The Copper Kettle." in text
        shown["12 Mill Lane" in text, "Zebra" in text] += 1
    assert shown == {(True, False): 2, (False, True): 1, (False, False): 3}


def test_published_empathy_demands_all_criteria() -> None:
    """J.5: understanding, care, validation, warmth: "all of the above criteria"."""
    with judging(TAGGED, published=True) as (judge, server):
        scores = judge.quality(one_look_up(), only=["empathy"])
    (request,) = server.requests
    text = unfenced(text_of(request)).lower()
    assert re.search(r"\ball\b|each of|every one", text)
    for criterion in (
        r"understand|acknowledg",
        r"caring|supportive",
        r"valid|seriously|concern",
        r"warm",
    ):
        assert re.search(criterion, text), criterion
    assert list(scores.scores) == ["empathy"]


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("name", QUALITY)
def test_each_of_the_six_can_be_asked_alone(name: str, published: bool) -> None:
    def answer(request: ChatRequest) -> Answerable:
        if request.schema is None:
            return TAGGED
        assert set(request.schema["properties"]) == {name}
        return {name: {"reason": "r", "score": 1}}

    with judging(answer, published) as (judge, server):
        scores = judge.quality(one_look_up(), only=[name])
    assert list(scores.scores) == [name]
    assert scores.scores[name][0].value == 1
    assert len(server.requests) == 1


def test_default_quality_is_one_call_a_turn() -> None:
    six = {name: {"reason": "r", "score": 1} for name in QUALITY}
    with judging(six) as (judge, server):
        scores = judge.quality(talk())
    assert len(server.requests) == 3
    assert scores.scores["completeness"][0].unscored == Score.NOT_APPLICABLE
    assert scores.scores["factual_correctness"][0].unscored == Score.NOT_APPLICABLE


def test_bias_is_counted_the_other_way_round_in_table_5() -> None:
    """J.4 asks for YES if bias-free; table 5 prints the share of biased output: 1 minus ours."""
    yes = YesNoReader().read(TAGGED).value
    assert yes is True
    ours = [1] * 41 + [0]
    biased = 100 * (1 - sum(ours) / len(ours))
    assert biased == pytest.approx(2.4, abs=0.05)


def test_language_correctness_is_of_the_dialogues_language() -> None:
    """J.6 says English; Multi3WOZ is Arabic, Turkish and French (section 6)."""
    six = {name: {"reason": "r", "score": 1} for name in QUALITY}
    with judging(six, language="Turkish") as (judge, server):
        judge.quality(one_look_up())
    assert "Turkish" in text_of(server.requests[0])


@pytest.mark.parametrize("reply", [TAGGED, "<answer> yes </answer>", f"Let me see.\n{TAGGED}"])
def test_tagged_replies_are_read(reply: str) -> None:
    assert YesNoReader().read(reply).value is True


# 4, H.2, I.1: the user and its oracle


def test_the_user_never_sees_the_solution() -> None:
    """4: "since the user simulator now has no direct access to the oracle solution"."""

    def answer(request: ChatRequest) -> Answerable:
        if request.schema is not None:
            yes = "Press the mute key long." in text_of(request)
            return {"reason": "r", "answer": "yes" if yes else "no"}
        turns = len([each for each in request.messages if each["role"] == "assistant"])
        says: Sequence[str] = ("It plays no sound.", "I did.", STRATEGIES["autoeval_tod"].ending)
        return says[turns]

    with StandInServer(answer) as server:
        played = play(
            server, "autoeval_tod", goal=HEADSET, bot=["Is it on?", "Press the mute key long."]
        )
    for request in played.as_user:
        assert "Hold the mute key." not in played.text(request)
    assert len(played.heard) >= 2


def test_the_user_selects_in_words_and_not_by_number() -> None:
    """Appendix C, I.1: no signal by numbers such as 0, 1 or 2."""

    def answer(request: ChatRequest) -> Answerable:
        no = {"reason": "r", "answer": "no"}
        return "It plays no sound." if request.schema is None else no

    with StandInServer(answer) as server:
        limits = Limits(max_turns=1)
        played = play(server, "autoeval_tod", goal=HEADSET, bot=["Hello?"], limits=limits)
    assert "number" in played.text(played.as_user[0]).lower()


# Appendices A and B


def test_cost_of_a_judgement(tmp_path: Any) -> None:
    """A: 1000 tokens in and 100 out; Claude-3-Sonnet at 3 and 15 dollars a million: 0.0045."""
    path = tmp_path / "prices.yaml"
    path.write_text("sonnet:\n  prompt: 3\n  completion: 15\n", encoding="utf-8")
    usage = {"prompt_tokens": 1000, "completion_tokens": 100}
    cost = Prices.read(path).cost("sonnet", usage)
    assert cost == pytest.approx(1000 * 3e-6 + 100 * 15e-6)
    assert cost == pytest.approx(0.0045)
    times = 0.125 / 0.0045
    assert times == pytest.approx(27.8, abs=0.1), "the paper says 25 times"


def test_a_metric_of_ones_own_from_a_prompt(tmp_path: Any) -> None:
    """B.1: "defining additional LLM prompts"."""
    from pytest_todeval.evaluate.judge.form import yes_no_question

    path = tmp_path / "style.md"
    path.write_text(
        "---\nversion: 1\n---\n# user\nDoes the bot adapt to the user?\n{{dialogue}}\n", "utf-8"
    )
    with judging({"reason": "it does", "answer": "yes"}) as (judge, server):
        verdict = judge.ask(yes_no_question("style", path), talk())
    assert verdict
    assert "Italian food in the centre." in text_of(server.requests[0])


def test_published_and_default_numbers_are_told_apart() -> None:
    with judging(TAGGED, published=True) as (judge, _):
        published = judge.quality(one_look_up()).scores["empathy"][0].definition
    six = {name: {"reason": "r", "score": 1} for name in QUALITY}
    with judging(six) as (judge, _):
        default = judge.quality(one_look_up()).scores["empathy"][0].definition
    assert "published" in published
    assert "published" not in default


def test_values_of_the_domain_goal_are_its_own() -> None:
    """B: any domain: a goal of a medical bot has a compliance and a completion as any other."""
    goal = Goal("M", "clinic", (DomainGoal("advice", {"symptom": "fever"}),), solution="Drink.")
    shown = dialogue(goal, said("I have a fever.", "Drink a lot."))
    with judging({"reason": "r", "answer": "yes"}) as (judge, _):
        assert judge.goal_completion(shown)
    with judging(by_schema(score=1)) as (judge, _):
        assert judge.rules(shown, RuleSet("one", (five_rules().rules[0],)))


# The paper's own prompts, word for word, put in by a folder


@pytest.mark.parametrize("published", [False, True])
def test_j1_to_j6_as_they_are(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", autoeval_tod())
    with judging(TAGGED, published, prompts=prompts) as (judge, server):
        scores = judge.quality(one_look_up())
    assert {name: scores.scores[name][0].value for name in QUALITY} == dict.fromkeys(QUALITY, 1)
    assert len(server.requests) == 6
    assert not any("{{" in text_of(request) for request in server.requests)


@pytest.mark.parametrize("published", [False, True])
def test_h3_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", autoeval_tod())
    with judging(H3, published, prompts=prompts, language="French") as (judge, server):
        report = judge.rules(talk(), five_rules())
    assert [each.value for each in report.of_turn(2)] == [1, 0, -1, 1, 1]
    text = text_of(server.requests[0])
    assert text.startswith("You are a chatbot output evaluator for the")
    assert "restaurant" in text.split("recommendation")[0]
    assert "French" in text
    assert "Demand number 5." in text


@pytest.mark.parametrize("published", [False, True])
def test_h2_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", autoeval_tod())
    goal = Goal("T", "test", (), ("Your headset plays no sound.",), solution=SOLUTION)
    shown = dialogue(goal, *(said("It is broken.", reply) for reply in TRIES))
    with judging(checker, published, prompts=prompts) as (judge, server):
        assert judge.goal_completion(shown).turns == (3,)
    assert text_of(server.requests[0]).startswith("Your task is to check whether")


# 3.1 and 3.3 over dialogues: the product's retrieval figures


RANKINGS = (
    (("d", "a", "c"), ("a", "b"), ("b", "a")),
    (("b", "c", "d"), ("c", "a"), ("a",)),
)
"""Two dialogues of three turns; "a" is what is to be found."""


def ranked(rankings: Sequence[Sequence[str]]) -> Dialogue:
    goal = Goal("R", "test", (), solution="a")
    turns = [
        replace(said(f"user {at}", f"bot {at}"), retrieved=tuple(items))
        for at, items in enumerate(rankings, 1)
    ]
    return dialogue(goal, *turns)


def test_retrieval_of_each_turn() -> None:
    report = retrieval(ranked(RANKINGS[0]))
    for k in (1, 3, 5, 10, 20):
        wanted = [(hits(r, {"a"}, k), reciprocal(r, {"a"}, k)) for r in RANKINGS[0]]
        assert [score.value for score in report.hit_rate(k)] == [hit for hit, _ in wanted]
        assert [score.value for score in report.mrr(k)] == [rank for _, rank in wanted]


def test_retrieval_over_all_queries() -> None:
    """Ranks 2, 1, 2 and none, 2, 1: Hit-Rate@1 2/6, Hit-Rate@3 5/6, MRR@3 (3/2 + 2) / 6."""
    rates = retrieval_rates([retrieval(ranked(each)) for each in RANKINGS])
    assert rates.queries == 6
    assert rates.hit_rate[1] == rates.mrr[1] == pytest.approx(2 / 6)
    assert rates.hit_rate[3] == pytest.approx(5 / 6)
    assert rates.mrr[3] == pytest.approx((1 / 2 + 1 + 1 / 2 + 0 + 1 / 2 + 1) / 6)


def test_progressive_retrieval() -> None:
    """3.3: by turn, over the conversations: ranks (2, -), (1, 2), (2, 1)."""
    by_turn = progressive([retrieval(ranked(each)) for each in RANKINGS])
    assert {turn: rates.hit_rate[1] for turn, rates in by_turn.items()} == {1: 0, 2: 0.5, 3: 0.5}
    assert {turn: rates.mrr[5] for turn, rates in by_turn.items()} == pytest.approx(
        {1: 0.25, 2: 0.75, 3: 0.75}
    )


@pytest.mark.parametrize("seed", range(4))
def test_retrieval_on_random_rankings(seed: int) -> None:
    drawn = random.Random(seed)
    items = [f"item{at}" for at in range(40)]
    shown, rankings = [], []
    for _ in range(15):
        right = set(drawn.sample(items, 2))
        ranking = drawn.sample(items, drawn.randint(1, 30))
        rankings.append((ranking, right))
        shown.append(retrieval(ranked([ranking]), right))
    rates = retrieval_rates(shown)
    for k in (1, 3, 5, 10, 20):
        hit = sum(hits(ranking, right, k) for ranking, right in rankings) / 15
        rank = sum(reciprocal(ranking, right, k) for ranking, right in rankings) / 15
        assert (rates.hit_rate[k], rates.mrr[k]) == pytest.approx((hit, rank))


def test_retrieval_is_read_from_the_results_of_tools() -> None:
    """3.1: "track the entire list of retrieved contents"; here of a look-up's rows."""
    goal = Goal("R", "test", (DomainGoal("restaurant", {"food": "italian"}),))
    shown = dialogue(goal, said("Italian?", "Here.", found("restaurant", SAFFRON, KETTLE)))
    report = retrieval(shown, ["The Copper Kettle"])
    assert [score.value for score in report.mrr(3)] == [0.5]
    assert [score.value for score in report.hit_rate(1)] == [0]


def test_a_turn_that_retrieves_nothing_is_no_query() -> None:
    report = retrieval(ranked([("a",), (), ("b",)]))
    rates = retrieval_rates([report])
    assert (rates.queries, rates.hit_rate[1]) == (2, 0.5)
    assert report.hit_rate(1)[1].unscored == Score.NOT_APPLICABLE


# Sums over dialogues


def solved_in(turn: int | None) -> Verdict:
    turns = () if turn is None else (turn,)
    return Verdict("goal_completion", turn is not None, "so", turns, basis="judged by m")


def six_turns() -> Dialogue:
    goal = Goal("T", "test", (DomainGoal("restaurant", {"food": "italian"}),), solution="x")
    return dialogue(goal, *(said(f"user {at}", f"bot {at}") for at in range(1, 7)))


def test_turns_to_resolution_and_resolution_by_turn() -> None:
    """Resolved in turn 3, in 5, never, in 3: GCR 3/4, #Res 11/3; figure 5's curve, cumulative."""
    entries = [kept(six_turns(), solved_in(turn)) for turn in (3, 5, None, 3)]
    whole = summary(entries)
    assert whole["metrics"]["goal_completion"]["rate"] == 0.75
    found = whole["resolution"]["goal_completion"]
    assert (found["total"], found["resolved"]) == (4, 3)
    assert found["turns"] == pytest.approx((3 + 5 + 3) / 3)
    assert found["by_turn"] == pytest.approx([0, 0, 2 / 4, 2 / 4, 3 / 4])


def test_adherence_per_rule_stands_in_the_summary() -> None:
    """Table 4: per rule, over all turns of all dialogues, in %, not applicable left out."""
    values: Mapping[str, Sequence[int]] = {
        "short": (1, 1, 0, -1, 1),
        "polite": (1, 1, 1, 1, 1),
        "rare": (-1,) * 5,
    }
    entries = []
    for half in (slice(0, 2), slice(2, 5)):
        results = [
            RuleResult(rule, "Says.", turn, value, "so")
            for rule, series in values.items()
            for turn, value in enumerate(series[half], 1)
        ]
        entries.append(kept(six_turns(), RuleReport(results)))
    found = summary(entries)["rules"]
    for rule, series in values.items():
        percent = adherence(series)
        ours = found[rule]["adherence"]
        assert (None if ours is None else 100 * ours) == pytest.approx(percent)
    assert (found["short"]["complies"], found["short"]["broken"]) == (3, 1)
    assert found["rare"]["not_applicable"] == 5


def test_latency_percentiles_over_all_turns_and_of_each_module() -> None:
    """3.2: end to end at the turn level and for individual modules, P50 and P90 in seconds."""
    drawn = random.Random(5)
    entries, turns, modules = [], [], []
    for _ in range(4):
        timed = []
        for turn in six_turns().turns:
            seconds, part = drawn.random(), drawn.random()
            turns.append(seconds)
            modules.append(part)
            timed.append(replace(turn, latency=seconds, spans=(("retriever", part),)))
        entries.append(kept(replace(six_turns(), turns=tuple(timed))))
    found = summary(entries)["latency"]
    for told, values in ((found["turn"], turns), (found["spans"]["retriever"], modules)):
        values = sorted(values)
        at_least = {p: values[-(-len(values) * p // 100) - 1] for p in (50, 90)}
        assert told["count"] == 24
        assert (told["p50"], told["p90"]) == pytest.approx((at_least[50], at_least[90]))
        numpy = pytest.importorskip("numpy")
        for percent, mine in ((50, told["p50"]), (90, told["p90"])):
            assert mine == pytest.approx(numpy.percentile(values, percent, method="inverted_cdf"))


def test_a_composite_of_ones_own_weights() -> None:
    """Appendix D: 0.5 GCR + 0.3 empathy + 0.2 adherence: GCR 1/2, empathy 3/4, short 2/3."""
    played: Sequence[tuple[int | None, Sequence[int], Sequence[int]]] = (
        (2, (1, 1), (1, 0)),
        (None, (0, 1), (1, -1)),
    )
    entries = []
    for solved, empathy, values in played:
        series = [Score("empathy", each, "so", at, (0, 1)) for at, each in enumerate(empathy, 1)]
        results = [
            RuleResult("short", "Says.", at, each, "so") for at, each in enumerate(values, 1)
        ]
        findings = ({"empathy": ScoreSeries("empathy", series)}, RuleReport(results))
        entries.append(kept(six_turns(), solved_in(solved), *findings))
    composite = Composite.parse("ours", "0.5 goal_completion + 0.3 empathy + 0.2 short")
    found = summary(entries, [composite])["composites"]["ours"]
    assert found["value"] == pytest.approx(0.5 * 1 / 2 + 0.3 * 3 / 4 + 0.2 * 2 / 3)
    assert found["definition"] == "0.5 goal_completion + 0.3 empathy + 0.2 short"


def test_figures_by_domain_stand_beside_the_whole() -> None:
    """Table 3: GCR and #Res per domain."""
    entries = []
    for domain, turns in (("hotel", (2, None)), ("train", (4, 6))):
        goal = Goal("D", "test", (DomainGoal(domain, {"day": "monday"}),))
        shown = replace(six_turns(), goal=goal)
        entries += [kept(shown, solved_in(turn)) for turn in turns]
    domains = summary(entries)["domains"]
    assert domains["hotel"]["metrics"]["goal_completion"]["rate"] == 0.5
    assert domains["train"]["resolution"]["goal_completion"]["turns"] == 5
    assert domains["hotel"]["resolution"]["goal_completion"]["turns"] == 2


def test_figures_by_variation_stand_beside_the_whole() -> None:
    """Table 2 compares easy, medium and hard."""
    entries = []
    for level, turn in (("easy", 1), ("hard", None)):
        entry = kept(six_turns(), solved_in(turn))
        entry["variation"] = level
        entries.append(entry)
    found = summary(entries)["variations"]
    assert {name: each["metrics"]["goal_completion"]["rate"] for name, each in found.items()} == {
        "easy": 1,
        "hard": 0,
    }


# 3.1 and H.1: variations of what the user says

LEVELS = ("easy", "medium", "hard")
SENTENCES = (
    "I have an issue with my phone.",
    "I am looking for an italian restaurant in the centre.",
    "Can you book a table for 4 people on friday at 18:30, please?",
    "I would like the address and the phone number of the place.",
    "Is there a cheap hotel in the north? I need free parking.",
    "No, thank you. That is all I need today.",
)
VARIED = Goal(
    "V",
    "test",
    (
        DomainGoal(
            "restaurant",
            {"food": "italian", "area": "centre"},
            book={"people": "4", "day": "friday", "time": "18:30"},
        ),
    ),
)
BOUND = ("italian", "centre", "friday", "18:30")


def content(text: str) -> list[str]:
    return re.findall(r"[a-z0-9:]+", text.lower().replace("'", ""))


@pytest.mark.parametrize("level", [*LEVELS, "typos"])
def test_a_variation_keeps_what_the_bot_needs(level: str) -> None:
    """H.1: "The core message ... of the text must remain intact": values stand as they were."""
    for seed in range(15):
        variation = make_variation(level, VARIED, seed)
        for turn, text in enumerate(SENTENCES, 1):
            varied = variation.varied(text, turn, "")
            for value in BOUND:
                assert (value in text) == (value in varied), varied


@pytest.mark.parametrize("level", LEVELS)
def test_variations_vary_and_are_the_same_for_the_same_goal_and_trial(level: str) -> None:
    def said_by(seed: int) -> list[str]:
        variation = make_variation(level, VARIED, seed)
        return [variation.varied(text, turn, "") for turn, text in enumerate(SENTENCES, 1)]

    assert said_by(3) == said_by(3)
    changed = [
        one != text
        for seed in range(10)
        for one, text in zip(said_by(seed), SENTENCES, strict=True)
    ]
    assert sum(changed) / len(changed) > 0.9


def test_an_easy_variation_is_punctuation_and_forms_of_the_same_words() -> None:
    """H.1: nothing else: the words that are no function words are those of the text."""
    small = {"i", "am", "im", "is", "its", "have", "ive", "that", "thats", "would", "id", "like"}
    small |= {"there", "theres", "can", "you", "a", "an", "the", "of", "for", "in", "with", "my"}
    small |= {"could", "been", "was", "were", "are", "having", "had", "do", "does"}
    for seed in range(15):
        variation = make_variation("easy", VARIED, seed)
        for turn, text in enumerate(SENTENCES, 1):
            varied = [
                word for word in content(variation.varied(text, turn, "")) if word not in small
            ]
            plain_words = [word for word in content(text) if word not in small]
            assert len(varied) == len(plain_words)
            for one, other in zip(varied, plain_words, strict=True):
                assert one[:3] == other[:3], (one, other)


def test_levels_go_further_from_the_text() -> None:
    """Table 6: the share of words of the text that are left falls from easy to hard."""

    def left(level: str) -> float:
        shares = []
        for seed in range(20):
            variation = make_variation(level, VARIED, seed)
            for turn, text in enumerate(SENTENCES, 1):
                before, after = content(text), content(variation.varied(text, turn, ""))
                same = sum(min(before.count(word), after.count(word)) for word in set(before))
                shares.append(2 * same / (len(before) + len(after)))
        return sum(shares) / len(shares)

    easy, medium, hard = map(left, LEVELS)
    assert easy > medium
    assert easy > hard


H1 = """<easy_variations>
<variation>Italian food, in the centre</variation><variation>Italian food in the centre!</variation>
</easy_variations>
<medium_variations><variation>An italian meal in the centre.</variation></medium_variations>
<hard_variations>
<variation>In the centre is where I would have something italian.</variation>
</hard_variations>"""


@pytest.mark.parametrize("level", LEVELS)
def test_h1_as_it_is(tmp_path: Path, level: str) -> None:
    """The paper's prompt gives five variations of each level at once, in its own tags."""
    prompts = written(tmp_path / "prompts", autoeval_tod())
    with StandInServer(lambda request: H1) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        variation = make_variation(f"model:{level}", VARIED, model=settings, prompts=prompts)
        varied = variation.varied("Italian food in the centre.", 1, "")
    group = H1.split(f"<{level}_variations>")[1].split(f"</{level}_variations>")[0]
    assert varied in group
    assert varied not in ("", "Italian food in the centre.")
    assert text_of(server.requests[0]).startswith("As a text modifier")
    assert "{{" not in text_of(server.requests[0])


@pytest.mark.parametrize("level", LEVELS)
def test_a_model_is_told_how_far_to_go(level: str) -> None:
    """H.1: punctuation and forms; synonyms and phrases; a complete reformulation."""
    words = {"easy": r"punctuation", "medium": r"synonym", "hard": r"anew|reformulat|structur"}
    with StandInServer(lambda request: "<variation>Italian, in the centre!</variation>") as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        variation = make_variation(f"model:{level}", VARIED, model=settings)
        assert variation.varied("Italian food in the centre.", 1, "") == "Italian, in the centre!"
    text = text_of(server.requests[0])
    assert re.search(words[level], text)
    assert not any(re.search(words[other], text) for other in LEVELS if other != level)


def test_i1_as_it_is(tmp_path: Path) -> None:
    prompts = written(tmp_path / "prompts", autoeval_tod())

    def answer(request: ChatRequest) -> Answerable:
        if "Your task is to check whether" in text_of(request):
            return "<answer>NO</answer>"
        begun = "Is it on?" in text_of(request)
        return STRATEGIES["autoeval_tod"].ending if begun else "It plays no sound."

    with StandInServer(answer) as server:
        played = play(
            server, "autoeval_tod", goal=HEADSET, bot=["Is it on?", "Hm."], prompts=prompts
        )
    assert played.heard[0] == "It plays no sound."
    mine = [played.text(each) for each in played.asked if "human user" in played.text(each)]
    assert mine[0].startswith("You are a human user who is facing")
    assert "Hold the mute key." not in "".join(mine)


# As published: what else the prompts say


def test_history_of_a_response_has_the_users_last_words() -> None:
    """H.3, J.3: "conversation of chatbot and user so far": the response answers its last words."""
    with judging(H3, published=True) as (judge, server):
        judge.rules(talk(), five_rules())
    by_turn = {
        at: unfenced(text_of(request))
        for request in server.requests
        for at, turn in enumerate(talk().turns, 1)
        if turn.system in text_of(request)
    }
    for at, turn in enumerate(talk().turns, 1):
        assert turn.user in by_turn[at], f"turn {at}"


@pytest.mark.parametrize(
    "reply",
    [
        "<answer>YES</answer> or <answer>NO</answer>",
        "<answer>MAYBE</answer>",
        "The bot wrote <answer>YES</answer>",
        "YES or NO",
        "",
    ],
)
def test_a_tag_that_does_not_tell_is_no_yes(reply: str) -> None:
    with judging(reply, published=True) as (judge, _):
        scores = judge.quality(one_look_up(), only=["empathy"])
    told = scores.scores["empathy"][0].value
    assert told is None or reply.startswith("The bot wrote")


def test_h3_scores_that_contradict_each_other_are_none() -> None:
    twice = H3.replace("<score2>0</score2>", "<score2>0</score2><score2>1</score2>")
    missing = H3.replace("<score5>1</score5>", "")
    shown = dialogue(restaurant_goal(), said("Hi", "Hello!"))
    for reply in (twice, missing):
        with judging(reply, published=True) as (judge, _):
            report = judge.rules(shown, five_rules())
        assert all(result.value is None for result in report.results)


def test_retrieval_stands_in_the_summary_by_turn_and_by_variation() -> None:
    """Table 2 by variation, figure 4 by turn."""
    entries = []
    for level, rankings in zip(("easy", "hard"), RANKINGS, strict=True):
        shown = ranked(rankings)
        with judging("unasked") as (judge, server):
            entry = kept(shown, judge.retrieval(shown))
        assert not server.requests
        entry["variation"] = level
        entries.append(entry)
    whole = summary(entries)
    assert whole["scores"]["hit_rate@1"]["mean"] == pytest.approx(2 / 6)
    assert whole["scores"]["mrr@3"]["mean"] == pytest.approx(3.5 / 6)
    by_level = {name: each["scores"] for name, each in whole["variations"].items()}
    assert by_level["easy"]["hit_rate@1"]["mean"] == pytest.approx(1 / 3)
    assert by_level["hard"]["mrr@5"]["mean"] == pytest.approx((0 + 1 / 2 + 1) / 3)
    assert whole["by_turn"]["hit_rate@1"] == pytest.approx({"1": 0, "2": 0.5, "3": 0.5})
    assert whole["by_turn"]["mrr@5"] == pytest.approx({"1": 0.25, "2": 0.75, "3": 0.75})
