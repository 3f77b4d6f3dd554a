"""A model by rules that plays every module of the papers' systems, from what it is shown alone.

It knows English and the names and words of the demo's databases, as a model knows words, and no
row but those that stand in the request.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.models.fake_server.answer import Answer
from pytest_todeval.models.fake_server.request import ChatRequest
from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.bot import RuleSystem
from pytest_todeval.simulation.systems.rules.policy import NEEDED
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from tests.support.chat_world import DATABASE

__all__ = ["rule_model"]

Plain = Mapping[str, Any]
NATURAL = {"stars": "=", "leaveAt": ">=", "arriveBy": "<="}
IDENTITY = ("name", "trainID")
NO_DOMAIN = "donotcare"


def rule_model(request: ChatRequest) -> str | Answer:
    """What a good model answers to any prompt of the papers' systems."""
    names = [tool["function"]["name"] for tool in request.tools]
    if "detectintent" in names:
        return _intent(request)
    if "extractslots" in names:
        return _slots(request)
    if names == ["followup"]:
        return _call("followup", {"message": respond(_shown(request))})
    if "processnextsubsystem" in names:
        return _manager(request)
    if "followup" in names:
        return _clerk(request, _call_of_tool, said_by="followup")
    if any(name.startswith("query_") for name in names):
        return _clerk(request, _sql_call, said_by="")
    if any(name.startswith("find_book_") for name in names):
        return _function_caller(request)
    return _pipeline(request)


# What was said


class _Shown(MultiwozBackend):
    """A backend that holds what the request shows, and wants the rest."""

    def __init__(self, told: list[str]) -> None:
        super().__init__(DATABASE)
        self._told = told

    def call(self, tool: str, /, **arguments: Any) -> Any:
        if not self._told:
            raise _Wants(tool, arguments)
        content = self._told.pop(0)
        if content.startswith("Error: "):
            raise ToolRefused(content.removeprefix("Error: "))
        return json.loads(content)

    def query(self, domain: str, constraints: Mapping[str, str]) -> tuple[()]:
        return ()


class _Wants(BaseException):
    def __init__(self, name: str, arguments: dict[str, Any]) -> None:
        super().__init__(name)
        self.name, self.arguments = name, arguments


@dataclass
class Listener:
    """Who has read a conversation up to the user's last message."""

    bot: RuleSystem
    heard: Understood
    before: str
    """What the system said last."""
    domain: str | None

    @staticmethod
    def of(history: Sequence[str], user: str, domain: str | None = None) -> "Listener":
        """`history`: what was said before, the user first; `domain`: what it was about."""
        bot = RuleSystem(_Shown([]))
        bot.state.current = None if domain == NO_DOMAIN else domain
        heard, before = Understood(), ""
        for at, text in enumerate([*history, user]):
            words = re.sub(r"^(?:user|system|assistant): ", "", text, flags=re.IGNORECASE)
            if at % 2:
                before = words
                _note(bot, words)
                continue
            bot.state.turn += 1
            heard = bot.understand(words)
            bot.update(heard)
            domains = bot.domains_to_serve(heard)
            if domains:
                bot.state.current = domains[-1]
        return Listener(bot, heard, before, next(iter(bot.domains_to_serve(heard)), None))

    def told(self, domain: str) -> dict[str, str]:
        """The slots that the last message tells."""
        found: dict[str, str] = {}
        for said in self.heard.informs:
            value = self.bot.state.resolve(said)
            if said.domain != domain or value is None:
                continue
            found[said.slot] = value
            opposite = {"leaveAt": "arriveBy", "arriveBy": "leaveAt"}.get(said.slot)
            if opposite and value != DONTCARE and domain == "train":
                found[opposite] = ""
        return found

    def wants_booking(self, domain: str) -> bool:
        """Whether the last message asks for a booking, agrees to one, or says what it needs."""
        slots = BOOKING_SLOTS.get(domain, ())
        offered = re.search(r"book (?:it|tickets)|make a booking", self.before) is not None
        gave = any(s.domain == domain and s.slot in slots for s in self.heard.informs)
        agreed = self.heard.yes and offered and not self.heard.domains
        return domain == "taxi" or self.heard.books or gave or agreed


def _note(bot: RuleSystem, said: str) -> None:
    """What a reply of the system means for what the user says next."""
    current, state = bot.state.current, bot.state
    state.asked = []
    for slot in dict.fromkeys(key.rpartition(".")[2] for key in wording.QUESTIONS):
        questions = wording.QUESTIONS.get(f"{current}.{slot}") or wording.QUESTIONS.get(slot, ())
        if current is not None and any(question in said for question in questions):
            state.asked.append((current, slot))
            if slot == "leaveAt":
                state.asked.append((current, "arriveBy"))
    named = [name for name in DATABASE.places.values() if name.lower() in said.lower()]
    if current in ("restaurant", "hotel", "attraction") and named:
        state.of(current).row = {"name": max(named, key=len)}
    elif current == "train" and (train := re.search(r"\bTR\d+\b", said)):
        state.of(current).row = {"trainID": train[0]}


