"""How a dialogue is played, as the marker `todeval` says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.protocol import PROTOCOLS
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.play.who import JUDGES, check_user, check_variation
from pytest_todeval.simulation.limits import Limits

SECONDS = ("turn_timeout", "dialogue_timeout")
MUTANT = "TODEVAL_MUTANT"
"""The environment variable by which `todeval mutate` says which mutant plays."""
MUTATED = "mutated by "
"""Begins the note of a dialogue that the mutant changed."""
UNSERVED = ("fails", "allowed")
"""What becomes of a test whose user gave up or ran out of turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """How a dialogue is played (marker `todeval`)."""

    max_turns: int | None = None
    """None: as many as the backend has steps, else 30."""
    turn_timeout: float | None = None
    """Seconds; None: as the option says, else as the models need, at least 30."""
    dialogue_timeout: float | None = None
    """Seconds; None: as the option says, else ten turns', at least 300."""
    user_style: str = "plain"
    """Of the agenda user."""
    user: str | None = None
    """Who plays the user, if the test says it; else the option does."""
    user_model: str | None = None
    """The model that plays the user, if the test says it; else the options do."""
    judge: str | None = None
    """Who judges, likewise."""
    persona: str = ""
    """Who a model plays as the user, in a sentence or two."""
    language: str = "English"
    """Of the dialogue: what a model speaks as the user; the bot's is judged by it."""
    variation: str | None = None
    """In what other words the bot hears the user, see `simulation.variation`; `none` for none,
    whatever the option says."""
    examples: Sequence[str] | None = None
    """Dialogues that a model imitates as the user, as text; None for those of its strategy."""
    protocol: str | None = None
    """How the dialogue is held to its protocol (`core.protocol`): `strict` ends it at the first
    violation and after 15 turns, `lenient` counts; None: nobody looks."""
    unserved: str = "fails"
    """What becomes of a test that passes although its user gave up or ran out of turns: `fails`, or
    `allowed` to pass."""
    asks: Sequence[str | Sequence[Any]] = ()
    """What the test asks the judge of its dialogue, so that a model is asked as soon as that is
    over: names of questions, or each with what is said beside the dialogue."""

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in ("max_turns", *SECONDS)}
        try:
            Limits(**{name: value for name, value in given.items() if value is not None})
        except UsageError as error:
            raise UsageError(f"marker todeval: {error}") from None
        if self.user is not None:
            check_user(self.user, "marker todeval")
        if self.judge is not None and self.judge not in JUDGES:
            hint = known_names(str(self.judge), JUDGES)
            raise UsageError(f"marker todeval: no judge {self.judge!r}; {hint}")
        if self.variation is not None:
            check_variation(self.variation, "marker todeval")
        if self.protocol is not None and self.protocol not in PROTOCOLS:
            hint = known_names(str(self.protocol), PROTOCOLS)
            raise UsageError(f"marker todeval: no protocol {self.protocol!r}; {hint}")
        shown = self.examples
        told = () if shown is None else shown
        if isinstance(shown, str) or not all(isinstance(each, str) for each in told):
            raise UsageError(
                f"marker todeval: examples: got {shown!r:.60}, expected a list of dialogues as "
                "text, or [] for none"
            )
        _check_asks(self.asks)
        if self.unserved not in UNSERVED:
            hint = known_names(str(self.unserved), UNSERVED)
            raise UsageError(f"marker todeval: unserved: got {self.unserved!r}; {hint}")


def _check_asks(asks: object) -> None:
    """Raise UsageError unless these are questions that a judge answers."""
    if not isinstance(asks, (list, tuple)):
        raise UsageError(
            f"marker todeval: asks: got {asks!r:.60}, expected a list of questions to the judge, "
            'as ["turns", ("rules", "rules.yaml")]'
        )
    if asks:
        from pytest_todeval.evaluate.judge.judge import find_question
    for each in asks:
        name = each if isinstance(each, str) else next(iter(each), None)
        if not isinstance(name, str):
            raise UsageError(f"marker todeval: asks: got {each!r:.60}, expected a question's name")
        try:
            find_question(name)
        except UsageError as error:
            raise UsageError(f"marker todeval: asks: {error}") from None
