"""Verbs that say that a booking was made, or could not be: "has been booked", "I got you in"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_todeval.core.claim import Act, Factuality
from pytest_todeval.evidence.booking_words import (
    AVAILABLE,
    BASES,
    MADE,
    PARTICIPLES,
    STRONG,
    STRONG_BASES,
    THINGS,
)
from pytest_todeval.evidence.factuality import asserted, doubt_of, factuality
from pytest_todeval.evidence.phrases import NAME, Group, Phrase
from pytest_todeval.evidence.triggers import AUXILIARIES, MODALS, NOBODY, OTHERS

__all__ = ["Deed", "Parts", "asked", "thing", "verbs"]

Parts = Sequence[tuple[int, bool]]
"""Where the parts of a sentence start, and whether each asks."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something about a booking that a sentence says."""

    act: Act
    factuality: Factuality
    place: int
    """Where its main word stands in the plain sentence."""
    doubt: str = ""
    about: str = ""
    """What is booked, in a word, if the sentence says it: "taxi"."""
    start: int = 0
    """Where the words that say it start."""
    state: bool = False
    """Whether it tells how things are ("fully booked") rather than what was done."""
    bare: bool = False
    """Whether it is said by no more than a "no" or "not"."""


def asked(phrase: Phrase, index: int, parts: Parts) -> bool:
    """Whether a word stands in a part of the sentence that asks."""
    place = phrase.places[min(index, len(phrase.places) - 1)]
    if phrase.words[-1] == "?" and "or" in phrase.words[index:]:
        after = phrase.words.index("or", index)
        if phrase.words[after - 1] == ",":
            return True
    start, asks = next(((at, asks) for at, asks in reversed(parts) if at <= place), (0, False))
    return asks and not _opens_with_when(phrase, start)


def _opens_with_when(phrase: Phrase, start: int) -> bool:
    """Whether a part that looks like a question is one: "When you called, I booked it"."""
    at = bisect_left(phrase.places, start)
    pair = phrase.words[at : at + 2]
    return (
        phrase.words[-1] != "?" and pair[:1] == ["when"] and pair[1:] != [] and pair[1] in _SPOKEN
    )


_SPOKEN = frozenset(["i", "you", "we", "they", "it", "he", "she", "your", "the"])
_ANY_THING = THINGS | AVAILABLE


def thing(words: Sequence[str]) -> str:
    """The last thing to be booked among some words; empty if there is none."""
    return next((s for w in reversed(words) if (s := _singular(w)) in _ANY_THING or w == NAME), "")


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def verbs(phrase: Phrase, parts: Parts) -> Iterator[Deed]:
    """What the verbs of a sentence say of bookings."""
    for head, word in enumerate(phrase.words):
        if (word in PARTICIPLES and (deed := _participle(phrase, head, parts))) or (word in BASES and (deed := _base(phrase, head, parts))):
            yield deed


_SAYING = frozenset(
    ["that", "confirm", "say", "see", "know", "inform", "told", "confirming", "think", "believe", "whether", "if", "like", "as"]
)
"""Words after which the subject of another clause begins."""
_PASSIVE = frozenset(["is", "are", "was", "were", "been", "be", "being", "s", "re", "am", "get", "got"])
_MISLEADING = {
    "booked": frozenset({"up", "out", "solid", "full"}),
    "scheduled": frozenset({"to"}),
    "ordered": frozenset({"by", "list"}),
    "sorted": frozenset({"by"}),
    "set": frozenset({"menu", "price"}),
    "confirmed": frozenset({"with", "whether", "by"}),
    "done": frozenset({"by"}),
    "filled": frozenset({"up"}),
    "paid": frozenset({"back"}),
    "put": frozenset({"off", "together"}),
    "called": frozenset({"NAME", "the", "a"}),
}
_PRONOUNS = frozenset(["it", "that", "this", "everything", "all", "which", "both", "they", "these", "those"])
_AGENTS = frozenset(["i", "we", "they", "system", "it", "NAME"])
_DETERMINED = frozenset(["your", "the", "a", "an", "any", "no", "two", "three", "four", "five", "both", "all", "one", "this", "that"])
_PARTICLES = frozenset(["in", "up", "down", "aside", "away", "through", "on", "back", "over", "out"])
_MADE_OF_REQUESTS = frozenset(["accepted", "approved", "confirmed", "granted", "completed", "processed"])
_KEPT = frozenset(["held", "kept", "saved"])
_CONSENT = frozenset(["accepted", "approved", "granted"])
_SCHEDULED = frozenset({"train", "flight", "bus", "show", "performance", "screening"})
_GERUNDS = frozenset(["holding", "keeping", "saving", "reserving", "expecting"])
_DONE = frozenset(["made", "placed", "processed", "completed", "set", "bought", "purchased", "issued"])
_VERBLESS = STRONG | frozenset(["confirmed", "done", "sorted", "scheduled", "secured", "ordered", "arranged"])


