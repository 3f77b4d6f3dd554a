"""Judges online success: every value that the goal asks for was given, and rightly."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.metrics.choices import choices
from pytest_todeval.evaluate.metrics.inform import Finding, end_of, unclear_answer
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.calls.wishes import broken, given
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.doubt import doubted
from pytest_todeval.facts.told_values import answer_of, heard_values, says_value, tells
from pytest_todeval.nlu.questions.asked import USERS_ASK, piece_of
from pytest_todeval.nlu.slots import Slot, slot_of, words_in
from pytest_todeval.nlu.text.sentences import refuses, sentences
from pytest_todeval.nlu.values.answers import AnswerStatus, SlotAnswer, answer, answer_by_texts
from pytest_todeval.nlu.values.item_texts import ItemTexts
from pytest_todeval.nlu.values.normalise import same_name, same_value
from pytest_todeval.nlu.values.requested import asked_for

MOST_ROWS = 200
"""Rows of a database whose values are known as those of other items."""

SYNONYMS = {"car type": "type", "car": "type", "reference": "reference"}
"""Slots of a request that a booking holds under another name."""


def answers(evidence: Evidence, part: DomainGoal) -> Iterator[Finding]:
    """Judges, for each requested slot of a domain, whether the bot gave its true value."""
    known = _known(evidence, part)
    for slot in part.request:
        yield answer_to(evidence, part, slot, known)


def _known(evidence: Evidence, part: DomainGoal) -> tuple[Mapping[str, Any], str, bool]:
    """Returns what is true of the domain's final choice, what that choice is, and whether it is
    verified.
    """
    found = choices(evidence, part)
    if found:
        return found[0].values, found[0].what, found[0].verified
    rows = evidence.look_up(part.domain, part.inform)
    return rows[0] if rows else {}, part.domain, True


def answer_to(
    evidence: Evidence, part: DomainGoal, slot: str, known: tuple[Mapping[str, Any], str, bool]
) -> Finding:
    """Judges whether a slot's value was given; `known` says what is true, of what, and whether
    verified.
    """
    values, what, verified = known
    about = f"{part.domain}: the {slot} of {what}"
    value = values.get(slot, values.get(SYNONYMS.get(slot, slot)))
    elsewhere: Sequence[str] = ()
    if not given(value) or isinstance(value, Mapping):
        texts = _texts(evidence, part, values)
        rows = values_in_results(evidence, part, slot) or texts.values(slot_of(part, slot))
        if len(rows) != 1:
            listed = slot in values
            return _unknown_value(evidence, part, slot, about, rows, texts, listed=listed)
        values, verified = {**values, slot: rows[0]}, False
        value, elsewhere = rows[0], texts.others(slot_of(part, slot))
    found = list(_answers(evidence, part, slot, values, elsewhere))
    for facts, said in found:
        if said.told is AnswerStatus.RIGHT or _told(facts, part, slot, values, str(value)):
            return Finding(True, f"{about} was told: {value}", (facts.index,), verified)
    return _not_told(evidence, part, slot, about, values, verified, found)


def _texts(evidence: Evidence, part: DomainGoal, values: Mapping[str, Any]) -> ItemTexts:
    """Reads the texts of tools' results for what the goal's or the domain's choice has."""
    about = [*part.inform.values(), *part.book.values(), *filter(None, [identity(values)])]
    return ItemTexts(evidence.words_until(len(evidence.turns)), list(dict.fromkeys(about)))


def values_in_results(evidence: Evidence, part: DomainGoal, slot: str) -> list[str]:
    """Returns a slot's values in the rows of tools' results that do not contradict the goal."""
    wanted = words_in(slot)
    found = []
    for row in evidence.rows_until(len(evidence.turns)):
        keys = [key for key in row if isinstance(key, str) and words_in(key) == wanted]
        known = [row[key] for key in keys if given(row[key])]
        if broken(part.domain, part.inform, {**part.inform, **row}) is None:
            found += [str(value) for value in known if not isinstance(value, (Mapping, list))]
    return list(dict.fromkeys(found))


def _answers(
    evidence: Evidence,
    part: DomainGoal,
    slot: str,
    values: Mapping[str, Any],
    elsewhere: Sequence[str],
) -> Iterator[tuple[TurnFacts, SlotAnswer]]:
    """Returns what each turn says about a slot, given its true value."""
    heard_as = SYNONYMS.get(slot, slot)
    value = str(values.get(slot, values.get(heard_as)))
    others = [*_values_elsewhere(evidence, part.domain, heard_as, value), *elsewhere]
    known = slot_of(part, slot, (value,))
    mine = [str(v) for s, v in values.items() if s not in (slot, heard_as) and given(v)]
    due = False
    for facts in evidence.told:
        user = facts.turn.as_meant
        asked = asked_for(user, part.request)
        due = due or slot in asked
        if facts.echo:
            continue
        said = answer(
            facts.text,
            known,
            value,
            asked=due,
            user=user,
            others=others,
            covered=[*mine, *part.inform.values(), *part.book.values(), user],
            rivals=[slot_of(part, other) for other in asked if other != slot],
            about=[part.domain, *part.inform.values(), *filter(None, [identity(values)])],
        )
        due = due and said.told is AnswerStatus.NOTHING
        yield facts, said


def _values_elsewhere(evidence: Evidence, domain: str, slot: str, value: str) -> Sequence[str]:
    """Returns the values that other rows have in a slot, as far as they are known."""
    rows = [*evidence.look_up(domain, {})[:MOST_ROWS], *evidence.rows_until(len(evidence.turns))]
    found = (str(row[slot]) for row in rows if given(row.get(slot)))
    return list(dict.fromkeys(other for other in found if not same_value(slot, other, value)))


