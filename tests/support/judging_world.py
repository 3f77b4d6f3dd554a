"""A panel over the stand-in server, and dialogues in which a hostile text stands everywhere."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import BOOK, KETTLE, dialogue, found, restaurant_goal, said

__all__ = ["NO_MODEL", "WANTED", "everywhere", "graded", "panel_of", "played", "texts", "together"]

WANTED = restaurant_goal(book=BOOK, request=("phone",))

Judging = Callable[[ChatRequest], Answerable]


def panel_of(server: StandInServer, *models: str, samples: int = 1) -> Panel:
    """A panel that asks a stand-in server; of the model `m` if none is named."""
    settings = [ModelSettings(m, base_url=server.base_url, retries=0) for m in models or ("m",)]
    return Panel([ChatClient(each) for each in settings], samples)


NO_MODEL = ModelBench(Panel([ChatClient(ModelSettings("m"))]), Prompts())
"""For what asks nothing."""


def played() -> Dialogue:
    """Three turns: nothing looked up yet, a look-up, a reply that rests on it."""
    return dialogue(
        WANTED,
        said("Hello! I want to eat.", "Which area?"),
        said("Italian, centre.", "The Copper Kettle is nice.", found("restaurant", KETTLE)),
        said("Its phone?", "It is 01999111222."),
    )


def everywhere(text: str, goal: Goal = WANTED) -> Dialogue:
    """A dialogue in which everybody says the text, tools included."""
    call = ToolCall(text, {text: text}, {"results": [text]})
    refusal = ToolCall("book_restaurant", {}, error=text)
    both = said(text, text, call, refusal)
    return replace(dialogue(goal, both, both, last_words=text), detail=text)


def graded(scores: Mapping[str, object]) -> dict[str, object]:
    """The reply that gives several named scores, each with a reason."""
    return {name: {"reason": f"{name} it is", "score": score} for name, score in scores.items()}


def texts(server: StandInServer) -> list[str]:
    """What was asked, as the model reads it, the shortest first."""
    asked = ["\n".join(m["content"] for m in request.messages) for request in server.requests]
    return sorted(asked, key=lambda text: (len(text), text))


def together(one: str, other: str) -> int:
    """How many characters two prompts have in common from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
