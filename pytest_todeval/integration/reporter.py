"""Hooks of the process that reports: the only one without xdist, the controller with it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration.case import (
    EXAMPLES,
    LEFT_OUT,
    NOT_COUNTED,
    PAYLOAD,
    TOLD,
    case_of,
    is_recorded,
)
from pytest_todeval.integration.cassette_options import check_cassette_options
from pytest_todeval.integration.option_values import text_of
from pytest_todeval.integration.settings import Settings, results_path

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_todeval.integration.case import Case
    from pytest_todeval.integration.failure_groups import FailureGroups
    from pytest_todeval.integration.record import Run
    from pytest_todeval.runs.reports.schema import DialogueEntry, Results, SequentialEntry


WHO = (
    *("model", "models", "base_url", "ear", "coverage", "judge", "user"),
    *("prompts", "policy", "examples"),
)
"""Settings of who plays and judges."""


class Reporter:
    """Collects the dialogues of a run; prints and writes nothing if there are none."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._players: list[str] = []
        self._run: Run | None = None  # made for the first dialogue: most runs have none
        self._found: Results | None = None
        self._ran = False
        self._told: list[dict[str, Any]] = []
        self._results: Path | None = None
        self.page: Path | None = None
        """Where the page is to be, if one is asked for."""
        self._keeps = False
        self._not_kept = ""
        self._idle: list[str] = []
        """What has no effect, whatever the tests are."""
        self._refused = ""
        self._show = ""
        self._groups: FailureGroups | None = None
        try:
            self._settings = Settings.of(config)
            self._results = results_path(config)
            self.page = results_path(config, "report")
            if self._results is not None and config.getoption("todeval_resume"):
                from pytest_todeval.integration.resume import go_on

                self._run = go_on(self._results, self._settings)
            check_cassette_options(config)
            given = self._settings
            if given.given() or text_of(config, "cassettes"):
                from pytest_todeval.integration.budget import prices_of
                from pytest_todeval.integration.without_effect import require_company, require_files

                require_files(config)
                prices_of(config)
                self._idle += require_company(config, given)
            if any(getattr(given, name) for name in WHO):
                from pytest_todeval.integration.resolving import cast_of

                cast = cast_of(config)
                cast.require_documents()
                cast.require_models()
                self._players += filter(None, (cast.line(),))
                if given.record != "replay":
                    from pytest_todeval.models.run_models import where_asked

                    cast.require_trust()
                    self._players += where_asked(cast.models, cast.run_models.base_urls)
            if given.record != "replay" and (lines := config.getini("todeval_gateway")):
                from pytest_todeval.recording.gateway.upstreams import places

                self._players += places(lines, os.environ)
        except (UsageError, InvalidFile) as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_report_header(self) -> list[str]:
        """The settings given, before anything is collected (under xdist, nothing is here)."""
        given = self._settings.given()
        if not given:
            return []
        if self._spread:
            self._show_progress()
        lines = ["todeval: " + ", ".join(f"{name}={value}" for name, value in given.items())]
        if self._run is not None:
            taken = len(self._run.entries)
            lines.append(f"todeval: resumed: {taken} dialogues are in {self._settings.json}")
        lines += [f"todeval: {line}" for line in self._players]
        if self._settings.record != "replay" and self._spread:
            from pytest_todeval.integration.plan import budget_text

            budget = budget_text(self._settings)
            lines.append(
                f"todeval: budget: {budget}; --collect-only shows the plan, spends nothing"
            )
        return _header(lines)

    def pytest_report_collectionfinish(self, items: Sequence[pytest.Item]) -> list[str]:
        """Returns how many dialogues, over which goals, and what will be recorded."""
        known = [case for case in map(case_of, items) if case is not None]
        cases = [case for case in known if not case.is_drawn]
        idle = self._without_effect()
        told = [f"todeval: without effect in this run: {'; '.join(idle)}"] if idle else []
        if drawing := len(known) - len(cases):
            told.append(f"todeval: tests that draw goals while they run: {drawing}")
        lines = []
        if cases:
            self._show_progress()
            found = {f"{case.goal_set.name} ({case.goal_set.fingerprint})" for case in cases}
            counted = f"{len(cases)} dialogue{'' if len(cases) == 1 else 's'}"
            lines.append(f"todeval: {counted} over {', '.join(sorted(found))}")
            if self._config.option.collectonly and self._config.get_verbosity() >= 0:
                lines += _goals_in_words(cases)
        elif not any(map(is_recorded, items)):
            return _header(told)
        if self._settings.record != "live" and self._replays_something:
            lines.append(f"todeval: {self._kept_by()}")
        lines += told
        if self._settings.record != "replay":
            from pytest_todeval.integration.plan import plan_lines

            lines += plan_lines(self._config, items)
        return _header(lines)

    def _without_effect(self) -> list[str]:
        """The settings that nothing in this run reads, as far as the tests collected tell."""
        if "pytest_todeval.integration.without_effect" not in sys.modules:  # nothing is set
            return []
        from pytest_todeval.integration.without_effect import FOUND, WithoutEffect

        return [*self._idle, *self._config.stash.get(FOUND, WithoutEffect()).told]

    def _unasked(self) -> list[str]:
        """Returns what is said of models that nobody asked, which is known only now."""
        entries = [] if self._run is None else self._run.entries
        if not entries or not self._settings.given():
            return []
        from pytest_todeval.integration.without_effect import FOUND, WithoutEffect, of_models

        settled = all(entry["outcome"] in ("passed", "failed") for entry in entries)
        if not settled or self._config.stash.get(FOUND, WithoutEffect()).reads_models:
            return []
        return of_models(self._config, entries)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """pytest-xdist: what a worker collected is known."""
        from pytest_todeval.integration.without_effect import FOUND, WORKER_FOUND, WithoutEffect

        found = getattr(node, "workeroutput", {}).get(WORKER_FOUND)
        if found is not None:
            self._config.stash[FOUND] = WithoutEffect(*found)
            self._refused = self._config.stash[FOUND].refused

    def _show_progress(self) -> None:
        if not self._config.option.collectonly and self._settings.show != "live":
            from pytest_todeval.integration.progress import start_progress

            start_progress(self._config)

    @property
    def _replays_something(self) -> bool:
        """Says whether it matters here what holds the network back in replay."""
        recorded = (self._config.rootpath / "cassettes").is_dir()
        return recorded or self._settings.record != "replay" or self._settings.jail is not None

    @property
    def _spread(self) -> bool:
        """Says whether this process collects nothing, and so has no head to say it in."""
        return bool(self._config.pluginmanager.hasplugin("dsession"))

    def _kept_by(self) -> str:
        from pytest_todeval.recording.jail import kept_by

        return kept_by(self._settings.jail)

    def _late(self) -> set[str]:
        """Returns what came, or was held back, after its dialogue, in any process."""
        found = {line for each in self._told for line in each["late"]}
        if "pytest_todeval.recording.router" not in sys.modules:
            return found
        from pytest_todeval.recording.jail import late

        return found.union(late())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if any(report.__dict__.get(TOLD, {}).values()):
            self._told.append(report.__dict__[TOLD])
        if PAYLOAD in report.__dict__:
            _require_parts(report)
        if PAYLOAD in report.__dict__ and report.failed:
            from pytest_todeval.integration.junit import add_dialogue

            add_dialogue(report, self._config)
        if self._show and report.__dict__.get(PAYLOAD, {}).get("cause"):
            self._group(report)
        own = [report.__dict__[PAYLOAD]] if PAYLOAD in report.__dict__ else []
        payloads = [*report.__dict__.get(EXAMPLES, ()), *own]
        if not payloads and LEFT_OUT not in report.__dict__:
            return
        from pytest_todeval.integration.record import Run

        self._run = self._run or Run()
        self._found = None
        if LEFT_OUT in report.__dict__:
            self._run.excluded.add(report.__dict__[LEFT_OUT])
        self._run.not_counted += filter(None, [report.__dict__.get(NOT_COUNTED)])
        for payload in payloads:
            self._run.take(payload)
            self._keep(payload)
        if line := self._run.progress():
            terminal = self._config.pluginmanager.get_plugin("terminalreporter")
            if terminal is not None:
                terminal.ensure_newline()
                from pytest_todeval.integration.terminal import write_lines

                write_lines(terminal, [f"todeval: {line}"])

    def _keep(self, payload: dict[str, Any]) -> None:
        """Keeps a dialogue for a run that goes on, should this one be killed."""
        if self._results is not None:
            from pytest_todeval.integration.resume import append

            try:
                append(self._results, payload, first=not self._keeps)
            except UsageError as error:  # what was played is played all the same
                self._not_kept = str(error)
            self._keeps = True

    def group_failures(self, show: str) -> None:
        """Has failures of one cause shown together, once there are any."""
        self._show = show

    def _group(self, report: pytest.TestReport) -> None:
        if self._groups is None:
            from pytest_todeval.integration.failure_groups import FailureGroups, Restorer

            self._groups = FailureGroups(self._show)
            self._config.pluginmanager.register(self._groups, "todeval-failure-groups")
            self._config.pluginmanager.register(Restorer(self._groups), "todeval-restorer")
        self._groups.take(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Not called by `--fixtures` or `--cache-show`, nor with a wrong path: they run nothing."""
        self._ran = not self._config.option.collectonly

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._refused:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        if self._results is None or not self._ran:
            return
        from pytest_todeval.integration.record import Run, write

        self._run = self._run or Run()  # or the results of an earlier run would pass for this one's
        try:
            write(self._results_of(self._run), self._results)
        except UsageError as error:  # the disk is full, or the folder was taken away meanwhile
            self._not_kept = str(error)
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def restored(self) -> "Sequence[DialogueEntry]":
        """Returns the dialogues of the run that this one goes on with."""
        return () if self._run is None else tuple(self._run.entries)

    def note_sequential(self, entry: "SequentialEntry") -> None:
        """Says in the results how far a run went that ends once it is decided."""
        if self._run is not None:
            self._run.about["sequential"] = [entry]
            self._found = None

    def results(self) -> "Results | None":
        """What the run has found so far, as its results file has it; None without dialogues."""
        return None if self._run is None else self._results_of(self._run)

    def _results_of(self, run: "Run") -> "Results":
        """Summed up once for the file, the gates and the terminal."""
        if self._found is None:
            self._found = run.results(self._settings)
        return self._found

    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        if not (self._run or self._told or self._refused):
            return
        from pytest_todeval.integration.terminal import write_lines

        if self._run is not None:
            self._sum_up(self._run, terminalreporter)
        if self._told:
            from pytest_todeval.integration.calls_outside import told_lines

            folder = self._config.invocation_params.dir
            write_lines(terminalreporter, told_lines(self._told, folder))
        told = [*(self._without_effect() if self._spread else ()), *self._unasked()]
        lines = [f"todeval: without effect in this run: {'; '.join(told)}"] if told else []
        lines += [f"ERROR: {self._refused}"] if self._refused else []
        if self._run is not None and self._settings.json:
            lines.append(f"results: {self._not_kept or self._settings.json}")
        write_lines(terminalreporter, lines)

    def _sum_up(self, run: "Run", terminalreporter: "TerminalReporter") -> None:
        from pytest_todeval.integration.terminal import write_lines
        from pytest_todeval.runs.reports.terminal import (
            again_lines,
            different_data_lines,
            drift_lines,
            excluded_lines,
            idle_rule_lines,
            summary_lines,
            trivial_lines,
            unused_lines,
        )

        terminalreporter.section("dialogues", sep="=")
        write_lines(terminalreporter, summary_lines(self._results_of(run), run.played_by))
        goals = len({entry["goal"] for entry in run.entries} | run.excluded)
        lines = [
            *different_data_lines(run.goal_sets),
            *trivial_lines(run.trivial, goals),
            *excluded_lines(run.excluded, goals),
            *idle_rule_lines(run.idle_rules),
            *again_lines(run.again),
            *(f"  {line}" for line in run.not_counted),
            *drift_lines(run.drift),
            *unused_lines(run.unused),
            *(f"  network: {line}" for line in sorted({*run.not_held_back, *self._late()})),
        ]
        if self._spread and self._settings.record != "live":
            lines.append(f"  network: {self._kept_by()}")
        write_lines(terminalreporter, lines)


def _require_parts(report: pytest.TestReport) -> None:
    """Ends the run if a report is none of this version: without it, its figures would be wrong."""
    from pytest_todeval.integration.record import require_parts

    try:
        require_parts(report.__dict__[PAYLOAD])
    except InvalidFile as error:
        from pytest_todeval.shown import in_line

        worker = getattr(getattr(report, "node", None), "gateway", None)
        by = f"worker {worker.id}" if worker is not None else "a plugin"
        why = f"todeval: {report.nodeid}: what {by} reports is {error}"
        do = "install the same version of pytest-todeval for all workers"
        pytest.exit(in_line(f"{why}; {do}"), returncode=pytest.ExitCode.USAGE_ERROR)


def _goals_in_words(cases: "Sequence[Case]") -> list[str]:
    """Returns what the user wants in each test that is collected, a line for each goal."""
    from pytest_todeval.models.goal_text import goal_text

    goals = {case.goal.name: case.goal for case in cases}
    return [f"  {name}: {' '.join(goal_text(goal).split())}" for name, goal in goals.items()]


def _header(lines: Sequence[str]) -> list[str]:
    if not lines:  # of another suite
        return []
    from pytest_todeval.shown import in_line

    return [in_line(line) for line in lines]
