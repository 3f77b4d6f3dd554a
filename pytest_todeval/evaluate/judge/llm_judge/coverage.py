"""Goal coverage by a model (Kazi et al., LLM user agents, section 3.3.2).

The paper has the model give the ratio as well; here it only says where each keyword was raised, and
the ratio is computed. A turn that does not exist makes an answer unreadable. The paper shows the
model examples; the prompt here explains instead, and the answer has a place for each keyword. As
published it is shown the phrases that the goal emphasises, an example of ours and the dialogue
without tools, and answers with a list of flags, which tell no turn.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.context import judged_turns
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.places import dialogue_places
from pytest_todeval.evaluate.judge.llm_judge.votes import most_name, nothing_said
from pytest_todeval.evaluate.judge.question import ModelBench, Question
from pytest_todeval.evaluate.metrics.coverage import (
    COVERAGE,
    SCALE,
    CoverageReport,
    report_of,
)
from pytest_todeval.evaluate.metrics.keywords import PHRASE, Keyword, wanted_keywords
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.reading.in_text import FlagsReply
from pytest_todeval.models.reading.objects import find_answer, fold, folded
from pytest_todeval.models.reading.reader import TEXT, Reader, Unreadable, one_of, strict, titled
from pytest_todeval.models.reading.replies import flags_reader

Place = tuple[int, str] | None
"""Turn and speaker; None if the answer only says that it was raised."""

SPEAKERS = {"user": "user", "bot": "bot", "chatbot": "bot", "system": "bot"}
NOBODY = ("nobody", "none", "")
_NUMBER = re.compile(r"-?\d{1,4}(?:\.0)?", re.ASCII)


def judge_coverage(
    bench: ModelBench, dialogue: Dialogue, keywords: str = "slots", document: str = "coverage"
) -> CoverageReport:
    """Asks a model which keywords of the goal were raised, where and by whom.

    `keywords` are `slots` or `phrases`, `document` the prompt that says what counts as raised. One
    call per model and sample. Of several answers, a keyword is raised if more than half of those
    that can be read say so. Unscored if the answer cannot be read, not applicable if the goal has
    no keywords.

    Raises UsageError for keywords of another kind, JudgeFault on a dialogue without turns,
    ModelUnavailable if a model could not be asked.
    """
    turns = len(judged_turns(dialogue)) + bool(dialogue.last_words)
    wanted = wanted_keywords(dialogue.goal, keywords)
    words = {f"K{at}": word for at, word in enumerate(wanted, 1)}
    prompt = bench.prompts.get(document)
    definition = f"{bench.panel.definition(prompt)}, {keywords}"
    if not words:
        return report_of((), definition)
    in_json = prompt.reply == "json"
    places = dialogue_places(bench, dialogue)
    listed = "\n".join(f"{key}: {word}" for key, word in words.items())
    messages = prompt.render(
        **{**places, "dialogue": places["dialogue" if in_json else "utterances"]},
        keywords=fenced("keywords", listed if in_json else _in_brackets(wanted)),
        after=str(len(dialogue.turns) + 1),
    )
    first = 1 - len(dialogue.goal.opening)
    known = CoverageReader(tuple(words), turns, first)
    reader = known if in_json else _FlagsToPlaces(flags_reader(prompt, len(words)), tuple(words))
    return _report(words, bench.panel.ask(messages, reader), definition)


def _in_brackets(words: Sequence[Keyword]) -> str:
    """Writes the keywords in brackets, as the paper's released code shows them."""
    told = [str(word.value if word.kind == PHRASE else word) for word in words]
    return json.dumps(told, ensure_ascii=False)


def _report(
    words: Mapping[str, Keyword],
    answers: Sequence[PanelAnswer[dict[str, Place]]],
    definition: str,
) -> CoverageReport:
    samples = tuple(_sample(answer, words, definition) for answer in answers)
    kept = samples if len(samples) > 1 else ()
    why = nothing_said(samples)
    if why is not None:
        score = Score(COVERAGE, None, why, None, SCALE, why, kept, definition)
        return CoverageReport(tuple(words.values()), score)
    read = [answer.asked.value for answer in answers if answer.asked.value is not None]
    raised = {key: next(each[key] for each in read if key in each) for key in most_name(read)}
    report = report_of(_placed(words, raised), definition)
    return replace(report, score=replace(report.score, samples=kept))


