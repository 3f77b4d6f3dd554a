"""tau-bench's own users: its prompts word for word, its order of requests, and its faults with it.

They ask as `tau_bench/envs/user.py` does, sampling parameters left to the endpoint. Nothing is
checked and nothing asked again but what tau-bench asks again. Two things are as odd there: the
thought of `react` goes to the bot, and a message that `verify` rejected to the last is not in the
history of the next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.goals.code_texts import CheckoutCode, TextTemplate
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import sendable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import book
from pytest_todeval.simulation.user import Utterance

PLACE = "tau_bench/envs/user.py"
LLM, REACT = "LLMUserSimulationEnv", "ReactUserSimulationEnv"


@dataclass(frozen=True)
class OwnPrompts:
    """What tau-bench asks its users' models."""

    llm: TextTemplate
    """The system prompt, of `instruction_display`."""
    react: TextTemplate
    """Likewise, of the strategy that has the model think first."""
    instruction: TextTemplate
    """How both have a task's `instruction`."""
    greeting: str
    """What the agent is taken to have said before the user's first words."""
    verify: TextTemplate
    """The supervisor's question, of `transcript` and `response`."""
    reflect: TextTemplate
    """What it is asked for in place of a response that it rejected; likewise."""
    labels: dict[str, str]
    """How a transcript calls the roles of messages."""
    verify_attempts: int
    reflect_attempts: int
    definition: str
    """A hash of the file."""


@lru_cache(maxsize=8)
def own_prompts(home: Path) -> OwnPrompts:
    """Those of the checkout in the folder `home`. Raises InvalidFile if its code holds others."""
    code = CheckoutCode(home / PLACE)
    shown, said = "instruction_display", ("transcript", "response")
    return OwnPrompts(
        llm=code.returned(f"{LLM}.build_system_prompt", shown),
        react=code.returned(f"{REACT}.build_system_prompt", shown),
        instruction=code.bound(shown, "instruction", place=f"{LLM}.build_system_prompt"),
        greeting=code.message(f"{LLM}.reset", "user"),
        verify=code.bound("prompt", *said, place="verify"),
        reflect=code.bound("prompt", *said, place="reflect"),
        labels=code.cases("map_role_label"),
        verify_attempts=code.default("VerifyUserSimulationEnv.__init__", "max_attempts"),
        reflect_attempts=code.default("ReflectionUserSimulationEnv.__init__", "max_attempts"),
        definition=f"tau-bench's own {sha256(code.path.read_bytes()).hexdigest()[:12]}",
    )


STOP = "###STOP###"
THOUGHT, RESPONSE, REFLECTED = "Thought:", "User Response:", "Response:"
"""How tau-bench takes answers apart."""

Messages = list[dict[str, str]]


class TauBenchUser:
    """The user `llm` of one dialogue. Raises SimulatorFault if tau-bench's would break."""

    asks_model = True
    name: ClassVar[str] = "tau_bench"

    def __init__(self, goal: Goal, settings: ModelSettings, prompts: OwnPrompts) -> None:
        self._goal, self._client, self._prompts = goal, ChatClient(settings), prompts
        self._messages: Messages = []

    def respond(self, turn: Turn | None) -> Utterance:
        """Says the next thing. Whatever the first message holds, the bot hears it."""
        book().prompts[self.name] = self._prompts.definition
        if turn is None:
            told = self._prompts.instruction.filled(instruction=str(self._goal.raw["instruction"]))
            self._messages = [
                {"role": "system", "content": self._system(told)},
                {"role": "user", "content": self._prompts.greeting},
            ]
            return Utterance(self._next())
        self._messages.append({"role": "user", "content": sendable(turn.system)})
        said = self._next()
        if STOP in said:
            return Utterance(said, StopReason.USER_DONE, f"the user wrote {STOP}")
        return Utterance(said)

    def _system(self, told: str) -> str:
        return self._prompts.llm.filled(instruction_display=told)

    def _next(self) -> str:
        return self._generated(self._messages)

    def _generated(self, messages: Messages) -> str:
        """Returns what the model says, which is remembered."""
        said = self._asked(messages)
        self._messages.append({"role": "assistant", "content": said})
        return said

    def _asked(self, messages: Sequence[Mapping[str, str]]) -> str:
        return sendable(self._client.complete(messages).text)


class TauBenchReactUser(TauBenchUser):
    """The user `react`."""

    name = "tau_bench_react"

    def _system(self, told: str) -> str:
        return self._prompts.react.filled(instruction_display=told)

    def _next(self) -> str:
        said = self._generated(self._messages)
        if STOP in said:
            return STOP
        label = THOUGHT if THOUGHT in said else RESPONSE
        return _after(label, said)


class _SupervisedUser(TauBenchUser):
    """A second call judges what the user would say."""

    def _accepted(self, response: str, messages: Messages) -> bool:
        question = self._prompts.verify.filled(
            transcript=self._transcript(messages), response=response
        )
        return "true" in self._asked([{"role": "user", "content": question}]).lower()

    def _transcript(self, messages: Messages) -> str:
        labels = self._prompts.labels
        return "\n".join(
            f"{labels.get(each['role'], each['role'].capitalize())}: {each['content']}"
            for each in messages
        )


class TauBenchVerifyUser(_SupervisedUser):
    """The user `verify`."""

    name = "tau_bench_verify"

    def _next(self) -> str:
        said = ""
        for _ in range(self._prompts.verify_attempts):
            said = self._asked(self._messages)
            if self._accepted(_as_litellm(said), self._messages):
                self._messages.append({"role": "assistant", "content": said})
                break
        return said


class TauBenchReflectionUser(_SupervisedUser):
    """The user `reflection`."""

    name = "tau_bench_reflection"

    def _next(self) -> str:
        messages = list(self._messages)
        first = self._generated(messages)
        if self._accepted(first, messages):
            return first
        for _ in range(self._prompts.reflect_attempts - 1):
            messages.append({"role": "user", "content": self._reflected(first, messages)})
            said = self._generated(messages)
            if self._accepted(said, messages):
                return said
        return first

    def _reflected(self, response: str, messages: Messages) -> str:
        question = self._prompts.reflect.filled(
            transcript=self._transcript(messages), response=response
        )
        return _after(REFLECTED, self._asked([{"role": "user", "content": question}]))


OWN_USERS: Mapping[str, type[TauBenchUser]] = {
    each.name: each
    for each in (TauBenchUser, TauBenchReactUser, TauBenchVerifyUser, TauBenchReflectionUser)
}
"""By the name under which a run asks for them."""


def _after(label: str, said: str) -> str:
    """Returns what follows a label, which has to stand there once."""
    parts = said.split(label)
    if len(parts) != 2:
        raise SimulatorFault(
            f"the user's model wrote {said!r:.80}, expected `{label}` once: tau-bench's run breaks "
            "there. Try a stronger model for the user"
        )
    return parts[1].strip()


def _as_litellm(said: str) -> str:
    """Returns the answer as tau-bench shows it to the supervisor: the text of litellm's object."""
    return (
        f"Message(content={said!r}, role='assistant', tool_calls=None, function_call=None, "
        "provider_specific_fields=None)"
    )
