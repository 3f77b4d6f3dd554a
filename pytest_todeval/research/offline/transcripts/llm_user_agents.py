"""The released files of LLM user agents (Kazi et al. 2024): runs, and what GPT-4 gave them.

One JSON object per line with `initial_message` and either `conv_history`, messages with the roles
`user_agent`, `tod_system` and `thought` (with `result` and `feedback`, if task completion was
judged), or `conversation_text`, the same as text, with the scores of goal coverage. A score there
whose reply could not be read stands in the file as 0, and counts so in the paper's table 1: that is
`published_goal_coverage`; in `goal_coverage` it is unscored. In the dialogue's place then stands
the reply, and the dialogue is without turns.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.documents import read_json_lines
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.score import Score
from pytest_todeval.errors import InvalidFile
from pytest_todeval.evaluate.metrics.coverage import COVERAGE
from pytest_todeval.research.offline.record import Record
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

USER, BOT = "user_agent", "tod_system"
SPEAKER = re.compile(rf"^({USER}|{BOT}): ?", re.MULTILINE)
DONE = re.compile(r"<\s*COMPLETE[ _]CONVERSATION\s*>")
PUBLISHED_COVERAGE = f"published_{COVERAGE}"
COMPLETION = "stored_completion"
SCALE = (0, 1)
DEFINITION = "stored reply of GPT-4 to LLM user agents' prompt"
ZERO = f"{DEFINITION}, 0 if it could not be read"
FAILED = "NA"
"""What a field holds if GPT-4 could not be asked."""

Message = tuple[str, str]


def read_llm_user_agents(path: Path, goals: KnownGoals) -> Transcripts:
    """Reads the file. Raises InvalidFile: file, line, key, what was expected and got.

    A goal set that knows a goal of the same message gives the dialogue its goal.
    """
    found = []
    for number, value in read_json_lines(path):
        found.append(_RunLine(Record.of(value, f"{path}:{number}"), number).transcript(goals))
    if not found:
        raise InvalidFile(f"{path}: no dialogues; expected one JSON object per line")
    return Transcripts("llm-user-agents", tuple(found), tuple(_notes(found)))


def _notes(found: Sequence[Transcript]) -> Iterator[str]:
    silent = sum(not each.dialogue.turns for each in found)
    if silent:
        yield f"{silent} of {len(found)} dialogues have no turn in the file"
    unread = sum(
        score.unscored is not None for each in found for score in each.scores.get(COVERAGE, ())
    )
    if unread:
        yield f"{unread} of GPT-4's replies on coverage were not read; the paper counts them as 0"
    unknown = sum(not each.dialogue.goal.domains for each in found)
    if 0 < unknown < len(found):
        yield f"{unknown} of {len(found)} messages belong to no goal, or to several"


@dataclass(frozen=True)
class _RunLine:
    record: Record
    number: int

    def transcript(self, goals: KnownGoals) -> Transcript:
        message = self.record.text("initial_message")
        goal = goals.told(message)
        messages = list(self.messages())
        turns, last_words = _turns(messages)
        told = Goal(f"line-{self.number}", "llm-user-agents", (), (message,))
        return Transcript(
            id=f"line-{self.number}",
            dialogue=Dialogue(
                goal=told if goal is None else goal,
                turns=turns,
                stop_reason=_stop(messages),
                last_words=last_words,
            ),
            scores={score.name: [score] for score in self.scores()},
        )

    @property
    def unread(self) -> bool:
        """Says whether GPT-4's reply on coverage could not be read."""
        return isinstance(self.record.value.get("reasoning"), list)

    def messages(self) -> Iterator[Message]:
        """Who said what; thoughts and prompts left out."""
        if "conv_history" in self.record.value:
            for each in self.record.records("conv_history"):
                if each.text("role") in (USER, BOT):
                    yield each.text("role"), each.text("content").strip()
            return
        if self.unread:
            return  # the reply stands in the dialogue's place
        _, *parts = SPEAKER.split(self.record.text("conversation_text"))
        yield from zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True)

    def scores(self) -> Iterator[Score]:
        if "score" in self.record.value and self.record.value["score"] != FAILED:
            yield from self.coverage()
        if "result" in self.record.value and "feedback" in self.record.value:
            value = float(self.record.whole("result", 0))
            reason = self.record.text("feedback")
            yield Score(COMPLETION, value, reason, None, SCALE, definition=DEFINITION)

    def coverage(self) -> Iterator[Score]:
        value = self.record.number("score", 0.0)
        if value > 1:
            self.record.fail("score", "a number from 0 to 1")
        why = "as the file says"
        yield Score(PUBLISHED_COVERAGE, value, why, None, SCALE, definition=ZERO)
        flags = self.record.items("match_count_in_conversation")
        if not all(flag in (0, 1) for flag in flags):
            self.record.fail("match_count_in_conversation", "a list of 0 and 1")
        whole = 0 < len(flags) == len(self.record.items("matches"))
        if whole and not self.unread and value == sum(flags) / len(flags):
            told = f"{sum(flags)} of {len(flags)} raised"
            yield Score(COVERAGE, value, told, None, SCALE, definition=DEFINITION)
        else:
            unread = "GPT-4's reply does not tell of each keyword"
            yield Score(COVERAGE, None, unread, None, SCALE, unread, definition=DEFINITION)


def _turns(messages: Sequence[Message]) -> tuple[tuple[Turn, ...], str]:
    """The exchanges, and what the user said last; words of one side in a row are one message."""
    turns: list[Turn] = []
    said: list[str] = []
    for role, text in messages:
        if role == USER:
            said += [words] if (words := DONE.sub("", text).strip()) else []
        elif turns and not said:
            last = turns.pop()
            turns.append(Turn(last.index, last.user, f"{last.system}\n{text}"))
        else:
            turns.append(Turn(len(turns) + 1, "\n".join(said), text))
            said = []
    return tuple(turns), "\n".join(said)


def _stop(messages: Sequence[Message]) -> StopReason:
    ended = any(role == USER and DONE.search(text) for role, text in messages)
    return StopReason.USER_DONE if ended else StopReason.IMPORTED
