"""Puts what the user means into English, from the sheet of phrases beside this module."""

import random
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents import read_document
from pytest_todeval.core.steps import Effect, Step
from pytest_todeval.models.goal_text import joined
from pytest_todeval.nlu.verbs import words_for
from pytest_todeval.simulation.agenda.acts import BESIDE, ActKind, Say
from pytest_todeval.simulation.agenda.step_wording import WHEN, StepWords

SHEET = Path(__file__).parent / "phrases.yaml"
VOICES = ("casual", "formal")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
_OF_STEPS = {
    ActKind.OPEN: "step_open",
    ActKind.BOOK: "step",
    ActKind.BOOK_AGAIN: "step_again",
    ActKind.LEAVE: "leave",
    ActKind.DECLINE: "decline",
    ActKind.SECRET: "no_secret",
}
"""What is said of a step -> the lines for it."""
_TELLING = frozenset({ActKind.OPEN, ActKind.BOOK, ActKind.BOOK_AGAIN})
DRAWS = 8
"""How often another wording is tried before the user says that it repeats itself."""
SPOKEN_ORDER = ("food", "departure", "destination", "name", "area", "people", "stay", "day", "time")
"""The order in which slots stand behind a noun; others follow."""
CAPITAL_SLOTS = frozenset({"day", "food", "name", "departure", "destination"})


@cache
def _sheet() -> Mapping[str, Any]:
    sheet: Mapping[str, Any] = read_document(SHEET).value
    return sheet


