"""clem:todd (Chalamalasetti et al. 2025) held to its words; sections and templates are its own.

Expected values are derived here from the paper's definitions and tables.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue, Usage
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals.select import select
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.prices import Prices
from pytest_todeval.research.offline.transcripts.reading import read_transcripts
from pytest_todeval.runs.reports.breakdown import breakdown_lines
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.simulation.llm_user import STRATEGIES
from pytest_todeval.testing import ChatRequest
from tests.support.dialogue_world import (
    BOOK,
    KETTLE,
    TABLE,
    backend,
    booking,
    dialogue,
    found,
    restaurant_goal,
    said,
)
from tests.support.llm_user_world import play, scripted
from tests.support.papers_prompts import clem_todd, written
from tests.support.papers_world import judging, kept, talk, temperatures, text_of, unfenced

ROW = "Yes,5,3,3,1,2"
"""The template's own example: completion, naturalness and coherence of user and system, diversity
of the user."""


def six(value: int = 1) -> dict[str, Any]:
    return {name: {"reason": "r", "score": value} for name in SCALES}


# 4, A.4, A.7.4: naturalness, coherence, diversity


def test_published_conversation_reads_the_papers_row() -> None:
    """A.7.4: user 5, system 3; coherence 3 and 1; diversity of the user 2; one call."""
    with judging(ROW, published=True) as (judge, server):
        scores = judge.conversation(talk())
    assert len(server.requests) == 1
    assert temperatures(server) == {0}
    assert "response_format" not in server.requests[0].body
    assert scores.user_naturalness.value == 5
    assert scores.system_naturalness.value == 3
    assert scores.user_coherence.value == 3
    assert scores.system_coherence.value == 1
    assert scores.user_diversity.value == 2
    assert "published" in scores.user_naturalness.definition


def test_published_conversation_does_not_rate_the_systems_diversity() -> None:
    """It says "For dialogue-level diversity, you only need to evaluate the user"."""
    with judging(ROW, published=True) as (judge, _):
        scores = judge.conversation(talk())
    assert "system_diversity" not in [
        name for name, score in scores.scores.items() if score.value is not None
    ]


@pytest.mark.parametrize(
    "row",
    ["Yes,6,3,3,1,2", "Yes,5,3,4,1,2", "5,3,3,1,2", "Yes,5,3,3,1", "Yes,5,3,3,1,2,2", "Sure!"],
)
def test_a_row_that_is_none_is_no_score(row: str) -> None:
    """Six results in their order, each on its scale."""
    with judging(row, published=True) as (judge, _):
        scores = judge.conversation(talk())
    assert scores.user_naturalness.value is None
    with pytest.raises(JudgeFault):
        assert scores.user_naturalness >= 1


@pytest.mark.parametrize("published", [False, True])
def test_the_judge_of_the_conversation_sees_what_was_said_alone(published: bool) -> None:
    """A.7.4: the dialogue, in which "the user or the system could either be AI or human"."""

    def answer(request: ChatRequest) -> Answerable:
        return ROW if request.schema is None else six()

    with judging(answer, published) as (judge, server):
        judge.conversation(talk())
    text = unfenced(text_of(server.requests[0]))
    for shown in ("Italian food in the centre.", "The Copper Kettle, its phone is 01999111222."):
        assert shown in text
    for hidden in ("find_restaurant", "book_restaurant", "12 Mill Lane", '"result"', "looked up"):
        assert hidden not in text
    assert not re.search(r"\bchat ?bot\b|⟦bot", text_of(server.requests[0]), re.IGNORECASE)


def test_published_conversation_shows_the_goal() -> None:
    """A.7.4: "The user goal is as following"."""
    goal = Goal("G", "test", (DomainGoal("restaurant", {"food": "zebra stew"}),))
    with judging(ROW, published=True) as (judge, server):
        judge.conversation(dialogue(goal, said("Hi", "Hello")))
    assert "zebra" in text_of(server.requests[0])


@pytest.mark.parametrize("published", [False, True])
def test_deviations_in_a_fifth_of_the_turns_are_the_border(published: bool) -> None:
    """3: more than 20 %; 2: less; 1: none. Exactly 20 % has no score: by default it gives 2."""

    def answer(request: ChatRequest) -> Answerable:
        return ROW if request.schema is None else six()

    with judging(answer, published) as (judge, server):
        judge.conversation(talk())
    text = text_of(server.requests[0]).lower()
    assert re.search(r"20 ?%|one in five|a fifth|20 percent", text)


def test_scales_of_the_paper() -> None:
    """A.4: naturalness 1 to 5, coherence and diversity 1 to 3."""
    assert SCALES["user_naturalness"] == (1, 5)
    assert SCALES["user_coherence"] == SCALES["user_diversity"] == (1, 3)


# A.7.4: task completion by the goal


def by_goal(request: ChatRequest) -> Answerable:
    return ROW if request.schema is None else {"reason": "r", "answer": "yes"}


@pytest.mark.parametrize("published", [False, True])
def test_fulfilment_is_judged_by_the_goals_intentions(published: bool) -> None:
    """It says "check whether each intention in the user goal is fulfilled in the conversation"."""
    wanted = ("You want <b>zebra stew</b>.",)
    goal = Goal("G", "test", (DomainGoal("restaurant", {"food": "zebra stew"}),), wanted)
    with judging(by_goal, published) as (judge, server):
        verdict = judge.fulfilment(dialogue(goal, said("Stew?", "Here.")))
    assert verdict
    assert verdict.name == "fulfilment"
    assert "zebra stew" in text_of(server.requests[0])
    assert len(server.requests) == 1
    assert temperatures(server) == {0}


def test_published_fulfilment_reads_the_rows_yes_or_no() -> None:
    shown = talk()
    for row, passed in ((ROW, True), ("No,5,3,3,1,2", False), ("Yes", True)):
        with judging(row, published=True) as (judge, _):
            assert judge.fulfilment(shown).passed is passed


# 3.1, 3.2, A.7.1: the user


def test_done_ends_the_conversation() -> None:
    """3.1: "when Player A signals by ... generating the DONE token"."""
    with scripted("A hotel in the north.", "DONE") as model:
        played = play(model, "clem_todd", bot=["Booked, AB12."])
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.heard == ["A hotel in the north."]


def test_done_inside_of_a_sentence_ends_nothing() -> None:
    """A.7.1: "Use 'DONE' only (without any prefix/suffix)"."""
    with scripted("A hotel.", "When that is DONE, book it.", "DONE") as model:
        played = play(model, "clem_todd", bot=["Which?", "Booked."])
    assert len(played.heard) == 2


def test_as_published_the_user_has_fifteen_turns() -> None:
    """3.1: "or when the maximum turn limit (15) is reached"."""
    assert STRATEGIES["clem_todd_published"].max_turns == 15
    assert STRATEGIES["clem_todd"].max_turns is None, "by default 30, as for other users"


def test_as_published_the_user_has_no_other_way_out() -> None:
    """A.7.1 knows one end: the task is completed and the reference number given."""
    with scripted("A hotel in the north.", "DONE") as model:
        published = play(model, "clem_todd_published", bot=["The reference is AB12."])
    text = unfenced(published.text(published.as_user[0])).lower()
    assert "reference" in text
    assert not re.search(r"cannot|can't|unable|gives? up|clearly", text)
    assert temperatures(model) == {0}


# 4: booking accuracy, Inform; A.2.1, tables 7 to 9: Combine


def test_booking_accuracy_is_every_slot_of_exactly_one_booking() -> None:
    """4: "whether the final task such as making a reservation was successfully completed"."""
    shown = talk()

    def verdict(*slots: dict[str, str]) -> bool:
        held = [booking("restaurant", f"AB{at}", **each) for at, each in enumerate(slots)]
        told = dialogue(shown.goal, *shown.turns, bookings=held)
        return evaluate(told, backend())["booking"].passed

    assert verdict(TABLE)
    assert not verdict({**TABLE, "people": "3"})
    assert not verdict({**TABLE, "day": "sunday"})
    assert not verdict()
    assert not verdict(TABLE, {**TABLE, "day": "sunday"})


def test_inform_without_booking_is_informed_but_not_booked() -> None:
    """Table 3 has both columns: Inform is of the entity, Booking of the reservation."""
    shown = dialogue(
        restaurant_goal(book=BOOK),
        said("Italian, centre?", "The Copper Kettle.", found("restaurant", KETTLE)),
        bookings=[],
    )
    verdicts = evaluate(shown, backend())
    assert (verdicts["inform"].passed, verdicts["booking"].passed) == (True, False)


@pytest.mark.thorough
def test_printed_autotod_tables_come_out_of_its_dialogues(shared_data: Path) -> None:
    """Domain level 115/184, 58/110, 38/74; dialogue level 43/100, 36/78, 31/64: table 7's row."""
    from pytest_todeval.research.offline.autotod import score_dialogues

    scored = score_dialogues(
        shared_data / "autotod" / "gpt_dialogues_0613.jsonl", shared_data / "multiwoz"
    )
    expected = {
        "inform": ((115, 184), (43, 100)),
        "success": ((58, 110), (36, 78)),
        "booking": ((38, 74), (31, 64)),
    }
    for name, levels in expected.items():
        by_domain = Counter[bool]()
        whole = Counter[bool]()
        for each in scored.dialogues:
            for key, verdict in each.verdicts.items():
                if verdict.metric is None or not key.startswith(f"autotod_{name}"):
                    continue
                (by_domain if "/" in key else whole)[bool(verdict.metric)] += 1
        found_levels = tuple((c[True], c.total()) for c in (by_domain, whole))
        assert found_levels == levels
    domain = [hits / total for (hits, total), _ in expected.values()]
    assert 0.5 * domain[0] + 0.25 * domain[1] + 0.25 * domain[2] == pytest.approx(0.57, abs=0.005)
    assert [round(each, 2) for each in domain] == [0.62, 0.53, 0.51], "printed 0.63, 0.53, 0.51"


