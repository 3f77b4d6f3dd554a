"""Whether the user left with what it wanted, as far as the end of the dialogue tells."""

from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.core.outcome import SCRIPT_ENDED, SCRIPT_UNFINISHED, Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, NeverDone

NAME = "satisfied"
DECISIVE = ("reward", "success", "booking")
"""The verdicts that tell whether a bot did what the goal asks for."""
UNSERVED = {StopReason.USER_GAVE_UP: "gave up", StopReason.TURN_LIMIT: "ran out of turns"}
"""How a user leaves without what it wanted, in words."""
LACKING = "what is lacking: "
"""What stands before the things that a user wants and has not got."""
SHOWN_REPLY = 120
"""Characters of the bot's last words that a reason quotes."""
ENDED_BY_THE_BOT = "the bot ended the dialogue"


def satisfied(
    stop: StopReason,
    fault: Outcome | None,
    detail: str,
    replies: Sequence[str],
    verdicts: Mapping[str, Verdict],
) -> Verdict:
    """Returns the verdict from the user's side; `replies` are what the bot said, turn by turn.

    Passed if the user left with everything, or gave up if a task's reward says that no more was
    to be had; failed if it gave up, ran out of turns or the bot broke off, with what is lacking. It
    has a doubt if a verdict has one that the user may have given up for. It does not apply if
    nothing tells: the lines of a script have ended, or were cut short, the dialogue was imported,
    or something that is not the bot's ended it.
    """
    turns = len(replies)
    last = (turns,) if turns else ()
    if stop is StopReason.USER_DONE and detail != SCRIPT_ENDED:
        return Verdict(NAME, True, detail or "the user left with everything", last)
    if left_unserved(stop, detail):
        what = f"the user {UNSERVED[stop]} in turn {turns}"
        return _unserved(what, detail, replies, verdicts, last)
    if fault is Outcome.FAILED:
        return Verdict(NAME, False, f"the bot broke off: {detail or stop.value}", last)
    if fault is None and stop in (StopReason.USER_DONE, StopReason.SYSTEM_DONE, *UNSERVED):
        how = ENDED_BY_THE_BOT if stop is StopReason.SYSTEM_DONE else detail
        return _by_verdicts(how, verdicts, last)
    return Verdict(NAME, True, f"nothing tells: {detail or stop.value}", last, applicable=False)


def left_unserved(stop: StopReason, detail: str) -> bool:
    """Whether a user gave up, or had no turns left; one that follows a script wants nothing."""
    return stop in UNSERVED and not detail.endswith(SCRIPT_UNFINISHED)


def turns_to_done(turns: int, verdicts: Mapping[str, Verdict], served: Verdict) -> int:
    """The turn in which the last thing was there that the user needed, by the verdicts' turns.

    The last of all `turns` if no verdict tells one. Raises NeverDone if something never was there,
    JudgeFault if nothing tells, or if that hangs on words which may be misheard.
    """
    __tracebackhide__ = True  # a test shows its own line, not this one
    known = list(_known(verdicts)) or ([served] if served.applicable else [])
    if not known:
        raise JudgeFault(f"turns_to_done is unknown: {served.reason}")
    for verdict in known:
        if not verdict:
            raise NeverDone(f"never done in {turns} turns: {verdict.reason}")
    return max((turn for verdict in known for turn in verdict.turns), default=turns)


def _unserved(
    what: str,
    detail: str,
    replies: Sequence[str],
    verdicts: Mapping[str, Verdict],
    last: tuple[int, ...],
) -> Verdict:
    known = list(_known(verdicts))
    doubt = next((verdict.doubt for verdict in known if verdict.doubt), "")
    for expecting, name in (("task", "reward"), ("goal", "refusal")):
        found = verdicts.get(name)
        if found is not None and found.applicable and _all_passed(name, verdicts):
            return Verdict(NAME, True, f"{what}, as the {expecting} expects: {found.reason}", last)
    told = detail or "it does not say why"
    failed = next((each for each in reversed(known) if not each.doubt and not each.passed), None)
    if failed is not None:
        told += "; " if LACKING in detail else f"; {LACKING}"
        told += failed.reason
    if replies:
        told += f"; the bot said last: {replies[-1].strip()[:SHOWN_REPLY]!r}"
    return Verdict(NAME, False, f"{what}: {told}", last, doubt=doubt)


def _by_verdicts(how: str, verdicts: Mapping[str, Verdict], last: tuple[int, ...]) -> Verdict:
    """Who did not leave of its own accord has what the metrics say."""
    known = list(_known(verdicts))
    if not known:
        reason = f"{how}, which does not tell what the user has"
        return Verdict(NAME, True, reason, last, applicable=False)
    doubt = next((verdict.doubt for verdict in known if verdict.doubt), "")
    failed = next((verdict for verdict in known if not verdict.doubt and not verdict.passed), None)
    if failed is not None:
        return Verdict(NAME, False, f"{how}, but {failed.reason}", last)
    return Verdict(NAME, True, f"{how}, and {known[0].reason}", last, doubt=doubt)


def _known(verdicts: Mapping[str, Verdict]) -> Iterator[Verdict]:
    return (verdicts[n] for n in DECISIVE if n in verdicts and verdicts[n].applicable)


def _all_passed(name: str, verdicts: Mapping[str, Verdict]) -> bool:
    """A reward stands for all; a refusal is a part of what success tells of."""
    told = (verdicts.get(each) for each in (name, *(("success",) if name == "refusal" else ())))
    return all(verdict is not None and verdict.passed and not verdict.doubt for verdict in told)
