"""The papers' systems on scripted models: what they ask, what they do with any answer."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval import systems
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import tool_schema
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.protocol import Breach
from pytest_todeval.errors import UsageError
from pytest_todeval.models.fake_server.model import Entry
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.research.systems.dialogue_manager import DialogueManager
from pytest_todeval.research.systems.monolithic import is_over
from pytest_todeval.research.systems.system import PaperSystem
from pytest_todeval.research.systems.venue_tools import VenueTools
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.simulation.systems.chat import EndlessCalls
from pytest_todeval.systems import (
    AutoTODSystem,
    FunctionCallingSystem,
    ModularLLMSystem,
    ModularProgSystem,
    MonolithicSystem,
    PipelineSystem,
)
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.support.chat_world import DATABASE, DEMO, client_of
from tests.support.systems_world import rule_model

ALL: Sequence[type[PaperSystem]] = (
    MonolithicSystem,
    ModularProgSystem,
    ModularLLMSystem,
    AutoTODSystem,
    PipelineSystem,
    FunctionCallingSystem,
)
ANY_TOOLS = (MonolithicSystem, ModularLLMSystem)


def say(text: str) -> Answer:
    return call("followup", message=text)


def call(name: str, /, **arguments: Any) -> Answer:
    return Answer(tool_calls=[(name, arguments)])


@contextmanager
def bot_of(
    kind: type[PaperSystem], *script: Entry, backend: Any = None, **options: Any
) -> Iterator[tuple[Any, StandInServer]]:
    """A bot of the kind on a scripted model; all of the script must be asked for."""
    with StandInServer.script(list(script)) as server:
        backend = MultiwozBackend(DATABASE) if backend is None else backend
        yield kind(client_of(server), **options)(backend), server
        assert server.failures == ()


def told(request: ChatRequest) -> str:
    """What the model was told last."""
    return str(request.messages[-1]["content"])


# Every system


def test_they_are_public() -> None:
    assert {kind.__name__ for kind in ALL} <= set(systems.__all__)


@pytest.mark.parametrize("kind", ALL)
def test_each_serves_a_goal_and_reports_its_belief_state(kind: type[PaperSystem]) -> None:
    goal = DEMO.goals[12]
    backend = DEMO.world.backend(goal)
    with StandInServer(rule_model) as server:
        system = kind(client_of(server))
        user = DEMO.world.user(goal)
        dialogue = run_dialogue(goal, user, system, backend, Limits(protocol="strict"))
    assert server.failures == ()
    assert dialogue.violations == ()
    verdicts = DEMO.world.evaluate(dialogue, backend, None)
    assert verdicts["success"].passed
    assert verdicts["booking"].passed
    first, last = dialogue.turns[0].state, dialogue.turns[-1].state
    assert first is not None
    assert last is not None
    assert len(json.dumps(first)) < len(json.dumps(last))
    for part in goal.domains:
        wanted = {slot: value.lower() for slot, value in part.inform.items()}
        assert wanted.items() <= last[part.domain].items()
    usage = dialogue.turns[0].usage
    assert usage is not None
    assert usage.prompt_tokens > 0


@pytest.mark.parametrize("kind", ALL)
def test_one_factory_serves_many_dialogues_apart(kind: type[PaperSystem]) -> None:
    goals = DEMO.goals[12:14]
    with StandInServer(rule_model) as server:
        system = kind(client_of(server))
        bots = [system(DEMO.world.backend(goal)) for goal in goals]
        alone = system(DEMO.world.backend(goals[0])).respond("I want a cheap hotel.").text
        texts = [bot.respond("I want a cheap hotel.").text for bot in bots]
    assert texts == [alone, alone]


@pytest.mark.parametrize("kind", ALL)
def test_a_backend_that_lacks_what_a_system_needs(kind: type[PaperSystem]) -> None:
    backend = ServiceDeskWorld().backend(ServiceDeskWorld().load().goals[0])
    if kind in ANY_TOOLS:
        kind("m")(backend)
        return
    with pytest.raises(UsageError, match=f"{kind.__name__} needs .*MonolithicSystem and"):
        kind("m")(backend)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("steps", [0, True, "3"])
def test_a_wrong_number_of_steps(kind: type[PaperSystem], steps: Any) -> None:
    with pytest.raises(UsageError, match="max_steps is"):
        kind("m", max_steps=steps)


@pytest.mark.parametrize("kind", ALL)
def test_its_name_in_results_has_the_model(kind: type[PaperSystem]) -> None:
    assert repr(kind("tiny")) == f"<{kind.__name__} tiny>"
    assert kind("tiny").model == "tiny"


@pytest.mark.parametrize("kind", ALL)
def test_what_was_said_before_the_dialogue_is_known(kind: type[PaperSystem]) -> None:
    opening = (Turn(0, "I want a quilted blanket.", "Which colour?"),)
    asked: list[str] = []

    def model(request: ChatRequest) -> str | Answer:
        asked.append(json.dumps(request.messages))
        return rule_model(request)

    with StandInServer(model) as server:
        kind(client_of(server))(MultiwozBackend(DATABASE), opening).respond("A cheap hotel.")
    assert any("quilted blanket" in text and "Which colour?" in text for text in asked)


@pytest.mark.parametrize("kind", ALL)
def test_prompts_of_ones_own_and_published_ones(kind: type[PaperSystem], tmp_path: Path) -> None:
    seen = {}
    for published in (False, True):
        with StandInServer(rule_model) as server:
            system = kind(client_of(server), published=published)
            system(MultiwozBackend(DATABASE)).respond("Goodbye.")
        seen[published] = json.dumps([request.messages for request in server.requests])
    printed = kind in (MonolithicSystem, ModularProgSystem, ModularLLMSystem)
    assert ("ROLE: You are" in seen[True]) is printed
    assert "ROLE: You are" not in seen[False]


# Backends of other kinds


class Rooms:
    """A backend of the user's own: typed arguments, no trace, and a tool that breaks."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self.tools = [
            tool_schema("find_room", "Find rooms.", {"beds": {"type": "integer"}}, ()),
            tool_schema(
                "book_room",
                "Book a room.",
                {"name": {"type": "string"}, "nights": {"type": "integer"}},
                ["name", "nights"],
            ),
        ]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        if tool == "find_room":
            return [row for row in self.query("room", {}) if row["beds"] >= arguments["beds"]]
        if arguments["nights"] > 7:
            raise KeyError("no such week")
        self.made.append({"domain": "room", "reference": "R1", **arguments})
        return {"reference": "R1"}

    def query(self, domain: str, constraints: Mapping[str, str]) -> list[dict[str, Any]]:
        return [{"name": "attic", "beds": 2}, {"name": "cellar", "beds": 3}]

    def bookings(self) -> list[dict[str, Any]]:
        return self.made


