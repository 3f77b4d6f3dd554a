"""Calls outside of dialogues, in tests that use fixtures of ours, or play dialogues themselves."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration.case import OUTSIDE, PLAYED, PLAYERS, TAPE
from pytest_todeval.integration.cassette_options import process_of, processes_of, redactor_of
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.settings import Settings
from pytest_todeval.recording.jail import late
from pytest_todeval.recording.process import PROCESS_FILE
from pytest_todeval.shown import in_line

LISTED = 3
COUNTED = pytest.StashKey[Counter[str]]()


def look_after(item: pytest.Item) -> None:
    """From here on, look after the calls of this test that no open dialogue owns.

    Of a test that asks for no fixture of ours, those of its dialogues alone.
    """
    ours = not PLAYERS.isdisjoint(getattr(item, "fixturenames", ()))
    with plain_errors():
        settings = Settings.of(item.config)
        _look_after(item.config, item.path, settings.record, settings.allow, not ours)


def look_after_imports(config: pytest.Config) -> None:
    """From here on, look after calls made while conftest files and tests are imported.

    In a run that records, or beside a cassette of the process. Called before the command line is
    read as a whole.
    """
    given = getattr(config.known_args_namespace, "todeval_record", None)
    record = given or config.getini("todeval_record") or "replay"
    with suppress(UsageError, InvalidFile):  # said once the command line is read
        _look_after(config, config.invocation_params.dir / "conftest.py", record, (), False)


def forget(config: pytest.Config) -> None:
    """Look after no calls any more that no dialogue owns."""
    from pytest_todeval.recording.router import Router

    router = Router.of_process()
    if router.outside is config.stash.get(OUTSIDE, None):
        router.outside = None


def told(item: pytest.Item) -> dict[str, Any]:
    """Returns where the calls of a test were recorded, once it is over, and what was really made.

    With what became of calls outside of dialogues since this was asked last. As plain JSON.
    """
    config = item.config
    outside = config.stash.get(OUTSIDE, None)
    made: dict[str, int] = {}
    failures: list[str] = []
    if outside is not None:
        outside.settle()
        made, failures = dict(outside.made), list(map(str, outside.failures))
        outside.made.clear()
        outside.failures.clear()
    known = config.stash.setdefault(COUNTED, Counter())
    recorded = {}
    tape = item.stash[PLAYED].tape if PLAYED in item.stash else item.stash.get(TAPE, None)
    if tape is not None and tape.kept:
        recorded[str(tape.path)] = tape.kept
    for path, process in processes_of(config).items():
        if process.recorded > known[str(path)]:
            recorded[str(path)] = process.recorded - known[str(path)]
            known[str(path)] = process.recorded
    notices = [] if tape is None else list(tape.notices)
    return {
        "recorded": recorded,
        "made": made,
        "failures": failures,
        "notices": notices,
        "late": late(),
    }


def told_lines(told: Sequence[Mapping[str, Any]], root: Path) -> Iterator[str]:
    """Returns what `told` said of the tests of a run, for its summary."""
    recorded, made = Counter[str](), Counter[str]()
    for each in told:
        recorded.update(each["recorded"])
        made.update(each["made"])
    if recorded:
        yield f"  cassettes: recorded {', '.join(_recorded_in(recorded, root))}"
    if made:
        names = ", ".join(f"{call} ({times} x)" for call, times in made.most_common(LISTED))
        more = ", ..." if len(made) > LISTED else ""
        yield (
            f"  network: outside of dialogues, {_calls(made.total())} really made: "
            f"{in_line(names)}{more}; --todeval-record=missing records those that are not to a bot"
        )
    for notice in dict.fromkeys(notice for each in told for notice in each["notices"]):
        yield f"  cassettes: {in_line(notice)}"
    for failure in dict.fromkeys(failure for each in told for failure in each["failures"]):
        yield f"  cassettes: outside of dialogues: {in_line(failure)}"


def _recorded_in(recorded: Counter[str], root: Path) -> Iterator[str]:
    folders, files = Counter[Path](), Counter[Path]()
    for name, count in recorded.items():
        path = Path(os.path.relpath(name, root))
        if path.name == PROCESS_FILE:
            yield f"{_calls(count)} of the process in {in_line(str(path))}"
            continue
        folders[path.parent] += count
        files[path.parent] += 1
    for folder, count in sorted(folders.items()):
        tests = "1 test" if files[folder] == 1 else f"{files[folder]} tests"
        yield f"{_calls(count)} of {tests} in {in_line(str(folder))}"


def _calls(count: int) -> str:
    return "1 call" if count == 1 else f"{count} calls"


def _look_after(
    config: pytest.Config, file: Path, record: str, allow: tuple[str, ...], in_lanes_only: bool
) -> None:
    from pytest_todeval.recording.address import Address
    from pytest_todeval.recording.outside import OutsideCalls
    from pytest_todeval.recording.router import Router

    process = process_of(config, file, record)
    before = config.stash.get(OUTSIDE, None)
    if before is not None and (before.process, before.in_lanes_only) == (process, in_lanes_only):
        Router.of_process().outside = before
        return
    if before is not None:
        before.settle()
    outside = config.stash[OUTSIDE] = OutsideCalls(
        process,
        allowed=map(Address.parse, allow),
        redactor=redactor_of(config),
        in_lanes_only=in_lanes_only,
    )
    if before is not None:
        outside.made.update(before.made)
        outside.failures += before.failures
    Router.of_process().outside = outside
