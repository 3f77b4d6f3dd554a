"""A user played by the stand-in server, a bot by a script, and what came of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.llm_user import STRATEGIES, LLMUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.testing import Answer, ChatRequest, ScriptedSystem, StandInServer

HOTEL = Goal(
    "north",
    "mine",
    (DomainGoal("hotel", {"area": "north"}, book={"people": "2"}, wants_booking=True),),
    ("You want a hotel in the north, for 2 people.",),
)
HEADSET = Goal(
    "headset", "mine", (), ("Your headset plays no sound.",), solution="Hold the mute key."
)
DEFAULT_LIMITS = Limits()
AnswerOf = Callable[[ChatRequest], str | Mapping[str, Any] | Answer]


@dataclass(frozen=True)
class Played:
    """A dialogue with the user that played it and what its model was asked."""

    dialogue: Dialogue
    user: LLMUser
    asked: tuple[ChatRequest, ...]

    @property
    def heard(self) -> list[str]:
        """What the bot heard."""
        return [turn.user for turn in self.dialogue.turns]

    @property
    def as_user(self) -> list[ChatRequest]:
        """The requests of the user's own conversation, without checkers and supervisors."""
        return [request for request in self.asked if request.schema is None]

    def text(self, request: ChatRequest) -> str:
        """All messages of a request."""
        return "\n".join(str(message["content"]) for message in request.messages)


def settings(server: StandInServer) -> ModelSettings:
    """A model on the stand-in."""
    return ModelSettings("stand-in", base_url=server.base_url, retries=0)


@contextmanager
def scripted(*answers: Any) -> Iterator[StandInServer]:
    """A model that gives these answers in order, whoever asks."""
    with StandInServer.script(answers) as server:
        yield server
        assert server.failures == ()


def play(
    model: StandInServer,
    strategy: str = "vanilla",
    *,
    bot: Sequence[str] = (),
    goal: Goal = HOTEL,
    limits: Limits = DEFAULT_LIMITS,
    **options: Any,
) -> Played:
    """A whole dialogue."""
    user = LLMUser(goal, settings(model), strategy, **options)
    dialogue = run_dialogue(goal, user, ScriptedSystem(bot), limits=limits)
    return Played(dialogue, user, model.requests)


def thoughtful(strategy: str, text: str, thought: str = "hush-hush") -> str:
    """The text in the form that the strategy asks for."""
    form = STRATEGIES[strategy].form
    if form == "plain":
        return text
    state = '\nState: {"hotel.inform.area": "done"}' if form == "state" else ""
    return f"Thought: {thought}{state}\nResponse: {text}"


def turn(index: int, user: str, system: str) -> Turn:
    """An exchange."""
    return Turn(index, user, system)
