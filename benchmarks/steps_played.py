"""Goals of steps against desks that are right, in the manner of chat models: who is blamed?

    python benchmarks/steps_played.py [--show]

A bank, a dentist, a shop and an airline, each in five manners that the ear's words were not written
with (the sentences are in the style of assistants built on models: polite, with lists and bold
type), against the agenda user in each of its styles. The desk acts on records; its verdicts and
the rules of the set `steps` are counted. `failed`: the bot is
blamed, which is wrong each time. `fault`: the simulator says that it cannot go on.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from tests.support.step_desk import COLOUR, DAY, DeskVerb, StepDesk

MANNERS = 5
SEAT = {"seat": r"\b(\d{1,2}[a-f])\b"}
WORDS: Mapping[str, DeskVerb] = {
    "block": DeskVerb(
        r"(?<!un)\b(?:block|lock)",
        ("I've successfully blocked your card ending in {id} to prevent any unauthorised "
         "transactions. Is there anything else I can help you with?",
         "Your card (**** {id}) is now blocked. A replacement can be ordered in the app.",
         "Okay, the block is in place: no payments will go through on the card ending {id}.",
         "All done! Card {id} has been deactivated for your security.",
         "Your card ending in **{id}** has been temporarily frozen, as requested."),
        ("Just to confirm, you'd like me to block the card ending in {id}. Is that correct?",
         "I can do that for you right away. Would you like me to go ahead and block card {id}?",
         "Before I proceed: once {id} is blocked it can't be used. Do you wish to continue?",
         "To be on the safe side, may I block the card ending in {id} now?",
         "Please confirm that you want to block the card ending in {id} (yes/no)."),
    ),
    "cancel": DeskVerb(
        r"\bcancel",
        ("Your {kind} {id} has been successfully cancelled. If there's anything else you need, "
         "just let me know!",
         "I've gone ahead and cancelled {id} for you. You should get an email shortly.",
         "The cancellation of {id} is complete.",
         "Done - {id} is off the books. Anything else?",
         "All set! I have cancelled your {kind} ({id}). We hope to see you again soon."),
        ("I found your {kind} {id}. Are you sure you'd like to cancel it?",
         "This cannot be undone. Would you like to proceed with the cancellation?",
         "I'm happy to help with that! Shall I cancel {id}?",
         "Please confirm: cancel {id}? (yes/no)",
         "You're asking me to cancel {id}, is that right?"),
    ),
    "change": DeskVerb(
        r"\b(?:change|move)\b",
        ("Great news! Your {kind} {id} has been rescheduled to {day}.",
         "I've updated your {kind}: it's now on {day}. Is there anything else?",
         "Your {kind} has been successfully moved to **{day}**.",
         "Perfect, you're all set for {day}!",
         "The change is done. See you on {day}!"),
        ("I can move {id} to {day}. Would you like me to go ahead?",
         "There is an opening on {day}. Shall I reschedule your {kind} {id}?",
         "Just to double-check: you'd like {id} on {day} instead. Is that correct?",
         "Here are the details of the change:\n- {kind}: {id}\n- New day: {day}\n\nPlease confirm "
         "if you would like to proceed.",
         "So that's {day} for {id}. Okay to go ahead?"),
        DAY,
    ),
    "return": DeskVerb(
        r"\b(?:return|send back)",
        ("Your return request for order {id} has been submitted. You'll receive an email with "
         "instructions.",
         "I've initiated the return for order {id}.",
         "The return of order {id} has been processed successfully. Anything else?",
         "Okay! Order {id} is set up for return, and a label is on its way to your inbox.",
         "Your order {id} has been marked for return."),
        ("Would you like me to initiate the return for order {id}?",
         "Order {id} is eligible for a return. Shall I proceed?",
         "Please confirm that you would like to return order {id} (yes/no).",
         "I can set up the return for {id}. Do you want me to go ahead?",
         "To confirm: return order {id}. Is that correct?"),
    ),
    "refund": DeskVerb(
        r"\brefund",
        ("The refund for order {id} has been processed and should appear in 5-7 business days.",
         "I've issued a full refund for {id}.", "Your refund request for {id} has been approved.",
         "Good news: order {id} has been refunded to your original payment method.",
         "Your refund is on its way! It can take up to a week."),
        ("Would you like me to issue the refund for {id} to your original payment method?",
         "Shall I go ahead with the refund of {id}?",
         "Please confirm if you'd like to proceed with the refund.",
         "You want a refund for {id}, correct?", "Do you agree to a refund to the card on file?"),
    ),
    "exchange": DeskVerb(
        r"\b(?:exchange|swap)",
        ("Your exchange has been processed: the {colour} one will ship tomorrow.",
         "I've successfully exchanged order {id} for the {colour} version.",
         "All set! We'll send the {colour} one in exchange for {id}.",
         "The exchange for {id} has been submitted.",
         "Order {id} has been updated to {colour}. Anything else?"),
        ("To confirm, you'd like to exchange {id} for the {colour} one. Is that correct?",
         "We have the {colour} one in stock. Would you like me to proceed with the exchange?",
         "Shall I exchange it for {colour}?", "So {id} for {colour}: go ahead?",
         "Please confirm the exchange of {id} for {colour} (yes/no)."),
        COLOUR,
    ),
    "seat": DeskVerb(
        r"\bseat\b|\b(?:change|move)\b",
        ("Your seat has been successfully updated to {seat} for confirmation number {id}.",
         "I've changed your seat to {seat}. Enjoy your flight!",
         "Done! You're now in seat {seat}.", "Seat {seat} has been assigned to your booking {id}.",
         "Updated seat to {seat} for confirmation number {id}. Anything else?"),
        ("Would you like me to change your seat to {seat}?",
         "Seat {seat} is free. Shall I assign it?",
         "So you'd like seat {seat} on booking {id}, right?",
         "I can update that to {seat} for you. Would you like me to go ahead?",
         "Please confirm if you would like to proceed with seat {seat}."),
        SEAT,
    ),
}  # fmt: skip
VISITS = ({"id": "A17", "day": "tuesday"}, {"id": "A18", "day": "friday"})
ORDERS = ({"id": "W7710"}, {"id": "W8824"})
CARDS = ({"last4": "4711"}, {"last4": "9920"})
FLIGHTS = ({"id": "LL0EZ6", "seat": "3C"}, {"id": "QX7M2P", "seat": "9A"})
MOVE = Step("change", "appointment", {"id": "A17"}, {"day": "wednesday"})
Given = Sequence[Mapping[str, str]]
GOALS: Mapping[str, tuple[str, tuple[Step, ...], Given, tuple[str, ...]]] = {
    "bank: block": ("card", (Step("block", "card", {"last4": "4711"}),), CARDS, ("block",)),
    "dentist: move, cancel": (
        "appointment", (MOVE, Step("cancel", "appointment", {"id": "A18"})), VISITS,
        ("change", "cancel"),
    ),
    "shop: return, refund": (
        "order",
        (Step("return", "order", {"id": "W7710"}), Step("refund", "order", {"id": "W8824"})),
        ORDERS, ("return", "refund"),
    ),
    "shop: exchange": (
        "order", (Step("exchange", "order", {"id": "W8824"}, {"colour": "red"}),), ORDERS,
        ("exchange",),
    ),
    "shop: cancel": ("order", (Step("cancel", "order", {"id": "W8824"}),), ORDERS, ("cancel",)),
    "airline: seat": (
        "booking", (Step("change", "booking", {"id": "LL0EZ6"}, {"seat": "12A"}),), FLIGHTS,
        ("seat",),
    ),
    "airline: cancel": ("booking", (Step("cancel", "booking", {"id": "QX7M2P"}),), FLIGHTS,
                        ("cancel",)),
}  # fmt: skip


class Assistant(StepDesk):
    """The desk in the words above; a seat is changed, whatever it is called."""

    def records_shown(self) -> Mapping[str, Any]:
        return {self.kind: [dict(record) for record in self.records.values()]}

    def _worded(self, lines: Sequence[str]) -> str:
        return lines[self.manner % len(lines)].format(id=self.id, kind=self.kind, **self.values)

    def _write(self, record: dict[str, Any]) -> None:
        if self.verb == "seat":
            record["seat"] = self.values["seat"].upper()
        else:
            super()._write(record)


class Shown:
    def __init__(self, desk: Assistant) -> None:
        self.records = desk.records_shown


def dialogues() -> Iterator[tuple[str, Dialogue, list[str]]]:
    """Each dialogue, with what is found wrong."""
    rules = load_rules("steps")
    for name, (kind, steps, records, verbs) in GOALS.items():
        words = {verb: WORDS[verb] for verb in verbs}
        for style in STYLES:
            for manner in range(MANNERS):
                goal = Goal(name, "bench", (), steps=steps, given={kind: tuple(records)})
                desk = Assistant(kind, records, manner, asks_leave=manner % 2 == 0, words=words)
                user = AgendaUser(goal, seed=manner, style=style)
                shown = Shown(desk)
                dialogue = run_dialogue(goal, user, desk.respond, backend=shown)
                verdicts = evaluate(dialogue, shown)
                dialogue = replace(dialogue, verdicts=verdicts)
                wrong = [n for n, v in verdicts.items() if v.applicable and not v]
                wrong += [each.rule for each in check(dialogue, rules, shown).broken]
                yield f"{name}, {style}, manner {manner}", dialogue, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    show = parser.parse_args().show
    counts: Counter[str] = Counter()
    for name, dialogue, wrong in dialogues():
        fault = dialogue.stop_reason is StopReason.SIMULATOR_FAULT
        gave_up = dialogue.stop_reason is not StopReason.USER_DONE and not fault
        outcome = "fault" if fault else "failed" if wrong or gave_up else "passed"
        counts[outcome] += 1
        if show and outcome != "passed":
            print(f"== {name}: {outcome} {dialogue.detail} {wrong}")
            for turn in dialogue.turns:
                print(f"  user: {turn.user}\n  bot:  {turn.system}")
    print(f"{counts.total()} dialogues: " + ", ".join(f"{n} {what}" for what, n in counts.items()))


if __name__ == "__main__":
    main()
