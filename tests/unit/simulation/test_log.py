"""Records on the logger `todeval` become facts of the turn, and leave the user's logging alone."""

import contextvars
import logging
import logging.config
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pytest_todeval import log
from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall, Usage
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.reply import reply_from_json
from pytest_todeval.simulation.reported import RecordListener, all_calls, listening
from tests.support.http_world import Says

LOGGER = logging.getLogger("todeval")
GOAL = Goal("1", "test", ())


def play(answer: Callable[[str], Any], *texts: str) -> Dialogue:
    def respond(text: str) -> Any:
        return answer(text)

    return run_dialogue(GOAL, Says(*(texts or ("hello",))), respond)


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Whatever a test does, the logger must be left as it was found."""
    before = (LOGGER.level, LOGGER.disabled, list(LOGGER.handlers), list(LOGGER.filters))
    yield
    after = (LOGGER.level, LOGGER.disabled, list(LOGGER.handlers), list(LOGGER.filters))
    LOGGER.setLevel(before[0])
    LOGGER.disabled = before[1]
    assert after == before


def test_helpers_report_into_the_turn() -> None:
    def answer(text: str) -> str:
        with log.span("search"):
            log.tool_call("find_hotel", {"area": "north"}, result=[{"name": "acorn"}])
        log.tool_call("book_hotel", error="full")
        log.retrieval(iter(["acorn", "bridge"]), query="north")
        log.retrieval(["cedar"])
        log.state({"hotel": {"area": "south"}})
        log.state({"hotel": {"area": "north"}})
        log.turn_state({"hotel": {"area": "north"}})
        return "The acorn?"

    turn = play(answer).turns[0]
    assert turn.tool_calls == (
        ToolCall("find_hotel", {"area": "north"}, [{"name": "acorn"}]),
        ToolCall("book_hotel", {}, None, "full"),
    )
    assert turn.retrieved == ("acorn", "bridge", "cedar")
    assert turn.state == turn.turn_state == {"hotel": {"area": "north"}}
    ((name, seconds),) = turn.spans
    assert name == "search"
    assert 0 <= seconds < 5


def test_plain_logging_needs_no_import_of_ours() -> None:
    def answer(text: str) -> str:
        logging.getLogger("todeval").info(
            "tool_call", extra={"tool": "find_bus", "arguments": {"to": text}, "result": []}
        )
        return "none"

    assert play(answer, "Ely").turns[0].tool_calls == (ToolCall("find_bus", {"to": "Ely"}, []),)


def test_a_span_is_reported_where_it_raises() -> None:
    def answer(text: str) -> str:
        with pytest.raises(KeyError), log.span("broken"):
            raise KeyError
        return "ok"

    assert [name for name, _ in play(answer).turns[0].spans] == ["broken"]


def test_records_belong_to_their_turn_and_are_copied() -> None:
    state: dict[str, Any] = {"hotel": {}}

    def answer(text: str) -> str:
        state["hotel"]["name"] = text
        log.state(state)
        return "ok"

    dialogue = play(answer, "a", "b")
    assert [turn.state for turn in dialogue.turns] == [
        {"hotel": {"name": "a"}},
        {"hotel": {"name": "b"}},
    ]


def test_what_the_reply_says_goes_before_what_was_logged() -> None:
    def answer(text: str) -> Reply:
        log.state({"x": {"from": "log"}})
        log.retrieval(["log"])
        log.tool_call("t", {"n": "2"})
        log.tool_call("u")
        return Reply("ok", (ToolCall("t", {"n": 2}, "r"),), {"x": {"from": "reply"}}, ("reply",))

    turn = play(answer).turns[0]
    assert turn.state == {"x": {"from": "reply"}}
    assert turn.retrieved == ("reply",)
    assert turn.tool_calls == (ToolCall("t", {"n": 2}, "r"), ToolCall("u"))


def test_each_call_once_but_two_equal_calls_in_one_source_twice() -> None:
    call = ToolCall("t", {"n": 1})
    assert all_calls([call], [call, call], [call]) == (call, call)
    assert all_calls([], [], [call, call]) == (call, call)
    assert all_calls([call, call], [call], []) == (call, call)


@pytest.mark.parametrize(
    ("message", "fields", "told"),
    [
        ("tool_call", {}, "the tool's name is None, expected text"),
        ("tool_call", {"tool": 3}, "the tool's name is int 3"),
        ("tool_call", {"tool": "t", "arguments": [1]}, "`arguments` is list, expected a mapping"),
        ("tool_call", {"tool": "t", "error": 1}, "`error` is int 1, expected text or None"),
        ("retrieval", {}, "`items` is None, expected a list"),
        ("retrieval", {"items": "acorn"}, "`items` is str 'acorn'"),
        ("state", {"state": "north"}, "`state` is str 'north', expected a mapping"),
        ("turn_state", {"turn_state": 3}, "`turn_state` is int 3, expected a mapping"),
        ("span", {"span": "x"}, "seconds"),
        ("span", {"span": "x", "seconds": "long"}, "the seconds are str"),
        ("toolcall", {}, "the message is str 'toolcall', expected one of: tool_call, retrieval"),
        (None, {}, "the message is None"),
    ],
)
def test_a_hostile_record_is_left_out_with_a_warning(
    message: Any, fields: dict[str, Any], told: str
) -> None:
    def answer(text: str) -> str:
        LOGGER.info(message, extra=fields)
        log.tool_call("sound")
        return "ok"

    with pytest.warns(UserWarning, match="'todeval' was left out") as caught:
        dialogue = play(answer)
    assert told in str(caught[0].message)
    assert dialogue.turns[0].tool_calls == (ToolCall("sound"),)
    assert dialogue.stop_reason == "user_done"


def test_the_warnings_of_one_dialogue_are_bounded() -> None:
    listener = RecordListener()
    with listening(listener):
        for _ in range(1000):
            LOGGER.info("nonsense")
    assert len(listener.notes) == 20


def test_dialogues_at_once_do_not_mix() -> None:
    meeting = threading.Barrier(5)

    def one(number: int) -> Dialogue:
        def answer(text: str) -> str:
            meeting.wait(10)
            log.tool_call("t", {"n": number})
            meeting.wait(10)
            return "ok"

        return play(answer, "a", "b")

    with ThreadPoolExecutor(5) as pool:
        dialogues = list(pool.map(one, range(5)))
    for number, dialogue in enumerate(dialogues):
        assert [call.arguments["n"] for call in dialogue.tool_calls] == [number, number]


def test_a_thread_with_a_copied_context_is_heard() -> None:
    def answer(text: str) -> str:
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(log.tool_call, "inner"))
        thread.start()
        thread.join()
        return "ok"

    assert play(answer).tool_calls == (ToolCall("inner"),)


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(f"{record.levelname} {record.getMessage()}")


@pytest.fixture
def root_handler() -> Iterator[Kept]:
    handler, root = Kept(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


def report(text: str) -> str:
    log.tool_call("t")
    LOGGER.debug("state")
    LOGGER.warning("tool_call", extra={"tool": "loud"})
    return "ok"


def test_the_users_handlers_see_what_their_configuration_lets_through(root_handler: Kept) -> None:
    assert [call.name for call in play(report).tool_calls] == ["t", "loud"]
    assert root_handler.records == ["WARNING tool_call"]


@pytest.mark.filterwarnings("ignore:a record on the logger")
def test_a_more_talkative_configuration_stays_so(root_handler: Kept) -> None:
    logging.getLogger().setLevel(logging.DEBUG)
    play(report)
    assert root_handler.records == ["INFO tool_call", "WARNING tool_call"]


@pytest.mark.filterwarnings("ignore:a record on the logger")
def test_a_level_of_the_users_own_is_kept(root_handler: Kept) -> None:
    LOGGER.setLevel(logging.ERROR)
    try:
        assert [call.name for call in play(report).tool_calls] == ["t", "loud"]
        assert root_handler.records == []
        assert LOGGER.level == logging.ERROR
        LOGGER.setLevel(logging.DEBUG)
        play(report)
        assert root_handler.records == ["INFO tool_call", "DEBUG state", "WARNING tool_call"]
        assert LOGGER.level == logging.DEBUG
    finally:
        LOGGER.setLevel(logging.NOTSET)


def test_a_bot_that_configures_logging_is_still_heard_and_keeps_its_configuration() -> None:
    def answer(text: str) -> str:
        log.tool_call(text)
        if text == "first":
            logging.config.dictConfig({"version": 1, "loggers": {"other": {"level": "INFO"}}})
            assert LOGGER.disabled  # what dictConfig does to loggers it is not told of
        return "ok"

    try:
        dialogue = play(answer, "first", "second")
        assert [call.name for call in dialogue.tool_calls] == ["first", "second"]
        assert LOGGER.disabled
    finally:
        LOGGER.disabled = False


def test_a_level_set_by_the_bot_stays() -> None:
    def answer(text: str) -> str:
        if text == "first":
            LOGGER.setLevel(logging.ERROR)
        log.tool_call(text)
        return "ok"

    try:
        assert [call.name for call in play(answer, "first", "second").tool_calls] == ["second"]
        assert LOGGER.level == logging.ERROR
    finally:
        LOGGER.setLevel(logging.NOTSET)


def test_outside_a_dialogue_nothing_is_evaluated_nor_logged(root_handler: Kept) -> None:
    items = iter([1, 2])
    log.retrieval(items)
    log.tool_call("t")
    log.state({})
    with log.span("s"):
        pass
    assert list(items) == [1, 2]
    assert root_handler.records == []


def test_the_helpers_import_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import pytest_todeval.log;"
        "print(sorted({m.split('.')[0] for m in set(sys.modules) - before}"
        " - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pytest_todeval']"


def test_acts_told_on_the_logger_are_the_turns_claims() -> None:
    def bot(text: str) -> str:
        log.acts("booked", "offer Rose House")
        log.acts({"act": "reference", "slot": "reference", "value": "AB12"})
        return "Alles klar."

    told = play(bot).turns[0]
    assert told.claims == (
        DialogueAct(Act.BOOKED),
        DialogueAct(Act.OFFER, None, "name", "Rose House"),
        DialogueAct(Act.REFERENCE, None, "reference", "AB12"),
    )
    assert told.claims_by == "bot"


def test_acts_that_are_none_are_noted_and_left_out() -> None:
    def bot(text: str) -> str:
        log.acts("boked")
        return "Alles klar."

    with pytest.warns(UserWarning, match="'boked' names no act; known"):
        assert play(bot).turns[0].claims is None


def test_acts_of_a_reply_win_over_those_on_the_logger() -> None:
    def bot(text: str) -> Reply:
        log.acts("booked")
        return Reply("Alles klar.", acts=("booking_failed",))

    assert play(bot).turns[0].claims == (DialogueAct(Act.BOOKING_FAILED),)


def test_acts_of_a_reply_that_are_none_are_the_bots_fault() -> None:
    def bot(text: str) -> Reply:
        return Reply("Alles klar.", acts=("offer",))

    dialogue = play(bot)
    assert dialogue.fault is Outcome.FAILED
    assert "`Reply.acts`[0]: 'offer' is incomplete, expected `offer NAME`" in dialogue.detail


def test_usage_of_several_calls_adds_up() -> None:
    def answer(text: str) -> str:
        log.usage(100, 20, model="small", cost=0.25)
        log.usage(50, 5, model="small" if text == "one" else "large")
        return "Hello."

    one, two = play(answer, "one", "two").turns
    assert one.usage == Usage(150, 25, 0.25, "small")
    assert two.usage == Usage(150, 25, 0.25, "")


def test_usage_of_the_reply_wins_over_the_log() -> None:
    def answer(text: str) -> Reply:
        log.usage(100, 20)
        return Reply("Hello.", usage=Usage(1, 2))

    assert play(answer).turns[0].usage == Usage(1, 2)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"prompt_tokens": -1}, "expected a number >= 0"),
        ({"prompt_tokens": "many"}, "expected a number"),
        ({"model": 3}, "expected a model's name"),
    ],
)
def test_usage_that_is_none_is_noted_and_left_out(fields: dict[str, Any], told: str) -> None:
    def answer(text: str) -> str:
        LOGGER.info("usage", extra=fields)
        return "Hello."

    with pytest.warns(UserWarning, match=told):
        played = play(answer)
    assert played.turns[0].usage is None


def test_spans_of_the_reply_stand_before_those_of_the_log() -> None:
    def answer(text: str) -> Reply:
        with log.span("inside"):
            pass
        return Reply("Hello.", spans=(("outside", 0.5),))

    assert [name for name, _ in play(answer).turns[0].spans] == ["outside", "inside"]


def test_fields_of_a_json_reply_do_the_same_as_the_helpers() -> None:
    told = {
        "text": "Hello.",
        "tool_calls": [{"name": "find", "arguments": {"area": "north"}, "result": ["acorn"]}],
        "retrieved": ["acorn"],
        "state": {"hotel": {"area": "north"}},
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "model": "small"},
        "spans": [{"name": "search", "seconds": 0.5}],
        "acts": ["booked"],
    }

    def answer(text: str) -> str:
        log.tool_call("find", {"area": "north"}, result=["acorn"])
        log.retrieval(["acorn"])
        log.state({"hotel": {"area": "north"}})
        log.usage(100, 20, model="small")
        LOGGER.info("span", extra={"span": "search", "seconds": 0.5})
        log.acts("booked")
        return "Hello."

    (logged,) = play(answer).turns
    (replied,) = play(lambda text: reply_from_json(told, "the bot")).turns
    for name in ("tool_calls", "retrieved", "state", "usage", "spans", "claims"):
        assert getattr(logged, name) == getattr(replied, name), name
        assert getattr(logged, name), name


@pytest.mark.parametrize(
    "spans", [3, ["search"], [{"name": "search"}], [{"name": "a", "seconds": -1}], [[]]]
)
def test_spans_that_are_none_are_the_bots_fault(spans: Any) -> None:
    told = {"text": "Hello.", "spans": spans}
    played = play(lambda text: reply_from_json(told, "the bot"))
    assert played.fault is Outcome.FAILED
    assert "spans" in played.detail
