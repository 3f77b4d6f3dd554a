"""The words that change whether a sentence says that something is so: rules as data.

A trigger stands before or behind what it bears on (NegEx, Chapman et al. 2001; ConText, Harkema et
al. 2009), and its scope ends at a terminator. Everything is in the form of `phrases.Phrase`: lower
case, contractions spelled out, one blank between words and signs.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.patterns import word_set

ASSERTED, DENIED = Factuality.ASSERTED, Factuality.DENIED
CONDITIONAL, FUTURE = Factuality.CONDITIONAL, Factuality.FUTURE
ASKED, OF_OTHERS = Factuality.ASKED, Factuality.OF_OTHERS


# In a verb group: "has not yet been booked".
AUXILIARIES = word_set(
    """am is are was were be been being has have had having get gets got gotten getting do does did
    s ve re stand stands stood stayed stays"""
)
MODALS = {
    "will": FUTURE, "shall": FUTURE, "would": FUTURE, "ll": FUTURE, "wo": FUTURE, "can": FUTURE,
    "could": FUTURE, "may": FUTURE, "might": FUTURE, "must": FUTURE, "should": FUTURE,
    "cannot": FUTURE, "gonna": FUTURE,
}  # fmt: skip
ADVERBS = word_set(
    """just now already all also then still yet ever never not only both even indeed here hereby
    herewith duly again soon since thus therefore once kindly gladly meanwhile well long far so too
    first there hardly barely neither nor almost nearly practically virtually always often sometimes
    seldom perhaps maybe likely today good ahead officially back very quite pretty right about
    safely thereby fully away straight ok okay anyway"""
)
HABITS = word_set(
    """usually generally normally typically often always sometimes frequently commonly mostly
    regularly rarely seldom traditionally ordinarily customarily invariably habitually tend tends
    routinely generally aye"""
)
"""Words that tell how things are in general, not of this booking."""
GOVERNORS: dict[str, Factuality] = {
    **dict.fromkeys(
        word_set(
            """going about need needs needed has have had want wants wanted like love ready
            able supposed due set hoping hope used trying try tries tried meant willing
            prepared yet wish wishes prefer plan planning planned intend remains left
            waiting agreed promised offered attempt chance easy possible best time able
            allowed welcome keen eager aim how option continue order asked told expected
            expects required requires glad happy pleased delighted pleasure honour free trouble
            right is are be"""
        ),
        FUTURE,
    ),
    "managed": ASSERTED, "had": ASSERTED, "succeeded": ASSERTED, "failed": DENIED, "unable": DENIED,
    "refused": DENIED, "declined": DENIED, "impossible": DENIED, "refuse": DENIED,
    "refuses": DENIED, "tend": OF_OTHERS, "tends": OF_OTHERS, "forgot": DENIED,
    "neglected": DENIED, "omitted": DENIED, "seems": ASSERTED, "appears": ASSERTED,
    "seem": ASSERTED, "appear": ASSERTED,
}  # fmt: skip
"""What stands before "to book", and what it makes of it."""

# Who is spoken of.
OTHERS = word_set(
    """guest guests people person persons customer customers party colleague colleagues someone
    somebody others other's couple wedding group groups family families friend friends lady
    gentleman company client clients patient patients visitors tourists locals students everyone
    everybody anybody anyone travellers travelers passengers diners users user caller callers he
    she their his her member members school team-mates band another fans folk folks neighbour
    neighbours crowd sister brother mother father mum dad wife husband son daughter partner boss
    secretary assistant flatmate team's travellers"""
)

TERMINATORS = word_set(
    """, ; : - ( ) " . ! ? | & / but however though although nevertheless nonetheless whereas while
    because which meaning instead otherwise except besides still"""
)
"""No scope reaches over these; "and" and "so" end one if a subject follows."""

FILE = Path(__file__).parent / "triggers.yaml"


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loaded: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), Loader=loader)
    return loaded


@lru_cache(maxsize=4)
def triggers(direction: str) -> Mapping[str, Factuality]:
    """Returns the triggers of `triggers.yaml` that work `forward`, `backward`, or `subordinate`."""
    found = _tables()[direction]
    if isinstance(found, list):
        return dict.fromkeys(found, Factuality.CONDITIONAL)
    return {words: Factuality[kind.upper()] for kind, each in found.items() for words in each}
