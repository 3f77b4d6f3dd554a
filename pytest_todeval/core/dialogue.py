"""The transcript: turns with text, tool calls, state, latency, ...; and why it stopped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.assertable import Assertable, ByName, no_attribute
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.latency import Latency
from pytest_todeval.core.once import Once
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import Violation
from pytest_todeval.core.records import RecordChange, RecordsSeen
from pytest_todeval.core.satisfaction import satisfied, turns_to_done
from pytest_todeval.core.tool_calls import ToolCall as ToolCall  # its home for all who import it
from pytest_todeval.core.tool_calls import ToolCalls
from pytest_todeval.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Booking:
    """What stands booked in a backend."""

    domain: str
    reference: str
    slots: Mapping[str, str] = field(default_factory=dict)
    """Everything the booking holds: `name` or `trainID`, `day`, `people`, `time`, ..."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the bot says a turn cost."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """US dollars; if 0, what the tokens cost by the prices of `model`, if these are known."""
    model: str = ""
    """Whose tokens they are, as `todeval_prices` calls it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot answers. A plain string means the same as `Reply(text)`."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    state: Mapping[str, Any] | None = None
    """Belief state `{domain: {slot: value}}`, if the bot keeps one."""
    retrieved: tuple[Any, ...] = ()
    """Ranked items the bot retrieved, best first."""
    usage: Usage | None = None
    done: bool = False
    """The bot regards the dialogue as ended."""
    acts: tuple[DialogueAct | str | Mapping[str, Any], ...] | None = None
    """What the text says, in the bot's own account: `("booked", "offer Rose House")`, see
    `core.notation`. It wins over what would be heard in the text; None leaves that to the ear."""
    turn_state: Mapping[str, Any] | None = None
    """Of a tracker that predicts what a turn adds to the belief state or changes in it, instead of
    the whole: just that, as `{domain: {slot: value}}`; an empty value takes the pair out."""
    spans: tuple[tuple[str, float], ...] = ()
    """Named parts of the turn with the seconds each took."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: what the user said, then what the bot did and said."""

    index: int
    """1-based; 0 and less in a goal's opening."""
    user: str
    """What the bot heard; empty only if it spoke first, in an opening."""
    system: str
    tool_calls: tuple[ToolCall, ...] = ()
    state: Mapping[str, Any] | None = None
    retrieved: tuple[Any, ...] = ()
    latency: float = 0.0
    """Seconds the bot took."""
    usage: Usage | None = None
    spans: tuple[tuple[str, float], ...] = ()
    """Named parts of the turn with the seconds each took, if the bot reports them."""
    user_calls: tuple[ToolCall, ...] = ()
    """What the user called of its own tools before it spoke; the bot knows of it by its words."""
    booked: tuple[Booking, ...] | None = None
    """Bookings that the backend holds since this turn, or holds otherwise than before; None if no
    backend was asked."""
    cancelled: tuple[Booking, ...] = ()
    """Bookings that the backend no longer holds, or no longer so."""
    claims: tuple[DialogueAct, ...] | None = None
    """What `system` says, as somebody told or heard it; None before anybody has."""
    claims_by: str = ""
    """Who told the claims: `bot`, a model's name, or `rules`: the ear that hears anew each time."""
    meant: str = ""
    """What the user meant by `user`, if its words were varied; else empty."""
    turn_state: Mapping[str, Any] | None = None
    """What the turn adds to the belief state or changes in it, of a bot that reports just that."""
    changed: tuple[RecordChange, ...] | None = None
    """What it changed in the records of the backend; None if nobody looked at them."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True  # a test shows its own line, not this one
            no_attribute(self, name)

    @property
    def as_meant(self) -> str:
        """Returns the user's words as it meant them. Who reads them by rule reads these: what we
        would mishear in a variation is not the bot's failure.
        """
        return self.meant or self.user


RENAMED = {
    "bookings": "`final_bookings` are the bookings in the backend at the end, right or wrong; "
    "`booking` is the verdict on them"
}
"""What a dialogue does not have, and what it has instead."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Dialogue(Assertable):
    """What was said and done for one goal, why it stopped, and what it is worth."""

    goal: Goal
    turns: tuple[Turn, ...] = ()
    stop_reason: StopReason = StopReason.IMPORTED
    fault: Outcome | None = None
    """Set if the dialogue itself settles the outcome (the bot crashed, the simulator failed,
    ...); None if the assertions of the test decide between `passed` and `failed`."""
    detail: str = ""
    """The stop reason in a sentence: the exception, the limit, what the user still lacked."""
    last_words: str = ""
    """What the user said when it left without waiting for an answer, or before the bot failed."""
    last_calls: tuple[ToolCall, ...] = ()
    """What the user called of its own tools since the last turn."""
    final_bookings: tuple[Booking, ...] = ()
    """What stood in the backend at the end; whether that is right says `booking`."""
    backend_known: bool = False
    """Whether `final_bookings` is a fact from a backend (else there was none to look into)."""
    conveyed: tuple[tuple[str, ...], ...] = ()
    """What a user that is a model told of its goal in each of its messages, its last words
    included (`hotel area: north`), as rules or a model heard it; empty if neither did."""
    trial: int = 0
    notes: tuple[str, ...] = ()
    """What the user simulator noticed about itself that did not stop the dialogue."""
    variation: str = ""
    """How the user's words were varied (`easy`, `speech`, `French`); empty if they were not."""
    protocol: str = ""
    """How it was held to a protocol: `strict` or `lenient`; empty if to none."""
    violations: tuple[Violation, ...] = ()
    """What broke the protocol, of both sides, in the order made."""
    records_seen: RecordsSeen | None = field(default=None, compare=False)
    """What stood in the backend before and after, if the goal is about records. It is in no file:
    there `Turn.changed` tells of it."""
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """By metric name; filled in by the evaluators."""
    judged: Once[Any] = field(default_factory=Once, compare=False)
    """What models that judge it answered, by what they were asked: the same is asked once, for this
    dialogue and what `replace` makes of it. It is in no file."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdicts", ByName(self.verdicts))

    def _line(self) -> str:
        return "dialogue.success"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True  # a test shows its own line, not this one
            no_attribute(self, name, RENAMED)

    def __repr__(self) -> str:
        return f"<Dialogue {self.goal.name}, {self.stop_reason} in turn {len(self.turns)}>"

    @property
    def inform(self) -> Verdict:
        """Says whether what the bot offered meets the goal's constraints, in every domain."""
        return self._verdict("inform")

    @property
    def success(self) -> Verdict:
        """Inform, and every requested value was told, rightly."""
        return self._verdict("success")

    @property
    def booking(self) -> Verdict:
        """Whether the backend holds the bookings that the goal asks for, with every slot right."""
        return self._verdict("booking")

    @property
    def refusal(self) -> Verdict:
        """Whether the bot said of what nobody can have that it cannot be had, and booked nothing.

        Not applicable to goals that can be met.
        """
        if "success" in self.verdicts and "refusal" not in self.verdicts:
            return Verdict("refusal", True, "the goal can be met", applicable=False)
        return self._verdict("refusal")

    @property
    def reward(self) -> Verdict:
        """Whether a task was done as its data set rewards it; `.reward.value` is the number."""
        return self._verdict("reward")

    @property
    def satisfied(self) -> Verdict:
        """Says whether the user left with everything; if not, what it lacked when it gave up.

        Not applicable if nothing tells, as of a dialogue that was imported. A world may evaluate it
        itself, as `satisfied`.
        """
        if "satisfied" in self.verdicts:
            return self.verdicts["satisfied"]
        replies = [turn.system for turn in self.turns]
        return satisfied(self.stop_reason, self.fault, self.detail, replies, self.verdicts)

    @property
    def turns_to_done(self) -> int:
        """Returns the turn in which the last thing was there that the user needed.

        That is by the turns of reward, success and booking; if these tell none, the last turn.
        Raises NeverDone, with the reason, if it never was there, which is the bot's failure, and
        JudgeFault if nothing tells.
        """
        __tracebackhide__ = True
        return turns_to_done(len(self.turns), self.verdicts, self.satisfied)

    @property
    def latency(self) -> Latency:
        """Returns how long the bot took per turn: `dialogue.latency.p90 <= 2` asks for seconds.

        Raises AttributeError if no turn has a latency, as in a dialogue that was imported.
        """
        seconds = {turn.index: turn.latency for turn in self.turns}
        if not any(seconds.values()):
            raise AttributeError("no turn of this dialogue has a latency")
        return Latency.of(seconds)

    def _verdict(self, name: str) -> Verdict:
        if name not in self.verdicts:
            known = ", ".join(self.verdicts) or "none; it has not been evaluated"
            raise AttributeError(f"this dialogue has no verdict {name!r} (it has: {known})")
        return self.verdicts[name]

    @property
    def tool_calls(self) -> ToolCalls:
        """All tool calls, in order; `assert dialogue.tool_calls.called("book", day="friday")`."""
        made = [(call, turn.index) for turn in self.turns for call in turn.tool_calls]
        return ToolCalls((call for call, _ in made), (turn for _, turn in made))

    def explain(self, *, full: bool = False, heard: bool = False) -> str:
        """Returns the dialogue as text for a person: the last turns, or with `full` all of them.

        With `heard`, under each text of the bot what was heard in it.
        """
        from pytest_todeval.core.transcript import render

        return render(self, full=full, heard=heard)
