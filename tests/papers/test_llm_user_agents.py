"""Large language models as user agents (Kazi et al. 2024) held to its words; sections are its own.

Expected values are derived here from the paper's definitions, or from its released files.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.reading.in_text import ResultReader
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.reading import read_transcripts
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.simulation.llm_user import STRATEGIES
from pytest_todeval.simulation.loop import Limits
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.conftest import PROJECT
from tests.support.dialogue_world import KETTLE, dialogue, found, goal, said
from tests.support.llm_user_world import HOTEL, play, scripted, thoughtful
from tests.support.papers_prompts import llm_user_agents, written
from tests.support.papers_world import (
    judging,
    kept,
    paper_repo,
    talk,
    temperatures,
    text_of,
    unfenced,
)

USERS = ("vanilla", "thought", "state_tracking")
SIX = goal(
    DomainGoal(
        "restaurant",
        inform={"food": "italian", "area": "centre"},
        book={"people": "4", "day": "friday"},
        request=("phone", "postcode"),
    )
)
"""Six keywords: four values, two slots to be asked for."""


def four_of_six() -> Dialogue:
    """Food and area by the user, day by the bot, phone by the user; not people, not postcode."""
    return dialogue(
        SIX,
        said("Italian food in the centre, please.", "The Copper Kettle. For friday?"),
        said("What is its phone number?", "It is 01999111222."),
    )


# 3.1 The simulator


@pytest.mark.parametrize("token", ["<COMPLETE CONVERSATION>", "<COMPLETE_CONVERSATION>"])
@pytest.mark.parametrize("strategy", USERS[:2])
def test_the_conversation_ends_by_the_token(strategy: str, token: str) -> None:
    """3.1 prints a space, the released prompts an underscore."""
    with scripted(thoughtful(strategy, "A hotel in the north."), thoughtful(strategy, token)) as m:
        played = play(m, strategy, bot=["How many are you?"])
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.heard == ["A hotel in the north."]


def test_thirty_turns_are_the_limit() -> None:
    """3.1: "we also limit the number of turns to 30"."""
    assert Limits().max_turns == 30


def first_prompt(strategy: str, **options: Any) -> str:
    """What the model is shown before the first word."""
    published = strategy.endswith("_published")
    first = "Thought: I begin.\nUser: A hotel." if published else thoughtful(strategy, "A hotel.")
    with StandInServer(lambda request: first) as model:
        played = play(model, strategy, bot=["Hello."], limits=Limits(max_turns=1), **options)
    return unfenced(played.text(played.asked[0]))


@pytest.mark.parametrize("suffix", ["", "_published"])
@pytest.mark.parametrize("strategy", USERS)
def test_the_users_run_with_an_in_context_example(strategy: str, suffix: str) -> None:
    """3.1.1: a sample dialogue of user and system turns; thoughts; a dictionary of the goal."""
    example = first_prompt(strategy + suffix)
    users = re.findall(r"(?im)^\W*(user|person|response)\W*:", example)
    assert len(users) >= 4
    assert len(re.findall(r"(?im)^\W*(system|chatbot|bot)\W*:", example)) >= 3
    thoughts = len(re.findall(r"(?im)^\W*thought\W*:", example))
    assert (thoughts >= 4) == (strategy != "vanilla")
    assert bool(re.search(r"\{\s*\"", example)) == (strategy == "state_tracking")


@pytest.mark.parametrize("strategy", USERS)
def test_examples_of_ones_own_take_the_place_of_ours(strategy: str) -> None:
    ours = first_prompt(strategy)
    own = first_prompt(strategy, examples=["User: Zebra?\nSystem: Stripes."])
    none = first_prompt(strategy, examples=[])
    assert ["Zebra?" in text for text in (ours, own, none)] == [False, True, False]
    assert len(none) < len(own) < len(ours)


def test_a_thought_is_for_the_user_alone() -> None:
    """3.1.1: reason first, then respond: the bot hears the response."""
    with scripted(
        "Thought: I need a hotel.\nUser: A hotel in the north.",
        "Thought: All is done.\nUser: <COMPLETE CONVERSATION>",
    ) as model:
        played = play(model, "thought_published", bot=["Booked."])
    assert played.heard == ["A hotel in the north."]


def test_the_tracker_breaks_the_goal_into_parts_and_does_not_leave_early() -> None:
    """3.1.1: a dictionary of the goal's parts, so that it does not end "prematurely"."""
    leaves = thoughtful("state_tracking", "<COMPLETE CONVERSATION>")
    parts = {"hotel.inform.area": "done", "hotel.book.people": "done", "hotel.booked": "done"}
    done = f"Thought: all done\nState: {json.dumps(parts)}\nResponse: <COMPLETE CONVERSATION>"
    wishes = ("A hotel in the north.", "For 2 people, please.")

    def answer(request: ChatRequest) -> Answerable:
        said = text_of(request)
        if "Booked." in said:
            return done
        again = "Which one?" in said
        if again and len(requests) < 3:
            return leaves
        return thoughtful("state_tracking", wishes[again])

    requests: list[ChatRequest] = []

    def counted(request: ChatRequest) -> Answerable:
        requests.append(request)
        return answer(request)

    with StandInServer(counted) as model:
        played = play(model, "state_tracking", bot=["Which one?", "Booked."])
    text = played.text(played.asked[0])
    assert all(part in text for part in parts)
    assert len(played.heard) == 2, "it was held back in turn 2, where a part was open"
    assert played.dialogue.stop_reason is StopReason.USER_DONE


