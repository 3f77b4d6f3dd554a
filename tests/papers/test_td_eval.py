"""TD-Eval (Acikgoz et al. 2025) held to its words; sections, figures and tables are its own.

Expected values are derived here from the paper's definitions.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.choice import ChoiceReader
from pytest_todeval.models.reading.replies import score_reader
from pytest_todeval.models.reading.score import ScoreReader
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.research.offline.transcripts.reading import read_transcripts
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.runs.statistics.pass_k import pass_k
from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.testing import ChatRequest, ScriptedSystem, StandInServer
from tests.support.dialogue_world import (
    BOOK,
    KETTLE,
    SAFFRON,
    TABLE,
    backend,
    booked,
    booking,
    dialogue,
    found,
    restaurant_goal,
    said,
)
from tests.support.llm_user_world import HOTEL
from tests.support.papers_prompts import td_eval, td_eval_dialogue, written
from tests.support.papers_world import (
    by_schema,
    judging,
    kept,
    talk,
    temperatures,
    text_of,
    unfenced,
)

DIMENSIONS = ("conversation_cohesion", "backend_consistency", "policy_compliance")
POLICY = "Never offer a table before noon."


def plain(score: object, why: str = "It fits.") -> str:
    """A reply as figures 10 to 12 ask for it."""
    return f"Score: {score}\nJustification: {why}"


def turn_of(request: ChatRequest, shown: Dialogue) -> int:
    """The turn asked about: the last whose reply is shown."""
    text = unfenced(text_of(request))
    return max(turn.index for turn in shown.turns if turn.system in text)


def asks(request: ChatRequest) -> str:
    """The dimension asked about, by what only its definition speaks of (figures 10 to 12).

    Figure 11 alone holds a reply against results, figure 12 alone speaks of a policy protocol.
    """
    text = unfenced(text_of(request)).lower()
    if re.search(r"polic(y|ies)[^.]{0,40}(compl|keep|follow|adher)|keep to the bot's policy", text):
        return "policy_compliance"
    if re.search(r"conversation (cohesion|consistency)|hold together with the conv|cohesi", text):
        return "conversation_cohesion"
    return "backend_consistency"


def values(scores: Mapping[str, Sequence[Score]]) -> dict[str, list[float | None]]:
    return {name: [score.value for score in scores[name]] for name in scores}


# 3.1 Turn level


def test_published_turns_are_three_calls_each_in_the_papers_reply_format() -> None:
    """Each dimension has a prompt of its own (figures 10 to 12), once per turn."""
    with judging(plain(4), published=True) as (judge, server):
        scores = judge.turns(talk())
    assert len(server.requests) == 3 * 3
    assert values(scores.scores) == {name: [4, 4, 4] for name in DIMENSIONS}
    assert {score.reason for series in scores.scores.values() for score in series} == {"It fits."}
    assert all("response_format" not in request.body for request in server.requests)
    assert temperatures(server) == {0}


def test_published_turns_know_no_not_applicable() -> None:
    """Figure 11 gives a number to a greeting, too."""
    with judging(plain("not applicable"), published=True) as (judge, server):
        scores = judge.turns(talk())
    assert all("not applicable" not in text_of(request) for request in server.requests[:1])
    assert all(score.is_fault for series in scores.scores.values() for score in series)


def test_by_default_a_turn_without_look_up_may_be_not_applicable_and_a_look_up_may_not() -> None:
    """The default departs from figure 11: a greeting has nothing to be consistent with."""

    def answer(request: ChatRequest) -> Answerable:
        text = text_of(request)
        idle = "not applicable" in text
        again = len(request.messages) > 2
        return {"reason": "because", "score": 3 if again or not idle else "not applicable"}

    with judging(answer) as (judge, _):
        scores = judge.turns(talk())
    greeting, look_up, _ = scores.backend_consistency
    assert greeting.unscored == Score.NOT_APPLICABLE
    assert look_up.value == 3, "asked again, a number is given"


def test_published_prompts_ask_for_the_score_before_the_reason() -> None:
    """It says "Always include the score first, then a rationale on a new line"."""
    with judging(plain(4), published=True) as (judge, server):
        judge.turns(talk())
    for request in server.requests:
        text = text_of(request)
        assert text.index("Score:") < text.index("Justification:")


def test_published_prompts_show_history_query_results_and_response() -> None:
    """3.1: user query, history, database results, response; only figure 12 names a policy."""
    shown = talk()
    with judging(plain(4), published=True, policy=POLICY) as (judge, server):
        judge.turns(shown)
    second = [request for request in server.requests if turn_of(request, shown) == 2]
    assert len(second) == 3
    for request in second:
        text = unfenced(text_of(request))
        assert "Hello, I want to eat." in text
        assert "Italian food in the centre." in text
        assert "The Copper Kettle, its phone is 01999111222." in text
        assert "12 Mill Lane" in text, "the result of the look-up"
        assert "A table for 4" not in text, "turns to come are not shown"
    assert Counter(POLICY in text_of(each) for each in server.requests) == {False: 6, True: 3}


def test_published_policy_prompt_lists_what_the_user_can_be_asked_for_with_descriptions() -> None:
    """Figure 12: `bookpeople: the number of people ...`, and no slot that users ask the bot for."""
    with judging(plain(4), published=True) as (judge, server):
        judge.turns(talk())
    text = next(
        text for each in server.requests if "pricerange" in (text := unfenced(text_of(each)))
    )
    slots = dict(re.findall(r"^[-*`\s]*([\w ]+?)`?: +(\S.+)$", text, re.MULTILINE))
    for name in ("food", "name", "pricerange", "area"):
        assert len(slots[name].split()) >= 3, f"{name} has no description"
    assert any("people" in name for name in slots)
    assert not {"phone", "postcode", "address", "reference"} & set(slots)


def test_published_policy_names_the_domain_of_the_turn() -> None:
    """Figure 12: "the current predicted domain for this turn", a prompt for each domain (3.1)."""
    goal = Goal("D", "test", (DomainGoal("hotel", {"area": "north"}), DomainGoal("taxi", {})))
    shown = dialogue(
        goal,
        said("A hotel in the north.", "Hobson's House is one.", found("hotel", {"name": "x"})),
        said("Now I need a taxi.", "From where?", found("taxi")),
    )
    with judging(plain(4), published=True) as (judge, server):
        judge.turns(shown)
    policy = {
        turn_of(request, shown): unfenced(text_of(request)).lower()
        for request in server.requests
        if "slots" in text_of(request).lower() and asks(request) == "policy_compliance"
    }
    assert set(policy) == {1, 2}
    assert re.search(r"domain[^.\n]{0,60}hotel", policy[1])
    assert re.search(r"domain[^.\n]{0,60}taxi", policy[2])


def test_default_policy_asks_for_details_only_if_needed() -> None:
    """Figure 12: "request additional information *if needed*"."""
    with judging(by_schema(score=4)) as (judge, server):
        judge.turns(talk())
    text = unfenced(text_of(server.requests[0]))
    assert re.search(r"(if (it is |that is )?(needed|necessary)|only if|where needed)", text)


def test_an_own_policy_takes_the_place_of_the_papers() -> None:
    with judging(by_schema(score=4), policy=POLICY) as (judge, server):
        judge.turns(talk())
    assert any(POLICY in text_of(request) for request in server.requests)


@pytest.mark.parametrize("score", [1, 2, 3, 4, 5])
def test_the_scale_runs_from_very_bad_to_very_good(score: int) -> None:
    """3.1: 1 (Very Bad) to 5 (Very Good), against figure 8's numbering."""
    labels = ("Very Bad", "Bad", "Fair", "Good", "Very Good")
    assert ScoreReader().read(plain(score)).value == score
    assert ScoreReader().read(plain(f"{labels[score - 1]} ({score})")).value == score
    assert ScoreReader().read(plain(f"[{score}]")).value == score


