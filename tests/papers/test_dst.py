"""Two-dimensional zero-shot evaluation of dialogue state tracking with GPT-4, held to its words.

Expected values are derived here from the paper's definitions (sections are its own) and from
those of TRADE (Wu et al. 2019), which it takes joint goal accuracy from.
"""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.state_tracking.report import StateReport
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.reading import read_transcripts
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import dialogue, found, said
from tests.support.papers_prompts import two_dimensional_dst, written
from tests.support.papers_world import judging, temperatures, text_of, unfenced

Pairs = Mapping[str, str]

TRADE_SLOTS: Mapping[str, Sequence[str]] = {
    "attraction": ("area", "name", "type"),
    "hotel": (
        "area", "day", "internet", "name", "parking", "people", "pricerange", "stars", "stay",
        "type",
    ),
    "restaurant": ("area", "day", "food", "name", "people", "pricerange", "time"),
    "taxi": ("arriveBy", "departure", "destination", "leaveAt"),
    "train": ("arriveBy", "day", "departure", "destination", "leaveAt", "people"),
}  # fmt: skip
"""The five domains and their slots: 3 + 10 + 7 + 4 + 6."""
KEYS = tuple(f"{domain}-{slot}" for domain, slots in TRADE_SLOTS.items() for slot in slots)
SMALL = {"restaurant": {"area": (), "food": (), "pricerange": (), "people": (), "zebra": ()}}
MULTIWOZ = Goal("M1", "multiwoz", (DomainGoal("hotel", {"area": "north"}),), published=True)
ACCURACY, COMPLETENESS = "accuracy", "completeness"


def nested(pairs: Pairs) -> dict[str, dict[str, str]]:
    state: dict[str, dict[str, str]] = {}
    for key, value in pairs.items():
        domain, _, slot = key.partition("-")
        state.setdefault(domain, {})[slot] = value
    return state


def tracked(*states: Pairs | None, words: Sequence[str] = (), goal: Goal = MULTIWOZ) -> Dialogue:
    """A dialogue whose bot reports these states."""
    told = [*words, *(f"user {at}" for at in range(len(words) + 1, len(states) + 1))]
    turns = [
        said(user, f"bot {at}", state=None if state is None else nested(state))
        for at, (user, state) in enumerate(zip(told, states, strict=True), 1)
    ]
    return dialogue(goal, *turns)


def by_labels(
    states: Sequence[Pairs], labels: Sequence[Pairs], match: str = "exact"
) -> StateReport:
    return RuleJudge().state(tracked(*states), [nested(label) for label in labels], match=match)


def values(report: StateReport, name: str) -> list[float | None]:
    return [score.value for score in report.scores[name]]


def tsa(report: StateReport) -> list[float | None]:
    return values(report, "turn_state_accuracy")


def jga(report: StateReport) -> list[float | None]:
    return values(report, "joint_goal_accuracy")


def kind(request: ChatRequest) -> str:
    return ACCURACY if "incorrect_domain_slot" in text_of(request) else COMPLETENESS


class Naming:
    """A model that names pairs by turn, as tables 6 and 7 print its replies.

    Turns are told apart by what the user says in them: the last "user N" shown is the turn's.
    """

    def __init__(
        self,
        incorrect: Mapping[int, Pairs] | None = None,
        missed: Mapping[int, Pairs] | None = None,
    ) -> None:
        self.by_kind = {ACCURACY: incorrect or {}, COMPLETENESS: missed or {}}

    def __call__(self, request: ChatRequest) -> Answerable:
        turn = max(at for at in range(1, 20) if f"user {at}" in unfenced(text_of(request)))
        asked = kind(request)
        key = "incorrect_domain_slot" if asked == ACCURACY else "missed_domain_slot"
        named = dict(self.by_kind[asked].get(turn, {}))
        return json.dumps({"explanation": f"of turn {turn}", key: named})


def judged(
    answer: Any, talk: Dialogue, *, published: bool = False, **options: Any
) -> tuple[StateReport, list[ChatRequest]]:
    with judging(answer, published) as (judge, server):
        report = judge.state(talk, **{"schema": SMALL, **options})
    return report, list(server.requests)


# The metrics of section 2.3, by labels (TRADE's joint goal accuracy, slot accuracy and F1)

