"""A second look at the user's drafts, before the bot hears them (tau-bench: verify, reflection).

Departs from tau-bench, which samples the same request again after a rejection, sends the last draft
even if it was rejected, and keeps rejected drafts in the user's history.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pytest_todeval.errors import ModelRejected, SimulatorFault
from pytest_todeval.models.ask import ask
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompt, Prompts
from pytest_todeval.models.reading.yes_no import YesNoReader
from pytest_todeval.simulation.llm_user.calling import Messages
from pytest_todeval.simulation.llm_user.drafting import Drafting, SaidDraft
from pytest_todeval.simulation.llm_user.strategy import Form, Supervision

MOST_REJECTED = 3
"""Drafts of one turn before the simulator is at fault."""


@dataclass
class Supervisor:
    """Lets a draft pass that this user would say now, and has another put in place of one not."""

    drafting: Drafting
    verify: Prompt
    reflection: Prompt
    goal: str
    notes: list[str] = field(default_factory=list)
    """Drafts that were rejected because the supervisor's answer could not be read."""

    @classmethod
    def of(cls, drafting: Drafting, prompts: Prompts, goal: str) -> "Supervisor":
        """With the prompts of the two calls."""
        return cls(drafting, prompts.get("user_verify"), prompts.get("user_reflection"), goal)

    def passed(
        self,
        said: SaidDraft,
        messages: Messages,
        transcript: str,
        judge: Callable[[SaidDraft], SaidDraft],
    ) -> SaidDraft:
        """Returns the draft, or what was put in its place, once it is accepted.

        `judge` says of a draft what keeps it from being sent. Raises SimulatorFault if every
        draft is rejected, or one written anew cannot be sent.
        """
        for attempt in range(MOST_REJECTED):
            why = self._objection(said, transcript, attempt)
            if not why:
                return said
            if attempt + 1 < MOST_REJECTED:
                said = self._rewritten(said, why, messages, transcript, judge, attempt)
        raise self.drafting.fault(replace(said, wrong=f"its supervisor rejected ({why})"))

    def _objection(self, said: SaidDraft, transcript: str, attempt: int) -> str:
        """Says why the draft will not do; empty if it will. If nobody can tell, it will not."""
        messages = self.verify.render(**self._values(said, transcript))
        client, seed = self.drafting.client, self.drafting.seeded(attempt)
        verdict = ask(client, messages, YesNoReader(), seed=seed)
        if verdict.value is None:
            self.notes.append(f"a draft was rejected unread: {verdict.unscored}")
            return "its supervisor's answer could not be read"
        if verdict.value.value:
            return ""
        return verdict.value.reason or "it does not fit"

    def _rewritten(
        self,
        said: SaidDraft,
        why: str,
        messages: Messages,
        transcript: str,
        judge: Callable[[SaidDraft], SaidDraft],
        attempt: int,
    ) -> SaidDraft:
        """Another draft: the supervisor's own (reflection), else the user's (verify)."""
        if self.drafting.strategy.supervision is Supervision.REFLECTION:
            reflected = self._reflected(said, why, transcript, attempt)
            revised = judge(self.drafting.read(reflected, Form.THOUGHT))
            if not revised.wrong:
                return revised
        note = self.drafting.script.note(f"was rejected:\n{fenced('objection', why)}\n")
        rewritten = self.drafting.sound(messages, judge, note)
        if rewritten.wrong:
            raise self.drafting.fault(rewritten)
        return rewritten

    def _reflected(self, said: SaidDraft, why: str, transcript: str, attempt: int) -> Completion:
        """What the model writes on being asked to reflect: a reflection and a `Response:`."""
        values = {**self._values(said, transcript), "why": fenced("objection", why)}
        messages = self.reflection.render(**values)
        try:
            return self.drafting.client.complete(messages, seed=self.drafting.seeded(attempt))
        except ModelRejected as error:
            raise SimulatorFault(f"the reflection could not be asked for: {error}") from None

    def _values(self, said: SaidDraft, transcript: str) -> dict[str, str]:
        return {
            "goal": self.goal,
            "token": self.drafting.strategy.ending,
            "history": transcript,
            "draft": fenced("draft", said.draft.text),
        }