def at_rooms(kind: type[PaperSystem], *script: Entry) -> tuple[Dialogue, Rooms]:
    rooms = Rooms()
    with StandInServer.script(list(script)) as server:
        user = ScriptedUser(["Three beds.", "Two nights in the cellar."])
        dialogue = run_dialogue(DEMO.goals[0], user, kind(client_of(server)), rooms)
        assert server.failures == ()
    return dialogue, rooms


SERVES: Mapping[type[PaperSystem], Sequence[Entry]] = {
    MonolithicSystem: [
        call("find_room", beds=3),
        say("The cellar?"),
        call("book_room", name="cellar", nights=2),
        say("Done: R1."),
    ],
    ModularProgSystem: [
        call("detectintent", intent="dbretrieval-request", domain="room"),
        call("extractslots", beds="3"),
        say("The cellar?"),
        call("detectintent", intent="booking-request", domain="room"),
        call("extractslots", nights="2"),
        say("Done: R1."),
    ],
    ModularLLMSystem: [
        call("processnextsubsystem", subsystem="slot_extraction", domain="room"),
        call("extractslots", beds="3"),
        call("find_room", beds=3),
        say("The cellar?"),
        call("book_room", name="cellar", nights=2),
        say("Done: R1."),
    ],
    AutoTODSystem: [
        call("query_room", sql="SELECT * FROM room WHERE beds = 3"),
        "The cellar?",
        call("book_room", name="cellar", nights=2),
        "Done: R1.",
    ],
    PipelineSystem: [
        *("room", {"beds": "3"}, "The cellar?"),
        *("room", {"beds": "3", "nights": 2}, "Done: R1."),
    ],
    FunctionCallingSystem: [
        call("find_book_room", beds="3"),
        "The cellar?",
        call("find_book_room", beds="3", nights="2"),
        "Done: R1.",
    ],
}


