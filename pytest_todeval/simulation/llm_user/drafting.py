"""Getting a message out of a user's model that a user can have said."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_todeval.core.protocol import Breach, violated
from pytest_todeval.errors import ModelRejected, SimulatorFault
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.simulation.llm_user.calling import Calling, Messages
from pytest_todeval.simulation.llm_user.endings import Ending, find_ending
from pytest_todeval.simulation.llm_user.reply import Draft, read_draft
from pytest_todeval.simulation.llm_user.script import Script, reminded
from pytest_todeval.simulation.llm_user.strategy import DONE, ENDS, Form, Strategy

TRIES = 2
"""Drafts asked for before the simulator is at fault."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class SaidDraft:
    """A draft, and what is meant by it."""

    draft: Draft
    ending: Ending | None
    wrong: str = ""
    """Why it cannot be sent, as the end of "it ..."."""

    @property
    def text(self) -> str:
        """Returns the words for the bot, without thought and token."""
        return self.ending.words if self.ending else self.draft.text


@dataclass
class Drafting:
    """Asks one user's model for drafts."""

    client: ChatClient
    strategy: Strategy
    script: Script
    seed: int | None
    calling: Calling | None = None
    """How the user calls tools of its own; None if it has none."""
    notes: list[str] = field(default_factory=list)
    """Drafts that could not be sent, each with why."""

    def read(self, completion: Completion, form: Form) -> SaidDraft:
        """Returns what the model wrote, with what is wrong with it as an answer."""
        wrong, stop = _unusable(completion), self.strategy.stop
        written = completion.text.partition(stop)[0] if stop else completion.text
        try:
            draft = read_draft(written, form)
        except Unreadable as error:
            return SaidDraft(
                Draft(completion.refusal or completion.text), None, wrong or str(error)
            )
        token = self.strategy.ending
        ending = find_ending(draft.text, done=token == DONE, ends=token == ENDS)
        return SaidDraft(draft, ending, wrong)

    def sound(
        self, messages: Messages, judge: Callable[[SaidDraft], SaidDraft], note: str = ""
    ) -> SaidDraft:
        """The first draft that `judge` finds nothing wrong with, else the last one, still wrong.

        A draft that cannot be sent is not shown to the model again: only why it cannot. The calls
        of tools that a draft took stay made whatever becomes of it: they are added to `messages`.

        Raises ModelUnavailable, BackendError; SimulatorFault if the endpoint does not take the
        request, and if the model calls tools without end.
        """
        said = SaidDraft(Draft(""), None, "was never asked for")
        for attempt in range(TRIES):
            said = judge(self.read(self._written(messages, note, attempt), self.strategy.form))
            if not said.wrong:
                self._require_ending_alone(said)
                return said
            self.notes.append(f"a draft of the user could not be sent: it {said.wrong}")
            violated(Breach.UNSAYABLE, f"it {said.wrong}: {said.draft.text!r:.{SHOWN}}")
            note = self.script.note(said.wrong)
        return said

    def fault(self, said: SaidDraft) -> SimulatorFault:
        """Returns what is raised if a draft is the simulator's last."""
        return SimulatorFault(
            f"the {self.strategy.name} user ({self.client.model}) wrote a message that "
            f"{said.wrong}: {said.draft.text!r:.{SHOWN}}"
        )

    def seeded(self, attempt: int) -> int | None:
        """The seed of this attempt: a fresh one for each after the first, if none is set, too."""
        base = self.client.settings.seed if self.seed is None else self.seed
        if base is None:
            return attempt or None
        return base + attempt

    def _require_ending_alone(self, said: SaidDraft) -> None:
        """DONE ends the dialogue at the end of a message, too; the protocol wants it alone."""
        if said.ending is not None and said.ending.words and self.strategy.ending == DONE:
            violated(Breach.ENDING_NOT_ALONE, f"{said.draft.text!r:.{SHOWN}}")

    def _written(self, messages: Messages, note: str, attempt: int) -> Completion:
        """Returns what the model writes once it calls no tools any more."""
        answer = self._completed(reminded(messages, note), attempt)
        while self.calling is not None and answer.tool_calls and not answer.refusal:
            messages += self.calling.answered(answer, messages)
            answer = self._completed(reminded(messages, note), attempt)
        return answer

    def _completed(self, messages: Messages, attempt: int) -> Completion:
        tools = self.calling.tools.schemas if self.calling else ()
        try:
            return self.client.complete(messages, tools=tools, seed=self.seeded(attempt))
        except ModelRejected as error:
            raise SimulatorFault(
                f"the {self.strategy.name} user could not be asked: {error}"
            ) from None


def _unusable(completion: Completion) -> str:
    if completion.refusal:
        return "is a refusal"
    if completion.finish in ("length", "content_filter"):
        return f"was cut off (finish reason {completion.finish})"
    return "" if completion.text.strip() else "says nothing"
