"""The backend of one dialogue over tau2's own tools and databases."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.backends.arithmetic import too_large
from pytest_todeval.backends.copy_on_write import own_copy
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Booking, ToolCall
from pytest_todeval.errors import BackendError
from pytest_todeval.worlds.tau2.domain import ReplayedCall, domain_of
from pytest_todeval.worlds.tau2.environment import Environment, Requestor
from pytest_todeval.worlds.tau2.state import joined


class Tau2Backend:
    """A task's environment: tau2 makes it, sets its initial state and answers the calls.

    `task` is the task's JSON as it stands in tau2's file. Under dual control (telecom, mock) the
    simulated user has tools too: `user_tools` and `call_user`.

    Raises what `domain_of` and `Tau2Domain.environment` raise.
    """

    finished = False
    """No tool of tau2's ends a dialogue: the user, or the agent's last words do."""
    verbatim = True
    """A bot's model reads tau2's own answers, and its unknown tools count among the errors."""
    keeps_bookings = False
    """What happened stands in the environment's state."""
    asks_again = True
    """Whether a bot's model that says nothing is asked once more: tau2 does not."""
    max_steps = 99
    """Replies and calls: the hundredth would be message 200, after the user's first and two for
    each before it, and there tau2 stops."""

    def __init__(self, home: Path, domain: str, task: Mapping[str, Any]) -> None:
        self.domain = domain_of(home, domain)
        self.task = task
        self.trace: list[ToolCall] = []
        """What the agent called, refused calls included."""
        self.user_trace: list[ToolCall] = []
        """What the simulated user called."""
        self.calls: list[ReplayedCall] = []
        """The calls of both, in order: what led to the present state."""
        self._environment: Environment = self.domain.environment(task)
        self._one_call = threading.Lock()
        """Calls from several threads run one after another; never held to hash."""

    @property
    def counted_calls(self) -> int:
        """Returns those that are steps: tau2 counts the messages of both sides."""
        return len(self.trace) + len(self.user_trace)

    @property
    def policy(self) -> str:
        """Returns what the agent is to keep to."""
        return self._environment.policy

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the schemas of the agent's tools, in the form chat-completions APIs take."""
        return deepcopy(self.domain.schemas["assistant"])

    @property
    def user_tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the schemas of the tools that the user has in this task."""
        allowed = self.task.get("user_tools")
        return [
            deepcopy(schema)
            for schema in self.domain.schemas["user"]
            if allowed is None or schema["function"]["name"] in allowed
        ]

    def call(self, tool: str, /, **arguments: Any) -> str:
        """Calls a tool for the agent. Raises ToolRefused with tau2's text if it fails."""
        return self._call("assistant", self.trace, tool, arguments)

    def call_user(self, tool: str, /, **arguments: Any) -> str:
        """Calls a tool for the simulated user; as `call`. What the task withholds is not found."""
        allowed = self.task.get("user_tools")
        if allowed is not None and tool not in allowed:
            self._refuse(self.user_trace, tool, arguments, f"Error: Tool '{tool}' not found.")
        return self._call("user", self.user_trace, tool, arguments)

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Nothing: tau2's tasks are not about slots."""
        return ()

    def bookings(self) -> Sequence[Booking]:
        """Nothing: a task's end state is compared as a whole."""
        return ()

    def changed_by(self, calls: Sequence[ToolCall]) -> Sequence[bool]:
        """Returns which of the agent's calls change its database or the user's.

        They are made again in a fresh environment, with the user's own calls in between.
        """
        fresh = Tau2Backend(self.domain.home, self.domain.name, self.task)
        made = iter(self.calls)
        changed = []
        for call in calls:
            for other in made:
                if other.by == "assistant":
                    break
                with suppress(ToolRefused):
                    fresh.call_user(other.tool, **other.arguments)
            before = fresh.state_hash()
            with suppress(ToolRefused):
                fresh.call(call.name, **call.arguments)
            changed.append(fresh.state_hash() != before)
        return changed

    def state_hash(self) -> str:
        """tau2's hash of the agent's database, `+` that of the user's if there is one."""
        return joined(self.domain.hashes(self._environment))

    def _call(
        self, by: Requestor, trace: list[ToolCall], tool: str, arguments: dict[str, Any]
    ) -> str:
        if tool == "calculate" and too_large(arguments.get("expression")):
            # tau2 evaluates it in this process, and time limits with it would never come
            self._refuse(trace, tool, arguments, "Error: the number would be too large")
        arguments = own_copy(arguments)  # the reward replays them, and bots go on to use theirs
        call = ReplayedCall(by, str(tool), arguments)
        with self._one_call:
            try:
                observation = self._environment.get_response(self.domain.call(call))
            except Exception as error:
                raise BackendError(
                    f"tau2's tool {tool!r:.80} broke: {type(error).__name__}: {error}"
                ) from error
            self.calls.append(call)
            if observation.error:
                self._refuse(trace, tool, arguments, observation.content)
            trace.append(ToolCall(tool, arguments, result=observation.content))
        return observation.content

    @staticmethod
    def _refuse(trace: list[ToolCall], tool: str, arguments: dict[str, Any], why: str) -> NoReturn:
        trace.append(ToolCall(tool, arguments, error=why))
        raise ToolRefused(why)