@pytest.mark.parametrize("kind", ALL)
def test_a_backend_of_the_users_own(kind: type[PaperSystem]) -> None:
    dialogue, rooms = at_rooms(kind, *SERVES[kind])
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert [(made["name"], made["nights"]) for made in rooms.made] == [("cellar", 2)]
    books = [each for each in dialogue.tool_calls if each.name == "book_room"]
    assert len(books) == 1
    assert books[0].result == {"reference": "R1"}
    state = dialogue.turns[-1].state
    assert state is not None
    assert {"beds": "3", "nights": "2"}.items() <= state["room"].items()


def test_a_tool_that_breaks_is_told_to_the_model() -> None:
    rooms = Rooms()
    with bot_of(
        MonolithicSystem, call("book_room", name="attic", nights=9), say("Sorry."), backend=rooms
    ) as (bot, server):
        assert bot.respond("Nine nights.").text == "Sorry."
    assert told(server.requests[1]) == "Error: KeyError: 'no such week'"


@pytest.mark.parametrize("kind", ANY_TOOLS)
def test_a_tasks_tools_and_policy(kind: type[PaperSystem]) -> None:
    world = ServiceDeskWorld()
    backend = world.backend(world.load().goals[0])
    with StandInServer(lambda request: call("no_such_tool")) as server:
        with pytest.raises(EndlessCalls, match="there is no call"):
            kind(client_of(server))(backend).respond("My oven is broken.")
        system = server.requests[0].messages[0]["content"]
        offered = {tool["function"]["name"] for tool in server.requests[0].tools}
    assert backend.policy.strip() in system
    assert {tool["function"]["name"] for tool in backend.tools} < offered
    assert backend.trace == []


# Calls that are none


