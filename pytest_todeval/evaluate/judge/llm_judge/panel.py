"""Asks one or several models the same question, once or several times, and combines the answers.

n samples and a panel of models are our own addition: TD-Eval asks one model once.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import UsageError
from pytest_todeval.models.ask import Asked, ask
from pytest_todeval.models.limits import calls_at_once

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.once import Once
    from pytest_todeval.models.client import ChatClient
    from pytest_todeval.models.prompt import Message, Prompt, Prompts
    from pytest_todeval.models.reading.reader import Reader
    from pytest_todeval.models.reading.score import ScoreReply

T = TypeVar("T")


class PanelAnswer(NamedTuple, Generic[T]):
    """One answer of one model."""

    by: str
    """The model."""
    asked: Asked[T]

    @property
    def why(self) -> str:
        """Says why the answer cannot be read."""
        return self.asked.unscored or "no answer"


def several(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Returns the single answers to keep beside the combined one; none if there is only one."""
    return tuple(samples) if len(samples) > 1 else ()


class Panel:
    """The models that judge, each asked `samples` times. One panel serves any number of dialogues.

    `prompts` hold the document with which an answer that cannot be read is asked for again. What
    stands in `answered` is not asked again. Raises UsageError without a model, with a model twice,
    and for less than one sample.
    """

    def __init__(
        self,
        clients: "Sequence[ChatClient]",
        samples: int = 1,
        prompts: "Prompts | None" = None,
        answered: "Once[Any] | None" = None,
    ) -> None:
        self.clients = tuple(clients)
        self._prompts = prompts
        self._answered = answered
        self.samples = samples
        self._check()

    def __repr__(self) -> str:
        return f"<Panel {self._models()}>"

    @property
    def basis(self) -> str:
        """Returns the basis of a verdict by these models."""
        return f"judged by {' + '.join(client.model for client in self.clients)}"

    def about(self, dialogue: "Dialogue") -> "Panel":
        """Returns the panel for one dialogue, which keeps what was answered about it."""
        return Panel(self.clients, self.samples, self._prompts, dialogue.judged)

    def ask(self, messages: "Sequence[Message]", reader: "Reader[T]") -> tuple[PanelAnswer[T], ...]:
        """Asks and returns every answer, by model, then by sample.

        Samples of a model differ in the seed sent: the settings' (else 0), that plus 1, and so on.
        Raises ModelUnavailable if a model could not be asked.
        """

        def question(client: "ChatClient", sample: int) -> Callable[[], PanelAnswer[T]]:
            seed = None if self.samples == 1 else (client.settings.seed or 0) + sample
            put = partial(ask, client, messages, reader, seed=seed, prompts=self._prompts)
            return lambda: PanelAnswer(client.model, put(answered=self._answered))

        return tuple(
            self.each([question(c, sample) for c in self.clients for sample in range(self.samples)])
        )

    def each(self, questions: Sequence[Callable[[], T]]) -> list[T]:
        """Asks several questions at the same time, in threads, and returns their answers in order.

        Each runs in a copy of the caller's context (lane, dialogue, ledger). If some raise, the
        exception of the first of them in order is raised after all have ended.
        """
        if len(questions) == 1:
            return [questions[0]()]
        with ThreadPoolExecutor(self._width(len(questions)), "todeval-judge") as pool:
            try:
                asked = [pool.submit(copy_context().run, question) for question in questions]
                wait(asked)
            except BaseException:  # Ctrl-C: what is not asked yet is not asked any more
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [future.result() for future in asked]

    def score(
        self,
        name: str,
        turn: int | None,
        answers: "Sequence[tuple[str, Asked[ScoreReply]]]",
        scale: tuple[float, float],
        definition: str,
    ) -> Score:
        """Combines answers into one score: the median, with the reason of the answer nearest to it.

        Not applicable if more than half of them say so. Unscored if fewer than half of them
        give a number: a median of the rest would stand for what most could not tell.
        """
        samples = tuple(_sample(by, asked) for by, asked in answers)
        values = [sample.value for sample in samples if sample.value is not None]
        idle = [a.value.reason for _, a in answers if a.value and a.value.value is None]
        value, reason, unscored = None, "", None
        if 2 * len(idle) > len(answers):
            reason, unscored = idle[0], Score.NOT_APPLICABLE
        elif not values or 2 * len(values) < len(answers):
            reason = unscored = lacking(samples, "give no number")
        else:
            value = float(median(values))
            reason = _nearest(samples, value).reason
        return Score(name, value, reason, turn, scale, unscored, several(samples), definition)

    def definition(self, *prompts: "Prompt") -> str:
        """Returns the definition of the answers: prompts with version and hash, models,
        temperature, samples.
        """
        return ", ".join([*(prompt.definition for prompt in prompts), self._models()])

    def _models(self) -> str:
        models = " + ".join(_described(client) for client in self.clients)
        return models if self.samples == 1 else f"{models}, {self.samples} samples each"

    def _width(self, questions: int) -> int:
        """Returns how many threads to use: at most the models' total concurrency."""
        return max(1, min(questions, sum(calls_at_once(c.settings) for c in self.clients)))

    def _check(self) -> None:
        if not self.clients:
            raise UsageError("a judge needs a model: got none")
        asked = [(client.model, client.settings.base_url) for client in self.clients]
        for model, url in asked:
            if asked.count((model, url)) > 1:
                raise UsageError(f"the panel holds {model} twice: ask it for several `samples`")
        samples: object = self.samples
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise UsageError(f"samples is {samples!r}, expected a whole number from 1")


def _sample(by: str, asked: "Asked[ScoreReply]") -> Sample:
    if asked.value is None:
        return Sample(by, None, PanelAnswer(by, asked).why)
    if asked.value.value is None:
        return Sample(by, None, f"{Score.NOT_APPLICABLE}: {asked.value.reason}")
    return Sample(by, float(asked.value.value), asked.value.reason)


def lacking(samples: Sequence[Sample], fault: str) -> str:
    """Says how many answers have no value, as `2 of 3 answers <fault>; <model>: <why the
    first>`.
    """
    without = [sample for sample in samples if sample.value is None]
    if len(samples) == 1:
        return without[0].reason
    first = f"; {without[0].by}: {without[0].reason}" if without else ""
    return f"{len(without)} of {len(samples)} answers {fault}{first}"


def _nearest(samples: Sequence[Sample], value: float) -> Sample:
    scored = [sample for sample in samples if sample.value is not None]
    return min(scored, key=lambda sample: abs((sample.value or 0.0) - value))


def _described(client: "ChatClient") -> str:
    temperature, top_p = client.settings.temperature, client.settings.top_p
    told = [client.model]
    told.append("own temperature" if temperature is None else f"temperature {temperature:g}")
    if top_p is not None:
        told.append(f"top-p {top_p:g}")
    return ", ".join(told)
