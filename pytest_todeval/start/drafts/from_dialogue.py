"""The goal that a dialogue shows by its tool calls, with the values that the user said.

A value that the user never said is left out: the bot found it, or made it up. So each part of a
goal is checked against the conversation that it comes from.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.steps import VERBS
from pytest_todeval.facts.calls.reading import CallFact, CallOutcome, read_turn
from pytest_todeval.facts.calls.results import Says, said_by
from pytest_todeval.facts.calls.rows import data_of
from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.slots import kind_of
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.tool_names import BOOKS, CANCELS, CHANGES, LOOKS, words_of
from pytest_todeval.nlu.verbs import verbs_named

_NO_KIND = frozenset(
    listed(
        "book reserve make create place add new the a and all for by of to open submit delivered "
        "pending item items user details detail update modify change edit set cancel delete remove "
        "find search get list look up lookup query check booking reservation info my"
    )
)
_DEEDS = frozenset(listed("issue file open submit raise create send register add"))
"""First words of tools that make a record."""
_IDENTITY = re.compile(r"(?:^|_)(?:id|number|no|reference|ref|code|confirmation(?:_number)?)$")
_PERSON = re.compile(r"(?:^|_)(?:user|customer|member|client)_?(?:id)?$")
_FACTS = ("name", "email", "phone", "address", "postcode", "date of birth")
MOST_VALUE = 200
"""Characters of a value that a user says."""


@dataclass
class ShownGoal:
    """What a dialogue shows of its user's goal."""

    deeds: list["ShownDeed"] = field(default_factory=list)
    wanted: dict[str, dict[str, str]] = field(default_factory=dict)
    """Domain -> what the user wanted of it, as look-ups have it."""
    user: dict[str, str] = field(default_factory=dict)
    unsaid: list[str] = field(default_factory=list)
    """Values of deeds that the user did not say, by slot."""
    refused: int = 0
    """Calls that failed."""

    def entry(self, id: str) -> dict[str, Any] | None:
        """Returns the goal as an entry of a goal file; None if nothing is shown."""
        parts = self._domains()
        body: dict[str, Any] = {"domains": parts} if parts else {"steps": self._steps()}
        if not (parts or body["steps"]):
            return None
        return {"id": id, **body, **({"user": self.user} if self.user else {})}

    def _domains(self) -> dict[str, Any]:
        """By domain, if nothing but bookings was done, and one in each."""
        kinds = [deed.kind for deed in self.deeds]
        if any(deed.verb != "book" for deed in self.deeds) or len({*kinds}) < len(kinds):
            return {}
        found: dict[str, Any] = {
            kind: {"inform": values} for kind, values in self.wanted.items() if values
        }
        for deed in self.deeds:
            inform = self.wanted.get(deed.kind, {})
            book = {slot: value for slot, value in deed.values.items() if slot not in inform}
            part = {"inform": inform} if inform else {}
            found[deed.kind] = {**part, **({"book": book} if book else {"wants_booking": True})}
        return found

    def _steps(self) -> list[dict[str, Any]]:
        return [deed.step(self.wanted.get(deed.kind, {})) for deed in self.deeds]


@dataclass(frozen=True)
class ShownDeed:
    """Something that the bot did for the user."""

    verb: str
    kind: str
    values: Mapping[str, str]
    """What the user said of it."""

    def step(self, wanted: Mapping[str, str]) -> dict[str, Any]:
        """Returns the deed as a step of a goal."""
        values = {**(wanted if self.verb == "book" else {}), **self.values}
        if self.verb == "book":
            return {self.verb: {self.kind: values}}
        target = {slot: value for slot, value in values.items() if _IDENTITY.search(slot)}
        rest = {slot: value for slot, value in values.items() if slot not in target}
        step: dict[str, Any] = {self.kind: target}
        if rest:
            step["to" if self.verb in ("change", "exchange") else "with"] = rest
        return {self.verb: step}


def goal_shown(dialogue: Dialogue, id: str) -> dict[str, Any] | None:
    """Returns the goal of a dialogue as an entry of a goal file; None if its calls show none."""
    return shown_in(dialogue).entry(goal_id(id))


