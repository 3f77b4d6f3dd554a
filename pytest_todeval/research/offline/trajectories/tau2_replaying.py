"""One stored simulation of tau2 played again, and its reward by part."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import OracleFault
from pytest_todeval.research.offline.trajectories.replaying import STORED, Replayed, as_stored
from pytest_todeval.research.offline.trajectories.tau2_results import SPEAKERS, Message, Simulation
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.domain import Tau2Domain
from pytest_todeval.worlds.tau2.reward import MAX_ERRORS, premature_verdict, rewards_as_said
from pytest_todeval.worlds.tau2.simulation import BASIS, PREFIX

PARTS = {name: f"{PREFIX}{name.lower()}" for name in BASIS}
"""Our verdicts by tau2's names for the parts of a reward."""
OUT_OF_SCOPE = "###OUT-OF-SCOPE###"
ENDINGS = {
    "user_stop": StopReason.USER_DONE,
    "agent_stop": StopReason.SYSTEM_DONE,
    "max_steps": StopReason.TURN_LIMIT,
    "agent_error": StopReason.SYSTEM_ERROR,
    "context_window_exceeded": StopReason.SYSTEM_ERROR,
    "user_error": StopReason.SIMULATOR_FAULT,
    "timeout": StopReason.DIALOGUE_TIMEOUT,
    "infrastructure_error": StopReason.NETWORK,
    "unexpected_error": StopReason.BACKEND_ERROR,
}
"""tau2's reasons; of another the file tells no more than that the dialogue ended prematurely."""
FAULTS = {
    StopReason.SIMULATOR_FAULT: Outcome.SIMULATOR_FAULT,
    StopReason.DIALOGUE_TIMEOUT: Outcome.INFRASTRUCTURE,
    StopReason.NETWORK: Outcome.INFRASTRUCTURE,
    StopReason.BACKEND_ERROR: Outcome.INFRASTRUCTURE,
}
"""Ends that are not the bot's: no reward here, whatever tau2 gives."""
PYDANTIC = re.compile(r"errors\.pydantic\.dev/[\d.]+")
"""Its version stands in the errors of tau2's tools."""
ENDED = (StopReason.USER_DONE, StopReason.SYSTEM_DONE)


def replay_simulation(simulation: Simulation, goal: Goal, domain: Tau2Domain) -> Replayed:
    """Make the calls of a simulation in a fresh environment and reward what comes of it.

    The dialogue has `reward` and its parts, and beside them `stored_reward`, `stored_reward_db`,
    ...; it lacks `reward` if a judge must read sentences, or if the end was not the bot's fault.
    Raises BackendError if a tool breaks in a way that tau2 does not foresee.
    """
    stored = _stored(simulation)
    if simulation.unscorable:
        return Replayed(_unplayed(goal, simulation, simulation.unscorable, stored))
    try:
        stage = _Tau2Stage(Tau2Backend(domain.home, domain.name, simulation.task))
        stage.play(simulation)
        dialogue = stage.dialogue(goal, simulation)
        found = _rewards(dialogue, stage, simulation)
    except OracleFault as fault:
        return Replayed(_unplayed(goal, simulation, str(fault), stored))
    if "reward" not in found and dialogue.fault is None:
        sentences = len(simulation.task["evaluation_criteria"]["nl_assertions"])
        why = f"the reward hangs on {sentences} sentence(s) that a judge must read"
        dialogue = replace(dialogue, fault=Outcome.JUDGE_FAULT, detail=why)
    rewarded = replace(dialogue, verdicts={**found, **stored})
    return Replayed(rewarded, tuple(stage.other_results))


def _rewards(
    dialogue: Dialogue, stage: "_Tau2Stage", simulation: Simulation
) -> Mapping[str, Verdict]:
    if dialogue.stop_reason in ENDED:
        return rewards_as_said(dialogue, stage.backend, simulation.task, stage.said)
    return {} if dialogue.fault else {"reward": premature_verdict(simulation.ended)}


def _stored(simulation: Simulation) -> dict[str, Verdict]:
    values = {f"stored_{PARTS[name]}": value for name, value in simulation.parts.items()}
    if simulation.reward is not None:
        values[STORED] = simulation.reward
    return {name: as_stored(name, value) for name, value in values.items()}


def _unplayed(
    goal: Goal, simulation: Simulation, why: str, stored: Mapping[str, Verdict]
) -> Dialogue:
    return Dialogue(
        goal,
        stop_reason=StopReason.ORACLE_FAULT,
        fault=Outcome.ORACLE_FAULT,
        detail=why,
        trial=simulation.trial,
        verdicts=stored,
    )


