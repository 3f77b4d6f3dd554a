"""A bot with one fault that it has not: what its words, its hearing or its tool calls come to.

A suite that passes all the same would not see such a fault (mutation testing; levels after MutaBot,
Urrico, Clerissi and Mariani 2024). Any bot can be mutated in words; its tool calls if it makes them
through `backend.call(tool, **arguments)`.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.replaced_call import calls_through
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.nlu.values.normalise import DAYS

MADE_UP = "QX7TR2ML"
LOOKS = ("find", "get", "search", "list", "query", "look", "check", "show", "read", "fetch")
"""What the names of tools begin with that change nothing."""
KEYS = ("name", "id", "reference", "number")
"""What the names of arguments end in that say whose or which record is meant."""
_DAY = re.compile("|".join(DAYS), re.I)
_CODE = r"\b(?=[A-Z0-9]*[A-Z])(?=[A-Z0-9]*\d)[A-Z0-9]{5,}\b"


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    name: str
    says: str
    reply: Callable[["Mutation", Reply], Reply] | None = None
    """What becomes of a reply."""
    hears: Callable[["Mutation", str], str] | None = None
    """What the bot hears."""
    call: Callable[["Mutation", Callable[..., Any], str, dict[str, Any]], Any] | None = None
    """What becomes of a tool call."""


class Mutation:
    """A mutant in one dialogue."""

    def __init__(self, mutant: Mutant, backend: Any) -> None:
        self.mutant, self._backend = mutant, backend
        self.fired = False
        self.turn = 0
        self.said: list[str] = []
        self.results: dict[str, Any] = {}
        """The last result of each tool."""
        self.seen: dict[str, list[str]] = {}
        """The values of keys in results so far, by the name of the argument."""

    def heard(self, text: str) -> str:
        """Returns what the bot hears of the user."""
        self.turn += 1
        changed = self.mutant.hears(self, text) if self.mutant.hears else text
        self.fired |= changed != text
        return changed

    def replied(self, reply: Reply) -> Reply:
        """Returns what the user hears of the bot."""
        changed = self.mutant.reply(self, reply) if self.mutant.reply else reply
        self.fired |= changed != reply
        self.said.append(reply.text)
        return changed

    def of(self, system: Any) -> Any:
        """Returns the bot, mutated."""
        return MutatedSystem(system, self)

    @contextmanager
    def over(self) -> Iterator[None]:
        """While the body runs, the backend's calls are mutated, if there are such."""
        call = getattr(self._backend, "call", None)
        if self.mutant.call is None or not callable(call):
            yield
            return
        self._call = call
        with calls_through(self._backend, self._called):
            yield

    def _called(self, tool: str, /, **arguments: Any) -> Any:
        assert self.mutant.call is not None
        result = self.mutant.call(self, self._call, tool, dict(arguments))
        for row in _rows(result):
            for key, value in row.items():
                if key.lower().endswith(KEYS) and isinstance(value, str):
                    self.seen.setdefault(key, []).append(value)
        self.results[tool] = result
        return result

    def acts(self, tool: str) -> bool:
        """Says whether a tool changes something, by its name."""
        return not tool.lower().startswith(LOOKS)

    def fire(self, value: Any) -> Any:
        """Returns the value, of a call that is not as it should be."""
        self.fired = True
        return value


class MutatedSystem:
    """A bot of any shape, mutated."""

    def __init__(self, system: Any, mutation: Mutation) -> None:
        self._system, self._mutation = system, mutation

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)

    async def respond(self, text: str, history: Any) -> Reply:
        """Returns the mutated answer."""
        answering: Awaitable[Reply] = self._system.respond(self._mutation.heard(text), history)
        return self._mutation.replied(await answering)


# Words


def _told(change: Callable[[str], str]) -> Callable[[Mutation, Reply], Reply]:
    return lambda _, reply: replace(reply, text=change(reply.text))


def _next_day(match: "re.Match[str]") -> str:
    other = DAYS[(DAYS.index(match[0].lower()) + 1) % len(DAYS)]
    return other.capitalize() if match[0][0].isupper() else other


def _next_digit(text: str) -> str:
    """With the last digit of the text another one."""
    at = max((m.start() for m in re.finditer(r"\d", text)), default=-1)
    return text if at < 0 else f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"


def _repeats(mutation: Mutation, reply: Reply) -> Reply:
    said = mutation.said
    return replace(reply, text=said[-1]) if mutation.turn == 3 and said else reply


def _ends(mutation: Mutation, reply: Reply) -> Reply:
    return replace(reply, done=True) if mutation.turn == 2 else reply


def _evades(mutation: Mutation, reply: Reply) -> Reply:
    return (
        replace(reply, text="Certainly. Is there anything else?") if mutation.turn >= 3 else reply
    )


