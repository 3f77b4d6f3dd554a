"""The schema of belief states: slots by domain, and the values of those with a fixed set."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.metrics.state_tracking.belief import (
    MOST_PAIRS,
    OR,
    key_of,
    slot_of,
    tracked,
)
from pytest_todeval.nlu.values.normalise import DAYS, DONTCARE

Slots = Mapping[str, Mapping[str, Sequence[str]] | Sequence[str]]
"""Domain -> slots, or slot -> its values (none: any value)."""

AREA = ("centre", "east", "north", "south", "west")
PRICE = ("cheap", "moderate", "expensive")
YES_NO = ("yes", "no", "free")
ANY: tuple[str, ...] = ()

MULTIWOZ_STATE: Mapping[str, Mapping[str, Sequence[str]]] = {
    "attraction": {"area": AREA, "name": ANY, "type": ANY},
    "hotel": {
        "area": AREA, "day": DAYS, "internet": YES_NO, "name": ANY, "parking": YES_NO,
        "people": ANY, "pricerange": PRICE, "stars": tuple("012345"), "stay": ANY,
        "type": ("hotel", "guesthouse"),
    },
    "restaurant": {
        "area": AREA, "day": DAYS, "food": ANY, "name": ANY, "people": ANY, "pricerange": PRICE,
        "time": ANY,
    },
    "taxi": dict.fromkeys(("arriveBy", "departure", "destination", "leaveAt"), ANY),
    "train": {
        "arriveBy": ANY, "day": DAYS, "departure": ANY, "destination": ANY, "leaveAt": ANY,
        "people": ANY,
    },
}  # fmt: skip
"""The 30 slots of five domains that state tracking on MultiWOZ is measured over (Wu et al. 2019,
TRADE), with the values of the categorical ones. A goal of another domain adds that domain's slots.
"""


def _fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


@dataclass(frozen=True)
class StateSchema:
    """The slots that a state tracks."""

    slots: Mapping[str, tuple[str, ...]]
    """`domain-slot` -> its values; none if any value will do."""
    reported: frozenset[str] = frozenset()
    """Those that only this dialogue's bot has: they are tracked, and belong to no definition."""

    @classmethod
    def of(cls, slots: "Slots | StateSchema") -> "StateSchema":
        """Makes a schema from slots by domain. Raises UsageError if it is no such mapping."""
        if isinstance(slots, StateSchema):
            return slots
        found: dict[str, tuple[str, ...]] = {}
        for domain, held in slots.items():
            if isinstance(held, str) or not isinstance(held, Mapping | Sequence):
                raise UsageError(
                    f"schema: domain {domain!r} holds {held!r:.60}, expected its slots, e.g. "
                    '{"hotel": {"area": ["north", "south"], "name": []}}'
                )
            values = held if isinstance(held, Mapping) else dict.fromkeys(held, ANY)
            found |= {key_of(domain, slot): tuple(map(str, v)) for slot, v in values.items()}
        return cls(dict(sorted(found.items())))

    @classmethod
    def of_goals(cls, goals: Iterable[Goal]) -> "StateSchema":
        """Makes a schema of all slots of goals, with any values."""
        parts = [part for goal in goals for part in goal.domains]
        keys = (key_of(part.domain, slot) for part in parts for slot in _slots_of(part))
        return cls(dict.fromkeys(sorted(set(keys)), ANY))

    @classmethod
    def for_dialogue(cls, dialogue: Dialogue, base: "StateSchema | None" = None) -> "StateSchema":
        """Makes the schema for a dialogue: MultiWOZ's for its goals, else the slots that goal and
        bot use.

        `base` takes the place of the goal's own slots: that of its goal set, over which dialogues
        have one definition, and so a mean. MultiWOZ's sets of values are only taken to hold for
        goals of a published data set: another town has other areas.
        """
        parts = dialogue.goal.domains
        if dialogue.goal.published and any(p.domain in MULTIWOZ_STATE for p in parts):
            others = {p.domain: list(_slots_of(p)) for p in parts if p.domain not in MULTIWOZ_STATE}
            return cls.of({**MULTIWOZ_STATE, **others})
        known = (base or cls.of_goals([dialogue.goal])).slots
        reported = frozenset(_reported(dialogue)) - known.keys()
        return cls(dict(sorted({**dict.fromkeys(reported, ANY), **known}.items())), reported)

    @property
    def text(self) -> str:
        """Writes a line per slot, with its values if they are a fixed set."""
        return "\n".join(
            f"{key}: {', '.join(values)}" if values else key for key, values in self.slots.items()
        )

    @property
    def definition(self) -> str:
        """Returns a hash of the slots and values; scores over different schemas are not
        comparable.
        """
        known = [(key, values) for key, values in self.slots.items() if key not in self.reported]
        text = json.dumps(known)
        return f"schema ({hashlib.sha256(text.encode()).hexdigest()[:12]})"

    def admits(self, key: str, value: str) -> bool:
        """Says whether a slot can have a value: one of its set, exactly as written, or `dontcare`.

        Case, spaces and hyphens aside. "high" is no value of a price range that is cheap, moderate
        or expensive, whatever the user said.
        """
        known = {_fold(each) for each in (*self.slots.get(key, ()), DONTCARE)}
        return len(known) == 1 or all(_fold(part) in known for part in value.split(OR))

    def find(self, name: str) -> tuple[str, ...]:
        """Finds the slots that a model may mean by a name, in any spelling; several for a bare
        slot.

        >>> StateSchema.of({"hotel": ["stay"]}).find("Hotel-book_stay")
        ('hotel-stay',)
        """
        domain, hyphen, slot = name.partition("-")
        if hyphen and key_of(domain, slot) in self.slots:
            return (key_of(domain, slot),)
        return self._folded.get(_fold(name)) or self._folded.get(_fold(key_of(domain, slot)), ())

    @cached_property
    def _folded(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for key in self.slots:
            names = (key, key.replace("-", "book", 1), slot_of(key), f"book{slot_of(key)}")
            for name in dict.fromkeys(map(_fold, names)):
                found[name] = (*found.get(name, ()), key)
        return found


def _slots_of(part: DomainGoal) -> Iterable[str]:
    held = (part.inform, part.fail_inform, part.book, part.fail_book)
    return dict.fromkeys(slot for slots in held for slot in slots)


def _reported(dialogue: Dialogue) -> Iterable[str]:
    states = (held for each in tracked(dialogue) for held in (each.now, each.turn_pairs) if held)
    keys = dict.fromkeys(key for state in states for key in state)
    return list(keys)[:MOST_PAIRS]