Script = Sequence[Entry]
NORTH = call("find_hotel", area="north")
WRONG: Mapping[str, tuple[Entry, Breach]] = {
    "arguments that are no JSON": (
        Answer(tool_calls=[("find_hotel", '{"area": "nor')]),
        Breach.UNREADABLE_CALL,
    ),
    "a list of arguments": (Answer(tool_calls=[("find_hotel", "[1]")]), Breach.UNREADABLE_CALL),
    "an unknown tool": (call("drop_tables"), Breach.UNKNOWN_CALL),
    "an unknown argument": (call("find_hotel", colour="red"), Breach.UNKNOWN_ARGUMENT),
    "a missing argument": (call("followup"), Breach.MISSING_ARGUMENT),
    "a wrong type": (call("find_hotel", area={"a": 1}), Breach.WRONG_VALUE),
    "a wrong operator": (
        call("find_hotel", stars={"operator": "; DROP", "value": "4"}),
        Breach.WRONG_VALUE,
    ),
    "nothing": ("", Breach.NO_CALL),
    "broken JSON in words": ('{"name": "followup", "arguments": {', Breach.NO_CALL),
    "a cut off call": (
        Answer(tool_calls=[("find_hotel", '{"area": "north"}')], finish="length"),
        Breach.UNREADABLE_CALL,
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_is_told_to_the_model_and_not_made(what: str) -> None:
    wrong, _ = WRONG[what]
    backend = MultiwozBackend(DATABASE)
    with bot_of(MonolithicSystem, wrong, say("Which area?"), backend=backend) as (bot, server):
        assert bot.respond("A hotel.").text == "Which area?"
    assert backend.trace == []
    assert told(server.requests[1]).startswith("Error: ")


def play(kind: type[PaperSystem], script: Script, protocol: str, **options: Any) -> Dialogue:
    goal = DEMO.goals[0]
    with StandInServer.script(list(script)) as server:
        return run_dialogue(
            goal,
            ScriptedUser(["A hotel."]),
            kind(client_of(server), **options),
            DEMO.world.backend(goal),
            Limits(protocol=protocol),
        )


@pytest.mark.parametrize("what", WRONG)
def test_strictly_a_wrong_call_ends_the_dialogue(what: str) -> None:
    wrong, breach = WRONG[what]
    dialogue = play(MonolithicSystem, [wrong], "strict")
    assert dialogue.stop_reason is StopReason.SYSTEM_VIOLATION
    assert [each.kind for each in dialogue.violations] == [breach]
    assert f"{breach}: " in dialogue.detail
    lenient = play(MonolithicSystem, [wrong, say("Which area?")], "lenient")
    assert lenient.stop_reason is StopReason.USER_DONE
    assert [each.kind for each in lenient.violations] == [breach]


def test_several_calls_at_once_are_one() -> None:
    both = Answer(tool_calls=[("find_hotel", {"area": "north"}), ("followup", {"message": "Hi"})])
    backend = MultiwozBackend(DATABASE)
    with bot_of(MonolithicSystem, both, say("Done."), backend=backend) as (bot, server):
        assert bot.respond("A hotel.").text == "Done."
    assert [each.name for each in backend.trace] == ["find_hotel"]
    assert len(server.requests[1].messages[-2]["tool_calls"]) == 1
    assert play(MonolithicSystem, [both], "strict").violations[0].kind is Breach.SEVERAL_CALLS


def test_words_are_said_to_the_user_where_that_is_allowed() -> None:
    assert play(MonolithicSystem, ["Which area?"], "lenient").turns[0].system == "Which area?"
    strict = play(MonolithicSystem, ["Which area?"], "strict")
    assert strict.stop_reason is StopReason.SYSTEM_VIOLATION
    assert "'Which area?' is no call" in strict.detail


def test_a_call_that_is_written_in_words_is_made() -> None:
    """As models without tools write it."""
    words = 'I will look. {"name": "find_hotel", "arguments": {"area": "north"}}'
    backend = MultiwozBackend(DATABASE)
    with bot_of(MonolithicSystem, words, say("Found."), backend=backend) as (bot, server):
        assert bot.respond("A hotel.").text == "Found."
    assert [each.arguments for each in backend.trace] == [{"area": "north"}]
    assert server.requests[1].messages[-1]["role"] == "user"


@pytest.mark.parametrize("kind", [MonolithicSystem, ModularLLMSystem])
def test_calls_without_end_are_bounded(kind: type[PaperSystem]) -> None:
    with StandInServer(lambda request: NORTH) as server:
        bot = kind(client_of(server), max_steps=3)(MultiwozBackend(DATABASE))
        with pytest.raises(EndlessCalls, match="after 3 calls in one turn"):
            bot.respond("A hotel.")
    assert len(server.requests) == 4


def test_a_loop_of_modules_is_bounded() -> None:
    def loops(request: ChatRequest) -> Answer:
        names = [tool["function"]["name"] for tool in request.tools]
        if "detectintent" in names:
            return call("detectintent", intent="detection-unknown", domain="hotel")
        return call("processnextsubsystem", subsystem="intent_detection")

    goal = DEMO.goals[0]
    for protocol, stop in (
        ("strict", StopReason.SYSTEM_VIOLATION),
        ("lenient", StopReason.SYSTEM_ERROR),
    ):
        with StandInServer(loops) as server:
            system = ModularLLMSystem(client_of(server), max_steps=4)
            dialogue = run_dialogue(
                goal,
                ScriptedUser(["A hotel."]),
                system,
                DEMO.world.backend(goal),
                Limits(protocol=protocol),
            )
        assert dialogue.stop_reason is stop
        assert [each.kind for each in dialogue.violations] == [Breach.ENDLESS]
        assert len(server.requests) == 10


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("answer", ["", "{", Answer(refusal="No.")])
def test_nonsense_for_ever_ends(kind: type[PaperSystem], answer: Any) -> None:
    ends(kind, answer)


@pytest.mark.parametrize("kind", [MonolithicSystem, PipelineSystem])
def test_a_very_long_answer_ends_it(kind: type[PaperSystem]) -> None:
    ends(kind, "x" * 150_000)


def ends(kind: type[PaperSystem], answer: Any) -> None:
    """A dialogue whose model always answers so."""
    goal = DEMO.goals[0]
    with StandInServer(lambda request: answer) as server:
        dialogue = run_dialogue(
            goal, ScriptedUser(["A hotel."] * 3), kind(client_of(server)), DEMO.world.backend(goal)
        )
    assert len(server.requests) <= 10
    assert dialogue.final_bookings == ()
    assert dialogue.stop_reason in (
        StopReason.SYSTEM_ERROR,
        StopReason.EMPTY_REPLY,
        StopReason.USER_DONE,
    )


# Look-ups with operators


def found(arguments: dict[str, Any], domain: str = "hotel", **options: Any) -> Any:
    backend = MultiwozBackend(DATABASE)
    name = f"retrievefrom{domain}db" if options.get("published") else f"find_{domain}"
    with bot_of(
        MonolithicSystem, call(name, **arguments), say("Found."), backend=backend, **options
    ) as (bot, server):
        bot.respond("Look.")
    return json.loads(told_of_call(server.requests[1])), backend


def told_of_call(request: ChatRequest) -> str:
    return str(request.messages[-1]["content"])


@pytest.mark.parametrize("sign", ["=", ">=", "<=", ">", "<"])
def test_stars_with_an_operator(sign: str) -> None:
    compare = {"=": "__eq__", ">=": "__ge__", "<=": "__le__", ">": "__gt__", "<": "__lt__"}
    wanted = [
        row["name"]
        for row in DATABASE.rows("hotel")
        if getattr(int(row["stars"]), compare[sign])(3) and row["area"] == "north"
    ]
    rows, backend = found({"area": "north", "stars": {"operator": sign, "value": "3"}})
    assert rows["count"] == len(wanted) > 0
    assert [row["name"] for row in rows["results"]] == wanted[:10]
    assert [each.name for each in backend.trace] == (["find_hotel"] if sign == "=" else [])


@pytest.mark.parametrize(("sign", "traced"), [(">=", True), ("<", False), ("=", False)])
def test_times_with_an_operator(sign: str, traced: bool) -> None:
    journey = {"departure": "marlwick", "destination": "port ellery", "day": "monday"}
    rows, backend = found(
        {**journey, "leaveAt": {"operator": sign, "value": "09:20"}}, domain="train"
    )
    times = [row["leaveAt"] for row in rows["results"]]
    assert times
    assert all({">=": t >= "09:20", "<": t < "09:20", "=": t == "09:20"}[sign] for t in times)
    assert bool(backend.trace) is traced


def test_a_look_up_by_operator_is_reported_as_what_it_was() -> None:
    goal = DEMO.goals[0]
    many = call("find_hotel", area="north", stars={"operator": ">=", "value": "3"})
    dialogue = play(MonolithicSystem, [many, say("Found.")], "strict")
    (made,) = dialogue.turns[0].tool_calls
    assert made.name == "find_hotel"
    assert made.arguments == {"area": "north", "conditions": ["stars >= 3"]}
    assert made.result["count"] > 0
    assert dialogue.violations == ()
    assert dialogue.turns[0].state == {"hotel": {"area": "north", "stars": "3"}}
    assert goal.id


# As published: figures 13 to 18


def test_the_published_schema_has_the_figures_calls() -> None:
    with StandInServer(lambda request: say("Hi.")) as server:
        settings = ModelSettings("m", server.base_url)
        MonolithicSystem(settings, published=True)(MultiwozBackend(DATABASE)).respond("Hello.")
    (request,) = server.requests
    assert request.body["temperature"] == 0
    schemas = {t["function"]["name"]: t["function"]["parameters"] for t in request.tools}
    for domain in ("restaurant", "hotel", "train"):
        assert f"retrievefrom{domain}db" in schemas
        assert f"validate{domain}booking" in schemas
    hotel = schemas["retrievefromhoteldb"]["properties"]
    assert hotel["area"]["enum"] == ["centre", "east", "north", "south", "west"]
    assert hotel["internet"]["enum"] == ["no", "yes"]
    assert hotel["stars"]["properties"]["operator"]["enum"] == ["=", ">=", "<=", ">", "<"]
    train = schemas["retrievefromtraindb"]["properties"]
    assert list(train)[:5] == ["departure", "destination", "day", "leaveat", "arriveby"]
    assert "pattern" in train["leaveat"]["properties"]["value"]
    booking = schemas["validatehotelbooking"]
    assert set(booking["required"]) == {
        *("area", "pricerange", "type", "internet", "parking", "name", "stars"),
        *("people", "day", "stay"),
    }
    assert booking["properties"]["people"]["enum"] == [str(n) for n in range(1, 9)]


def test_published_look_ups_return_five_rows() -> None:
    rows, _ = found({"area": "centre"}, published=True)
    assert rows["count"] > 5
    assert len(rows["results"]) == 5


def published_booking(**changes: str) -> tuple[str, MultiwozBackend]:
    row = DATABASE.rows("hotel")[0]
    keys = ("area", "pricerange", "type", "internet", "parking", "name", "stars")
    details = {key: row[key] for key in keys} | {"people": "2", "day": "friday", "stay": "3"}
    backend = MultiwozBackend(DATABASE)
    books = call("validatehotelbooking", **{**details, **changes})
    with bot_of(MonolithicSystem, books, say("Well."), backend=backend, published=True) as (
        bot,
        server,
    ):
        bot.respond("Book.")
    return told_of_call(server.requests[1]), backend


def test_a_published_booking_is_validated_and_made() -> None:
    answer, backend = published_booking()
    (booked,) = backend.bookings()
    assert json.loads(answer)["reference"] == booked.reference


def test_a_published_booking_with_a_wrong_attribute_is_refused() -> None:
    other = "north" if DATABASE.rows("hotel")[0]["area"] != "north" else "south"
    answer, backend = published_booking(area=other)
    assert answer.startswith("Error: there is no hotel with")
    assert backend.bookings() == ()


# SQL of AutoTOD


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM hotel",
        "ATTACH DATABASE 'x.db' AS x",
        "SELECT * FROM sqlite_master",
        "SELECT COUNT(*) FROM hotel a, hotel b, hotel c, hotel d, hotel e",
        "PRAGMA table_list",
        "hotel in the north",
    ],
)
def test_sql_that_is_not_allowed_is_refused_and_the_model_is_told(
    sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    backend = MultiwozBackend(DATABASE)
    before = backend.state_hash()
    with bot_of(AutoTODSystem, call("query_hotel", sql=sql), "Sorry.", backend=backend) as (
        bot,
        server,
    ):
        assert bot.respond("A hotel.").text == "Sorry."
    assert told(server.requests[1]).startswith("Error: ")
    assert "Write one SELECT over the table" in told(server.requests[1])
    assert backend.state_hash() == before
    assert list(tmp_path.iterdir()) == []


def test_the_train_that_sql_found_is_the_one_that_is_booked() -> None:
    """Several days have a train of the same id."""
    journey = {"trainID": "TR1", "departure": "ashford", "destination": "merton"}
    days = [
        {**journey, "day": day, "leaveAt": "09:00", "arriveBy": "09:50"}
        for day in ("monday", "tuesday", "sunday")
    ]
    backend = MultiwozBackend(MultiwozDatabase({"train": days}))
    with bot_of(
        AutoTODSystem,
        call("query_train", sql="SELECT * FROM train WHERE day = 'tuesday'"),
        call("book_train", trainID="TR1", people=2),
        "Booked.",
        backend=backend,
    ) as (bot, _):
        reply = bot.respond("A train.")
    (booked,) = backend.bookings()
    assert booked.slots["day"] == "tuesday"
    assert reply.state == {"train": {"day": "tuesday", "trainID": "TR1", "people": "2"}}


# The pipeline's answers


def pipeline(*script: Entry, protocol: str = "lenient") -> Dialogue:
    return play(PipelineSystem, script, protocol)


def test_the_pipeline_asks_again_for_what_it_cannot_read() -> None:
    dialogue = pipeline("I am not sure.", "Hotel.", "north", {"area": "north"}, "Found some.")
    assert dialogue.turns[0].system == "Found some."
    assert dialogue.turns[0].state == {"hotel": {"area": "north"}}
    kinds = [each.kind for each in dialogue.violations]
    assert kinds == [Breach.UNREADABLE_ANSWER, Breach.UNREADABLE_ANSWER]


def test_an_answer_that_cannot_be_read_twice_is_the_bots_failure() -> None:
    dialogue = pipeline("hotel or train", "hotel, train")
    assert dialogue.stop_reason is StopReason.SYSTEM_ERROR
    assert "it names 2 of the domains" in dialogue.detail
    strict = pipeline("hotel or train", "hotel", protocol="strict")
    assert strict.stop_reason is StopReason.SYSTEM_VIOLATION


@pytest.mark.parametrize(("finished", "left", "over"), [
    (True, 5, True), (False, 5, False), (False, 1, False), (False, 0, True), (False, -1, True),
])  # fmt: skip
def test_a_call_may_end_the_dialogue_or_use_up_its_steps(
    finished: bool, left: int, over: bool
) -> None:
    tools: Any = SimpleNamespace(finished=finished, steps_left=lambda replies: left + 2 - replies)
    assert is_over(tools, 2) is over


def test_a_step_of_the_pipeline_is_shown_letters_as_they_are() -> None:
    script: Script = ["hotel", '{"area": "n\u00f6rd"}', "Found some."]
    with bot_of(PipelineSystem, *script) as (bot, server):
        bot.respond("Ein Hotel im N\u00f6rden")
    shown = [str(request.messages) for request in server.requests]
    assert len(shown) == 3
    assert all("N\u00f6rden" in each for each in shown)
    assert "n\u00f6rd" in shown[2]


def test_slots_that_there_are_not_are_left_out() -> None:
    state = {"area": "north", "colour": "red", "stars": ["4"], "parking": None, "internet": ""}
    dialogue = pipeline("hotel", state, "Found some.")
    assert dialogue.turns[0].state == {"hotel": {"area": "north"}}


# The manager that is a program


def manager() -> tuple[DialogueManager, MultiwozBackend]:
    backend = MultiwozBackend(DATABASE)
    return DialogueManager(VenueTools(backend)), backend


TWO_NIGHTS = {"day": "friday", "stay": "2", "people": "2"}


def test_nothing_is_booked_before_it_is_clear_what() -> None:
    managing, backend = manager()
    managing.take("hotel", {"area": "north", **TWO_NIGHTS})
    told = managing.serve("hotel")
    assert told["database"]["count"] > 1
    assert told["missing_for_booking"] == ["name"]
    first, second = (row["name"] for row in told["database"]["rows"][:2])
    managing.said(f"There are {first} and {second}.")
    assert "booking" not in managing.serve("hotel")
    managing.said(f"{second} would be nice.")
    told = managing.serve("hotel")
    assert told["booking"]["made"]["name"] == second
    assert [booking.slots["name"] for booking in backend.bookings()] == [second]


def test_the_row_that_was_named_is_shown_first_and_once() -> None:
    managing, _ = manager()
    managing.take("hotel", {"area": "north"})
    before = [row["name"] for row in managing.serve("hotel")["database"]["rows"]]
    managing.said(f"{before[-1]} would be nice.")
    found = managing.serve("hotel")["database"]
    assert [row["name"] for row in found["rows"]] == [before[-1], *before[:-1]]
    managing.said("Any other?")
    assert managing.serve("hotel")["database"] == found


def test_what_is_booked_is_booked_once_whatever_is_found_later() -> None:
    managing, backend = manager()
    managing.take("hotel", {"name": "the bellfounder", **TWO_NIGHTS})
    assert "made" in managing.serve("hotel")["booking"]
    assert "booked_before" in managing.serve("hotel")
    managing.take("hotel", {"name": "", "area": "north"})
    found = [row["name"] for row in managing.serve("hotel")["database"]["rows"]]
    assert "the bellfounder" not in found
    managing.said(f"{found[-1]}?")
    assert "booking" not in managing.serve("hotel")
    managing.take("hotel", {"stay": "3"})
    assert "made" in managing.serve("hotel")["booking"]
    assert [booking.slots["stay"] for booking in backend.bookings()] == ["2", "3"]


def test_a_booking_that_the_user_asks_for_is_made_again() -> None:
    managing, backend = manager()
    managing.take("hotel", {"name": "the bellfounder", **TWO_NIGHTS})
    assert "booking" not in managing.serve("hotel", books=False)
    assert "made" in managing.serve("hotel", books=True)["booking"]
    other = DATABASE.rows("hotel")[1]["name"]
    managing.take("hotel", {"name": other})
    assert "booking" not in managing.serve("hotel", books=False)
    assert managing.serve("hotel", books=True)["booking"]["made"]["name"] == other
    assert len(backend.bookings()) == 2


def test_a_slot_that_is_taken_back_or_unknown() -> None:
    managing, _ = manager()
    managing.take("hotel", {"AREA": " North ", "colour": "red", "stars": ["4"], "parking": None})
    assert managing.belief == {"hotel": {"area": "North"}}
    managing.take("hotel", {"area": " "})
    assert managing.belief == {"hotel": {}}


def test_what_does_not_matter_to_the_user_is_part_of_the_state() -> None:
    script = [
        call("processnextsubsystem", subsystem="slot_extraction", domain="hotel"),
        call("extractslots", area="dontcare", stars="4", parking=""),
        call("find_hotel", area="dontcare", stars={"operator": "=", "value": "4"}),
        say("Found."),
    ]
    backend = MultiwozBackend(DATABASE)
    with bot_of(ModularLLMSystem, *script, backend=backend) as (bot, _):
        reply = bot.respond("Four stars, anywhere.")
    assert reply.state == {"hotel": {"area": "dontcare", "stars": "4"}}
    assert backend.trace[0].arguments == {"stars": "4"}
