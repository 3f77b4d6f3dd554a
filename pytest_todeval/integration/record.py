"""From the worker that played a dialogue to the process that reports, on pytest's reports."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from pytest_todeval.core.transcript import render
from pytest_todeval.errors import InvalidFile
from pytest_todeval.integration.allure_report import add_dialogue, is_on
from pytest_todeval.integration.case import PAYLOAD, Played, case_of
from pytest_todeval.integration.cassette_options import redactor_of
from pytest_todeval.integration.junit import is_written, properties
from pytest_todeval.integration.players import about
from pytest_todeval.integration.settings import Settings, partial_path
from pytest_todeval.integration.terminal import add_section, neutralise

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.outcome import Outcome
    from pytest_todeval.prices import Prices
    from pytest_todeval.runs.reports.schema import DialogueEntry, Results

MEASURED = (
    *("trivial", "outputs", "limit", "trials", "user", "variation", "judge", "ear", "claims"),
    *("samples", "upstream", "coverage"),
)
"""The settings that say what was measured; the others do not, and some differ by machine."""

OF_THE_PROJECT = frozenset({"test", "goal", "goal_record"})
"""Fields of an entry that come from the project's own files: these say which dialogue it was."""

NAMED = ("goal_set", "definitions", "prompts", "rules", "idle_rules")
PARTS: Mapping[str, type] = {
    **dict.fromkeys(("entry", "about", *NAMED), Mapping),
    **dict.fromkeys(("drift", "unused", "not_held_back"), Sequence),
    "played_by": str,
}
"""What a worker sends of a dialogue; of those that are `NAMED`, all values are text."""

LONGEST_LINE = 500

PROGRESS_EVERY = 30.0
"""Seconds between two lines of progress."""


class Run:
    """All dialogues of a run, in the process that reports (the controller under xdist)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.entries: list[DialogueEntry] = []
        self.goal_sets: dict[str, set[str]] = {}
        """Fingerprints by name: several splits of a set, or data that changed during the run."""
        self.definitions: dict[str, set[str]] = {}
        """By metric: rewards of tau-bench and of tau2 are not comparable."""
        self.models: dict[str, set[str]] = {}
        """The models that our own users, bots and judges asked, by lane."""
        self.prompts: dict[str, str] = {}
        """The definitions of the prompts that they asked with, by name."""
        self.about: dict[str, Any] = {}
        """What the numbers rest on besides: who played, limits, how goals were chosen."""
        self.rules: dict[str, set[str]] = {}
        """Hashes of rule sets by name."""
        self.played_by: dict[str, None] = {}
        """Who talked to whom, in the order first seen."""
        self.not_counted: list[str] = []
        """A line for each test that drew goals of which some dialogues say nothing of the bot."""
        self.drift: list[str] = []
        """A line for each dialogue in which the bot's answers drifted."""
        self.unused: list[str] = []
        """A line for each passed replay in which recorded calls were not played."""
        self.not_held_back: set[str] = set()
        """What replay did not keep from the network, a line each."""
        self.trivial: set[str] = set()
        """The goals played that a bot passes by doing nothing."""
        self.excluded: set[str] = set()
        """The goals not played because a bot passes them by doing nothing."""
        self.idle_rules: dict[str, str] = {}
        """Rules that could apply to no dialogue so far, with why."""
        self.again = 0
        """Attempts of tests that were run again."""
        self._taken: dict[tuple[str, int, str, str], DialogueEntry] = {}
        self._applied: set[str] = set()
        self._restored: dict[tuple[str, int, str, str], DialogueEntry] = {}
        self._clock = clock
        self._last_progress = clock()

    def restore(self, found: "Results") -> None:
        """Takes what a results file holds: this run goes on with it."""
        from pytest_todeval.runs.reports.results import ABOUT

        about = found["environment"]
        self.entries = list(found["dialogues"])
        self._restored = {_key(entry): entry for entry in self.entries}
        players = (f"{_who(each, 'user')} with {_who(each, 'bot')}" for each in self.entries)
        self.played_by = dict.fromkeys(players)
        for kept, said in (
            (self.goal_sets, about["goal_sets"]),
            (self.definitions, about["metrics"]),
            (self.rules, about.get("rules", {})),
        ):
            kept.update({name: set(values.split(", ")) for name, values in said.items()})
        self.models = {lane: set(names) for lane, names in about.get("models", {}).items()}
        self.prompts = dict(about.get("prompts", {}))
        self.about = {name: each for name, each in about.items() if name in (*ABOUT, "ear")}
        self.trivial = {entry["goal"] for entry in self.entries if "trivial" in entry}

    def take(self, payload: Mapping[str, Any]) -> None:
        """Takes a dialogue that was played; a restored one of the same test gives way.

        Of a test that is run again, as by pytest-rerunfailures, the first attempt counts that
        passed or failed: if the last did, a bot would be tried until it passes.
        """
        old = self._restored.pop(_key(payload["entry"]), None)
        if old is not None:
            self.entries = [entry for entry in self.entries if entry is not old]
        self._attempt(payload["entry"])
        _collect(self.goal_sets, payload["goal_set"])
        _collect(self.definitions, payload["definitions"])
        self.prompts.update(payload["prompts"])
        for lane, spent in payload["entry"].get("calls", {}).items():
            self.models.setdefault(lane, set()).update(spent["models"])
        from pytest_todeval.runs.reports.results import united

        self.about = united(self.about, payload["about"])
        _collect(self.rules, payload["rules"])
        self.played_by[payload["played_by"]] = None
        self.drift += payload["drift"]
        self.unused += payload["unused"]
        self.not_held_back.update(payload["not_held_back"])
        idle = payload["idle_rules"]
        self._applied.update(payload["entry"]["rules"].keys() - idle.keys())
        known = {**idle, **self.idle_rules}
        self.idle_rules = {name: why for name, why in known.items() if name not in self._applied}
        if "trivial" in payload["entry"]:
            self.trivial.add(payload["entry"]["goal"])

    def _attempt(self, entry: "DialogueEntry") -> None:
        from pytest_todeval.runs.reports.schema import says_of_bot

        known = self._taken.get(_key(entry))
        self.again += known is not None
        if known is not None and says_of_bot(known):
            return
        if known is not None:
            self.entries = [each for each in self.entries if each is not known]
        self.entries.append(entry)
        self._taken[_key(entry)] = entry

    def progress(self) -> str | None:
        """Returns a line on how far a long run is, when one is due."""
        now = self._clock()
        if now - self._last_progress < PROGRESS_EVERY:
            return None
        self._last_progress = now
        counts = Counter(entry["outcome"] for entry in self.entries)
        parts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        return f"{len(self.entries)} dialogues so far: {parts}"

    def results(self, settings: Settings) -> "Results":
        from pytest_todeval.runs.reports.results import environment, results

        about = environment(
            goal_sets=_joined(self.goal_sets),
            metrics=_joined(self.definitions),
            settings=measured(settings),
            models={lane: sorted(names) for lane, names in sorted(self.models.items())},
            prompts=dict(sorted(self.prompts.items())),
            rules=_joined(self.rules),
            composites=settings.composites,
            **self.about,
        )
        return results(self.entries, about)