# 3.3.1 Task completion


def result(score: int) -> str:
    """A reply in the rubric's format."""
    return f"Feedback: Every response was examined. [RESULT] {score}"


def agreed(request: ChatRequest) -> Answerable:
    return result(1) if request.schema is None else {"reason": "r", "answer": "yes"}


@pytest.mark.parametrize("score", [1, 0])
def test_published_completion_reads_feedback_and_result(score: int) -> None:
    """1 if all requests are completed, 0 else; with feedback; the rubric is that of Prometheus."""
    with judging(result(score), published=True) as (judge, server):
        verdict = judge.completion(talk())
    assert verdict.passed is bool(score)
    assert verdict.reason == "Every response was examined."
    assert len(server.requests) == 1
    assert temperatures(server) == {0}
    assert "response_format" not in server.requests[0].body
    text = text_of(server.requests[0])
    assert text.index("Feedback") < text.index("[RESULT]")


@pytest.mark.parametrize("published", [False, True])
def test_completion_is_judged_solely_by_the_dialogue(published: bool) -> None:
    """3.3.1: neither goal nor tools: the two sides' utterances, as the released code sends them."""
    wanted = Goal(
        "G", "test", (DomainGoal("restaurant", {"food": "zebra"}),), ("You want zebra stew.",)
    )
    shown = dialogue(
        wanted,
        said("Italian food?", "The Copper Kettle.", found("restaurant", KETTLE, food="italian")),
    )
    with judging(agreed, published) as (judge, server):
        judge.completion(shown)
    text = unfenced(text_of(server.requests[0]))
    assert "zebra" not in text
    assert "12 Mill Lane" not in text
    assert "find_restaurant" not in text
    assert "Italian food?" in text
    assert "The Copper Kettle." in text


def test_completion_and_fulfilment_are_two_questions() -> None:
    """3.3.1 by the dialogue alone (table 4), A.7.4 by the goal's intentions (table 2)."""

    def answer(request: ChatRequest) -> Answerable:
        by_goal = "zebra" in text_of(request)
        return {"reason": "r", "answer": "no" if by_goal else "yes"}

    wanted = Goal("G", "t", (DomainGoal("restaurant", {"food": "zebra"}),), ("You want zebra.",))
    shown = dialogue(wanted, said("Italian food?", "The Copper Kettle."))
    with judging(answer) as (judge, _):
        found: list[Verdict] = [judge.completion(shown), judge.fulfilment(shown)]
    assert [verdict.passed for verdict in found] == [True, False]
    assert [verdict.name for verdict in found] == ["completion", "fulfilment"]


