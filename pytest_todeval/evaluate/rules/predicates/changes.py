"""Predicates over what the bot calls and changes: seen before, for whom, how often.

Which calls change something is known from the tables before and after each. A backend that cannot
tell leaves all of these open.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import policy_of, squeezed
from pytest_todeval.evaluate.rules.predicates.persons import (
    finders,
    identified,
    offered,
    person_ids,
)
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.rows import rows_in

_THINGS = re.compile(r"product|item|flight|model|category", re.I)
"""Arguments that name what anybody may ask about."""
_ID_NAMES = ("_id", "_ids", "Id")
MAX_VALUE = 200
"""Characters of an argument that are looked for."""


@predicate
def changes_tables(view: View) -> Found:
    """A call of this turn changes the tables."""
    if view.evidence.changes is None:
        return unknown("the backend does not tell what a call changes")
    changing = view.evidence.changes.get(view.index, ())
    return yes(f"{changing[0].name} changes the tables") if changing else no("changes nothing")


def changing(view: View) -> Sequence[ToolCall]:
    """The calls of the turn that change the tables; none if nothing tells."""
    return (view.evidence.changes or {}).get(view.index, ())


def ids_around(call: ToolCall) -> Iterator[tuple[str, str]]:
    """The ids that a call takes or gives, with the names of argument or field."""
    yield from ids_in(call)
    for row in rows_in(call.result):
        for name, value in row.items():
            if isinstance(value, str) and str(name).endswith(_ID_NAMES):
                yield str(name), value[:MAX_VALUE]


@predicate
def repeats_change(view: View) -> Found:
    """The bot makes a call again in the same turn that has just changed something."""
    done = changing(view)
    if not done:
        return unknown("changes nothing, as far as is known")
    for at, call in enumerate(view.turn.tool_calls):
        before = [each for each in view.turn.tool_calls[:at] if each in done]
        if any((call.name, call.arguments) == (each.name, each.arguments) for each in before):
            return yes(f"calls {call.name} again, which has just changed it")
    return no("makes each change once")


@predicate
def changes_unseen(view: View) -> Found:
    """A call changes a record whose id stands in no result before, nor in what the user said."""
    done = changing(view)
    if not done:
        return unknown("changes nothing, as far as is known")
    for call in done:
        for name, value in ids_in(call):
            if not _known(view, call, value):
                return yes(f"{call.name} is called with {name} {value!r}, which nothing has told")
    return no("what it changes was looked up, or named by the user")


def ids_in(call: ToolCall) -> Iterator[tuple[str, str]]:
    """The ids and e-mail addresses that a call takes, with the names of the arguments."""
    for name, value in call.arguments.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and (name.endswith(_ID_NAMES) or "@" in each):
                yield name, each[:MAX_VALUE]


def _known(view: View, call: ToolCall, value: str) -> bool:
    wanted = squeezed(value)
    if wanted in squeezed(view.evidence.user_said(view.index)):
        return True
    return any(wanted in squeezed(str(each.result)) for each in calls_before(view, call))


def calls_before(view: View, call: ToolCall) -> Iterator[ToolCall]:
    """The calls of the dialogue before that one, without those that failed."""
    for facts in view.evidence.until(view.index):
        for each in facts.turn.tool_calls:
            if each is call:
                return
            if each.error is None:
                yield each


@predicate
def calls_unseen(view: View) -> Found:
    """The bot calls a tool with an id or e-mail address that nothing has told.

    Told it is by the user, by an earlier result, or by the policy.
    """
    named = [(call, *pair) for call in view.turn.tool_calls for pair in ids_in(call)]
    if not named:
        return unknown("calls nothing with an id or e-mail address")
    policy = policy_of(view)
    for call, name, value in named:
        if squeezed(value) not in squeezed(policy) and not _known(view, call, value):
            return yes(f"calls {call.name} with {name} {value!r}, which nothing has told")
    return no("every id that it calls with was told")


@predicate
def acts_unidentified(
    view: View,
    by: list[str] | None = None,
    proof: list[str] | None = None,
    allowed: list[str] | None = None,
) -> Found:
    """The bot calls other tools before one of the tools `by` has found the user.

    `proof` are fields of what it finds whose value the user must have said, as a badge number;
    `allowed` are tools that may be called all the same, as one that hands over. Without `by` it is
    the tools that find or verify a person, by their names, and calls without an id are allowed.
    """
    if not view.evidence.traced:
        return unknown("no tool calls were reported")
    any_id = by is None
    by = finders(view) if by is None else by
    known = offered(view)
    if not by or (known and not set(by) & set(known)):
        return unknown("no tool finds a person")
    free = {*by, *(allowed or ())}
    called = [call for call in view.turn.tool_calls if call.name not in free]
    if any_id:
        called = [call for call in called if any(not _THINGS.search(n) for n, _ in ids_in(call))]
    if not called:
        return unknown("calls nothing that takes an identified user")
    said = view.evidence.user_said(view.index)
    found = identified(view, by, called[0])
    if any(_proves(each, proof or [], said) and _as_said(each, said) for each in found):
        return no("the user is identified")
    lack = f", nor has the user said the {proof[0]} on record" if proof else ""
    return yes(f"calls {called[0].name}, but {' or '.join(by)} has not found the user{lack}")


def _as_said(found: ToolCall, said: str) -> bool:
    """Whether what the user was found by is what the user said: nobody proves it by a guess."""
    values = [squeezed(v) for v in found.arguments.values() if isinstance(v, str)]
    return all(value in squeezed(said) for value in values)


def _proves(found: ToolCall, proof: Sequence[str], said: str) -> bool:
    rows = rows_in(found.result)
    return all(
        any(re.search(rf"(?<!\w){re.escape(str(row.get(field)))}(?!\w)", said) for row in rows)
        for field in proof
    )


@predicate
def changes_for_another(
    view: View,
    by: list[str] | None = None,
    me: str | None = None,
    owners: list[str] | None = None,
) -> Found:
    """A call changes a record of somebody else than the user that one of the tools `by` found.

    `me` is the field of what it finds that tells who the user is, `owners` are arguments and fields
    of records that tell whose they are. Without them it is the tools that find or verify a person,
    by their names, and the fields that end in `_id` in what they find.
    """
    done = changing(view)
    if not done:
        return unknown("changes nothing, as far as is known")
    for call in done:
        ids: dict[str, set[str]] = {}
        for each in identified(view, finders(view) if by is None else by, call):
            for name, value in person_ids(each, me).items():
                ids.setdefault(name, set()).add(value)
        if not ids:
            return unknown("the user was not identified")
        mine = set().union(*ids.values())
        fields = owners or [field for name in ids for field in (name, name.removesuffix("_id"))]
        for whose in _whose(view, call, [field for field in fields if field]):
            if whose not in mine:
                return yes(
                    f"{call.name} changes what belongs to {whose}; the user is {sorted(mine)[0]}"
                )
    return no("changes only what is the user's")


def _whose(view: View, call: ToolCall, owners: Sequence[str]) -> Iterator[str]:
    for name in owners:
        if isinstance(call.arguments.get(name), str):
            yield call.arguments[name]
    wanted = {value for _, value in ids_in(call)}
    for each in calls_before(view, call):
        for row in rows_in(each.result):
            if any(name.endswith("_id") and row[name] in wanted for name in _texts(row)):
                yield from (row[name] for name in owners if name in _texts(row))


def _texts(row: Mapping[str, Any]) -> set[str]:
    return {str(name) for name, value in row.items() if isinstance(value, str) and value}


@predicate
def repeats_failing_call(view: View) -> Found:
    """The bot makes a call again that has failed with the same arguments.

    Within a turn once is too often; over several turns, in which the user may have asked for it, a
    third time is.
    """
    failed = [call for call in view.turn.tool_calls if call.error is not None]
    if not failed:
        return unknown("no call of this turn failed")
    earlier = [call for turn in view.turns[:-1] for call in turn.tool_calls]
    for at, call in enumerate(failed):
        before = sum(_same(call, other) for other in earlier)
        if any(_same(call, other) for other in failed[:at]) or before > 1:
            return yes(f"calls {call.name} again, which has failed: {str(call.error)[:80]}")
    return no("repeats no call that has failed")


def _same(call: ToolCall, other: ToolCall) -> bool:
    return other.error is not None and (call.name, call.arguments) == (other.name, other.arguments)