# 4: the 117 tasks

SIZES = {
    ("restaurant",): 20,
    ("hotel",): 20,
    ("train",): 20,
    ("hotel", "restaurant"): 17,
    ("hotel", "train"): 20,
    ("restaurant", "train"): 20,
}


def multiwoz_goals(shared_data: Path) -> tuple[Goal, ...]:
    from pytest_todeval.goals.multiwoz import load_goals

    return load_goals(shared_data / "multiwoz", "test")


def test_the_117_tasks(shared_data: Path) -> None:
    """Table 13: 60 of one domain, 57 of two; every one ends in a booking of each domain."""
    chosen = select(multiwoz_goals(shared_data), tasks="clem_todd")
    sizes = Counter(tuple(sorted(part.domain for part in goal.domains)) for goal in chosen)
    assert sizes == SIZES
    assert len(chosen) == len({goal.id for goal in chosen}) == 117
    assert all(part.wants_booking for goal in chosen for part in goal.domains)


def test_exactly_these_domains_and_every_domain_books(shared_data: Path) -> None:
    """The review's counts: 37, 44, 20 of one domain; 17 R-H, 35 H-T, 51 R-T."""
    goals = multiwoz_goals(shared_data)
    found = {
        domains: len(select(goals, exactly=list(domains), every_domain_books=True))
        for domains in SIZES
    }
    assert found == {
        ("restaurant",): 37,
        ("hotel",): 44,
        ("train",): 20,
        ("hotel", "restaurant"): 17,
        ("hotel", "train"): 35,
        ("restaurant", "train"): 51,
    }
    both = select(goals, exactly=["train", "hotel"])
    assert all({part.domain for part in goal.domains} == {"hotel", "train"} for goal in both)


