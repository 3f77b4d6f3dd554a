"""What the user means to say, before it is put into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pytest_todeval.core.steps import Step


class ActKind(StrEnum):
    """Kinds of things the user says."""

    OPEN = "open"
    """First words on a domain, with some constraints."""
    INFORM = "inform"
    ANSWER = "answer"
    """Gives what the bot asked for."""
    NO_PREFERENCE = "no_preference"
    NO_BOOKING = "no_booking"
    CORRECT = "correct"
    CORRECT_BOOKING = "correct_booking"
    CHANGE = "change"
    """Goes over to the alternative after a refusal."""
    CHANGE_MIND = "change_mind"
    """Goes over to the alternative though nothing was refused."""
    ANOTHER = "another"
    """Rejects what was offered; asks for another one with `slots`."""
    PICK = "pick"
    """Takes one of several offers."""
    GOOD = "good"
    RECOMMEND = "recommend"
    """Asks the bot to name a venue or train."""
    RESTATE = "restate"
    """Says all constraints once more."""
    REQUEST = "request"
    REQUEST_AGAIN = "request_again"
    RETURN = "return"
    """Comes back to a domain with a question."""
    ASK_AGAIN = "ask_again"
    """Asks once more for what was told."""
    YES = "yes"
    BOOK = "book"
    BOOK_AGAIN = "book_again"
    GOING_ON = "going_on"
    """A word of thanks between two domains."""
    THAT_IS_ALL = "that_is_all"
    """Says that there is nothing else."""
    ONE_MORE = "one_more"
    """Comes up with something else after all."""
    FACT = "fact"
    """Says who the user is, or what it wants besides the business: topic -> fact."""
    FACT_AGAIN = "fact_again"
    """The bare facts, since the sentence was not understood."""
    SECRET = "secret"
    """Declines to give a card number or the like."""
    CONFIRM = "confirm"
    CHOICE = "choice"
    """Takes one of the options named, of no matter to the goal."""
    REPLY = "reply"
    """The word or number that the bot asks for, and nothing else."""
    NO_IDEA = "no_idea"
    """Has no answer to a question that was not understood."""
    VERIFY = "verify"
    """Asks whether a step is done, though it was said to be."""
    LEAVE = "leave"
    """Leaves a step, since its condition does not hold."""
    DECLINE = "decline"
    """Turns down what the bot offers to do in place of a step."""


BESIDE = frozenset(
    {ActKind.FACT, ActKind.FACT_AGAIN, ActKind.SECRET, ActKind.CONFIRM, ActKind.CHOICE}
)
"""What is said to questions besides the business, if need be again in the same words."""


@dataclass(frozen=True, slots=True)
class Say:
    """One thing to say about one domain."""

    kind: ActKind
    domain: str
    slots: Mapping[str, str] = field(default_factory=dict)
    """Slot -> value; the value is empty if a slot is asked for or does not matter."""
    venue: str = ""
    """The venue or train it is about, if one is known."""
    step: Step | None = None
    """The step that it is about, if it is about one."""
