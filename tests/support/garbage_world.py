"""Dialogues between users of scripts and two bots, judged as a test would judge them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.dialogue import with_claims
from pytest_todeval.goals import store
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.play.never_said import failed_unsaid
from pytest_todeval.simulation.llm_user import STRATEGIES, LLMUser
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.testing import ScriptedSystem
from pytest_todeval.worlds import registry
from tests.support import garbage_scripts as scripts
from tests.support.garbage_scripts import ECHO, END

__all__ = ["BOTS", "TABLES", "ScriptTable", "outcome", "play"]

Script = Sequence[str]
GOALS: Mapping[str, Goal] = {goal.id: goal for goal in registry.load("demo").goals}
DATABASE = MultiwozDatabase.load(store.DEMO)
NO_GOOD = (
    "Welcome! I can help with restaurants and hotels. What do you want?",
    "Could you say a little more about it?",
    "I see. Which part of town would you like?",
    "There are several. Do you have a price in mind?",
    "Let me know if you need anything else from me.",
    "Could you repeat that?",
    "One moment, please.",
    "And what kind of food would you like?",
)
BOTS: Mapping[str, Any] = {"RuleSystem": RuleSystem, "no good": ScriptedSystem(NO_GOOD)}


@dataclass(frozen=True)
class ScriptTable:
    """Scripts of users of one goal."""

    goal: str
    scripts: Mapping[str, Script]
    expected: str
    """`garbage` or `clumsy`; `either` if that hangs on the bot."""


TABLES = (
    ScriptTable("DEMO045", scripts.GARBAGE, "garbage"),
    ScriptTable("DEMO045", scripts.CLUMSY, "clumsy"),
    ScriptTable("DEMO045", scripts.SERVED_BY_HALF, "either"),
    ScriptTable("DEMO047", scripts.TRAIN_GARBAGE, "garbage"),
    ScriptTable("DEMO047", scripts.TRAIN_CLUMSY, "clumsy"),
)


class ScriptedModel(ChatClient):
    """A model that says the lines of a script in its strategy's form, and the last one for ever.

    It accepts any draft. A tracked goal is all done when it leaves, if `tracks`.
    """

    def __init__(self, lines: Sequence[str], strategy: str, *, tracks: bool = False) -> None:
        super().__init__(ModelSettings("scripted", base_url="http://127.0.0.1:9/v1"))
        self._lines, self._strategy, self._tracks = lines, STRATEGIES[strategy], tracks
        self._asked = 0

    def complete(self, messages: Any, *, schema: Any = None, **_: Any) -> Completion:
        """The next line."""
        if schema is not None:
            return Completion('{"reason": "fine", "answer": "yes"}')
        line = self._lines[min(self._asked, len(self._lines) - 1)]
        self._asked += 1
        leaves, form = END in line, str(self._strategy.form)
        heard = re.findall(r"⟦chatbot \w+⟧\n(.*?)\n⟦", str(messages[-1]["content"]), re.DOTALL)
        line = line.replace(ECHO, heard[-1] if heard else "Hello.")
        line = line.replace(END, str(self._strategy.ending))
        if form == "plain":
            return Completion(line)
        if form == "said":
            return Completion(f"Thought: hm\nUser: {line}")
        parts = sorted(set(re.findall(r"\b(?:restaurant|hotel|train)\.[\w.]*\w", str(messages))))
        done = dict.fromkeys(parts, "done") if leaves and self._tracks else {}
        state = f"\nState: {json.dumps(done)}" if form == "state" else ""
        return Completion(f"Thought: hm{state}\nResponse: {line}")


def play(table: ScriptTable, name: str, strategy: str, bot: str) -> Dialogue:
    """A dialogue with its verdicts, or with the fault of its user."""
    goal = GOALS[table.goal]
    backend = MultiwozBackend(DATABASE, goal)
    model = ScriptedModel(table.scripts[name], strategy, tracks=table.expected == "clumsy")
    solution = "Take the blue door." if STRATEGIES[strategy].checks_solution else None
    user = LLMUser(goal, model, strategy, solution=solution)
    limits = Limits(max_turns=len(NO_GOOD))
    dialogue = run_dialogue(goal, user, BOTS[bot], backend=backend, limits=limits)
    dialogue = with_claims(dialogue, backend)
    verdicts = evaluate(dialogue, backend)
    if dialogue.fault is None and user.tells_what_it_said:
        why = failed_unsaid(dialogue, verdicts, lambda other: evaluate(other, backend))
        fault = Outcome.SIMULATOR_FAULT if why else None
        dialogue = replace(dialogue, fault=fault, detail=why or dialogue.detail)
    return replace(dialogue, verdicts=verdicts)


def outcome(dialogue: Dialogue) -> str:
    """What a test that asserts success and booking would come to."""
    if dialogue.fault is not None:
        return str(dialogue.fault)
    wanted = (dialogue.verdicts[name] for name in ("success", "booking"))
    passed = all(verdict.passed or not verdict.applicable for verdict in wanted)
    return str(Outcome.PASSED if passed else Outcome.FAILED)