# 5.2, A.6: costs


def prices(tmp_path: Path) -> Prices:
    path = tmp_path / "prices.yaml"
    path.write_text(
        json.dumps({"m": {"prompt": 2.5, "completion": 10, "parameters": 32_000_000_000}}), "utf-8"
    )
    return Prices.read(path)


def test_token_cost(tmp_path: Path) -> None:
    """T = p c_i + r c_o: 1000 tokens at 2.5 and 200 at 10 dollars a million: 0.0045."""
    usage = {"prompt_tokens": 1000, "completion_tokens": 200}
    cost = prices(tmp_path).cost("m", usage)
    assert cost == pytest.approx(1000 * 2.5e-6 + 200 * 10e-6)
    assert cost == pytest.approx(0.0045)


def test_flop_cost(tmp_path: Path) -> None:
    """F: (p + r) 2 parameters / 10^15, at 0.05 dollars a PetaFLOP: 0.00384."""
    cost = prices(tmp_path).flop_cost("m", 1200)
    assert cost == pytest.approx(1200 * 2 * 32e9 / 1e15 * 0.05)
    assert cost == pytest.approx(0.00384)


def test_a_bot_may_say_which_model_its_tokens_are_of() -> None:
    """A.6's costs are of the dialogue system: a bot that reports tokens names its model."""
    assert Usage(1000, 200, model="m").model == "m"


