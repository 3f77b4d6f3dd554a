"""Keeps joint goal accuracy without labels: the lists of what is missed and incorrect so far.

Two-dimensional DST evaluation, section 2.3. The paper also keeps a list of pairs judged correct,
and calls a pair of it that a turn state holds again incorrect: that concerns trackers which predict
turn states (`Reply.turn_state`) and repeat in them what has not changed. Such a turn state is
wrong; the whole state is not, so that joint goal accuracy stays as it is. By default a slot has one
pair in that list, the last, since a user may come back to an earlier value; as published it has
all. Of a tracker that reports whole
states a turn state is the difference of two, so that a pair can only come back after it was changed
or removed; it is judged anew.
"""

from dataclasses import dataclass, field

from pytest_todeval.evaluate.metrics.state_tracking.belief import Pairs, TurnState, same_normalised


@dataclass
class Running:
    """The faults of the state after the turns so far; it is right if both lists are empty."""

    all_pairs: bool = False
    """Whether a pair once judged correct stays in the list of correct ones."""
    missed: dict[str, str] = field(default_factory=dict)
    """What the user said and the state lacks."""
    incorrect: dict[str, str] = field(default_factory=dict)
    """What the state holds and the user did not say."""
    correct: dict[str, list[str]] = field(default_factory=dict)
    """What turn states held and was judged correct, by slot."""

    def repeated(self, turn: TurnState) -> dict[str, str]:
        """Returns what a turn state holds again although it was held, and judged correct,
        before.
        """
        return {
            key: value
            for key, value in turn.updated.items()
            if any(same_normalised(key, held, value) for held in self.correct.get(key, ()))
        }

    def is_counted(self, key: str, value: str) -> bool:
        """Says whether a pair was already missed in an earlier turn, and still is."""
        return key in self.missed and same_normalised(key, self.missed[key], value)

    def update(self, turn: TurnState, missed: Pairs, incorrect: Pairs, confirmed: Pairs) -> None:
        """Takes in the judgement of one turn.

        A slot with a correct value now leaves both lists, one that was removed is no longer
        incorrect. `confirmed` are pairs that the state held already and that the user says in this
        turn: a value of them that was incorrect before is so no more.
        """
        for key, value in turn.updated.items():
            if key not in incorrect:
                self._clear(key)
                self._drop(key)
                self.correct.setdefault(key, []).append(value)
        for key in turn.removed:
            self.incorrect.pop(key, None)
            self._drop(key)
        for key, value in confirmed.items():
            if key in self.incorrect and same_normalised(key, self.incorrect[key], value):
                self._clear(key)
        for key in incorrect:
            self._drop(key)
        self.incorrect.update(incorrect)
        self.missed.update(missed)

    def _drop(self, key: str) -> None:
        """Drops a slot from the lists: it has another value now, or none."""
        if not self.all_pairs:
            self.correct.pop(key, None)

    def _clear(self, key: str) -> None:
        self.missed.pop(key, None)
        self.incorrect.pop(key, None)
