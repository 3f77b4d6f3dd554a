"""Whether a text tells a value, in whatever form people write it."""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.facts.dialogue import TurnFacts
from pytest_todeval.facts.hearing import normal_text
from pytest_todeval.nlu.numbers import to_number
from pytest_todeval.nlu.questions.asked import FEATURES
from pytest_todeval.nlu.text.negation import LACKS, NEGATED
from pytest_todeval.nlu.values.normalise import (
    NUMBER_SLOTS,
    TIME_SLOTS,
    YES_NO_SLOTS,
    find_times,
    normalise,
    normalise_name,
    same_name,
    same_value,
)
from pytest_todeval.nlu.values.requested import (
    asked_for,
    heard_answer,
    worded_answer,
)

CLOSE = 88
"""Least rapidfuzz partial ratio of an address or name and a text that tells it."""
LONG = 9
"""Characters from which a value is told if something nearly like it stands in the text."""
LONGEST_GRAM = 4
_SEPARATED = re.compile(r"(?<=\d)[\s().-]{1,3}(?=\d)")
_UNITS = {"people": "people|person|guests?|part", "stay": "nights?|days?", "stars": "stars?"}
_MONEY = re.compile(
    r"[\u00a3$\u20ac] ?(\d{1,9}(?:\.\d{1,2})?)"
    r"|(?<![\d.])(\d{1,9}(?:\.\d{1,2})?) ?(?:pounds?|quid|gbp|euros?|eur|dollars?|usd)\b",
    re.I,
)
_CLAUSE = re.compile(r"[.!?;\n]|,? but ")


def tells(facts: TurnFacts, domain: str, slot: str, value: str) -> bool:
    """Says whether the bot tells that value of a slot in a turn."""
    if any(same_value(slot, value, told) for told in heard_values(facts, domain, slot)):
        return True
    return not facts.echo and says_value(facts.text, slot, value)


def heard_values(facts: TurnFacts, domain: str, slot: str, of: str | None = None) -> list[str]:
    """Returns the values of a slot that were heard in a turn; with `of`, none of another item's."""
    acts = (*facts.acts(Act.INFORM, domain), *facts.acts(Act.REFERENCE, domain))
    acts = (*acts, *facts.acts(Act.OFFER, domain))
    mine = [h for h in acts if not (of and h.of) or same_name(of, h.of)]
    return [h.value for h in mine if h.slot == slot and h.value]


def answer_of(facts: TurnFacts, part: DomainGoal, slot: str) -> str:
    """What the user takes for the answer to a request of the goal in a turn; empty if nothing."""
    if facts.echo:
        return ""
    about = (None, part.domain)
    claims = [claim for claim in facts.heard if claim.holds and claim.domain in about]
    user = facts.turn.as_meant
    asked = asked_for(user, part.request)
    heard = heard_answer(part.domain, slot, claims)
    return heard or worded_answer(part, slot, facts.text, asked=asked, user=user)


def says_value(text: str, slot: str, value: str) -> bool:
    """Says whether a text contains a value of a slot, spelling and format aside."""
    if slot in YES_NO_SLOTS:
        return _says_yes_no(text, slot, normalise(slot, value) == "no")
    if slot in ("phone", "postcode", "reference", "trainID"):
        return any(form and form in _squeezed(text) for form in _squeezed_forms(slot, value))
    if slot in ("price", "entrance fee", "duration"):
        return _says_amount(text, value)
    if slot in TIME_SLOTS:
        return normalise(slot, value) in find_times(text)
    if slot in NUMBER_SLOTS:
        return _says_number(text, slot, value)
    return _says_words(text, slot, value)


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _SEPARATED.sub("", text.lower()))


def _squeezed_forms(slot: str, value: str) -> Iterable[str]:
    """Returns a code as it stands; a phone number also with the country's code."""
    plain = _squeezed(value)
    yield plain
    if slot == "phone" and plain.startswith("0"):
        yield from (f"44{plain[1:]}", f"44{plain}")


def _says_yes_no(text: str, slot: str, negative: bool) -> bool:
    clauses = (clause for clause in _CLAUSE.split(text) if FEATURES[slot].search(clause))
    return any(_denies(clause) == negative for clause in clauses)


def _denies(clause: str) -> bool:
    return bool(NEGATED.search(clause) or LACKS.search(clause))


def _says_amount(text: str, value: str) -> bool:
    if "free" in value.lower() and re.search(
        r"\bfree\b|no (?:entrance )?(?:fee|charge)", text, re.I
    ):
        return True
    wanted = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", value)]
    said = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text[:8000])}
    return bool(wanted) and wanted[0] in said


def _says_number(text: str, slot: str, value: str) -> bool:
    return (to_number(value) or value) in numbers_said(text, slot)


def numbers_said(text: str, slot: str) -> set[str]:
    """Returns the numbers that stand beside the unit of a slot: "3 nights", "a party of four"."""
    unit = _UNITS[slot]
    beside = rf"\b(\w+)[ -](?!party of)(?:{unit})|\b(?:{unit})\w* (?:of |for )?(\w+)"
    found = re.finditer(beside, text, re.I)
    numbers = (to_number(match[1] or match[2]) for match in found)
    return {number for number in numbers if number is not None}


def _says_words(text: str, slot: str, value: str) -> bool:
    wanted, said = normalise_name(value), normal_text(text)
    if not wanted:
        return False
    if f" {wanted} " in f" {said} " or _says_money(text, value):
        return True
    if len(wanted) >= LONG:
        return fuzz.partial_ratio(wanted.replace(" ", ""), said.replace(" ", "")) >= CLOSE
    return any(same_value(slot, value, gram) for gram in _grams(said.split()))


def _says_money(text: str, value: str) -> bool:
    """Whether a text tells the sum of a value, whatever it says the currency in: "\u00a390"."""
    match = _MONEY.search(value)
    if match is None:
        return False
    sums = {float(m[1] or m[2]) for m in _MONEY.finditer(text[:8000])}
    return float(match[1] or match[2]) in sums


def _grams(words: list[str]) -> Iterable[str]:
    for length in range(1, LONGEST_GRAM + 1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])
