"""What pydantic finds wrong with a value, in plain words."""

from collections.abc import Mapping
from typing import Any

SHOULD_BE = "Input should be "
PLAIN = {
    "a valid string": "text",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid boolean": "true or false",
    "a valid list": "a list",
    "a valid array": "a list",
    "a valid tuple": "a list",
    "a valid dictionary": "a mapping",
    "an object": "a mapping",
    "greater": "a number greater",
    "less": "a number less",
}
"""How what is expected begins, and what we call it; after a kind, nothing more is said."""


def fault_of(detail: Mapping[str, Any]) -> str:
    """Returns one of `ValidationError.errors()`, without its place: `expected a whole number`."""
    match detail["type"]:
        case "missing":
            return "it is missing"
        case "extra_forbidden":
            return "there is no such key"
        case "value_error":
            return str(detail["msg"]).removeprefix("Value error, ")
    said: str = detail["msg"]
    if not said.startswith(SHOULD_BE):
        return f"{said[:1].lower()}{said[1:]}"
    wanted = said.removeprefix(SHOULD_BE)
    for theirs, ours in PLAIN.items():
        if wanted.startswith(theirs):
            bound = wanted.removeprefix(theirs) if theirs in ("greater", "less") else ""
            return f"expected {ours}{bound}"
    return f"expected {wanted}"
