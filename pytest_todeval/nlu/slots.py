"""What is known of a slot: what kind of value it has, and how people name it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_todeval.core.goal import DomainGoal, SlotForm
from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.kinds.amounts import AMOUNT
from pytest_todeval.nlu.kinds.codes import CODE, EMAIL, POSTCODE, URL
from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.kinds.kind import Kind
from pytest_todeval.nlu.kinds.measures import DURATION, QUANTITY
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.phones import PHONE
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import ADDRESS, NAME, WORDS, YES_NO, truth

KINDS: Mapping[str, Kind] = {
    "name": NAME, "choice": WORDS, "text": WORDS, "yes/no": YES_NO, "count": COUNT,
    "amount": AMOUNT, "quantity": QUANTITY, "date": DATE, "time": TIME, "duration": DURATION,
    "phone": PHONE, "email": EMAIL, "address": ADDRESS, "postcode": POSTCODE, "code": CODE,
    "url": URL,
}  # fmt: skip
"""Kinds by the name that a goal file declares them under."""

_NAMED: Mapping[str, str] = {
    word: kind
    for kind, words in {
        "phone": "phone telephone mobile cell fax tel hotline helpline landline",
        "email": "email mail e-mail",
        "url": "url website webpage homepage link site",
        "address": "address street venue_address whereabouts",
        "postcode": "postcode zip zipcode pincode postal",
        "amount": "price cost fee fare charge deposit balance total subtotal payment rent"
        " premium fine excess budget bill amount salary discount"
        " refund surcharge tip tax money credit limit",
        "quantity": "weight height length width size distance capacity volume allowance temperature"
        " humidity speed mileage dose dosage area_size",
        "duration": "duration warranty notice wait delay validity length_of_stay",
        "date": "date birthday deadline expiry dob day weekday",
        "time": "time leaveat arriveby departs arrives opens closes departure_time arrival_time",
        "count": "count number_of seats people guests passengers rooms beds stay nights stars"
        " rating doors copies points tickets bathrooms bedrooms",
        "code": "gate seat plate reference ref confirmation code id pin terminal platform locker"
        " flight trainid isbn iban tracking policy_number account_number",
        "yes/no": "parking internet wifi breakfast pets smoking refundable accessible included"
        " allowed permitted accepted possible renewable"
        " vegetarian vegan",
        "name": "name director teacher doctor stylist author instructor vet dentist artist actor"
        " manager owner therapist driver contact_person provider",
    }.items()
    for word in words.split()
}
"""Word of a slot's name -> kind."""
_LASTING = frozenset(
    listed("running travel loan waiting journey flight cooking delivery processing preparation")
)
"""What lasts, before `time`: a `running time` is a duration."""
_SUMS = frozenset(listed("price cost fee fare amount sum balance deposit charge"))
"""Words of a slot's name wherever they stand: a `sum insured` is an amount."""
_FIRST = re.compile(r"[ _-](?:of|per|for|in|at|to|from)[ _-].*$|[ _-](?:per|each)\b.*$")


@lru_cache(maxsize=4096)
def words_in(name: str) -> tuple[str, ...]:
    """Returns the words of a slot's name: `pricePerDay` and `price_per_day` are price, per, day."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(re.findall(r"[^\W_]+", spaced.lower()))


@lru_cache(maxsize=4096)
def head_of(name: str) -> str:
    """The word that says what a slot is: price of `price_per_day`, phone of `phone_number`."""
    spaced = " ".join(re.findall(r"[^\W_]+|-", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))
    first = words_in(_FIRST.sub("", spaced)) or words_in(name)
    words = [word for word in first if word not in ("number", "no", "num", "details", "info")]
    return (words or list(first) or [name.lower()])[-1]


@dataclass(frozen=True)
class Slot:
    """A slot of a goal: its name, what is known of its values, and how it is spoken of."""

    name: str
    values: tuple[str, ...] = ()
    """Values that it may have, as far as they are known."""
    declared: str = ""
    """Its kind, if the goal file says it."""
    description: str = ""

    @cached_property
    def kind(self) -> Kind:
        """Returns what kind of value it has: as declared, else by its name and values."""
        return KINDS[self.declared] if self.declared else kind_of(self.name, self.values)

    @cached_property
    def named(self) -> re.Pattern[str]:
        """Finds its name, or what people say for it, in a text."""
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(_spoken(self))})(?:e?s)?(?![^\W_])", re.I)

    @cached_property
    def name_form(self) -> re.Pattern[str]:
        """Finds its own name in a text, or the word of it that says what it is."""
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(_names(self))})(?:e?s)?(?![^\W_])", re.I)

    @cached_property
    def feature(self) -> re.Pattern[str]:
        """Finds what a slot of yes or no is about, in any form: `pets` of `pets allowed`, "renew"
        of `renewable`; or what people say for it.
        """
        words = [word for word in words_in(self.name) if word not in _POSSIBLE] or [self.name]
        stems = [re.sub(r"(?:[ai]ble|ing|ed|es|s)$", "", word) for word in words]
        forms = (rf"{re.escape(s)}\w{{0,4}}" for s in stems if len(s) > 2)
        return re.compile(rf"(?<![^\W_])(?:{'|'.join([*_spoken(self), *forms])})(?![^\W_])", re.I)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Patterns of what stands before its value in a result, the fullest name first."""
        return tuple(_labels(self))

    @cached_property
    def words(self) -> frozenset[str]:
        """Returns the words of its name and description, small letters."""
        return frozenset((*words_in(self.name), *words_in(self.description)))


