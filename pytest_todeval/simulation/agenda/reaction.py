"""What a turn of the bot calls for."""

from dataclasses import dataclass, field

from pytest_todeval.nlu.questions.beyond_slots import UserQuestion


@dataclass(slots=True)
class Reaction:
    """What the bot's turn calls for."""

    asked: tuple[str, ...] = ()
    """Slots the bot wants to know."""
    wrong: dict[str, str] = field(default_factory=dict)
    """Slot -> what it should be, if the bot got it wrong."""
    booked_wrong: bool = False
    """Whether `wrong` is about a booking that was made."""
    changed: dict[str, str] = field(default_factory=dict)
    """Slot -> the alternative, if the goal has one and the first wish failed."""
    unforced: bool = False
    """Whether `changed` comes though nothing was refused."""
    another: dict[str, str] | None = None
    """What the venue offered does not meet."""
    taken: str = ""
    """Which offer the user takes."""
    had_choice: bool = False
    """Whether it was one of several."""
    refused: bool = False
    """Nothing meets the constraints, and there is no alternative."""
    booking_failed: bool = False
    """The booking failed, and there is no alternative."""
    offers_booking: bool = False
    not_understood: bool = False
    """The bot says that it did not understand, and nothing else."""
    unclear: bool = False
    """The bot asks something, and it was not understood what."""
    baffling: bool = False
    """The bot asks something that is not understood, and nothing else that calls for an answer."""
    puzzling: bool = False
    """The bot found something and spoke, but nothing of it was understood."""
    strange: bool = False
    """The bot spoke, of the business as it seems, but nothing of it was understood."""
    questions: tuple[UserQuestion, ...] = ()
    """What the bot asks besides slots, as far as the user is to answer it."""
    confirms: bool = False
    """The bot asks whether what it says is right, and it is."""
    reply: tuple[str, str] | None = None
    """The words or numbers that the bot asks for, to agree and to decline."""
    numbered: tuple[tuple[str, str], ...] = ()
    """The options by number or letter, if the bot asks to choose so."""
    other_deed: bool = False
    """The bot offers to do something else than the step wants."""
    note: str = ""
    """What was taken from calls, since the words did not tell."""