STATES = (
    {"hotel-area": "north"},
    {"hotel-area": "north", "hotel-stars": "3"},
    {"hotel-area": "north", "hotel-stars": "3", "hotel-people": "2"},
)
LABELS = (
    {"hotel-area": "north"},
    {"hotel-area": "north", "hotel-stars": "4"},
    {"hotel-area": "north", "hotel-stars": "4", "hotel-people": "2"},
)
"""Stars are wrong in turn 2, and stay so."""


def test_turn_state_accuracy_by_labels() -> None:
    """2.3: right if nothing new is missed or incorrect: turn 3 says people alone."""
    assert tsa(by_labels(STATES, LABELS)) == [1, 0, 1]


def test_joint_goal_accuracy_by_labels() -> None:
    """Wu et al.: the whole state equals the label."""
    assert jga(by_labels(STATES, LABELS)) == [1, 0, 0]


def test_slot_f1_by_labels() -> None:
    """2 TP / (2 TP + FP + FN): 1; 2 / (2 + 1 + 1); 4 / (4 + 1 + 1)."""
    assert values(by_labels(STATES, LABELS), "slot_f1") == pytest.approx([1, 2 / 4, 4 / 6])


def test_slot_accuracy_counts_trades_thirty_slots() -> None:
    assert len(KEYS) == 30
    found = values(by_labels(STATES, LABELS), "slot_accuracy")
    assert found == pytest.approx([1, 29 / 30, 29 / 30])


def trade(state: Pairs, label: Pairs) -> tuple[float, float, float]:
    """Joint, slot accuracy and F1 as TRADE's evaluation defines them, over sets of pairs."""
    gold, told = set(label.items()), set(state.items())
    missed = {slot for slot, _ in gold - told}
    wrong = sum(slot not in missed for slot, _ in told - gold)
    accuracy = (len(KEYS) - len(gold - told) - wrong) / len(KEYS)
    if not gold:
        return float(not told), accuracy, float(not told)
    hits = len(gold & told)
    precision = hits / len(told) if told else 0.0
    recall = hits / len(gold)
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return float(gold == told), accuracy, f1


@pytest.mark.parametrize("seed", range(5))
def test_labelled_metrics_are_trades_on_random_states(seed: int) -> None:
    drawn = random.Random(seed)

    def state() -> dict[str, str]:
        held = drawn.sample(KEYS, drawn.randint(0, 6))
        return {key: drawn.choice(["one", "two"]) for key in held}

    labels = [state() for _ in range(12)]
    states = [dict(label) if drawn.random() < 0.4 else state() for label in labels]
    report = by_labels(states, labels)
    expected = [trade(one, label) for one, label in zip(states, labels, strict=True)]
    for at, name in enumerate(("joint_goal_accuracy", "slot_accuracy", "slot_f1")):
        assert values(report, name) == pytest.approx([each[at] for each in expected]), name


def test_turn_state_accuracy_is_that_of_the_differences_on_random_states() -> None:
    """The turn state is what is new or changed against the turn before, in state and label."""
    drawn = random.Random(7)
    labels: list[dict[str, str]] = [{}]
    states: list[dict[str, str]] = [{}]
    for _ in range(40):
        key = drawn.choice(KEYS)
        labels.append({**labels[-1], key: drawn.choice(["one", "two"])})
        right = drawn.random() < 0.6
        states.append({**states[-1], key: labels[-1][key] if right else "three"})

    def new(series: Sequence[Pairs], at: int) -> set[tuple[str, str]]:
        return set(series[at].items()) - set(series[at - 1].items())

    expected = [float(new(states, at) == new(labels, at)) for at in range(1, len(labels))]
    report = by_labels(states[1:], labels[1:])
    assert tsa(report) == expected
    assert 0 < sum(expected) < len(expected)


@pytest.mark.parametrize(
    ("slot", "told", "label"),
    [
        ("taxi-destination", "pizza hut fen ditton", "pizza hut fenditton"),
        ("hotel-name", "the gonville hotel", "gonville hotel"),
        ("restaurant-name", "slug and lettuce", "the slug and lettuce"),
    ],
)
def test_over_evaluation_of_exact_matching(slot: str, told: str, label: str) -> None:
    """Tables 1 and 4: right to a person, incorrect by string match; normalised match mends it."""
    assert tsa(by_labels([{slot: told}], [{slot: label}], "exact")) == [0]
    assert tsa(by_labels([{slot: told}], [{slot: label}], "normalised")) == [1]


def test_a_label_of_none_passes_what_the_judge_finds_missed() -> None:
    """Table 4, second example: annotation none, evaluation by it correct, ours incorrect."""
    talk = tracked({}, words=("Great. user 1",))
    assert tsa(by_labels([{}], [{}])) == [1]
    missed = Naming(missed={1: {"attraction-name": "all saints church"}})
    report, _ = judged(missed, talk, schema=TRADE_SLOTS)
    assert tsa(report) == [0]