# 5.1.2: robustness to user simulators


# The paper's own prompts, word for word, put in by a folder


@pytest.mark.parametrize("published", [False, True])
def test_a74_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", clem_todd())
    with judging(ROW, published, prompts=prompts) as (judge, server):
        scores = judge.conversation(talk())
        verdict = judge.fulfilment(talk())
    assert verdict.passed
    assert scores.user_naturalness.value == 5
    assert scores.user_diversity.value == 2
    text = text_of(server.requests[0])
    assert text.startswith("You are required to evaluate a task oriented dialogue")
    assert "12 Mill Lane" not in text
    assert "{{" not in text


def test_a71_as_it_is(tmp_path: Path) -> None:
    prompts = written(tmp_path / "prompts", clem_todd())
    with scripted("A hotel in the north.", "DONE") as model:
        played = play(model, "clem_todd", bot=["Booked, AB12."], prompts=prompts)
    assert played.heard == ["A hotel in the north."]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert "ROLE: You are a user simulator" in played.text(played.as_user[0])


# Over dialogues: tables 4, 5, 7 and 13


def timed(seconds: Sequence[float], domains: Sequence[str] = ("restaurant",)) -> Dialogue:
    parts = tuple(DomainGoal(domain, {"day": "monday"}) for domain in domains)
    turns = [replace(said("Hi", "Hello"), latency=each) for each in seconds]
    return dialogue(Goal("G", "test", parts), *turns)


def test_seconds_per_dialogue_of_table_5() -> None:
    """Latency is of the whole dialogue: 0.5 + 1.5, and 1: 1.5 seconds a dialogue."""
    whole = summary([kept(timed((0.5, 1.5))), kept(timed((1.0,)))])
    assert whole["per_dialogue"]["seconds"] == pytest.approx((2 + 1) / 2)
    assert whole["per_dialogue"]["turns"] == pytest.approx(1.5)


def test_cost_per_dialogue_of_a_bot_that_reports_tokens(tmp_path: Path) -> None:
    """Table 4: T and F in dollars per dialogue: means of 0.0045 + 0.0045 and of 0.0045."""
    turn = replace(said("Hi", "Hello"), usage=Usage(1000, 200, model="m"))
    two = dialogue(Goal("G", "test", ()), turn, turn)
    one = dialogue(Goal("G", "test", ()), turn)
    priced = prices(tmp_path)
    whole = summary([kept(each, prices=priced) for each in (two, one)])
    spent = whole["per_dialogue"]["spent"]["system"]
    assert spent["dollars"] == pytest.approx(1.5 * (1000 * 2.5e-6 + 200 * 10e-6))
    assert spent["flop_dollars"] == pytest.approx(1.5 * 1200 * 2 * 32e9 / 1e15 * 0.05)
    assert spent["prompt_tokens"] == 1500