# The modules of clem:todd


def _shown(request: ChatRequest) -> Plain:
    text = request.last_user
    found: Plain = json.JSONDecoder().raw_decode(text[text.index("{") :])[0]
    return found


def _call(name: str, arguments: Plain) -> Answer:
    return Answer(tool_calls=[(name, arguments)])


def _listener(shown: Plain) -> Listener:
    return Listener.of(shown["history"], shown["user"], shown.get("domain"))


def _intent(request: ChatRequest) -> Answer:
    listener = _listener(_shown(request))
    heard, domain = listener.heard, listener.domain
    leaves = (heard.bye or heard.thanks) and not (heard.informs or heard.requests or heard.books)
    if domain is None or leaves:
        return _call("detectintent", {"intent": "detection-unknown", "domain": NO_DOMAIN})
    kind = "booking" if listener.wants_booking(domain) else "dbretrieval"
    return _call("detectintent", {"intent": f"{kind}-request", "domain": domain})


def _slots(request: ChatRequest) -> Answer:
    shown = _shown(request)
    return _call("extractslots", _told_slots(_listener(shown), shown["domain"], shown["state"]))


def _told_slots(listener: Listener, domain: str, state: Plain) -> dict[str, str]:
    told = listener.told(domain)
    searches = {s for s, v in told.items() if v not in ("", DONTCARE)}
    if "name" in state and "name" not in told and searches - set(BOOKING_SLOTS.get(domain, ())):
        told["name"] = ""
    return told


def respond(shown: Plain) -> str:
    """What to say, given what was found and done."""
    data: Plain = {**shown, **shown.get("data", {})}
    listener = _listener(shown)
    heard, turn, domain = listener.heard, listener.bot.state.turn, data.get("domain", NO_DOMAIN)
    if domain == NO_DOMAIN:
        return wording.goodbye() if heard.bye or heard.thanks else wording.not_understood(turn)
    said = _about(listener, domain, data, turn)
    return " ".join(said) if said else wording.closing(turn)


def _about(listener: Listener, domain: str, data: Plain, turn: int) -> list[str]:
    booking: Plain = data.get("booking") or {}
    rows = (data.get("database") or {}).get("rows", [])
    if "refused" in booking:
        changing = [slot for slot in BOOKING_SLOTS.get(domain, ("time",)) if slot != "people"]
        return [wording.refused(domain, booking["refused"], changing or ["train"])]
    made = [_booked(domain, booking["made"], turn)] if "made" in booking else []
    if domain == "taxi":
        missing = [s for s in NEEDED["taxi"] if s in data.get("missing_for_booking", ())]
        return made or [wording.ask(domain, slot, turn) for slot in missing or ["leaveAt"]]
    if not rows:
        return [wording.no_match(domain, data.get("slots", {}), (), turn)]
    needed = [s for s in NEEDED.get(domain, ()) if not data.get("slots", {}).get(s)]
    if needed:
        return [wording.ask(domain, slot, turn) for slot in needed[:2]]
    offers = not made and not _names(listener.before, rows[0])
    offer = [wording.offer(domain, rows[0], data["database"]["count"], turn)] if offers else []
    answers = _answers(listener, domain, rows[0], turn)
    return made + offer + answers + ([] if made else _asked(listener, domain, data, turn))


def _booked(domain: str, result: Plain, turn: int) -> str:
    if domain == "taxi":
        return wording.taxi_booked(result, str(result["phone"]))
    return wording.booked(domain, result, str(result["reference"]), turn)


def _answers(listener: Listener, domain: str, row: Plain, turn: int) -> list[str]:
    bot, found = listener.bot, []
    for request in listener.heard.requests:
        if request.domain == domain and request.slot != "reference":
            state = DomainState(domain, row=row)
            found.append(bot.answer_request(state, request))
    return found


def _asked(listener: Listener, domain: str, data: Plain, turn: int) -> list[str]:
    missing = [s for s in data.get("missing_for_booking", ()) if s not in IDENTITY]
    if listener.wants_booking(domain):
        return [wording.ask(domain, slot, turn) for slot in missing]
    if domain in BOOKING_SLOTS and "booked_before" not in data and not listener.heard.no_booking:
        return [wording.ask_to_book(domain, turn)]
    return []


def _names(text: str, row: Plain) -> bool:
    return any(str(row[slot]).lower() in text.lower() for slot in IDENTITY if slot in row)


# The manager of Modular-LLM


