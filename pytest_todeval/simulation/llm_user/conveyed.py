"""What of its goal a user's model has said, turn by turn: by rule, from its own words alone.

After goal coverage (Kazi et al., section 3.3.2), but of the user only: a bot that lists what it can
do, and a model that nods at it, have conveyed nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.cues import DOMAINS_RAISED
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.normalise import canonical_slot

LONGEST_SAID = 4000
"""Characters of a message that are looked at."""
SHOWN = 300
_ENGLISH = re.compile(r"\b(?:you|your|the|and|for|with|want|is)\b", re.IGNORECASE)
"""Words without which no goal's message is in English."""


@dataclass
class Conveyed:
    """The domains of a goal that its user has raised, in each of its messages."""

    goal: Goal
    language: str
    """What the user writes; in another language than English nothing is looked for."""
    said: list[tuple[str, ...]] = field(default_factory=list)
    """For each message, the domains that it raised by name or by one of their values."""

    def take(self, text: str) -> None:
        """The user says this."""
        self.said.append(tuple(self._raised(text[:LONGEST_SAID])))

    @property
    def can_tell(self) -> bool:
        """Says whether a rule can tell at all: goal and user are in English, with slots."""
        told = " ".join(self.goal.message)
        english = "english" in self.language.lower()
        return english and bool(self.goal.parts) and (not told or bool(_ENGLISH.search(told)))

    @property
    def nothing(self) -> str:
        """Why no verdict can count, as far as it can be told; empty if something was conveyed."""
        if not self.can_tell or any(self.said):
            return ""
        if any(True for turn in self.goal.opening for _ in self._raised(turn.user)):
            return ""
        wanted = "; ".join(map(_told, self.goal.parts))
        return (
            f"the user said nothing of its goal in {len(self.said)} messages, "
            f"expected some of: {wanted:.{SHOWN}}"
        )

    def _raised(self, text: str) -> Iterator[str]:
        simple = plain(text)
        for part in self.goal.parts:
            if _cue(part.domain).search(simple) or _says_one(text, part):
                yield part.domain


def _cue(domain: str) -> re.Pattern[str]:
    name = re.escape(domain.lower().replace("_", " "))
    return DOMAINS_RAISED.get(domain) or re.compile(rf"\b{name}")


def _says_one(text: str, part: DomainGoal) -> bool:
    held = (part.fail_inform, part.inform, part.fail_book, part.book)
    return any(
        says_value(text, canonical_slot(slot), str(value))
        for slots in held
        for slot, value in slots.items()
    )


def _told(part: DomainGoal) -> str:
    values = {**part.inform, **part.book}
    told = ", ".join(f"{slot} {value}" for slot, value in values.items())
    return f"{part.domain} ({told})" if told else part.domain
