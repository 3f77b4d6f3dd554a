"""Task completion with feedback, and goal completion by a checker that knows the solution."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, OracleFault
from pytest_todeval.evaluate.judge.llm_judge.completion import (
    judge_completion,
    judge_fulfilment,
    judge_goal_completion,
)
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import backend, dialogue, goal, restaurant_goal, said
from tests.support.judging_world import panel_of, played, texts

RESTAURANT = {"food": "italian", "area": "centre"}
SOLUTION = "Hold the reset button for ten seconds."


def says(answer: str, reason: str = "told why") -> Mapping[str, str]:
    return {"reason": reason, "answer": answer}


def completed(server: StandInServer) -> Verdict:
    return judge_completion(ModelBench(panel_of(server), Prompts()), played())


def solved(
    server: StandInServer, shown: Dialogue, solution: str | None = SOLUTION, *, samples: int = 1
) -> Verdict:
    return judge_goal_completion(
        ModelBench(panel_of(server, samples=samples), Prompts()), shown, solution
    )


def replies(*each: str) -> Dialogue:
    return dialogue(restaurant_goal(), *(said("It is broken.", reply) for reply in each))


def holds(request: ChatRequest) -> Answerable:
    """A checker that looks for the button."""
    return says("yes" if "reset button" in request.last_user else "no")


@pytest.mark.parametrize("passed", [True, False])
def test_the_verdict_has_feedback(passed: bool) -> None:
    with StandInServer(lambda request: says("yes" if passed else "no", "No table.")) as server:
        verdict = completed(server)
    assert len(server.requests) == 1
    assert (verdict.name, bool(verdict), verdict.reason) == ("completion", passed, "No table.")
    assert verdict.basis == "judged by m"
    assert verdict.definition.startswith("model completion 2 (")


def test_completion_goes_by_the_dialogue_alone() -> None:
    """Kazi et al., 3.3.1: "solely based on the dialogues"."""
    with StandInServer(lambda request: says("yes")) as server:
        completed(server)
    (text,) = texts(server)
    assert "The Copper Kettle is nice." in text
    assert not any(word in text for word in ("⟦goal ", "find_restaurant", "tools"))


def fulfilled(server: StandInServer, shown: Dialogue) -> Verdict:
    return judge_fulfilment(ModelBench(panel_of(server), Prompts()), shown)


def test_fulfilment_is_shown_the_goal_and_never_its_solution() -> None:
    shown = played()
    secret = replace(
        shown, goal=replace(shown.goal, solution=SOLUTION, message=("Eat <b>well</b>",))
    )
    with StandInServer(lambda request: says("no", "Nothing was booked.")) as server:
        verdict = fulfilled(server, secret)
    (text,) = texts(server)
    assert (verdict.name, verdict.passed, verdict.reason) == (
        "fulfilment",
        False,
        "Nothing was booked.",
    )
    assert verdict.definition.startswith("model fulfilment 1 (")
    assert "⟦goal " in text
    assert "Eat well." in text
    assert "reset button" not in text
    assert '"the copper kettle"' in text, "what tools gave back is shown"


def test_a_goal_that_says_nothing_is_never_fulfilled_nor_failed() -> None:
    blank = replace(played(), goal=goal())
    with (
        StandInServer(lambda request: says("yes")) as server,
        pytest.raises(OracleFault, match="the goal says nothing"),
    ):
        fulfilled(server, blank)
    assert not server.requests


# as published

TEMPLATE = Prompts(published=True)


@pytest.mark.parametrize("passed", [True, False])
def test_as_published_completion_has_feedback_and_a_result(passed: bool) -> None:
    reply = f"Feedback: The bot answered. [RESULT] {int(passed)}"
    with StandInServer(lambda request: reply) as server:
        verdict = judge_completion(ModelBench(panel_of(server), TEMPLATE), played())
    assert (verdict.passed, verdict.reason) == (passed, "The bot answered.")
    assert verdict.version.startswith("published completion 1 (")
    (text,) = texts(server)
    assert server.requests[0].schema is None
    assert not any(word in text for word in ("⟦goal ", "find_restaurant"))


@pytest.mark.parametrize("reply", ["[RESULT]", "Fine.", "[RESULT] 2", "[RESULT] 1 [RESULT] 0"])
def test_as_published_without_a_result_nothing_is_told(reply: str) -> None:
    with StandInServer(lambda request: reply) as server, pytest.raises(JudgeFault):
        judge_completion(ModelBench(panel_of(server), TEMPLATE), played())
    assert len(server.requests) == 2


@pytest.mark.parametrize(("row", "passed"), [("Yes,5,3,3,1,2", True), ("no,1,1,1,1,1", False)])
def test_as_published_fulfilment_is_the_first_of_the_row(row: str, passed: bool) -> None:
    with StandInServer(lambda request: row) as server:
        verdict = judge_fulfilment(ModelBench(panel_of(server), TEMPLATE), played())
    assert verdict.passed is passed
    assert verdict.reason == f"the answer is a bare {'yes' if passed else 'no'}"
    assert verdict.version.startswith("published conversation 1 (")
    (text,) = texts(server)
    assert "⟦goal " in text
    assert "find_restaurant" not in text


def test_as_published_the_checker_says_yes_or_no_in_a_tag() -> None:
    def checks(request: ChatRequest) -> Answerable:
        told = "YES" if "reset button" in request.last_user else "NO"
        return f"<answer>{told}</answer>"

    shown = replies(SOLUTION)
    with StandInServer(checks) as server:
        verdict = judge_goal_completion(ModelBench(panel_of(server), TEMPLATE), shown, SOLUTION)
    assert verdict.turns == (1,)
    assert verdict.version.startswith("published solution_checker 1 (")
    assert server.requests[0].schema is None


def test_a_document_of_ones_own_for_fulfilment_is_the_one_that_is_asked(tmp_path: Path) -> None:
    head = "---\nversion: 3\nanswer: text\nreply: row\n---\n# user\n"
    (tmp_path / "fulfilment.md").write_text(f"{head}{{{{goal}}}} {{{{dialogue}}}}\n")
    prompts = Prompts(tmp_path, published=True)
    with StandInServer(lambda request: "Yes") as server:
        verdict = judge_fulfilment(ModelBench(panel_of(server), prompts), played())
    assert verdict.passed
    assert "fulfilment 3 (" in verdict.version


def test_the_first_turn_that_holds_the_solution() -> None:
    held = f"Try this: {SOLUTION.lower()}"
    with StandInServer(holds) as server:
        verdict = solved(server, replies("What model?", "", held, "Did it help?", held))
    assert verdict
    assert (verdict.name, verdict.turns) == ("goal_completion", (3,))
    assert verdict.basis == "judged by m"
    assert "solution_checker 1 (" in verdict.version
    assert len(server.requests) == 2, "neither silence nor what comes after is asked about"
    assert not any("It is broken" in text for text in texts(server)), "the user is not shown"


def test_a_checker_without_a_reason_leaves_none_empty() -> None:
    with StandInServer(lambda request: "<answer>YES</answer>") as server:
        verdict = solved(server, replies(SOLUTION))
    assert verdict.reason == f"turn 1 holds the solution ({SOLUTION})"


def test_no_turn_holds_it() -> None:
    with StandInServer(holds) as server:
        verdict = solved(server, replies("What model?", "Buy a new one."))
    assert not verdict
    assert verdict.turns == ()
    assert verdict.reason == f"none of the 2 replies holds the solution ({SOLUTION})"


def test_a_turn_that_could_not_be_judged_may_have_been_the_first() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "Hm." if "What model?" in str(request.messages[1]["content"]) else holds(request)

    with StandInServer(answer) as server:
        verdict = solved(server, replies("What model?", SOLUTION))
        assert verdict
        assert verdict.turns == ()
        assert "turn 1 could not be judged: asked twice" in verdict.reason
        with pytest.raises(JudgeFault, match="turn 1 could not be judged"):
            solved(server, replies("What model?", "Buy a new one."))


def test_samples_of_the_checker_differ_in_their_seed() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return says("no") if request.body["seed"] == 1 else holds(request)

    with StandInServer(answer) as server:
        assert solved(server, replies(SOLUTION), samples=3).turns == (1,)
    assert sorted(request.body["seed"] for request in server.requests) == [0, 1, 2]


def test_the_solution_is_the_goals_or_a_row() -> None:
    own = replies(SOLUTION)
    own = replace(own, goal=replace(own.goal, solution=SOLUTION))
    row = dialogue(restaurant_goal(), said("Italian?", "The Copper Kettle."))
    with StandInServer(lambda request: says("yes")) as server:
        client = panel_of(server).clients[0]
        assert LLMJudge(client).goal_completion(own)
        assert LLMJudge(client, backend=backend()).goal_completion(row)
        with pytest.raises(OracleFault, match="test/G1: no solution to look for"):
            LLMJudge(client).goal_completion(row)
    asked = "\n".join(texts(server))
    assert SOLUTION in asked
    assert "restaurant: the copper kettle" in asked


def test_each_domain_has_a_solution_of_its_own() -> None:
    goal_of_two = goal(DomainGoal("hotel", {"area": "east"}), DomainGoal("restaurant", RESTAURANT))
    lodge, kettle = said("A hotel?", "Willow Lodge."), said("Food?", "The Copper Kettle.")

    def answer(request: ChatRequest) -> Answerable:
        rule, asked = request.messages[0]["content"], request.last_user
        wanted = "Willow Lodge" if "willow lodge" in rule else "Copper Kettle"
        return says("yes" if wanted in asked else "no")

    with StandInServer(answer) as server:
        judge = LLMJudge(panel_of(server).clients[0], backend=backend())
        both = judge.goal_completion(dialogue(goal_of_two, kettle, said("And?", "Well."), lodge))
        half = judge.goal_completion(dialogue(goal_of_two, lodge))
    assert both
    assert both.turns == (1, 3)
    assert not half
    assert half.turns == ()
    assert "restaurant: the copper kettle" in half.reason
