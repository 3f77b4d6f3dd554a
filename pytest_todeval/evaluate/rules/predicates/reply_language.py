"""Predicates over the language of a reply: py3langid tells it, where there is enough to tell."""

import re
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.nlu.text.sentences import sentences

LANGUAGES = {
    "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it",
    "portuguese": "pt", "dutch": "nl", "polish": "pl", "swedish": "sv", "danish": "da",
    "norwegian": "no", "finnish": "fi", "czech": "cs", "romanian": "ro", "hungarian": "hu",
    "turkish": "tr",
}  # fmt: skip
"""Those that are told apart; by name the code that the library has for it."""
NAMES = {code: name for name, code in LANGUAGES.items()}
NEEDS = "telling languages takes py3langid: pip install 'pytest-todeval[languages]'"
SURE = 0.8
"""Least probability of a language. Of 98,000 English sentences 25 are taken for another one by it,
of 84 short ones in other languages six are not known (`docs/rules.md`)."""
FEWEST, OF_A_SENTENCE = 3, 6
"""Words without a capital from which the language is told, of a reply, and of one of its sentences:
names have none, and "Leider nicht, sorry" in a sentence is a manner."""
LONGEST = 400
"""Characters of a sentence that are looked at."""
_LETTERS = re.compile(
    r"[\u0370-\u03ff\u0400-\u04ff\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
    r"{2,}"
)
"""Greek, Cyrillic, Hebrew, Arabic, Devanagari, Japanese, Chinese, Korean."""
_LOWER = re.compile(r"(?<![^\W\d_])[a-z\u00df-\u024f][^\W\d_]*")


def can_tell() -> bool:
    """Whether the library is there."""
    return find_spec("py3langid") is not None


@predicate
def language_of_reply(
    view: View,
    language: Literal[
        "english", "french", "german", "spanish", "italian", "portuguese", "dutch", "polish",
        "swedish", "danish", "norwegian", "finnish", "czech", "romanian", "hungarian", "turkish",
        "the user's",
    ] = "the user's",
) -> Found:  # fmt: skip
    """The reply, and each sentence of it, is in that language; by default in the user's.

    It is unknown if the reply or the user's words are too short to tell.
    """
    text = view.facts.text
    wanted = language_of(_users_words(view)) if language == "the user's" else LANGUAGES[language]
    strange = _LETTERS.search(text)
    if strange and (wanted or not _LETTERS.search(_users_words(view))):
        return no(f"writes in other letters: {strange[0][:60]!r}")
    if not can_tell():
        return unknown(NEEDS)
    if wanted is None:
        return unknown("the user's words are too few to tell their language")
    long = [each for each in sentences(text) if len(_LOWER.findall(each)) >= OF_A_SENTENCE]
    spoken = [(language_of(each), each.strip()) for each in (text, *long)]
    other = next(((told, each) for told, each in spoken if told not in (None, wanted)), None)
    if other is not None:
        return no(f"speaks {NAMES[str(other[0])].title()}: {other[1][:60]!r}")
    if all(told is None for told, _ in spoken):
        return unknown("too few words to tell the language")
    return yes(f"speaks {NAMES[wanted].title()}")


def _users_words(view: View) -> str:
    """What the user said so far; in another language than it meant it, what the bot heard."""
    if not view.evidence.dialogue.variation[:1].isupper():
        return view.evidence.user_said(view.index)
    return "\n".join(facts.turn.user[:MAX_TEXT] for facts in view.evidence.until(view.index))


@lru_cache(maxsize=4096)
def language_of(text: str) -> str | None:
    """The code of a text's language; None if it is too short, or the library is not there."""
    if len(_LOWER.findall(text)) < FEWEST or not can_tell():
        return None
    code, probability = _identifier().classify(text[:LONGEST])
    return str(code) if probability >= SURE else None


@cache
def _identifier() -> Any:
    langid: Any = import_module("py3langid.langid")
    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages([*LANGUAGES.values()])
    return identifier
