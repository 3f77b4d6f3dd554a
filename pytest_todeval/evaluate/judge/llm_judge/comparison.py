"""Asks which of two dialogues is better (TD-Eval, section 3.2 and figure 13), in both orders.

The paper asks once, in one order, and does not show the goal; models favour what they are shown
first or last, so both orders are asked here, and an answer counts only if the other bears
it out. As published one order is asked, without the goal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pytest_todeval.core.assertable import Assertable, Several, WhichOne, YesNo
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns, transcript
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.places import defined, dialogue_places
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.reading.choice import ChoiceReply
from pytest_todeval.models.reading.replies import choice_reader

Winner = Literal["one", "other", "tie"]

PROMPT = "comparison"
FIRST, SECOND, EQUAL = OPTIONS = ("CONVERSATION_A", "CONVERSATION_B", "EQUAL")
IN_ORDER: Mapping[str, Winner] = {FIRST: "one", SECOND: "other", EQUAL: "tie"}
TURNED: Mapping[str, Winner] = {FIRST: "other", SECOND: "one", EQUAL: "tie"}


@dataclass(frozen=True, slots=True, eq=False)
class Game(Assertable):
    """The answers of one model in one sample, in both orders."""

    by: str
    """The model."""
    first: Winner | None
    """Asked with `one` shown first; None if the answer cannot be read."""
    second: Winner | None
    """Asked with `other` shown first; None as published, too, which does not ask so."""
    reason: str
    """Its reasons, or why one cannot be read."""
    once: bool = False
    """Whether one order was asked only, as published."""

    def _line(self) -> str:
        return 'game.winner == "one"'

    @property
    def consistent(self) -> bool:
        """Says whether all orders that were asked gave the same winner."""
        return self.first is not None and (self.once or self.first == self.second)

    @property
    def winner(self) -> Winner | None:
        """Returns the winner; a tie if the orders disagree, None if one of them cannot be read."""
        if self.once:
            return self.first
        if self.first is None or self.second is None:
            return None
        return self.first if self.first == self.second else "tie"


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(YesNo):
    """The better one of two dialogues. Truthy unless that is `other`: `assert compare(new, old)`.

    Its truth raises JudgeFault if it is undecided: that is neither dialogue's failure.
    """

    winner: Winner | None
    """`one`, `other` or `tie`; None if it is undecided."""
    reason: str
    consistent: bool
    """Whether both orders gave the same answer, every time they were asked; as published there is
    one order."""
    undecided: str | None = None
    """Why there is no winner, and no tie either: answers that cannot be read."""
    games: tuple[Game, ...] = ()
    """Every model's answers, each time it was asked."""
    definition: str = ""
    """What the answer means: prompt and models."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "games", Several(self.games))
        if self.winner is not None:
            object.__setattr__(self, "winner", WhichOne(self.winner))

    def _line(self) -> str:
        return 'judge.compare(new, old)`, or `assert judge.compare(new, old).winner == "one"'

    def __bool__(self) -> bool:
        __tracebackhide__ = True  # a test shows its own line, not this one
        if self.winner is None:
            raise JudgeFault(f"the comparison is undecided: {self.undecided}")
        return self.winner != "other"


def compare(bench: ModelBench, one: Dialogue, other: Dialogue) -> Comparison:
    """Compares two dialogues over the same goal, with two calls per model and sample.

    As published there is one call, with `one` shown first.

    Orders that disagree are a tie with `consistent=False`. If an order's answer cannot be read,
    that time does not count; if fewer than half of the times do, it is undecided. Of the rest,
    a side wins that more than half of them name, else it is a tie.

    Raises UsageError if the goals differ, JudgeFault if a dialogue has no turns,
    ModelUnavailable if a model could not be asked.
    """
    if one.goal.name != other.goal.name:
        raise UsageError(
            f"compare: {one.goal.name} and {other.goal.name} are different goals; only dialogues "
            "over the same goal can be compared"
        )
    for each in (one, other):
        judged_turns(each)
    prompt, panel = bench.prompts.get(PROMPT), bench.panel
    texts = (transcript(one), transcript(other))
    places = dialogue_places(bench, one)
    orders = [texts] if bench.published else [texts, texts[::-1]]
    asked = [prompt.render(**{**places, "one": a, "other": b}) for a, b in orders]
    reader = choice_reader(prompt, OPTIONS)
    answers = panel.each([partial(panel.ask, order, reader) for order in asked])
    games = [_game(*each) for each in zip(*answers, strict=True)]
    return comparison_of(games, defined(bench, prompt))


def _game(first: PanelAnswer[ChoiceReply], second: PanelAnswer[ChoiceReply] | None = None) -> Game:
    in_order, why = _read(first, IN_ORDER)
    if second is None:
        return Game(first.by, in_order, None, why, once=True)
    turned, why_turned = _read(second, TURNED)
    return Game(first.by, in_order, turned, f"one first: {why}; other first: {why_turned}")


def _read(
    answer: PanelAnswer[ChoiceReply], meaning: Mapping[str, Winner]
) -> tuple[Winner | None, str]:
    asked = answer.asked
    if asked.value is None:
        return None, answer.why
    return meaning[asked.value.value], asked.value.reason


def comparison_of(games: Sequence[Game], definition: str) -> Comparison:
    """Combines games into one comparison; see `compare`."""
    consistent = all(game.consistent for game in games)
    winners = [game.winner for game in games if game.winner is not None]
    if not winners or 2 * len(winners) < len(games):
        unread = next(game for game in games if game.winner is None)
        why = f"{len(games) - len(winners)} of {len(games)} times, {unread.by}: {unread.reason}"
        return Comparison(None, why, consistent, why, tuple(games), definition)
    winner = _most(winners)
    reason = next((game.reason for game in games if game.winner == winner), games[0].reason)
    return Comparison(winner, reason, consistent, None, tuple(games), definition)


def _most(winners: Sequence[Winner]) -> Winner:
    sides: tuple[Winner, Winner] = ("one", "other")
    return next((side for side in sides if 2 * winners.count(side) > len(winners)), "tie")