def write(found: "Results", path: Path) -> None:
    """Writes the results file, and remove what was kept until then."""
    from pytest_todeval.runs.reports.results import write_results

    write_results(path, found)
    partial_path(path).unlink(missing_ok=True)


def measured(settings: Settings) -> dict[str, str]:
    """Returns the settings that say what is measured, as far as they are given."""
    return {name: value for name, value in settings.given().items() if name in MEASURED}


def require_parts(payload: object) -> None:
    """Raises InvalidFile if this is no dialogue as this version sends it."""
    from pytest_todeval.runs.reports.schema import DialogueEntry

    given = payload if isinstance(payload, Mapping) else {}
    wrong = [name for name, kind in PARTS.items() if not isinstance(given.get(name), kind)]
    if not wrong:
        wrong = [
            name for name in NAMED if not all(isinstance(v, str) for v in given[name].values())
        ]
        lacking = DialogueEntry.__required_keys__ - given["entry"].keys()
        wrong += [f"entry.{name}" for name in sorted(lacking)]
    if wrong:
        raise InvalidFile(f"no dialogue of this version; what differs: {', '.join(wrong)}")


def _key(entry: "DialogueEntry") -> tuple[str, int, str, str]:
    return entry["test"], entry["trial"], _who(entry, "bot"), _who(entry, "user")


def _who(entry: "DialogueEntry", role: str) -> str:
    return str(entry.get(role, ""))


def _collect(found: dict[str, set[str]], values: Mapping[str, str]) -> None:
    for name, value in values.items():
        found.setdefault(name, set()).add(value)


def _joined(found: Mapping[str, set[str]]) -> dict[str, str]:
    """Returns the same whatever process or order they came from; none takes another's place."""
    return {name: ", ".join(sorted(values)) for name, values in sorted(found.items())}


