"""The judge that is a model, or a panel of models."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.judge.question import ModelBench, Question, Rules
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings

P = ParamSpec("P")
T = TypeVar("T")

Model = str | ModelSettings | ChatClient
"""A model by its name, with its settings, or with a client at hand."""


class LLMJudge(Judge):
    """Asks a model, or a panel of models, about a dialogue.

    `model` is one model or several; `samples` asks each so often, and a score is the median of all.
    What it answered about a dialogue is kept for that dialogue: to ask the same again is free.

    Asked once, a model answers at temperature 0, unless its settings say otherwise or name
    `temperature` among what is `unsupported`; a client at hand asks as it is set.

    `published` asks each question that a paper has as the paper does: with its inputs, scale,
    number of calls and format of the reply, in our words. What no paper asks is asked as usual.

    `fused` asks about a turn's three dimensions in one call, which takes fewer tokens than the
    paper's three. `prompts` is a folder with prompt documents that replace the shipped ones,
    `policy` the text that policy compliance is judged by, `language` that of the dialogue.
    `rule_sets` and `backend` are those of `RuleJudge`.
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
        published: bool = False,
    ) -> None:
        models = [model] if isinstance(model, Model) else list(model)
        if not models:
            raise UsageError("LLMJudge: expected the name of a model, or several; got none")
        if fused and published:
            raise UsageError(
                "LLMJudge: fused=True and published=True: as published each dimension has a call "
                "of its own; leave one of them out"
            )
        # Several samples at temperature 0 would be one sample, paid for several times.
        own = Prompts(prompts, published=published)
        panel = Panel([ChatClient.of(each, cold=samples == 1) for each in models], samples, own)
        self._bench = ModelBench(panel, own, fused, policy, rule_sets, backend, language)

    def __repr__(self) -> str:
        models = ", ".join(client.model for client in self._bench.panel.clients)
        return f"<LLMJudge {models}{' as published' if self._bench.published else ''}>"

    @property
    def prompts(self) -> Prompts:
        """Returns the prompts that this judge asks with."""
        return self._bench.prompts

    def ask(
        self,
        question: Question[P, T],
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        """Answers a question about a dialogue. What was asked before about it is kept."""
        bench = replace(self._bench, panel=self._bench.panel.about(dialogue))
        return question.by_model(bench, dialogue, *arguments, **options)
