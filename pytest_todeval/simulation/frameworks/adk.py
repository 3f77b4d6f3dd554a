"""Agents of Google's Agent Development Kit as the bot."""

import uuid
from collections.abc import Mapping
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.tool_calls import handoff
from pytest_todeval.simulation.frameworks.parts import Calls, framework, usage_of

HANDS_OVER = "transfer_to_agent"
USER = "user"


class AdkSystem:
    """An agent of Google's ADK (`root_agent`), with its sub-agents, over a session in memory.

    `state` is what the session of each dialogue begins with.
    """

    def __init__(
        self, agent: Any, *, state: Mapping[str, Any] | None = None, app_name: str = "bot"
    ) -> None:
        self._agent, self._state, self._app = agent, state, app_name

    def __repr__(self) -> str:
        return f"<AdkSystem {getattr(self._agent, 'name', '?')}>"

    def __call__(self) -> "AdkBot":
        """Returns the bot of one dialogue. Raises UsageError if the kit is not installed."""
        sessions = framework("google.adk.sessions", "google-adk").InMemorySessionService()
        runners = framework("google.adk.runners", "google-adk")
        runner = runners.Runner(app_name=self._app, agent=self._agent, session_service=sessions)
        return AdkBot(runner, self._app, dict(self._state or {}))


class AdkBot:
    """One dialogue: one session."""

    def __init__(self, runner: Any, app: str, state: dict[str, Any]) -> None:
        self._runner, self._app, self._state = runner, app, state
        self._session = ""

    async def respond(self, text: str) -> Reply:
        """Returns the agent's answer, with its tool calls, hand-offs and tokens."""
        if not self._session:
            session = await self._runner.session_service.create_session(
                app_name=self._app, user_id=USER, state=self._state, session_id=uuid.uuid4().hex
            )
            self._session = session.id
        types = framework("google.genai.types", "google-genai")
        told = types.Content(role="user", parts=[types.Part(text=text)])
        calls, said, used = Calls(), [], []
        async for event in self._runner.run_async(
            user_id=USER, session_id=self._session, new_message=told
        ):
            _read(event, calls)
            if event.is_final_response() and event.content is not None:
                parts = event.content.parts or ()
                said += [each.text for each in parts if each.text and not each.thought]
            if (meta := event.usage_metadata) is not None:
                used.append((meta.prompt_token_count, meta.candidates_token_count))
        return Reply("\n".join(said), tool_calls=calls.all(), usage=usage_of(used))


def _read(event: Any, calls: Calls) -> None:
    for call in event.get_function_calls():
        arguments = call.args or {}
        if call.name == HANDS_OVER:
            calls.reported(call.id, handoff(str(arguments.get("agent_name", ""))))
        else:
            calls.called(call.id, call.name, arguments)
    for answer in event.get_function_responses():
        if answer.name == HANDS_OVER:
            continue
        response = dict(answer.response or {})
        error = response.get("error")
        result = response["result"] if response.keys() == {"result"} else response
        calls.came_back(answer.id, result, None if error is None else str(error))
