"""Several models, several samples: what is sent, and what the answers add up to."""

import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import NoReturn

import pytest

from pytest_todeval.core.lane import Lane, here, in_lane
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import ModelUnavailable, UsageError
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel, PanelAnswer, several
from pytest_todeval.models.ask import Asked
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.prompt import Message, Prompts
from pytest_todeval.models.reading.score import ScoreReader, ScoreReply
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import ledger
from pytest_todeval.testing import Answer as Said
from pytest_todeval.testing import ChatRequest, StandInServer, Status
from tests.conftest import must_end

QUESTION: list[Message] = [{"role": "user", "content": "How good?"}]
READER = ScoreReader()


@pytest.fixture
def server() -> Iterator[StandInServer]:
    """A judge that says its seed plus 1."""
    with StandInServer(by_seed) as started:
        yield started


def by_seed(request: ChatRequest) -> dict[str, object]:
    return {"reason": f"by {request.model}", "score": 1 + request.body.get("seed", 0)}


def client(server: StandInServer, model: str = "a", seed: int | None = None) -> ChatClient:
    return ChatClient(ModelSettings(model, base_url=server.base_url, seed=seed, retries=0))


def idle(concurrency: int = 8) -> ChatClient:
    return ChatClient(ModelSettings("m", base_url="http://localhost:9/v1", concurrency=concurrency))


def asked(value: object) -> PanelAnswer[ScoreReply]:
    """An answer: a number, `n/a`, or why it cannot be read."""
    if isinstance(value, int):
        return PanelAnswer("m", Asked(ScoreReply(value, f"reason {value}")))
    if value == "n/a":
        return PanelAnswer("m", Asked(ScoreReply(None, "nothing there")))
    return PanelAnswer("m", Asked(None, str(value)))


def score(*values: object) -> Score:
    return Panel([idle()]).score("politeness", 2, [asked(v) for v in values], (1, 5), "d")


def test_one_sample_sends_no_seed(server: StandInServer) -> None:
    (answer,) = Panel([client(server)]).ask(QUESTION, READER)
    assert answer.by == "a"
    assert answer.asked.value == ScoreReply(1, "by a")
    assert "seed" not in server.requests[0].body


def test_a_seed_of_the_settings_is_sent(server: StandInServer) -> None:
    Panel([client(server, seed=3)]).ask(QUESTION, READER)
    assert server.requests[0].body["seed"] == 3


def test_samples_differ_in_their_seed_alone(server: StandInServer) -> None:
    panel = Panel([client(server), client(server, "b", seed=2)], samples=3)
    answers = panel.ask(QUESTION, READER)
    values = [(by, asked.value.value) for by, asked in answers if asked.value]
    assert values == [("a", 1), ("a", 2), ("a", 3), ("b", 3), ("b", 4), ("b", 5)]
    bodies = [dict(request.body) for request in server.requests]
    seeds = sorted((body.pop("model"), body.pop("seed")) for body in bodies)
    assert seeds == [("a", 0), ("a", 1), ("a", 2), ("b", 2), ("b", 3), ("b", 4)]
    assert all(body == bodies[0] for body in bodies)


def test_what_was_spent_is_entered_in_the_ledger_of_the_caller(server: StandInServer) -> None:
    with ledger() as opened, in_lane("demo/1#0", Lane.JUDGE):
        Panel([client(server)], samples=2).ask(QUESTION, READER)
    assert [call.place and call.place.lane for call in opened.calls] == [Lane.JUDGE] * 2


def test_a_model_that_cannot_be_asked_is_no_answer() -> None:
    with StandInServer(lambda request: Said(error=Status(503))) as down:
        panel = Panel([client(down)], samples=2)
        with pytest.raises(ModelUnavailable):
            panel.ask(QUESTION, READER)


@pytest.mark.parametrize(
    ("values", "expected", "spread"),
    [
        ([4], 4, 0),
        ([1, 5, 4], 4, 4),
        ([4, 5], 4.5, 1),
        ([5, "cut off"], 5, 0),
        ([2, 2, "cut off"], 2, 0),
        ([3, "n/a"], 3, 0),
        ([3, 4, "n/a", "n/a"], 3.5, 1),
    ],
)
def test_the_median_counts(values: list[object], expected: float, spread: float) -> None:
    found = score(*values)
    assert found.value == expected
    assert found.spread == spread
    assert (found.name, found.turn, found.definition) == ("politeness", 2, "d")


@pytest.mark.parametrize("values", [["n/a"], ["n/a", "n/a", 5], ["n/a", "n/a", "cut off"]])
def test_most_say_not_applicable(values: list[object]) -> None:
    found = score(*values)
    assert found.unscored == Score.NOT_APPLICABLE
    assert found.reason == "nothing there"
    assert not found.is_fault


