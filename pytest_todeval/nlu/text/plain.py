"""A bot's text, made plain: lower case, whole words, cut into clauses."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 20_000
"""Characters of a reply that are listened to."""
REMEMBERED = 256
"""Texts and sentences whose plain form and clauses are remembered: several readers want them."""

_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": " - ", "*": " ", "_": " "}
)
_CONTRACTIONS = (
    (re.compile(r"(?<![\w'])'(?=[a-z])([^'\n]{1,80}[a-z.!?,])'(?![\w'])"), r'"\1"', ("'",)),
    (re.compile(r"\b(?:ca ?n'?t|can ?not)\b"), "can not", ("can", "ca n")),
    (re.compile(r"\bwo ?n't\b"), "will not", ("n't",)),
    (re.compile(r" ?n't\b"), " not", ("n't",)),
    (
        re.compile(r"\b(do|does|did|is|are|was|were|has|have|could|would|should)nt\b"),
        r"\1 not",
        ("nt",),
    ),
    (re.compile(r" ?'m\b"), " am", ("'m",)),
    (re.compile(r" ?'d\b"), " would", ("'d",)),
    (re.compile(r" ?'ll\b"), " will", ("'ll",)),
    (re.compile(r" ?'re\b"), " are", ("'re",)),
    (re.compile(r" ?'ve\b"), " have", ("'ve",)),
    (re.compile(r"\b(it|that|there|here|what|where|who|how|he|she) ?' ?s\b"), r"\1 is", ("'",)),
    (re.compile(r"\blet ?' ?s\b"), "let us", ("'",)),
    (re.compile(r" ?' ?s\b"), " s", ("'",)),
    (re.compile(r"\bi d\b"), "id", ("i d",)),
    (re.compile(r"'"), "", ("'",)),
    (re.compile(r"[ \t\r\f\v]+"), " ", ("  ", "\t", "\r", "\f", "\v")),
    (re.compile(r" ?\n[ \n]*"), "\n", ("\n",)),
)
"""Pattern, what to put for it, and strings of which every text that it matches has one."""
_CHAT = {
    "ive": "i have", "weve": "we have", "youve": "you have", "youre": "you are",
    "theyre": "they are", "thats": "that is", "theres": "there is", "u": "you", "ur": "your",
    "im": "i am", "pls": "please",
}  # fmt: skip
"""Short forms of chats -> in full."""
_CHATTED = re.compile(rf"\b(?:{'|'.join(_CHAT)})\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\bst\.)(?<!\bno\.(?= ?\d))(?<!\bref\.)(?<!\bi\.d\.) |\n")
_STARTERS = (
    "would (?:you|that|this|it|there|any|either|one)|do you|does (?:that|this|it|any)|did you"
    "|will (?:that|this|there|you)|can (?:i|you|we)|may (?:i|we)|shall (?:i|we)|should (?:i|we)"
    "|could (?:i|you|we)|have you|are (?:you|there any|these|any|either)|is (?:that|there any"
    "|this|it)|anything else|any other|anything more|(?:for |at |in |and )?how (?:many|long|about"
    "|much|does|would|do|else|may|can)|(?:and |at |on |for |from |in |to |by )?(?:what|which"
    r"|where|when|who)\b(?: \w+)? (?:is|are|day|days|time|times|type|kind|sort|area|part|price"
    "|range|would|will|do|did|can|should|shall|station|city|stars?|else|destination)"
)
_CLAUSE_END = re.compile(
    rf" ?(?:,|;| -) ?(?:and |or |so |but |)(?=(?:{_STARTERS})\b)| (?:and|so"
    rf"|but) (?=(?:{_STARTERS})\b)|(?: ?,| ?;) (?=(?:i|we|there|they|it|its|he|she|you) (?!and ))"
    "|; | ,? ?(?=(?:but|however|though|although|otherwise) )"
)
_INNER_QUESTION = re.compile(
    " (?=(?:would (?:you|that|this)|do you|does (?:that|this)|can i|may i|shall i|should i"
    "|could you|can you|will (?:that|this)|how many|what (?:day|time|type|kind|area|price|part)"
    r"|is there (?!(?:is|are|was|were)\b)|is that (?!(?:the|your|my|our|his|her|their|you|we|i|it"
    r"|they|he|she|there|this|all|both|every|no|none|nothing|nobody)\b[^?]{0,80}?\b(?:is|are|was"
    "|were|has|have|had|can|could|did|do|does|will|would|may|might|must|should|not|got"
    r"|\w+ed)\b))\b)"
)
_OPEN_QUESTION = re.compile(
    r"(?:and |or |so |at |on |for |from |in |to |by )?(?:what|which|where|when|who|how"
    r"|in what|at what|may|can|could|let me know|tell me)\b"
)
_QUESTION = re.compile(
    r"(?!what(?: \w+){1,5} is that )(?:(?:and|or|so|but|also|ok|okay|sure|great|yes"
    rf"|now) ,? ?)*(?:{_STARTERS}|what|which|where|when)\b"
)
_RELATIVE = re.compile(
    r"(?:and )?(?:which|where|when|who)\b"
    r"(?!(?: \w+){0,2} (?:will|would|are|do|did|can|should|shall|were) (?:you|i|we)\b)"
)
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the parts that it falls into."""

    text: str
    parts: tuple[tuple[int, bool], ...]
    """Where each clause starts in `text`, and whether it asks."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that says or asks one thing."""

    text: str
    asks: bool
    """Put as a question."""
    inverted: bool
    """Has the word order of a question, and so states nothing."""
    sentence: Sentence
    index: int
    """Which part of its sentence it is."""

    @property
    def span(self) -> tuple[int, int]:
        """Returns where it starts in its sentence, and where the next part starts."""
        starts = [start for start, _ in self.sentence.parts]
        after = starts[self.index + 1] if self.index + 1 < len(starts) else len(self.sentence.text)
        return (starts[self.index] if self.index else 0), after


