"""The strategies by name: whose each is, which prompt it uses, and what its model answers with.

A package offers one of its own through an entry point in the group `pytest_todeval.strategies`: its
name is the strategy's, its object a `Strategy`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.extensions import ExtensionPoint

COMPLETE = "<COMPLETE_CONVERSATION>"
STOP = "###STOP###"
DONE = "DONE"
ENDS = "Dialogue Ends"


class Form(StrEnum):
    """What a user's model writes in each turn."""

    PLAIN = "plain"
    """The message alone."""
    THOUGHT = "thought"
    """A thought, which the bot never hears, then the message."""
    STATE = "state"
    """A thought, the state of the goal as JSON, then the message."""
    SAID = "said"
    """As LLM user agents has it: whatever the model notes for itself, such as a thought or a
    dictionary of its goal, then `User:` and the message, in one line."""


class Supervision(StrEnum):
    """What is done with a draft before the bot hears it."""

    NONE = "none"
    VERIFY = "verify"
    """A second call accepts it or has it written anew."""
    REFLECTION = "reflection"
    """A second call accepts it, or reflects on what is wrong and puts another in its place."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way for a model to play a user."""

    name: str
    prompt: str | Path
    """Its prompt document: the name of a shipped one, or a file of one's own."""
    ending: str
    """The token with which its model is asked to leave; others are understood as well."""
    form: Form = Form.PLAIN
    supervision: Supervision = Supervision.NONE
    checks_solution: bool = False
    """Whether a checker, apart from the user, says if the bot offered the solution."""
    example: str = ""
    """The prompt document with the in-context example that it is shown unless it is given others;
    empty for none."""
    published: bool = False
    """Whether it is asked in the shape in which its paper asks: its prompt is one of the folder
    `published`."""
    stop: str = ""
    """Where its paper cuts off what the model writes: at the label of the bot's side."""
    max_turns: int | None = None
    """How many turns its paper plays, if that is told and fewer than usual."""
    follows_reference: bool = False
    """Whether it is shown the dialogue that people had about its goal, and opens with its first
    words, if there is one."""

    @property
    def takes_tools(self) -> bool:
        """Says whether its user may have tools of its own.

        A supervisor reads goal and conversation alone: what a tool told the user, it would take for
        made up. Nor has a paper's single text, cut off at a label, a place for it.
        """
        return self.supervision is Supervision.NONE and not self.stop


_ALL = (
    # Kazi et al., Large Language Models as User-Agents, section 3.1.1
    Strategy("vanilla", "user_vanilla", COMPLETE, example="user_example_vanilla"),
    Strategy("thought", "user_thought", COMPLETE, Form.THOUGHT, example="user_example_thought"),
    Strategy(
        *("state_tracking", "user_state_tracking", COMPLETE, Form.STATE),
        example="user_example_state_tracking",
    ),
    *(
        Strategy(
            *(f"{name}_published", f"user_{name}", COMPLETE, Form.SAID),
            example=f"user_example_{name}",
            published=True,
            stop="System:",
        )
        for name in ("vanilla", "thought", "state_tracking")
    ),
    # clem:todd, section 3.2 and template A.7.1
    Strategy("clem_todd", "user_clem_todd", DONE),
    Strategy("clem_todd_published", "user_clem_todd", DONE, published=True, max_turns=15),
    # AutoTOD, which TD-Eval plays on MultiWOZ (section 5.1)
    Strategy(
        *("autotod", "user_autotod", ENDS),
        published=True,
        stop="AI Assistant",
        max_turns=15,
        follows_reference=True,
    ),
    # AutoEval-ToD, section 4, prompts H.2 and I.1
    Strategy("autoeval_tod", "user_autoeval_tod", COMPLETE, checks_solution=True),
    # tau-bench's user strategies
    Strategy("llm", "user_llm", STOP),
    Strategy("react", "user_react", STOP, Form.THOUGHT),
    Strategy("verify", "user_llm", STOP, supervision=Supervision.VERIFY),
    Strategy("reflection", "user_llm", STOP, supervision=Supervision.REFLECTION),
)
STRATEGIES: Mapping[str, Strategy] = MappingProxyType({each.name: each for each in _ALL})
"""By name, as `LLMUser(strategy=...)` takes them."""

OFFERED: ExtensionPoint[Strategy] = ExtensionPoint(
    group="pytest_todeval.strategies",
    noun="strategy",
    expected="a pytest_todeval.Strategy",
    accepts=lambda found: isinstance(found, Strategy),
)


def strategy_names() -> tuple[str, ...]:
    """Returns the names of all strategies, built-in ones first."""
    return (*STRATEGIES, *OFFERED.offers(STRATEGIES))


def find_strategy(name: str) -> Strategy:
    """Returns the strategy of this name.

    Raises UsageError if there is none, or if the package that offers it is broken.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    entry = OFFERED.offers(STRATEGIES).get(name)
    if entry is None:
        hint = known_names(str(name), strategy_names())
        raise UsageError(f"an LLM user has no strategy {name!r}; {hint}")
    found = OFFERED.load(entry)
    return OFFERED.named(entry, found.name, found)