# The judge: 2.1 accuracy, 2.2 completeness, 2.3 running lists

ITALIAN = {"restaurant-food": "italian"}
CENTRE = {**ITALIAN, "restaurant-area": "centre"}
DEAR = {**CENTRE, "restaurant-pricerange": "expensive"}
CHEAP = {**CENTRE, "restaurant-pricerange": "cheap"}


@pytest.mark.parametrize("published", [False, True])
def test_only_both_dimensions_make_a_turn_right(published: bool) -> None:
    """Section 2: "only if the judgment of both dimensions is correct"."""
    talk = tracked(ITALIAN, CENTRE, CHEAP)
    naming = Naming({1: ITALIAN}, {2: {"restaurant-people": "2"}})
    report, _ = judged(naming, talk, published=published)
    assert tsa(report) == [0, 0, 1]


@pytest.mark.parametrize("published", [False, True])
def test_running_lists_with_errors_that_are_repaired(published: bool) -> None:
    """Turn 1 misses the area, turn 2 brings it with a wrong price, turn 3 the right price."""
    talk = tracked(ITALIAN, DEAR, CHEAP, CHEAP)
    naming = Naming({2: {"restaurant-pricerange": "expensive"}}, {1: {"restaurant-area": "centre"}})
    report, _ = judged(naming, talk, published=published)
    assert (tsa(report), jga(report)) == ([0, 0, 1, 1], [0, 0, 1, 1])


@pytest.mark.parametrize("published", [False, True])
def test_running_lists_with_an_error_that_stays(published: bool) -> None:
    two = {"restaurant-people": "2"}
    talk = tracked(
        ITALIAN, {**ITALIAN, **two}, {**ITALIAN, **two, "restaurant-pricerange": "cheap"}
    )
    report, _ = judged(Naming(missed={1: {"restaurant-area": "centre"}}), talk, published=published)
    assert (tsa(report), jga(report)) == ([0, 1, 1], [0, 0, 0])


@pytest.mark.parametrize("published", [False, True])
def test_filter_rules(published: bool) -> None:
    """2.2: what was accounted for before, and what is not in the schema, is filtered out."""
    two = {"restaurant-people": "2"}
    talk = tracked(ITALIAN, {**ITALIAN, **two}, {**CENTRE, **two}, {**CHEAP, **two})
    naming = Naming(
        missed={
            1: {"restaurant-area": "centre"},
            2: {"restaurant-area": "centre"},
            3: {"restaurant-weather": "fine"},
            4: {"restaurant-food": "italian"},
        }
    )
    report, _ = judged(naming, talk, published=published)
    assert (tsa(report), jga(report)) == ([0, 1, 1, 1], [0, 0, 1, 1])


def test_incorrect_pairs_outside_of_the_turn_state_do_not_count() -> None:
    """Table 6: "only domain-slot, value pairs in State of this turn should be evaluated"."""
    report, _ = judged(Naming({2: ITALIAN}), tracked(ITALIAN, CENTRE))
    assert tsa(report) == [1, 1]


# Table 5: where the paper's own judge and its people differ


def test_table_5_a_value_that_the_schema_does_not_have() -> None:
    """The model passes "pricerange: high", people do not: incorrect by default."""
    state = {"restaurant-pricerange": "high", "restaurant-food": "indian"}
    report, _ = judged(Naming(), tracked(state), schema=None)
    assert tsa(report) == [0]


def test_table_5_as_published_the_models_word_stands() -> None:
    """It says "Evaluation of ours: Correct": the paper has no rule on values."""
    state = {"restaurant-pricerange": "high", "restaurant-food": "indian"}
    report, _ = judged(Naming(), tracked(state), published=True, schema=None)
    assert tsa(report) == [1]


def test_table_5_no_stars_is_a_value() -> None:
    """People call "hotel-stars: 0" correct; so it is unless the model says otherwise."""
    report, _ = judged(Naming(), tracked({"hotel-stars": "0"}), schema=None)
    assert tsa(report) == [1]
    named = Naming({1: {"hotel-stars": "0"}})
    published, _ = judged(named, tracked({"hotel-stars": "0"}), published=True, schema=None)
    assert tsa(published) == [0]


