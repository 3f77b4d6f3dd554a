"""What is known of a dialogue, turn by turn; gathered once, shared by metrics, rules and judge.

Facts first (the backend's bookings, the database, tool calls and their results), then what can be
heard in the bot's text. Bot text is only ever read, never evaluated, and only `MAX_TEXT` characters
of a turn are.
"""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import Goal
from pytest_todeval.facts.calls.reading import CallFact, as_booking, read_turn, seen_of, standing
from pytest_todeval.facts.calls.rows import (
    IDENTITIES,
    completed,
    row_named,
    rows_in,
    texts_in,
)
from pytest_todeval.facts.ear import MAX_TEXT, RULES, claims_in
from pytest_todeval.facts.hearing import normal_text
from pytest_todeval.nlu.text.manner import unmannered
from pytest_todeval.nlu.values.normalise import same_name
from pytest_todeval.nlu.vocabulary import Vocabulary

__all__ = ["MAX_TEXT", "Evidence", "TurnFacts", "gather", "with_claims"]

RECENT = 8
"""Dialogues that are remembered: metrics, rules, judge and reports read the same ones."""
Row = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class TurnFacts:
    """What one turn shows."""

    turn: Turn
    text: str
    """What the bot said, cut to `MAX_TEXT`, without tags of markup and the like; as it was sent it
    is in the turn."""
    heard: tuple[DialogueAct, ...]
    """What can be heard in the text; nothing if the bot only echoes the user."""
    domain: str | None
    """What the turn is about: by calls, else the user's words, else the bot's, else as before."""
    calls: tuple[CallFact, ...]
    """What its tool calls did."""
    rows: tuple[tuple[str | None, Row], ...]
    """Rows in the results of this turn's calls, with the domain of the call, and the retrieved
    items that are rows."""
    echo: bool = False
    """Whether the bot only said what the user said: that tells nothing."""

    @cached_property
    def index(self) -> int:
        """1-based; 0 and less in the opening."""
        return self.turn.index

    def acts(self, act: Act, domain: str | None = None) -> list[DialogueAct]:
        """What it says is so, of one kind; with `domain`, of that domain or of an untold one."""
        held = self._held.get(act, ())
        return [h for h in held if domain is None or h.domain in (None, domain)]

    @cached_property
    def _held(self) -> Mapping[Act, list[DialogueAct]]:
        """Returns what it says is so, by act: metrics ask for it again and again."""
        found: dict[Act, list[DialogueAct]] = {}
        for claim in self.heard:
            if claim.holds:
                found.setdefault(claim.act, []).append(claim)
        return found

    @property
    def made(self) -> tuple[Booking, ...]:
        """Bookings made in this turn: as the backend tells, else as the calls show."""
        if self.turn.booked is not None:
            return self.turn.booked
        return tuple(fact.booking for fact in self.calls if fact.booking is not None)

    @property
    def offers(self) -> tuple[str, ...]:
        """Names and ids offered, in any domain, each once, in order."""
        return tuple(dict.fromkeys(h.value for h in self.acts(Act.OFFER) if h.value))