def _told(
    facts: TurnFacts, part: DomainGoal, slot: str, values: Mapping[str, Any], value: str
) -> bool:
    """Says whether a turn gives a value of one of MultiWOZ's slots."""
    heard_as = SYNONYMS.get(slot, slot)
    if heard_as not in USERS_ASK:
        return False
    if tells(facts, part.domain, heard_as, value) or tells(facts, part.domain, slot, value):
        return True
    if slot != "price" or not given(values.get("people")):
        return False
    # the fare of all who travel, instead of one
    return not facts.echo and _says_total(facts.text, value, str(values["people"]))


def _says_total(text: str, price: str, people: str) -> bool:
    amount = price.split()[0].lstrip("£$")
    try:
        return says_value(text, "price", f"{float(amount) * int(people):.2f}")
    except ValueError:
        return False


def _not_told(
    evidence: Evidence,
    part: DomainGoal,
    slot: str,
    about: str,
    values: Mapping[str, Any],
    verified: bool,
    answers: Sequence[tuple[TurnFacts, SlotAnswer]],
) -> Finding:
    """Explains why the value was not given: another one was, or none; or words that may mean it."""
    item, value = identity(values), str(values.get(slot, values.get(SYNONYMS.get(slot, slot))))
    source = _source(evidence, verified)
    for facts in reversed(evidence.turns):
        for told in heard_values(facts, part.domain, slot, item) if slot in USERS_ASK else ():
            if not same_value(slot, told, value):
                reason = f"{about}: told {told}, {source} {value}"
                return Finding(False, reason, (facts.index,), verified)
    for wanted in (AnswerStatus.WRONG, AnswerStatus.UNCLEAR):
        for facts, said in reversed(answers):
            if said.told is wanted:
                reason = f"{about}: told {said.said!r}{_whose(facts, slot, item)}, {source} {value}"
                doubt = doubted(facts, f"`{slot}: {said.said}`", "the words may mean the value")
                unsure = doubt if wanted is AnswerStatus.UNCLEAR else ""
                return Finding(False, reason, (facts.index,), verified, unsure)
    how, turns = end_of(evidence)
    asked = _asked(evidence, slot) or turns
    return Finding(False, f"{about} was never told{how}", asked, verified)


def _source(evidence: Evidence, verified: bool) -> str:
    if not verified:
        return "the reported results say"
    return "the database says" if evidence.has_database else "the results say"


def _whose(facts: TurnFacts, slot: str, item: str | None) -> str:
    """Returns what a told slot belongs to, if that is something else."""
    others = [c.of for c in facts.acts(Act.INFORM) if c.slot == slot and c.of]
    other = next((each for each in others if not same_name(item or "", each)), None)
    return f", that of {other}" if other else ""


def _asked(evidence: Evidence, slot: str) -> tuple[int, ...]:
    word = piece_of(slot)
    return tuple(t.index for t in evidence.turns if word in t.turn.as_meant.lower())[:1]


def _unknown_value(
    evidence: Evidence,
    part: DomainGoal,
    slot: str,
    about: str,
    rows: Sequence[str],
    texts: ItemTexts,
    *,
    listed: bool,
) -> Finding:
    """Judges an answer if no single row has the value: what the user takes for the answer counts,
    as a claim, unless results have other values. If the slot is `listed` without a value (`?`), "I
    don't know" counts, too.
    """
    for facts in evidence.told:
        said = answer_of(facts, part, slot)
        if said:
            lines = [f"{slot}: {value}" for value in rows] or texts.mine
            return _held_against_results(facts, part, slot, about, said, rows, lines)
        if listed and _says_unknown(facts, slot):
            return Finding(True, f"{about} is not known to the bot", (facts.index,), False)
    reason = f"{about} was never told"
    unclear = unclear_answer(evidence, part, (slot,))
    if unclear is not None:
        facts, words = unclear
        doubt = doubted(facts, f"`{slot}: {words}`", "no value of its usual form, but an answer")
        return Finding(False, reason, (facts.index,), False, doubt)
    return Finding(False, reason, _asked(evidence, slot), False)


def _held_against_results(
    facts: TurnFacts,
    part: DomainGoal,
    slot: str,
    about: str,
    said: str,
    rows: Sequence[str],
    lines: Sequence[str],
) -> Finding:
    """Checks an answer against what results say, in rows and in words."""
    asked = asked_for(facts.turn.as_meant, part.request)
    held = answer_by_texts(
        facts.text,
        slot_of(part, slot, rows),
        lines,
        user=facts.turn.as_meant,
        rivals=[slot_of(part, other) for other in asked if other != slot],
    )
    if held.told in (AnswerStatus.RIGHT, AnswerStatus.NOTHING):
        return Finding(True, f"{about} was told: {said}", (facts.index,), False)
    doubt = doubted(facts, f"`{slot}: {held.said}`", "the words may mean what a result says")
    return Finding(
        False,
        f"{about}: told {held.said!r}, which no result says",
        (facts.index,),
        False,
        doubt if held.told is AnswerStatus.UNCLEAR else "",
    )


def _says_unknown(facts: TurnFacts, slot: str) -> bool:
    """Says whether the bot says that it does not know a slot."""
    named = Slot(slot).named
    return not facts.echo and any(refuses(s) and named.search(s) for s in sentences(facts.text))