@pytest.mark.parametrize("score", [0, 6])
def test_nothing_is_off_the_scale(score: int) -> None:
    with judging(plain(score), published=True) as (judge, _):
        scores = judge.turns(talk())
    assert all(each.value is None for each in scores.conversation_cohesion)


# Table 3: means by dimension, by data set, overall


def mean_of(found: Any) -> float:
    series = list(found) if isinstance(found, Sequence) else [found]
    numbers = [score.value for score in series]
    return float(sum(numbers)) / len(numbers)


def test_overall_of_the_turns_is_the_mean_over_the_dimensions() -> None:
    """Cohesion 5 and 4, consistency 4 and 4, compliance 3 and 1: 4.5, 4, 2, overall 3.5."""
    two = dialogue(
        restaurant_goal(),
        said("Italian food?", "The Copper Kettle.", found("restaurant", KETTLE)),
        said("Its phone?", "It is 01999111222.", found("restaurant", KETTLE)),
    )
    given = {1: dict(zip(DIMENSIONS, (5, 4, 3), strict=True))}
    given[2] = dict(zip(DIMENSIONS, (4, 4, 1), strict=True))

    def answer(request: ChatRequest) -> Answerable:
        turn = turn_of(request, two)
        return {name: {"reason": "r", "score": score} for name, score in given[turn].items()}

    with judging(answer, fused=True) as (judge, _):
        scores = judge.turns(two)
    assert mean_of(scores.overall) == pytest.approx((4.5 + 4 + 2) / 3)
    assert scores.overall >= 2
    assert not scores.overall >= 4