def _participle(phrase: Phrase, head: int, parts: Parts) -> Deed | None:
    words, word = phrase.words, phrase.words[head]
    if words[head + 1 : head + 2] and words[head + 1] in _MISLEADING.get(word, ()):
        return None
    group = phrase.group(head)
    if group.bare and (shared := _shared(phrase, group)):
        group = shared
    subject = _subject(phrase, group)
    rest = words[head + 1 : min(phrase.closing(head + 1), head + 9)]
    if not _made(phrase, head, group, subject, rest):
        return None
    if group.negated and word in _CONSENT and group.words & {"was", "were", "been", "is"}:
        return _deed(phrase, Act.BOOKING_FAILED, Factuality.ASSERTED, group, head, thing(subject))
    if word in STRONG and _is_taken(group, subject, rest, words[:head]):
        said = asserted(phrase, group.start, head + 1, asks=asked(phrase, head, parts))
        return _deed(phrase, Act.BOOKING_FAILED, said, group, head, thing(subject))
    if word in _KEPT and "being" in group.words:
        group = replace(group, words=group.words - {"being"} | {"been"})
    said = factuality(phrase, group, head + 1, asks=asked(phrase, head, parts))
    said = _of_whom(group, subject, rest, said)
    about = thing(subject) or thing(rest[:5])
    if _cannot(word, group, subject, said) and not _hangs(phrase, head + 1):
        return _deed(phrase, Act.BOOKING_FAILED, Factuality.ASSERTED, group, head, about)
    return _deed(phrase, Act.BOOKED, said, group, head, about)


def _subject(phrase: Phrase, group: Group) -> list[str]:
    if group.start == 0 or phrase.ends(group.start - 1):
        return []
    subject = phrase.words[phrase.opening(group.start - 1) : group.start]
    for at in range(len(subject) - 1, 0, -1):
        if subject[at - 1] in _SAYING and (at > 1 or subject[0] != "that"):
            return subject[at:]
    return subject


def _shared(phrase: Phrase, group: Group) -> Group | None:
    """The group of "have found it and (booked) a table": one subject for two verbs."""
    words, at = phrase.words, group.start
    if at < 3 or words[at - 1] not in ("and", "but", ","):
        return None
    for place in range(at - 2, max(-1, at - 14), -1):
        if words[place] in (";", ".", ":", "?", "!"):
            return None
        if words[place] in ("i", "we"):
            helped = next((w for w in words[place + 1 : place + 4] if w in MODALS), "")
            done = frozenset(words[place + 1 : place + 3]) & AUXILIARIES
            return Group(place + 1, done, False, helped, "", False, False)
    return None


_CHANGED = frozenset(["moved", "changed", "updated", "amended", "extended", "switched"])


def _cannot(word: str, group: Group, subject: list[str], said: Factuality) -> bool:
    """ "could not be booked", "nothing could be reserved"."""
    can = bool(group.words & {"can", "could", "able", "cannot"})
    if word in _CHANGED:
        return False
    nobody = any(word in NOBODY for word in subject[-6:])
    return (can and (group.negated or nobody) and said is not Factuality.ASKED) or (
        group.governor in ("unable", "impossible")
    )


def _deed(phrase: Phrase, act: Act, said: Factuality, group: Group, head: int, about: str) -> Deed:
    doubt = doubt_of(phrase, group) if said is Factuality.ASSERTED else ""
    start = phrase.places[min(group.start, head)]
    return Deed(act, said, phrase.places[head], doubt, about, start)