def test_table_5_after_a_time_is_that_time() -> None:
    """It says "after 17:15" is "17:15" in MultiWOZ: the default prompt says so."""
    _, requests = judged(Naming(), tracked({"taxi-leaveAt": "17:15"}), schema=None)
    asked = next(text_of(each) for each in requests if kind(each) == ACCURACY)
    assert "17:15" in unfenced(asked)
    assert "after" in asked


# What is asked: tables 6 and 7, sections 3.2 and 3.3


def test_two_calls_a_turn_at_temperature_zero() -> None:
    """2: two dimensions, each a prompt; 3.2: temperature 0 and top-p 1 (the endpoint's default)."""
    talk = tracked(ITALIAN, CENTRE, CHEAP)
    for published in (False, True):
        with judging(Naming(), published) as (judge, server):
            judge.state(talk, schema=SMALL)
        assert sorted(map(kind, server.requests)) == [ACCURACY] * 3 + [COMPLETENESS] * 3
        assert temperatures(server) == {0}
        assert {request.body.get("top_p", 1) for request in server.requests} == {1}


def test_published_only_completeness_shows_the_schema() -> None:
    """Table 7 lists domains and slots, table 6 does not."""
    _, requests = judged(Naming(), tracked(ITALIAN, CENTRE), published=True)
    for request in requests:
        assert ("zebra" in text_of(request)) == (kind(request) == COMPLETENESS)


@pytest.mark.parametrize("published", [False, True])
def test_no_tool_call_stands_before_the_judge(published: bool) -> None:
    """Tables 6 and 7 show utterances: a call is the bot's own reading of them."""
    calls = found("restaurant", {"name": "the copper kettle"}, food="greek")
    talk = dialogue(
        MULTIWOZ,
        said("Italian food. user 1", "The Copper Kettle?", calls, state=nested(ITALIAN)),
        said("In the centre. user 2", "Yes.", calls, state=nested(CENTRE)),
    )
    _, requests = judged(Naming(), talk, published=published)
    assert len(requests) == 4
    for request in requests:
        assert "find_restaurant" not in text_of(request)
        assert "greek" not in text_of(request)


@pytest.mark.parametrize("published", [False, True])
def test_history_turn_and_turn_state_are_shown(published: bool) -> None:
    """Tables 6 and 7: the history, agent, user and the state of this turn, not the whole state."""
    talk = tracked(ITALIAN, CENTRE)
    _, requests = judged(Naming(), talk, published=published)
    asked = [unfenced(text_of(each)) for each in requests]
    second = [text for text in asked if "user 2" in text]
    assert len(second) == 2
    for text in second:
        assert "user 1" in text
        assert "bot 1" in text
        assert "centre" in text
        assert "bot 2" not in text, "the state is of the user's words: the reply comes after them"
        assert "italian" not in text, "a pair of an earlier turn is none of the turn state"


@pytest.mark.parametrize("published", [False, True])
def test_baselines_ask_once_a_turn_and_give_no_joint_goal_accuracy(published: bool) -> None:
    """3.3: direct judges the turn state as a whole; CoT adds that it thinks step by step."""

    def yes(request: ChatRequest) -> Answerable:
        return {"reason": "fine", "answer": "yes"}

    talk = tracked(ITALIAN, CENTRE)
    told = {}
    for method in ("direct", "cot"):
        report, requests = judged(yes, talk, published=published, method=method)
        assert len(requests) == 2
        assert set(report.scores) == {"turn_state_accuracy"}
        assert tsa(report) == [1, 1]
        told[method] = text_of(requests[0]).lower()
    assert "step by step" in told["cot"]
    assert "step by step" not in told["direct"]


def test_two_dimensional_cot_thinks_step_by_step_twice() -> None:
    """3.3: added to both basic prompts, which have no reasoning path."""
    _, plain = judged(Naming(), tracked(ITALIAN), method="two_dimensional")
    _, cot = judged(Naming(), tracked(ITALIAN), method="two_dimensional_cot")
    assert sorted(map(kind, cot)) == [ACCURACY, COMPLETENESS]
    assert all("step by step" in text_of(request).lower() for request in cot)
    assert len({text_of(each) for each in [*plain, *cot]}) == 4


def test_published_numbers_have_a_definition_of_their_own() -> None:
    talk = tracked(ITALIAN)
    default, _ = judged(Naming(), talk)
    published, _ = judged(Naming(), talk, published=True)
    assert default.definition != published.definition
    assert "published" in published.definition
    assert "published" not in default.definition


