"""Faults of the kinds that a change to a bot brings in: of its prompt, model, context or gateway.

`benchmarks/merges.py` merges them. They are in no half of the catalogue, so that no rule is held
to them.
"""

from tests.faulty_bots.reshaped import Rewords

__all__ = [
    "AnswersInGerman",
    "CutsItsReplies",
    "HandsOverToPeople",
    "LeavesItsTemplate",
    "LosesTheThread",
    "RefusesAsAModel",
]


class HandsOverToPeople(Rewords):
    """A new prompt: a colleague will book and write, who is told nothing."""

    def reword(self, text: str) -> str:
        if "reference" not in text.lower():
            return text
        return "Thank you! I have passed your request on; a colleague will book it and e-mail you."


class LeavesItsTemplate(Rewords):
    """A new template whose place for the reference nobody fills."""

    def reword(self, text: str) -> str:
        before, named, _ = text.partition("reference")
        return f"{before}{named} number is {{{{booking.reference}}}}." if named else text


class CutsItsReplies(Rewords):
    """A smaller bound of tokens: what is longer than 60 characters ends in the middle."""

    def reword(self, text: str) -> str:
        return text[:60]


class AnswersInGerman(Rewords):
    """Another model, which goes on in German from the third turn."""

    def reword(self, text: str) -> str:
        if self.state.turn < 3:
            return text
        return "Gerne! Das habe ich notiert. Kann ich sonst noch etwas für Sie tun?"


class RefusesAsAModel(Rewords):
    """A stricter model, which will not speak of places that people stay at."""

    def reword(self, text: str) -> str:
        if "hotel" not in text.lower():
            return text
        return "I'm sorry, but as an AI language model I can't help with that request."


class LosesTheThread(Rewords):
    """A shorter context: every fourth reply begins anew."""

    def reword(self, text: str) -> str:
        if self.state.turn % 4:
            return text
        return "Hello, and welcome! How can I help you today?"
