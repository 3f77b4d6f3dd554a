"""What the bot states of the world in words that nothing it knows has."""

import re

from pytest_todeval.core.claim import Act
from pytest_todeval.rules.everyday import stem, stems
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.known import is_known, known_text, policy_of, strange_words
from pytest_todeval.rules.registry import predicate

_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]*)*[.!?]?")
_WISHES = re.compile(
    r"(?:^\W*|, (?:and )?|\band )(?:(?:i|we) (?:do |both |all )?(?:hope|wish)|hope|wish|enjoy"
    r"|have an?|safe travels)\b",
    re.I,
)
"""How a wish begins, from which on a sentence states nothing."""
_NO_WORD = re.compile(r"(?<!\S)\S*[\d@/_\\](?:\S*[^\s.!?])?")
"""Codes and addresses, which `ungrounded` holds against what is known; not the stop behind them."""
STRANGE = 2
"""Words of one sentence that nothing known has, from which it speaks of something unknown."""
_TOLD = (
    Act.INFORM, Act.OFFER, Act.REFERENCE, Act.BOOKED, Act.BOOKING_FAILED, Act.NO_OFFER,
)  # fmt: skip
_ID = "0"
"""Stands for a reference or phone number that is known."""
SHORTEST_ID = 6
"""Characters of an id: times and counts are shorter."""
LONGEST = 60
"""Words of a sentence that are looked at."""


@predicate
def speaks_of_unknown(view: View) -> Found:
    """The bot states something in words that nothing it knows has, and that are not everyday ones.

    So it is if two such words stand in what a sentence states of others than the two who speak ("It
    is sunny and windless there."), or one is whom the bot says it has told, or what it has added
    to ("I've told the florist."). What it says of itself, of the user and of their talk may be said
    in any words. Known are its results,
    calls, tools, policy and bookings, what the user said, and the values of its world. A sentence
    that tells a name, a value or a booking may do so in any manner ("Arr, the Copper Kettle be yer
    galley."): what it tells is other rules' matter. Questions and good wishes state nothing. A
    sentence of which more than half is strange is none of English. In tasks words in capitals are
    not counted: names of towns and people.
    """
    if not is_known(view):
        return unknown("no results tell what it knows")
    tasks = not view.evidence.goal.domains
    if tasks and not policy_of(view):
        return unknown("the policy of the task is not known")
    text = _NO_WORD.sub(lambda code: _ID if _is_id(view, code[0]) else " ", view.facts.text)
    for sentence in _SENTENCE.findall(text):
        if sentence.rstrip().endswith("?"):
            continue
        sentence = _WISHES.split(sentence)[0]
        strange = strange_words(view, _latin(_of_others(sentence), tasks)[:LONGEST])
        told = {stem(match["whom"] or match["what"]) for match in _REACHES.finditer(sentence)}
        things = told & {stem(word) for word in strange_words(view, _latin(sentence, tasks))}
        many = len(strange) >= STRANGE and not _tells(view, sentence)
        if things or (many and 2 * len(strange) <= len(_latin(sentence, tasks))):
            words = strange[:STRANGE] if many else sorted(things)
            told_of = " and ".join(map(repr, words))
            return yes(f"speaks of {told_of}, of which nothing that it knows speaks")
    return no("speaks of what it knows")


def _tells(view: View, sentence: str) -> bool:
    """Whether a sentence tells a name, a value, a booking or a known id."""
    if _ID in sentence:
        return True
    words = _words(sentence)
    told = view.evidence.once(("told", view.index), lambda: _telling(view))
    return any(each in words or words in each for each in told)


def _is_id(view: View, code: str) -> bool:
    return len(code) >= SHORTEST_ID and code.lower() in known_text(view)


def _telling(view: View) -> list[str]:
    """The words of the sentences in which the bot is heard to tell something."""
    heard = [claim for act in _TOLD for claim in view.facts.acts(act)]
    words = [_words(_NO_WORD.sub(" ", claim.sentence)) for claim in heard]
    return [each for each in words if each.strip()]


def _words(text: str) -> str:
    return f" {' '.join(_LATIN.findall(text.lower()))} "


def _latin(text: str, tasks: bool) -> list[str]:
    """The words of a text; in tasks without those in capitals."""
    return [word for word in _LATIN.findall(text) if not (tasks and word[0].isupper())]


def _of_others(sentence: str) -> str:
    """What a sentence states of others than the two who speak: from where it begins to."""
    match = next(
        (m for m in _OTHERS.finditer(sentence) if stem(m["noun"] or "") not in _OURS), None
    )
    return sentence[match.start() :] if match else ""


_OTHERS = re.compile(
    r"(?:^\W*|[,;:] |\b(?:and|but|so|as|because|since|where|while|that|which) )(?:(?:it|they|he|she"
    r"|there|its|their|people|guests|visitors|customers|diners|travellers|locals|everyone|everybody"
    r"|students|children|kids|families|pets|mr|mrs|ms|bring|wear|pack|expect)\b"
    r"|(?:most|many|some) of (?:our|the) "
    r"|(?:the|an?|this|that|some|all|no|their) (?=(?P<noun>[^\W\d_]{3,})))"
    r"|\b(?:it|they|he|she|there)(?=['\u2019](?:s|re|ll|d)\b| (?:is|are|was|were|has|have|had|will"
    r"|can|does|do)\b)",
    re.I,
)
"""Whom or what a sentence is about, if it is about neither the bot nor the user."""
_OURS = frozenset(
    stems(
        "system search query list screen chat computer database line page bot assistant program"
        " conversation message result entry record"
    )
)
"""What a bot works with."""
_REACHES = re.compile(
    r"\b(?:I|we)(?:['\u2019]ve| have| had|['\u2019]ll| will)?(?: just| also| already| now)*"
    r" (?:(?:told|tell|asked|ask|informed?|warned?|instructed?|let|reminded?|notified|notify"
    r"|alerted?|briefed|messaged|texted|spoken (?:to|with)|talked (?:to|with)|checked with|rung"
    r"|called)"
    r" (?:the|your|our|my|their|an?) (?:[a-z]+ )??(?P<whom>[^\W\d_]{2,})"
    r"|(?:added|saved|copied|synced|exported|uploaded|pushed)[^.!?\n]{0,30} (?:to|in|into|with|on)"
    r" (?:the|your|our|my|their) (?P<what>[^\W\d_]{2,}))\b",
    re.I,
)
"""Whom the bot says that it has reached, or what it has added to."""
_LATIN = re.compile(r"[^\W\d_]{2,}")
