"""Predicted belief states laid over MultiWOZ's dialogues, beside the labels that these have.

`{"MUL0148": [{"state": {domain: {slot: value}}}, ...]}`, an object per user turn; trackers that
predict what a turn changes give `turn_state` in place of `state`. Prediction files as
Tomiinek/MultiWOZ_Evaluation takes them are such files: what else a turn holds is not looked at.
This is the protocol of two-dimensional DST evaluation (section 3.1): the corpus' own users and
systems speak, a tracker's states are judged, and the labels are those of the corpus at hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.documents import read_document
from pytest_todeval.errors import InvalidFile, known_names
from pytest_todeval.goals.multiwoz import goal_from_record
from pytest_todeval.goals.store import find_multiwoz
from pytest_todeval.research.offline.corpus.records import (
    CorpusDialogue,
    CorpusRecords,
    dialogue_key,
)
from pytest_todeval.research.offline.record import Record
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

STATES = ("state", "turn_state")
"""What a turn holds of a tracker: the whole state, or what the turn changes in it."""


def read_dst(path: Path, goals: KnownGoals) -> Transcripts:
    """Reads a file of predicted states; the corpus lies where the setting `data` says.

    Raises InvalidFile if the file is misshapen or does not fit the corpus, DataMissing without it.
    """
    file = Record.of(read_document(path).value, str(path))
    if not file.value:
        raise InvalidFile(f"{path}: no dialogues; expected an object of dialogues by id")
    data = find_multiwoz(goals.settings.get("data"))
    keys = [dialogue_key(name) for name in file.value]
    corpus = CorpusRecords(data).holding(keys)
    found = []
    for name, key in zip(file.value, keys, strict=True):
        if key not in corpus:
            hint = known_names(key, list(corpus)[:10])
            raise InvalidFile(f"{path}: {name}: no such dialogue in {data}; {hint}, ...")
        found.append(_transcript(corpus[key], list(file.records(name)), file, name))
    return Transcripts("dst", tuple(found), (f"labels are the states annotated in {data.name}",))


def _transcript(
    known: CorpusDialogue, turns: Sequence[Record], file: Record, name: str
) -> Transcript:
    exchanges = known.exchanges
    if len(turns) != len(exchanges):
        file.fail(name, f"{len(exchanges)} turns, as the corpus has")
    goal = goal_from_record(known.id, known.goal, file=known.where, published=True)
    return Transcript(
        id=goal.name,
        dialogue=Dialogue(goal, tuple(_turns(turns, exchanges))),
        labels=tuple(label for _, _, label in exchanges),
    )


def _turns(
    predicted: Sequence[Record], exchanges: Sequence[tuple[str, str, Mapping[str, object]]]
) -> Iterator[Turn]:
    spoken = zip(predicted, exchanges, strict=True)
    for index, (record, (user, system, _)) in enumerate(spoken, 1):
        if not any(key in record.value for key in STATES):
            record.fail("state", "a belief state, or a `turn_state`")
        state, turn_state = (record.mapping(key) for key in STATES)
        yield Turn(index, user, system, state=state, turn_state=turn_state)
