"""A Python function as a tool: its schema from signature and docstring, its arguments checked."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NotRequired

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

Function = Callable[..., Any]

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What endpoints take for the name of a tool."""
SHOWN = 80
MOST_FAULTS = 5
BACKEND = "backend"
"""A parameter of this name is given the dialogue's backend; the model does not see it."""


class FunctionTool:
    """A function that a model may call.

    The types of its parameters are those of its annotations; values are read leniently, as pydantic
    does ("3" is a 3). Raises UsageError if the function cannot be a tool.
    """

    def __init__(self, function: Function, schema: Mapping[str, Any] | None = None) -> None:
        parameters = _parameters(function)
        self._function = function
        self._names = [p.name for p in parameters if p.name != BACKEND and not _is_rest(p)]
        self._wants_backend = any(p.name == BACKEND for p in parameters)
        self._arguments = _adapter(function, parameters)
        self.schema = self._described() if schema is None else dict(schema)
        self.name = name_in(self.schema, "tools")

    @classmethod
    def all_of(
        cls, tools: Sequence[Function | tuple[Mapping[str, Any], Function]]
    ) -> "tuple[FunctionTool, ...]":
        """Returns the tools given as functions or as pairs of schema and function."""
        if isinstance(tools, str | Mapping) or not isinstance(tools, Sequence):
            raise UsageError(f"tools are {tools!r:.60}, expected a list of functions")
        made = {tool.name: tool for tool in map(cls._of, tools)}
        if len(made) < len(tools):
            names = [cls._of(tool).name for tool in tools]
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"tools: two of them are called {twice!r}; rename one")
        return tuple(made.values())

    @classmethod
    def _of(cls, tool: object) -> "FunctionTool":
        match tool:
            case (schema, function) if isinstance(schema, Mapping) and callable(function):
                return cls(function, schema)
            case function if callable(function):
                return cls(function)
        raise UsageError(f"tools: got {tool!r:.60}, expected a function or (schema, function)")

    def call(self, arguments: Mapping[str, Any], backend: Any) -> Any:
        """What the function returns; ToolRefused, and no call, if the arguments are wrong."""
        from pydantic import ValidationError

        try:
            given = self._arguments.validate_python(dict(arguments))
        except ValidationError as error:
            takes = ", ".join(self._names) or "no arguments"
            raise ToolRefused(f"{self.name}: {_faults(error)}; it takes {takes}") from None
        if self._wants_backend:
            given[BACKEND] = backend
        return self._function(**given)

    def _described(self) -> dict[str, Any]:
        name = getattr(self._function, "__name__", "")
        described = {
            "name": name,
            "description": inspect.getdoc(self._function) or "",
            "parameters": _schema(self._arguments, name),
        }
        return {"type": "function", "function": described}


def name_in(schema: object, place: str) -> str:
    """Returns the name of a tool, from its schema; raises UsageError if there is none."""
    function = schema.get("function") if isinstance(schema, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(name, str):
        raise UsageError(
            f"{place}: the schema {schema!r:.60} names no function, expected "
            '{"type": "function", "function": {"name": ..., "parameters": {...}}}'
        )
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{place}: {name!r:.80} is not a tool name: endpoints take at most 64 letters, "
            "digits, _ and -; rename it, or pass (schema, function)"
        )
    return name


def _parameters(function: Function) -> list[inspect.Parameter]:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004
    ):
        raise UsageError(f"tools: {function!r:.80} is asynchronous; write it with a plain `def`")
    try:
        signature = inspect.signature(function, eval_str=True)
    except Exception as error:  # whatever an annotation in quotes raises
        raise UsageError(f"tools: the signature of {function!r:.80} is unknown: {error}") from None
    parameters = list(signature.parameters.values())
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise UsageError(
                f"tools: {function!r:.80} takes {parameter} by position, but a model passes "
                "arguments by name: make it an ordinary parameter"
            )
    return parameters


def _is_rest(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.VAR_KEYWORD


def _adapter(
    function: Function, parameters: Sequence[inspect.Parameter]
) -> "TypeAdapter[dict[str, Any]]":
    import typing_extensions
    from pydantic import ConfigDict, PydanticUserError, TypeAdapter

    fields = {p.name: _field(p) for p in parameters if p.name != BACKEND and not _is_rest(p)}
    # A TypedDict rather than a model: any name will do for an argument, also `copy` or `_id`.
    typed_dict: Any = typing_extensions.TypedDict
    arguments: Any = typed_dict("arguments", fields)
    rest = any(_is_rest(parameter) for parameter in parameters)
    arguments.__pydantic_config__ = ConfigDict(extra="allow" if rest else "forbid")
    try:
        return TypeAdapter(arguments)
    except (PydanticUserError, NameError) as error:
        raise UsageError(f"tools: {function!r:.80}: {_first_line(error)}") from None


def _field(parameter: inspect.Parameter) -> Any:
    kind = Any if parameter.annotation is parameter.empty else parameter.annotation
    return kind if parameter.default is parameter.empty else NotRequired[kind]


def _schema(arguments: "TypeAdapter[dict[str, Any]]", name: str) -> dict[str, Any]:
    from pydantic import PydanticUserError

    try:
        schema = arguments.json_schema()
    except PydanticUserError as error:
        raise UsageError(f"tools: {name}: {_first_line(error)}") from None
    del schema["title"]  # pydantic's, made from the name: tokens for nothing
    for described in schema.get("properties", {}).values():
        described.pop("title", None)
    return schema


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _faults(error: "ValidationError") -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    told = (f"`{_place(fault['loc'])}`: {fault['msg']}" for fault in faults[:MOST_FAULTS])
    return "; ".join(told)


def _place(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(str(part) for part in location):.{SHOWN}}"
