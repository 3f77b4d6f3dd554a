"""Builds questions from a prompt, a reader, and a way to combine several answers.

The prompt is a document as `models.prompt` describes it. It may ask for `{{goal}}` and
`{{dialogue}}`; of a question about each turn also for `{{turn}}` (its number), `{{history}}` (what
was before it), `{{user}}`, `{{tools}}` and `{{response}}`. All that user, bot and tools said comes
in fenced. With `answer: text` in its head it is answered in text, in the format that `reply` names.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from pytest_todeval.core.assertable import ByName
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.context import contexts, judged_turns, transcript
from pytest_todeval.evaluate.judge.llm_judge.named import each_turn, named_scores, shown_goal
from pytest_todeval.evaluate.judge.llm_judge.votes import verdict_by_vote
from pytest_todeval.evaluate.judge.question import ModelBench, Question
from pytest_todeval.models.prompt import Prompt
from pytest_todeval.models.reading.replies import scores_reader

Scale = tuple[int, int]


def yes_no_question(
    name: str, prompt: str | Path, *, needs_goal: bool = False
) -> Question[[], Verdict]:
    """Makes a question that a model answers with yes or no, once per dialogue.

    More than half of the answers decide. `judge.NAME(dialogue)` is a verdict; it raises JudgeFault
    if the answers do not tell.
    """

    def by_model(bench: ModelBench, dialogue: Dialogue) -> Verdict:
        judged_turns(dialogue)
        document = bench.prompts.get(prompt)
        messages = document.render(**_whole(dialogue))
        return verdict_by_vote(name, dialogue, bench.panel, document, messages)

    return Question(name, by_model, needs_goal=needs_goal)


def scores_question(
    name: str,
    prompt: str | Path,
    scales: Mapping[str, Scale],
    *,
    per: Literal["turn", "dialogue"] = "turn",
    not_applicable: frozenset[str] = frozenset(),
    needs_goal: bool = False,
) -> Question[[], ByName[ScoreSeries]]:
    """Makes a question that a model answers with scores, for every turn or for the dialogue.

    `scales` are the names of the scores, each with the lowest and the highest one; those in
    `not_applicable` may have none. `judge.NAME(dialogue)` maps names to series, of one score per
    turn, or of one for the dialogue: the median of the answers.

    Raises UsageError on a name without a scale, and for anything but `turn` or `dialogue`.
    """
    _check(name, scales, per, not_applicable)

    def asked(
        bench: ModelBench, document: Prompt, turn: int | None, values: Mapping[str, str]
    ) -> dict[str, Score]:
        definition = bench.panel.definition(document)
        messages = document.render(**values)
        reader = scores_reader(document, scales, not_applicable=not_applicable)
        return named_scores(bench.panel, messages, reader, scales, turn, definition)

    def by_model(bench: ModelBench, dialogue: Dialogue) -> ByName[ScoreSeries]:
        judged_turns(dialogue)
        document = bench.prompts.get(prompt)
        goal = {"goal": shown_goal(dialogue.goal)}
        if per == "dialogue":
            found = [asked(bench, document, None, _whole(dialogue))]
        else:
            questions = [
                partial(asked, bench, document, int(each["turn"]), {**goal, **each})
                for each in contexts(dialogue)
            ]
            found = each_turn(bench.panel, questions)
        return ByName(
            {each: ScoreSeries(each, [scores[each] for scores in found]) for each in scales}
        )

    return Question(name, by_model, needs_goal=needs_goal)


def _whole(dialogue: Dialogue) -> dict[str, str]:
    return {"goal": shown_goal(dialogue.goal), "dialogue": transcript(dialogue)}


def _check(name: str, scales: Mapping[str, Scale], per: str, idle: frozenset[str]) -> None:
    told = f"question {name!r}"
    if per not in ("turn", "dialogue"):
        raise UsageError(f"{told}: per is {per!r}, expected 'turn' or 'dialogue'")
    if not scales:
        raise UsageError(f"{told}: scales is empty, expected e.g. {{'politeness': (1, 5)}}")
    for score, scale in scales.items():
        if len(scale) != 2 or not scale[0] < scale[1]:
            raise UsageError(f"{told}: the scale of {score!r} is {scale!r}, expected e.g. (1, 5)")
    if unknown := sorted(idle - set(scales)):
        raise UsageError(f"{told}: not_applicable holds {unknown[0]!r}, which has no scale")
