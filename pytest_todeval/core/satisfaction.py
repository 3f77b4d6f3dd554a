"""Whether the user left with what it wanted, as far as the end of the dialogue tells."""

from collections.abc import Mapping

from pytest_todeval.core.outcome import SCRIPT_ENDED, Outcome, StopReason
from pytest_todeval.core.verdict import Verdict

__all__ = ["satisfied"]

NAME = "satisfied"
SHOWING = ("reward", "success", "booking")
"""Verdicts that show what the user lacks if nobody said so."""
ENDED_BY_THE_BOT = "the bot ended the dialogue"


def satisfied(
    stop: StopReason,
    fault: Outcome | None,
    detail: str,
    turns: int,
    verdicts: Mapping[str, Verdict],
) -> Verdict:
    """The verdict from the user's side.

    Passed if the user left with everything; failed if it gave up, ran out of turns or the bot broke
    off, with what is lacking. It does not apply if nothing tells: the lines of a script have ended,
    the dialogue was imported, or a fault that is not the bot's ended it.
    """
    last = (turns,) if turns else ()
    if stop is StopReason.USER_DONE and detail != SCRIPT_ENDED:
        return Verdict(NAME, True, detail or "the user left with everything", last)
    if stop in (StopReason.USER_GAVE_UP, StopReason.TURN_LIMIT):
        what = "gave up" if stop is StopReason.USER_GAVE_UP else "ran out of turns"
        return Verdict(NAME, False, f"the user {what}: {detail or _lack(verdicts)}", last)
    if fault is Outcome.FAILED:
        return Verdict(NAME, False, f"the bot broke off: {detail or stop.value}", last)
    if stop in (StopReason.USER_DONE, StopReason.SYSTEM_DONE) and fault is None:
        return _by_verdicts(stop, verdicts, last)
    return Verdict(NAME, True, f"nothing tells: {detail or stop.value}", last, applicable=False)


def _by_verdicts(
    stop: StopReason, verdicts: Mapping[str, Verdict], last: tuple[int, ...]
) -> Verdict:
    """Who did not leave of its own accord has what the metrics say."""
    how = ENDED_BY_THE_BOT if stop is StopReason.SYSTEM_DONE else SCRIPT_ENDED
    known = [verdicts[name] for name in SHOWING if name in verdicts and verdicts[name].applicable]
    if not known:
        reason = f"{how}, which does not tell what the user has"
        return Verdict(NAME, True, reason, last, applicable=False)
    doubt = next((verdict.doubt for verdict in known if verdict.doubt), "")
    failed = next((verdict for verdict in known if not verdict.doubt and not verdict.passed), None)
    if failed is not None:
        return Verdict(NAME, False, f"{how}, but {failed.reason}", last)
    return Verdict(NAME, True, f"{how}, and {known[0].reason}", last, doubt=doubt)


def _lack(verdicts: Mapping[str, Verdict]) -> str:
    lacking = (v.reason for name in SHOWING if (v := verdicts.get(name)) and not v.passed)
    return next(lacking, "nobody said what is lacking")