def test_booking_rates_by_domain_combination_of_table_13() -> None:
    """R-H apart from R and from H; the average over combinations is another figure."""
    entries = []
    for domains, passed in (
        (("restaurant",), True),
        (("restaurant",), False),
        (("restaurant", "hotel"), True),
        (("hotel", "restaurant"), True),
        (("hotel",), False),
    ):
        shown = timed((1.0,), domains)
        verdict = Verdict("booking", passed, "so")
        entries.append(kept(replace(shown, verdicts={"booking": verdict})))
    found = summary(entries)["combinations"]
    rates = {name: each["metrics"]["booking"]["rate"] for name, each in found.items()}
    assert rates == {"restaurant": 0.5, "hotel": 0, "hotel+restaurant": 1}


def autotods_combine(inform: float, success: float | None, book: float | None) -> float:
    """As its public metric.py has it: half Inform, half what there is of Success and Book."""
    rest = [each for each in (success, book) if each is not None]
    return 0.5 * inform + 0.5 * sum(rest) / len(rest) if rest else inform


@pytest.mark.parametrize("inform", [0, 1])
@pytest.mark.parametrize("success", [0, 1, None])
@pytest.mark.parametrize("book", [0, 1, None])
def test_combine_of_one_dialogue(inform: float, success: float | None, book: float | None) -> None:
    from pytest_todeval.runs.statistics.combine import combine

    assert combine(inform, success, book) == autotods_combine(inform, success, book)


def test_combine_of_autotods_dialogues_is_table_7s(shared_data: Path) -> None:
    """The released dialogues of GPT-3.5: 0.57 over domains, 0.46 over dialogues."""
    expected = json.loads((shared_data / "autotod" / "expected.json").read_text())
    whole, parts = [], []
    for each in expected["dialogues"].values():
        whole.append(autotods_combine(*(each["dialog"][m] for m in ("inform", "success", "book"))))
        parts += [
            autotods_combine(*(one[m] for m in ("inform", "success", "book")))
            for one in each["domains"].values()
        ]
    assert sum(parts) / len(parts) == pytest.approx(0.57, abs=0.006)
    assert sum(whole) / len(whole) == pytest.approx(0.46, abs=0.006)


def test_combine_stands_in_the_summary() -> None:
    entries = []
    for inform, success, book in ((True, True, False), (True, False, None), (False, False, False)):
        verdicts = {
            name: Verdict(name, bool(value), "so", applicable=value is not None)
            for name, value in (("inform", inform), ("success", success), ("booking", book))
        }
        entries.append(kept(replace(timed((1.0,)), verdicts=verdicts)))
    found = summary(entries)["metrics"]["combine"]
    parts = [autotods_combine(1, 1, 0), autotods_combine(1, 0, None), autotods_combine(0, 0, 0)]
    assert found["rate"] == pytest.approx(sum(parts) / 3)
    assert found["total"] == 3


def test_dialogue_efficiency_is_told() -> None:
    """5.1 names it and defines it nowhere: here dialogues done per turn: 1 of 4 turns."""
    two = timed((1.0, 1.0))
    ends = ((True, StopReason.USER_DONE), (False, StopReason.TURN_LIMIT))
    entries = [
        kept(replace(two, verdicts={"booking": Verdict("booking", done, "so")}, stop_reason=why))
        for done, why in ends
    ]
    assert summary(entries)["per_dialogue"]["efficiency"] == pytest.approx(1 / 4)


@pytest.mark.thorough
def test_autotods_dialogues_are_transcripts(shared_data: Path) -> None:
    """100 dialogues whose goals stand in the file; no results of tools, which is told."""
    path = shared_data / "autotod" / "gpt_dialogues_0613.jsonl"
    read = read_transcripts(path)
    assert len(read.found) == 100
    assert all(each.goal_known and each.dialogue.turns for each in read.found)
    assert any("backend consistency is not applicable" in note for note in read.notes)


@pytest.mark.parametrize(
    "reply",
    [
        "Yes,5,3,3,1,2\nNo,1,1,1,1,1",
        "For example 'Yes,5,3,3,1,2'.",
        "Yes;5;3;3;1;2",
        "Yes,5,3,3,1,x",
    ],
)
def test_two_rows_or_an_example_are_no_row(reply: str) -> None:
    with judging(reply, published=True) as (judge, _):
        scores = judge.conversation(talk())
    assert scores.user_naturalness.value is None or "example" in reply


