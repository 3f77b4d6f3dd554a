"""Whether what a verb is said of is a booking: "your table (is confirmed)", "(made) the order"."""

from collections.abc import Sequence

from pytest_todeval.nlu.bookings.booking_act import singular, thing
from pytest_todeval.nlu.bookings.words import MADE, STRONG, THINGS
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.phrases import NAME, Phrase
from pytest_todeval.nlu.text.triggers import ADVERBS, AUXILIARIES, MODALS

PASSIVE = word_set("is are was were been be being s re am get got stand stands")
_PRONOUNS = word_set("it that this everything all which both they these those")


_DETERMINED = word_set("your the a an any no two three four five both all one this that")


_PARTICLES = word_set("in up down aside away through on back over out")


def is_kept(rest: list[str]) -> bool:
    """As in "keeping a room (for you)", "expecting you at eight"."""
    return rest[:1] == ["you"] or bool(thing(rest))


def fits(word: str, subject: list[str]) -> bool:
    """As in "your booking has been made", "it is confirmed", "you are registered"."""
    before = subject[-1] if subject else ""
    allowed = MADE.get(word, "")
    if before in _PRONOUNS:
        return "it" in allowed
    if before == "you":
        return "you" in allowed
    about = thing(head_part(subject))
    if about in _PLACES:
        return False
    return bool(about)


_PLACES = word_set(
    """hotel accommodation restaurant hall court park lane pitch parking service event party
    tour course class train bus flight show meal dinner lunch breakfast brunch pizza NAME"""
)
"""Things that are also made, completed or set without anybody's booking them."""


_LINKS = word_set(
    """for of at in on to with from by that which who i you we beside near about under"""
)


def head_part(subject: Sequence[str]) -> list[str]:
    """Returns a noun phrase without what hangs on it: "the money (for the booking you made)"."""
    part: list[str] = []
    for word in subject:
        if (word in _LINKS and thing(part[-1:])) or (word in _LINKS and len(part) > 1):
            return part
        part.append(word)
    return part


def active(word: str, subject: list[str], rest: list[str]) -> bool:
    """As in "I have made your booking", "I have put you down", "we grabbed it for you"."""
    allowed = MADE.get(word, "")
    while rest and rest[0] in _PARTICLES:
        rest = rest[1:]
    if not rest:
        return word == "confirmed" and subject[-1:] != ["i"] and subject[-1:] != ["we"]
    if rest[0] == "that" and len(rest) > 1 and rest[1] not in ("for", "and", "as"):
        return bool(thing(rest[1:2])) and rest[2:3] != ["is"]
    part = object_part(rest)
    about = thing(part)
    if about and (
        rest[0] in _DETERMINED
        or rest[0] in ("you", "it")
        or rest[0][0].isdigit()
        or singular(rest[0]) in THINGS
    ):
        return word != "got" or rest[0] in ("you", "your")
    if rest[0] in _PRONOUNS | {"them"}:
        return "it" in allowed or "for you" in " ".join(rest)
    if rest[0] == "you":
        return "you" in allowed
    return False


DETAILS = word_set(
    """address name number time date email phone details postcode author speaker request identity
    choice membership account password id card payment"""
)
"""What of the user's may be confirmed or changed without a booking."""


_CUTS = word_set("for of at in on to with from by that which who so and")


def object_part(rest: Sequence[str]) -> list[str]:
    """Returns the object of a verb without what hangs on it: "you two seats (in row C)"."""
    part: list[str] = []
    for word in rest:
        if word in _CUTS and part not in ([], ["you"], ["it"]):
            break
        part.append(word)
    return part


def stands_alone(phrase: Phrase, start: int) -> bool:
    """Whether words without a verb stand for themselves, not in a list: "Great, table booked"."""
    if start <= 4 or phrase.words[start - 1] not in (",", "and", "or", '"'):
        return True
    return phrase.words[start - 1] == "," and _VERBS.isdisjoint(phrase.words[:start])


def opens(phrase: Phrase, head: int) -> bool:
    """Whether a line or sentence starts with a word, so that "I" is left out: "Got you a seat"."""
    before = phrase.words[:head]
    return all(not word[0].isalpha() or word in ADVERBS | _CHEERS for word in before)


_CHEERS = word_set(
    """hi hey right so aye nice cool no worries ok okay yes yep yeah sure great perfect done lovely
    brilliant excellent"""
)


_AFTER_IT = word_set(
    """for at in on to under with from and you your until through via within now successfully
    already today tonight tomorrow as"""
)


def verbless(word: str, subject: list[str], rest: list[str]) -> bool:
    """As in "Booked!", "Table reserved for two"."""
    if rest and rest[:2] == ["in", "full"]:
        return True
    if "times" in rest[:3]:
        return False
    if rest and rest[0] not in _AFTER_IT and not rest[0][0].isdigit() and rest[0] != NAME:
        return False
    if not subject:
        return word in _VERBLESS
    if any(w in ("you", "i", "we", "they", "he", "she", "who", "there") for w in subject):
        return False
    if word not in _VERBLESS | _DONE:
        return False
    about = thing(subject)
    return bool(about) and about != NAME and len(subject) <= 5


_VERBS = AUXILIARIES | MODALS.keys() | {"to"}


_DONE = word_set(
    """made placed processed completed set issued allocated assigned granted accepted
    approved taken paid sent emailed dispatched created generated submitted"""
)


_VERBLESS = STRONG | word_set(
    """confirmed done sorted scheduled secured ordered arranged ticketed purchased bought
    finalised finalized registered enrolled snagged bagged claimed nabbed locked"""
)
