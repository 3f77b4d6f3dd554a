"""A small stand-in for a checkout of tau2, written anew: a lending desk under dual control.

It has the interface that is used of tau2 and none of its code, so that the adapter and the reward's
arithmetic are tested on every Python, without a checkout.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.worlds.tau2.backend import Tau2Backend

FILES = {
    "__init__.py": "raise RuntimeError('the package itself must not be imported')\n",
    "domains/__init__.py": "",
    "domains/mock/__init__.py": "",
    "data_model/__init__.py": "",
    "log.py": """
class Logger:
    def debug(self, text):
        raise RuntimeError("the checkout's own log must not be used")
""",
    "data_model/message.py": """
from types import SimpleNamespace

class ToolCall(SimpleNamespace):
    pass
""",
    "data_model/tasks.py": """
from enum import Enum
from types import SimpleNamespace

class Part(str, Enum):
    DB = "DB"
    ENV_ASSERTION = "ENV_ASSERTION"
    ACTION = "ACTION"
    COMMUNICATE = "COMMUNICATE"
    NL_ASSERTION = "NL_ASSERTION"
    FASHION = "FASHION"

class Action(SimpleNamespace):
    def compare_with_tool_call(self, call):
        return self.name == call.name and self.arguments == call.arguments

def records(kind, given):
    return None if given is None else [kind(**record) for record in given]

class Task(SimpleNamespace):
    @classmethod
    def model_validate(cls, given):
        if "id" not in given:
            raise ValueError("no id")
        criteria = given.get("evaluation_criteria")
        state = given.get("initial_state")
        return cls(
            evaluation_criteria=None if criteria is None else SimpleNamespace(
                actions=records(Action, criteria.get("actions")),
                env_assertions=records(SimpleNamespace, criteria.get("env_assertions")),
                communicate_info=criteria.get("communicate_info"),
                nl_assertions=criteria.get("nl_assertions"),
                reward_basis=[Part(name) for name in criteria["reward_basis"]],
            ),
            initial_state=None if state is None else SimpleNamespace(
                initialization_data=None,
                initialization_actions=state.get("lend"),
                message_history=records(SimpleNamespace, state.get("message_history")),
            ),
        )
""",
    "domains/mock/environment.py": """
import hashlib, json, os
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from pydantic import BaseModel
import tau2.data_model.message
from tau2.log import Logger

logger = Logger()
DATA = Path(os.environ["TAU2_DATA_DIR"]) / "tau2" / "domains" / "mock" / "db.json"
os.environ["READ_FROM_A_DOTENV_FILE"] = "secret"

class Book(BaseModel):
    out: bool
    days: Any = None
    looked_at: bool = False

class Books(BaseModel):
    books: dict[str, Book]
    shelves: list[Any] = []

class Bag(BaseModel):
    bag: dict[str, list[str]]

class Toolkit:
    def __init__(self, db, **tools):
        self.db, self.tools = db, tools

def schema(name):
    return SimpleNamespace(
        name=name, openai_schema={"type": "function", "function": {"name": name}})

