"""Which of two dialogues is better: both orders asked, and what is no answer is no tie."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.judge.llm_judge.comparison import (
    OPTIONS,
    Comparison,
    Game,
    Winner,
    compare,
    comparison_of,
)
from pytest_todeval.evaluate.judge.llm_judge.named import digest
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import dialogue, said
from tests.support.judging_world import WANTED, panel_of, texts

A, B, EQUAL = OPTIONS
GOOD = dialogue(WANTED, said("Italian?", "The Copper Kettle is a good one."))
POOR = dialogue(WANTED, said("Italian?", "No idea."))

Answering = Callable[[ChatRequest], Answerable]


def says(choice: str) -> Mapping[str, str]:
    return {"reason": f"{choice} it is", "choice": choice}


def shown_first(request: ChatRequest, text: str = "a good one") -> bool:
    asked = str(request.messages[1]["content"])
    return text in asked[: asked.index("Here ends conversation A.")]


def finds_good(request: ChatRequest) -> Answerable:
    return says(A if shown_first(request) else B)


def compared(
    server: StandInServer,
    one: Dialogue = GOOD,
    other: Dialogue = POOR,
    *models: str,
    samples: int = 1,
) -> Comparison:
    return compare(ModelBench(panel_of(server, *models, samples=samples), Prompts()), one, other)


def test_the_better_one_wins_in_both_orders() -> None:
    with StandInServer(finds_good) as server:
        found, turned = compared(server), compared(server, POOR, GOOD)
    assert (found.winner, found.consistent, found.undecided) == ("one", True, None)
    assert (turned.winner, turned.consistent) == ("other", True)
    assert found
    assert not turned
    assert len(server.requests) == 4
    assert found.reason == f"one first: {A} it is; other first: {B} it is"
    assert "comparison 2 (" in found.definition
    assert "turn_policy_default 2 (" in found.definition


def test_a_judge_that_likes_what_stands_first_finds_a_tie_that_is_inconsistent() -> None:
    with StandInServer(lambda request: says(request.model)) as server:
        for choice in (A, B):
            found = compared(server, GOOD, POOR, choice)
            assert (found.winner, found.consistent) == ("tie", False)
            assert found


def game(first: Winner | None, second: Winner | None) -> Game:
    return Game(f"model {first} {second}", first, second, f"because {first} {second}")


ONE, OTHER, TIE = game("one", "one"), game("other", "other"), game("tie", "tie")
SPLIT, LOST = game("one", "other"), game("one", None)


@pytest.mark.parametrize(
    ("games", "winner", "reason"),
    [
        ([ONE], "one", "because one one"),
        ([OTHER, ONE, ONE], "one", "because one one"),
        ([ONE, OTHER, OTHER], "other", "because other other"),
        ([ONE, OTHER], "tie", "because one one"),
        ([ONE, ONE, OTHER, TIE], "tie", "because tie tie"),
        ([ONE, TIE, SPLIT], "tie", "because tie tie"),
        ([LOST, ONE], "one", "because one one"),
        ([LOST, LOST, ONE], None, "2 of 3 times, model one None: because one None"),
        ([LOST], None, "1 of 1 times, model one None: because one None"),
    ],
)
def test_a_side_wins_that_more_than_half_of_the_games_name(
    games: list[Game], winner: str | None, reason: str
) -> None:
    found = comparison_of(games, "d")
    assert (found.winner, found.reason) == (winner, reason)
    assert (found.undecided is None) is (winner is not None)


def test_equal_is_a_tie() -> None:
    with StandInServer(lambda request: says(EQUAL)) as server:
        found = compared(server)
    assert (found.winner, found.consistent) == ("tie", True)


def test_equal_in_one_order_only_is_inconsistent() -> None:
    with StandInServer(lambda request: says(A if shown_first(request) else EQUAL)) as server:
        found = compared(server)
    assert (found.winner, found.consistent) == ("tie", False)


@pytest.mark.parametrize("orders", [{True}, {False}, {True, False}])
def test_what_cannot_be_read_is_no_tie(orders: set[bool]) -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "Both!" if shown_first(request) in orders else says(EQUAL)

    with StandInServer(answer) as server:
        found = compared(server)
    assert (found.winner, found.consistent) == (None, False)
    assert "1 of 1 times, m: one first: " in str(found.undecided)
    assert "asked twice" in found.reason
    with pytest.raises(JudgeFault, match="the comparison is undecided: 1 of 1 times"):
        assert found


@pytest.mark.parametrize(
    ("of_models", "winner", "consistent"),
    [
        ("ggg", "one", True),
        ("gga", "one", False),
        ("gg?", "one", False),
        ("g??", None, False),
        ("gaa", "tie", False),
        ("gbp", "tie", False),
        ("ppg", "other", True),
    ],
)
def test_a_panel_decides_by_most(of_models: str, winner: str | None, consistent: bool) -> None:
    """Of models that find: g the good one, p the poor one, a the first, b the last, ? nothing."""
    kinds: Mapping[str, Answering] = {
        "g": finds_good,
        "p": lambda request: says(B if shown_first(request) else A),
        "a": lambda request: says(A),
        "b": lambda request: says(B),
        "?": lambda request: "Both!",
    }
    models = [f"{kind}{at}" for at, kind in enumerate(of_models)]
    with StandInServer(lambda request: kinds[request.model[0]](request)) as server:
        found = compared(server, GOOD, POOR, *models)
    assert found.winner == winner
    assert [game.by for game in found.games] == models
    assert found.consistent is consistent


def test_samples_are_played_in_pairs() -> None:
    def answer(request: ChatRequest) -> Answerable:
        return finds_good(request) if request.body["seed"] else says(A)

    with StandInServer(answer) as server:
        found = compared(server, samples=3)
    assert [(game.winner, game.consistent) for game in found.games] == [
        ("tie", False),
        ("one", True),
        ("one", True),
    ]
    assert found.winner == "one"


def test_only_dialogues_over_one_goal_can_be_compared() -> None:
    with StandInServer(finds_good) as server:
        with pytest.raises(UsageError, match="test/G1 and test/G2 are different goals"):
            compared(server, GOOD, replace(POOR, goal=replace(WANTED, id="G2")))
        for pair in ((GOOD, Dialogue(WANTED)), (Dialogue(WANTED), GOOD)):
            with pytest.raises(JudgeFault, match="no turn"):
                compared(server, *pair)
        assert not server.requests


def test_the_same_pair_is_asked_about_in_the_same_words() -> None:
    with StandInServer(finds_good) as server:
        compared(server)
        compared(server, POOR, GOOD)
    asked = sorted(texts(server))
    assert asked[::2] == asked[1::2]
    assert asked[0] != asked[2]


def published(server: StandInServer, *models: str, policy: str = "") -> Comparison:
    prompts = Prompts(published=True)
    return compare(ModelBench(panel_of(server, *models), prompts, policy=policy), GOOD, POOR)


@pytest.mark.parametrize(("says", "winner"), [(A, "one"), (B, "other"), (EQUAL, "tie")])
def test_as_published_one_order_is_asked(says: str, winner: str) -> None:
    with StandInServer(lambda request: says) as server:
        found = published(server)
    assert (found.winner, found.consistent) == (winner, True)
    assert [(game.first, game.second, game.once) for game in found.games] == [(winner, None, True)]
    (request,) = server.requests
    assert "response_format" not in request.body
    assert "⟦goal" not in texts(server)[0]
    assert "published comparison 1 (" in found.definition
    assert "published turn_policy_default 1 (" in found.definition


def test_as_published_what_cannot_be_read_is_undecided() -> None:
    with StandInServer(lambda request: "Both!") as server:
        found = published(server)
    assert (found.winner, found.consistent) == (None, False)
    with pytest.raises(JudgeFault, match="the comparison is undecided: 1 of 1 times"):
        assert found


@pytest.mark.parametrize("prompts", [Prompts(), Prompts(published=True)])
def test_the_bots_are_held_against_their_policy(prompts: Prompts) -> None:
    def answer(request: ChatRequest) -> Answerable:
        return says(EQUAL) if request.schema is not None else EQUAL

    with StandInServer(answer) as server:
        panel = panel_of(server)
        own = compare(ModelBench(panel, prompts, policy="Never sell before noon."), GOOD, POOR)
        default = compare(ModelBench(panel, prompts), GOOD, POOR)
    shown = [fenced("policy", "Never sell before noon.") in text for text in texts(server)]
    assert sorted(shown) == [False, True] if prompts.published else [False, False, True, True]
    assert f"own policy ({digest(['Never sell before noon.'])})" in own.definition
    assert own.definition != default.definition


def test_what_a_definition_rests_on_is_a_hash_of_twelve_digits() -> None:
    assert digest(["a", "b"]) == hashlib.sha256(b"a\0b").hexdigest()[:12]
