"""A dialogue's backend as a server of MCP: its tools, for bots that have a client of their own.

Only what tools need of the protocol, and no package of it: whatever client and version a bot has,
it is answered in the form of the version that it names.
"""

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import BackendError, TodevalError

NEWEST = "2025-11-25"
"""The version that is offered to a client that names one without sessions."""
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", NEWEST)
PARSE_ERROR, INVALID, UNKNOWN, FAILED = -32700, -32600, -32601, -32603
"""JSON-RPC's codes."""


class McpServer:
    """Answers the messages of clients with the tools of a backend.

    `refuse` is told what a tool raises that is no refusal: the dialogue is then nobody's failure.
    """

    def __init__(self, backend: Any, refuse: Callable[[TodevalError], object]) -> None:
        self._backend, self._refuse = backend, refuse
        self._one_call = threading.Lock()

    def answer(self, body: bytes) -> bytes:
        """Returns the answer to a message as it came; empty if none is due."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return _json(_error(None, PARSE_ERROR, "this is not JSON"))
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return _json(_error(None, INVALID, "expected one message with a method"))
        if "id" not in message:
            return b""
        return _json(self._answered(message))

    def _answered(self, message: Mapping[str, Any]) -> dict[str, Any]:
        given = message.get("params")
        params = given if isinstance(given, dict) else {}
        match message["method"]:
            case "initialize":
                result = self._opened(params)
            case "ping":
                result = {}
            case "tools/list":
                result = {"tools": [_tool(schema) for schema in self._backend.tools]}
            case "tools/call":
                try:
                    result = self._called(params)
                except BackendError as error:
                    return _error(message["id"], FAILED, str(error))
            case unknown:
                return _error(message["id"], UNKNOWN, f"no method {unknown:.80}")
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _opened(self, params: Mapping[str, Any]) -> dict[str, Any]:
        version = params.get("protocolVersion")
        policy = getattr(self._backend, "policy", "")
        return {
            "protocolVersion": version if version in VERSIONS else NEWEST,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "todeval-backend", "version": "1"},
            **({"instructions": policy} if isinstance(policy, str) and policy else {}),
        }

    def _called(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Returns what a tool says; its refusals are for the bot to read. Raises BackendError."""
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return _said("tools/call takes a name and an object of arguments", is_error=True)
        try:
            with self._one_call:
                return _said(self._backend.call(name, **arguments))
        except ToolRefused as refusal:
            return _said(str(refusal), is_error=True)
        except Exception as error:
            failed = BackendError(f"the tool {name!r:.80} raised {type(error).__name__}: {error}")
            self._refuse(failed)
            raise failed from error


def _tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    function = schema["function"]
    return {
        "name": function["name"],
        "description": function.get("description", ""),
        "inputSchema": function.get("parameters") or {"type": "object", "properties": {}},
    }


def _said(result: Any, *, is_error: bool = False) -> dict[str, Any]:
    text = result if isinstance(result, str) else json.dumps(result, default=str)
    told: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": is_error}
    if isinstance(result, Mapping):
        told["structuredContent"] = json.loads(text)
    return told


def _error(id_: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


def _json(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
