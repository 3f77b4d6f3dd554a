"""A prediction file scored against the corpus: Inform, Success and, if asked for, BLEU."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.corpus import DEFINITION, bleu
from pytest_todeval.research.offline.corpus.active import State, active_domains
from pytest_todeval.research.offline.corpus.database import DOMAINS, VenueDatabase
from pytest_todeval.research.offline.corpus.goals import corpus_goal
from pytest_todeval.research.offline.corpus.inform_success import CorpusTurn, inform_success
from pytest_todeval.research.offline.corpus.predictions import (
    PredictedTurn,
    Predictions,
    read_booked,
    read_predictions,
    read_references,
    read_states,
)
from pytest_todeval.research.offline.corpus.records import CorpusRecords, beside
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.worlds.multiwoz.world import MultiwozWorld

NAMED_IDS = 3

T = TypeVar("T")
Booked = Mapping[str, tuple[frozenset[str], ...]]


def score_predictions(
    path: Path, data: Path, *, booked: Path | None = None, references: Path | None = None
) -> Scored:
    """Scores a prediction file against the MultiWOZ folder or zip `data`.

    Booked domains come from `booked`, else from `booked_domains.json` beside the data (or in its
    folder `evaluation`), else from the annotated states of the corpus; gold states, if the file
    predicts none, from `gold_states.json` there, else likewise. With `references`, also BLEU.
    Raises InvalidFile if a file is broken or does not fit the corpus, DataMissing without data.
    """
    return _Scoring(read_predictions(path), data, booked).scored(references)


class _Scoring:
    def __init__(self, predictions: Predictions, data: Path, booked: Path | None) -> None:
        self.predictions = predictions
        self.data = data
        self.records = CorpusRecords(data)
        self.corpus = self.records.holding(list(predictions.dialogues))
        self.notes: list[str] = []
        self._check_ids()
        self.splits = sorted({self.corpus[key].split for key in predictions.dialogues})
        self._note_missing()
        self._check_turns()
        self.booked = self._booked(booked)
        self.states = self._states()
        stored = MultiwozDatabase.load(data)
        self.database = VenueDatabase({domain: stored.rows(domain) for domain in DOMAINS})
        self.fingerprint = stored.fingerprint
        self.goal_sets = {split: MultiwozWorld().from_folder(data, split) for split in self.splits}
        self.goals = {goal.id: goal for found in self.goal_sets.values() for goal in found.goals}
        self.own_active = predictions.all_have("active")

    def scored(self, references: Path | None) -> Scored:
        dialogues = tuple(self._dialogue(*item) for item in self.predictions.dialogues.items())
        definitions = {"inform": DEFINITION, "success": DEFINITION}
        figures = {}
        if references is not None:
            figures["bleu"] = self._bleu(references)
            definitions["bleu"] = bleu.DEFINITION
        return Scored(dialogues, definitions, self._fingerprints(), tuple(self.notes), figures)

    def _dialogue(self, key: str, turns: Sequence[PredictedTurn]) -> Dialogue:
        known = self.corpus[key]
        states = self.states[key]
        return Dialogue(
            goal=self.goals[known.id],
            turns=tuple(
                Turn(number, user, turn.response, state=state)
                for number, (user, turn, state) in enumerate(
                    zip(known.users, turns, states, strict=False), start=1
                )
            ),
            verdicts=self._verdicts(key, turns, states),
        )

    def _verdicts(
        self, key: str, turns: Sequence[PredictedTurn], states: Sequence[State]
    ) -> dict[str, Verdict]:
        active: Iterable[Sequence[str]] = (
            [turn.active or () for turn in turns] if self.own_active else active_domains(states)
        )
        seen = [
            CorpusTurn(turn.response, state, spoken_of, booked)
            for turn, state, spoken_of, booked in zip(
                turns, states, active, self.booked[key], strict=False
            )
        ]
        return inform_success(corpus_goal(self.corpus[key].goal), seen, self.database)

    def _check_ids(self) -> None:
        unknown = [key for key in self.predictions.dialogues if key not in self.corpus]
        if unknown:
            raise InvalidFile(
                f"{self.predictions.path}: {_listed(unknown)} not in the corpus at {self.data} "
                f"(searched: {', '.join(self.records.splits)}); expected ids such as sng0073"
            )

    def _note_missing(self) -> None:
        expected = [key for key, known in self.corpus.items() if known.split in self.splits]
        missing = [key for key in expected if key not in self.predictions.dialogues]
        if missing:
            self.notes.append(
                f"{len(self.predictions.dialogues)} of the {len(expected)} dialogues of "
                f"{' and '.join(self.splits)}; missing, and not counted: {_listed(missing)}"
            )

    def _check_turns(self) -> None:
        short = []
        for key, turns in self.predictions.dialogues.items():
            expected = len(self.corpus[key].users)
            if len(turns) > expected:
                raise InvalidFile(
                    f"{self.predictions.path}: {key} has {len(turns)} turns, the corpus has "
                    f"{expected}; expected one response to each user turn"
                )
            if len(turns) < expected:
                short.append(key)
        if short:
            self.notes.append(f"with fewer turns than the corpus, scored as is: {_listed(short)}")

    def _booked(self, given: Path | None) -> Booked:
        file = given or beside(self.data, "booked_domains.json")
        found = read_booked(file) if file else {}
        # a file that lies beside the data may be of one split; one that is given must suffice
        lacking = [] if given else [key for key in self.predictions.dialogues if key not in found]
        if lacking:
            self.notes.append("booked domains are derived from the annotated states of the corpus")
        derived = {key: self.corpus[key].booked for key in lacking}
        return self._complete(file or self.data, {**found, **derived})

    def _states(self) -> Mapping[str, tuple[State, ...]]:
        if self.predictions.all_have("state"):
            return {
                key: tuple(turn.state or {} for turn in turns)
                for key, turns in self.predictions.dialogues.items()
            }
        file = beside(self.data, "gold_states.json")
        found = read_states(file) if file else {}
        lacking = [key for key in self.predictions.dialogues if key not in found]
        origin = "the annotated states of the corpus" if lacking else "gold_states.json"
        self.notes.append(f"the file does not predict a state in every turn: gold states, {origin}")
        derived = {key: self.corpus[key].states for key in lacking}
        return self._complete(file or self.data, {**found, **derived})

    def _complete(
        self, file: Path, found: Mapping[str, tuple[T, ...]]
    ) -> Mapping[str, tuple[T, ...]]:
        for key, turns in self.predictions.dialogues.items():
            if len(found.get(key, ())) < len(turns):
                raise InvalidFile(
                    f"{file}: {len(found.get(key, ()))} turns of {key}, expected {len(turns)}"
                )
        return found

    def _bleu(self, references: Path) -> tuple[float, int]:
        found = self._complete(references, read_references(references))
        pairs = [
            (turn.response, reference)
            for key, turns in self.predictions.dialogues.items()
            for turn, reference in zip(turns, found[key], strict=False)
        ]
        responses, expected = zip(*pairs, strict=True) if pairs else ((), ())
        return bleu.corpus_bleu(responses, expected), len(pairs)

    def _fingerprints(self) -> dict[str, str]:
        sets = {f"multiwoz/{name}": found.fingerprint for name, found in self.goal_sets.items()}
        return {**sets, "multiwoz/db": self.fingerprint}


def _listed(keys: Sequence[str]) -> str:
    shown = ", ".join(keys[:NAMED_IDS])
    return f"{shown} and {len(keys) - NAMED_IDS} more" if len(keys) > NAMED_IDS else shown
