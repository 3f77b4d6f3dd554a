"""tau2's own user: its guidelines word for word, its order of messages, its sampling parameters.

It asks as `tau2/user/user_simulator.py` does, with the temperature and the seeds that tau2's runs
have unless the settings of its model say otherwise. Nothing is checked, and nothing asked again.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import DataMissing, SimulatorFault
from pytest_todeval.goals.code_texts import CheckoutCode
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, sendable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.tool_calls import assistant_message, read_calls
from pytest_todeval.models.usage import book
from pytest_todeval.simulation.llm_user.user_tools import tools_of
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.worlds.tau2.package import source_of

GUIDELINES = "data/tau2/user_simulator/simulation_guidelines{}.md"
PERSONA = "<PERSONA_GUIDELINES>"
"""Where guidelines have what a persona adds; nothing, by default."""
FIELDS = ("global_user_sim_guidelines_with_persona", "instructions")
MOST_SEEDS = 1_000_000
"""tau2 draws a seed up to it for each trial."""

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class Tau2Guidelines:
    """What tau2 tells its user, and how it asks."""

    plain: str
    with_tools: str
    system: str
    """The system prompt, with places for guidelines and instructions."""
    greeting: str
    """What the agent says first."""
    endings: tuple[str, ...]
    """Tokens that end the dialogue, wherever they stand in a message."""
    out_of_scope: str
    """That of them which says that the task does not tell what the user would need."""
    temperature: float
    first_seed: int
    """What the seeds of the trials are drawn from."""
    definition: str
    """A hash of guidelines and system prompt."""

    def filled(self, instructions: str, *, tools: bool) -> str:
        """Returns the system prompt of a task."""
        guidelines = (self.with_tools if tools else self.plain).replace(PERSONA, "")
        values = dict(zip(FIELDS, (guidelines, instructions), strict=True))
        return re.sub(rf"\{{({'|'.join(FIELDS)})\}}", lambda m: values[m[1]], self.system)

    def seed(self, trial: int) -> int:
        """Returns the seed of a trial, from 0."""
        random = Random(self.first_seed)
        return [random.randint(0, MOST_SEEDS) for _ in range(trial + 1)][trial]


@lru_cache(maxsize=8)
def own_guidelines(home: Path) -> Tau2Guidelines:
    """Those of the checkout at `home`. Raises DataMissing or InvalidFile if it lacks them."""
    source = source_of(home)
    base = CheckoutCode(source / "user" / "user_simulator_base.py")
    orchestrator = CheckoutCode(source / "orchestrator" / "orchestrator.py")
    config = CheckoutCode(source / "config.py")
    simulator = CheckoutCode(source / "user" / "user_simulator.py")
    plain, with_tools = (_text(home / GUIDELINES.format(kind)) for kind in ("", "_tools"))
    system = simulator.bound("SYSTEM_PROMPT").filled()
    stop, transfer, out = (
        base.bound(name).filled() for name in ("STOP", "TRANSFER", "OUT_OF_SCOPE")
    )
    told = "\n".join((plain, with_tools, system)).encode()
    return Tau2Guidelines(
        plain=plain,
        with_tools=with_tools,
        system=system,
        greeting=orchestrator.passed("AssistantMessage", "content", "DEFAULT_FIRST_AGENT_MESSAGE"),
        endings=(stop, transfer, out),
        out_of_scope=out,
        temperature=float(config.number("DEFAULT_LLM_TEMPERATURE_USER")),
        first_seed=int(config.number("DEFAULT_SEED")),
        definition=f"tau2's own {sha256(told).hexdigest()[:12]}",
    )


class Tau2User:
    """The user of one dialogue; `instructions` are those that tau2 makes of the task.

    Its tools are the backend's. Raises SimulatorFault if tau2's run would break.
    """

    asks_model = True
    name: ClassVar[str] = "tau2"

    def __init__(
        self,
        goal: Goal,
        settings: ModelSettings,
        guidelines: Tau2Guidelines,
        instructions: str,
        backend: Any,
        trial: int,
    ) -> None:
        self._guidelines, self._backend, self._tools = guidelines, backend, tools_of(backend)
        self._client = ChatClient(_as_theirs(settings, guidelines, trial, bool(self._tools)))
        initial = goal.raw.get("initial_state") or {}
        history = initial.get("message_history") or ()
        system = guidelines.filled(instructions, tools=self._tools is not None)
        greeting = {"role": "user", "content": guidelines.greeting}
        self._messages: Messages = [{"role": "system", "content": sendable(system)}]
        self._messages += list(_flipped(history)) or [greeting]
        self._begun = False

    def respond(self, turn: Turn | None) -> Utterance:
        """Says the next thing, after calls of its tools if it makes any."""
        book().prompts[self.name] = self._guidelines.definition
        if self._begun and turn is not None:
            self._messages.append({"role": "user", "content": sendable(turn.system)})
        self._begun = True
        answer = self._asked()
        while answer.tool_calls:
            self._call(answer)
            if self._backend.counted_calls > self._backend.max_steps:
                why = "the user's model called tools until the steps were used up"
                return Utterance(answer.text, StopReason.USER_GAVE_UP, why)
            answer = self._asked()
        said = sendable(answer.text)
        self._messages.append({"role": "assistant", "content": said})
        return self._spoken(said)

    def _spoken(self, said: str) -> Utterance:
        token = next((each for each in self._guidelines.endings if each in said), None)
        if token is None:
            return Utterance(said)
        if token == self._guidelines.out_of_scope:
            why = f"the user says that its goal lacks what it needs ({token})"
            return Utterance(said, StopReason.SIMULATOR_FAULT, why)
        return Utterance(said, StopReason.USER_DONE, f"the user wrote {token}")

    def _asked(self) -> Completion:
        tools = self._tools.schemas if self._tools else ()
        return self._client.complete(self._messages, tools=tools)

    def _call(self, answer: Completion) -> None:
        assert self._tools is not None  # else none was offered
        made = sum(message["role"] == "tool" for message in self._messages)
        calls = read_calls(answer, made)
        if wrong := next((call for call in calls if call.wrong), None):
            raise SimulatorFault(
                f"the user's model calls {wrong.name!r:.80}, but {wrong.wrong}: tau2's run breaks "
                "there. Try a stronger model for the user"
            )
        self._messages.append(assistant_message(answer.text, calls))
        for call in calls:
            told = sendable(self._tools.call(call.name, call.arguments))
            result = {"role": "tool", "tool_call_id": call.id, "content": told}
            self._messages.append(result)


def _as_theirs(
    settings: ModelSettings, guidelines: Tau2Guidelines, trial: int, tools: bool
) -> ModelSettings:
    """Returns the settings, with tau2's parameters if they leave them open."""
    told: dict[str, Any] = {
        "temperature": guidelines.temperature,
        "seed": guidelines.seed(trial),
        **({"tool_choice": "auto"} if tools else {}),
    }
    open_ = {
        name: value
        for name, value in told.items()
        if getattr(settings, name) is None and name not in settings.unsupported
    }
    return replace(settings, **open_)


def _flipped(history: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A task's messages as its user's model has them: what the user says is the assistant's."""
    for message in history:
        role, content = message.get("role"), message.get("content")
        if role == "user":
            calls = [_sent(call) for call in message.get("tool_calls") or ()]
            made = {"tool_calls": calls} if calls else {}
            yield {"role": "assistant", "content": content, **made}
        elif role == "assistant" and message.get("tool_calls") is None:
            yield {"role": "user", "content": content}
        elif role == "tool" and message.get("requestor") == "user":
            yield {"role": "tool", "tool_call_id": message.get("id"), "content": content}


def _sent(call: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": call.get("name"), "arguments": json.dumps(call.get("arguments") or {})}
    return {"id": call.get("id") or "", "type": "function", "function": function}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataMissing(
            f"{path}: cannot be read: {error}. This checkout of tau2-bench is incomplete; get all "
            "of it with\n    git clone https://github.com/sierra-research/tau2-bench"
        ) from error
