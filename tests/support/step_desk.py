"""A desk that does what it is asked to records, in several manners of speaking; it is right."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.steps import VERBS as STATES

Refuse = Callable[[str, Mapping[str, Any]], str]


@dataclass(frozen=True)
class DeskVerb:
    """How users ask for a deed, how the desk says that it is done, how it asks leave."""

    heard: str
    done: Sequence[str]
    leave: Sequence[str]
    needs: Mapping[str, str] = field(default_factory=dict)
    """Slot -> what finds its value in the user's words."""


DAY = {"day": r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?!.*day\b)"}
COLOUR = {"colour": r"\b(red|blue|green)\b"}
MONEY = {"amount": r"\b(\d+ pounds)", "recipient": r"\b(ben holt)\b"}
VERBS: Mapping[str, DeskVerb] = {
    "change": DeskVerb(
        r"\b(?:change|move)\b",
        ("I've moved {id} to {day}.", "All right, {id} is now on {day}. What else can I do?",
         "Your appointment has been rescheduled to {day}."),
        ("Shall I move your appointment {id} to {day}?", "So {id} goes to {day}, correct?",
         "Would you like me to reschedule it to {day}?"),
        DAY,
    ),
    "cancel": DeskVerb(
        r"\bcancel",
        ("{id} has been cancelled. Anything else?", "Done, {id} is cancelled.",
         "I've taken it off the calendar. Is there anything else I can do?"),
        ("Shall I cancel {id}?", "Do you really want to cancel {id}?",
         "I'd be cancelling {id}. Is that right?"),
    ),
    "block": DeskVerb(
        r"(?<!un)\b(?:block|lock)",
        ("Your card ending in {id} has been blocked.", "Done, the card {id} is now frozen.",
         "I have put a block on your card. Nobody can use it any more."),
        ("Shall I block the card ending in {id}?", "Do you want me to freeze card {id} now?",
         "You'd like to block the card {id}, is that correct?"),
    ),
    "unblock": DeskVerb(
        r"\b(?:unblock|unlock)",
        ("Your card {id} works again.", "The card has been unlocked.", "It is active again."),
        ("Shall I unblock it?", "Would you like me to unlock card {id} now?"),
    ),
    "return": DeskVerb(
        r"\b(?:return|send back)",
        ("I've set up the return of order {id}. You will get a label by e-mail.",
         "Your return has been registered.", "Okay, order {id} has been returned."),
        ("I can return order {id} for you. Shall I go ahead?",
         "Would you like me to start the return of {id}?",
         "You'd like to send back order {id}. Is that right?"),
    ),
    "refund": DeskVerb(
        r"\brefund",
        ("Your refund for {id} has been issued. It takes 5 to 7 days.",
         "I've refunded order {id} to your card.", "The refund has been processed."),
        ("Shall I refund order {id} to the original payment method?",
         "Do you want me to issue the refund for {id} now?"),
    ),
    "exchange": DeskVerb(
        r"\b(?:exchange|swap)",
        ("I've exchanged it for the {colour} one.", "Your exchange has been requested: {colour}.",
         "Done, we will send you the {colour} one instead."),
        ("So you'd like to exchange {id} for {colour}. Correct?",
         "Shall I swap it for the {colour} one?"),
        COLOUR,
    ),
    "pay": DeskVerb(
        r"\bpay\b",
        ("Your bill {id} has been paid.", "Payment received, thank you! Bill {id} is settled.",
         "I've charged your card, the bill is paid."),
        ("Shall I take the payment for bill {id} now?", "Do you want to pay bill {id} by card?"),
    ),
    "transfer": DeskVerb(
        r"\b(?:transfer|send (?!back))",
        ("I have transferred {amount} to {recipient}.", "The transfer of {amount} went through.",
         "Done! {amount} is on its way to {recipient}."),
        ("You want to send {amount} to {recipient}. Shall I proceed?",
         "Please confirm: {amount} to {recipient}."),
        MONEY,
    ),
    "report": DeskVerb(
        r"\breport",
        ("I have logged the fault. Your ticket is T55.", "Thanks, the problem has been reported.",
         "A ticket has been raised for {id}."),
        ("Shall I open a ticket for {id}?",),
    ),
}  # fmt: skip
ASKS_FOR = {
    "last4": ("Could you give me the last four digits of the card?", "Which card is it?",
              "What does the card end in?"),
    "id": ("Which {kind} is it?", "Could you give me the {kind} number, please?",
           "Please tell me the ID of the {kind}."),
}  # fmt: skip
ENDS = re.compile(r"\bthat(?:'s| is) (?:everything|all(?! correct))|\bbye\b")