class Wording:
    """One user's way of speaking; remembers what it said, so as not to say it again."""

    def __init__(self, rng: random.Random, *, short: bool = False) -> None:
        self.rng = rng
        self.voice = rng.choice(VOICES)
        self.short = short
        self.said: Counter[str] = Counter()

    def utterance(self, acts: Sequence[Say], *, first: bool = False) -> str:
        """Returns the acts as one utterance, worded differently from all before if possible."""
        if acts[0].kind is ActKind.REPLY:
            return acts[0].slots["reply"]
        text = self._text(acts, first)
        if all(act.kind in BESIDE for act in acts):
            return text
        for _ in range(DRAWS):
            if text not in self.said:
                break
            text = self._text(acts, first)
        else:
            text = self.line("as_i_said") + text
        self.said[text] += 1
        return text

    def line(self, key: str) -> str:
        """Returns one of the lines under a key of the sheet, e.g. `thanks`."""
        return self._draw(_sheet()[key])

    def _text(self, acts: Sequence[Say], first: bool) -> str:
        sentences = [self.line("greeting")] if first and not self.short else []
        for act in acts:
            sentences.extend(self._sentences(act))
        return " ".join(_capital(sentence) for sentence in sentences)

    def _sentences(self, act: Say) -> Iterable[str]:
        if act.step is not None and act.kind in _OF_STEPS:
            return self._of_step(act, act.step)
        if act.kind is ActKind.OPEN:
            return self._open(act)
        speak: Mapping[ActKind, Callable[[Say], Iterable[str]]] = {
            ActKind.INFORM: self._inform,
            ActKind.ANSWER: self._answer,
            ActKind.NO_PREFERENCE: self._no_preference,
            ActKind.ANOTHER: self._another,
            ActKind.RECOMMEND: self._recommend,
            ActKind.RESTATE: self._restate,
            ActKind.REQUEST: self._request,
            ActKind.BOOK: self._by_domain,
            ActKind.FACT: self._facts,
            ActKind.FACT_AGAIN: self._bare,
            ActKind.CHOICE: self._choice,
        }
        return speak.get(act.kind, self._with_details)(act)

    def _of_step(self, act: Say, step: Step) -> list[str]:
        words = StepWords(step, act.slots or step.target, partial(self._behind_noun, act))
        when = any(slot in WHEN for slot in step.to)
        do = self._draw(step.means.asked or words_for(step.means, to_when=when))
        do = do.rstrip(".!?") if step.means.asked else f"{do} {{thing}}"
        filled = {"thing": words.thing}
        filled["do"] = PLACEHOLDER.sub(words.thing, do) + words.behind
        line = self.line(_OF_STEPS[act.kind])
        if self.short and act.kind is ActKind.BOOK:
            line = "{do}."
        sentence = PLACEHOLDER.sub(lambda match: filled.get(match[1], ""), line)
        told = words.apart if act.kind in _TELLING else ()
        return [sentence, *(self._step_slot(act, slot, act.slots[slot]) for slot in told)]

    def _behind_noun(self, act: Say, slot: str, value: str) -> str:
        section = "step_behind"
        return (
            self._slot_phrase(section, act.domain, slot, value) if slot in _sheet()[section] else ""
        )

    def _step_slot(self, act: Say, slot: str, value: str) -> str:
        if act.step is None or self.short:
            return f"{self._slot_phrase('step_short', act.domain, slot, value)}."
        effect = act.step.means.effect
        section = "step_said"
        if effect is Effect.ADDS and slot in act.step.target:
            section = "inform"
        elif effect is Effect.CHANGES and slot in act.step.to and slot not in _sheet()[section]:
            section = "step_to"
        return self._slot_phrase(section, act.domain, slot, value)

    def _open(self, act: Say) -> list[str]:
        name = act.slots.get("name", "")
        rest = {slot: value for slot, value in act.slots.items() if slot != "name"}
        if name:
            opening = self._domain_phrase("open_named", act.domain)
            value = self._spoken("name", name)
            first = self._fill(opening, act, value=value)
            return [first, *self._inform_all(act.domain, rest)]
        behind, apart = self._split(act.domain, rest)
        opening = self._domain_phrase("open", act.domain)
        return [
            self._fill(opening, act, details=_behind(behind)),
            *self._inform_all(act.domain, apart),
        ]

    def _inform(self, act: Say) -> list[str]:
        if act.step is not None:
            return [self._step_slot(act, slot, value) for slot, value in act.slots.items()]
        return self._inform_all(act.domain, act.slots)

    def _inform_all(self, domain: str, slots: Mapping[str, str]) -> list[str]:
        if self.short:
            return [self._short(domain, s, v) + "." for s, v in slots.items()]
        return [self._slot_phrase("inform", domain, s, v) for s, v in slots.items()]

    def _answer(self, act: Say) -> list[str]:
        if len(act.slots) == 1 and not self.short and self.rng.random() < 0.5:
            return self._inform(act)
        return self._with_details(act)

    def _no_preference(self, act: Say) -> list[str]:
        names = joined([_slot_name(slot) for slot in act.slots], "or")
        return [PLACEHOLDER.sub(lambda _: names, self.line("no_preference"))]

    def _another(self, act: Say) -> list[str]:
        if "name" in act.slots:
            value = self._spoken("name", act.slots["name"])
            return [self._fill(self.line("another_name"), act, value=value)]
        if act.slots:
            return self._with_details(act)
        return [self.line("another_one")]

    def _recommend(self, act: Say) -> list[str]:
        if "name" not in act.slots:
            return [self._fill(self._domain_phrase("recommend", act.domain), act)]
        value = self._spoken("name", act.slots["name"])
        return [self._fill(self.line("recommend_named"), act, value=value)]

    def _restate(self, act: Say) -> list[str]:
        return [self.line("restate"), *self._open(act)]

    def _request(self, act: Say) -> list[str]:
        if len(act.slots) == 1 and self.rng.random() < 0.7:
            slot = next(iter(act.slots))
            return [self._fill(self._slot_phrase("request", act.domain, slot, ""), act)]
        return [self._fill(self.line("request_many"), act)]

    def _facts(self, act: Say) -> list[str]:
        if self.short:
            return self._bare(act)
        return [self._slot_phrase("fact", act.domain, t, fact) for t, fact in act.slots.items()]

    def _bare(self, act: Say) -> list[str]:
        return [self._bare_fact(fact) for fact in act.slots.values()]

    def _bare_fact(self, fact: str) -> str:
        if fact == "none":
            return "No, none."
        return fact if "@" in fact else f"{fact}."

    def _choice(self, act: Say) -> list[str]:
        return [self._fill(self.line("choice"), act, value=act.slots["choice"])]

    def _by_domain(self, act: Say) -> list[str]:
        behind, apart = self._split(act.domain, act.slots)
        line = self._domain_phrase(act.kind.value, act.domain)
        sentence = self._fill(line, act, details=_behind(behind))
        return [sentence, *self._inform_all(act.domain, apart)]

    def _with_details(self, act: Say) -> list[str]:
        if act.kind is ActKind.BOOK_AGAIN:
            behind, apart = self._split(act.domain, act.slots)
            line = self._fill(self.line("book_again"), act, details=_behind(behind))
            return [line, *self._inform_all(act.domain, apart)]
        return [self._fill(self.line(act.kind.value), act)]

    def _fill(self, template: str, act: Say, **given: str) -> str:
        def value(match: re.Match[str]) -> str:
            return given[match[1]] if match[1] in given else self._placeholder(match[1], act)

        return PLACEHOLDER.sub(value, template)

    def _placeholder(self, name: str, act: Say) -> str:
        if act.step is not None and name in ("thing", "venue"):
            behind = partial(self._behind_noun, act)
            return StepWords(act.step, act.step.target, behind).thing
        match name:
            case "details":
                section = "short" if act.step is None else "step_short"
                shorts = [
                    self._slot_phrase(section, act.domain, s, v) for s, v in act.slots.items()
                ]
                return joined(shorts, "and")
            case "labels":
                return joined(
                    [self._slot_phrase("label", act.domain, s, "") for s in act.slots], "and"
                )
            case "thing":
                name = self._spoken("name", act.venue)
                return f"the {_domain_name(act.domain)} {name}".rstrip()
            case "venue":
                return act.venue or f"the {_domain_name(act.domain)}"
            case "domain":
                return _domain_name(act.domain)
        return _slot_name(next(iter(act.slots), ""))

    def _short(self, domain: str, slot: str, value: str) -> str:
        return self._slot_phrase("short", domain, slot, value)

    def _split(self, domain: str, slots: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
        """Returns what can stand behind a noun, in words, and the slots that need a sentence."""
        behind, apart = [], {}
        for slot, value in sorted(slots.items(), key=lambda item: _rank(item[0])):
            if self._phrases("details", domain, slot, value) is None:
                apart[slot] = value
            else:
                behind.append(self._slot_phrase("details", domain, slot, value))
        return behind, apart

    def _slot_phrase(self, section: str, domain: str, slot: str, value: str) -> str:
        template = self._draw(self._phrases(section, domain, slot, value))
        words = {
            "value": self._spoken(slot, value),
            "slot": _slot_name(slot),
            "domain": _domain_name(domain),
        }
        return PLACEHOLDER.sub(lambda match: words.get(match[1], ""), template)

    def _phrases(self, section: str, domain: str, slot: str, value: str) -> Any:
        phrases = _sheet()[section]
        key = value.strip().lower()
        for name in (f"{domain}.{slot}={key}", f"{slot}={key}", f"{domain}.{slot}", slot):
            if name in phrases:
                return phrases[name]
        return phrases.get("other")

    def _domain_phrase(self, section: str, domain: str) -> str:
        phrases = _sheet()[section]
        return self._draw(phrases.get(domain, phrases["other"]))

    def _draw(self, phrases: Any) -> str:
        if isinstance(phrases, Mapping):
            phrases = [*phrases.get("any", ()), *phrases.get(self.voice, ())]
        return str(self.rng.choice(phrases))

    def _spoken(self, slot: str, value: str) -> str:
        value = _plain(value)
        value = _sheet()["spelling"].get(value, value)
        if slot in CAPITAL_SLOTS and value.islower():
            return string.capwords(value)
        return value


def _plain(text: str) -> str:
    return " ".join(text.split())


def _domain_name(domain: str) -> str:
    return _plain(domain.replace("_", " "))


def _slot_name(slot: str) -> str:
    name: str = _sheet()["slot_names"].get(slot, _plain(slot.replace("_", " ")))
    return name


def _rank(slot: str) -> int:
    return SPOKEN_ORDER.index(slot) if slot in SPOKEN_ORDER else len(SPOKEN_ORDER)


def _behind(details: Sequence[str]) -> str:
    """What stands behind a noun, said once: "with wifi with 4 stars" -> "with wifi and 4 stars"."""
    having = [detail.removeprefix("with ") for detail in details if detail.startswith("with ")]
    rest = [detail for detail in details if not detail.startswith("with ")]
    if having:
        rest.append(f"with {joined(having, 'and')}")
    return "".join(f" {detail}" for detail in rest)


def _capital(sentence: str) -> str:
    if "@" in sentence.partition(" ")[0]:
        return sentence
    return sentence[:1].upper() + sentence[1:]