@pytest.mark.parametrize(
    "values",
    [["cut off"], [5, "cut off", "cut off"], [5, "cut off", "n/a"], ["cut off", "n/a"], []],
)
def test_too_few_numbers_are_none(values: list[object]) -> None:
    found = score(*values)
    assert found.is_fault
    assert found.value is None
    assert "cut off" in f"{found.unscored}" or not values


def test_of_a_single_answer_nothing_more_is_kept() -> None:
    two = Sample("a", 1.0, ""), Sample("b", None, "")
    assert several(two[:1]) == several([]) == ()
    assert several(list(two)) == two
    assert PanelAnswer("m", Asked(None, "cut off")).why == "cut off"
    assert PanelAnswer("m", Asked(None, None)).why == "no answer"


def test_it_is_told_how_many_answers_give_no_number() -> None:
    assert score("cut off").reason == "cut off"
    assert score("cut off", "n/a", "odd").reason == "3 of 3 answers give no number; m: cut off"
    assert score().reason == "0 of 0 answers give no number"
    assert repr(Panel([idle()])) == "<Panel m, own temperature>"


def test_the_reason_is_that_of_the_answer_nearest_to_the_median() -> None:
    assert score(1, 5, 4).reason == "reason 4"


def test_every_answer_is_kept_where_there_are_several() -> None:
    kept = [(s.value, s.reason) for s in score(2, "n/a", "cut off", 4).samples]
    assert kept == [
        (2, "reason 2"),
        (None, "not applicable: nothing there"),
        (None, "cut off"),
        (4, "reason 4"),
    ]
    assert score(2).samples == ()


def test_questions_are_asked_at_the_same_time_and_answered_in_order() -> None:
    meeting = threading.Barrier(3)

    def question(number: int) -> Callable[[], int]:
        def ask() -> int:
            meeting.wait(20)
            return number

        return ask

    with must_end():
        assert Panel([idle()]).each([question(n) for n in range(3)]) == [0, 1, 2]


def test_no_more_at_once_than_the_models_take() -> None:
    running, most, lock = 0, 0, threading.Lock()
    gate = threading.Event()

    def question() -> None:
        nonlocal running, most
        with lock:
            running, most = running + 1, max(most, running + 1)
        gate.wait(0.02)
        with lock:
            running -= 1

    Panel([idle(concurrency=2)]).each([question] * 8)
    assert most <= 2


def test_questions_within_questions_end() -> None:
    panel = Panel([idle(concurrency=1)])
    with must_end():
        assert panel.each([lambda: panel.each([lambda: 1, lambda: 2])] * 3) == [[1, 2]] * 3


def test_questions_know_their_place() -> None:
    with in_lane("demo/1#0", Lane.JUDGE, 4) as place:
        assert Panel([idle()]).each([here, here]) == [place, place]
    assert Panel([idle()]).each([]) == []


def test_the_first_exception_is_raised_after_all_have_ended() -> None:
    first_may_fail, ended = threading.Event(), []

    def first() -> NoReturn:
        first_may_fail.wait(20)
        raise ModelUnavailable("first")

    def second() -> NoReturn:
        first_may_fail.set()
        raise ModelUnavailable("second")

    with pytest.raises(ModelUnavailable, match="first"):
        Panel([idle()]).each([first, second, lambda: ended.append(True)])
    assert ended == [True]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell that starts this in the background has interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_the_rest_unasked() -> None:
    main = threading.main_thread().ident
    assert main is not None

    def interrupted() -> None:
        threading.Event().wait(0.05)  # until the other one waits for its turn
        signal.pthread_kill(main, signal.SIGINT)
        threading.Event().wait(0.2)

    for _ in range(3):  # Python drops an interrupt that comes in a callback of a weak reference
        late: list[bool] = []
        asked: list[Callable[[], None]] = [interrupted, partial(late.append, True)]
        try:
            Panel([idle(concurrency=1)]).each(asked)
        except KeyboardInterrupt:
            break
    else:
        pytest.fail("no interrupt came through")
    assert late == []


def test_definitions_name_prompts_models_temperature_and_samples() -> None:
    prompt = Prompts().get("turn_separate")
    cold = ChatClient(ModelSettings("a", temperature=0))
    assert Panel([cold]).definition(prompt) == f"{prompt.definition}, a, temperature 0"
    narrow = ChatClient(ModelSettings("a", temperature=0, top_p=1))
    assert Panel([narrow]).definition(prompt) == f"{prompt.definition}, a, temperature 0, top-p 1"
    two = Panel([cold, ChatClient("b")], samples=3).definition(prompt, prompt)
    models = "a, temperature 0 + b, own temperature, 3 samples each"
    assert two.endswith(f"{prompt.definition}, {models}")


def test_a_panel_needs_models_and_samples() -> None:
    for samples in (0, -1, True, 1.5):
        with pytest.raises(UsageError, match="samples is"):
            Panel([idle()], samples)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="needs a model"):
        Panel([])
    with pytest.raises(UsageError, match="holds m twice"):
        Panel([idle(), idle()])