def test_an_unreadable_result_is_no_zero() -> None:
    """Table 1's column counts unreadable answers as 0; here they are nobody's."""
    for published in (False, True):
        with judging("I like it.", published) as (judge, _), pytest.raises(JudgeFault):
            assert judge.completion(talk())


# 3.3.2 Goal coverage


def places(raised: Sequence[bool]) -> dict[str, Any]:
    return {
        f"K{at}": (
            {"words": "w", "turn": 1, "speaker": "user"}
            if yes
            else {"words": "", "turn": 0, "speaker": "nobody"}
        )
        for at, yes in enumerate(raised, 1)
    }


def test_coverage_by_a_model_is_a_ratio_of_keywords() -> None:
    """It says "the count of keywords that were found ... and the total number": 4 of 6."""
    with judging(places([True, True, False, True, True, False])) as (judge, server):
        report = judge.coverage(four_of_six())
    assert report.score.value == pytest.approx(4 / 6)
    assert len(server.requests) == 1
    assert temperatures(server) == {0}


def test_coverage_by_rule_counts_both_sides() -> None:
    """It says "The reason for examining both sides": friday is the bot's word."""
    report = RuleJudge().coverage(four_of_six())
    assert report.score.value == pytest.approx(4 / 6)
    by = {word.slot: (word.turn, word.speaker) for word in report.keywords}
    assert by["day"] == (1, "bot")
    assert by["phone"] == (2, "user")
    assert {word.slot for word in report.missing} == {"people", "postcode"}


EMPHASISED = (
    "Find a <span class='emphasis'>place to dine</span> with <span class='emphasis'>italian</span> "
    "cooking, somewhere in the <span class='emphasis'>centre</span>.",
    "A table for <span class='emphasis'>4 people</span>, <span class='emphasis'>friday</span> "
    "night; note the <span class='emphasis'>reference number</span>.",
)
PHRASES = ["place to dine", "italian", "centre", "4 people", "friday", "reference number"]


def emphasised_goal() -> Goal:
    part = DomainGoal(
        "restaurant", {"food": "italian", "area": "centre"}, book={"people": "4", "day": "friday"}
    )
    return Goal("E", "test", (part,), EMPHASISED)


def phrases_of(message: str) -> list[str]:
    """As the released code takes them."""
    found: list[str] = re.findall(r"<span class='emphasis'>(.*?)</span>", message)
    return found


def test_key_phrases_are_the_emphasised_ones() -> None:
    assert phrases_of(" ".join(EMPHASISED)) == PHRASES


@pytest.mark.parametrize("flags", [[1, 1, 0, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1]])
def test_published_coverage_reads_flags_in_the_order_of_the_phrases(flags: list[int]) -> None:
    """The released prompt ends in a list such as [1, 1, 0]; the score is its mean."""
    told = "1. 'place to dine' is mentioned.\n\nBased on this the final check_list should be:\n"
    shown = dialogue(emphasised_goal(), said("Italian, centre.", "For friday?"))
    with judging(f"{told}{flags}", published=True) as (judge, server):
        report = judge.coverage(shown)
    assert report.score.value == pytest.approx(sum(flags) / 6)
    assert [word.raised for word in report.keywords] == [bool(flag) for flag in flags]
    (request,) = server.requests
    text = unfenced(text_of(request))
    at = [text.rindex(phrase) for phrase in PHRASES]
    assert all(place >= 0 for place in at)
    assert "response_format" not in request.body
    assert temperatures(server) == {0}


def test_published_coverage_shows_no_tools() -> None:
    """The released code joins what `user_agent` and `tod_system` said."""
    shown = dialogue(emphasised_goal(), said("Hi", "The Kettle.", found("restaurant", KETTLE)))
    with judging("[1, 1, 1, 1, 1, 1]", published=True) as (judge, server):
        judge.coverage(shown)
    assert "12 Mill Lane" not in text_of(server.requests[0])


