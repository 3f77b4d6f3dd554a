"""What tests are known to ask the judge, so that it can be asked before they do."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_todeval.core.dialogue import Dialogue


class KnownQuestion(NamedTuple):
    """A question to the judge, with what is said beside the dialogue."""

    question: Any
    arguments: Sequence[Any] = ()
    options: Mapping[str, Any] = {}


class KnownQuestions:
    """What the tests of a function ask the judge: what the marker says, and what the first asked.

    The first one's questions are the others' as soon as it asks them, for dialogues whose verdicts
    failed only where its own had: a test that asserts on them first ends there.
    """

    def __init__(self, declared: Sequence[Any] = ()) -> None:
        self._changed = threading.Condition()
        self._asked: list[tuple[KnownQuestion, frozenset[str] | None]] = [
            (_declared(each), None) for each in declared
        ]
        self._closed = False

    def add(self, asked: KnownQuestion, dialogue: Dialogue) -> None:
        """A test asks this about its dialogue; only the first test's questions count."""
        with self._changed:
            if not self._closed:
                self._asked.append((asked, _not_passed(dialogue)))
                self._changed.notify_all()

    def end_of_test(self) -> None:
        """A test is over: if it asked something, no question is added any more."""
        with self._changed:
            self._closed = bool(self._asked)
            self._changed.notify_all()

    def about(self, dialogue: Dialogue, gone: threading.Event) -> Iterator[KnownQuestion]:
        """Returns the questions about a dialogue as they become known, until `gone` is set."""
        lacks, number = _not_passed(dialogue), 0
        while True:
            with self._changed:
                while number == len(self._asked) and not (gone.is_set() or self._closed):
                    self._changed.wait()
                if gone.is_set() or number == len(self._asked):
                    return
                asked, lacked = self._asked[number]
            number += 1
            if lacked is None or lacks <= lacked:
                yield asked

    def wake(self) -> None:
        """Has those who wait see that they are gone."""
        with self._changed:
            self._changed.notify_all()


def _declared(said: str | Iterable[Any]) -> KnownQuestion:
    from pytest_todeval.evaluate.judge.judge import find_question

    name, *arguments = (said,) if isinstance(said, str) else tuple(said)
    return KnownQuestion(find_question(name), arguments)


def _not_passed(dialogue: Dialogue) -> frozenset[str]:
    verdicts = dialogue.verdicts.items()
    return frozenset(name for name, it in verdicts if it.undecided or not it.passed)