# Dialogue level: 4.1, 4.3, tables 2 and 6


@pytest.mark.parametrize("published", [False, True])
def test_dialogue_level_scores_the_three_dimensions_and_their_mean(published: bool) -> None:
    """It says "turn-level and dialogue-level ratings for the three sub-metrics"; table 2."""
    by_name = dict(zip(DIMENSIONS, (5, 4, 3), strict=True))

    def answer(request: ChatRequest) -> Answerable:
        if request.schema is not None and DIMENSIONS[0] in request.schema.get("properties", {}):
            return {name: {"reason": "r", "score": score} for name, score in by_name.items()}
        score = by_name[asks(request)]
        return plain(score) if request.schema is None else {"reason": "r", "score": score}

    with judging(answer, published) as (judge, server):
        scores = judge.dialogue(talk())
    assert {name: getattr(scores, name).value for name in DIMENSIONS} == by_name
    assert {getattr(scores, name).scale for name in DIMENSIONS} == {(1, 5)}
    assert scores.overall.value == pytest.approx((5 + 4 + 3) / 3)
    assert not scores.policy_compliance >= 4
    assert scores.conversation_cohesion >= 5
    assert len(server.requests) in ((3,) if published else (1, 3))
    assert temperatures(server) == {0}


def test_dialogue_level_shows_the_whole_dialogue_results_and_policy() -> None:
    """Their evaluate_tdeval_dial_level.py: query, results and response of every turn; policy."""
    with judging(plain(4), published=True, policy=POLICY) as (judge, server):
        judge.dialogue(talk())
    for request in server.requests:
        text = unfenced(text_of(request))
        assert "Hello, I want to eat." in text
        assert "12 Mill Lane" in text
        assert "Booked, the reference is AB12CD34." in text
    assert Counter(POLICY in text_of(each) for each in server.requests) == {False: 2, True: 1}


def test_dialogue_level_unreadable_is_no_number() -> None:
    with judging("Very nice.", published=True) as (judge, _):
        scores = judge.dialogue(talk())
    with pytest.raises(JudgeFault):
        assert scores.policy_compliance >= 1
    assert scores.overall.value is None


def test_dialogue_and_turn_level_have_definitions_of_their_own() -> None:
    with judging(plain(4), published=True) as (judge, _):
        dialogue_level, turns = judge.dialogue(talk()), judge.turns(talk())
    with judging(by_schema(score=4)) as (judge, _):
        default = judge.dialogue(talk())
    told = [
        dialogue_level.policy_compliance.definition,
        turns.policy_compliance[0].definition,
        default.policy_compliance.definition,
    ]
    assert len(set(told)) == 3
    assert ["published" in each for each in told] == [True, True, False]


# 3.2 and figure 13: pairwise comparison


def with_reply(reply: str) -> Dialogue:
    return dialogue(restaurant_goal(), said("Italian?", reply, found("restaurant", KETTLE)))


GOOD, POOR = with_reply("The Copper Kettle is a good one."), with_reply("No idea.")


def finds_good(request: ChatRequest) -> Answerable:
    text = unfenced(text_of(request))
    first = text.index("good one") < text.index("No idea")
    choice = "CONVERSATION_A" if first else "CONVERSATION_B"
    return choice if request.schema is None else {"reason": "r", "choice": choice}


def always_a(request: ChatRequest) -> Answerable:
    choice = "CONVERSATION_A"
    return choice if request.schema is None else {"reason": "r", "choice": choice}


def test_both_orders_must_agree() -> None:
    with judging(finds_good) as (judge, _):
        won = judge.compare(GOOD, POOR)
    with judging(always_a) as (judge, _):
        tie = judge.compare(GOOD, POOR)
    assert (won.winner, won.consistent) == ("one", True)
    assert (tie.winner, tie.consistent) == ("tie", False)


def test_published_comparison_is_one_call_of_three_choices() -> None:
    """3.2: A, B or Equal, asked once, in the order given."""
    with judging(always_a, published=True) as (judge, server):
        found = judge.compare(POOR, GOOD)
    assert found.winner == "one"
    assert len(server.requests) == 1
    assert temperatures(server) == {0}
    assert "response_format" not in server.requests[0].body
    text = text_of(server.requests[0])
    for choice in ("CONVERSATION_A", "CONVERSATION_B", "EQUAL"):
        assert choice in text
    with judging("EQUAL", published=True) as (judge, _):
        assert judge.compare(POOR, GOOD).winner == "tie"


