"""`--ask QUESTION [ARGUMENT ...]`: any question of the judge's table, with what else it takes.

What a question takes is read off its function: the first argument after the dialogue is given by
words as they stand, others as `name=value`. So a new question can be asked as soon as the table has
it.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.documents import FILE_NAME
from pytest_todeval.errors import JudgeFault, UsageError, known_names
from pytest_todeval.evaluate.judge.judge import TABLE, find_question
from pytest_todeval.evaluate.judge.question import Question
from pytest_todeval.evaluate.judge.rule_answers import merged_rules

LABELS = "labels"
"""The argument that a file's own labels go to."""
NOT_FROM_WORDS = (LABELS, "schema")
"""Arguments that no words can give."""
YES_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class OtherDialogues:
    """The dialogues of another file, each to be asked about with the one of the same place."""

    path: Path
    by_place: Mapping[str, Dialogue]
    """By goal and trial."""

    def beside(self, dialogue: Dialogue, place: str) -> Dialogue:
        """Returns the one over the same goal. Raises JudgeFault if the file has none."""
        found = self.by_place.get(place)
        if found is None or found.goal.message != dialogue.goal.message:
            raise JudgeFault(f"{self.path.name} has no dialogue of {place} over the same goal")
        return found


@dataclass(frozen=True)
class Asking:
    """A question with what it takes besides the dialogue."""

    question: Question[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """By name; of `OtherDialogues`, each dialogue is given its own."""
    takes_labels: bool = False
    by_labels_alone: bool = False
    """Whether nobody can answer it without labels."""

    @property
    def name(self) -> str:
        return self.question.name

    def given(self, dialogue: Dialogue, place: str) -> dict[str, Any]:
        """The arguments for one dialogue. Raises JudgeFault if another file lacks its like."""
        return {
            name: value.beside(dialogue, place) if isinstance(value, OtherDialogues) else value
            for name, value in self.arguments.items()
        }


ReadOther = Callable[[Path], OtherDialogues]


def questions_asked(
    asked: Sequence[Sequence[str]], *, by_model: bool, read_other: ReadOther
) -> list[Asking]:
    """Returns what is asked. Raises UsageError and InvalidFile before anything is paid for.

    Each of `asked` is a question's name and its arguments, or several names with commas between.
    """
    found: list[Asking] = []
    for names, *words in asked:
        listed = list(dict.fromkeys(part.strip() for part in names.split(",")))
        if len(listed) > 1 and words:
            raise UsageError(
                f"--ask {names} {words[0]!r:.60}: several questions take no arguments: ask each "
                "with its own --ask"
            )
        questions = [_question(name, by_model=by_model) for name in listed]
        found += [_asking(each, words, by_model, read_other) for each in questions]
    return found


def _question(name: str, *, by_model: bool) -> Question[..., Any]:
    try:
        found = find_question(name)
    except UsageError as error:
        raise UsageError(f"--ask {name!r}: {error}") from None
    if found.by_rules is None and not by_model:
        told = [each.name for each in TABLE.values() if each.by_rules is not None]
        raise UsageError(
            f"--ask {name} needs a model as the judge: name one with --model; the rule judge "
            f"answers {', '.join(told)}"
        )
    return found


def _asking(
    question: Question[..., Any], words: Sequence[str], by_model: bool, read_other: ReadOther
) -> Asking:
    by_rules = None if by_model else question.by_rules
    known = _parameters(by_rules or question.by_model)
    taken = {name: each for name, each in known.items() if name not in NOT_FROM_WORDS}
    given = _sorted_by_name(question.name, words, taken)
    _check_all_given(question.name, taken, given)
    arguments = {
        name: _value(question.name, taken[name], texts, read_other) for name, texts in given.items()
    }
    return Asking(question, arguments, LABELS in known, LABELS in known and by_rules is not None)


def _parameters(answer: Callable[..., Any]) -> dict[str, Parameter]:
    """Returns what a question takes after the bench and the dialogue, by name."""
    after = list(inspect.signature(answer).parameters.items())[2:]
    kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return {name: each for name, each in after if each.kind in kinds}


def _sorted_by_name(
    question: str, words: Sequence[str], known: Mapping[str, Parameter]
) -> dict[str, list[str]]:
    """Returns the words by the argument that they are for."""
    found: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        named = bool(equals) and name in known
        if not named and equals and name.isidentifier() and len(known) != 1 and " " not in word:
            hint = known_names(name, known)
            raise UsageError(f"--ask {question} {word!r:.60}: no argument {name!r}: {hint}")
        if not named and not known:
            raise UsageError(f"--ask {question} {word!r:.60}: the question takes no argument")
        found.setdefault(name if named else next(iter(known)), []).append(value if named else word)
    return found


def _check_all_given(
    question: str, known: Mapping[str, Parameter], given: Mapping[str, object]
) -> None:
    for name, each in known.items():
        if each.default is Parameter.empty and name not in given:
            what = "FILE" if "Dialogue" in str(each.annotation) else name.upper()
            raise UsageError(f"--ask {question}: expected its {name}: --ask {question} {what}")


def _value(
    question: str, parameter: Parameter, texts: Sequence[str], read_other: ReadOther
) -> object:
    """Returns the words as the function takes them, by what it is annotated with."""
    kind = str(parameter.annotation)
    if "RuleSet" in kind:
        return merged_rules(list(texts))
    if "Sequence" in kind:
        file = len(texts) == 1 and FILE_NAME.fullmatch(texts[0])
        return Path(texts[0]) if file else list(texts)
    if len(texts) > 1:
        told = f"--ask {question}: {parameter.name}: expected one, got {len(texts)}"
        raise UsageError(f"{told}: put a sentence in quotation marks")
    (text,) = texts
    if "Dialogue" in kind:
        return read_other(Path(text))
    if re.search(r"\bbool\b", kind):
        if text not in YES_NO:
            raise UsageError(f"--ask {question} {parameter.name}={text}: expected yes or no")
        return YES_NO[text]
    if re.search(r"\bint\b", kind):
        if not text.isascii() or not text.isdecimal():
            raise UsageError(f"--ask {question} {parameter.name}={text}: expected a whole number")
        return int(text)
    return text
