"""Keys: the same for the same meaning, another for another meaning."""

import json
import random
from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.key import call_key, composed
from tests.support.examples import examples
from tests.support.json_values import JSON_VALUES, NUMBERS, SCALARS
from tests.support.recorded_calls import ask

MESSAGES = st.lists(st.dictionaries(st.sampled_from(["role", "content", "name"]), JSON_VALUES))
BODIES = st.fixed_dictionaries(
    {"messages": MESSAGES}, optional={"tools": JSON_VALUES, "temperature": NUMBERS, "n": SCALARS}
)


def rewritten(value: Any, chance: random.Random) -> str:
    """The same JSON value, written another way."""
    if isinstance(value, dict):
        items = list(value.items())
        chance.shuffle(items)
        inner = (f"{json.dumps(name)} : {rewritten(item, chance)}" for name, item in items)
        return "{ " + " ,".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(rewritten(item, chance) for item in value) + "\n]"
    if isinstance(value, int) and not isinstance(value, bool):
        return chance.choice([str(value), f"{value}.0", f"{value}.00E+0", f"{value * 10}e-1"])
    if isinstance(value, float):
        return chance.choice([repr(value), f"{value:.17e}", f"{value:.20E}"])
    return json.dumps(value, ensure_ascii=chance.random() < 0.5)


@examples(150)
@given(BODIES, st.randoms(use_true_random=False))
def test_the_way_it_is_written_does_not_count(body: dict[str, Any], chance: random.Random) -> None:
    text = rewritten(body, chance).encode("utf-8", "surrogatepass")
    request = ask(body)
    assert call_key(replace(request, body=text)) == call_key(request)


@examples(60)
@given(BODIES, st.sampled_from(["stop", "user", "name"]))
def test_null_counts_as_absent(body: dict[str, Any], name: str) -> None:
    assert call_key(ask({name: None, **body})) == call_key(ask(body))


def test_headers_host_and_port_are_no_part_of_a_request() -> None:
    assert {field.name for field in fields(Request)} == {
        "lane",
        "method",
        "path",
        "query",
        "content_type",
        "body",
    }


@examples(150)
@given(st.text(), st.text(), st.sampled_from(["system", "user"]))
def test_another_prompt_has_another_key(one: str, other: str, role: str) -> None:
    first, second = (
        call_key(ask({"messages": [{"role": role, "content": text}], "model": "m"}))
        for text in (one, other)
    )
    assert (first == second) == (composed(one) == composed(other))


@examples(60)
@given(MESSAGES, st.integers(0, 5))
def test_an_extra_or_moved_message_has_another_key(messages: list[Any], at: int) -> None:
    extra = [
        *messages[:at],
        {"role": "user", "content": "one more, not there before"},
        *messages[at:],
    ]
    keys = {call_key(ask({"messages": each})) for each in (messages, extra)}
    assert len(keys) == 2
    if messages and extra[0] != extra[-1]:
        assert call_key(ask({"messages": extra[::-1]})) != call_key(ask({"messages": extra}))


@given(st.binary(max_size=50), st.binary(max_size=50), st.sampled_from(["audio/wav", "text/plain"]))
def test_other_bodies_count_byte_by_byte(one: bytes, other: bytes, media: str) -> None:
    requests = [Request(Lane.USER, "POST", "/", "", media, body) for body in (one, other)]
    texts = [composed(body.decode("utf-8", "surrogateescape")) for body in (one, other)]
    assert (call_key(requests[0]) == call_key(requests[1])) == (texts[0] == texts[1])
