"""How a name stands in a clause: put forward, denied, asked about, or mentioned in passing.

Works as NegEx does (Chapman et al. 2001): triggers with a direction and a scope, words that end a
scope, and phrases that look like triggers and are none ("you can't go wrong with ...").
"""

import re
from enum import StrEnum

from pytest_todeval.evidence.names.contexts import (
    ASIDE,
    ASKS,
    IF,
    IN_PASSING,
    MAY_DENY,
    NO_DENIAL,
    NUMBERED,
    OVER,
    SUBJECT_NOT,
    TAKEN_FROM,
    USERS,
    VERB,
    WISHES,
)
from pytest_todeval.evidence.names.frames import is_aside, is_called, is_put_forward
from pytest_todeval.evidence.names.refusals import (
    ALL_THERE_IS,
    BOOKING,
    CEASED,
    CLOSED,
    CONTRAST,
    DENIES_OBJECT,
    DETAIL,
    DRAWN,
    FIRST,
    GIVES_UP,
    LABELLED_NO,
    LACKING,
    LACKS,
    NEEDS,
    NEITHER,
    OFF,
    OWNED,
    REGRET,
    ROOMS,
    TAKES,
    THROWS_OUT,
    TOLD_BY_USER,
    UNKNOWN_DETAIL,
    USES,
    WANTED,
    WAS,
)
from pytest_todeval.evidence.names.sequels import (
    AFTER_ALL,
    AGAINST_WISH,
    ALL_RIGHT,
    AND_NOT,
    CANNOT,
    DISOWNED,
    ECHO,
    ELLIPSIS,
    EXCLAIMS,
    GOES_ON,
    IT_IS,
    LISTED_AS_NOT,
    OWN_WORDS,
    PARENTHESIS,
    SAME_HOLDS,
    SPEAKS_AGAINST,
    TRIED,
    TURNED_DOWN,
    TURNS,
)

SIGNS = re.compile(r"^[ \"')]*[^\w\s.,:;!?()\"'£$-][^\w\s]* *|^[\"')]+")
"""What is no word and may come between a name and its verb: quotes, emoji."""
OF_IT = re.compile(r"^ s kitchen ")
IS_SHORT = re.compile(r"^ s (?=(?:a|way|been|shut|full|gone|off|on)\b)")
"""The verb in "Rose House's full"."""
SAYS_NO = re.compile(r"\W*(?:__) ?[,.:!-]? ?(?:sadly)?[ ,]*(?:the )?$")
MARK = 3
"""Letters of a word that is too short to tell what a user needs."""
WINDOW = 160
"""Characters on either side of a name in which the words that tell its standing are looked for."""


class Standing(StrEnum):
    """What a clause does with a name."""

    OFFERED = "offered"
    DENIED = "denied"
    ASKED = "asked"
    PASSING = "passing"
    REPEATED = "repeated"
    """Given back from the user's words: "You asked for ..."."""


def plain_triggers(text: str) -> str:
    """A clause in which phrases that only look like denials are blanked out, in their length."""
    if not MAY_DENY.search(text):
        return text
    return NO_DENIAL.sub(lambda found: "_" * len(found[0]), text)


def standing(before: str, after: str, *, asks: bool, wanted: str) -> Standing:
    """How a name stands between what comes before it and what comes after it in its clause.

    Both without phrases that only look like denials (see `plain_triggers`). `asks`: the clause has
    the word order of a question. `wanted`: the user's last words, made plain.
    """
    before = ASIDE.sub(" ", before[-WINDOW:]).rstrip('"( ') + " "
    after = IS_SHORT.sub(" is ", OF_IT.sub(" ", SIGNS.sub(" ", after[:WINDOW])))
    asks = asks and not EXCLAIMS.match(before.lstrip())
    if is_put_forward(before, after):
        return Standing.OFFERED
    if TOLD_BY_USER.search(before) and USERS.search(before) and WAS.match(after):
        return Standing.PASSING
    if USERS.search(before) and not asks:
        return Standing.DENIED if _is_denied(before, after, wanted) else Standing.REPEATED
    if not asks and THROWS_OUT.search(_scope_before(before)):
        return Standing.DENIED
    if _passes(before, after) or is_aside(before, after):
        ceased = OWNED.search(before) and CEASED.search(after)
        return Standing.DENIED if ceased else Standing.PASSING
    condition = IF.search(before)
    if condition and not WISHES.search(condition["wish"] + after.split(",")[0]):
        return Standing.PASSING
    if ASKS.search(before) and not ALL_RIGHT.match(after):
        return Standing.ASKED
    if condition or asks:
        return Standing.OFFERED
    if _is_denied(before, after, wanted):
        return Standing.DENIED
    unknown = UNKNOWN_DETAIL.search(_scope_before(before))
    failed = not VERB.match(after) and denied_before(before) and not asks
    return Standing.PASSING if unknown or failed else Standing.OFFERED


