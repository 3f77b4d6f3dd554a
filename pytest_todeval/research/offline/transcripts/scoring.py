"""Transcripts scored without any judge: what can be computed, beside what the file itself says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.retrieval import retrieval
from pytest_todeval.evaluate.metrics.task_success import evaluate_evidence
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts


def score_transcripts(transcripts: Transcripts, goals: KnownGoals) -> Scored:
    """Inform, success and booking of the dialogues whose goals have domains; retrieval, of those
    that say what is relevant; and the scores of the file.

    There is no backend: verdicts rest on reported calls and words, and say so.
    """
    dialogues = tuple(
        replace(each.dialogue, verdicts=_verdicts(each)) for each in transcripts.found
    )
    verdicts = [verdict for each in dialogues for verdict in each.verdicts.values()]
    return Scored(
        dialogues=dialogues,
        definitions={verdict.name: verdict.definition for verdict in verdicts},
        data={each.name: each.fingerprint for each in goals.sets},
        notes=(*transcripts.notes, *_notes(transcripts.found)),
        scores=tuple({**each.scores, **_retrieval(each)} for each in transcripts.found),
    )


def _notes(found: Sequence[Transcript]) -> Iterator[str]:
    bare = sum(not each.dialogue.goal.domains for each in found)
    if bare:
        yield (
            f"{bare} of {len(found)} goals have no domains in the file: no inform, success and "
            "booking (--goal-set finds goals that are named, or told in words)"
        )


def _verdicts(one: Transcript) -> Mapping[str, Verdict]:
    if not one.dialogue.goal.domains or not one.dialogue.turns:
        return {}
    return evaluate_evidence(gather(one.dialogue))


def _retrieval(one: Transcript) -> Mapping[str, Sequence[Score]]:
    if not one.dialogue.turns:
        return {}
    try:
        report = retrieval(one.dialogue)
    except OracleFault:  # nothing says what is relevant
        return {}
    return report.scores if len(report.rankings) else {}