def attach(
    item: pytest.Item, played: Played, call: pytest.CallInfo[None], report: pytest.TestReport
) -> None:
    """Puts what came of a dialogue on the report that settles its test, for whichever process.

    No report of the test shows secrets.
    """
    if _settles(played, call, report):
        _settle(item, played, call, report)
    redact(report, item.config)
    neutralise(report)
    if played.properties:
        add_dialogue(report, played.properties)
        played.properties = []


def _settle(
    item: pytest.Item, played: Played, call: pytest.CallInfo[None], report: pytest.TestReport
) -> None:
    from pytest_todeval.integration.outcomes import decide, settle

    settle(played)
    outcome = decide(played.dialogue, call.excinfo.value if call.excinfo else None)
    played.outcome = outcome
    settings = Settings.of(item.config)
    in_full = settings.json is not None or settings.report is not None
    # A report that shows words is to know the secrets in them, so they pass the redactor first.
    told = played.dialogue if in_full or report.failed else _in_figures(played.dialogue)
    entry = redacted(_entry(item, played, outcome, told, _raised(played, call)), item.config)
    cause = _cause(entry) if report.failed else None
    if is_written(item.config):
        item.user_properties += properties(entry, cause)
    if is_on(item.config):
        played.properties = list(properties(entry, cause))
    if not in_full:
        # Transcripts are heavy to send between processes; only the results file needs them.
        from pytest_todeval.runs.reports.entry import without_words

        entry = without_words(entry)
    report.__dict__[PAYLOAD] = {
        "entry": entry,
        "goal_set": _goal_set(item),
        "definitions": _definitions(played),
        "prompts": {} if played.asked is None else played.asked.prompts,
        "about": about(item, played, cast("dict[str, Any]", entry)),
        "rules": {} if played.asked is None else played.asked.rules,
        "played_by": played.by,
        "drift": _drift(item, played, report),
        "unused": _unused(played, entry["outcome"]),
        "idle_rules": played.answers.idle_rules,
        "not_held_back": _not_held_back(played),
        "cause": cause,
    }
    if report.failed:
        verbosity = item.config.get_verbosity()
        shown = render(
            played.dialogue,
            full=verbosity >= 2,
            heard=verbosity >= 1,
            decisive=cause["turn"] if cause else None,
        )
        add_section(report, "dialogue", shown)
        for explained in played.answers.explained[-1:]:
            add_section(report, "judge.approves", explained)
    _part_with_faults(played, report)


def _cause(entry: "DialogueEntry") -> dict[str, Any] | None:
    """What the dialogue failed of; only a verdict or a rule says which turn was decisive."""
    from pytest_todeval.runs.reports.causes import FailureGroup, cause_of

    cause = cause_of(entry)
    if cause is None:
        return None
    name = cause.finding.name
    title = FailureGroup(cause, (entry,), (name,) if name else ()).title
    turn = cause.turn if name else None
    return {"key": "\n".join(cause.key), "title": title, "goal": entry["goal"], "turn": turn}


def _in_figures(dialogue: "Dialogue") -> "Dialogue":
    """Returns the dialogue with no more of its turns than what is summed up over a run."""
    from pytest_todeval.core.dialogue import Turn

    turns = tuple(
        Turn(each.index, "", "", latency=each.latency, spans=each.spans, usage=each.usage)
        for each in dialogue.turns
    )
    return replace(dialogue, turns=turns)


def _not_held_back(played: Played) -> tuple[str, ...]:
    """Returns only of dialogues with a tape: the others import nothing of recording."""
    if played.tape is None:
        return ()
    from pytest_todeval.recording.jail import told

    return told()


def _part_with_faults(played: Played, report: pytest.TestReport) -> None:
    """What became of a recording that is not kept, or was gone on with: a section of the report."""
    from pytest_todeval.integration.recording import parted

    text = parted(played) if played.tape is not None else ""
    if report.failed and text:
        add_section(report, "cassette", text)


def _drift(item: pytest.Item, played: Played, report: pytest.TestReport) -> list[str]:
    """A line for the summary if answers drifted; each turn goes to a section of the report."""
    if not played.drift:
        return []
    from pytest_todeval.integration.drift import drift_line, drift_text

    add_section(report, "drift", drift_text(played.drift))
    line = drift_line(item.nodeid, played.drift, played.dialogue)
    return [redactor_of(item.config).text(line)]


