"""Predicates over what the bot changes in tables: with whose consent, for whom, told how.

Which calls change something is known from the tables before and after each. A backend that cannot
tell leaves all of these open.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.evidence.calls.rows import rows_in
from pytest_todeval.evidence.dialogue import MAX_TEXT
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.known import policy_of, squeezed
from pytest_todeval.rules.predicates.persons import finders, identified, person_ids
from pytest_todeval.rules.registry import predicate

_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok|okay|correct|absolutely|definitely|exactly|of course|agreed"
    r"|go ahead|go on|please do|do it|do that|do so|proceed|confirm(?:ed)?|i agree|sounds good"
    r"|that works|that.s (?:right|fine|correct|it)|fine|perfect|great|please cancel|please change"
    r"|let.s)\b",
    re.I,
)
_NO = re.compile(r"^\W*(?:no|nope|wait|stop|hold on|not yet|don.?t|do not|never mind)\b", re.I)
_PROPOSES = re.compile(
    r"(?:^|[.!?\n])\s{0,9}(?!\s|(?:who|what|which|where|when|how)\b)[^.!?\n]{1,300}\?"
    r"|\b(?:confirm|shall i|yes or no|let me know|i will|proceed)\b",
    re.I,
)
"""A question that takes a yes, or an announcement."""
_THINGS = re.compile(r"product|item|flight|model|category", re.I)
"""Arguments that name what anybody may ask about."""
_WANTS_YES = re.compile(
    r"\b(?:are you (?:really |quite )?sure|shall i|should i|do you want me to|would you like me to"
    r"|(?:is|are) (?:that|this|it|these) (?:all )?(?:correct|right|ok|okay)|can you confirm"
    r"|please confirm|do you confirm|shall i really|make a booking|book it)\b[^.!?\n]{0,120}\?",
    re.I,
)
"""A question that asks for consent, and for nothing else."""
_ID_NAMES = ("_id", "_ids", "Id")
BARE = 8
"""Words of a yes that says nothing else."""
MAX_VALUE = 200
"""Characters of an argument that are looked for."""
SHORTEST = 3
"""Characters of a value that can be told from any other text."""


@predicate
def changes_tables(view: View) -> Found:
    """A call of this turn changes the tables."""
    if view.evidence.changes is None:
        return unknown("the backend does not tell what a call changes")
    changing = view.evidence.changes.get(view.index, ())
    return yes(f"{changing[0].name} changes the tables") if changing else no("changes nothing")


@predicate
def changes_unconfirmed(view: View) -> Found:
    """A call of this turn changes the tables, and the user has not said yes to a proposal.

    The yes stands in this turn, after a proposal of the bot; or in an earlier one since which
    nothing was changed.
    """
    changing = _changing(view)
    if not changing:
        return unknown("changes nothing, as far as is known")
    known = view.evidence.changes or {}
    for index in range(view.index, 0, -1):
        if _consents(view, index):
            return no(f"the user agreed in turn {index}")
        if known.get(index - 1):
            break
    if all(_orders(view, call) for call in changing):
        return no("the user orders by name what was proposed before")
    return yes(f"{changing[0].name} changes the tables, but the user has not said yes to it")


def _changing(view: View) -> Sequence[ToolCall]:
    return (view.evidence.changes or {}).get(view.index, ())


def _consents(view: View, index: int) -> bool:
    """Whether the user says yes in a turn, and the bot has proposed something before it."""
    said = view.turns[index - 1].as_meant[:MAX_TEXT]
    earlier = [facts.text for facts in view.evidence.told if facts.index == index - 1]
    proposed = any(_PROPOSES.search(text) for text in earlier)
    return proposed and bool(_YES.search(said)) and not _NO.search(said)


def _orders(view: View, call: ToolCall) -> bool:
    """Whether the user names in this turn what a call changes, after a proposal that names it."""
    said = squeezed(view.turn.as_meant[:MAX_TEXT])
    earlier = [facts.text for facts in view.evidence.until(view.index - 1)]
    proposed = squeezed(" ".join(text for text in earlier if _PROPOSES.search(text)))
    if _NO.search(view.turn.as_meant):
        return False
    return any(squeezed(value) in said and squeezed(value) in proposed for _, value in _ids(call))


@predicate
def changes_other_than_agreed(view: View) -> Found:
    """A call changes another record than the one that the bot has proposed to change.

    So it is if the proposal that the user said yes to names a record by its id, and the call one of
    the same kind that neither the proposal nor the user has named.
    """
    changing = _changing(view)
    agreed = next((at for at in range(view.index, 1, -1) if _consents(view, at)), None)
    if not changing or agreed is None:
        return unknown("changes nothing after a yes, as far as is known")
    earlier = [facts for facts in view.evidence.told if facts.index == agreed - 1]
    proposal = " ".join(facts.text for facts in earlier)
    said = squeezed(f"{proposal} {view.evidence.user_said(view.index)}")
    for call in changing:
        for name, value in _ids(call):
            if squeezed(value) in said:
                continue
            others = {v for each in _before(view, call) for n, v in _ids_of(each) if n == name}
            named = [other for other in others if squeezed(other) in squeezed(proposal)]
            if named and _FLAGGED.search(value) and _alike(named[0], value):
                return yes(f"{call.name} is called with {name} {value!r}; agreed was {named[0]!r}")
    return no("what it changes is what was agreed")


_FLAGGED = re.compile(r"\d")


def _alike(one: str, other: str) -> bool:
    shapes = [re.sub(r"\d+", "0", text) for text in (one, other)]
    return shapes[0] == shapes[1]


def _ids_of(call: ToolCall) -> Iterator[tuple[str, str]]:
    yield from _ids(call)
    for row in rows_in(call.result):
        for name, value in row.items():
            if isinstance(value, str) and str(name).endswith(_ID_NAMES):
                yield str(name), value[:MAX_VALUE]


@predicate
def repeats_change(view: View) -> Found:
    """The bot makes a call again in the same turn that has just changed something."""
    changing = _changing(view)
    if not changing:
        return unknown("changes nothing, as far as is known")
    for at, call in enumerate(view.turn.tool_calls):
        before = [each for each in view.turn.tool_calls[:at] if each in changing]
        if any((call.name, call.arguments) == (each.name, each.arguments) for each in before):
            return yes(f"calls {call.name} again, which has just changed it")
    return no("makes each change once")


@predicate
def changes_unseen(view: View) -> Found:
    """A call changes a record whose id stands in no result before, nor in what the user said."""
    changing = _changing(view)
    if not changing:
        return unknown("changes nothing, as far as is known")
    for call in changing:
        for name, value in _ids(call):
            if not _known(view, call, value):
                return yes(f"{call.name} is called with {name} {value!r}, which nothing has told")
    return no("what it changes was looked up, or named by the user")


def _ids(call: ToolCall) -> Iterator[tuple[str, str]]:
    for name, value in call.arguments.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and (name.endswith(_ID_NAMES) or "@" in each):
                yield name, each[:MAX_VALUE]


def _known(view: View, call: ToolCall, value: str) -> bool:
    wanted = squeezed(value)
    if wanted in squeezed(view.evidence.user_said(view.index)):
        return True
    return any(wanted in squeezed(str(each.result)) for each in _before(view, call))


def _before(view: View, call: ToolCall) -> Iterator[ToolCall]:
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
    named = [(call, *pair) for call in view.turn.tool_calls for pair in _ids(call)]
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
    offered = [str(each.get("function", each).get("name")) for each in _tools(view)]
    if not by or (offered and not set(by) & set(offered)):
        return unknown("no tool finds a person")
    free = {*by, *(allowed or ())}
    called = [call for call in view.turn.tool_calls if call.name not in free]
    if any_id:
        called = [call for call in called if any(not _THINGS.search(n) for n, _ in _ids(call))]
    if not called:
        return unknown("calls nothing that takes an identified user")
    said = view.evidence.user_said(view.index)
    found = identified(view, by, called[0])
    if any(_proves(each, proof or [], said) and _as_said(each, said) for each in found):
        return no("the user is identified")
    lack = f", nor has the user said the {proof[0]} on record" if proof else ""
    return yes(f"calls {called[0].name}, but {' or '.join(by)} has not found the user{lack}")


def _tools(view: View) -> Sequence[Mapping[str, Any]]:
    return getattr(view.evidence.backend, "tools", None) or ()


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
    changing = _changing(view)
    if not changing:
        return unknown("changes nothing, as far as is known")
    for call in changing:
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
    wanted = {value for _, value in _ids(call)}
    for each in _before(view, call):
        for row in rows_in(each.result):
            if any(name.endswith("_id") and row[name] in wanted for name in _texts(row)):
                yield from (row[name] for name in owners if name in _texts(row))


def _texts(row: Mapping[str, Any]) -> set[str]:
    return {str(name) for name, value in row.items() if isinstance(value, str) and value}


@predicate
def stalls_after_yes(view: View) -> Found:
    """The bot asks for a yes again right after the user has said yes, and does nothing else."""
    said = view.turn.as_meant[:MAX_TEXT]
    bare = len(said.split()) <= BARE and not re.search(r"\d", said)
    if view.index < 2 or not bare or not _consents(view, view.index):
        return unknown("the user has not said yes, and no more, to a proposal")
    before = view.turns[-2].system[:MAX_TEXT]
    asked = _WANTS_YES.search(view.facts.text)
    if asked is None or not _WANTS_YES.search(before):
        return no("does not ask for a yes again")
    if view.turn.tool_calls or view.facts.made:
        return no("has done something in between")
    return yes(f"asks {asked[0]!r} although the user has just said yes")


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
