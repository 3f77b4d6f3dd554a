"""What a step is called in the user's words: "cancel my appointment A18 on Friday"."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.goal import CURRENT
from pytest_todeval.core.steps import Effect, Step
from pytest_todeval.simulation.agenda.step_parts import words_of_name

Say = Callable[[str, str], str]
"""A slot and its value as they stand behind a noun; empty if they need a sentence."""
WHEN = ("day", "date", "time")
"""Slots whose new values stand behind "to": "to Wednesday at 10:00"."""
THE = ("subscribe", "unsubscribe")
"""Verbs whose object there is one of: the newsletter."""


@dataclass(frozen=True)
class StepWords:
    """A step in words, with those of its slots that are said now."""

    step: Step
    slots: Mapping[str, str]
    say: Say

    @property
    def thing(self) -> str:
        """What it is done to: "my appointment A18 on Friday", "50 pounds from my account"."""
        noun = words_of_name(self.step.kind)
        said = [self.say(self._plain(slot), self.slots[slot]) for slot in self._target]
        which = "".join(f" {each}" for each in said if each)
        if self.step.means.effect is Effect.MOVES:
            return f"{self.slots.get('amount', 'money')} from my {noun}{which}"
        if self.step.verb in THE:
            return f"the {noun}{which}"
        if self.step.means.effect is Effect.ADDS:
            return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}{which}"
        return f"my {noun}{which}"

    @property
    def behind(self) -> str:
        """Returns what stands behind the thing: " to Wednesday at 10:00"."""
        new = [slot for slot in self._new if slot in self.slots]
        if not new:
            return ""
        first, *rest = new
        to = self.say(first, self.slots[first]).removeprefix("on ").removeprefix("at ")
        more = "".join(f" {self.say(slot, self.slots[slot])}" for slot in rest)
        return f" to {to or self.slots[first]}{more}"

    @property
    def apart(self) -> Sequence[str]:
        """Returns the slots that need a sentence of their own."""
        inside = {*self._new, *(slot for slot in self._target if self.say(self._plain(slot), "x"))}
        if self.step.means.effect is Effect.MOVES:
            inside.add("amount")
        return [slot for slot in self.slots if slot not in inside]

    @property
    def _target(self) -> Sequence[str]:
        return [slot for slot in self.slots if self._plain(slot) in self.step.target and (
            slot not in self.step.to
        )]  # fmt: skip

    @property
    def _new(self) -> Sequence[str]:
        if self.step.means.effect is Effect.MOVES:
            return list(self.step.to)[:1]
        return [slot for slot in WHEN if slot in self.step.to]

    def _plain(self, slot: str) -> str:
        return slot.removeprefix(CURRENT)