@pytest.mark.parametrize("published", [False, True])
def test_comparison_shows_the_policy(published: bool) -> None:
    """Figure 13 lists the policy protocol as a criterion."""
    with judging(finds_good, published, policy=POLICY) as (judge, server):
        judge.compare(GOOD, POOR)
    assert all(POLICY in text_of(request) for request in server.requests)
    with judging(finds_good, published) as (judge, server):
        judge.compare(GOOD, POOR)
    assert all("polic" in text_of(request).lower() for request in server.requests)


def test_published_comparison_does_not_show_the_goal() -> None:
    """Figure 13 has no goal; the default shows it."""
    goal = Goal("G", "test", (DomainGoal("restaurant", {"food": "zebra stew"}),))
    one, other = (dialogue(goal, said("Food?", each)) for each in ("a good one", "No idea"))
    for published in (False, True):
        with judging(finds_good, published) as (judge, server):
            judge.compare(one, other)
        assert all(("zebra" in text_of(each)) != published for each in server.requests)


@pytest.mark.parametrize("choice", ["CONVERSATION_A", "CONVERSATION_B", "EQUAL"])
def test_figure_13_replies_are_read(choice: str) -> None:
    reader = ChoiceReader(("CONVERSATION_A", "CONVERSATION_B", "EQUAL"))
    for reply in (choice, f"{choice}\n", f"**{choice}**", f"{choice}."):
        assert reader.read(reply).value == choice


# 4.2.2, figure 9, A.2: LMUnit-style unit tests


def test_unit_tests_of_a_sub_metric_are_averaged() -> None:
    """4.2.2: the mean of its unit tests, 5, 4 and 2: 3.667 (A.2 rounds it to 4 for agreement)."""

    def answer(request: ChatRequest) -> Answerable:
        assert request.schema is not None
        names = request.schema["properties"]
        return {name: {"reason": "r", "score": (5, 4, 2)[at % 3]} for at, name in enumerate(names)}

    one = dialogue(restaurant_goal(), said("Hi", "Hello!", found("restaurant", KETTLE)))
    with judging(answer) as (judge, _):
        scores = judge.units(one)
    means = {name: scores[f"unit_{name}"][0].value for name in DIMENSIONS}
    assert means == pytest.approx(dict.fromkeys(DIMENSIONS, 11 / 3))


def test_figure_9_has_three_tests_each_and_one_of_the_dialogue() -> None:
    """Nine sentences per turn, three of each sub-metric; one on the goal for the dialogue."""
    asked: list[str] = []

    def answer(request: ChatRequest) -> Answerable:
        assert request.schema is not None
        names = list(request.schema["properties"])
        asked.append(f"{len(names)}")
        return {name: {"reason": "r", "score": 4} for name in names}

    one = dialogue(restaurant_goal(), said("Hi", "Hello!", found("restaurant", KETTLE)))
    with judging(answer) as (judge, _):
        judge.units(one)
        judge.units(one, per="dialogue")
    assert asked == ["9", "1"]


# 2.1: Inform, Success, reward


def test_inform_and_success_forgive_an_error_that_is_mended() -> None:
    """Figure 1: a wrong venue first, then the right one: both are 1."""
    shown = dialogue(
        restaurant_goal(request=("phone",)),
        said("Italian, centre?", "Saffron Garden is nice.", found("restaurant", SAFFRON)),
        said("That is Indian.", "Sorry: The Copper Kettle.", found("restaurant", KETTLE)),
        said("Its phone?", "It is 01999111222."),
    )
    verdicts = evaluate(shown, backend())
    assert (verdicts["inform"].passed, verdicts["success"].passed) == (True, True)


def test_a_table_never_booked_is_told() -> None:
    """It says "the system fails to confirm the reservation, the Success for that dialogue is 0".

    Here that is a verdict of its own, so that a failure names what failed: booking is 0.
    """
    shown = dialogue(
        restaurant_goal(book=BOOK, request=("phone",)),
        said("Italian, centre?", "The Copper Kettle, 01999111222.", found("restaurant", KETTLE)),
        said("Book a table.", "Thank you, goodbye."),
        bookings=[],
    )
    verdicts = evaluate(shown, backend())
    assert verdicts["booking"].passed is False
    assert not (verdicts["success"].passed and verdicts["booking"].passed), "the paper's Success"


def test_success_is_no_success_with_a_wrong_phone_though_the_booking_repeats_the_name() -> None:
    """Success "checks whether the system returns all the requested attributes", rightly.

    Without `query()` the look-up's row is what is known; the booking's result has no phone.
    """
    told = "The Copper Kettle, its phone is 01999333444."
    for result in (TABLE, {}):
        shown = dialogue(
            restaurant_goal(book=BOOK, request=("phone",)),
            said("Italian, centre?", told, found("restaurant", KETTLE)),
            said("Book it.", "Booked, AB12CD34.", booked("restaurant", **result)),
            bookings=[booking("restaurant", **TABLE)],
        )
        verdict = evaluate(shown)["success"]
        assert verdict.passed is False
        assert "database" not in verdict.reason, "there is none"


