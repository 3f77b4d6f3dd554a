"""What a bot's reply says, as a model puts it down: a list of claims."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.models.reading.objects import find_answer, fold, folded
from pytest_todeval.models.reading.reader import TEXT, Unreadable, one_of, strict, titled

KEY = "claims"
MOST_CLAIMS = 100
"""Of one reply; a longer list is no answer."""
_ACTS = {act.value: act for act in Act}
_FACTUALITIES = {each.value: each for each in Factuality}
_NOTHING = ("", "none", "null", "n/a")
T = TypeVar("T")
_TEXTS = ("domain", "slot", "value", "of", "quote")


@dataclass(frozen=True)
class ClaimsReader:
    """Reads `{"claims": [{"act": ..., "domain": ..., ..., "quote": ...}, ...]}`.

    One claim that cannot be read makes the whole answer Unreadable: what it would have said is not
    known. The claims come as the model wrote them; whether they are true to the reply is not looked
    at here.
    """

    @property
    def schema(self) -> Mapping[str, Any]:
        claim = strict(
            {
                "quote": TEXT,
                "act": one_of(tuple(_ACTS)),
                "factuality": one_of(tuple(_FACTUALITIES)),
                "domain": TEXT,
                "slot": TEXT,
                "value": TEXT,
                "of": TEXT,
            }
        )
        return titled(KEY, {KEY: {"type": "array", "items": claim}})

    @property
    def expected(self) -> str:
        return (
            f'Answer with one JSON object with the key "{KEY}", a list of objects with the keys '
            f'"quote", "act" ({", ".join(_ACTS)}), "factuality" ({", ".join(_FACTUALITIES)}), '
            '"domain", "slot", "value" and "of"; an empty list if the reply says nothing.'
        )

    def read(self, text: str) -> tuple[DialogueAct, ...]:
        """Returns the claims, with their quotes as `sentence`. Raises Unreadable."""
        answer, _ = find_answer(text, [KEY])
        if answer is None:
            raise Unreadable(f"there is no JSON object with the key {KEY!r} in the answer")
        told = answer[KEY]
        if not isinstance(told, list):
            raise Unreadable(f"{KEY!r} is {str(told)[:80]!r}, expected a list")
        if len(told) > MOST_CLAIMS:
            raise Unreadable(f"it lists {len(told)} claims, expected {MOST_CLAIMS} at most")
        return tuple(_claim(number, each) for number, each in enumerate(told, 1))


def _claim(number: int, told: object) -> DialogueAct:
    if not isinstance(told, dict):
        raise Unreadable(f"claim {number} is {str(told)[:80]!r}, expected an object")
    given = folded(told)
    domain, slot, value, of, quote = (_text(number, name, given.get(name)) for name in _TEXTS)
    return DialogueAct(
        act=_word(number, "act", given.get("act"), _ACTS),
        domain=domain,
        slot=slot,
        value=value,
        of=of,
        factuality=_word(number, "factuality", given.get("factuality", "asserted"), _FACTUALITIES),
        sentence=quote or "",
    )


def _word(number: int, name: str, given: object, known: Mapping[str, T]) -> T:
    word = fold(str(given)) if isinstance(given, str) else ""
    found = known.get(word, known.get(word.replace("_", " "), known.get(word.replace(" ", "_"))))
    if found is None:
        raise Unreadable(
            f"claim {number}: {name} is {str(given)[:40]!r}, expected one of {', '.join(known)}"
        )
    return found


def _text(number: int, name: str, given: object) -> str | None:
    """Returns a text, or None if it is left empty."""
    if given is None:
        return None
    if isinstance(given, bool):
        return "yes" if given else "no"
    if not isinstance(given, str | int | float):
        raise Unreadable(f"claim {number}: {name} is {str(given)[:40]!r}, expected a text")
    text = " ".join(str(given).split())
    empty = name != "quote" and text.casefold() in _NOTHING
    return None if empty or not text else text
