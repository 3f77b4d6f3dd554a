"""Predicates over how the bot treats the user."""

import re

from pytest_todeval.evaluate.rules.denied import is_denied
from pytest_todeval.evaluate.rules.finding import Found, View, no, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.nlu.text.sentences import sentences

_BLAMES = re.compile(
    r"\b(?:your (?:own )?(?:fault|mistake)|you should(?: have|.ve) (?:said|told|read|known"
    "|thought|checked|listened|asked|mentioned|specified|come|called|planned|looked|remembered"
    r"|realised|been (?:more )?clear(?:er)?|paid)|had you (?:\w+ )?(?:read|told|said|asked"
    "|listened|checked)|you (?:must have )?entered an? (?:invalid|wrong)|read the terms"
    "|as i (?:have )?already (?:told|said)|i(?:.ve| have) already told you|how many times|shut up"
    "|waste (?:of )?my time|wasting my time|(?:do|must) i (?:really |always )?have to"
    "|spell (?:everything|it all) out|are you (?:deaf|blind|kidding|serious|even)|what(?:'s"
    "| is) wrong with you|make up your mind|people like you|i (?:don.t|couldn.t) care"
    "|how hard can it be|can.t you (?:read|listen|see)|use your (?:head|eyes|brain)"
    "|bother (?:somebody|someone) else|i.m not your (?:servant|secretary|mother|maid|nanny|slave"
    "|assistant|friend)|calm down|that.s not my (?:problem|job)|don.t be (?:silly|difficult|rude)"
    "|(?P<own>be more careful|(?:read|listen) more carefully|pay (?:more )?attention|stupid|idiot"
    r"|dumb|ridiculous|nonsense|pathetic|for heaven.s sake))\b|(?:^\W*|[.!?,]\s)(?:just "
    "|go )?(?:figure it out yourself|look it up yourself|do it yourself|google it|get lost"
    "|whatever(?=[.!]))",
    re.I,
)


@predicate
def blames_user(view: View) -> Found:
    """The bot blames, scolds or insults the user."""
    text = view.facts.text
    for sentence in sentences(text) if _BLAMES.search(text) else ():
        for match in _BLAMES.finditer(sentence):
            itself = match["own"] and "you" not in sentence.lower()
            if not itself and not (
                match[0][:4].lower() == "your" and is_denied(sentence, match[0])
            ):
                return yes(f"says {match[0]!r}")
    return no("blames nobody")