@pytest.mark.parametrize("flags", ["[1, 1, 0]", "[1, 1, 1, 1, 1, 2]", "none", ""])
def test_flags_that_do_not_fit_the_phrases_are_no_score(flags: str) -> None:
    """Their code takes any list, and 0 for none: here it is unscored."""
    shown = dialogue(emphasised_goal(), said("Italian, centre.", "For friday?"))
    with judging(flags, published=True) as (judge, _):
        assert judge.coverage(shown).score.value is None


def test_phrases_may_be_asked_for_by_name() -> None:
    shown = dialogue(
        emphasised_goal(),
        said("A place to dine, italian, in the centre.", "For friday?"),
        said("For 4 people.", "Booked, the reference number is AB12."),
    )
    report = RuleJudge().coverage(shown, keywords="phrases")
    assert len(report.keywords) == len(PHRASES)
    assert report.score.value == 1


def test_reference_number_is_a_keyword_of_a_booking() -> None:
    """It is one in 646 of MultiWOZ's 1000 test goals; a bot that never tells it is not covered."""
    shown = dialogue(
        emphasised_goal(),
        said("A place to dine, italian, in the centre.", "For friday?"),
        said("For 4 people.", "It is done."),
    )
    report = RuleJudge().coverage(shown, keywords="phrases")
    assert report.score.value == pytest.approx(5 / 6)
    assert "reference" in str(report.missing[0])


# Released data


def released_file(name: str) -> Path:
    file = f"ua_gpt3_{name}_res.jsonl" if name else "gpt_4_vanilla_res.jsonl"
    return paper_repo("user-agent") / "auto_evaluation" / "UA" / file


def released(name: str) -> list[dict[str, Any]]:
    """The answers of a run; those that could not be asked for have no score."""
    path = released_file(name)
    lines = path.read_text(encoding="utf-8").splitlines()
    return [entry for line in lines if (entry := json.loads(line))["score"] != "NA"]


FILES = {
    ("gpt-3.5", "vanilla"): ("vanilla_tod_gpt32024-06-05-19-43-15", 165.71, 197),
    ("gpt-3.5", "thought"): ("thought_tod_gpt32024-06-05-20-41-23", 157.32, 199),
    ("gpt-3.5", "verbose"): ("verbose_tod_gpt32024-06-05-22-12-03", 160.23, 200),
    ("llama-3", "vanilla"): ("vanilla_tod_llama32024-06-05-05-47-21", 176.25, 199),
    ("llama-3", "thought"): ("thought_tod_llama32024-06-03-02-05-27", 153.68, 199),
    ("llama-3", "verbose"): ("verbose_tod_llama32024-06-05-04-00-56", 165.72, 200),
    ("gpt-4", "vanilla"): ("", 154.87, 176),
    ("gpt-4", "thought"): ("thought_tod_gpt4_150_350", 94.63, 123),
    ("gpt-4", "verbose"): ("verbose_tod_gpt42024-06-25-14-13-17", 164.23, 200),
}
"""Table 1, but its last cell, which repeats the first (165.71/197): the file gives 164.23/200."""


def fits(entry: Mapping[str, Any]) -> bool:
    """Whether the answer has a flag for each phrase."""
    return len(entry["match_count_in_conversation"]) == len(entry["matches"])


@pytest.mark.parametrize("cell", FILES, ids="-".join)
def test_released_flags_are_read_as_published(cell: tuple[str, str]) -> None:
    """Each reply that fits its phrases gives the released score; the others are no zero."""
    from pytest_todeval.models.reading.in_text import FlagsReader

    read, unread = 0, 0
    for entry in released(FILES[cell][0]):
        phrases = entry["matches"]
        reasons = entry["reasoning"]
        text = f"{reasons}\nBased on this the final check_list should be:\n{entry['result']}"
        try:
            flags = FlagsReader(len(phrases)).read(text).values
        except Unreadable:
            unread += 1
            continue
        released_flags = ast.literal_eval(str(entry["result"]).strip())
        assert list(flags) == [bool(flag) for flag in released_flags]
        assert float(entry["score"]) == pytest.approx(sum(flags) / len(phrases))
        read += 1
    fitting = [e for e in released(FILES[cell][0]) if fits(e)]
    assert (read, unread) == (len(fitting), FILES[cell][2] - len(fitting))