def _manager(request: ChatRequest) -> Answer:
    messages = list(request.messages)
    last = max(at for at, message in enumerate(messages) if message["role"] == "user")
    history = _conversation(messages[:last])
    done = _done(messages[last + 1 :])
    listener = Listener.of(history, messages[last]["content"])
    made = dict(done)
    if "intent_detection" not in made:
        return _next("intent_detection")
    intent = made["intent_detection"]
    domain = intent["domain"]
    if "response_generation" in made:
        return _call("followup", {"message": made["response_generation"]["message"]})
    if domain == NO_DOMAIN:
        return _next("response_generation", domain=domain, data=intent)
    if "slot_extraction" not in made:
        return _next("slot_extraction", domain=domain)
    state = made["slot_extraction"]["state"]
    return _act(request, listener, domain, state, made)


def _act(
    request: ChatRequest, listener: Listener, domain: str, state: Plain, made: Plain
) -> Answer:
    """Look up, book, and have the message worded, one after the other."""
    find, book = _offered(request, "find", domain), _offered(request, "book", domain)
    if find is not None and find[0] not in made:
        takes = {slot.lower() for slot in find[1]["properties"]}
        wanted = {s: v for s, v in state.items() if s.lower() in takes and v != DONTCARE}
        return _call(find[0], _arguments(request, find[1], wanted))
    found = {} if find is None else made[find[0]]
    rows = found.get("results", []) if isinstance(found, dict) else []
    named = [row for row in rows if _names(listener.before, row)]
    row = named[0] if named else rows[0] if len(rows) == 1 else {}
    data: dict[str, Any] = {"domain": domain, "slots": state}
    if book is not None:
        slots = [*BOOKING_SLOTS.get(domain, NEEDED.get(domain, ())), *state]
        meant = {slot: row[slot] for slot in IDENTITY if slot in row}
        known = {**{slot: state[slot] for slot in slots if slot in state}, **meant}
        takes = {slot.lower() for slot in book[1]["properties"]}
        arguments = _arguments(
            request, book[1], {s: v for s, v in known.items() if s.lower() in takes}
        )
        missing = [slot for slot in book[1]["required"] if slot not in arguments]
        wants = listener.wants_booking(domain) or _asked_for(listener.before)
        if not missing and wants and book[0] not in made:
            return _call(book[0], arguments)
        data["missing_for_booking"] = missing
        if book[0] in made:
            told = made[book[0]]
            data["booking"] = {"refused": told} if isinstance(told, str) else {"made": told}
        elif f'"name": "{book[0]}"' in json.dumps(request.messages):
            data["booked_before"] = True
    if find is not None:
        ordered = [*named, *(each for each in rows if each not in named)][:5]
        count = found.get("count", 0) if isinstance(found, dict) else 0
        data["database"] = {"count": count, "rows": ordered}
    return _next("response_generation", domain=domain, data=data)


def _asked_for(before: str) -> bool:
    questions = (q for slot in ("day", "time", "people", "stay") for q in wording.QUESTIONS[slot])
    own = ("hotel.day", "train.day", "train.people")
    return any(q in before for q in (*questions, *(q for s in own for q in wording.QUESTIONS[s])))


def _next(subsystem: str, **more: Any) -> Answer:
    return _call("processnextsubsystem", {"subsystem": subsystem, **more})


def _with_operator(slot: str, value: str, schema: Plain) -> Any:
    if schema.get("type") != "object":
        return value
    return {"operator": NATURAL[slot], "value": value}


def _conversation(messages: Sequence[Plain]) -> list[str]:
    """What user and bot said, in turn."""
    said = []
    for message in messages:
        if message["role"] == "user":
            said.append(message["content"])
        for call in message.get("tool_calls") or ():
            if call["function"]["name"] == "followup":
                said.append(json.loads(call["function"]["arguments"])["message"])
    return said


def _done(messages: Sequence[Plain]) -> list[tuple[str, Any]]:
    """Each call since, by its name or subsystem, with its result; text if it was refused."""
    found = []
    for message, answer in zip(messages[::2], messages[1::2], strict=True):
        (call,) = message["tool_calls"]
        name = call["function"]["name"]
        if name == "processnextsubsystem":
            name = json.loads(call["function"]["arguments"])["subsystem"]
        told = answer["content"]
        refused = told.startswith("Error: ")
        found.append((name, told.removeprefix("Error: ") if refused else json.loads(told)))
    return found


# One model with tools


def _clerk(
    request: ChatRequest,
    as_call: Callable[[_Wants, ChatRequest], tuple[str, Plain]],
    said_by: str,
) -> str | Answer:
    """The reference bot, knowing only what the messages hold."""
    told = [
        message["content"]
        for message in request.messages
        if message["role"] == "tool" and message["content"] != "(said to the user)"
    ]
    bot, text = RuleSystem(_Shown(told)), ""
    try:
        for message in request.messages:
            if message["role"] == "user":
                text = bot.respond(message["content"]).text
    except _Wants as wants:
        return _call(*as_call(wants, request))
    return _call(said_by, {"message": text}) if said_by else text


