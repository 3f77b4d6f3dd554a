"""Hostile text in a prompt: fenced with delimiters it cannot guess, and made harmless.

A text is put between `⟦KIND CODE⟧` and `⟦/KIND CODE⟧`. The code is a hash of the text itself, so
that the same text gives the same prompt in every run (a cassette matches, a provider's cache hits)
and yet no text can hold its own code: it would have to contain its own hash.

What is dropped is listed by code point, not by Unicode category: categories change with the version
of Python, and with them the prompts would.
"""

import hashlib
import re

OPEN, CLOSE = "\u27e6", "\u27e7"
"""The brackets of a delimiter. None is left in a fenced text."""

CODE_LENGTH = 16
_LOOKALIKES = str.maketrans({OPEN: "[", CLOSE: "]", "\u301a": "[", "\u301b": "]"})
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x9f"  # controls
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, overrides and isolates of direction
    "\xad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb"  # of no width
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters that show nothing
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formats of shorthand and music
    # Variants of glyphs carry a byte each, tags a letter each, and neither is seen: whole texts are
    # smuggled in them. (Of the emoji only the flags of England, Scotland and Wales need tags.)
    "\ufe00-\ufe0d\U000e0000-\U000e0fff"
    "\ud800-\udfff"  # halves of characters
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters
    "]"
)
_IDLE_VARIANT = re.compile(
    # Text or picture: for signs that have both. Then, Mongolian variants.
    "(?<![0-9#*\xa9\xae\u2010-\U000dffff])[\ufe0e\ufe0f]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
    "|(?<![\u1800-\u180a\u1810-\u18af])[\u180b-\u180d\u180f]"
)
_IDLE_JOINER = re.compile(
    # A joiner shapes letters of Arabic and Indic scripts and pictures, on one side of it at least;
    # between Latin letters it only hides what they spell. One is as good as several.
    "(?<![\u0590-\u1dff\u2100-\U000dffff])[\u200c\u200d](?![\u0590-\u1dff\u2100-\U000dffff])"
    "|(?<=[\u200c\u200d])[\u200c\u200d]"
)
_CHAT_TOKEN = re.compile(
    "<(?=[|\uff5c])|[|\uff5c](?=>)"
    r"|<(?=/?(?:s|bos|eos|pad|unk|think|tool_call|tool_response|(?:start|end)_of_turn)>)"
    r"|<(?=</?SYS>>)|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
"""How marks of roles and ends of messages begin (and end) in the chat templates of models."""


def fenced(kind: str, text: str) -> str:
    """Returns the text between delimiters that it cannot hold; `kind` (letters) says what it is."""
    inside = neutral(text)
    code = hashlib.sha256(f"{kind}\0{inside}".encode()).hexdigest()[:CODE_LENGTH]
    return f"{OPEN}{kind} {code}{CLOSE}\n{inside}\n{OPEN}/{kind} {code}{CLOSE}"


def neutral(text: str) -> str:
    """The text without what acts rather than reads: delimiters, tokens of chat templates, controls.

    Letters, marks and the order of letters stay as they are, right-to-left too; so do emoji with
    their joiners. Characters that override the direction or show nothing are dropped, line breaks
    of all kinds become one kind, and a token of a chat template gets a space that breaks it.
    """
    text = _LINE_BREAKS.sub("\n", text.translate(_LOOKALIKES))
    # One after the other: what is hidden within a token hides the token, and a variant that varies
    # nothing would pass for the letter that a joiner joins.
    for dropped in (_HIDDEN, _IDLE_VARIANT, _IDLE_JOINER):
        text = dropped.sub("", text)
    return _CHAT_TOKEN.sub(r"\g<0> ", text)