@dataclass(frozen=True)
class Evidence:
    """All that is known of one dialogue."""

    dialogue: Dialogue
    backend: Any
    vocabulary: Vocabulary
    turns: tuple[TurnFacts, ...]
    opening: tuple[TurnFacts, ...] = ()
    """Of the turns that the goal goes on from: known, and not the bot's to answer for."""

    @property
    def goal(self) -> Goal:
        return self.dialogue.goal

    @property
    def verified(self) -> bool:
        """Says whether bookings are facts of a backend."""
        return self.dialogue.backend_known or hasattr(self.backend, "bookings")

    @property
    def keeps_bookings(self) -> bool:
        """Says whether a backend, if there is one, tells of what its tools book."""
        return bool(getattr(self.backend, "keeps_bookings", True))

    @property
    def has_database(self) -> bool:
        """Says whether rows can be looked up."""
        return hasattr(self.backend, "query")

    @cached_property
    def traced(self) -> bool:
        """Says whether any tool call or retrieved item was seen."""
        return any(facts.turn.tool_calls or facts.turn.retrieved for facts in self.turns)

    @cached_property
    def books_visibly(self) -> bool:
        """Says whether it was seen when bookings are made: a backend was asked in each turn, or
        calls were seen that book, successful or not.
        """
        asked = any(facts.turn.booked is not None for facts in self.turns)
        return asked or any(fact.tried for facts in self.turns for fact in facts.calls)

    @cached_property
    def bookings(self) -> tuple[Booking, ...] | None:
        """Returns what stands booked at the end: from the backend, else from the reported calls.

        None if neither tells, as of tools over tables that keep no bookings.
        """
        if not self.keeps_bookings:
            return None
        if self.dialogue.backend_known:
            return self.dialogue.final_bookings
        if hasattr(self.backend, "bookings"):
            return tuple(as_booking(found) for found in self.backend.bookings())
        if self.books_visibly:
            return standing(fact for facts in self.turns for fact in facts.calls)
        return None

    @cached_property
    def changes(self) -> Mapping[int, tuple[ToolCall, ...]] | None:
        """By turn the calls that change the backend's tables; None if nothing tells."""
        changed_by = getattr(self.backend, "changed_by", None)
        if changed_by is None:
            return None
        calls = [(facts.index, call) for facts in self.turns for call in facts.turn.tool_calls]
        changed = changed_by([call for _, call in calls])
        found: dict[int, tuple[ToolCall, ...]] = {}
        for (index, call), changes in zip(calls, changed, strict=True):
            if changes:
                found[index] = (*found.get(index, ()), call)
        return found

    @property
    def told(self) -> tuple[TurnFacts, ...]:
        """All turns, the opening first: what the user has been told, whoever is judged by it."""
        return (*self.opening, *self.turns)

    def until(self, index: int) -> Iterator[TurnFacts]:
        """Returns the turns up to and including that one, the opening too."""
        return (facts for facts in self.told if facts.index <= index)

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """What a piece of work comes to, done once per dialogue: several readers ask the same."""
        if key not in self._known:
            self._known[key] = work()
        found: T = self._known[key]
        return found

    @cached_property
    def _known(self) -> dict[Hashable, Any]:
        return {}

    def rows_until(self, index: int, domain: str | None = None) -> list[Row]:
        """Every row that a result up to that turn contains; with `domain`, of no other domain."""
        return self.once(("rows", index, domain), lambda: self._rows_until(index, domain))

    def _rows_until(self, index: int, domain: str | None) -> list[Row]:
        return [
            row
            for facts in self.until(index)
            for about, row in facts.rows
            if domain is None or about in (None, domain)
        ]

    def words_until(self, index: int) -> list[str]:
        """Returns every text that a result up to that turn contains, texts that are no data."""
        return self.once(
            ("words", index),
            lambda: [
                text
                for facts in self.until(index)
                for call in facts.turn.tool_calls
                if call.error is None
                for text in texts_in(call.result)
            ],
        )

    def user_said(self, index: int) -> str:
        """Returns all that the user said up to that turn."""
        return self.once(
            ("said", index),
            lambda: "\n".join(facts.turn.as_meant[:MAX_TEXT] for facts in self.until(index)),
        )

    def row(self, domain: str | None, name: str) -> Row | None:
        """A venue's or train's row by name or id: from the database, else from the latest result.

        Train ids repeat in MultiWOZ, so the latest row wins; earlier ones of the same item tell
        what it lacks.
        """
        return self.once(("row", domain, name), lambda: self._row(domain, name))

    def _row(self, domain: str | None, name: str) -> Row | None:
        rows = self.rows_until(len(self.turns), domain)
        latest = row_named(rows, name)
        found = None if latest is None else completed(latest, rows)
        slot = "trainID" if domain == "train" else "name"
        known = self.look_up(domain, {slot: name}) if domain is not None else ()
        if len(known) > 1 and slot == "trainID" and found is not None:
            return found
        return row_named(list(known), name) or found

    def look_up(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Rows of the database; none if there is no database, or it does not know the domain."""
        if not self.has_database:
            return ()
        try:
            return tuple(self.backend.query(domain, dict(constraints)))
        except (KeyError, ValueError, TypeError):
            return ()  # a database of one's own need not know every domain or slot

    def domain_of_name(self, name: str) -> str | None:
        """Returns the domain whose vocabulary holds that name; None if none or several do."""
        return self.once(("domain", name), lambda: self._domain_of_name(name))

    def _domain_of_name(self, name: str) -> str | None:
        known = [
            domain
            for domain, names in self.vocabulary.names.items()
            if any(same_name(name, other) for other in names)
        ]
        return known[0] if len(known) == 1 else None

    def offers(self, facts: TurnFacts, domain: str) -> list[str]:
        """Returns the names or ids of one domain that a turn offers, in order.

        If it offers none in so many words, what its calls have found and its text names and does
        not deny: so a user understands it, too.
        """
        return self.once(("offers", facts.index, domain), lambda: self._offers(facts, domain))

    def _offers(self, facts: TurnFacts, domain: str) -> list[str]:
        offered = [
            h.value
            for h in facts.acts(Act.OFFER)
            if h.value and (h.domain or self.domain_of_name(h.value) or facts.domain) == domain
        ]
        return list(dict.fromkeys(offered or self._found_and_named(facts, domain)))

    def _found_and_named(self, facts: TurnFacts, domain: str) -> list[str]:
        if facts.echo:
            return []
        denied = [h.value for h in facts.heard if h.act is Act.NO_OFFER and h.value]
        named = seen_of((f for f in facts.calls if f.domain == domain), domain).named(facts.text)
        return [name for name in named if not any(same_name(name, other) for other in denied)]


def gather(dialogue: Dialogue, backend: Any = None) -> Evidence:
    """Reads a dialogue once: what was heard, booked and found in each turn."""
    vocabulary = _vocabulary(dialogue, backend)
    told = _known_facts(dialogue, vocabulary)
    if told is None:
        read: list[TurnFacts] = []
        for turn in (*dialogue.goal.opening, *dialogue.turns):
            read.append(_facts(turn, dialogue.goal, vocabulary, read))
        told = tuple(read)
        _READ.append((dialogue.turns, dialogue.goal, vocabulary, told))
    before = len(dialogue.goal.opening)
    return Evidence(dialogue, backend, vocabulary, told[before:], told[:before])


_READ: deque[tuple[Sequence[Turn], Goal, Vocabulary, tuple[TurnFacts, ...]]] = deque(maxlen=RECENT)
"""The last dialogues read: their turns, goal and vocabulary, and the facts of each turn."""


def _known_facts(dialogue: Dialogue, vocabulary: Vocabulary) -> tuple[TurnFacts, ...] | None:
    for turns, goal, words, facts in tuple(_READ):
        if turns is dialogue.turns and goal is dialogue.goal and words == vocabulary:
            return facts
    return None


def with_claims(dialogue: Dialogue, backend: Any = None) -> Dialogue:
    """Returns the dialogue with what is heard in each turn, for people and files to see."""
    evidence = gather(dialogue, backend)
    heard = tuple(map(_with_heard, evidence.turns))
    turns = tuple(facts.turn for facts in heard)
    _READ.append((turns, dialogue.goal, evidence.vocabulary, (*evidence.opening, *heard)))
    return replace(dialogue, turns=turns)


def _with_heard(facts: TurnFacts) -> TurnFacts:
    if facts.turn.claims is not None and facts.turn.claims_by != RULES:
        return facts
    return replace(facts, turn=replace(facts.turn, claims=facts.heard, claims_by=RULES))


def _facts(
    turn: Turn, goal: Goal, vocabulary: Vocabulary, earlier: Sequence[TurnFacts]
) -> TurnFacts:
    text = unmannered(turn.system[:MAX_TEXT])
    normal = normal_text(text)
    said = {normal_text(each[:MAX_TEXT]) for each in (turn.user, turn.meant)}
    echo = bool(normal) and normal in said
    before = earlier[-1].domain if earlier else None
    calls = read_turn(turn, goal)
    rows = tuple(_rows(turn, calls))
    called = [fact.domain for fact in calls if fact.domain]
    clear = called[-1] if called else _raised(turn.as_meant, goal)
    about = clear or before or _only_domain(goal)
    heard: tuple[DialogueAct, ...] = ()
    if not echo:
        found = [row for facts in earlier for row in facts.rows] + list(rows)
        heard = claims_in(turn, vocabulary, domain=about, found=found)
    told = [h.domain for h in heard if h.domain]
    return TurnFacts(
        turn,
        text,
        heard,
        clear or (told[-1] if told else about),
        calls,
        rows,
        echo,
    )


def _rows(turn: Turn, calls: Sequence[CallFact]) -> Iterator[tuple[str | None, Row]]:
    for fact in calls:
        yield from ((fact.domain, row) for row in fact.rows)
    for item in turn.retrieved:
        yield from ((None, row) for row in rows_in(item))


def _raised(user: str, goal: Goal) -> str | None:
    """The domain of the goal that the user's words raise; None if they raise none or several."""
    words = " ".join(re.findall(r"[a-z]+", user[:MAX_TEXT].lower()))
    names = [
        (part.domain, " ".join(re.findall(r"[a-z]+", part.domain.lower()))) for part in goal.domains
    ]
    raised = [domain for domain, name in names if name and f" {name} " in f" {words} "]
    if "taxi" in raised:
        return "taxi"  # the others are where it goes: "a taxi to the hotel"
    return raised[0] if len(raised) == 1 else None


def _only_domain(goal: Goal) -> str | None:
    return goal.domains[0].domain if len(goal.domains) == 1 else None


def _vocabulary(dialogue: Dialogue, backend: Any) -> Vocabulary:
    database = getattr(backend, "database", backend)
    if hasattr(database, "vocabulary"):
        known: Vocabulary = database.vocabulary()
        if all(part.domain in (*known.names, "taxi") for part in dialogue.goal.domains):
            # shared by all dialogues, and so is what `listen` makes of it
            return known.teaching(dialogue.goal.hearing)
    else:
        known = Vocabulary.from_rows(_rows_by_domain(dialogue))
    return known.merged(Vocabulary.from_goal(dialogue.goal))


def _rows_by_domain(dialogue: Dialogue) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for turn in (*dialogue.goal.opening, *dialogue.turns):
        for fact in read_turn(turn, dialogue.goal):
            rows = (row for row in fact.rows if any(slot in row for slot in IDENTITIES))
            found.setdefault(fact.domain or "", []).extend(rows)
    return found