@pytest.mark.parametrize(("action", "output"), [(1, 1), (1, 0), (0, 1), (0, 0)])
def test_tau_reward_is_a_product(action: int, output: int) -> None:
    """It is r_action x r_output."""
    from pytest_todeval.core.verdict import Verdict
    from pytest_todeval.evaluate.metrics import reward

    parts = [Verdict("actions", bool(action), "a"), Verdict("outputs", bool(output), "o")]
    found = reward._reward("", *parts)
    assert found.value == action * output


@pytest.mark.parametrize(("k", "expected"), [(1, (3 / 4 + 1 + 0) / 3), (2, (3 / 6 + 1 + 0) / 3)])
def test_pass_hat_k_of_tau_bench(k: int, expected: float) -> None:
    """C(c, k) / C(n, k) over tasks with (n, c) = (4, 3), (4, 4), (4, 0)."""
    assert pass_k([(4, 3), (4, 4), (4, 0)], k).value == pytest.approx(expected)


# 5.3: several runs, several judges


def test_five_runs_of_one_judge_are_kept() -> None:
    """Figure 4: five runs on the same responses: mean and spread can be had of what is kept."""
    runs = (4, 4, 5, 4, 3)
    with StandInServer(lambda r: {"reason": "r", "score": runs[r.body["seed"]]}) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        one = dialogue(restaurant_goal(), said("Hi", "Hello!"))
        score = LLMJudge(settings, samples=5).turns(one).conversation_cohesion[0]
    kept_samples = [sample.value or 0 for sample in score.samples]
    assert sorted(kept_samples) == [3, 4, 4, 4, 5]
    assert (score.value, score.spread) == (4, 2), "median and range, as documented"


def test_a_panel_of_three_gives_median_and_spread() -> None:
    """Figure 5's several judges: 2, 4 and 5 (mean 3.67) are the median 4 with a spread of 3."""
    given = {"a": 2, "b": 4, "c": 5}
    with StandInServer(lambda request: {"reason": "r", "score": given[request.model]}) as server:
        models = [ModelSettings(name, base_url=server.base_url, retries=0) for name in given]
        one = dialogue(restaurant_goal(), said("Hi", "Hello!"))
        score = LLMJudge(models).turns(one).conversation_cohesion[0]
    assert (score.value, score.spread) == (4, 3)
    assert sum(s.value or 0 for s in score.samples) / 3 == pytest.approx(11 / 3)


# "Not applicable" is no pass


def test_turns_that_are_all_not_applicable_pass_no_bound() -> None:
    """A mean over nothing is no number: a bot that looks nothing up has no consistency of 4."""

    def idle(request: ChatRequest) -> Answerable:
        score: object = "not applicable" if "not applicable" in text_of(request) else 5
        return {"reason": "r", "score": score}

    with judging(idle) as (judge, _):
        scores = judge.turns(dialogue(restaurant_goal(), said("Hi", "Hello!")))
    assert scores.backend_consistency[0].unscored == Score.NOT_APPLICABLE
    with pytest.raises(JudgeFault):
        assert scores.backend_consistency >= 4


# Released data: the replies of GPT-4o as TD-Eval's judge

PRINTED = {  # mean of all turns, mean of the turns with a look-up only
    "multiwoz_autotod_judged_by_gpt4o.json": (4.777, 4.823),
    "tau_airline_mistral_large_judged_by_gpt4o.json": (3.966, 4.262),
}


@pytest.mark.parametrize("name", PRINTED)
def test_released_backend_scores_with_and_without_turns_that_look_nothing_up(
    shared_data: Path, name: str
) -> None:
    """What "not applicable" moves in table 3's column: +0.05 on MultiWOZ, +0.30 on tau."""
    turns = [
        turn
        for turns in json.loads((shared_data / "judge_replies" / name).read_text())[
            "dialogues"
        ].values()
        for turn in turns
    ]

    def score(turn: Mapping[str, Any]) -> float:
        part = turn["scores"]["backend_consistency"]
        reply = ScoreReader().read(f"{part['score']}\nJustification:{part['justification']}")
        assert reply.value is not None
        return reply.value

    def looked_up(turn: Mapping[str, Any]) -> bool:
        calls = turn["db"]
        if isinstance(calls, list):
            return any("api_result" in call or call.get("role") == "tool" for call in calls)
        return bool(calls)

    every = [score(turn) for turn in turns]
    those = [score(turn) for turn in turns if looked_up(turn)]
    assert sum(every) / len(every) == pytest.approx(PRINTED[name][0], abs=6e-4)
    assert sum(those) / len(those) == pytest.approx(PRINTED[name][1], abs=6e-4)


