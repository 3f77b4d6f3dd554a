"""The keys of an object that a model answered with, whatever their case."""

import re
from collections.abc import Iterable, Mapping

from pytest_todeval.llm.reading.objects import OBJECT, find_objects
from pytest_todeval.llm.reading.reader import Unreadable

__all__ = ["find_answer", "folded", "reason_in"]

_WRAPPING = re.compile(r"```[a-z]{0,10}|</?[a-z_]{1,20}>", re.IGNORECASE)
REASONS = ("reason", "justification", "explanation", "rationale", "reasoning")


def folded(value: Mapping[str, object]) -> dict[str, object]:
    """The object with its keys in lower case. Raises Unreadable if two keys become one."""
    result: dict[str, object] = {}
    for key, each in value.items():
        if result.setdefault(fold(key), each) is not each:
            raise Unreadable(f"the key {key!r} is there twice")
    return result


def fold(key: str) -> str:
    """A key or a word as it is compared."""
    return " ".join(key.casefold().split())


def find_answer(text: str, keys: Iterable[str]) -> tuple[dict[str, object] | None, str]:
    """The object that has one of the keys, folded, or None; and the text around all objects, at the
    same places as in `answer_text`.

    Objects with none of them are material that the model quotes. Raises Unreadable if it is not
    certain that the object is the answer: there are others, or words before it and behind it, as
    when a judge tells of an object that the bot wrote.
    """
    wanted = {fold(key) for key in keys}
    found, around = find_objects(text)
    answers = [each for each in map(folded, found) if wanted & each.keys()]
    if len(answers) > 1:
        raise Unreadable(f"there are {len(answers)} different answers in it")
    if answers and (len(found) > 1 or _within_words(around)):
        raise Unreadable("the JSON object in the answer might be a quotation")
    return (answers[0] if answers else None), around


def _within_words(around: str) -> bool:
    words = _WRAPPING.sub(" ", around)
    before, after = words[: words.index(OBJECT)], words[words.rindex(OBJECT) :]
    return any(map(str.isalnum, before)) and any(map(str.isalnum, after))


def reason_in(value: Mapping[str, object]) -> str:
    """The reason given in a folded object; empty if none is."""
    for key in REASONS:
        reason = value.get(key)
        if isinstance(reason, str):
            return reason.strip()
    return ""
