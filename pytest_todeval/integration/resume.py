"""Going on with a run: what its results file holds is told again, not played again.

While a run with `--todeval-json` lasts, the process that reports appends each dialogue to
`FILE.partial`, which is removed once the file is written; so a killed run leaves what it played.
`--todeval-resume` puts that into the file before anything is collected. From then on the file stays
as it is until the run ends, so that all processes read the same.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration.case import case_of
from pytest_todeval.integration.settings import Settings, partial_path, results_path

if TYPE_CHECKING:
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.integration.record import Run
    from pytest_todeval.runs.reports.schema import DialogueEntry, Results

SETTLED = (Outcome.PASSED, Outcome.FAILED)
"""The outcomes that are told again; faults are played again."""
MAY_DIFFER = frozenset({"limit", "trials"})
"""Settings that say how much is played, and nothing of how."""
PHASES = ("setup", "call")


def append(results: Path, payload: Mapping[str, Any], *, first: bool) -> None:
    """Keeps a dialogue that was just played; the first one of a run starts the file anew.

    Raises UsageError if the place cannot be written to.
    """
    path = partial_path(results)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if first:
            path.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o666), "a", encoding="utf-8") as file:
            file.write(json.dumps(payload, ensure_ascii=False) + "\n")
    except OSError as error:
        raise UsageError(f"cannot keep what was played in {path}: {error}") from error


def go_on(results: Path, settings: Settings) -> "Run":
    """A run that has what the results file and a killed run's partial file hold; both as one file.

    Raises UsageError if these were measured otherwise than this run measures, InvalidFile.
    """
    from pytest_todeval.integration.record import Run, write
    from pytest_todeval.runs.reports.results import read_results

    run, partial = Run(), partial_path(results)
    if results.exists():
        try:
            found = read_results(results)
        except InvalidFile as error:
            raise UsageError(f"--todeval-resume: {error}") from None
        _require_alike(found, settings, results)
        run.restore(found)
    if partial.exists():
        payloads = list(_payloads(partial, settings))
        for payload in payloads:
            run.take(payload)
        whole, run = run.results(settings), Run()
        write(whole, results)
        run.restore(whole)
    return run


def _payloads(path: Path, settings: Settings) -> Iterator[dict[str, Any]]:
    """Returns the dialogues of a partial file; the last line may be torn, as its run was killed."""
    from pytest_todeval.integration.record import Run, require_parts
    from pytest_todeval.runs.reports.results_file import require_entry

    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            payload = json.loads(line)
            require_parts(payload)
            require_entry(payload["entry"])
            alone = Run()
            alone.take(payload)
            alone.results(settings)
        except (ValueError, TypeError, LookupError, InvalidFile, RecursionError):
            if any(lines[number:]):
                raise InvalidFile(
                    f"{path}:{number}: not a dialogue that a run has kept; delete the file to play "
                    "its dialogues again"
                ) from None
        else:
            yield payload


def _require_alike(found: "Results", settings: Settings, path: Path) -> None:
    from importlib.metadata import version

    from pytest_todeval.integration.record import measured

    was, now = found["environment"]["settings"], measured(settings)
    for name in sorted({*was, *now} - MAY_DIFFER):
        if str(was.get(name)) != str(now.get(name)):
            raise UsageError(
                f"--todeval-resume: {path} was measured with {name}={was.get(name)}, this run has "
                f"{name}={now.get(name)}: name another file, or leave out --todeval-resume"
            )
    if found["environment"]["todeval"] != version("pytest-todeval"):
        raise UsageError(
            f"--todeval-resume: {path} was written by version {found['environment']['todeval']}: "
            "its numbers may be defined otherwise; name another file"
        )


class Resumed:
    """Tells of tests whose dialogue stands in the results file what it came to then."""

    def __init__(self, results: Path) -> None:
        self._path = results
        self._kept: dict[str, DialogueEntry] | None = None

    @classmethod
    def of(cls, config: pytest.Config) -> "Resumed":
        """For a run. Raises pytest.UsageError if it writes no results file to go on with."""
        path = results_path(config)
        if path is None:
            raise pytest.UsageError(
                "--todeval-resume needs --todeval-json FILE: what to go on with"
            )
        return cls(path)

    def pytest_report_header(self) -> str:
        return (
            f"todeval: resuming: {len(self._known())} of the dialogues stand in {self._path.name}; "
            "what passed or failed is not played again"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """True if the test was told of; else it is run as usual."""
        entry = self._of(item)
        if entry is None:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in (*_reports(item, entry, self._path), torn_down(item, nextitem)):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _of(self, item: pytest.Item) -> "DialogueEntry | None":
        """What the file holds of a test, if that settles it and its goal is still the same."""
        case = case_of(item)
        if case is None or item.get_closest_marker("xfail") is not None:
            return None
        entry = self._known().get(item.nodeid)
        if entry is None or not _is_of(entry, case.goal):
            return None
        from pytest_todeval.integration.quarantine import quarantine_entry

        was = {name: each for name, each in entry.items() if name.startswith("quarantine")}
        return entry if was == quarantine_entry(case) else None

    def _known(self) -> "dict[str, DialogueEntry]":
        if self._kept is None:
            self._kept = _settled(self._path)
        return self._kept


def _settled(path: Path) -> "dict[str, DialogueEntry]":
    if not path.exists():
        return {}
    from pytest_todeval.runs.reports.results import read_results

    entries = read_results(path)["dialogues"]
    return {entry["test"]: entry for entry in entries if entry["outcome"] in SETTLED}


def _is_of(entry: "DialogueEntry", goal: "Goal") -> bool:
    from pytest_todeval.runs.reports.nouns import noun

    return bool(entry.get("goal_record") == json.loads(json.dumps(noun(goal))))


def _reports(item: pytest.Item, entry: "DialogueEntry", path: Path) -> Sequence[pytest.TestReport]:
    failed = entry["outcome"] == Outcome.FAILED
    why = entry.get("raised") or entry["detail"] or entry["stop_reason"]
    told = f"{why}\nnot played again: its result is that in {path.name} (--todeval-resume)"
    reports = [
        pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords=dict.fromkeys(item.keywords, 1),
            outcome="failed" if failed and phase == "call" else "passed",
            longrepr=told if failed and phase == "call" else None,
            when=phase,  # type: ignore[arg-type]
        )
        for phase in PHASES
    ]
    from pytest_todeval.integration.quarantine import excuse

    excuse(item, reports[-1], Outcome(entry["outcome"]))
    return reports


def torn_down(item: pytest.Item, nextitem: pytest.Item | None) -> pytest.TestReport:
    """Returns what tests before it have set up, and the next one does not need, is torn down."""
    state = item.session._setupstate
    call = pytest.CallInfo.from_call(lambda: state.teardown_exact(nextitem), "teardown")
    return pytest.TestReport.from_item_and_call(item, call)
