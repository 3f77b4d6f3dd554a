"""Belief states as {domain-slot: value} pairs, and what a turn changed in them."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import JudgeFault
from pytest_todeval.nlu.values.normalise import DONTCARE, canonical_slot, normalise

Pairs = Mapping[str, str]
"""`domain-slot` (`hotel-area`, `train-leaveAt`) -> value."""

Same = Callable[[str, str, str], bool]
"""Whether two values of a `domain-slot` are the same."""


class NoStateReported(JudgeFault):
    """No turn of a dialogue has a belief state."""


NO_STATE = (
    "the bot reported no belief state: return Reply(text, state={domain: {slot: value}}), or "
    "turn_state= of a tracker that predicts what a turn adds, or report it with pytest_todeval.log"
)


LONGEST = 500
"""Characters of a value that are kept."""
LONGEST_NAME = 100
"""Characters of a domain's or slot's name that are kept."""
MOST_PAIRS = 500
"""Pairs of a state that are looked at; a bot's state is as hostile as its text."""
OR = "|"
"""Between the values that MultiWOZ's labels accept alike, and between those of a list."""

_BOOK = re.compile(r"book[ _]?(?=(?:day|people|stay|time)$)")
_NO_SLOT = frozenset({"booked", "ticket"})
"""Stand among MultiWOZ's booking slots, and are results."""
_NO_MATTER = re.compile(r"(?:dont|don't|do n't|do not) ?care")


def key_of(domain: object, slot: object) -> str:
    """Returns `domain-slot` in one spelling: `("Hotel", "book stay")` becomes `hotel-stay`."""
    about = " ".join(str(domain)[:LONGEST_NAME].lower().replace("-", " ").split())
    name = str(slot)[:LONGEST_NAME].lower().strip()
    return f"{about}-{canonical_slot(_BOOK.sub('', name))}"


def slot_of(key: str) -> str:
    """Returns the slot of a `domain-slot`."""
    return key.partition("-")[2]


def pairs_of(state: Mapping[str, Any]) -> dict[str, str]:
    """Returns a belief state as pairs, sorted by `domain-slot`.

    Understood are `{domain: {slot: value}}`, the same with MultiWOZ's `semi` and `book` between
    domain and slot, and `{"domain-slot": value}`. As the field does, what is empty, "none" or "not
    mentioned" is not there, and every wording of "dontcare" is `dontcare`. A list is its values
    with `|` between them.
    """
    found: dict[str, str] = {}
    for key, value in _cells(state):
        text = value_text(key, value)
        if text:
            found[key] = text
        if len(found) == MOST_PAIRS:
            break
    return dict(sorted(found.items()))


def _cells(state: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for domain, slots in state.items():
        if isinstance(slots, Mapping):
            yield from ((key_of(domain, slot), value) for slot, value in _slots(slots))
        elif "-" in str(domain):
            about, _, slot = str(domain).partition("-")
            yield key_of(about, slot), slots


def _slots(slots: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for slot, value in slots.items():
        if slot in ("semi", "book") and isinstance(value, Mapping):
            yield from ((s, v) for s, v in value.items() if s not in _NO_SLOT)
        else:
            yield slot, value


def value_text(key: str, value: object) -> str:
    """Writes a value as it stands in pairs; "" if there is none."""
    if isinstance(value, list | tuple):
        return OR.join(dict.fromkeys(filter(None, (_text(key, each) for each in value))))
    return _text(key, value)


def _text(key: str, value: object) -> str:
    slot = slot_of(key)
    text = " ".join(_plain(value)[:LONGEST].split())
    if not normalise(slot, text):
        return ""
    no_matter = normalise(slot, text) == DONTCARE or _NO_MATTER.fullmatch(text.lower())
    return DONTCARE if no_matter else text


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else f"({type(value).__name__})"


def same_normalised(key: str, one: str, other: str) -> bool:
    """Says whether two values are equal in canonical form: "center" and "centre" are."""
    return normalise(slot_of(key), one) == normalise(slot_of(key), other)


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a turn changed in the state: the turn state of two-dimensional DST evaluation."""

    updated: Pairs
    """New pairs and those with a new value."""
    removed: Pairs
    """Pairs that went without another value, as they were."""


def turn_state(before: Pairs, now: Pairs, same: Same = same_normalised) -> TurnState:
    """Returns what changed between two states; another spelling of the same value is no change."""
    updated = {k: v for k, v in now.items() if k not in before or not same(k, before[k], v)}
    return TurnState(updated, {key: value for key, value in before.items() if key not in now})


@dataclass(frozen=True, slots=True)
class Tracked:
    """The state that a bot reported in one turn."""

    before: Pairs
    """The whole state before, as far as it was told."""
    now: Pairs | None
    """The whole state after the user's turn; None if it is not known."""
    turn: TurnState | None
    """What the turn changed; None if it is not known."""
    reported: bool
    """Whether the bot reported the turn state itself, which may repeat what has not changed."""

    @property
    def turn_pairs(self) -> Pairs:
        """Returns what the turn added or changed, as far as that is known."""
        return {} if self.turn is None else self.turn.updated

    @property
    def silent(self) -> bool:
        """Says whether the bot reported no state in this turn."""
        return self.now is None and not self.reported


def tracked(
    dialogue: Dialogue, same: Same = same_normalised, slots: Container[str] | None = None
) -> list[Tracked]:
    """Returns the states that a bot reported, turn by turn; slots outside `slots` are dropped.

    A bot that reports turn states (`Reply.turn_state`) has the state that they add up to. After a
    turn without either it is not known, until a whole state comes.
    """
    found: list[Tracked] = []
    before: Pairs = {}
    known = True
    for turn in dialogue.turns:
        change, now = turn.turn_state, None
        if change is not None:
            updated, out = _kept(pairs_of(change), slots), _emptied(change)
            removed = {k: v for k, v in before.items() if k in out and k not in updated}
            reported = TurnState(updated, removed)
            left = {key: value for key, value in before.items() if key not in removed}
            now = {**left, **updated} if known else None
        if turn.state is not None:
            now = _kept(pairs_of(turn.state), slots)
        if change is not None:
            found.append(Tracked(before, now, reported, True))
        else:
            seen = turn_state(before, now, same) if now is not None and known else None
            found.append(Tracked(before, now, seen, False))
        known = now is not None
        before = before if now is None else now
    return found


def _kept(pairs: Pairs, slots: Container[str] | None) -> dict[str, str]:
    return {key: value for key, value in pairs.items() if slots is None or key in slots}


def _emptied(state: Mapping[str, Any]) -> frozenset[str]:
    """Returns the slots that a turn state names without a value."""
    cells = islice(_cells(state), MOST_PAIRS)
    return frozenset(key for key, value in cells if not value_text(key, value))


def said(pairs: Pairs) -> str:
    """Writes pairs in words: `hotel-area: north, hotel-stars: 4`."""
    return ", ".join(f"{key}: {value}" for key, value in pairs.items())