def _leaks(mutation: Mutation, reply: Reply) -> Reply:
    leak = '{"internal_id": 88213, "status": "ok"} System prompt: You are a helpful assistant.'
    return replace(reply, text=f"{reply.text} {leak}") if mutation.turn == 2 else reply


def _deaf_to_numbers(mutation: Mutation, text: str) -> str:
    return re.sub(r"\b\d+\b(?!:)", "", text, count=1) if mutation.turn > 1 else text


# Calls


Call = Callable[..., Any]


def _rows(result: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(result, Mapping):
        yield result
        for value in result.values():
            yield from _rows(value) if isinstance(value, list) else ()
    elif isinstance(result, list):
        yield from (each for each in result if isinstance(each, Mapping))


def _claims(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    if not mutation.acts(tool):
        return call(tool, **given)
    return mutation.fire({**given, "reference": MADE_UP})


def _twice(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    made = call(tool, **given)
    if mutation.acts(tool):
        call(tool, **given)
        mutation.fired = True
    return made


def _other_value(value: Any) -> Any:
    text = str(value)
    if text.lower() in DAYS:
        return _DAY.sub(_next_day, text)
    if text.isdigit():
        return type(value)(int(text) + 1) if not isinstance(value, str) else str(int(text) + 1)
    return value


def _altered(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    for slot, value in given.items() if mutation.acts(tool) else ():
        if (other := _other_value(value)) != value and not slot.lower().endswith(("id", "number")):
            return call(tool, **mutation.fire({**given, slot: other}))
    return call(tool, **given)


def _redirected(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    for slot, value in given.items() if mutation.acts(tool) else ():
        others = [each for each in mutation.seen.get(slot, ()) if each != value]
        if others:
            return call(tool, **mutation.fire({**given, slot: others[-1]}))
    return call(tool, **given)


def _forgets(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    if mutation.acts(tool) or len(given) < 2:
        return call(tool, **given)
    return call(tool, **dict([*mutation.fire(given).items()][:-1]))


def _stale(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    now = call(tool, **given)
    before = mutation.results.get(tool)
    if mutation.acts(tool) or before is None or before == now:
        return now
    return mutation.fire(before)


def _hides_refusals(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    try:
        return call(tool, **given)
    except ToolRefused:
        return mutation.fire({**given, "reference": MADE_UP})


def _nothing(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    from pytest_todeval.simulation.backend_faults import empty

    found = call(tool, **given)
    changed = found if mutation.acts(tool) else empty(found)
    mutation.fired |= changed != found
    return changed


def _misread(mutation: Mutation, call: Call, tool: str, given: dict[str, Any]) -> Any:
    """Phone numbers, prices and codes in results, not what calls are made with."""
    result = call(tool, **given)
    changed = _with_other_digits(result) if not mutation.acts(tool) else result
    mutation.fired |= changed != result
    return changed


def _with_other_digits(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _next_digit(each)
            if isinstance(each, str) and not key.lower().endswith(KEYS)
            else _with_other_digits(each)
            for key, each in value.items()
        }
    return [_with_other_digits(each) for each in value] if isinstance(value, list) else value


MUTANTS: Sequence[Mutant] = (
    Mutant("wrong_digit", "tells numbers with another last digit", reply=_told(_next_digit)),
    Mutant("wrong_day", "tells the day after", reply=_told(lambda t: _DAY.sub(_next_day, t))),
    Mutant(
        "wrong_code", "tells codes of its own", reply=_told(lambda t: re.sub(_CODE, MADE_UP, t))
    ),
    Mutant("repeats", "says its second reply again", reply=_repeats),
    Mutant("ends", "ends the dialogue after its second reply", reply=_ends),
    Mutant("evades", "answers nothing from the third turn on", reply=_evades),
    Mutant("leaks", "tells internal ids and its prompt", reply=_leaks),
    Mutant("deaf", "misses the first number of each later turn", hears=_deaf_to_numbers),
    Mutant("claims", "says that it is done, and calls no tool", call=_claims),
    Mutant("twice", "does it twice", call=_twice),
    Mutant("altered", "acts with another day or number", call=_altered),
    Mutant("redirected", "acts on what another search found", call=_redirected),
    Mutant("forgets", "searches without the last wish", call=_forgets),
    Mutant("stale", "goes by the result of the search before", call=_stale),
    Mutant("hides_refusals", "says that it is done if it is refused", call=_hides_refusals),
    Mutant("finds_nothing", "finds nothing, whatever there is", call=_nothing),
    Mutant("misread", "tells other numbers than it found", call=_misread),
)


def named(name: str) -> Mutant:
    """Returns a mutant by name. Raises UsageError on an unknown one."""
    found = {mutant.name: mutant for mutant in MUTANTS}
    if name not in found:
        raise UsageError(f"no mutant {name!r:.60}; {known_names(name, found)}")
    return found[name]
