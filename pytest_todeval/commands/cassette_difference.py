"""How two cassettes differ: their calls aligned, then each pair compared word by word."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from pytest_todeval.commands.call_text import SaidMessage, answers, messages, parameters, title
from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call
from pytest_todeval.recording.words import word_difference

Numbered = tuple[int, Call]


def differences(old: Sequence[Call], new: Sequence[Call]) -> Iterator[str]:
    """Lines that say which calls are gone, which are new, and where the others differ.

    Calls with equal keys are the same call; those between two such are paired by lane, in order.
    """
    for first, second in _aligned(list(enumerate(old, 1)), list(enumerate(new, 1))):
        if first is None and second is not None:
            yield f"+ call {second[0]}  {title(second[1])}"
        elif first is not None and second is None:
            yield f"- call {first[0]}  {title(first[1])}"
        elif first is not None and second is not None:
            yield from _pair(first, second)


def _aligned(
    old: Sequence[Numbered], new: Sequence[Numbered]
) -> Iterator[tuple[Numbered | None, Numbered | None]]:
    keys = [call.key for _, call in old], [call.key for _, call in new]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(old[i:j], new[k:m], strict=True)
            continue
        for lane in Lane:
            of_lane = [
                [c for c in part if c[1].request.lane is lane] for part in (old[i:j], new[k:m])
            ]
            yield from zip_longest(*of_lane)


def _pair(old: Numbered, new: Numbered) -> Iterator[str]:
    came = _said("answer", answers(old[1].outcome), answers(new[1].outcome))
    found = [*_requests(old[1], new[1]), *came]
    if found:
        numbers = f"{old[0]}" if old[0] == new[0] else f"{old[0]} -> {new[0]}"
        yield f"~ call {numbers}  {title(new[1])}"
        yield from (f"    {line}" for line in found)


def _requests(old: Call, new: Call) -> Iterator[str]:
    if old.key == new.key:
        return
    a, b = parameters(old.request), parameters(new.request)
    for name in sorted(a.keys() | b.keys()):
        if a.get(name) != b.get(name):
            yield f"{name}: {word_difference(a.get(name, ''), b.get(name, ''))}"
    yield from _said("message", messages(old.request), messages(new.request))


def _said(what: str, old: Sequence[SaidMessage], new: Sequence[SaidMessage]) -> Iterator[str]:
    for number, (a, b) in enumerate(zip_longest(old, new), 1):
        if a == b:
            continue
        if a is None or b is None:
            only, sign = (b, "+") if a is None else (a, "-")
            yield f"{what} {number} {sign} {only.who}: {only.text}"
        else:
            who = a.who if a.who == b.who else f"{a.who} -> {b.who}"
            yield f"{what} {number} ({who}): {word_difference(a.text, b.text)}"
