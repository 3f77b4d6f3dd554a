"""What judges answered about one dialogue, as its results keep it: no answer hides another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.plain import plain, plain_text

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison
    from pytest_todeval.evaluate.rules.report import RuleReport

T = TypeVar("T")

MIRRORED = {"one": "other", "other": "one"}
"""Who wins, seen from the second of two dialogues."""


@dataclass(frozen=True)
class Answers:
    """What judges answered about one dialogue, by name.

    An answer takes the place of an earlier one of the same name and definition: the same was asked
    again. One of the same name and another definition is kept beside it, as `NAME (DEFINITION)`.
    """

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    scores: dict[str, list[Score]] = field(default_factory=dict)
    rules: dict[str, object] = field(default_factory=dict)
    """By rule, what was found in each turn."""
    rule_definitions: dict[str, str] = field(default_factory=dict)
    """By rule, what its results mean; empty if no model was asked."""
    idle_rules: dict[str, str] = field(default_factory=dict)
    """The rules that could not apply to the dialogue, with why."""
    keywords: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By score of coverage: each keyword of the goal, and in which turn who raised it."""
    comparisons: dict[str, dict[str, Any]] = field(default_factory=dict)
    """With other dialogues, by what was compared and how."""
    explained: list[str] = field(default_factory=list)
    """What each approval that was asked for has checked and found, for people."""

    def keep(self, found: object, dialogue: "Dialogue", *asked: object) -> None:
        """Takes an answer about a dialogue; `asked` is all that the judge was handed.

        What is no answer is left alone: a judge of one's own may return anything.
        """
        named: Any = found
        if isinstance(getattr(found, "parts", None), tuple):
            self.explained.append(named.explain())
            for part in named.parts:
                self.keep(part, dialogue, *asked)
        elif isinstance(found, Verdict):
            self._verdict(found)
        elif isinstance(getattr(found, "games", None), tuple):
            self._comparison(named, dialogue, asked)
        elif callable(getattr(found, "by_rule", None)) and isinstance(named.by_rule(), Mapping):
            self._rules(named)
        else:
            scores = found if isinstance(found, Mapping) else getattr(found, "scores", {})
            for name, series in scores.items() if isinstance(scores, Mapping) else ():
                self._scores(str(name), series, getattr(found, "keywords", None))

    def _verdict(self, found: Verdict) -> None:
        known = {name: each.definition for name, each in self.verdicts.items()}
        self.verdicts[_free(found.name, found.definition, known)] = found

    def _scores(self, name: str, series: Any, keywords: Iterable[object] | None) -> None:
        listed = list(series) if isinstance(series, Iterable) else [series]
        if not all(isinstance(each, Score) for each in listed):
            return
        known = {name: _definition(each) for name, each in self.scores.items()}
        name = _free(name, _definition(listed), known)
        self.scores[name] = listed
        if keywords is not None:
            self.keywords[name] = [_keyword(each) for each in keywords]

    def _rules(self, found: "RuleReport") -> None:
        definition: str = getattr(found, "definition", "")
        known = dict(self.rule_definitions)
        for rule, results in found.by_rule().items():
            meant = definition if any(_judged(each) for each in results) else ""
            name = _free(str(rule), meant, known)
            self.rules[name], self.rule_definitions[name] = results, meant
        self.idle_rules.update(getattr(found, "idle", {}))

    def _comparison(
        self, found: "Comparison", dialogue: "Dialogue", asked: Sequence[object]
    ) -> None:
        second = asked[0] is not dialogue
        other = next((d for d in asked if hasattr(d, "turns") and d is not dialogue), dialogue)
        told = {"against": _words(other), **_compared(found, second=second)}
        self.comparisons[f"{told['against']} {told['definition']}"] = told


def _free(name: str, definition: str, known: Mapping[str, str]) -> str:
    """Returns the name, unless an answer of another definition has it."""
    return name if known.get(name, definition) == definition else f"{name} ({definition})"


def _definition(scores: Sequence[Score]) -> str:
    return "; ".join(sorted({score.definition for score in scores}))


def _judged(result: object) -> bool:
    from pytest_todeval.evaluate.rules.report import EVIDENCE

    return getattr(result, "by", EVIDENCE) != EVIDENCE


def _keyword(word: object) -> dict[str, Any]:
    """Returns its fields, `turn` and `speaker` among them, and how it is called."""
    fields = plain(word)
    place = {"turn": getattr(word, "turn", None), "speaker": getattr(word, "speaker", None)}
    return {
        "keyword": plain_text(str(word)),
        **(fields if isinstance(fields, dict) else {}),
        **place,
    }


def _compared(found: "Comparison", *, second: bool) -> dict[str, Any]:
    """A comparison as the results of one of its dialogues have it: `this` or `other` is better."""

    def seen(winner: str | None) -> str | None:
        if winner is None:
            return None
        named = str(winner)
        turned = MIRRORED.get(named, named) if second else named
        return "this" if turned == "one" else turned

    return {
        "winner": seen(found.winner),
        "reason": plain_text(found.reason),
        "consistent": found.consistent,
        "undecided": None if found.undecided is None else plain_text(found.undecided),
        "games": [
            {
                "by": plain_text(game.by),
                "first": seen(game.first),
                "second": seen(game.second),
                "reason": plain_text(game.reason),
            }
            for game in found.games
        ],
        "definition": plain_text(found.definition),
    }


def _words(dialogue: object) -> str:
    """Returns a hash of what was said in a dialogue, to tell one from another."""
    turns = getattr(dialogue, "turns", ())
    said = [text for turn in turns for text in (turn.user, turn.system)]
    return fingerprint(text.encode("utf-8", "backslashreplace") for text in said)
