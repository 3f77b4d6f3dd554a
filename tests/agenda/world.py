"""Short ways to talk to the agenda user in the terms that it thinks in: claims in, acts out."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.facts.calls.reading import read_turn, seen_of
from pytest_todeval.nlu.questions.beyond_slots import UserQuestion
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.agenda.interpretation import Interpretation
from pytest_todeval.simulation.agenda.memory import DomainPart
from pytest_todeval.simulation.user import Utterance

HOTEL = DomainGoal("hotel", inform={"area": "north", "pricerange": "cheap"})
ROOM = DomainGoal(
    "hotel",
    inform={"area": "north"},
    book={"people": "3", "day": "friday", "stay": "2"},
    wants_booking=True,
)
TABLE = DomainGoal(
    "restaurant",
    inform={"area": "north"},
    book={"people": "3", "day": "friday", "time": "18:00"},
    wants_booking=True,
)
PHONE = DomainGoal("hotel", inform={"area": "north"}, request=("phone",))
FAILING = DomainGoal(
    "restaurant",
    inform={"food": "british", "area": "centre"},
    fail_inform={"food": "catalan", "area": "centre"},
    request=("phone",),
)
FULL = DomainGoal(
    "restaurant",
    inform={"area": "north"},
    book={"people": "3", "day": "friday", "time": "18:00"},
    fail_book={"time": "17:00"},
    wants_booking=True,
)
NAMES = Vocabulary(
    names={
        "hotel": ("Sea View", "Rose House", "Old Mill"),
        "restaurant": ("The Oak", "Blue Door"),
        "attraction": ("Quay Museum",),
    },
    values={"area": ("north", "south", "centre"), "food": ("british", "catalan")},
)


def goal_of(
    *parts: DomainGoal, message: Sequence[str] = (), user: Mapping[str, str] | None = None
) -> Goal:
    return Goal("G1", "own", parts, message=tuple(message), user=user or {})


# What the bot says


def offer(name: str, domain: str | None = None) -> DialogueAct:
    slot = "trainID" if domain == "train" else "name"
    return DialogueAct(Act.OFFER, domain, slot, name)


def tells(
    slot: str, value: str, *, of: str | None = None, domain: str | None = None
) -> DialogueAct:
    return DialogueAct(Act.INFORM, domain, slot, value, of)


def asks(slot: str, domain: str | None = None) -> DialogueAct:
    return DialogueAct(Act.REQUEST, domain, slot)


def reference(number: str = "ABC12345", domain: str | None = None) -> DialogueAct:
    return DialogueAct(Act.REFERENCE, domain, "reference", number)


BOOKED = DialogueAct(Act.BOOKED)
NOT_BOOKED = DialogueAct(Act.BOOKED, factuality=Factuality.DENIED)
FAILED = DialogueAct(Act.BOOKING_FAILED)
NOTHING = DialogueAct(Act.NO_OFFER)
SHALL_I = DialogueAct(Act.OFFER_BOOK, sentence="shall i book it?")


def found(domain: str, *rows: Mapping[str, Any]) -> ToolCall:
    return ToolCall(f"find_{domain}", {}, {"results": [dict(row) for row in rows]})


def made(domain: str, number: str = "ABC12345", **slots: str) -> ToolCall:
    return ToolCall(f"book_{domain}", slots, {"reference": number})


def refused_call(domain: str) -> ToolCall:
    return ToolCall(f"book_{domain}", {}, error="no room is free")


# What the user makes of it


class Chat:
    """A dialogue of the user with a bot that reports its own claims."""

    def __init__(
        self,
        *parts: DomainGoal,
        style: str = "chatty",
        seed: int | str = 0,
        names: Vocabulary | None = NAMES,
        message: Sequence[str] = (),
        **facts: str,
    ) -> None:
        goal = goal_of(*parts, message=message, user=facts)
        self.user = AgendaUser(goal, names, style=style, seed=seed)
        self.said: list[Utterance] = [self.user.respond(None)]

    def hears(self, *what: DialogueAct | ToolCall | str) -> "Chat":
        """One turn of the bot. Without claims its text is heard by rule."""
        claims = tuple(each for each in what if isinstance(each, DialogueAct))
        calls = tuple(each for each in what if isinstance(each, ToolCall))
        texts = [each for each in what if isinstance(each, str)]
        told = claims if claims or not texts else None
        turn = Turn(
            len(self.said),
            self.said[-1].text,
            " ".join(texts) or f"({len(self.said)})",
            calls,
            claims=told,
            claims_by="bot" if told is not None else "",
        )
        self.said.append(self.user.respond(turn))
        return self

    @property
    def acts(self) -> tuple[Say, ...]:
        """What was said last, as acts; a word of praise is left out."""
        return tuple(act for act in self.user._agenda.last if act.kind is not ActKind.GOOD)

    @property
    def kinds(self) -> list[ActKind]:
        return [act.kind for act in self.acts]

    @property
    def slots(self) -> dict[str, str]:
        """The slots of all acts said last."""
        return {slot: value for act in self.acts for slot, value in act.slots.items()}

    @property
    def text(self) -> str:
        return self.said[-1].text

    @property
    def stop(self) -> StopReason | None:
        return self.said[-1].stop

    @property
    def reason(self) -> str:
        return self.said[-1].reason

    @property
    def parts(self) -> list[DomainPart]:
        return self.user._memory.parts

    @property
    def part(self) -> DomainPart:
        return self.parts[0]


def told(part: DomainGoal, *slots: str, venue: str = "", domain_told: bool = True) -> DomainPart:
    """A part of which these slots were said; all constraints unless `domain_told` is False."""
    memory = DomainPart.of(part)
    memory.opened = True
    if domain_told:
        memory.told.update(memory.inform)
    memory.told.update({slot: memory.slots[slot] for slot in slots})
    memory.venue = venue
    return memory


def reading(
    part: DomainPart,
    *what: DialogueAct | ToolCall | str,
    unlisted: Sequence[str] = (),
    asked: Sequence[UserQuestion] = (),
) -> Interpretation:
    """One turn of the bot, read with one part in mind; its text is "..." unless given."""
    claims = [each for each in what if isinstance(each, DialogueAct)]
    calls = tuple(each for each in what if isinstance(each, ToolCall))
    text = " ".join(each for each in what if isinstance(each, str)) or "..."
    facts = read_turn(Turn(1, "", text, calls), Goal("G1", "own", (part.goal,)))
    return Interpretation(part, text, claims, seen_of(facts, part.domain), unlisted, asked)
