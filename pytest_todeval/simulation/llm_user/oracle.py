"""AutoEval-ToD's oracle: whoever knows the solution, apart from the user, who never sees it."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.models.ask import ask
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Message, Prompt, Prompts
from pytest_todeval.models.reading.replies import yes_no_reader

Query = Callable[[str, Mapping[str, str]], Sequence[Mapping[str, Any]]]
"""`backend.query`: domain and constraints -> rows."""
CHECKER = "solution_checker"
"""The document of whoever knows the solution."""
NAMES = ("name", "trainID")
"""The slots that say which row it is, if a row has one of them."""


def whether_offered(prompt: Prompt, solution: str, recommendation: str) -> list[Message]:
    """Whether a bot's recommendation holds the solution, in whatever words; `prompt` is `CHECKER`.

    AutoEval-ToD, section 4, prompt H.2.
    """
    return prompt.render(
        solution=fenced("solution", solution), recommendation=fenced("chatbot", recommendation)
    )


class Oracle:
    """Follows one dialogue: whether the bot has offered all solutions by now."""

    def __init__(
        self, client: ChatClient, prompts: Prompts, solutions: Sequence[str], seed: int | None
    ) -> None:
        self._client, self._prompts, self._seed = client, prompts, seed
        self.solutions = tuple(solutions)
        self._open = list(solutions)

    @property
    def solved(self) -> bool:
        """Says whether nothing is left to be offered."""
        return not self._open

    def told(self, answer: str, turn: int) -> str:
        """Returns what the user is told of the bot's answer: yes (from the offer on) or no.

        Raises ModelUnavailable, SimulatorFault if the checker's answer cannot be read.
        """
        self._open = [each for each in self._open if not self._offers(each, answer, turn)]
        return "yes" if self.solved else "no"

    def _offers(self, solution: str, answer: str, turn: int) -> bool:
        prompt = self._prompts.get(CHECKER)
        messages, reader = whether_offered(prompt, solution, answer), yes_no_reader(prompt)
        found = ask(self._client, messages, reader, seed=self._seed, prompts=self._prompts)
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
