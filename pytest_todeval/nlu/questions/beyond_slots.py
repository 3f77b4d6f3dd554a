"""What a bot asks of its user besides slots: who they are, which option, whether that is right."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from pytest_todeval.nlu.names.lexicon import Lexicon, lexicon
from pytest_todeval.nlu.questions.options import alternatives
from pytest_todeval.nlu.questions.personal import personal_topics, secrets_in
from pytest_todeval.nlu.questions.requests import asks_for
from pytest_todeval.nlu.text.plain import LONGEST, Clause, clauses, plain
from pytest_todeval.nlu.text.speech import MORE
from pytest_todeval.nlu.values.mentions import mentions
from pytest_todeval.nlu.vocabulary import Vocabulary

MOST = 12
"""Questions of one turn that are listened to."""


class Ask(StrEnum):
    """Kinds of questions to the user."""

    FACT = "fact"
    """Asks who the user is, or for what they want besides the business; `topic` says what."""
    SECRET = "secret"
    """Asks for a card number, a PIN, a password."""
    CONFIRM = "confirm"
    """Says what it understood and asks whether that is right; `values` are those it names."""
    GO_AHEAD = "go_ahead"
    """Asks whether to do it."""
    BOOK = "book"
    """Asks whether to book, which is a claim, too; `values` are those it names."""
    CHOICE = "choice"
    """Names `options` to choose from."""
    WELCOME = "welcome"
    """Asks what the user wants, or whether this will do."""
    UNKNOWN = "unknown"
    """Asks something that is not understood."""


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """One question to the user."""

    ask: Ask
    topic: str = ""
    options: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    """Slots and values that it holds."""
    sentence: str = ""
    """In plain words, see `language.text.plain`."""


_WANTS = re.compile(
    r"\b(?:please|need|required?|requires|provide|give|tell|enter|may i|can i|could (?:i|you)"
    r"|let me know|share|supply|missing|what|which|whose|lack|type in|fill in"
    r"|ask(?:ed)? for)\b|: ?$"
)
_GIVES = re.compile(r"(?<!\d)(?:\+?\d[ -]?){7,}|\S@\S+\.\w")
"""A telephone number or mail address: who tells one does not ask for it."""
_CONFIRM = re.compile(
    r"\b(?:is|are) (?:that|this|it|these|everything|all(?: of)?(?: that| this)?"
    "|those(?: details)?|(?:the|these) (?:above|following|details)|my understanding)(?: all"
    r"| details| information)? (?:correct|right|accurate|what you (?:want\w*|meant|said|asked for"
    r"|need))\b|\b(?:correct|right|yes) ?\?$|\bam i (?:correct|right)\b|^so\b.*\?$|\b(?:did|have"
    "|do) i (?:get|got|have|hear|heard|understand|understood|note|noted) (?:that|you|it|this"
    r"|everything|all)\b|\b(?:just|only|let me|want(?:ed)? to|like to|can (?:you|i)|could (?:you"
    r"|i)|please|to) (?:\w+ )?(?:confirm|double ?-?check|verify|make sure|clarify)\b|^you (?:said"
    r"|want\w*|need|are looking|would like|asked)\b.*\?$"
)
_GO_AHEAD = re.compile(
    r"\b(?:shall|should|may|can|could|want me to|like me to)(?: i)?(?: then)? (?:(?:go|move"
    "|press) (?:ahead|on|forward)|proceed|continue|finali[sz]e|submit|lock|secure|(?:confirm"
    r"|complete|place|do|put|make|send|arrange) (?:it|this|that|the|your|you|so))\b|\b(?:go ahead"
    r"|proceed|continue|deal) ?\?$|\b(?:do you (?:want|wish)|would you like) to (?:proceed"
    r"|continue|go ahead|confirm)\b|\b(?:need|await\w*) your (?:confirmation|approval|go-?ahead"
    r"|ok(?:ay)?)\b|\b(?:do|does|would|will) (?:you|the (?!hotel|restaurant|place|venue"
    r"|train)\w+) (?:agree|consent|accept|approve)\b(?! (?:that|to (?:the|our|my|being)|(?:our"
    "|the|these) (?:terms|conditions)))"
)
_OFFERS_TO_ACT = re.compile(
    r"^(?!.{0,200}\b(?:what|when|which|where|how|who|whose|or)\b).{0,200}"
    r"\b(?:shall (?:i|we)|should i|(?:would you like|do you want|want) me to|wanna)"
    r"(?: just| now| then)? (?!search|look|find|check|tell|give|show|list|repeat|try|see"
    r"|recommend|suggest|change|read|explain|help|start|book|reserv|call|send|keep|add)\w+"
)
"""An offer to do something, unlike one to look or tell: "Shall I pop that through for you?"."""
_WELCOME = re.compile(
    r"\b(?:how (?:can|may|could|might) i (?:help|assist|be)|(?:can|may) i (?:help|assist)"
    "|what (?:can|may|could) i (?:do|help|get)|what (?:are you looking|brings you)|(?:anything"
    "|something|what) else|rephrase|again|how (?:about|does|is)|(?:would|does|will|is|do"
    "|are) (?:that|this|it|they|these|either|any of (?:these|those|them)|you)(?: one)? (?:work"
    "|suit|sound|do|look|ok(?:ay)?|fine|good|acceptable|alright|all right|interest|something"
    "|like (?:it|that|this|these|them|one))|what do you (?:think|say)|(?:change|try"
    "|do) (?:anything|something)|(?:which|what) (?:one|of (?:these|them|those))|(?:different"
    r"|another|other)\b)"
)
_TELLS = re.compile(
    r"\b(?:would you (?:like|care)|do you (?:want|need)|want|need)(?: me to)?(?: (?:give|tell"
    "|send|share with|provide))?(?: you)?(?: with)? (?:the|their|its|any|more|some"
    r"|further)\b.*\b(?:phone|number|address|details?|info\w*|directions?|hours|price|fee"
    r"|reference|list|menu|options?)\b"
)
_ELLIPTIC = re.compile(
    r"(?:and |so |but )?(?:do|would|will|can|could|shall|should|may|are|is) (?:you|i|we|that|it)"
    r"(?: (?:like|want|wish|prefer)(?: me)?(?: to)?| mind| okay| ok)? ?\?$"
)
LONGEST_QUESTION = 600
"""Characters of a question that are looked at, from its end."""
LONGEST_BEFORE = 300
"""Characters that a short question is read together with."""
_BOOKING = re.compile(r"\b(?:book\w*|reserv\w+|tables?|rooms?|seats?|tickets?|purchase)\b")
_OWN = re.compile(r"\byour?\b")
_ADDRESSED = re.compile(r"\b(?:would|do) you\b")


def questions(
    text: str, vocabulary: Vocabulary, domain: str | None = None, own: Sequence[str] = ()
) -> tuple[UserQuestion, ...]:
    """What a turn asks of the user besides slots of the business and whether to book, in order.

    `own` are names of facts that the goal gives of its user: they are topics, too. At most `MOST`
    are returned, each once; time is linear in the first `text.LONGEST` characters.
    """
    known, found = lexicon(vocabulary), list[UserQuestion]()
    for clause in _completed(clauses(plain(text[:LONGEST]))):
        said = clause.text[-LONGEST_QUESTION:]
        if clause.asks or (_WANTS.search(said) and not _GIVES.search(said)):
            asked = _Asking(said, clause.asks, known, domain).questions(own)
            found += [replace(question, sentence=said) for question in asked]
        if len(found) >= MOST:
            break
    return tuple(dict.fromkeys(found[:MOST]))


def about_booking(text: str) -> bool:
    """Says whether a plain clause speaks of booking."""
    return _BOOKING.search(text) is not None


def _completed(found: Iterable[Clause]) -> Iterator[Clause]:
    """Returns the clauses, with what a question like "Would you?" leaves out put before it."""
    before = ""
    for clause in found:
        if before and _ELLIPTIC.match(clause.text):
            clause = replace(clause, text=f"{before} : {clause.text}", asks=True)
        before = clause.text[-LONGEST_BEFORE:]
        yield clause


class _Asking:
    """One plain clause that asks, or may."""

    def __init__(self, text: str, asks: bool, known: Lexicon, domain: str | None) -> None:
        self.text = text
        self.asks = asks
        self._known = known
        self._domain = domain

    @cached_property
    def slots(self) -> frozenset[str]:
        """Returns the slots of the business that it asks for."""
        return frozenset(asks_for(self.text, self._known, self._domain))

    @cached_property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Returns the slots and values that it names."""
        named = mentions(self.text, self._known, self._domain)
        return tuple((mention.slot, mention.value) for mention in named)

    def questions(self, own: Sequence[str]) -> Iterator[UserQuestion]:
        """Returns what it asks of the user; `own` are topics besides the usual ones."""
        if secrets_in(self.text):
            yield UserQuestion(Ask.SECRET)
        elif _TELLS.search(self.text) and not _OWN.search(_ADDRESSED.sub("", self.text)):
            yield UserQuestion(Ask.WELCOME)
        elif topics := self._topics(own):
            options = self._options() if self.asks else ()
            yield from (UserQuestion(Ask.FACT, topic, options) for topic in topics)
        elif _GO_AHEAD.search(self.text) or self._offers_to_act():
            yield UserQuestion(Ask.GO_AHEAD, values=self.values)
        elif _CONFIRM.search(self.text) and (self.values or not self.slots):
            yield UserQuestion(Ask.CONFIRM, values=self.values)
        elif self.asks:
            yield from self._open_question()

    def _offers_to_act(self) -> bool:
        return self.asks and _OFFERS_TO_ACT.search(self.text) is not None and not self.slots

    def _topics(self, own: Sequence[str]) -> list[str]:
        given = [topic for topic in own if topic.lower().replace("_", " ") in self.text]
        personal = [topic for topic in personal_topics(self.text) if topic not in given]
        if personal and "pricerange" in self.slots:
            personal = [topic for topic in personal if topic != "payment"]
        return given + [topic for topic in personal if topic not in self.slots]

    def _open_question(self) -> Iterator[UserQuestion]:
        if MORE.search(self.text):
            yield UserQuestion(Ask.WELCOME)
        elif self.slots:
            return
        elif _WELCOME.search(self.text):
            yield UserQuestion(Ask.WELCOME)
        elif options := self._options():
            yield UserQuestion(Ask.CHOICE, options=options)
        elif about_booking(self.text):
            shortened = _ELLIPTIC.search(self.text.rpartition(" : ")[2])
            yield UserQuestion(Ask.GO_AHEAD if shortened else Ask.BOOK, values=self.values)
        elif not self.values:
            yield UserQuestion(Ask.UNKNOWN)

    def _options(self) -> tuple[str, ...]:
        """What it lets the user choose from, unless that is venues, or values of one slot."""
        found = alternatives(self.text)
        slots = [slot for slot, _ in self.values] if found else []
        named = "name" in slots or "trainID" in slots or len(set(slots)) < len(slots)
        return () if named else found
