"""Goals of steps against desks with seeded faults: how many are found, how many right ones blamed?

    python benchmarks/steps_faults.py [--show]

Five desks (gym, telephone company, energy supplier, travel agency, library), each with two steps
and records of two customers, whose words were written by somebody who wrote none of the rules. Each
of twelve faults is put into each desk: 60. A fault is found if success or booking fails, or a rule
of the set `steps` is broken, with the records in sight. Right desks are the same without a fault,
against the agenda user in all its styles.
"""

import argparse
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.steps import Step
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.load import load_rules
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.styles import STYLES
from pytest_todeval.simulation.loop import run_dialogue

FAULTS = {
    "other record": "acts on another record of the same customer",
    "other customer's": "acts on a record of another customer",
    "another, too": "acts on the right record and on another",
    "only said": "says that it is done and does nothing",
    "half": "does nothing at the second step and says that it is done",
    "undone": "takes the first step back when it does the second",
    "refused and done": "says that it cannot be done, and does it",
    "done and denied": "does it, and says at the end that nothing was changed",
    "another value": "writes another value than was asked for",
    "lost row": "loses a record that nobody spoke of",
    "without asking": "acts at once, where it has to ask first, and says so too late",
    "another said": "does what was asked and says that it did it to another record",
}


@dataclass(frozen=True)
class Deed:
    """One step, and what a desk says of it."""

    step: Step
    heard: str
    asks: str
    done: str
    cannot: str
    writes: Mapping[str, str] | None
    """What becomes of the record; None if it goes."""
    wrong: Mapping[str, str]
    """What becomes of it if the desk errs."""


GYM = ({"id": "C301", "class": "spinning", "day": "monday"}, {"id": "C302", "class": "yoga",
       "day": "tuesday"}, {"id": "C390", "class": "boxing", "day": "friday"})  # fmt: skip
SIMS = ({"id": "S81", "status": "active"}, {"id": "S82", "status": "inactive"},
        {"id": "S99", "status": "active"})  # fmt: skip
BILLS = ({"id": "B71", "status": "open", "amount": "48"}, {"id": "B72", "status": "open",
         "amount": "52"}, {"id": "B79", "status": "open", "amount": "90"})  # fmt: skip
TRIPS = ({"id": "T5501", "room": "single", "night": "sunday"}, {"id": "T5502", "room": "double",
         "night": "monday"}, {"id": "T5577", "room": "double", "night": "friday"})  # fmt: skip
LOANS = ({"id": "L12", "title": "emma", "status": "lent"}, {"id": "L14", "title": "ulysses",
         "status": "lent"}, {"id": "L77", "title": "dune", "status": "lent"})  # fmt: skip
DESKS: Mapping[str, tuple[str, tuple[Mapping[str, str], ...], tuple[Deed, Deed]]] = {
    "gym": ("class", GYM, (
        Deed(Step("change", "class", {"id": "C301"}, {"day": "thursday"}), r"chang|mov|switch",
             "Let me check. {id} could go to thursday; is that alright with you?",
             "Sorted: {id} now takes place on thursday for you.",
             "Unfortunately {id} is not something I am able to move.",
             {"day": "thursday"}, {"day": "saturday"}),
        Deed(Step("cancel", "class", {"id": "C302"}), r"cancel",
             "You would lose your place in {id}. Do you still want me to cancel it?",
             "Your place in {id} has been given up; it is cancelled.",
             "Unfortunately {id} can no longer be cancelled.", None, {"day": "sunday"}),
    )),
    "telephone": ("sim", SIMS, (
        Deed(Step("block", "sim", {"id": "S81"}), r"block|lock",
             "If I block {id}, no calls will work. May I go on?",
             "There you go, {id} is blocked from now on.",
             "My apologies, I can't block {id} from here.",
             {"status": "blocked"}, {"status": "paused"}),
        Deed(Step("activate", "sim", {"id": "S82"}), r"activat",
             "{id} is not in use yet. Would you like it activated right now?",
             "{id} has just been activated, give it ten minutes.",
             "My apologies, {id} cannot be activated.",
             {"status": "active"}, {"status": "blocked"}),
    )),
    "energy": ("bill", BILLS, (
        Deed(Step("pay", "bill", {"id": "B71"}), r"\bpay",
             "The bill {id} would be debited today. Is that what you want?",
             "Thank you. {id} is paid.", "I regret that {id} can't be paid over this line.",
             {"status": "paid"}, {"status": "disputed"}),
        Deed(Step("refund", "bill", {"id": "B72"}), r"refund",
             "You'd get the money for {id} back by transfer. Shall I set that in motion?",
             "{id} was refunded a moment ago.", "I regret that {id} can't be refunded.",
             {"status": "refunded"}, {"status": "reminded"}),
    )),
    "travel": ("stay", TRIPS, (
        Deed(Step("change", "stay", {"id": "T5501"}, {"room": "suite"}), r"chang|switch|mov",
             "A suite is free for {id}. Do you want it?",
             "I have just rebooked {id} into a suite.",
             "There is no way for me to change {id}, I'm afraid.",
             {"room": "suite"}, {"room": "dormitory"}),
        Deed(Step("cancel", "stay", {"id": "T5502"}), r"cancel",
             "{id} would be released to other guests. Are you certain?",
             "{id} is cancelled and nothing will be charged.",
             "There is no way for me to cancel {id}, I'm afraid.", None, {"night": "tuesday"}),
    )),
    "library": ("loan", LOANS, (
        Deed(Step("return", "loan", {"id": "L12"}), r"return|send back|bring",
             "I'd mark {id} as returned. Okay?", "{id} is marked as returned. Lovely.",
             "Sorry, {id} can't be returned here.",
             {"status": "returned"}, {"status": "missing"}),
        Deed(Step("cancel", "loan", {"id": "L14"}), r"cancel",
             "Cancel the loan {id}, yes?", "The loan {id} stands cancelled.",
             "Sorry, {id} can't be cancelled by me.", None, {"status": "overdue"}),
    )),
}  # fmt: skip