@pytest.mark.parametrize(
    "row", ["yes, 5, 3, 3, 1, 2", "Yes,5,3,3,1,2.", "'Yes,5,3,3,1,2'", "Yes,5,3,3,1,2\n"]
)
def test_rows_as_models_write_them(row: str) -> None:
    with judging(row, published=True) as (judge, _):
        scores = judge.conversation(talk())
    assert (scores.user_naturalness.value, scores.user_diversity.value) == (5, 2)


def test_published_users_and_their_limit_in_a_play() -> None:
    """3.1: 15 turns for the published user, 30 for the others; a limit of one's own wins."""
    from pytest_todeval.play.cast import Cast
    from pytest_todeval.play.play import Play
    from pytest_todeval.play.settings import PlaySettings
    from pytest_todeval.worlds.goal_set import GoalSet
    from pytest_todeval.worlds.world import World

    goal = Goal("1", "own", ())
    goals = GoalSet("own", (goal,), "0", World())

    def turns(**how: Any) -> int:
        play = Play(
            goal=goal, goal_set=goals, trial=0, how=PlaySettings(**how), cast=Cast(model="m")
        )
        return play.limits(None).max_turns

    assert turns(user="clem_todd_published") == 15
    assert turns(user="clem_todd_published", max_turns=20) == 20
    assert turns(user="clem_todd") == turns(user="vanilla") == 30


@pytest.mark.thorough
def test_the_command_prints_table_7s_row(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`todeval score --format autotod`: Combine 0.57 over domains, 0.46 over dialogues."""
    out = tmp_path / "out.json"
    path = shared_data / "autotod" / "gpt_dialogues_0613.jsonl"
    data = ["--data", str(shared_data / "multiwoz")]
    assert main(["score", str(path), "--format", "autotod", *data, "--json", str(out)]) == 0
    found = json.loads(out.read_text())["summary"]["metrics"]
    assert found["autotod_combine"]["rate"] == pytest.approx(0.46, abs=0.006)
    by_domain = [each for name, each in found.items() if name.startswith("autotod_combine/")]
    total = sum(each["total"] for each in by_domain)
    domain_level = sum(each["rate"] * each["total"] for each in by_domain) / total
    assert domain_level == pytest.approx(0.57, abs=0.006)
    assert "combine" in capsys.readouterr().out


def row_of(lines: Sequence[str], title: str) -> str:
    return next(line for line in lines if line.strip().startswith(title))


def test_us_spread_stands_below_the_users() -> None:
    """5.1.2: largest minus smallest success over users: 2/5, 3/5 and 5/5 are 60 %."""
    entries = []
    for user, booked_of_five in (("user-a", 2), ("user-b", 3), ("user-c", 5)):
        for at in range(5):
            verdict = Verdict("booking", at < booked_of_five, "so")
            entries.append(kept(replace(timed((1.0,)), verdicts={"booking": verdict}), user=user))
    lines = list(breakdown_lines(summary(entries)))
    assert "60" in row_of(lines, "spread")
    rates = [row_of(lines, f"user-{name}") for name in "abc"]
    assert all(told in row for told, row in zip(("40", "60", "100"), rates, strict=True))


def test_averages_of_table_13_count_each_combination_alike() -> None:
    """Single: R 1/1 and H 0/3 give 50 %, not 25; pairs apart from singles."""
    entries = []
    for domains, passed, times in (
        (("restaurant",), True, 1),
        (("hotel",), False, 3),
        (("restaurant", "hotel"), True, 2),
        (("train", "hotel"), False, 2),
    ):
        verdict = Verdict("booking", passed, "so")
        shown = replace(timed((1.0,), domains), verdicts={"booking": verdict})
        entries += [kept(shown)] * times
    lines = list(breakdown_lines(summary(entries)))
    assert "50" in row_of(lines, "mean of 1 domain")
    assert "50" in row_of(lines, "mean of 2 domains")
