"""What the papers' systems share: a model, prompts, and a bot for each dialogue."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.errors import UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.research.systems.calling import MeteredClient
from pytest_todeval.research.systems.venue_tools import VenueTools

MAX_STEPS = 10


@dataclass(frozen=True)
class BotSetup:
    """What the bot of one dialogue is made of."""

    backend: Any
    tools: VenueTools
    client: MeteredClient
    opening: Sequence[Turn]


CLEM_TODD = ("restaurant", "hotel", "train")
"""The domains of clem:todd's 117 tasks, and of its figures."""


class PaperSystem(ABC):
    """A factory of bots, one for each dialogue: what `tod_system` may be.

    `model` is a name, settings or a client. `prompts` is a folder with documents that replace the
    shipped ones. `published`: asked in the paper's shape, at temperature 0. `max_steps` is the
    number of calls in one turn. Raises UsageError for a number below 1.
    """

    _venues_only = True
    """Whether it takes nothing but tools that look up and book by domain."""
    _figures: tuple[str, ...] = ()
    """The domains of the paper's figures, to which the bot keeps as published."""
    _needs_rows = False
    """Whether it reads a domain's rows, by the backend's `query`."""

    def __init__(
        self,
        model: str | ModelSettings | ChatClient,
        *,
        prompts: str | Path | None = None,
        published: bool = False,
        max_steps: int = MAX_STEPS,
    ) -> None:
        if type(max_steps) is not int or max_steps < 1:
            raise UsageError(f"max_steps is {max_steps!r}, expected a whole number above 0")
        self._client = ChatClient.of(model, cold=published)
        self._prompts = Prompts(prompts, published=published)
        self._published, self._max_steps = published, max_steps

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._client.model}>"

    @property
    def model(self) -> str:
        """Returns the name of its model; with the class it is the bot's name in results."""
        return self._client.model

    def __call__(self, backend: Any = None, opening: Sequence[Turn] = ()) -> Any:
        """Returns the bot of one dialogue, which goes on from `opening`.

        Raises UsageError if the backend lacks what this system needs.
        """
        tools = VenueTools(backend, self._figures if self._published else ())
        if self._venues_only:
            tools.require(type(self).__name__, rows=self._needs_rows)
        return self._bot(BotSetup(backend, tools, MeteredClient(self._client), opening))

    def _instructed(self, document: str, setup: BotSetup) -> list[dict[str, Any]]:
        """A conversation's first messages: a prompt with the backend's policy, what was said."""
        policy = str(getattr(setup.backend, "policy", "")).strip()
        return [*self._prompts.get(document).render(policy=policy), *said_before(setup.opening)]

    @abstractmethod
    def _bot(self, setup: BotSetup) -> Any:
        """Returns the bot of one dialogue."""


def said_before(opening: Sequence[Turn]) -> list[dict[str, str]]:
    """Returns what user and bot said in the turns before the dialogue, as messages."""
    said = (
        {"role": role, "content": text}
        for turn in opening
        for role, text in (("user", turn.user), ("assistant", turn.system))
    )
    return [message for message in said if message["content"]]
