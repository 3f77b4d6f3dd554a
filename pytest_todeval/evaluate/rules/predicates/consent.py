"""Predicates over consent: what the user has said yes to, and what the bot then does."""

import re

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import squeezed
from pytest_todeval.evaluate.rules.predicates.changes import (
    calls_before,
    changing,
    ids_around,
    ids_in,
)
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.stems import stems
from pytest_todeval.facts.dialogue import MAX_TEXT

_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok|okay|correct|absolutely|definitely|exactly|of course|agreed"
    r"|go ahead|go on|please do|do it|do that|do so|proceed|confirm(?:ed)?|i agree|sounds good"
    r"|that works|that.s (?:right|fine|correct|it)|fine|perfect|great|please cancel|please change"
    r"|let.s)\b",
    re.I,
)
_NO = re.compile(r"^\W*(?:no|nope|wait|stop|hold on|not yet|don.?t|do not|never mind)\b", re.I)
_PROPOSES = re.compile(
    r"(?:^|[.!?\n])\s{0,9}(?!\s|(?:who|what|which|where|when|how)\b)[^.!?\n]{1,300}\?"
    r"|\b(?:confirm|shall i|yes or no|let me know|(?:i|we)(?: will|.ll| can|.m going to"
    "|.re going to)|proceed|say (?:the word|yes|so)|reply|ready|whenever you|good to go"
    "|okay for you|if you (?:agree|like|want|say)|your (?:ok|okay|go-ahead|permission|approval"
    r"|confirmation))\b",
    re.I,
)
"""A question that takes a yes, or an announcement."""
_WANTS_YES = re.compile(
    r"\b(?:are you (?:really |quite )?sure|shall i|should i|do you want me to|would you like me to"
    r"|(?:is|are) (?:that|this|it|these) (?:all )?(?:correct|right|ok|okay)|can you confirm"
    r"|please confirm|do you confirm|shall i really|make a booking|book it)\b[^.!?\n]{0,120}\?",
    re.I,
)
"""A question that asks for consent, and for nothing else."""
BARE = 8
"""Words of a yes that says nothing else."""


@predicate
def changes_unconfirmed(view: View) -> Found:
    """A call of this turn changes the tables, and the user has not said yes to a proposal.

    The yes stands in this turn, after a proposal of the bot; or in an earlier one since which
    nothing was changed.
    """
    done = changing(view)
    if not done:
        return unknown("changes nothing, as far as is known")
    known = view.evidence.changes or {}
    for index in range(view.index, 0, -1):
        if consents(view, index):
            return no(f"the user agreed in turn {index}")
        if known.get(index - 1):
            break
    if all(_orders(view, call) for call in done):
        return no("the user orders by name what was proposed before")
    return yes(f"{done[0].name} changes the tables, but the user has not said yes to it")


def consents(view: View, index: int) -> bool:
    """Whether the user says yes in a turn, and the bot has proposed something before it."""
    said = view.turns[index - 1].as_meant[:MAX_TEXT]
    earlier = [facts.text for facts in view.evidence.told if facts.index == index - 1]
    proposed = any(_PROPOSES.search(text) for text in earlier)
    return proposed and bool(_YES.search(said)) and not _NO.search(said)


def _orders(view: View, call: ToolCall) -> bool:
    """Whether the user names in this turn what a call changes, after a proposal that names it."""
    said = squeezed(view.turn.as_meant[:MAX_TEXT])
    earlier = [facts.text for facts in view.evidence.until(view.index - 1)]
    proposed = squeezed(" ".join(text for text in earlier if _PROPOSES.search(text)))
    if _NO.search(view.turn.as_meant):
        return False
    return any(squeezed(value) in said and squeezed(value) in proposed for _, value in ids_in(call))


@predicate
def changes_other_than_agreed(view: View) -> Found:
    """A call changes another record than the one that the bot has proposed to change.

    So it is if the proposal that the user said yes to names a record by its id, and the call one of
    the same kind that neither the proposal nor the user has named; and if the proposal shares no
    word with the call, neither with the name of its tool nor with its arguments.
    """
    done = changing(view)
    agreed = next((at for at in range(view.index, 1, -1) if consents(view, at)), None)
    if not done or agreed is None:
        return unknown("changes nothing after a yes, as far as is known")
    earlier = [facts for facts in view.evidence.told if facts.index == agreed - 1]
    proposal = " ".join(facts.text for facts in earlier)
    user = view.evidence.user_said(view.index)
    if not any(_is_proposed(call, proposal, user) for call in done):
        return yes(f"{done[0].name} does nothing of what was proposed: {proposal.strip()[:80]!r}")
    said = squeezed(f"{proposal} {view.evidence.user_said(view.index)}")
    for call in done:
        for name, value in ids_in(call):
            agreed_on = _named(view, call, name, proposal)
            if squeezed(value) not in said and agreed_on and _alike(agreed_on, value):
                return yes(f"{call.name} is called with {name} {value!r}; agreed was {agreed_on!r}")
    return no("what it changes is what was agreed")


def _named(view: View, call: ToolCall, name: str, proposal: str) -> str | None:
    """An id of that name which a proposal names, known from calls before."""
    said = squeezed(proposal)
    known = (v for each in calls_before(view, call) for n, v in ids_around(each) if n == name)
    return next((value for value in known if squeezed(value) in said), None)


def _is_proposed(call: ToolCall, proposal: str, said: str) -> bool:
    """Whether a proposal shares a word with a call; one without a proposal in it shares all."""
    if not _ANNOUNCES.search(proposal):
        return True
    values = " ".join(map(str, call.arguments.values()))
    wanted = set(stems(call.name.replace("_", " "))) | set(stems(values)) - set(stems(said))
    return bool(wanted & set(stems(proposal))) or bool(
        set(re.findall(r"\d{2,}", values)) & set(re.findall(r"\d{2,}", proposal))
    )


_ANNOUNCES = re.compile(r"\b(?:I|we)(?: will|.ll| am going to| would| can)\b", re.I)


def _alike(one: str, other: str) -> bool:
    shapes = [re.sub(r"\d+", "0", text) for text in (one, other)]
    return shapes[0] == shapes[1] != other


@predicate
def stalls_after_yes(view: View) -> Found:
    """The bot asks for a yes again right after the user has said yes, and does nothing else."""
    said = view.turn.as_meant[:MAX_TEXT]
    bare = len(said.split()) <= BARE and not re.search(r"\d", said)
    if view.index < 2 or not bare or not consents(view, view.index):
        return unknown("the user has not said yes, and no more, to a proposal")
    before = view.turns[-2].system[:MAX_TEXT]
    asked = _WANTS_YES.search(view.facts.text)
    if asked is None or not _WANTS_YES.search(before):
        return no("does not ask for a yes again")
    if view.turn.tool_calls or view.facts.made:
        return no("has done something in between")
    return yes(f"asks {asked[0]!r} although the user has just said yes")
