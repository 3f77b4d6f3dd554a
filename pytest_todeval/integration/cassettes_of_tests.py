"""Cassettes of tests without a dialogue: the marker and the fixture `todeval_cassette`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.case import OF_ANY_TEST, TAPE, is_recorded
from pytest_todeval.integration.record import redact
from pytest_todeval.integration.recording import dropped_line, faults, opened_for, unused_line
from pytest_todeval.integration.terminal import add_section
from pytest_todeval.recording.tape import Tape

FAILED: pytest.StashKey[bool] = pytest.StashKey()
"""Whether the body of a test failed, once it ran."""
SAID: pytest.StashKey[str] = pytest.StashKey()
"""What was said already of faults of its calls."""


def ask_for_fixture(items: Sequence[pytest.Item]) -> None:
    """Has the tests that bear the marker ask for the fixture, before all others of a function."""
    for item in items:
        if not isinstance(item, pytest.Function) or is_recorded(item):
            continue
        if item.get_closest_marker(OF_ANY_TEST) is not None:
            known = item._fixtureinfo.name2fixturedefs
            names = item.fixturenames
            wider = [
                name for name in names if name in known and known[name][-1].scope != "function"
            ]
            place = max((names.index(name) + 1 for name in wider), default=0)
            # A list of its own: tests of one function share theirs.
            item.fixturenames = [*names[:place], OF_ANY_TEST, *names[place:]]


@contextmanager
def recorded(item: pytest.Item) -> Iterator[Tape]:
    """Returns the tape of a test, open from its first fixture to its last.

    Raises what `Tape.finish` raises, and fails the test if calls of its teardown went wrong.
    """
    item.stash[SAID] = ""
    item.stash[FAILED] = True  # until it has passed
    with opened_for(item, item.nodeid, allowed=_allowed(item)) as tape:
        item.stash[TAPE] = tape
        yield tape
        tape.end_calls()
        require_answers(item)
        tape.finish(keep=_keeps(item, tape) and not faults(tape))
        if not item.stash[FAILED] and (line := unused_line(tape)):
            tape.notice(line)
        if names := ", ".join(sorted(tape.redacted)):
            tape.notice(
                f"redacted in recorded answers: {names}; in replay tests see `todeval-redacted`. "
                "If it is no secret, say so: `todeval_redact = keep: NAME`"
            )


def require_answers(item: pytest.Item) -> None:
    """Fail a test whose calls went wrong, even if it caught the error."""
    tape = item.stash[TAPE]
    told = faults(tape)
    if told and told != item.stash[SAID]:
        item.stash[SAID] = told
        pytest.fail(_headed(tape, told), pytrace=False)


def tell(item: pytest.Item, report: pytest.TestReport) -> None:
    """Puts on a test's report what went wrong with its calls, in place of what came of that.

    Without the secrets that it shows.
    """
    tape = item.stash[TAPE]
    if report.when == "call":
        item.stash[FAILED] = not (report.passed or hasattr(report, "wasxfail"))
    if report.failed and report.when != "teardown":
        told = faults(tape)
        if told and told != item.stash[SAID]:
            item.stash[SAID] = told
            report.longrepr = _headed(tape, told)
        elif tape.records and not _keeps(item, tape):
            add_section(report, "cassette", dropped_line(tape, "the test failed"))
    redact(report, item.config)


def _keeps(item: pytest.Item, tape: Tape) -> bool:
    """Says whether a test's recording is kept: the first one of a failed test is, to go on from."""
    return not item.stash[FAILED] or not (tape.has_whole_cassette or tape.has_faulty)


def _headed(tape: Tape, told: str) -> str:
    outcome = Outcome.STALE_CASSETTE if tape.misses else Outcome.INFRASTRUCTURE
    return f"{outcome}: {told}"


def _allowed(item: pytest.Item) -> Sequence[str]:
    """Returns the addresses that the marker lets through."""
    mark = item.get_closest_marker(OF_ANY_TEST)
    given = {} if mark is None else mark.kwargs
    unknown = [*given.keys() - {"allow"}, *(() if mark is None else map(repr, mark.args))]
    if unknown:
        raise UsageError(
            f"the marker {OF_ANY_TEST} of {item.nodeid} knows no {', '.join(unknown)}; expected "
            f'nothing, or @pytest.mark.{OF_ANY_TEST}(allow="HOST:PORT"), or a list of such'
        )
    allow = given.get("allow", ())
    return list(filter(None, [allow] if isinstance(allow, str) else allow))