def _made(phrase: Phrase, head: int, group: Group, subject: list[str], rest: list[str]) -> bool:
    """Whether a participle tells of a booking, by what it is said of."""
    word = phrase.words[head]
    before = subject[-1] if subject else ""
    if word in _GERUNDS:
        return bool(group.words & {"is", "are", "am"}) and _held(rest)
    if group.causative:
        return word in STRONG or _fits(word, phrase.words[group.start : head])
    if group.bare and before == "you" and subject[-2:-1] == ["is"]:
        return "you" in MADE.get(word, "")
    if group.bare and before == "you" and (word in STRONG or "successfully" in group.words):
        return True
    if group.bare and phrase.is_question(group):
        return _passive(word, subject[1:], rest)
    if group.bare and before not in _AGENTS and not _third_person(word, subject, rest):
        return _opens(phrase, group.start - len(subject)) and _verbless(word, subject, rest)
    had = group.words & {"have", "has", "ve", "had"}
    passive = bool(group.words & _PASSIVE) and not (had and not group.words & {"been", "being"})
    if word == "taken":
        return rest[:2] == ["care", "of"]
    if passive:
        return _passive(word, subject, rest)
    return word in STRONG or _active(word, subject, rest)


def _held(rest: list[str]) -> bool:
    """ "keeping a room (for you)", "expecting you at eight"."""
    return rest[:1] == ["you"] or bool(thing(rest[:5])) or rest[:3] == ["it", "for", "you"]


_AGENT_NOUNS = frozenset(
    ["restaurant", "hotel", "host", "system", "team", "computer", "kitchen", "desk", "reception", "clinic", "salon", "venue", "office", "driver", "company", "agent", "provider", "manager", "owner", "staff", "operator"]
)


def _third_person(word: str, subject: list[str], rest: list[str]) -> bool:
    """ "The hotel reserved your room": the past tense of one who can do so."""
    if not subject or _singular(subject[-1]) not in _AGENT_NOUNS:
        return False
    return rest[:1] in (["your"], ["you"], ["it"], ["the"])


def _passive(word: str, subject: list[str], rest: list[str]) -> bool:
    if word in STRONG:
        return True
    part = _head_part(subject[-9:])
    if "your" in part and part[-1] not in _DETAILS and not thing(part):
        return "it" in MADE[word] or (word == "set" and rest[:1] == ["for"])
    if word == "scheduled" and thing(subject) in _SCHEDULED:
        return False
    return _fits(word, subject)


def _fits(word: str, subject: list[str]) -> bool:
    """ "your booking has been made", "it is confirmed", "you are registered"."""
    before = subject[-1] if subject else ""
    allowed = MADE.get(word, "")
    if before in _PRONOUNS:
        return "it" in allowed
    if before == "you":
        return "you" in allowed
    about = thing(_head_part(subject[-9:]))
    if about == "request":
        return word in _MADE_OF_REQUESTS
    if about in _PLACES:
        return "it" in allowed or word in ("held", "kept", "saved")
    return bool(about)


_PLACES = frozenset(
    ["hotel", "accommodation", "restaurant", "hall", "court", "park", "lane", "pitch", "parking", "service", "event", "party", "tour", "course", "class", "train", "bus", "flight", "show", "meal", "dinner", "lunch", "breakfast", "brunch", "pizza", "NAME"]
)
"""Things that are also made, completed or set without anybody's booking them."""
_DETAILS = frozenset(
    ["card", "email", "address", "account", "details", "detail", "identity", "payment", "name", "password", "phone", "information", "number", "choice", "data", "mail", "e-mail", "postcode", "membership", "id"]
)
"""What is the user's and is no booking, though it is confirmed."""
_LINKS = frozenset(
    ["for", "of", "at", "in", "on", "to", "with", "from", "by", "that", "which", "who", "i", "you", "we", "beside", "near", "about", "under"]
)