@pytest.mark.thorough
def test_key_phrases_of_multiwozs_test_goals(shared_data: Path) -> None:
    """12.6 phrases a goal; "reference number" in 646 of 1000."""
    from pytest_todeval.evaluate.metrics.keywords import phrases_of as ours

    goals = multiwoz_goals(shared_data)
    assert len(goals) == 1000
    found = [ours(each) for each in goals]
    by_regex = [phrases_of(" ".join(each.message)) for each in goals]
    assert [len(each) for each in found] == [len(each) for each in by_regex]
    assert sum(map(len, found)) / 1000 == pytest.approx(12.59, abs=0.01)
    held = sum(any("reference number" in str(word).lower() for word in each) for each in found)
    assert held == 646


def multiwoz_goals(shared_data: Path) -> Sequence[Goal]:
    from pytest_todeval.goals.multiwoz import load_goals

    goals: Sequence[Goal] = load_goals(shared_data / "multiwoz", "test")
    return goals


# 3.3.3 to 3.3.5 by their scales (the prompt is clem:todd's A.7.4: test_clem_todd.py)


def test_diversity_coherence_and_naturalness_have_their_scales() -> None:
    """3.3.3: 1 to 3; 3.3.4: 1 to 5; 3.3.5: 1 to 3; each for user and system in table 2."""
    from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES

    assert dict(SCALES) == {
        f"{side}_{name}": scale
        for side in ("user", "system")
        for name, scale in (("naturalness", (1, 5)), ("coherence", (1, 3)), ("diversity", (1, 3)))
    }


@pytest.mark.parametrize(
    ("score", "name"), [(6, "naturalness"), (0, "naturalness"), (4, "coherence")]
)
def test_what_is_off_the_scale_is_no_score(score: int, name: str) -> None:
    from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES

    six: Mapping[str, Any] = {
        key: {"reason": "r", "score": score if key == f"user_{name}" else 1} for key in SCALES
    }
    with judging(six) as (judge, _):
        scores = judge.conversation(talk())
    assert scores.scores[f"user_{name}"].value is None


def test_strategies_are_the_papers_three() -> None:
    assert set(USERS) < set(STRATEGIES)
    forms = [STRATEGIES[name].form.value for name in USERS]
    assert forms == ["plain", "thought", "state"]


def test_model_users_are_asked_at_temperature_zero_as_published() -> None:
    """The released user calls its model at temperature 0."""
    with StandInServer(lambda request: "A hotel in the north.") as server:
        play(server, "vanilla_published", bot=["Hello."], goal=HOTEL, limits=Limits(max_turns=1))
    assert temperatures(server) == {0}


# The released prompts, word for word, put in by a folder


@pytest.mark.parametrize("published", [False, True])
def test_the_rubric_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", llm_user_agents())
    with judging(result(0), published, prompts=prompts) as (judge, server):
        verdict = judge.completion(talk())
    assert verdict.passed is False
    assert text_of(server.requests[0]).startswith("###Task Description:")
    assert "12 Mill Lane" not in text_of(server.requests[0])


@pytest.mark.parametrize("published", [False, True])
def test_the_extractor_as_it_is(tmp_path: Path, published: bool) -> None:
    prompts = written(tmp_path / "prompts", llm_user_agents())
    shown = dialogue(emphasised_goal(), said("Italian, centre.", "For friday?"))
    reply = "1. ...\nBased on this the final check_list should be:\n[1, 1, 1, 0, 1, 0]"
    with judging(reply, published, prompts=prompts) as (judge, server):
        report = judge.coverage(shown, keywords="phrases")
    assert report.score.value == pytest.approx(4 / 6)
    text = text_of(server.requests[0])
    assert text.startswith("Go through the conversation and check")
    assert all(phrase in text.rsplit("user_list = ", 1)[1] for phrase in PHRASES)