# The paper's own prompts, word for word, put in by a folder


@pytest.mark.parametrize("published", [False, True])
def test_figures_10_to_12_as_they_are(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", td_eval())
    with judging(plain("[5]"), published, prompts=prompts) as (judge, server):
        scores = judge.turns(talk())
    assert values(scores.scores) == {name: [5, 5, 5] for name in DIMENSIONS}
    assert len(server.requests) == 9
    starts = Counter(text_of(each).split(" of the following")[0] for each in server.requests)
    assert starts == {
        "Evaluate the conversation consistency": 3,
        "Evaluate the backend knowledge consistency": 3,
        "Evaluate the policy compliance": 3,
    }
    assert all("response_format" not in request.body for request in server.requests)
    assert not any("{{" in text_of(request) for request in server.requests)


@pytest.mark.parametrize("published", [False, True])
def test_figure_13_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", td_eval())
    with judging(finds_good, published, prompts=prompts) as (judge, server):
        assert judge.compare(GOOD, POOR).winner == "one"
    assert all(
        text_of(request).startswith("Compare these two AI assistant") for request in server.requests
    )


def test_the_repositorys_dialogue_level_prompts_as_they_are(tmp_path: Path) -> None:
    own = {f"dialogue_{name}": text for name, text in td_eval_dialogue().items()}
    prompts = written(tmp_path / "prompts", own)
    with judging(plain(4), published=True, prompts=prompts) as (judge, server):
        scores = judge.dialogue(talk())
    assert scores.overall.value == 4
    assert len(server.requests) == 3


# Kept and summed


def scored(*rows: Sequence[float | None]) -> dict[str, ScoreSeries]:
    """By turn the three dimensions; None is not applicable."""
    return {
        name: ScoreSeries(
            name,
            [
                Score(
                    *(name, row[at], "so", turn, (1, 5)),
                    unscored=Score.NOT_APPLICABLE if row[at] is None else None,
                    definition="one",
                )
                for turn, row in enumerate(rows, 1)
            ],
        )
        for at, name in enumerate(DIMENSIONS)
    }


def test_overall_of_many_dialogues_is_table_3s() -> None:
    """Dimension means 13/3, 4 (without the turn that has none), 8/3; overall their mean."""
    entries = [
        kept(talk(), scored((5, None, 3), (4, 4, 1))),
        kept(talk(), scored((4, 4, 4)), outcome=Outcome.FAILED),
    ]
    whole = summary(entries)
    means = [whole["scores"][name]["mean"] for name in DIMENSIONS]
    assert means == pytest.approx([13 / 3, 4, 8 / 3])
    assert whole["overall"]["turn"] == pytest.approx((13 / 3 + 4 + 8 / 3) / 3)


def test_overall_by_goal_set_as_table_3_has_columns() -> None:
    entries = []
    for source, row in (("multiwoz", (5, 4, 3)), ("tau_bench/retail", (2, 2, 2))):
        shown = dialogue(Goal("G", source, ()), said("Hi", "Hello"))
        entries.append(kept(shown, scored(row)))
    sets = summary(entries)["goal_sets"]
    assert sets["multiwoz"]["overall"]["turn"] == pytest.approx(4)
    assert sets["tau_bench/retail"]["overall"]["turn"] == pytest.approx(2)


def test_means_of_different_definitions_are_not_mixed() -> None:
    """A published number beside a default one: no mean of both."""
    other = {
        name: ScoreSeries(name, [Score(name, 1, "so", 1, (1, 5), definition="published")])
        for name in DIMENSIONS
    }
    whole = summary([kept(talk(), scored((5, 5, 5))), kept(talk(), other)])
    assert whole["scores"]["policy_compliance"]["mean"] is None
    assert "overall" not in whole


def test_comparisons_are_kept_and_counted() -> None:
    """Table 4: wins, losses, ties of a system's dialogues against others'."""
    entries = []
    for answer in (finds_good, always_a):
        with judging(answer) as (judge, _):
            entries.append(kept(GOOD, (judge.compare(GOOD, POOR), (GOOD, POOR))))
            entries.append(kept(POOR, (judge.compare(GOOD, POOR), (GOOD, POOR))))
    good = summary(entries[::2])["comparisons"]
    poor = summary(entries[1::2])["comparisons"]
    assert (good["better"], good["worse"], good["tie"], good["inconsistent"]) == (1, 0, 1, 1)
    assert (poor["better"], poor["worse"], poor["tie"], poor["inconsistent"]) == (0, 1, 1, 1)


def test_several_statements_are_kept_beside_each_other() -> None:
    holds: list[object] = []
    for yes, sentence in ((True, "Sentence one."), (False, "Sentence two.")):
        with judging({"reason": "r", "answer": "yes" if yes else "no"}) as (judge, _):
            holds.append(judge.holds(talk(), sentence))
    whole = summary([kept(talk(), *holds) for _ in range(3)])
    found = {name: each["rate"] for name, each in whole["metrics"].items() if "entence" in name}
    assert sorted(rate or 0 for rate in found.values()) == [0, 1]
    assert all(whole["metrics"][name]["total"] == 3 for name in found)


# 5.1: the user that plays on MultiWOZ is AutoTOD's


def reference() -> list[Turn]:
    return [
        Turn(1, "i want a zebra hotel .", "which area ?"),
        Turn(2, "the north , please .", "booked ."),
    ]


def test_the_user_on_multiwoz_is_autotods() -> None:
    """Its first words are the corpus dialogue's, fixed; the model goes on; "Dialogue Ends" ends."""
    says = iter(["In the north, please.\nAI Assistant: Booked.", "Dialogue Ends"])
    with StandInServer(lambda request: next(says)) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        user = LLMUser(HOTEL, settings, "autotod", reference=reference())
        played = run_dialogue(HOTEL, user, ScriptedSystem(["Which area?", "Booked."]))
    assert [turn.user for turn in played.turns] == [
        "i want a zebra hotel .",
        "In the north, please.",
    ]
    assert played.stop_reason is StopReason.USER_DONE
    assert len(server.requests) == 2, "the first words are not the model's"
    text = unfenced(text_of(server.requests[0]))
    assert "the north , please ." in text, "the reference dialogue is shown"
    assert "Dialogue Ends" in text
    assert temperatures(server) == {0}


# A.2: LMUnit's scores as published


def test_published_unit_tests_are_a_call_each_and_their_mean_is_rounded(tmp_path: Path) -> None:
    """A.2: "rounded to the nearest integer after averaging": 5, 4 and 2 are 3.667, so 4."""
    given = {"Is it red?": 5, "Is it green?": 4, "Is it blue?": 2}

    def answer(request: ChatRequest) -> Answerable:
        return plain(next(score for test, score in given.items() if test in text_of(request)))

    one = dialogue(restaurant_goal(), said("Hi", "Hello!", found("restaurant", KETTLE)))
    with judging(plain(4), published=True) as (judge, server):
        judge.units(one)
    assert len(server.requests) == 9
    path = tmp_path / "tests.yaml"
    path.write_text(json.dumps({"turn": {"colour": list(given)}}), encoding="utf-8")
    for published, mean in ((True, 4), (False, 11 / 3)):
        with judging(answer if published else by_default(given), published) as (judge, _):
            scores = judge.units(one, path)
        assert scores["colour"][0].value == pytest.approx(mean)


def by_default(given: Mapping[str, int]) -> dict[str, dict[str, object]]:
    """The default's one reply, in the order of the tests."""
    return {
        f"test_{at}": {"reason": "r", "score": score} for at, score in enumerate(given.values(), 1)
    }


# Released dialogues, read by the product


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("multiwoz_autotod_judged_by_gpt4o.json", (4.4821, 4.7768, 4.5116)),
        ("tau_airline_mistral_large_judged_by_gpt4o.json", (4.4932, 3.9662, 4.0676)),
    ],
)
def test_released_dialogues_have_the_stored_scores(
    shared_data: Path, name: str, means: tuple[float, float, float]
) -> None:
    """Means counted with a plain search for the digit, and Overall as table 3 has it."""
    found = read_transcripts(shared_data / "judge_replies" / name).found
    entries = [kept(each.dialogue, each.scores) for each in found]
    whole = summary(entries)
    assert [whole["scores"][each]["mean"] for each in DIMENSIONS] == pytest.approx(means, abs=6e-5)
    assert whole["overall"]["turn"] == pytest.approx(sum(means) / 3, abs=6e-5)