class Desk:
    """One conversation, right or with a fault."""

    def __init__(self, name: str, fault: str = "") -> None:
        self.kind, rows, self.deeds = DESKS[name]
        self.rows = {row["id"]: dict(row) for row in rows}
        self.before = {key: dict(row) for key, row in self.rows.items()}
        self.fault = fault
        self.waiting: Deed | None = None
        self.done: list[Deed] = []

    def records(self) -> dict[str, Any]:
        return {self.kind: [dict(row) for row in self.rows.values()]}

    def respond(self, text: str) -> str:
        said = text.lower()
        if self.waiting is not None and re.search(r"\b(?:yes|sure|yep|please|ok(?:ay)?)\b", said):
            deed, self.waiting = self.waiting, None
            return self._act(deed)
        for deed in self.deeds:
            key = deed.step.target["id"]
            if deed not in self.done and re.search(deed.heard, said):
                if key.lower() not in said:
                    return f"Which {self.kind} do you mean?"
                return self._asked(deed)
        for deed in self.deeds:
            if deed not in self.done and deed.step.target["id"].lower() in said:
                return self._asked(deed)
        if re.search(r"\b(?:bye|that's (?:all|everything)|thanks|thank you)\b", said):
            return "Goodbye."
        return "What can I do for you?"

    def _asked(self, deed: Deed) -> str:
        if self.fault == "without asking":
            self._write(deed)
            self.waiting = deed
            return deed.asks.format(id=deed.step.target["id"])
        self.waiting = deed
        return deed.asks.format(id=deed.step.target["id"])

    def _act(self, deed: Deed) -> str:
        self.done.append(deed)
        key, second = deed.step.target["id"], len(self.done) == 2
        mine, others = [each.step.target["id"] for each in self.deeds], list(self.before)[2]
        sibling = mine[1] if key == mine[0] else mine[0]
        told = deed.done
        match self.fault:
            case "other record":
                self._write(deed, sibling if not second else key)
            case "other customer's":
                self._write(deed, others if not second else key)
            case "another, too":
                self._write(deed)
                self._write(deed, others)
            case "only said" if not second:
                pass
            case "half" if second:
                pass
            case "undone" if second:
                self._write(deed)
                self.rows[sibling] = dict(self.before[sibling])
            case "refused and done" if not second:
                self._write(deed)
                told = deed.cannot
            case "another value" if not second:
                self.rows[key].update(deed.wrong)
            case "lost row" if second:
                self._write(deed)
                self.rows.pop(others)
            case "done and denied" if second:
                self._write(deed)
                told = f"{told} By the way, {sibling} is as it was: nothing was changed there."
            case "another said" if not second:
                self._write(deed)
                return told.format(id=others)
            case _:
                self._write(deed)
        return told.format(id=key)

    def _write(self, deed: Deed, key: str = "") -> None:
        key = key or deed.step.target["id"]
        if deed.writes is None:
            self.rows.pop(key, None)
        elif key in self.rows:
            self.rows[key].update(deed.writes)


def played(name: str, fault: str, style: str) -> tuple[Dialogue, list[str]]:
    """A dialogue, and the names of what is found wrong."""
    kind, rows, deeds = DESKS[name]
    steps = tuple(deed.step for deed in deeds)
    goal = Goal(name, "bench", (), steps=steps, given={kind: rows})
    desk = Desk(name, fault)
    dialogue = run_dialogue(goal, AgendaUser(goal, style=style), desk.respond, backend=desk)
    dialogue = replace(dialogue, verdicts=evaluate(dialogue, desk))
    wrong = [name for name, each in dialogue.verdicts.items() if each.applicable and not each]
    wrong += [each.rule for each in check(dialogue, load_rules("steps"), desk).broken]
    return dialogue, wrong


def main() -> None:
    """Print how many faults are found, and how many right dialogues are blamed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    show = parser.parse_args().show
    counts: Counter[str] = Counter()
    for name in DESKS:
        for style in STYLES:
            _count(counts, "right", f"{name}, {style}", *played(name, "", style), show=show)
        for fault in FAULTS:
            _count(counts, "seeded", f"{name}: {fault}", *played(name, fault, "plain"), show=show)
    print("\n".join(f"{what}: {number}" for what, number in sorted(counts.items())))


def _count(
    counts: Counter[str], what: str, name: str, dialogue: Dialogue, wrong: list[str], *, show: bool
) -> None:
    fault = dialogue.stop_reason is StopReason.SIMULATOR_FAULT
    outcome = "simulator fault" if fault else "found wrong" if wrong else "nothing found"
    counts[f"{what}, {outcome}"] += 1
    if show and outcome != ("nothing found" if what == "right" else "found wrong"):
        print(f"== {what}, {name}: {outcome} {dialogue.detail} {wrong}")
        for turn in dialogue.turns:
            print(f"  user: {turn.user}\n  bot:  {turn.system}")


if __name__ == "__main__":
    main()