def _head_part(subject: Sequence[str]) -> list[str]:
    """A noun phrase without what hangs on it: "the money (for the booking you made)"."""
    part: list[str] = []
    for word in subject:
        if (word in _LINKS and thing(part[-1:])) or (word in _LINKS and len(part) > 1):
            return part
        part.append(word)
    return part


def _active(word: str, subject: list[str], rest: list[str]) -> bool:
    """ "I have made your booking", "I have put you down", "we grabbed it for you"."""
    allowed = MADE.get(word, "")
    while rest and rest[0] in _PARTICLES:
        rest = rest[1:]
    if word == "ordered" and rest[:1] == ["from"]:
        return True
    if rest[:1] == ["for"] and word in ("arranged", "organised", "organized"):
        rest = rest[1:]
    if not rest:
        return word == "confirmed" and subject[-1:] != ["i"] and subject[-1:] != ["we"]
    if rest[0] == "that" and len(rest) > 1 and rest[1] not in ("for", "and", "as"):
        return bool(thing(rest[1:2])) and rest[2:3] != ["is"]
    about = thing(_object_part(rest[:7]))
    if about in ("request", "confirmation") and word not in _MADE_OF_REQUESTS | {"got", "emailed"}:
        return False
    if about and (
        rest[0] in _DETERMINED
        or rest[0] in ("you", "it")
        or rest[0][0].isdigit()
        or _singular(rest[0]) in THINGS
        or rest[0] == NAME
    ):
        return word != "got" or rest[0] in ("you", "your") or "for you" in " ".join(rest)
    if rest[0] in _PRONOUNS | {"them"}:
        down = rest[1:2] and rest[1] in ("in", "down", "through", "aside")
        return "it" in allowed or bool(down) or "for you" in " ".join(rest)
    if rest[0] == "you":
        return (
            (bool(allowed) and "you" in allowed) or any(w in ("in", "down", "on") for w in rest[1:3])
        )
    return False


def _opens(phrase: Phrase, start: int) -> bool:
    """Whether words without a verb stand for themselves, not in a list: "Great, table booked"."""
    return start <= 0 or phrase.words[start - 1] not in (",", "and", "or", '"') or start <= 4


_CUTS = frozenset(["for", "of", "at", "in", "on", "to", "with", "from", "by", "that", "which", "who", "so", "and"])


def _object_part(rest: Sequence[str]) -> list[str]:
    """The object of a verb without what hangs on it: "you two seats (in row C)"."""
    part: list[str] = []
    for word in rest:
        if word in _CUTS and part not in ([], ["you"], ["it"]):
            break
        part.append(word)
    return part


_AFTER_IT = frozenset(
    ["for", "at", "in", "on", "to", "under", "with", "from", "and", "you", "your", "until", "through", "via", "within", "now", "successfully", "already", "today", "tonight", "tomorrow", "as"]
)


def _verbless(word: str, subject: list[str], rest: list[str]) -> bool:
    """ "Booked!", "Table reserved for two"."""
    if rest and rest[0] not in _AFTER_IT and not rest[0][0].isdigit() and rest[0] != NAME:
        return False
    if not subject:
        return word in _VERBLESS
    if subject[0] in ("an", "every", "any", "each", "no", "to", "being", "is"):
        return False
    if any(w in ("you", "i", "we", "they", "he", "she", "who", "there") for w in subject):
        return False
    if word not in _VERBLESS | _DONE:
        return False
    about = thing(subject[-3:])
    return bool(about) and about != NAME and len(subject) <= 5


