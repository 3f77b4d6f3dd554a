"""Wordings against expectations: what is heard in a bot's turn that should not be, and what is not.

Asserted claims of the kinds in `COMPLETE` must all be listed; of other kinds, and of claims that
do not hold (`denied booked`), only what is listed is looked at. A doubtful claim decides
nothing: it is neither wrong nor right, and what it says counts as missed if it is expected.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.values.normalise import canonical_slot, same_name, same_value
from pytest_todeval.nlu.vocabulary import Vocabulary

COMPLETE = (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER, Act.NO_OFFER)
"""Kinds of claims of which a wording lists all."""

_NAMED = frozenset({Act.OFFER, Act.NO_OFFER})


@dataclass(frozen=True, slots=True)
class ExpectedWording:
    """One turn of a bot, and what is to be heard in it."""

    text: str
    hears: tuple[DialogueAct, ...]
    hears_not: tuple[DialogueAct, ...] = ()
    domain: str | None = None
    """What the user talks about; None if only its words tell."""
    user: str = ""
    """What the user said before."""
    kind: str = ""
    """Of sentence, as its author sorts them."""
    unlisted: bool = False
    """The names in it are to be heard without being known."""
    where: str = ""
    """`file:line`."""


@dataclass(frozen=True, slots=True)
class HeardItem:
    """What was heard in a wording."""

    wording: ExpectedWording
    heard: tuple[DialogueAct, ...]
    wrong: tuple[DialogueAct, ...] = ()
    """Heard, and should not be."""
    missed: tuple[DialogueAct, ...] = ()
    """Should be heard, and is not, or only with a doubt."""
    doubtful: tuple[DialogueAct, ...] = ()
    """Heard with a doubt, of the kinds of which a wording lists all."""

    @property
    def right(self) -> bool:
        """Says whether nothing is wrong or missed."""
        return not (self.wrong or self.missed)


@dataclass(slots=True)
class KindCount:
    """Sentences of one kind, and how many of them have something wrong, missed or doubtful."""

    sentences: int = 0
    wrong: int = 0
    missed: int = 0
    doubtful: int = 0


@dataclass(slots=True)
class ClaimCount:
    """Claims of one act: those expected and missed among them, those heard and wrong among them."""

    expected: int = 0
    missed: int = 0
    heard: int = 0
    """Without a doubt. Only counted for acts of which wordings list all."""
    wrong: int = 0
    doubtful: int = 0


def check(wording: ExpectedWording, vocabulary: Vocabulary) -> HeardItem:
    """Listen to a wording and compare. Time is linear in its text."""
    known = _without_names(vocabulary, wording.domain) if wording.unlisted else vocabulary
    heard = listen(wording.text, known, domain=wording.domain, user_said=wording.user)
    listed = [claim for claim in heard if claim.holds and claim.act in COMPLETE]
    doubtful = _each_once(claim for claim in listed if claim.doubt)
    sure = [claim for claim in heard if claim not in doubtful]
    stray = [c for c in listed if not c.doubt and not _any_like(c, wording.hears)]
    forbidden = [claim for claim in sure if _any_like(claim, wording.hears_not)]
    missed = [wish for wish in wording.hears if not any(_is(wish, claim) for claim in sure)]
    return HeardItem(wording, heard, _each_once([*stray, *forbidden]), tuple(missed), doubtful)


def _without_names(vocabulary: Vocabulary, domain: str | None) -> Vocabulary:
    domains = dict.fromkeys([*vocabulary.names, *([domain] if domain else [])], ())
    return Vocabulary(domains, vocabulary.values, vocabulary.taught)


def _any_like(claim: DialogueAct, wishes: Iterable[DialogueAct]) -> bool:
    return any(_is(wish, claim) for wish in wishes)


def _is(wish: DialogueAct, claim: DialogueAct) -> bool:
    """Whether a claim is the one expected; what the expectation leaves open may be anything."""
    if wish.act is not claim.act or wish.factuality is not claim.factuality:
        return False
    if wish.domain is not None and wish.domain != claim.domain:
        return False
    if wish.act in _NAMED:
        return _same_item(wish.value, claim.value)
    if wish.slot and canonical_slot(wish.slot) != canonical_slot(claim.slot or ""):
        return False
    if wish.value is not None and not same_value(wish.slot or "", wish.value, claim.value or ""):
        return False
    return wish.of is None or _same_item(wish.of, claim.of)


def _same_item(wished: str | None, said: str | None) -> bool:
    if wished is None or said is None:
        return wished is said
    return same_name(wished, said)


def _each_once(claims: Iterable[DialogueAct]) -> tuple[DialogueAct, ...]:
    """Returns one of each that is told apart by more than its domain."""
    return tuple({(c.act, c.slot, c.value, c.of): c for c in claims}.values())


def by_kind(findings: Iterable[HeardItem]) -> Mapping[str, KindCount]:
    """Counts of sentences by kind, in the order in which the kinds come."""
    counts: dict[str, KindCount] = {}
    for finding in findings:
        count = counts.setdefault(finding.wording.kind, KindCount())
        count.sentences += 1
        count.wrong += bool(finding.wrong)
        count.missed += bool(finding.missed)
        count.doubtful += bool(finding.doubtful)
    return counts


def by_act(findings: Sequence[HeardItem]) -> Mapping[str, ClaimCount]:
    """Counts of claims by act, those of which all are listed first."""
    counts = {act.value: ClaimCount() for act in COMPLETE}
    for finding in findings:
        for wish in finding.wording.hears:
            counts.setdefault(wish.act.value, ClaimCount()).expected += 1
        for claim in finding.missed:
            counts[claim.act.value].missed += 1
        for claim in finding.wrong:
            counts.setdefault(claim.act.value, ClaimCount()).wrong += 1
        for claim in finding.doubtful:
            counts[claim.act.value].doubtful += 1
        for claim in _each_once(claim for claim in finding.heard if not claim.doubt):
            if claim.holds and claim.act in COMPLETE:
                counts[claim.act.value].heard += 1
    return counts
