"""The judge that is a model, or a panel of models: what a test may ask of it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import ScoreSeries, Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.evidence.dialogue import gather
from pytest_todeval.judge.llm_judge.panel import Panel
from pytest_todeval.judge.rule_judge import Rules, TurnScores, merged_rules
from pytest_todeval.llm.client import ChatClient
from pytest_todeval.llm.prompt import Prompts
from pytest_todeval.llm.settings import ModelSettings
from pytest_todeval.rules.report import RuleReport

if TYPE_CHECKING:
    from pytest_todeval.judge.llm_judge.comparison import Comparison
    from pytest_todeval.judge.llm_judge.conversation import ConversationScores
    from pytest_todeval.judge.llm_judge.quality import QualityScores
    from pytest_todeval.metrics.coverage import CoverageReport
    from pytest_todeval.metrics.state_tracking import StateReport
    from pytest_todeval.metrics.state_tracking.schema import Slots

__all__ = ["LLMJudge", "Model"]

Model = str | ModelSettings | ChatClient
"""A model by its name, with its settings, or with a client at hand."""


class LLMJudge:
    """Asks a model, or a panel of models, about a dialogue.

    `model` is one model or several; `samples` asks each so often, and a score is the median of all.
    `fused` asks about a turn's three dimensions in one call, which takes fewer tokens than the
    paper's three. `prompts` is a folder with prompt documents that replace the shipped ones,
    `policy` the text that policy compliance is judged by, `language` that of the dialogue.
    `rule_sets` and `backend` are those of `RuleJudge`.

    Every method raises JudgeFault on a dialogue without turns, which a model would invent, and
    ModelUnavailable where a model could not be asked. Where an answer could not be read, the score
    is unscored, which no comparison passes.
    """

    def __init__(
        self,
        model: Model | Sequence[Model],
        *,
        samples: int = 1,
        fused: bool = False,
        prompts: str | Path | None = None,
        policy: str = "",
        rule_sets: Rules | Sequence[Rules] | None = None,
        backend: Any = None,
        language: str = "English",
    ) -> None:
        models = [model] if isinstance(model, Model) else list(model)
        if not models:
            raise UsageError("LLMJudge: expected the name of a model, or several; got none")
        self._prompts = Prompts(prompts)
        self._panel = Panel([_client(each) for each in models], samples, self._prompts)
        self._fused, self._policy, self._language = fused, policy, language
        self._rule_sets, self._backend = rule_sets, backend

    def __repr__(self) -> str:
        return f"<LLMJudge {', '.join(client.model for client in self._panel.clients)}>"

    @property
    def prompts(self) -> Prompts:
        """The prompts it asks with."""
        return self._prompts

    def turns(self, dialogue: Dialogue) -> TurnScores:
        """TD-Eval's three scores of every turn, 1 (very bad) to 5 (very good)."""
        from pytest_todeval.judge.llm_judge.turns import score_turns

        return score_turns(
            dialogue, self._panel, self._prompts, policy=self._policy, fused=self._fused
        )

    def quality(self, dialogue: Dialogue) -> "QualityScores":
        """AutoEval-ToD's response quality: six scores of every turn, 1 (yes) or 0 (no)."""
        from pytest_todeval.judge.llm_judge.quality import score_quality

        return score_quality(dialogue, self._panel, self._prompts, self._language)

    def rules(self, dialogue: Dialogue, rules: Rules | Sequence[Rules] | None = None) -> RuleReport:
        """Executable rules by evidence, `judged` ones by the model, in one report."""
        from pytest_todeval.judge.llm_judge.rules import judge_rules

        wanted = rules if rules is not None else self._rule_sets
        if wanted is None:
            raise UsageError('judge.rules: say which rules, e.g. judge.rules(dialogue, "hotel")')
        evidence = gather(dialogue, self._backend)
        return judge_rules(evidence, merged_rules(wanted), self._panel, self._prompts)

    def completion(self, dialogue: Dialogue) -> Verdict:
        """Whether the bot did all that the user asked of it, with feedback (LLM user agents)."""
        from pytest_todeval.judge.llm_judge.completion import judge_completion

        return judge_completion(dialogue, self._panel, self._prompts)

    def goal_completion(self, dialogue: Dialogue, solution: str | None = None) -> Verdict:
        """Whether and when the bot offered what solves the goal (AutoEval-ToD).

        `solution` defaults to the goal's own, else to a row of the backend that satisfies it.
        Raises OracleFault where there is none.
        """
        from pytest_todeval.judge.llm_judge.completion import judge_goal_completion

        query: Callable[..., Any] | None = getattr(self._backend, "query", None)
        # The user looks for the same rows: its seed is the trial, too.
        return judge_goal_completion(
            dialogue, self._panel, self._prompts, solution, query, dialogue.trial
        )

    def holds(self, dialogue: Dialogue, sentence: str) -> Verdict:
        """Whether a statement about the dialogue is true of it (tau2-bench's NL_ASSERTION)."""
        from pytest_todeval.judge.llm_judge.assertion import judge_assertion

        return judge_assertion(dialogue, sentence, self._panel, self._prompts)

    def conversation(self, dialogue: Dialogue) -> "ConversationScores":
        """Naturalness, coherence and diversity of user and bot (clem:todd)."""
        from pytest_todeval.judge.llm_judge.conversation import score_conversation

        return score_conversation(dialogue, self._panel, self._prompts)

    def units(
        self, dialogue: Dialogue, tests: Sequence[str] | str | Path | None = None, per: str = "turn"
    ) -> Mapping[str, ScoreSeries]:
        """Natural-language unit tests, 1 to 5 (the LMUnit style of TD-Eval).

        `tests` are sentences, or a file of them; by default the shipped ones, per `turn` or
        `dialogue`.
        """
        from pytest_todeval.judge.llm_judge.units import score_units

        return score_units(dialogue, tests, self._panel, self._prompts, per=per)

    def state(
        self,
        dialogue: Dialogue,
        labels: Sequence[Mapping[str, Any]] | None = None,
        *,
        method: str = "two_dimensional",
        match: str = "normalised",
        schema: "Slots | None" = None,
    ) -> "StateReport":
        """Turn state accuracy and joint goal accuracy (two-dimensional DST evaluation).

        With `labels` (a belief state per turn) by `match`, which asks no model; else by `method`.
        `schema` says which slots are tracked: by default MultiWOZ's for its goals, else those used.
        """
        if labels is not None:
            from pytest_todeval.metrics.state_tracking import labelled

            return labelled(dialogue, labels, match, schema=schema)
        from pytest_todeval.judge.llm_judge.state import judge_state

        return judge_state(dialogue, self._panel, self._prompts, schema=schema, method=method)

    def coverage(self, dialogue: Dialogue) -> "CoverageReport":
        """Which keywords of the goal were raised, where and by whom (LLM user agents)."""
        from pytest_todeval.judge.llm_judge.coverage import judge_coverage

        return judge_coverage(dialogue, self._panel, self._prompts)

    def compare(self, one: Dialogue, other: Dialogue) -> "Comparison":
        """Which of two dialogues over the same goal is better, asked in both orders (TD-Eval)."""
        from pytest_todeval.judge.llm_judge.comparison import compare

        return compare(one, other, self._panel, self._prompts)


def _client(model: Model) -> ChatClient:
    return model if isinstance(model, ChatClient) else ChatClient(model)