def test_temperature_stands_in_the_definition() -> None:
    report, _ = judged(Naming(), tracked(ITALIAN))
    assert "temperature 0" in report.definition


# The paper's own prompts, word for word, put in by a folder


@pytest.mark.parametrize("published", [False, True])
def test_tables_6_and_7_as_they_are(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", two_dimensional_dst())
    talk = tracked(ITALIAN, DEAR, CHEAP, CHEAP)
    naming = Naming({2: {"restaurant-pricerange": "expensive"}}, {1: {"restaurant-area": "centre"}})
    with judging(naming, published, prompts=prompts) as (judge, server):
        report = judge.state(talk, schema=SMALL)
    assert (tsa(report), jga(report)) == ([0, 0, 1, 1], [0, 0, 1, 1])
    texts = [text_of(request) for request in server.requests]
    assert any("Your task is to evaluate all the domain-slot" in text for text in texts)
    assert any("Your task is to assess the completeness" in text for text in texts)
    assert not any("{{" in text for text in texts)


# 2.3: the list of correct pairs, for trackers that predict turn states


def predicted(*turn_states: Pairs) -> Dialogue:
    """A dialogue whose bot reports what each turn changes, as the paper's trackers do."""
    turns = tuple(
        replace(said(f"user {at}", f"bot {at}"), turn_state=nested(pairs))
        for at, pairs in enumerate(turn_states, 1)
    )
    return dialogue(MULTIWOZ, *turns)


@pytest.mark.parametrize("published", [False, True])
def test_a_correct_pair_that_is_predicted_again_is_incorrect(published: bool) -> None:
    """It says "if the predicted turn state contains ... pairs in this list, ... incorrect"."""
    area = {"restaurant-area": "centre"}
    talk = predicted(ITALIAN, {**ITALIAN, **area}, {"restaurant-people": "2"})
    report, _ = judged(Naming(), talk, published=published)
    assert tsa(report) == [1, 0, 1]


def test_turn_states_add_up_to_the_dialogue_state() -> None:
    """JGA: "updated via turn states": area corrected in turn 3."""
    talk = predicted(ITALIAN, {"restaurant-area": "north"}, {"restaurant-area": "centre"})
    labels = [nested(each) for each in (ITALIAN, CENTRE, CENTRE)]
    report = RuleJudge().state(talk, labels, match="exact")
    assert jga(report) == [1, 0, 1]


# 3.1: predictions on MultiWOZ's own dialogues, beside their labels


@pytest.mark.thorough
def test_labelled_accuracy_of_published_predictions_is_trades(
    shared_data: Path, tmp_path: Path
) -> None:
    """UBAR's states on 60 dialogues, flattened and compared here: the same, turn by turn."""
    known = json.loads(
        (shared_data / "multiwoz" / "evaluation" / "predictions" / "ubar.json").read_text()
    )
    some = dict(list(known.items())[:60])
    file = tmp_path / "ubar.json"
    file.write_text(json.dumps(some), encoding="utf-8")
    goals = KnownGoals(settings={"data": shared_data / "multiwoz"})
    found = read_transcripts(file, "dst", goals).found
    assert len(found) == 60
    ours, reference = [], []
    for each in found:
        assert each.labels is not None
        report = RuleJudge().state(each.dialogue, each.labels, match="exact")
        ours += jga(report)
        for turn, label in zip(each.dialogue.turns, each.labels, strict=True):
            reference.append(float(flat(turn.state or {}) == flat(label)))
    assert ours == reference
    assert 0.1 < sum(reference) / len(reference) < 0.9


SPELT = {"arrive": "arriveby", "leave": "leaveat", "price": "pricerange"}
"""UBAR's names for MultiWOZ's."""


def flat(state: Mapping[str, Any]) -> dict[str, str]:
    """`domain-slot` -> value; of MultiWOZ's records `semi` and `book`, empty values left out."""
    pairs: dict[str, str] = {}
    for domain, slots in state.items():
        held = [slots, *(slots.get(part, {}) for part in ("semi", "book"))]
        for slot, value in [pair for each in held for pair in each.items()]:
            name = re.sub(r"^book ?(?=day|people|stay|time)", "", slot.lower())
            text = " ".join(str(value).lower().split())
            if text in ("", "not mentioned", "none") or name in (
                "semi",
                "book",
                "booked",
                "ticket",
            ):
                continue
            no_matter = re.fullmatch(r"(dont|don't|do n't|do not) ?care", text)
            pairs[f"{domain}-{SPELT.get(name, name)}"] = "dontcare" if no_matter else text
    return pairs


@pytest.mark.parametrize("method", ["direct", "cot"])
def test_baselines_have_no_published_prompt_and_say_so(method: str) -> None:
    """3.3 prints none: their definition is the default's."""
    yes = {"reason": "fine", "answer": "yes"}
    found = []
    for published in (False, True):
        with judging(yes, published) as (judge, _):
            found.append(judge.state(tracked(ITALIAN), schema=SMALL, method=method).definition)
    assert found[0] == found[1]


@pytest.mark.parametrize("key", ["incorrect_domain_slot", "incorrect_domain_slots"])
def test_replies_in_the_papers_two_spellings(key: str) -> None:
    """2.1 writes `incorrect_domain_slots`, table 6 `incorrect_domain_slot`."""

    def answer(request: ChatRequest) -> Answerable:
        if kind(request) == COMPLETENESS:
            return json.dumps({"explanation": "e", "missed_domain_slot": {}})
        return json.dumps({"explanation": "e", key: {"restaurant-food": "italian"}})

    report, _ = judged(answer, tracked(ITALIAN), published=True)
    assert tsa(report) == [0]


def test_a_reply_that_cannot_be_read_is_no_score_and_breaks_the_joint_one() -> None:
    """Neither 0 nor 1: what is known of the later turns hangs on it."""

    def answer(request: ChatRequest) -> Answerable:
        second = "user 2" in unfenced(text_of(request))
        return "Hm." if second else Naming()(request)

    report, _ = judged(answer, tracked(ITALIAN, CENTRE), published=True)
    assert (tsa(report), jga(report)) == ([1, None], [1, None])


@pytest.mark.thorough
def test_labels_and_judge_stand_side_by_side(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """3.1, figures 2 and 3: the same predictions by rule and by judge, from one command."""
    known = json.loads(
        (shared_data / "multiwoz" / "evaluation" / "predictions" / "ubar.json").read_text()
    )
    file, out = tmp_path / "ubar.json", tmp_path / "out.json"
    file.write_text(json.dumps(dict(list(known.items())[:2])), encoding="utf-8")

    def nothing(request: ChatRequest) -> Answerable:
        return json.dumps(
            {
                "explanation": "e",
                f"{'incorrect' if kind(request) == ACCURACY else 'missed'}_domain_slots": {},
            }
        )

    with StandInServer(nothing) as server:
        arguments = ["--format", "dst", "--ask", "state", "--published", "--model", "m"]
        data = ["--data", str(shared_data / "multiwoz"), "--base-url", server.base_url]
        assert main(["judge", str(file), *arguments, *data, "--json", str(out)]) == 0
    scores = json.loads(out.read_text())["summary"]["scores"]
    both = {name: each for name, each in scores.items() if "turn_state_accuracy" in name}
    assert len(both) == 2
    assert len({each["definition"] for each in both.values()}) == 2
    assert {round(each["mean"], 3) for each in both.values()} >= {1.0}
    assert "turn_state_accuracy" in capsys.readouterr().out


def test_a_pair_judged_incorrect_may_be_predicted_again() -> None:
    """2.3: only pairs judged correct are in the list."""
    wrong = {"restaurant-area": "north"}
    for published in (False, True):
        naming = Naming({1: wrong})
        report, _ = judged(naming, predicted(wrong, wrong), published=published)
        assert tsa(report) == [0, 1]


def test_published_the_agents_words_stand_in_this_turn_alone() -> None:
    """Tables 4 to 7: the history ends before "[sys] ... [user]", which are the current turn."""
    _, requests = judged(Naming(), tracked(ITALIAN, CENTRE, CHEAP), published=True)
    third = [text for each in requests if "user 3" in (text := unfenced(text_of(each)))]
    assert [text.count("bot 2") for text in third] == [1, 1]
    assert [text.count("bot 1") for text in third] == [1, 1]
    assert [text.count("user 2") for text in third] == [1, 1]
    for text in third:
        assert text.index("user 2") < text.index("bot 2") < text.index("user 3")


def test_published_a_value_that_comes_back_is_in_the_list_of_correct_pairs() -> None:
    """2.3, literally: "all pairs that have been judged correct"; by default a change is judged."""
    centre, north = {"restaurant-area": "centre"}, {"restaurant-area": "north"}
    told = {
        published: tsa(judged(Naming(), predicted(centre, north, centre), published=published)[0])
        for published in (False, True)
    }
    assert told == {False: [1, 1, 1], True: [1, 1, 0]}
