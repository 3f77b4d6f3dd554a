"""What is used of tau2's own classes, so that the rest is typed without importing them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

Requestor = Literal["assistant", "user"]
"""Who calls a tool: under dual control the user has tools and a database too."""


class Observation(Protocol):
    """What a call answered."""

    content: str
    error: bool


class Database(Protocol):
    """The agent's or the user's database, a pydantic model."""

    def model_dump(self) -> dict[str, Any]: ...


class Toolkit(Protocol):
    """The agent's or the user's tools, over a database."""

    db: Database


class SchemaTool(Protocol):
    """One tool as models are told of it."""

    @property
    def openai_schema(self) -> dict[str, Any]: ...


class Environment(Protocol):
    """Tools, databases and policy of one dialogue."""

    policy: str
    tools: Toolkit
    user_tools: Toolkit | None

    def get_tools(self) -> Sequence[SchemaTool]: ...

    def get_user_tools(self) -> Sequence[SchemaTool]: ...

    def set_state(
        self,
        initialization_data: Any,
        initialization_actions: Any,
        message_history: list[Any],
    ) -> None: ...

    def get_response(self, message: Any) -> Observation: ...

    def make_tool_call(self, tool_name: str, requestor: Requestor, **kwargs: Any) -> Any: ...

    def run_env_assertion(self, assertion: Any, raise_assertion_error: bool) -> bool: ...

    def sync_tools(self) -> None: ...

    def get_db_hash(self) -> str | None: ...

    def get_user_db_hash(self) -> str | None: ...


class ExpectedAction(Protocol):
    """One call of the reference solution."""

    name: str
    requestor: Requestor
    arguments: Mapping[str, Any]

    def compare_with_tool_call(self, tool_call: Any) -> bool: ...


class Criteria(Protocol):
    """What a task's reward rests on."""

    actions: Sequence[ExpectedAction] | None
    env_assertions: Sequence[Any] | None
    communicate_info: Sequence[str] | None
    nl_assertions: Sequence[str] | None
    reward_basis: Sequence[Any]


class InitialState(Protocol):
    """What holds before the dialogue starts."""

    initialization_data: Any
    initialization_actions: Any
    message_history: Sequence[Any] | None


class Task(Protocol):
    """A task as tau2 reads it."""

    initial_state: InitialState | None
    evaluation_criteria: Criteria | None
    user_scenario: object
    """As text, it is what tau2 tells its user."""