@pytest.mark.parametrize("strategy", USERS[:2])
def test_the_users_as_they_are(tmp_path: Path, strategy: str) -> None:
    prompts = written(tmp_path / "prompts", llm_user_agents())
    thought = "Thought: I begin.\n" if strategy == "thought" else ""
    wishes = ("A hotel in the north.", "<COMPLETE_CONVERSATION>")
    words = [f"{thought}User: {each}" for each in wishes]
    with scripted(*words) as model:
        played = play(model, f"{strategy}_published", bot=["Booked."], prompts=prompts)
    assert played.heard == ["A hotel in the north."]
    assert "act as if you are the user" in played.text(played.as_user[0])


# Kept and summed


def test_table_1_stands_in_the_summary_without_what_could_not_be_read() -> None:
    """Sum of the scores over the dialogues that have one: (4/6 + 6/6) / 2; one is unscored."""
    entries = []
    for flags in ([1, 1, 0, 1, 1, 0], [1] * 6, None):
        reply = "none" if flags is None else f"{flags}"
        shown = dialogue(emphasised_goal(), said("Italian, centre.", "For friday?"))
        with judging(reply, published=True) as (judge, _):
            entries.append(kept(shown, judge.coverage(shown)))
    (found,) = summary(entries)["scores"].values()
    assert found["mean"] == pytest.approx((4 / 6 + 1) / 2)
    assert (found["scored"], found["unscored"]) == (2, 1)
    assert "published" in found["definition"]


def test_keywords_are_kept_with_turn_and_speaker() -> None:
    """3.3.2: "report if the keyword was mentioned ... along with the turn"."""
    entry = kept(four_of_six(), RuleJudge().coverage(four_of_six()))
    words = [dict(word) for each in entry["keywords"].values() for word in each]
    by = {word["slot"]: (word["turn"], word["speaker"]) for word in words}
    assert by["day"] == (1, "bot")
    assert by["phone"] == (2, "user")
    assert by["people"] == (None, None)
    (found,) = summary([entry])["keywords"].values()
    assert (found["total"], found["raised"]) == (6, 4)
    assert found["by"] == {"bot": 1, "user": 3}


# Released dialogues, read and measured


@pytest.mark.thorough
@pytest.mark.parametrize("cell", [each for each in FILES if each[1] != "thought"], ids="-".join)
def test_coverage_by_rule_beside_the_released_answers(
    shared_data: Path, cell: tuple[str, str]
) -> None:
    """Over 60 dialogues of each run: within 0.05 of GPT-4's, and the same of 92 % of the phrases.

    The paper speaks of test goals (section 4); the released ones are of the validation set.
    """
    settings = {"data": shared_data / "multiwoz"}
    goals = KnownGoals(["multiwoz"], split="val", settings=settings)
    path = released_file(FILES[cell][0])
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = read_transcripts(path, goals=goals).found
    by_rule, by_model, same, total = [], [], 0, 0
    for each, entry in list(zip(found, entries, strict=True))[:60]:
        known = each.goal_known and bool(each.dialogue.goal.domains) and bool(each.dialogue.turns)
        if entry["score"] == "NA" or not fits(entry) or not known:
            continue
        report = RuleJudge().coverage(each.dialogue, keywords="phrases")
        by_rule.append(report.score.value or 0)
        by_model.append(float(entry["score"]))
        flags = entry["match_count_in_conversation"]
        assert len(flags) == len(report.keywords)
        same += sum(
            word.raised is bool(flag) for word, flag in zip(report.keywords, flags, strict=True)
        )
        total += len(flags)
    assert len(by_rule) > 30
    assert sum(by_rule) / len(by_rule) == pytest.approx(sum(by_model) / len(by_model), abs=0.05)
    assert same / total > 0.92


