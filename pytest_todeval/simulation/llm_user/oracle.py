"""AutoEval-ToD's oracle: whoever knows the solution, apart from the user, who never sees it."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.llm.ask import Asked, ask
from pytest_todeval.llm.client import ChatClient
from pytest_todeval.llm.fence import fenced
from pytest_todeval.llm.prompt import Prompts
from pytest_todeval.llm.reading.replies import yes_no_reader
from pytest_todeval.llm.reading.yes_no import YesNoReply

Query = Callable[[str, Mapping[str, str]], Sequence[Mapping[str, Any]]]
"""`backend.query`: domain and constraints -> rows."""
NAMES = ("name", "trainID")
"""The slots that say which row it is, if a row has one of them."""


class SolutionChecker:
    """Says whether a bot's recommendation holds the solution (AutoEval-ToD, section 4, prompt H.2).

    Calls stay in the lane of whoever asks.
    """

    def __init__(self, client: ChatClient, prompts: Prompts) -> None:
        self._client = client
        self._prompt = prompts.get("solution_checker")

    def offers(
        self, solution: str, recommendation: str, seed: int | None = None
    ) -> Asked[YesNoReply]:
        """Whether it is in there, in whatever words.

        Raises ModelUnavailable; an answer that cannot be read is neither yes nor no.
        """
        messages = self._prompt.render(
            solution=fenced("solution", solution), recommendation=fenced("chatbot", recommendation)
        )
        return ask(self._client, messages, yes_no_reader(self._prompt), seed=seed)


class Oracle:
    """Follows one dialogue: whether the bot has offered all solutions by now."""

    def __init__(
        self, checker: SolutionChecker, solutions: Sequence[str], seed: int | None
    ) -> None:
        self._checker, self._seed = checker, seed
        self.solutions = tuple(solutions)
        self._open = list(solutions)

    @property
    def solved(self) -> bool:
        """Whether nothing is left to be offered."""
        return not self._open

    def told(self, answer: str, turn: int) -> str:
        """What the user is told of the bot's answer: yes (from the offer on) or no.

        Raises SimulatorFault if the checker's answer cannot be read.
        """
        self._open = [each for each in self._open if not self._offers(each, answer, turn)]
        return "yes" if self.solved else "no"

    def _offers(self, solution: str, answer: str, turn: int) -> bool:
        found = self._checker.offers(solution, answer, self._seed)
        if found.value is None:
            raise SimulatorFault(
                f"the solution checker could not say whether turn {turn} offers the solution: "
                f"{found.unscored}"
            )
        return bool(found.value.value)


def solutions_of(goal: Goal, query: Query | None, seed: int) -> tuple[str, ...]:
    """The goal's own solution; else one for each of its domains, chosen by `seed` from the rows.

    AutoEval-ToD, section 3.2, whose goals have one domain. A row is told as `hotel: name`, or by
    all of its values if it has no name. Empty if there is none to be had.
    """
    if goal.solution or query is None:
        return (goal.solution,) if goal.solution else ()
    rng = random.Random(f"{goal.name}/{seed}")
    found = [(part.domain, list(query(part.domain, part.inform))) for part in goal.domains]
    return tuple(f"{domain}: {_named(rng.choice(_sorted(rows)))}" for domain, rows in found if rows)


def _sorted(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(rows, key=lambda row: json.dumps(dict(row), sort_keys=True, default=str))


def _named(row: Mapping[str, Any]) -> str:
    name = next((str(row[slot]) for slot in NAMES if row.get(slot)), "")
    return name or ", ".join(f"{slot} {row[slot]}" for slot in sorted(row))