def _plain_char(char: str) -> str:
    if char.isprintable():
        return "" if unicodedata.combining(char) else char
    return "\n" if char == "\n" else " "


def plain(text: str) -> str:
    """Lower case, contractions spelled out, typography made simple; sentences and numbers stay."""
    return _plain(text[:LONGEST])


@lru_cache(maxsize=REMEMBERED)
def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_QUOTES))[:LONGEST].lower()
    if not (text.isascii() and text.replace("\n", " ").isprintable()):
        text = "".join(map(_plain_char, text))
    for pattern, replacement, hints in _CONTRACTIONS:
        for hint in hints:
            if hint in text:
                text = pattern.sub(replacement, text)
                break
    return _CHATTED.sub(lambda match: _CHAT[match[0]], text).strip()


def words(text: str) -> list[tuple[str, int, int]]:
    """Returns the words of a plain text with their places: `(word, start, end)`."""
    return [(m[0], m.start(), m.end()) for m in _WORD.finditer(text)]


def _inner(part: str) -> Iterator[str]:
    """Cuts a statement that runs into a question without any mark; questions stay whole."""
    part = part.strip()
    match = None if _OPEN_QUESTION.match(part) else _INNER_QUESTION.search(part)
    pieces = (part[: match.start()], part[match.end() :]) if match else (part,)
    yield from (piece.strip() for piece in pieces if piece.strip(" .,!?;-"))


def clauses(plain_text: str) -> Iterator[Clause]:
    """Cuts a plain text into clauses, in order."""
    for sentence in _SENTENCE_END.split(plain_text):
        yield from _of_sentence(sentence)


@lru_cache(maxsize=REMEMBERED)
def _of_sentence(text: str) -> tuple[Clause, ...]:
    pieces = [part for rough in _CLAUSE_END.split(text) for part in _inner(rough)]
    ends_asking = text.rstrip().endswith("?")
    flags, starts, at = [], [], 0
    for index, part in enumerate(pieces):
        last = index == len(pieces) - 1
        relative = index > 0 and not (last and ends_asking) and _RELATIVE.match(part)
        inverted = bool(_QUESTION.match(part)) and not relative
        flags.append((inverted or (ends_asking and last), inverted))
        at = max(at, text.find(part, at))
        starts.append(at)
        at += len(part)
    asking = (asks for asks, _ in flags)
    sentence = Sentence(text, tuple(zip(starts, asking, strict=True)))
    return tuple(
        Clause(part, asks, inverted, sentence, index)
        for index, (part, (asks, inverted)) in enumerate(zip(pieces, flags, strict=True))
    )
