"""What the bot can know by a turn, as text: what its words and numbers are held against.

It knows its calls with their results, its tools, its policy and its bookings, and what the user
said. Each turn's part is put together once per dialogue.
"""

import re
from collections.abc import Callable, Iterator

from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.facts.calls.rows import data_of, identity
from pytest_todeval.facts.dialogue import TurnFacts

_KEPT = re.compile(r"[a-z0-9]+")
MAX_SOURCE = 200_000
"""Characters of a turn's calls and results that are looked into."""
SHORTEST_CODE = 4
"""Letters and digits from which a code may be written with marks inside it."""


def sources(view: View) -> str:
    """Policy, tools, calls and results up to the turn, in small letters and without hyphens."""
    return "\n".join((_task(view), *_each(view, "calls", _calls_of)))


def founded_text(view: View) -> str:
    """The sources, what stands booked and what the database holds of it; not the user's words."""
    key = ("founded", view.index)
    return view.evidence.once(
        key, lambda: "\n".join((sources(view), _booked(view), _looked_at(view)))
    )


def known_text(view: View) -> str:
    """Returns all of it, the user's words too."""
    return f"{founded_text(view)}\n{view.evidence.user_said(view.index).lower()}"


def is_known_code(view: View, code: str) -> bool:
    """Says whether a code stands in what is known as whole tokens, with or without marks inside it.

    `2A` does not stand in `12A`, nor in "2 a"; `PO4137` stands in "PO-4137".
    """
    kept = squeezed(code)
    marks = r"[^a-z0-9\n]{0,2}" if len(kept) >= SHORTEST_CODE else ""
    spelt = marks.join(map(re.escape, kept))
    whole = rf"(?<![a-z0-9]){spelt}(?![a-z0-9])"
    if kept.isdigit() and len(kept) >= SHORTEST_CODE:  # "ending in 4137"
        whole = rf"(?<!\d){spelt}(?!\d)"
    return bool(kept) and re.search(whole, known_text(view)) is not None


def squeezed(text: str) -> str:
    """Returns a text's letters and digits, in small letters."""
    return "".join(_KEPT.findall(text.lower()))


def policy_of(view: View) -> str:
    """Returns the backend's policy; empty if it has none."""
    return str(getattr(view.evidence.backend, "policy", "") or "")


def _each(view: View, name: str, work: Callable[[TurnFacts], str]) -> Iterator[str]:
    for facts in view.evidence.until(view.index):
        yield view.evidence.once((name, facts.index), lambda facts=facts: work(facts))  # type: ignore[misc]


def is_known(view: View) -> bool:
    """Says whether all that the bot knows can be seen.

    It can if results of the dialogue hold records or say something in words. For a bot that reports
    none, it can if the whole database is at hand, and what stands booked: fares and references are
    in no database.
    """
    evidence = view.evidence
    if _looks_up(view):
        return True
    if not evidence.has_database or evidence.bookings is None:
        return False
    return len(evidence.once("database", lambda: _database(view))) < MAX_SOURCE


def _looks_up(view: View) -> bool:
    return view.evidence.once("looks up", lambda: any(map(tells_something, view.evidence.told)))


def tells_something(facts: TurnFacts) -> bool:
    """Whether a turn's results hold a record, or a text that says more than how a call went."""
    results = [call.result for call in facts.turn.tool_calls if call.error is None]
    return any(row for _, row in facts.rows) or any(
        map(_says_something, (*results, *facts.turn.retrieved))
    )


def _says_something(result: object) -> bool:
    data = data_of(result)
    if isinstance(data, list | tuple):
        return any(map(_says_something, data))
    if isinstance(data, str):
        return any(map(str.isdigit, data)) or len(data.split()) > 1
    return isinstance(data, int | float) and not isinstance(data, bool)


def _database(view: View) -> str:
    parts = view.evidence.goal.domains
    rows = [row for part in parts for row in view.evidence.look_up(part.domain, {})]
    return str([dict(row) for row in rows])[:MAX_SOURCE].lower()


def _calls_of(facts: TurnFacts) -> str:
    told = [(call.name, call.arguments, call.result, call.error) for call in facts.turn.tool_calls]
    return _plain(" ".join(map(str, (*told, *facts.turn.retrieved))))


def _plain(text: str) -> str:
    return text[:MAX_SOURCE].lower().replace("-", "")


def _task(view: View) -> str:
    backend = view.evidence.backend
    return view.evidence.once(
        "task", lambda: _plain(f"{policy_of(view)} {getattr(backend, 'tools', '')}")
    )


def _booked(view: View) -> str:
    def work() -> str:
        bookings = [(b.reference, dict(b.slots)) for b in view.evidence.bookings or ()]
        opening = [facts.text for facts in view.evidence.opening]
        return f"{bookings} {opening}".lower()

    return view.evidence.once("booked", work)


def _looked_at(view: View) -> str:
    """The database's rows of what was offered or booked; of a bot that reports no look-up all."""
    evidence = view.evidence
    if not evidence.has_database:
        return ""
    if not _looks_up(view):
        return evidence.once("database", lambda: _database(view))

    def work() -> str:
        named = {name for facts in evidence.until(view.index) for name in facts.offers}
        named |= {str(identity(b.slots)) for b in evidence.bookings or () if identity(b.slots)}
        rows = [evidence.row(evidence.domain_of_name(name), name) for name in sorted(named)]
        return str([dict(row) for row in rows if row is not None]).lower()

    return evidence.once(("looked at", view.index), work)
