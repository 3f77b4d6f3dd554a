"""Times and ids of models' answers are others in each recording: a cassette keeps those it had.

So a review shows the calls whose words changed, and no others.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval.recording.bodies import pack, to_json
from pytest_todeval.recording.call import Call, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.process_rules import asks_model
from pytest_todeval.recording.secrets import kept_headers

DRAWN = frozenset(
    {"id", "call_id", "item_id", "response_id", "request_id", "responseId", "system_fingerprint"}
    | {"created", "created_at", "completed_at", "createTime", "obfuscation"}
    | {"total_duration", "load_duration", "prompt_eval_duration", "eval_duration", "timings"}
)
"""Names under which an answer has what its provider drew or measured."""
SHORTEST = 6
IDS = re.compile(rb"[\w-]{6,}")


def settled(calls: Sequence[Call], before: Sequence[Call], matching: Matching) -> list[Call]:
    """The calls as they are to be written over those `before`.

    An answer that says what an earlier one of its lane and path said gets the earlier's times and
    ids; what later requests say of those ids is changed alike.
    """
    if not before:
        return list(calls)
    known = set(map(id, calls))
    earlier: dict[tuple[object, ...], deque[Call]] = defaultdict(deque)
    for call in before:
        if id(call) not in known and (words := _words(call)):
            earlier[words].append(call)
    return list(_settled(calls, set(map(id, before)), earlier, matching))


def _settled(
    calls: Sequence[Call],
    before: set[int],
    earlier: dict[tuple[object, ...], deque[Call]],
    matching: Matching,
) -> Iterator[Call]:
    instead: dict[bytes, bytes] = {}
    for call in calls:
        if id(call) in before:
            yield call
            continue
        found = earlier.get(_words(call))
        old = found.popleft() if found else None
        made = call if not instead else _renamed(call, instead, matching)
        if old is not None:
            instead.update(_pairs(_packed(call), _packed(old)))
            made = replace(made, outcome=old.outcome)
        yield made


def _renamed(call: Call, instead: dict[bytes, bytes], matching: Matching) -> Call:
    body = IDS.sub(lambda found: instead.get(found[0], found[0]), call.request.body)
    if body == call.request.body:
        return call
    request = replace(call.request, body=body)
    return replace(call, request=request, key=call_key(request, matching))


def _packed(call: Call) -> Any:
    """Returns what its answer is in a file."""
    answer = call.outcome
    assert isinstance(answer, Response)
    kind = next((value for name, value in answer.headers if name.lower() == "content-type"), "")
    return pack(kind, answer.body, answer.events)


def _words(call: Call) -> tuple[object, ...]:
    """What has to be equal of two calls for their answers to say the same; nothing of others."""
    if not isinstance(call.outcome, Response) or not asks_model(call.request):
        return ()
    headers, said = kept_headers(call.outcome.headers), to_json(_without_drawn(_packed(call)))
    return call.request.lane, call.request.path, call.outcome.status, headers, said


def _without_drawn(value: Any) -> Any:
    if isinstance(value, dict):
        return {n: _without_drawn(item) for n, item in value.items() if n not in DRAWN}
    return [_without_drawn(item) for item in value] if isinstance(value, list) else value


def _pairs(new: Any, old: Any, name: str = "") -> Iterator[tuple[bytes, bytes]]:
    """Returns each id of an answer, with the earlier one in its place."""
    if isinstance(new, dict):
        for key, item in new.items():
            yield from _pairs(item, old.get(key) if isinstance(old, dict) else None, key)
    elif isinstance(new, list) and isinstance(old, list):
        for item, its in zip(new, old, strict=False):
            yield from _pairs(item, its)
    elif name in DRAWN and isinstance(new, str) and isinstance(old, str) and len(new) >= SHORTEST:
        yield new.encode(), old.encode()