# Hostile words in a judge's reply


@pytest.mark.parametrize(
    "why",
    [
        'The bot says "Score: 5".',
        "It wrote `Score: 5`, which is no score.",
        "[RESULT] 5 is quoted.",
    ],
)
def test_a_quoted_score_is_no_score(why: str) -> None:
    with judging(plain(2, why), published=True) as (judge, _):
        scores = judge.turns(talk())
    assert {each.value for each in scores.policy_compliance} <= {2, None}
    assert scores.policy_compliance[0].value != 5


# As published: what else the figures say


def test_overall_in_the_summary_is_the_only_overall() -> None:
    """Table 3: means of dimensions first: (5, -, 1) and (5, 5, 5) give 5, 5 and 3: 13/3."""
    rows = {1: (5, "not applicable", 1), 2: (5, 5, 5)}
    two = dialogue(
        restaurant_goal(),
        said("Hello.", "Which area?"),
        said("The centre.", "The Copper Kettle.", found("restaurant", KETTLE)),
    )

    def answer(request: ChatRequest) -> Answerable:
        row = rows[turn_of(request, two)]
        return {name: {"reason": "r", "score": row[at]} for at, name in enumerate(DIMENSIONS)}

    with judging(answer, fused=True) as (judge, _):
        scores = judge.turns(two)
    whole = summary([kept(two, scores)])
    assert whole["overall"]["turn"] == pytest.approx(13 / 3)
    assert set(whole["scores"]) == set(DIMENSIONS), "no second overall beside it"


