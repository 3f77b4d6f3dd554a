"""Which failed dialogues a run allows: a gate that passed, or its baseline, has to speak for each.

So no run with failed dialogues ends well unless it was asked to hold something that allows them.
"""

from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.core.bound import SIGNS
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.comparison.comparing import RunComparison, by_goal
from pytest_todeval.runs.reports.comparison.values import PASSED, alike, counts, worth_of
from pytest_todeval.runs.reports.gates.deciding import Decided, in_scope
from pytest_todeval.runs.reports.gates.quantities import FLAKY
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.trials import flips, is_pass_k


def not_allowed(
    entries: Sequence[DialogueEntry],
    decided: Sequence[Decided],
    before: Results | None,
    compared: RunComparison | None,
) -> list[DialogueEntry]:
    """The dialogues that the bot failed and nothing allows; those in quarantine are none of them.

    `before`: the baseline; `compared`: the run beside it. One of so few goals that chance could
    break them all allows nothing.
    """
    played = list(filter(counts, entries))
    failed = [entry for entry in played if entry["outcome"] == Outcome.FAILED]
    if not failed:
        return []
    allowed = set(map(id, _by_gates(failed, played, decided)))
    if before is not None and compared is not None and compared.can_tell:
        allowed |= set(map(id, _by_baseline(played, before, compared)))
    return [entry for entry in failed if id(entry) not in allowed]


def _by_gates(
    failed: Sequence[DialogueEntry], played: Sequence[DialogueEntry], decided: Sequence[Decided]
) -> Iterator[DialogueEntry]:
    """Those that a gate which passed is about: what it asks for is what the dialogue lacks."""
    for each in decided:
        if each.finding == "passed":
            flaky = {goal for goal, won, tried in flips(played) if 0 < won < tried}
            for entry in in_scope(each.gate, failed):
                if _speaks_for(each, entry, flaky):
                    yield entry


def _speaks_for(found: Decided, entry: DialogueEntry, flaky: set[str]) -> bool:
    gate = found.gate
    if gate.name == PASSED or is_pass_k(gate.name):
        return True
    if gate.name == FLAKY:
        return entry["goal"] in flaky
    worth = worth_of(entry).get(gate.name)
    if worth is None:
        return False
    if gate.sign in (">=", ">"):
        return not SIGNS[gate.sign](worth.value, gate.bound)
    return worth.value < worth.high


def _by_baseline(
    played: Sequence[DialogueEntry], before: Results, compared: RunComparison
) -> Iterator[DialogueEntry]:
    """Returns those of goals that failed as often before, by the same test; of all that were played
    before, if it is shown that nothing is worse.
    """
    known = by_goal(before["dialogues"])
    passed = next((each for each in compared.changes if each.name == PASSED), None)
    shown = not compared.broken and passed is not None and passed.finding in ("no worse", "better")
    broke = {flip.goal for flip in compared.broke}
    now: Mapping[str, list[DialogueEntry]] = by_goal(played)
    for goal, entries in now.items():
        if goal in known and (shown or goal not in broke):
            for _, held in alike(known[goal], entries):
                yield from held
