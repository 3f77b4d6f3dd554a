"""Who plays the user if no model does: a rider who answers what is asked, and then leaves."""

from collections.abc import Mapping
from typing import Any

from pytest_todeval import StopReason, Turn, Utterance

__all__ = ["Rider"]

PATIENCE = 2
"""How often the rider answers the same question."""


class Rider:
    """Says its wish, its phone number if asked, yes to a price, and goodbye when nothing is asked.

    `raw` is the goal's record in goals.json.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._wish, self._phone = str(raw["wish"]), str(raw["phone"])
        self._answers: list[str] = []

    def respond(self, turn: Turn | None) -> Utterance:
        """What the rider says next, given the turn just ended; None at the start."""
        if turn is None:
            return Utterance(self._wish)
        if "?" not in turn.system:
            return Utterance("Thank you, goodbye.", StopReason.USER_DONE, "nothing is asked")
        answer = self._answer(turn.system.lower())
        if self._answers.count(answer) >= PATIENCE:
            why = f"the bot asks for the same again and again: {turn.system:.80}"
            return Utterance("Never mind.", StopReason.USER_GAVE_UP, why)
        self._answers.append(answer)
        return Utterance(answer)

    def _answer(self, asked: str) -> str:
        if "phone" in asked:
            return f"My phone number is {self._phone}."
        if "euros" in asked:
            return "Yes, please."
        return self._wish