def test_questions_without_a_published_form_say_so() -> None:
    """Their definition is the default's, so that nobody takes them for the paper's."""
    with judging({"reason": "r", "answer": "yes"}, published=True) as (judge, _):
        verdict = judge.holds(talk(), "It is polite.")
    with judging({"reason": "r", "answer": "yes"}) as (judge, _):
        default = judge.holds(talk(), "It is polite.")
    assert verdict.definition == default.definition


def test_a_temperature_of_ones_own_stands_in_the_definition() -> None:
    with StandInServer(lambda request: plain(4)) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0, temperature=0.7)
        found = LLMJudge(settings, published=True).dialogue(talk())
    assert temperatures(server) == {0.7}
    assert "temperature 0.7" in found.policy_compliance.definition


@pytest.mark.parametrize(
    "reply", ["CONVERSATION_A or CONVERSATION_B", "CONVERSATION_A\nCONVERSATION_B", "Neither."]
)
def test_a_choice_of_two_is_no_choice(reply: str) -> None:
    with judging(reply, published=True) as (judge, _):
        found = judge.compare(GOOD, POOR)
    assert found.winner is None
    with pytest.raises(JudgeFault):
        assert found


def test_published_dialogue_level_unit_test_shows_goal_and_conversation() -> None:
    """Figure 9: query "Goal: ...", response the conversation, one test, 1 to 5."""
    goal = Goal("G", "test", (DomainGoal("restaurant", {"food": "zebra stew"}),))
    with judging(plain(5), published=True) as (judge, server):
        found = judge.units(dialogue(goal, said("Stew?", "Here you are.")), per="dialogue")
    assert [series[0].value for series in found.values()] == [5]
    assert len(server.requests) == 1
    assert "zebra" in text_of(server.requests[0])
    assert "Here you are." in text_of(server.requests[0])


@pytest.mark.parametrize("words", ["Dialogue Ends", "Thank you. Dialogue Ends", '"Dialogue Ends"'])
def test_autotods_user_ends_wherever_the_words_stand(words: str) -> None:
    """AutoTOD's code ends a dialogue as soon as the words are in the utterance."""
    says = iter(["A hotel.", words])
    with StandInServer(lambda request: next(says)) as server:
        settings = ModelSettings("m", base_url=server.base_url, retries=0)
        user = LLMUser(HOTEL, settings, "autotod")
        played = run_dialogue(HOTEL, user, ScriptedSystem(["Which one?", "Booked."]))
    assert played.stop_reason is StopReason.USER_DONE
    assert [turn.user for turn in played.turns] == ["A hotel."]


def test_dialogue_level_scores_are_kept_apart_from_those_of_turns() -> None:
    """Table 2 has both levels: 5, 4, 3 and 3, 4, 2 for dialogues; Overall (4 + 3) / 2."""
    entries = []
    for given in ((5, 4, 3), (3, 4, 2)):
        by_name = dict(zip(DIMENSIONS, given, strict=True))

        def answer(request: ChatRequest, by_name: Mapping[str, int] = by_name) -> Answerable:
            return plain(by_name[asks(request)])

        with judging(answer, published=True) as (judge, _):
            entries.append(kept(talk(), judge.dialogue(talk()), judge.turns(talk())))
    whole = summary(entries)
    assert whole["overall"]["dialogue"] == pytest.approx((4 + 3) / 2)
    assert whole["overall"]["turn"] == pytest.approx((4 + 3) / 2)
    assert len(whole["scores"]) == 6


@pytest.mark.thorough
def test_all_released_replies_are_read_as_published(shared_data: Path) -> None:
    """1869 replies of GPT-4o, as written: the only digit of the score's line is the score."""
    reader = score_reader(Prompts(published=True).get("turn_policy_compliance"))
    read = 0
    for name in PRINTED:
        stored = json.loads((shared_data / "judge_replies" / name).read_text())["dialogues"]
        for part in (p for turns in stored.values() for t in turns for p in t["scores"].values()):
            (digit,) = re.findall(r"\d+", part["score"])
            reply = reader.read(f"{part['score']}\nJustification:{part['justification']}")
            assert reply.value == int(digit)
            read += 1
    assert read == 1869