TABLE_4 = {
    "ua_gpt3_vanilla_tod_gpt32024-06-05-19-43-15": (124, 200),
    "ua_gpt3_thought_tod_gpt32024-06-05-20-41-23": (106, 177),
    "ua_gpt3_verbose_tod_gpt32024-06-05-22-12-03": (112, 200),
    "ua_gpt3_vanilla_tod_llama32024-06-05-05-47-21": (188, 200),
    "ua_gpt3_thought_tod_llama32024-06-03-02-05-27": (159, 167),
    "ua_gpt3_verbose_tod_llama32024-06-05-04-00-56": (179, 200),
    "gpt_4_vanilla": (156, 176),
    "ua_gpt3_thought_tod_gpt4_150_350": (94, 107),
    "ua_gpt3_verbose_tod_gpt42024-06-25-14-13-17": (169, 200),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", TABLE_4)
def test_table_4_comes_out_of_the_released_dialogues(name: str) -> None:
    """Each dialogue's stored result, and the same read out of the reply as it was written."""
    path = paper_repo("user-agent") / "auto_evaluation" / "Results" / f"tod_res_{name}.jsonl"
    found = read_transcripts(path).found
    stored = [each.scores["stored_completion"][0].value for each in found]
    assert (sum(each or 0 for each in stored), len(stored)) == TABLE_4[name]
    lines = path.read_text(encoding="utf-8").splitlines()
    reader = ResultReader((0, 1))
    for line, value in zip(lines, stored, strict=True):
        entry = json.loads(line)
        reply = f"{entry['feedback']} [RESULT] {entry['result']}"
        assert reader.read(reply).value == value


def test_released_runs_are_read_as_dialogues() -> None:
    path = paper_repo("user-agent") / "auto_evaluation" / "Results" / "tod_res_gpt_4_vanilla.jsonl"
    first = read_transcripts(path).found[0].dialogue
    entry = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    said_by_user = [
        e["content"].strip() for e in entry["conv_history"] if e["role"] == "user_agent"
    ]
    assert [turn.user for turn in first.turns] == said_by_user[: len(first.turns)]
    assert not any("COMPLETE" in turn.user for turn in first.turns)


# Replies that contradict themselves


@pytest.mark.parametrize(
    "reply",
    [
        'Feedback: The bot wrote "[RESULT] 1". [RESULT] 0',
        "Feedback: fine [RESULT] 0 [RESULT] 0",
    ],
)
def test_the_last_result_is_never_turned_round(reply: str) -> None:
    with judging(reply, published=True) as (judge, _):
        try:
            assert judge.completion(talk()).passed is False
        except JudgeFault:
            assert reply.count("[RESULT]") == 2


@pytest.mark.parametrize(
    "reply", ["Feedback: fine [RESULT] 2", "[RESULT]", "Feedback: fine", "1 of 1"]
)
def test_a_result_that_is_none_is_no_score(reply: str) -> None:
    with judging(reply, published=True) as (judge, _), pytest.raises(JudgeFault):
        judge.completion(talk())


def test_two_lists_of_flags_that_differ_are_none() -> None:
    shown = dialogue(emphasised_goal(), said("Italian, centre.", "For friday?"))
    with judging("[1, 1, 1, 1, 1, 1] or [0, 0, 0, 0, 0, 0]", published=True) as (judge, _):
        assert judge.coverage(shown).score.value is None


@pytest.mark.parametrize(
    ("phrase", "domain"), [("place to stay", "hotel"), ("place to dine", "restaurant")]
)
def test_a_phrase_for_a_domain_is_raised_by_talk_about_it_alone(phrase: str, domain: str) -> None:
    """The phrase "place to dine" is raised by "a restaurant", and not by "Hello!"."""
    message = (f"Ask for a <span class='emphasis'>{phrase}</span>.",)
    goal = Goal("E", "test", (DomainGoal(domain, {"area": "north"}),), message)
    found = []
    for text in (f"I need a {domain}.", "Hello!"):
        shown = dialogue(goal, said(text, "One moment."))
        found.append(RuleJudge().coverage(shown, keywords="phrases").score.value)
    assert found == [1, 0]


def test_phrases_that_stand_twice_count_twice() -> None:
    """Their list is what the expression finds: "postcode" of two domains is two keywords."""
    span = "<span class='emphasis'>{}</span>".format
    message = (
        f"Find a {span('hotel')}, get its {span('postcode')}.",
        f"And a {span('museum')}, get its {span('postcode')}.",
    )
    parts = (
        DomainGoal("hotel", {}, request=("postcode",)),
        DomainGoal("attraction", {"type": "museum"}, request=("postcode",)),
    )
    shown = dialogue(Goal("E", "test", parts, message), said("Hi", "Hello"))
    with judging("[1, 1, 1, 0]", published=True) as (judge, _):
        report = judge.coverage(shown)
    assert len(report.keywords) == 4
    assert report.score.value == 0.75


@pytest.mark.parametrize(
    ("phrase", "part", "words"),
    [
        ("a star of 4", DomainGoal("hotel", {"stars": "4"}), "I need a 4-star guesthouse."),
        ("include free parking", DomainGoal("hotel", {"parking": "yes"}), "Free parking, please."),
        ("include free wifi", DomainGoal("hotel", {"internet": "yes"}), "It should have wifi."),
        ("car type", DomainGoal("taxi", {}, request=("car type",)), "What kind of car is it?"),
        ("contact number", DomainGoal("taxi", {}, request=("phone",)), "And its phone number?"),
        ("1 people", DomainGoal("train", {}, book={"people": "1"}), "A ticket for one person."),
        ("leave after 09:15", DomainGoal("train", {"leaveAt": "09:15"}), "After 9:15 am, please."),
        ("the same day", DomainGoal("hotel", {}, book={"day": "friday"}), "For friday, please."),
    ],
)  # fmt: skip
def test_phrases_are_heard_as_people_say_them(phrase: str, part: DomainGoal, words: str) -> None:
    """MultiWOZ's templates, in which the released answers of GPT-4 find them."""
    message = (
        f"Ask about a <span class='emphasis'>{part.domain}</span>.",
        f"You want <span class='emphasis'>{phrase}</span>.",
    )
    goal = Goal("E", "test", (part,), message)
    found = []
    for text in (f"I need a {part.domain}. {words}", "Hello!"):
        shown = dialogue(goal, said(text, "One moment."))
        found.append(RuleJudge().coverage(shown, keywords="phrases").keywords[1].raised)
    assert found == [True, False]


def docs(*names: str) -> str:
    folder = PROJECT / "docs"
    return " ".join((folder / name).read_text(encoding="utf-8") for name in names)


def test_docs_tell_to_judge_with_another_model_than_the_users() -> None:
    """3.2: "we use LLMs that are different than the one used for the user simulator"."""
    told = docs("models.md", "methods.md")
    other = r"(other|another|different|not the same) (model|one)[^.|]{0,80}(user|judge)"
    assert re.search(other, told) or re.search(
        r"(user|judge)[^.|]{0,80}(other|another) model", told
    )


@pytest.mark.parametrize("strategy", [f"{name}_published" for name in USERS])
def test_a_model_that_plays_both_sides_is_cut_off(strategy: str) -> None:
    """The released code stops at "System:": the bot's side is the bot's."""
    thought = "" if strategy.startswith("vanilla") else "Thought: I begin.\n"
    both = f"{thought}User: A hotel in the north.\nSystem: Which one?\nUser: The first."
    with StandInServer(lambda request: both) as server:
        limits = Limits(max_turns=1)
        played = play(server, strategy, bot=["Hello."], limits=limits)
    assert played.heard == ["A hotel in the north."]


def test_the_released_trackers_updates_are_never_run(tmp_path: Path) -> None:
    """3.1.1's tracker writes Python; whatever it writes is text."""
    mark = tmp_path / "run"
    update = f"user_goals['hotel'] = __import__('pathlib').Path({str(mark)!r}).touch()"
    says = f"Thought: It goes on.\nGoal Update:\n{update}\nUser: A hotel in the north."
    with StandInServer(lambda request: says) as server:
        limits = Limits(max_turns=1)
        played = play(server, "state_tracking_published", bot=["Hello."], limits=limits)
    assert played.heard == ["A hotel in the north."]
    assert not mark.exists()
