"""The user simulator played by a model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import SimulatorFault, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.llm_user.calling import Calling, Messages
from pytest_todeval.simulation.llm_user.checks import Known, wrong_with
from pytest_todeval.simulation.llm_user.conversation import Conversation, asks, shown
from pytest_todeval.simulation.llm_user.conveyed import Conveyed
from pytest_todeval.simulation.llm_user.drafting import Drafting, SaidDraft
from pytest_todeval.simulation.llm_user.endings import TokenMeaning
from pytest_todeval.simulation.llm_user.memory import MessageMemory
from pytest_todeval.simulation.llm_user.oracle import Oracle
from pytest_todeval.simulation.llm_user.progress import Progress
from pytest_todeval.simulation.llm_user.repetition import repeated
from pytest_todeval.simulation.llm_user.script import Script
from pytest_todeval.simulation.llm_user.strategy import (
    STOP,
    STRATEGIES,
    Form,
    Supervision,
    find_strategy,
)
from pytest_todeval.simulation.llm_user.supervisor import Supervisor
from pytest_todeval.simulation.llm_user.user_tools import UserTools, names_of
from pytest_todeval.simulation.user import Utterance


class LLMUser:
    """A user simulator played by a model, by one of the papers' `STRATEGIES` or a package's.

    One for each dialogue.

    `model` is a name, `ModelSettings` or a `ChatClient`. `persona` says in words who the user is,
    `language` the one it writes, `examples` are dialogues to imitate, as text (default: the one
    that the strategy's document has; none if empty). `reference` is the dialogue that people had
    about the goal, which `autotod` follows. Users as published play at temperature 0, unless the
    settings of their model say otherwise. `prompts` is a
    folder with prompt documents that replace the shipped ones. `seed` is sent to the endpoint
    (default: the settings'); a draft that cannot be used is asked for once more with the next seed
    and a note of what is wrong.

    It leaves with `USER_DONE`; with `USER_GAVE_UP` if its strategy knows that the bot failed
    (`state_tracking`: parts marked so, or nothing moved; `autoeval_tod`: the solution was never
    offered) or the bot says the same over and over. What the goal asks for is judged elsewhere.

    `solution` (default: the goal's) is what `autoeval_tod` has a separate checker look for in the
    answers, all of it if it is several; the user is told yes or no only. `oracle.solutions_of`
    picks them from a database.

    `tools` are the user's own (tau2-bench's dual control): before it speaks its model may call
    them. Calls and results stay with it; the bot hears its message only.

    Raises UsageError for an unknown strategy, for `autoeval_tod` without a solution, for tools with
    a strategy that takes none, and for a prompt that is no user's prompt.
    """

    def __init__(
        self,
        goal: Goal,
        model: str | ModelSettings | ChatClient,
        strategy: str = "vanilla",
        *,
        persona: str = "",
        language: str = "English",
        examples: str | Sequence[str] | None = None,
        prompts: str | Path | None = None,
        seed: int | None = None,
        solution: str | Sequence[str] | None = None,
        tools: UserTools | None = None,
        reference: Sequence[Turn] = (),
    ) -> None:
        self.goal, self.strategy = goal, find_strategy(strategy)
        self._client = ChatClient.of(model, cold=self.strategy.published)
        own = Prompts(prompts, published=self.strategy.published)
        self._reference = tuple(reference) if self.strategy.follows_reference else ()
        self._goal_text = goal_text(goal)
        self._conversation = Conversation()
        calling = self._with_tools(tools)
        script = Script.of(
            own,
            self.strategy.prompt,
            goal=self._goal_text,
            persona=persona,
            language=language,
            examples=(examples,) if isinstance(examples, str) else examples,
            example=self.strategy.example,
            reference=_dialogue_text(self._reference),
            token=self.strategy.ending,
            has_tools=calling is not None,
        )
        self._drafting = Drafting(self._client, self.strategy, script, seed, calling)
        self._supervisor = self._supervised(own)
        self._progress = Progress.of(goal) if self.strategy.form is Form.STATE else None
        self._oracle = self._with_oracle(own, solution or goal.solution)
        self._memory = MessageMemory(script, self._conversation, self.strategy)
        self._memory.recall(goal.opening, **self._values, offered="no")
        self._ending_withheld = False
        self._conveyed = Conveyed(goal, language)
        self._known = Known(
            goal=f"{self._goal_text}\n{persona}",
            instructions=script.instructions,
            conversation=self._conversation,
            solutions=self._oracle.solutions if self._oracle else (),
            tools=names_of(calling.tools.schemas, "`tools` of the user") if calling else (),
        )

    asks_model = True
    """It waits for a model's endpoint: if it takes too long, that is the endpoint's fault."""

    def __repr__(self) -> str:
        return f"<LLMUser {self.strategy.name}, {self._client.model}, {self.goal.name}>"

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not stop the dialogue and ought to be known: updates ignored, checks missed."""
        kept = (self._drafting, self._progress, self._supervisor)
        return tuple(note for keeper in kept if keeper is not None for note in keeper.notes)

    @property
    def conveyed(self) -> tuple[tuple[str, ...], ...]:
        """For each of its messages, the domains of the goal that it raised, as rules hear it."""
        return tuple(self._conveyed.said)

    @property
    def said_nothing(self) -> str:
        """Says why no verdict on the bot can count: nothing of the goal was said; else empty."""
        return self._conveyed.nothing

    @property
    def tells_what_it_said(self) -> bool:
        """Says whether rules can tell what it said of its goal: it has slots, and English words."""
        return self._conveyed.can_tell

    def respond(self, turn: Turn | None) -> Utterance:
        """Says the next thing, given the turn just ended (None at the start).

        Raises SimulatorFault if the model writes nothing a user can have said, even when asked
        once more, and if it calls tools without end; ModelUnavailable if it could not be
        asked; BackendError if a tool broke.
        """
        utterance = self._uttered(turn)
        self._conveyed.take(utterance.text)
        return utterance

    def _uttered(self, turn: Turn | None) -> Utterance:
        if not self._goal_text:
            raise SimulatorFault(
                f"{self.goal.name} has neither a message nor domains, so that its user has nothing "
                "to say; give it one of them"
            )
        if turn is not None:
            self._conversation.bot.append(shown(turn.system))
        if self._progress and self._progress.stalled:
            return Utterance("", StopReason.USER_GAVE_UP, self._progress.standstill)
        messages = self._next_messages(turn)
        if turn is None and self._reference and self._reference[0].user:
            self._memory.keep(messages, self._reference[0].user)
            return Utterance(self._reference[0].user)
        said = self._drafting.sound(messages, self._judged)
        if said.wrong:
            return self._again(said, messages)
        if self._supervisor is not None:
            transcript = self._conversation.fenced()
            said = self._supervisor.passed(said, messages, transcript, self._judged)
        return self._spoken(said, messages)

    def _next_messages(self, turn: Turn | None) -> Messages:
        if turn is None:
            return self._memory.script.opening(**self._values, offered="no")
        heard = self._conversation.bot[-1]
        offered = self._oracle.told(heard, turn.index) if self._oracle else ""
        return self._memory.next(**self._values, offered=offered)

    @property
    def _values(self) -> dict[str, str]:
        return self._progress.values if self._progress else {"state": "", "idle": "0"}

    def _judged(self, said: SaidDraft) -> SaidDraft:
        """Returns the draft with what is wrong with it in this place of the dialogue."""
        wrong = said.wrong or self._wrong_with(said)
        return replace(said, wrong=wrong)

    def _wrong_with(self, said: SaidDraft) -> str:
        if self._leaves(said):
            return self._premature(said)
        if wrong := wrong_with(said.text, self._known):
            return wrong
        if self._conversation.repeats(said.text):
            return "repeats the message before it word for word"
        return ""

    def _leaves(self, said: SaidDraft) -> bool:
        """Whether an ending ends the dialogue: mostly not while the bot has an answer to give."""
        if said.ending is None:
            return self._has_all(said)
        if not self._conversation.begun:
            return not said.text
        # tau-bench's token ends it wherever it stands; of the papers' users, it may be too early.
        return self.strategy.ending == STOP or self._ending_withheld or not asks(said.text)

    def _has_all(self, said: SaidDraft) -> bool:
        """Says whether a user that tracks its goal is done, though it wrote no token: all parts
        were settled in its last message already, and neither side asks for anything since.
        """
        if self._progress is None or not self._conversation.begun:
            return False
        asked = asks(said.text) or asks(self._conversation.bot[-1])
        return self._progress.settled(said.draft.state) and not asked

    def _premature(self, said: SaidDraft) -> str:
        if not self._conversation.begun:
            return "ends the conversation before it has begun"
        if self._progress is None:
            return ""
        return self._progress.left_open(said.draft.state)

    def _again(self, said: SaidDraft, messages: Messages) -> Utterance:
        """What becomes of a draft that is wrong twice: a repetition may be meant, all else not."""
        same = said.ending is None and self._conversation.repeats(said.text)
        if not same or wrong_with(said.text, self._known):
            raise self._drafting.fault(said)
        utterance = repeated(said.text, self.goal, self._conversation)
        if utterance is None:
            raise self._drafting.fault(said)
        return utterance if utterance.stop else self._spoken(said, messages)

    def _spoken(self, said: SaidDraft, messages: Messages) -> Utterance:
        """Remember what was said, with the thought behind it, and say it."""
        leaves = self._leaves(said)
        if self._progress and not (leaves and said.draft.state is None):
            self._progress.take(said.draft)
        if leaves:
            return self._left(said)
        self._ending_withheld = said.ending is not None
        self._memory.keep(messages, said.text, said.draft.thought)
        return Utterance(said.text)

    def _left(self, said: SaidDraft) -> Utterance:
        if said.ending is not None and said.ending.meaning is TokenMeaning.OUT_OF_SCOPE:
            why = f"the user says that its goal lacks what it needs ({said.ending.token})"
            return Utterance(said.text, StopReason.SIMULATOR_FAULT, why)
        if self._progress and self._progress.tracker.failed:
            why = f"the bot did not do: {', '.join(self._progress.tracker.failed)}"
            return Utterance(said.text, StopReason.USER_GAVE_UP, why)
        if self._oracle is not None and not self._oracle.solved:
            why = "the user left without having been offered the solution"
            return Utterance(said.text, StopReason.USER_GAVE_UP, why)
        why = "no part of its goal is open, and it asks for nothing more"
        if said.ending is not None:
            why = f"the user wrote {said.ending.token}"
        return Utterance(said.text, StopReason.USER_DONE, why)

    def _with_tools(self, tools: UserTools | None) -> Calling | None:
        if tools is None or not tools.schemas:
            return None
        if not self.strategy.takes_tools:
            able = ", ".join(name for name, each in STRATEGIES.items() if each.takes_tools)
            raise UsageError(
                f"the strategy {self.strategy.name} takes no tools, but the user of "
                f"{self.goal.name} has some, whose results its prompts would not show; "
                f"choose one of {able}"
            )
        return Calling(tools, self._conversation.tools)

    def _supervised(self, prompts: Prompts) -> Supervisor | None:
        if self.strategy.supervision is Supervision.NONE:
            return None
        return Supervisor.of(self._drafting, prompts, self._goal_text)

    def _with_oracle(self, prompts: Prompts, solution: str | Sequence[str]) -> Oracle | None:
        if not self.strategy.checks_solution:
            return None
        told = (solution,) if isinstance(solution, str) else solution
        solutions = [each.strip() for each in told if each.strip()]
        if not solutions:
            raise UsageError(
                f"the strategy {self.strategy.name} needs a solution, but {self.goal.name} has "
                "none: write `solution:` in the goal, or pass `solution=` to LLMUser"
            )
        return Oracle(self._client, prompts, solutions, self._drafting.seeded(0))


def _dialogue_text(turns: Sequence[Turn]) -> str:
    """Returns a dialogue of people, fenced: it comes from a file of data."""
    lines = (f"User: {turn.user}\nAI Assistant: {turn.system}" for turn in turns)
    return fenced("reference", "\n".join(lines)) if turns else ""