_GENERIC = frozenset(["every", "each", "any", "such", "many", "some", "most", "few", "several", "certain", "popular"])
_KNOWN = frozenset(
    ["the", "your", "you", "my", "our", "it", "that", "this", "those", "these", "both", "they", "everything", "all", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
)
_EARLIER = frozenset(["other", "previous", "earlier", "last", "old", "next", "first", "original", "existing"])
_TIMES = frozenset(
    ["slot", "time", "date", "day", "evening", "afternoon", "morning", "night", "weekend", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "pm", "am", "oclock"]
)
_PROVIDERS = frozenset(
    ["restaurant", "hotel", "salon", "clinic", "they", "he", "she", "doctor", "stylist", "option", "NAME"]
)
_REGRETS = frozenset(["sorry", "unfortunately", "afraid", "alas", "sadly", "but", "apologies", "regret"])


def _is_taken(group: Group, subject: list[str], rest: list[str], before: list[str]) -> bool:
    """ "That slot is booked", "every table is reserved": nobody else can have it."""
    if "you" in rest or "your" in rest or "your" in subject or not subject or group.negated:
        return False
    if not group.words & {"is", "are", "was", "were", "s", "re", "been"} or group.modal:
        return False
    if any(w in ("every", "all", "each") for w in subject[-5:]):
        return True
    head, regret = _singular(subject[-1]), not _REGRETS.isdisjoint(before)
    if head in _PROVIDERS:
        return regret or "they" in subject
    shown = bool({"that", "this", "those"} & set(subject[-4:]))
    return head in _TIMES or (shown and head in ("table", "room", "seat", "place", "spot"))


def _of_whom(group: Group, subject: list[str], rest: list[str], said: Factuality) -> Factuality:
    """Told of others: other people's bookings, bookings in general, the user's earlier ones."""
    if said not in (Factuality.ASSERTED, Factuality.DENIED) or subject[-1:] in (["i"], ["we"]):
        return said
    noun = _head_part(subject)[-4:] if group.words & _PASSIVE else subject[-4:]
    yours = "you" in rest or "your" in rest
    if subject[-1:] == ["you"] and subject[-2:-1] != ["is"] and not group.words & _PASSIVE:
        perfect = group.words & {"have", "ve", "successfully"} and "already" not in group.words
        return said if perfect or said is Factuality.DENIED else Factuality.OF_OTHERS
    own = "your" in noun and bool(group.words & _PASSIVE)
    if any(w in OTHERS for w in noun) and not yours and not own:
        return Factuality.OF_OTHERS
    present = group.words & {"is", "are", "s", "re"} and not group.words & {"been", "now"}
    if present and not yours and noun and _in_general(noun, subject, rest):
        return Factuality.OF_OTHERS
    if any(w in _EARLIER for w in noun) and "your" in subject:
        return Factuality.OF_OTHERS
    return said


def _in_general(noun: list[str], subject: list[str], rest: list[str]) -> bool:
    if any(w in _GENERIC for w in subject[:2]):
        return True
    known = any(w in _KNOWN or w[0].isdigit() or w == NAME for w in subject)
    return not known and noun[-1].endswith("s") and bool(rest) and not noun[-1].endswith("ss")


_UNLESS = re.compile(r"(?<![^ ])(?:until|unless|without|before|till|if|as long as)(?![^ ])")


def _hangs(phrase: Phrase, end: int) -> bool:
    """Whether a refusal holds only unless something is done: "cannot be booked until you pay"."""
    text = phrase.text[phrase.offset(end) : phrase.offset(phrase.closing(end))]
    return _UNLESS.search(text) is not None


_FINDING = frozenset({"find", "get", "offer", "give", "take", "see", "do", "sort"})
_INABILITY = frozenset(["unable", "failed", "refused", "declined", "impossible", "refuse", "refuses"])
_WITH_IT = frozenset(
    ["order", "schedule", "purchase", "secure", "buy", "arrange", "confirm", "process", "complete", "finalise", "finalize", "place", "do"]
)
_ACHIEVED = re.compile(r"(?:liberty of|succeeded in|managed|went ahead and|gone ahead and)$")


def _base(phrase: Phrase, head: int, parts: Parts) -> Deed | None:
    """ "I will book it", "I was able to get you a table", "I could not book it"."""
    words, word = phrase.words, phrase.words[head]
    group = phrase.group(head)
    before = words[group.start - 1] if group.start else ""
    if not _is_verb(group, word, before):
        return None
    rest = words[head + 1 : min(phrase.closing(head + 1), head + 9)]
    if word not in STRONG_BASES and not _object(word, rest):
        return None
    about = thing(rest[:6])
    asking = asked(phrase, head, parts) or phrase.is_question(group)
    if word == "confirm" and not asking and _tells(group) and rest[:1] == ["your"]:
        return _deed(phrase, Act.BOOKED, _confirmed(phrase, group, head), group, head, about)
    if (
        word == "make"
        and group.words & {"have", "has"}
        and not group.governor
        and before in ("i", "we")
    ):
        said = Factuality.DENIED if group.negated else Factuality.ASSERTED
        return _deed(phrase, Act.BOOKED, said, group, head, about)
    if not asking and _fails(group):
        return _failed(phrase, head, group, before, rest, about)
    found = (
        word not in _FINDING
        or about in AVAILABLE
        or rest[:1] in (["you"], ["your"], ["it"], ["that"])
    )
    if _achieved(phrase, head, group) and found and before != "you":
        said = asserted(phrase, group.start, head + 1, asks=asking)
        return _deed(phrase, Act.BOOKED, said, group, head, about)
    if word in _FINDING or word in ("hold", "keep", "save"):
        return None
    subject = words[max(0, group.start - 4) : group.start]
    denied = group.negated or any(w in NOBODY for w in subject)
    said = Factuality.DENIED if denied else Factuality.FUTURE
    return _deed(phrase, Act.BOOKED, Factuality.ASKED if asking else said, group, head, about)


def _tells(group: Group) -> bool:
    """ "I can confirm", "pleased to confirm": tells what is so."""
    return not group.negated and (group.modal == "can" or group.governor in _PLEASED)


_PLEASED = frozenset(["glad", "happy", "pleased", "delighted"])


def _confirmed(phrase: Phrase, group: Group, head: int) -> Factuality:
    return asserted(phrase, group.start, head + 1)


def _is_verb(group: Group, word: str, before: str) -> bool:
    if word.endswith("ing"):
        return before in ("of", "in", "from", "like") or bool(group.words & {"am", "are", "is"})
    helped = (
        group.modal
        or group.governor
        or group.words & {"do", "does", "did", "to", "let", "have", "has"}
    )
    return bool(helped or group.words & {"went", "gone"}) or before in ("me", "us", "i", "we")


def _fails(group: Group) -> bool:
    able = group.modal in ("can", "could", "cannot") or group.governor in (
        "able",
        "possible",
        "managed",
        "manage",
    )
    return (
        (group.negated and able)
        or group.governor in _INABILITY
        or (group.governor == "managed"
        and group.negated)
    )


def _failed(
    phrase: Phrase, head: int, group: Group, before: str, rest: list[str], about: str
) -> Deed | None:
    if before in ("you", "guests", "customers", "who") or _hangs(phrase, head + 1):
        return None
    word = phrase.words[head]
    if word in _FINDING and about not in AVAILABLE and rest[:1] != ["you"] and rest[:1] != ["it"]:
        return None
    if (
        word in ("confirm", "find", "see", "do", "get", "take")
        and not about
        and rest[:1] != ["you"]
    ):
        return None
    said = asserted(phrase, group.start, head + 1)
    kept = said if said in (Factuality.CONDITIONAL, Factuality.OF_OTHERS) else Factuality.ASSERTED
    return _deed(phrase, Act.BOOKING_FAILED, kept, group, head, about)


def _achieved(phrase: Phrase, head: int, group: Group) -> bool:
    """ "managed to book", "took the liberty of reserving"."""
    if group.negated or group.modal:
        return False
    if group.governor == "managed" or "went" in group.words or "gone" in group.words:
        return True
    if group.governor == "able":
        return bool(group.words & {"was", "were", "been"})
    near = " ".join(phrase.words[max(0, head - 4) : head])
    return bool(_ACHIEVED.search(near)) or ("did" in group.words and not group.governor)


def _object(word: str, rest: list[str]) -> bool:
    """Whether a common verb is said of a booking: "make your reservation", "fit you in"."""
    if not rest:
        return word in ("accommodate", "proceed")
    if word in ("accommodate", "squeeze", "fit", "seat"):
        return True
    if rest[0] == "you" and any(w in ("in", "down", "on", "up", "for") for w in rest[1:4]):
        return True
    if word == "do" and rest[0][0].isdigit():
        return True
    if rest[0] in ("it", "that", "this") and word in _WITH_IT:
        return True
    return bool(thing(rest[:6]))