def digest(db):
    text = json.dumps(db.model_dump(), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()

def plain(found):
    if isinstance(found, list):
        return [plain(each) for each in found]
    return found.model_dump() if isinstance(found, BaseModel) else found

class Desk:
    policy = "Lend what is in."

    def __init__(self, books, bag):
        self.tools = Toolkit(books, lend=self.lend, look=self.look, buy=self.buy,
                             calculate=self.calculate, tidy=self.tidy, list=self.list,
                             drop=self.drop, peek=self.peek)
        self.user_tools = Toolkit(bag, pack=self.pack, shake=self.shake)

    @property
    def books(self):
        return self.tools.db.books

    def lend(self, book, days=14):
        record = self.books[book]
        if record.out:
            raise ValueError(book + " is lent")
        record.out, record.days = True, days
        return "lent"

    def buy(self, book):
        self.books[book] = Book(out=False)
        return "bought"

    def drop(self, book):
        return self.books.pop(book)

    def tidy(self, books):
        books.sort()
        return json.dumps(books)

    def calculate(self, expression):
        return str(eval(expression))

    def look(self, book):
        return self.books[book]

    def peek(self, book):
        self.books[book].looked_at = True

    def list(self, mark=False):
        for record in self.books.values():
            record.looked_at = mark
        return list(self.books.values())

    def pack(self, book):
        self.user_tools.db.bag["books"].append(book)
        return "packed"

    def shake(self):
        return "rattles"

    def get_tools(self):
        return [schema(name) for name in self.tools.tools]

    def get_user_tools(self):
        return [schema(name) for name in self.user_tools.tools]

    def set_state(self, initialization_data, initialization_actions, message_history):
        for book in initialization_actions or ():
            self.lend(book)

    def make_tool_call(self, tool_name, requestor="assistant", **arguments):
        kit = self.user_tools if requestor == "user" else self.tools
        if tool_name not in kit.tools:
            if requestor == "user":
                raise ValueError("no user tool " + repr(tool_name))
            raise ValueError("no tool " + tool_name)
        return kit.tools[tool_name](**arguments)

    def get_response(self, message):
        logger.debug(message)
        try:
            text = self.make_tool_call(message.name, message.requestor, **message.arguments)
        except Exception as error:
            return SimpleNamespace(content="Error: " + str(error), error=True)
        text = text if isinstance(text, str) else json.dumps(plain(text))
        return SimpleNamespace(content=text, error=False)

    def _is_mutating_tool(self, name):
        return name not in ("look", "peek", "shake")

    def run_env_assertion(self, assertion, raise_assertion_error=True):
        record = self.books[assertion.arguments["book"]]
        record.looked_at = True
        return (record.out == assertion.arguments["out"]) == assertion.assert_value

    def sync_tools(self):
        self.synchronised = True

    def get_db_hash(self):
        return digest(self.tools.db)

    def get_user_db_hash(self):
        return digest(self.user_tools.db)

def loaded():
    return Books.model_validate(json.loads(DATA.read_text()))

def get_environment(db=None, user_db=None, solo_mode=False):
    return Desk(db or loaded(), user_db or Bag(bag={"books": []}))
""",
}
BOOKS = '{"books": {"atlas": {"out": false}, "novel": {"out": false}}}'


def lending_desk(home: Path) -> Path:
    """Write the stand-in to a folder, which is then its home."""
    for name, text in FILES.items():
        place = home / "src" / "tau2" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    data = home / "data" / "tau2" / "domains" / "mock"
    data.mkdir(parents=True)
    (data / "db.json").write_text(BOOKS, encoding="utf-8")
    return home


LEND_ATLAS = {
    "name": "lend",
    "requestor": "assistant",
    "arguments": {"book": "atlas"},
}
PACK_ATLAS = {"name": "pack", "requestor": "user", "arguments": {"book": "atlas"}}


def task(*basis: str, **criteria: Any) -> dict[str, Any]:
    """A task of the lending desk; its reference solution lends the atlas and packs it."""
    stated = {"actions": [LEND_ATLAS, PACK_ATLAS], "reward_basis": list(basis), **criteria}
    return {"id": "t1", "evaluation_criteria": stated}


def play(backend: Tau2Backend, actions: list[Mapping[str, Any]]) -> None:
    """Make calls as a task's `actions` state them; refused ones are told to nobody."""
    for action in actions:
        user = action.get("requestor", "assistant") == "user"
        call = backend.call_user if user else backend.call
        try:
            call(action["name"], **action["arguments"])
        except ToolRefused:
            continue


def dialogue(*said: str, stop: StopReason = StopReason.USER_DONE) -> Dialogue:
    """A dialogue in which the bot says this, a turn each."""
    turns = tuple(Turn(number, "please", text) for number, text in enumerate(said, start=1))
    return Dialogue(Goal("t1", "tau2/mock", ()), turns, stop_reason=stop)
