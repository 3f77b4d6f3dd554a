"""What an endpoint can do, found out by asking it: a dozen and a half short calls."""

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.inquirer import GREET, Inquirer, NotAnswered
from pytest_todeval.models.refusal import json_or_none
from pytest_todeval.models.settings import CAPS, DEVELOPER, ModelSettings

T = TypeVar("T")

AT_ONCE = 4
"""Calls made together to see whether several are answered."""
CAP = 5
SLACK = 8
"""Tokens over the cap that are no longer rounding."""
HUGE = 10_000_000
"""A cap that no model allows: those that say why, say how long their context is."""
COUNT = "Count from one to forty in words."
CALL = "Call the tool note_word with the word hello."
WORD: dict[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
TOOL = {
    "type": "function",
    "function": {"name": "note_word", "description": "Notes a word.", "parameters": WORD},
}
SCHEMA = {
    "type": "json_schema",
    "json_schema": {"name": "answer", "schema": WORD, "strict": True},
}
JSON_MODE = {"type": "json_object"}
CONTEXT = re.compile(
    r"(?:maximum context (?:length|size|window)|context[ _](?:length|size|window)|n_ctx)"
    r"[^\d\n]{0,40}(\d[\d,]{1,12})",
    re.I,
)
LISTED = ("context_length", "max_model_len", "max_context_length", "context_window", "n_ctx")
"""Fields of a model in `/models` that tell its context: OpenRouter's, vLLM's, LM Studio's, ..."""
OUT_OF_SERVICE = (502, 503, 504)
"""Statuses of gateways and servers that do not work now, whatever they are asked for."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One thing that an endpoint can do, or not."""

    name: str
    found: str
    """`yes`, `refused`, `ignored`, `cannot tell`, ..., or a figure."""
    said: str = ""
    """What the endpoint said, if it refused."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What was found out about an endpoint."""

    rows: tuple[Ability, ...]
    settings: ModelSettings
    """Those that it was asked with, and what suits it."""

    def found(self, name: str) -> str:
        return {row.name: row.found for row in self.rows}[name]


def abilities_of(settings: ModelSettings) -> Abilities:
    """Asks an endpoint for what it can do.

    Raises ModelUnavailable and ModelRejected if it does not answer a plain question, or stops to
    answer on the way.
    """
    inquirer = Inquirer(settings)
    rows = tuple(_rows(inquirer))
    found = {row.name: row.found for row in rows}
    return Abilities(rows, _suited(settings, found))


def _rows(inquirer: Inquirer) -> Iterator[Ability]:
    inquirer.plain(GREET)
    yield _row("schema", inquirer.ask(GREET, {"response_format": SCHEMA}), _fits)
    yield _row("JSON mode", inquirer.ask(GREET, {"response_format": JSON_MODE}), _is_object)
    yield from _tool_rows(inquirer)
    yield _row("streaming", inquirer.streams(), lambda streams: "yes" if streams else "ignored")
    yield _row("seed", inquirer.ask(GREET, {"seed": 1}), _any)
    yield _row("temperature", inquirer.ask(GREET, {"temperature": 0}), _any)
    yield _row("top_p", inquirer.ask(GREET, {"top_p": 1}), _any)
    for name in CAPS:
        yield _row(name, inquirer.ask(COUNT, {name: CAP}), _kept_cap)
    for role in ("system", DEVELOPER):
        yield _row(f"role {role}", inquirer.ask(GREET, role=role), _any)
    yield Ability("context", _context(inquirer))
    inquirer.ask(COUNT)
    yield Ability("speed", f"{inquirer.speed:.3g} tokens/s" if inquirer.speed else "cannot tell")
    yield _at_once(inquirer)


def _tool_rows(inquirer: Inquirer) -> Iterator[Ability]:
    """Tools as they are and with `tool_choice`; shown ones make the prompt longer."""
    plain = inquirer.ask(CALL)
    without = plain.spent.prompt_tokens if isinstance(plain, Completion) else 0

    def shown(answer: Completion) -> str:
        if answer.tool_calls:
            return "yes"
        if not without:
            return "not called"
        return "not called" if answer.spent.prompt_tokens > without else "not shown"

    yield _row("tools", inquirer.ask(CALL, {"tools": [TOOL]}), shown)
    yield _row("tool_choice", inquirer.ask(CALL, {"tools": [TOOL], "tool_choice": "auto"}), shown)


def _row(name: str, answer: T | NotAnswered, found: Callable[[T], str]) -> Ability:
    if not isinstance(answer, NotAnswered):
        return Ability(name, found(answer))
    if answer.status == 0:
        return Ability(name, "no answer", answer.said)
    refused = "cannot tell" if answer.status in OUT_OF_SERVICE else "refused"
    return Ability(name, refused, f"status {answer.status}: {answer.said}")


def _any(answer: Completion) -> str:
    return "yes"


def _is_object(answer: Completion) -> str:
    return "yes" if isinstance(json_or_none(answer.text), dict) else "ignored"


def _fits(answer: Completion) -> str:
    value = json_or_none(answer.text)
    return "yes" if isinstance(value, dict) and isinstance(value.get("word"), str) else "ignored"


def _kept_cap(answer: Completion) -> str:
    if answer.finish == "length":
        return "yes"
    return "ignored" if answer.spent.completion_tokens > CAP + SLACK else "cannot tell"


def _context(inquirer: Inquirer) -> str:
    """Tokens of the context, as far as the list of models or an error tells."""
    listed = _listed_context(inquirer.endpoint.models(), inquirer.endpoint.settings.model)
    if listed:
        return f"{listed} tokens"
    for name in CAPS:
        answer = inquirer.ask(GREET, {name: HUGE})
        if isinstance(answer, NotAnswered) and (told := CONTEXT.search(answer.said)):
            return f"{told[1].replace(',', '')} tokens"
    return "not told"


def _listed_context(listed: object, model: str) -> int | None:
    data = listed.get("data") if isinstance(listed, dict) else None
    models = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    for one in models:
        if one.get("id") == model or len(models) == 1:
            meta = one.get("meta")
            for fields in (one, meta if isinstance(meta, dict) else {}):
                for name in LISTED:
                    if type(fields.get(name)) is int and fields[name] > 0:
                        return int(fields[name])
    return None


def _at_once(inquirer: Inquirer) -> Ability:
    """Returns how many of several calls made together are answered."""

    def failed() -> str:
        try:
            answer = inquirer.ask(GREET)
        except (ModelUnavailable, ModelRejected) as error:
            return str(error)
        return answer.said if isinstance(answer, NotAnswered) else ""

    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = [pool.submit(copy_context().run, failed) for _ in range(AT_ONCE)]
        why = [said for each in begun if (said := each.result())]
    return Ability("at once", f"{AT_ONCE - len(why)} of {AT_ONCE}", next(iter(why), ""))


def _suited(settings: ModelSettings, found: Mapping[str, str]) -> ModelSettings:
    """Returns the settings with what was found: what is refused is left out, what helps is set."""
    parts = {"schema": "response_format", f"role {DEVELOPER}": DEVELOPER}
    names = ("schema", "seed", "temperature", "top_p", *CAPS, "tool_choice", f"role {DEVELOPER}")
    refused = [parts.get(name, name) for name in names if found[name] == "refused"]
    if found["tools"] == "refused":  # what was refused beside them may have been the tools
        refused = [name for name in refused if name != "tool_choice"]
    newer, older = (found[name] for name in CAPS)
    helps = found["tools"] == "not shown" and found["tool_choice"] in ("yes", "not called")
    return replace(
        settings,
        unsupported=tuple(dict.fromkeys((*settings.unsupported, *refused))),
        token_cap=CAPS[1] if older == "yes" and newer != "yes" else settings.token_cap,
        tool_choice="auto" if helps else settings.tool_choice,
        concurrency=1 if found["at once"] != f"{AT_ONCE} of {AT_ONCE}" else settings.concurrency,
    )