def _call_of_tool(wants: _Wants, request: ChatRequest) -> tuple[str, Plain]:
    kind, _, domain = wants.name.partition("_")
    name, parameters = _offered(request, kind, domain) or ("", {})
    return name, _arguments(request, parameters, wants.arguments)


def _offered(request: ChatRequest, kind: str, domain: str) -> tuple[str, Plain] | None:
    """The look-up or booking of a domain, by our name or by the figures'."""
    theirs = {"find": f"retrievefrom{domain}db", "book": f"validate{domain}booking"}[kind]
    for tool in request.tools:
        function = tool["function"]
        if function["name"] in (f"{kind}_{domain}", theirs):
            return function["name"], function["parameters"]
    return None


def _arguments(request: ChatRequest, parameters: Plain, wanted: Plain) -> Plain:
    """As a call declares them; what it requires besides is taken from the row that is meant."""
    takes = parameters["properties"]
    spelled = {s if s in takes else s.lower(): (s, str(v)) for s, v in wanted.items()}
    found = {key: _with_operator(slot, v, takes[key]) for key, (slot, v) in spelled.items()}
    row = _row_meant(request, wanted)
    lacking = [key for key in parameters.get("required", ()) if key not in found]
    return {**found, **{key: str(row[key]) for key in lacking if key in row}}


def _row_meant(request: ChatRequest, wanted: Plain) -> Plain:
    meant = [(slot, wanted[slot]) for slot in IDENTITY if slot in wanted]
    for message in reversed(request.messages):
        if message["role"] == "tool" and message["content"].startswith("{"):
            for row in json.loads(message["content"]).get("results", ()):
                if all(str(row.get(slot)) == str(value) for slot, value in meant):
                    return {slot.lower(): value for slot, value in row.items()}
    return {}


def _sql_call(wants: _Wants, request: ChatRequest) -> tuple[str, Plain]:
    if not wants.name.startswith("find_"):
        return wants.name, wants.arguments
    domain = wants.name.removeprefix("find_")
    where = [f"{slot} {NATURAL.get(slot, '=')} '{v}'" for slot, v in _escaped(wants.arguments)]
    order = {"leaveAt": " ORDER BY leaveAt", "arriveBy": " ORDER BY arriveBy DESC"}
    by = next((order[slot] for slot in order if slot in wants.arguments), "")
    sql = f"SELECT * FROM {domain}" + (f" WHERE {' AND '.join(where)}" if where else "") + by
    return f"query_{domain}", {"sql": sql}


def _escaped(arguments: Plain) -> list[tuple[str, str]]:
    return [(slot, str(value).replace("'", "''")) for slot, value in arguments.items()]


# Function calling and the pipeline


def _function_caller(request: ChatRequest) -> str | Answer:
    messages = list(request.messages)
    last = max(at for at, message in enumerate(messages) if message["role"] == "user")
    history = [m["content"] for m in messages[1:last] if m["role"] != "tool" and m["content"]]
    listener = Listener.of(history, messages[last]["content"])
    heard, domain = listener.heard, listener.domain
    shown = {"history": history, "user": messages[last]["content"]}
    leaves = (heard.bye or heard.thanks) and not (heard.informs or heard.requests or heard.books)
    if domain is None or leaves:
        return respond({**shown, "domain": NO_DOMAIN})
    if messages[-1]["role"] == "tool":
        return respond({**shown, **json.loads(messages[-1]["content"])})
    offered = [tool["function"]["name"] for tool in request.tools]
    name = next(each for each in offered if each.endswith(f"_{domain}"))
    return _call(name, listener.bot.state.belief().get(domain, {}) | listener.told(domain))


def _pipeline(request: ChatRequest) -> str | Answer:
    text = request.last_user
    places = {line.partition(": ")[0]: line.partition(": ")[2] for line in text.splitlines()}
    shown = {
        "history": json.loads(places["Conversation"]),
        "user": json.loads(places["User"]),
    }
    listener = _listener(shown)
    if text.endswith("Domain:"):
        return listener.domain or listener.bot.state.current or "restaurant"
    if text.endswith("State:"):
        domain = re.search(r"in the domain \"(\w+)\"", text)
        assert domain is not None
        known = json.loads(places["What was known before"])
        told = _told_slots(listener, domain[1], known)
        slots = json.loads(places["Slots"])
        return {**dict.fromkeys(slots, ""), **known, **told}  # type: ignore[return-value]
    done = json.loads(places["What was found and done"])
    heard = listener.heard
    leaves = (heard.bye or heard.thanks) and not (heard.informs or heard.requests or heard.books)
    return wording.goodbye() if leaves else respond({**shown, **done})