def slot_of(part: DomainGoal, name: str, values: Iterable[str] = ()) -> Slot:
    """A slot of a goal's domain, as its goal file declares it, with values that are known."""
    form = part.forms.get(name, SlotForm())
    return Slot(name, tuple(values), form.kind, form.description)


_SAID: Mapping[str, str] = {
    head: forms
    for heads, forms in {
        "phone telephone mobile tel": r"(?:tele)?phone|mobile|call|ring|reach|tel|ph|dial",
        "price cost fare rate fee charge": r"price|cost|fare|rate|charge",
        "address": r"address|located|situated", "email mail": r"e-?mail|write to",
        "website url web": r"web ?site|online", "duration": r"takes?|lasts?|duration",
        "weight": r"weigh|weight", "postcode zip": r"post ?code|zip(?: code)?",
        "time": r"at|starts?|begins?", "date day": r"on|date|day",
        "wifi internet": r"wi-?fi|internet|wireless", "parking": r"park(?:ing)?|car park",
    }.items()
    for head in heads.split()
}  # fmt: skip
"""Word that says what a slot is -> what else people say for it."""


def _spoken(slot: Slot) -> Iterable[str]:
    yield from _names(slot)
    if (head := head_of(slot.name)) in _SAID:
        yield _SAID[head]


def _names(slot: Slot) -> Iterable[str]:
    words = words_in(slot.name)
    yield r"[ _-]?".join(map(re.escape, words)) or re.escape(slot.name)
    head = head_of(slot.name)
    if len(head) > 2:
        yield re.escape(head)
    if slot.description:
        yield re.escape(slot.description.lower())


_POSSIBLE = frozenset(
    listed("allowed available included possible permitted friendly accepted offered is has the")
)
"""Words of a slot's name that say that a thing is so, not which thing."""
_GENERAL = frozenset(listed("time date day number no num type status code name details info"))
"""Words of a slot's name that say nothing without the others: the `time` of boarding."""

_SHORT = 20
"""Letters of a shortened name (`addr.`, `dept.`) at most."""


def _labels(slot: Slot) -> Iterable[str]:
    words = words_in(slot.name)
    yield r"[ _-]?".join(map(re.escape, words)) or re.escape(slot.name)
    telling = [word for word in words if word not in _GENERAL]
    if len(telling) < len(words):
        yield from ("[ _-]".join(map(_inflected, telling)),) if telling else ()
        return
    head = head_of(slot.name)
    if len(words) == 1 or slot.kind.shaped:
        yield _inflected(head)
    yield (
        "|".join(rf"{re.escape(head[:n])}\." for n in range(min(len(head) - 2, _SHORT), 2, -1))
        or "(?!)"
    )


def _inflected(word: str) -> str:
    """Returns a word in its forms: `boarding`, `boards`."""
    stem = re.escape(word.removesuffix("ing"))
    return rf"{stem}(?:ing|e?s)?" if len(stem) > 3 else rf"{re.escape(word)}s?"


@lru_cache(maxsize=2048)
def kind_of(name: str, values: Sequence[str] = ()) -> Kind:
    """The kind of a slot's values, by its name if that says it and the values fit, else by them."""
    by_name = _by_name(name)
    known = [value for value in values if value.strip(" ?")]
    if by_name is not None and all(_may_be(by_name, value) for value in known):
        return CODE if by_name is NAME and known and _by_values(known) is CODE else by_name
    return _by_values(known)


def _may_be(kind: Kind, value: str) -> bool:
    if kind is YES_NO:
        return truth(value) is not None
    return not kind.shaped or bool(kind.spans(value))


def _by_name(name: str) -> Kind | None:
    words, head = words_in(name), head_of(name)
    if head == "time" and _LASTING & {*words}:
        return DURATION
    if words[:2] == ("number", "of") or words[:2] == ("how", "many"):
        return COUNT
    if "number" in words and head not in _NAMED:
        return CODE
    kind = _NAMED.get("_".join(words)) or _NAMED.get(head)
    if kind is None and _SUMS & {*words}:
        return AMOUNT
    return KINDS[kind] if kind else None


_ORDER = (EMAIL, URL, DATE, TIME, PHONE, DURATION, AMOUNT, QUANTITY, COUNT, CODE)


def _by_values(values: Sequence[str]) -> Kind:
    """Returns the first kind of which every value is a form, from one end to the other."""
    if not values:
        return WORDS
    if all(truth(value) is not None and not value.strip().isdigit() for value in values):
        return YES_NO
    for kind in _ORDER:
        if all(_is_all(kind, value) for value in values):
            return kind
    return NAME if all(map(_is_name, values)) else WORDS


def _is_name(value: str) -> bool:
    """Says whether it is written as a name: up to four words in capitals, no figures."""
    words = value.split()
    return 1 <= len(words) <= 4 and all(word[:1].isupper() and word.isalpha() for word in words)


def _is_all(kind: Kind, value: str) -> bool:
    spans = kind.spans(value)
    if not spans or (kind is not COUNT and not all(span.sure for span in spans)):
        return False
    covered = sum(span.end - span.start for span in spans)
    if kind is PHONE and not re.search(r"[+\s().-]", value.strip()):
        return False
    return covered >= len(value.strip()) - (8 if len(spans) > 1 else 1)