def overtaken(how: Standing, text: str, before: str, after: str, following: str) -> Standing:
    """How a name stands, given what follows its clause `text` without another name: "Rose House?
    Too dear.", "I like Rose House, it has no lift, so it won't do".
    """
    following = following[:WINDOW]
    if ECHO.fullmatch(text):
        turned = TURNED_DOWN.search(following) or _against(following)
        return Standing.DENIED if how is Standing.OFFERED and turned else how
    if how is Standing.DENIED and AFTER_ALL.match(following):
        return Standing.OFFERED
    if how is Standing.OFFERED and OWN_WORDS.search(before) and DISOWNED.match(following):
        return Standing.DENIED
    ends = not after.strip(" .,;!-")
    if how is Standing.OFFERED and ends and TRIED.search(before) and TURNED_DOWN.match(following):
        return Standing.DENIED
    if how not in (Standing.OFFERED, Standing.REPEATED) or not GOES_ON.match(following):
        return how
    turn = TURNS.search(following)
    said = following[: turn.start()] if turn else following
    it_is = IT_IS.match(said)
    closed = it_is and CLOSED.match(said, it_is.end())
    against = closed or DRAWN.search(said) or CANNOT.match(said)
    return Standing.DENIED if against else how


def _against(following: str) -> bool:
    """Whether what is said of a name given back speaks against it: "They have nothing left"."""
    turn = TURNS.search(following)
    return SPEAKS_AGAINST.match(following[: turn.start()] if turn else following) is not None


def echoing(how: Standing, last: Standing | None, before: str, after: str) -> Standing:
    """How a name stands of which is said only that it is as the one before, or is not: "..., and
    so is Rose House", "Castle Inn isn't". `last`: how the name before stands.
    """
    if last is None or how not in (Standing.OFFERED, Standing.DENIED):
        return how
    if SAME_HOLDS.search(before):
        return last
    if last is Standing.DENIED and ELLIPSIS.match(PARENTHESIS.sub(" ", after)):
        return Standing.OFFERED
    return how


def _passes(before: str, after: str) -> bool:
    if NUMBERED.search(before) and after.startswith((" road", ",")):
        return True
    passes = IN_PASSING.search(before) is not None and not is_called(before)
    return passes and not TAKEN_FROM.search(before)


def _scope_before(before: str) -> str:
    ends = [match.end() for match in OVER.finditer(before)]
    return before[ends[-1] :] if ends else before


def _scope_after(after: str) -> str:
    ended = OVER.search(after, 1)
    return after[: ended.start()] if ended else after


def _is_denied(before: str, after: str, wanted: str) -> bool:
    near, rest = _scope_before(before), _scope_after(after)
    if TRIED.search(near) and CLOSED.search(after):
        return True
    unheard = is_called(near) and denied_before(near)
    if unheard or LABELLED_NO.fullmatch(after):
        return True
    turn = TURNS.search(after)
    if DRAWN.search(after[: turn.start()] if turn else after):
        return True
    if (contrast := CONTRAST.search(rest)) and contrast[1] in wanted:
        return True
    if LISTED_AS_NOT.search(before) or (VERB.match(rest) and AGAINST_WISH.search(after)):
        return True
    if VERB.match(rest):
        return _subject_denied(near, rest, wanted)
    if OFF.match(rest) and TAKES.search(near):
        return True
    return _object_denied(near) or CLOSED.match(rest.lstrip()) is not None


def takes_verb(after: str) -> bool:
    """Whether a verb follows that has the name before it as its subject."""
    return VERB.match(after) is not None


def denied_before(before: str) -> bool:
    """Whether a denial reaches what follows these words."""
    return DENIES_OBJECT.search(_scope_before(before)) is not None


def _object_denied(near: str) -> bool:
    triggers = list(DENIES_OBJECT.finditer(near))
    if not triggers:
        return False
    found = triggers[-1]
    between = near[found.end() :]
    if BOOKING.search(between) or (DETAIL.search(between) and " of " not in found[0]):
        return False
    at = re.search(r"\b(?:at|in)(?: the)? ?$", between)
    return not at or bool(ROOMS.search(between) or USES.search(between))


def _subject_denied(near: str, rest: str, wanted: str) -> bool:
    rest = PARENTHESIS.sub(" ", rest)
    ended = FIRST.search(rest, 2)
    first = rest[: ended.start()] if ended else rest
    if NEITHER.search(near):
        return not DETAIL.search(first)
    if (more := AND_NOT.search(rest)) and not _is_mere_lack(rest[more.start() :], wanted):
        return True
    if SUBJECT_NOT.match(first):
        if SAYS_NO.match(near):
            return True
        return gives_up(rest) or bool(WANTED.search(rest)) or not _is_mere_lack(first, wanted)
    if closed := CLOSED.search(first):
        return not DETAIL.search(first, 0, closed.start())
    if re.search(r"\bonly\b", first) and re.search(r"\b(?:afraid|sorry|unfortunately)\b", rest):
        return True
    regrets = REGRET.search(near) is not None
    return gives_up(rest) or (regrets and not ALL_THERE_IS.search(first))


def _is_mere_lack(said: str, wanted: str) -> bool:
    """Lacks a feature that the user did not say to need, or a detail that is not known."""
    if LACKING.search(said):
        return not (NEEDS.search(wanted) and LACKING.search(wanted))
    lacks = LACKS.search(said)
    if lacks:
        words = re.split(r"[ -]", lacks[1])
        needed = any(len(word) > MARK and word in wanted for word in words)
        return not (ROOMS.search(lacks[1]) or needed)
    return DETAIL.search(said) is not None


def gives_up(text: str) -> bool:
    """Whether a clause denies, without its name, what was named before it: "Never heard of it"."""
    return GIVES_UP.search(text) is not None