def _placed(words: Mapping[str, Keyword], raised: Mapping[str, Place]) -> list[Keyword]:
    placed = dict(words)
    for key, place in raised.items():
        placed[key] = replace(words[key], unplaced=True) if place is None else words[key].at(*place)
    return list(placed.values())


def _sample(
    answer: PanelAnswer[dict[str, Place]], words: Mapping[str, Keyword], definition: str
) -> Sample:
    if answer.asked.value is None:
        return Sample(answer.by, None, answer.why)
    score = report_of(_placed(words, answer.asked.value), definition).score
    return Sample(answer.by, score.value, score.reason)


@dataclass(frozen=True)
class _FlagsToPlaces:
    """Reads which keywords were raised, from a list of flags."""

    flags: Reader[FlagsReply]
    ids: tuple[str, ...]

    @property
    def schema(self) -> Mapping[str, Any] | None:
        return self.flags.schema

    @property
    def expected(self) -> str:
        return self.flags.expected

    def read(self, text: str) -> dict[str, Place]:
        flags = self.flags.read(text).values
        return {key: None for key, raised in zip(self.ids, flags, strict=True) if raised}


@dataclass(frozen=True)
class CoverageReader:
    """Reads where each keyword was raised: `{"K1": {"words", "turn", "speaker"}, ...}`."""

    ids: tuple[str, ...]
    """Of the keywords; each has to be in the answer."""
    turns: int
    """The number of the last."""
    first: int = 1
    """That of the first: less if the goal has an opening."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Returns the schema: an object per keyword; turn 0 and speaker `nobody` if it was not
        raised.
        """
        speaker = one_of(["user", "bot", "nobody"])
        place = strict({"words": TEXT, "turn": {"type": "integer"}, "speaker": speaker})
        return titled("coverage", dict.fromkeys(self.ids, place))

    @property
    def expected(self) -> str:
        """Says in words what the answer should look like."""
        return (
            f"Answer with one JSON object with a key for each keyword ({self.ids[0]} to "
            f'{self.ids[-1]}), each like {{"words": "...", "turn": 1, "speaker": "user"}}, with '
            f'a turn from {self.first} to {self.turns}, or 0 and "nobody" where it was not raised.'
        )

    def read(self, text: str) -> dict[str, Place]:
        """Reads the keywords that were raised, with turn and speaker. Raises Unreadable."""
        answer, _ = find_answer(text, self.ids)
        if answer is None:
            raise Unreadable("there is no JSON object with the keywords in the answer")
        places = {key: self._place(key, answer.get(fold(key))) for key in self.ids}
        return {key: place for key, place in places.items() if place is not None}

    def _place(self, key: str, given: object) -> Place:
        told = folded(given) if isinstance(given, dict) else {}
        if "turn" not in told:
            raise Unreadable(f"{key} does not say in which turn it was raised, and by whom")
        turn = _whole(told["turn"])
        speaker = str(told.get("speaker") or "").strip().lower()
        if turn == 0 and speaker in NOBODY:
            return None
        if turn is None or not self.first <= turn <= self.turns or speaker not in SPEAKERS:
            raise Unreadable(
                f"{key} was raised in turn {told['turn']!r:.20} by {speaker!r:.20}: there are "
                f"turns {self.first} to {self.turns}, and the speakers user and bot"
            )
        return turn, SPEAKERS[speaker]


def _whole(value: object) -> int | None:
    """Reads a turn's number; None if it is no number. Null is 0: not raised."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    return int(float(text)) if _NUMBER.fullmatch(text) else None


def _conveyed(bench: ModelBench, dialogue: Dialogue) -> CoverageReport:
    """Asks what the user said of its goal: the question behind `--todeval-coverage=model`.

    Raises JudgeFault if no answer can be read, ModelUnavailable if the model could not be asked.
    """
    report = judge_coverage(bench, dialogue, document="conveyed")
    if report.score.value is None and report.score.unscored != Score.NOT_APPLICABLE:
        raise JudgeFault(
            f"{dialogue.goal.name}: what the user told of its goal (--todeval-coverage=model) "
            f"could not be read: {report.score.reason:.300}"
        )
    return report


CONVEYED = Question("conveyed", _conveyed)
"""Not in the judges' table: it is about the user, and asked for the verdicts' sake."""
