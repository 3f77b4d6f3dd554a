"""Who answers for the result of a test: exactly one outcome per dialogue."""

from dataclasses import replace

import pytest

from pytest_todeval import errors
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.satisfaction import left_unserved
from pytest_todeval.integration.case import Played

SAY_SO = 'If that is right in this test, mark it: @pytest.mark.todeval(unserved="allowed")'

# Who is responsible if a test's assertions raise one of our errors.
_OWNERS: tuple[tuple[type[BaseException], Outcome], ...] = (
    (errors.JudgeFault, Outcome.JUDGE_FAULT),
    (errors.SimulatorFault, Outcome.SIMULATOR_FAULT),
    (errors.OracleFault, Outcome.ORACLE_FAULT),
    (errors.BackendError, Outcome.INFRASTRUCTURE),
    (errors.ModelUnavailable, Outcome.INFRASTRUCTURE),
    (errors.NeverDone, Outcome.FAILED),
    (AssertionError, Outcome.FAILED),
    (pytest.fail.Exception, Outcome.FAILED),
)


def decide(dialogue: Dialogue, raised: BaseException | None) -> Outcome:
    """Returns the one outcome of a dialogue, given what its test raised (None: it passed).

    If the dialogue itself settles it (the bot crashed, the simulator failed), that stands. An
    exception that is neither an assertion nor one of ours means that the test itself is broken,
    which says nothing about the bot.
    """
    if dialogue.fault is not None:
        return dialogue.fault
    if raised is None:
        return Outcome.PASSED
    if isinstance(raised, pytest.fail.Exception) and raised.__suppress_context__:
        raised = raised.__context__ or raised  # what `plain_errors` shows as its message alone
    owned = (outcome for kind, outcome in _OWNERS if isinstance(raised, kind))
    return next(owned, Outcome.TEST_ERROR)


def require_sound(played: Played) -> None:
    """Fail a test that passed although its bot crashed, a call of its was not in the cassette, or
    its user left unserved.

    Whatever the test asserts, that is no pass: what went wrong may have been swallowed.
    """
    settle(played)
    _require_served(played)
    dialogue = played.dialogue
    if dialogue.fault is Outcome.FAILED:
        pytest.fail(
            f"the bot failed during the dialogue ({dialogue.stop_reason}): {dialogue.detail}",
            pytrace=False,
        )
    if dialogue.fault is not None:
        pytest.fail(f"{dialogue.fault}: {dialogue.detail}", pytrace=False)


def _require_served(played: Played) -> None:
    """Fail a test whose user gave up or ran out of turns, unless the test says that this is right.

    If that hangs on words which may be misheard, it is nobody's failure.
    """
    dialogue = played.dialogue
    unserved = left_unserved(dialogue.stop_reason, dialogue.detail)
    if dialogue.fault is not None or not unserved or played.may_be_unserved:
        return
    try:
        if dialogue.satisfied:
            return
    except errors.JudgeFault as fault:
        played.dialogue = replace(dialogue, fault=Outcome.JUDGE_FAULT, detail=str(fault))
        return
    pytest.fail(f"{dialogue.satisfied.reason}\n{SAY_SO}", pytrace=False)


def settle(played: Played) -> None:
    """Take what went wrong with calls of the test itself, its judges above all, to the dialogue."""
    if played.tape is not None and played.dialogue.fault is None:
        from pytest_todeval.integration.recording import mark_stale

        played.tape.end_calls()
        played.dialogue = mark_stale(played.dialogue, played.tape)