@dataclass
class _Tau2Stage:
    """A simulation being played."""

    backend: Tau2Backend
    turns: list[Turn] = field(default_factory=list)
    user: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    user_calls: list[ToolCall] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """All texts of the agent, also those beside a call, which no user sees."""
    other_results: list[str] = field(default_factory=list)

    def play(self, simulation: Simulation) -> None:
        messages = simulation.messages[_history(simulation) :]
        for place, message in enumerate(messages):
            if message["role"] in SPEAKERS:
                calls = message.get("tool_calls") or ()
                following = messages[place + 1 : place + 1 + len(calls)]
                answers = [m.get("content") for m in following if m["role"] == "tool"]
                self.take(message, list(zip_longest(calls, answers)))

    def take(self, message: Message, calls: Sequence[tuple[Message, object]]) -> None:
        text, by_user = message.get("content") or "", message["role"] == "user"
        if by_user and text:
            self.user = f"{self.user}\n{text}" if self.user else text
        elif text.strip():
            self.said.append(text)
        if not by_user and message.get("tool_calls") is None:
            self.end_turn(text)
        for call, stored in calls:
            made = self.made(call, by_user=call.get("requestor", message["role"]) == "user")
            (self.user_calls if by_user else self.calls).append(made)
            if stored is not None and not _same(stored, made):
                self.other_results.append(made.name)

    def made(self, call: Message, *, by_user: bool) -> ToolCall:
        trace = self.backend.user_trace if by_user else self.backend.trace
        make = self.backend.call_user if by_user else self.backend.call
        with suppress(ToolRefused):  # the trace says so
            make(call["name"], **call["arguments"])
        return trace[-1]

    def end_turn(self, reply: str) -> None:
        number = len(self.turns) + 1
        turn = Turn(number, self.user, reply, tuple(self.calls), user_calls=tuple(self.user_calls))
        self.turns.append(turn)
        self.user, self.calls, self.user_calls = "", [], []

    def dialogue(self, goal: Goal, simulation: Simulation) -> Dialogue:
        last_words = self.user
        if self.calls:
            self.end_turn("")
            last_words = ""
        reason = ENDINGS.get(simulation.ended, StopReason.IMPORTED)
        fault = FAULTS.get(reason) or self.users_fault(simulation.ended, last_words)
        return Dialogue(
            goal,
            tuple(self.turns),
            reason,
            fault=fault,
            detail="" if reason in ENDED else f"tau2 ended it: {simulation.ended:.80}",
            last_words=last_words,
            last_calls=tuple(self.user_calls),
            backend_known=True,
            trial=simulation.trial,
        )

    def users_fault(self, ended: str, last_words: str) -> Outcome | None:
        """Ten calls that failed, but not the bot's; a user that could not go on."""
        bots = sum(call.error is not None for call in self.backend.trace)
        users = sum(call.error is not None for call in self.backend.user_trace)
        at_fault = ended == "too_many_errors" and bots < MAX_ERRORS <= bots + users
        left = ended == "user_stop" and OUT_OF_SCOPE in last_words
        return Outcome.SIMULATOR_FAULT if at_fault or left else None


def _history(simulation: Simulation) -> int:
    """Returns how many messages are the task's own history, which its initial state holds.

    Raises OracleFault if the simulation does not start with all of it.
    """
    state = simulation.task.get("initial_state") or {}
    history = state.get("message_history") or []
    if not isinstance(history, list):
        raise OracleFault(f"{simulation.where}: its task's `message_history` is no list")
    start = [_core(message) for message in simulation.messages[: len(history)]]
    if start != [_core(message) for message in history]:
        raise OracleFault(
            f"{simulation.where}: the messages do not start with the {len(history)} of its task's "
            "`message_history`"
        )
    return len(history)


def _core(message: object) -> tuple[object, ...]:
    """Returns what makes a message: times, costs and ids differ."""
    if not isinstance(message, Mapping):
        return (message,)
    calls = message.get("tool_calls") or ()
    made = [(call.get("name"), call.get("arguments")) for call in calls]
    return message.get("role"), message.get("content"), made


def _same(stored: object, made: ToolCall) -> bool:
    now = made.result if made.error is None else made.error
    return stored == now or _value(stored) == _value(now)


def _value(text: object) -> object:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return PYDANTIC.sub("", text)