class StepDesk:
    """One conversation over records of one kind, whose first field names each of them."""

    def __init__(
        self,
        kind: str,
        records: Sequence[Mapping[str, Any]],
        manner: int = 0,
        *,
        asks_leave: bool = True,
        refuse: Refuse | None = None,
        proof: tuple[str, str] | None = None,
        words: Mapping[str, DeskVerb] = VERBS,
    ) -> None:
        self.words = words
        self.kind = kind
        self.key = next(iter(records[0]))
        self.records = {str(record[self.key]): dict(record) for record in records}
        self.manner = manner
        self.asks_leave = asks_leave
        self.refuse = refuse or (lambda verb, record: "")
        self.proof = proof
        self.verb = self.id = ""
        self.waits = False
        self.values: dict[str, str] = {}

    def respond(self, text: str) -> str:
        said = text.lower()
        if ENDS.search(said):
            return "Goodbye!"
        if self.waits and re.search(r"\b(?:yes|sure|exactly|yep)\b", said):
            return self._do()
        if self.waits and re.search(r"\bno\b", said):
            self._forget()
        self._listen(said)
        return self._missing() or self._leave() or self._do()

    def _listen(self, said: str) -> None:
        named = [each for each in self.records if re.search(rf"(?<!\w){each.lower()}(?!\w)", said)]
        self.id = named[-1] if named else self.id
        for name, verb in self.words.items():
            if re.search(verb.heard, said):
                self.verb = name
        for slot, pattern in self.words[self.verb].needs.items() if self.verb else ():
            found = re.findall(pattern, said)
            if found:
                self.values[slot] = found[-1].title() if slot == "day" else found[-1]
        if self.proof is not None and self.proof[1].lower() in said:
            self.proof = None

    def _missing(self) -> str:
        """The question or refusal that keeps it from acting."""
        if not self.verb:
            return "How can I help you today?"
        if self.proof is not None:
            return self.proof[0]
        if not self.id:
            asks = ASKS_FOR[self.key]
            return asks[self.manner % len(asks)].format(kind=self.kind)
        for slot in self.words[self.verb].needs:
            if slot not in self.values:
                return (f"What {slot} would you like?", f"Could you tell me the {slot}?",
                        f"And the {slot}, please?")[self.manner % 3]  # fmt: skip
        refused = self.refuse(self.verb, {**self.records[self.id], **self.values})
        if refused:
            self._forget()
        return refused

    def _leave(self) -> str:
        if not self.asks_leave:
            return ""
        self.waits = True
        return self._worded(self.words[self.verb].leave)

    def _do(self) -> str:
        said = self._worded(self.words[self.verb].done)
        if self.verb == "cancel":
            del self.records[self.id]
        else:
            self._write(self.records[self.id])
        self._forget()
        return said

    def _write(self, record: dict[str, Any]) -> None:
        if self.verb == "transfer":
            record["balance"] = record.get("balance", 100) - int(self.values["amount"].split()[0])
            return
        states = STATES[self.verb].states
        record |= {"status": states[0]} if states else {}
        record |= self.values

    def _worded(self, lines: Sequence[str]) -> str:
        return lines[self.manner % len(lines)].format(id=self.id, **self.values)

    def _forget(self) -> None:
        self.verb = self.id = ""
        self.waits = False
        self.values = {}
