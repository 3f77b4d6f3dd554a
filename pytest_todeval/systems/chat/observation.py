"""What a tool returned, as plain JSON and as the text that the model reads."""

import json
from collections.abc import Mapping, Set
from typing import Any

Observation = tuple[Any, str]
"""The result as plain JSON, and as text."""


class NotJson(Exception):
    """A tool returned what JSON cannot hold."""


def observed(result: Any) -> Observation:
    """The result, in the same bytes in every run; text stays as it is.

    Dataclasses, pydantic models, dates and the like become what pydantic makes of them. Raises
    NotJson for an object that only its `repr` could describe, which differs from run to run.
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        data = to_json(_ordered(result), inf_nan_mode="null")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        told = str(error).partition("\n")[0]
        raise NotJson(f"it returned {type(result).__name__}, which is no JSON: {told}") from None
    plain = json.loads(data)
    return plain, plain if isinstance(plain, str) else data.decode()


def _ordered(value: Any) -> Any:
    """Sets as sorted lists: their own order changes from process to process."""
    if isinstance(value, Mapping):
        return {key: _ordered(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    if isinstance(value, Set):
        return sorted((_ordered(item) for item in value), key=repr)
    return value