def _unused(played: Played, outcome: str) -> list[str]:
    """A line if recorded calls were not played; a test that failed may have been cut short."""
    if played.tape is None or outcome != "passed":
        return []
    from pytest_todeval.integration.recording import unused_line

    line = unused_line(played.tape)
    return [] if line is None else [line]


def _settles(played: Played, call: pytest.CallInfo[None], report: pytest.TestReport) -> bool:
    if report.when == "teardown" or (report.when == "setup" and call.excinfo is None):
        return False
    skipped = call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception)
    return not skipped or played.dialogue.fault is not None


def _raised(played: Played, call: pytest.CallInfo[None]) -> str:
    """Returns what the test raised, in a line, if it was not the dialogue that ended it."""
    if call.excinfo is None or played.dialogue.fault is not None:
        return ""
    first, *_ = str(call.excinfo.value).splitlines() or [""]
    return f"{call.excinfo.typename}: {first}"[:LONGEST_LINE]


def _entry(
    item: pytest.Item, played: Played, outcome: "Outcome", told: "Dialogue", raised: str
) -> "DialogueEntry":
    from pytest_todeval.integration.quarantine import quarantine_entry
    from pytest_todeval.runs.reports.results import dialogue_entry

    return dialogue_entry(
        told,
        test=item.nodeid,
        outcome=outcome,
        metrics=played.answers.verdicts,
        scores=played.answers.scores,
        rules=played.answers.rules,
        drift=played.drift,
        calls=_calls(item, played),
        raised=raised,
        trivial=played.trivial,
        bot=next(iter(played.players["bots"]), ""),
        user=next(iter(played.players["users"]), ""),
        judges=sorted(played.players["judges"]),
        keywords=played.answers.keywords,
        comparisons=played.answers.comparisons,
        rule_definitions=played.answers.rule_definitions,
        prices=_prices(item, played),
        chance=_chance(played),
        **quarantine_entry(case_of(item)),
    )


def _chance(played: Played) -> list[str]:
    """What of the dialogue may come out otherwise in the next run, though nothing was changed.

    Not what rules say and what cassettes hold.
    """
    found = {"random numbers that were drawn"} if played.drew else set()
    if played.tape is not None:
        found |= played.tape.live
        if played.tape.bot_address is not None:
            from pytest_todeval.integration.servers import is_ours

            if not is_ours(played.tape.bot_address):
                found.add("a bot at an address, of which nobody knows what it asks")
    return sorted(found)


def _definitions(played: Played) -> dict[str, str]:
    verdicts = {**played.dialogue.verdicts, **played.answers.verdicts}
    return {name: verdict.definition for name, verdict in verdicts.items()}


def _prices(item: pytest.Item, played: Played) -> "Prices | None":
    """Returns only if the bot says whose tokens it took: to read prices takes a parser of YAML."""
    reported = [turn.usage.model for turn in played.dialogue.turns if turn.usage is not None]
    if not any(reported):
        return None
    from pytest_todeval.integration.budget import prices_of

    return prices_of(item.config)


def _calls(item: pytest.Item, played: Played) -> dict[str, dict[str, object]]:
    """Returns what the calls of our own users, bots and judges took, by lane."""
    if played.asked is None or not played.asked.calls:
        return {}
    from pytest_todeval.integration.budget import prices_of
    from pytest_todeval.models.usage import plain_totals

    return plain_totals(played.asked.calls, prices_of(item.config))


def _goal_set(item: pytest.Item) -> dict[str, str]:
    """Returns the fingerprints of the goals and of what their dialogues are played on."""
    case = case_of(item)
    if case is None:
        return {}
    known = {case.goal_set.name: case.goal_set.fingerprint}
    tables = case.goal_set.world.tables(getattr(item, "funcargs", {}).get("backend"))
    return known if tables is None else {**known, f"{case.goal_set.name}/db": tables}


def redacted(entry: "DialogueEntry", config: pytest.Config) -> "DialogueEntry":
    """Returns an entry of the results file without the secrets that bot, tools and judges said."""
    redactor = redactor_of(config)
    kept = {
        name: value if name in OF_THE_PROJECT else redactor.value(value)
        for name, value in entry.items()
    }
    return cast("DialogueEntry", kept)


def redact(report: pytest.TestReport, config: pytest.Config) -> None:
    """Takes the secrets out of what a report shows: its sections, and why its test failed."""
    redactor = redactor_of(config)
    report.sections = [(name, redactor.text(text)) for name, text in report.sections]
    if report.failed:
        told = report.longreprtext
        kept = redactor.text(told)
        if kept != told:
            report.longrepr = kept