def goal_id(name: str) -> str:
    """Returns a name in the form of a goal's id."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "goal"


def shown_in(dialogue: Dialogue) -> ShownGoal:
    """Returns what the tool calls of a dialogue show, with the values that its user said."""
    shown, told = ShownGoal(), ""
    for turn in dialogue.turns:
        told = f"{told}\n{turn.user}"
        for fact in read_turn(turn, dialogue.goal):
            verb = _verb(fact)
            said = _said_values(fact, told, shown)
            kind = _kind(fact)
            if verb is None:
                if fact.what is CallOutcome.REFUSED or fact.call.error is not None:
                    shown.refused += 1
                elif said and LOOKS & {*words_of(fact.call.name)}:
                    shown.wanted.setdefault(kind, {}).update(said)
            else:
                shown.deeds.append(ShownDeed(verb, kind, said))
    return shown


def _verb(fact: CallFact) -> str | None:
    """Returns what a call did, as a verb of steps; None if it did nothing, or was refused."""
    call, words = fact.call, words_of(fact.call.name)
    by_deed = {
        CallOutcome.BOOKED: "book",
        CallOutcome.CHANGED: "change",
        CallOutcome.CANCELLED: "cancel",
    }
    if call.error is not None or said_by(data_of(call.result)) is Says.REFUSED:
        return None
    first = words[0] if words else ""
    own = next((verb.name for verb in verbs_named(frozenset(words[:2]))), None)
    named = (("cancel", first in CANCELS), ("change", first in CHANGES), (first, first in VERBS),
             (own, bool(own) and first not in LOOKS), ("book", first in _DEEDS))  # fmt: skip
    if fact.what in by_deed and first not in VERBS and first not in CANCELS | CHANGES and not own:
        return by_deed[fact.what]
    if not first or first in LOOKS or fact.what is CallOutcome.REFUSED:
        return None
    return next((verb for verb, is_so in named if is_so and verb != "ask"), None)


def _kind(fact: CallFact) -> str:
    """Returns what a call is about: its domain, else the noun of its name."""
    if fact.domain:
        return fact.domain
    words = [word for word in words_of(fact.call.name) if word not in _NO_KIND]
    nouns = [word for word in words_of(fact.call.name) if word in BOOKS - {"book", "reserve"}]
    known = [word for word in words if not {word} & (LOOKS | VERBS.keys() | _DEEDS)]
    owned = [slot.removesuffix("_id") for slot in fact.call.arguments if slot.endswith("_id")]
    of_whom = [owner for owner in owned if not _PERSON.search(owner)]
    return (known[-1:] or nouns or of_whom or ["booking"])[0]


def _said_values(fact: CallFact, told: str, shown: ShownGoal) -> dict[str, str]:
    """Returns the scalar arguments that the user said; who the user is goes to its facts."""
    found = {}
    for slot, value in _scalars(fact.call):
        if not is_said(slot, value, told):
            shown.unsaid.append(slot)
        elif _PERSON.search(slot):
            shown.user[slot.replace("_", " ")] = value
        elif (
            fact_name := slot.replace("_", " ")
        ) in _FACTS and fact.what is not CallOutcome.LOOKED_UP:
            if fact_name != "name" or kind_of("name", (value,)) is kind_of("name"):
                shown.user[fact_name] = value
        else:
            found[slot] = value
    return found


def _scalars(call: ToolCall) -> Iterator[tuple[str, str]]:
    for slot, value in call.arguments.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            text = str(value).strip()
            if 0 < len(text) <= MOST_VALUE and text.lower() not in ("none", "any", "dontcare"):
                yield slot, text
        elif isinstance(value, Mapping):
            yield from _scalars(ToolCall(call.name, value))


def is_said(slot: str, value: str, text: str) -> bool:
    """Says whether a text says a value, in a form of its kind or word by word."""
    words, said = plain(value), plain(text)
    if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", said):
        return True
    return bool(kind_of(slot, (value,)).told(value, text))


def signature(entry: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Returns the deeds and slots of a goal, without its values: goals alike have the same."""
    found = [
        (domain, *(f"{key}.{slot}" for key in part for slot in _names(part[key])))
        for domain, part in entry.get("domains", {}).items()
    ]
    found += [
        (verb, *(f"{key}.{slot}" for key in step for slot in _names(step[key])))
        for each in entry.get("steps", ())
        for verb, step in each.items()
    ]
    return tuple(sorted(tuple(sorted(each)) for each in found))


def _names(value: Any) -> Sequence[str]:
    return sorted(value) if isinstance(value, Mapping) else [""]
