"""Texts of a checkout's code are read as they stand there, and nothing of it is run."""

from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals.code_texts import CheckoutCode

CODE = '''
from pathlib import Path
Path(__file__).with_name("executed").write_text("this file was run")

TEMPERATURE = 0.5
STOP = "<end>"
SYSTEM = """
 {rules}
 <told>{words}</told>
""".strip()
FIRST = Message(role="agent", content="Good day.", cost=0.0)


class Caller:
    def __init__(self, attempts: int = 3, name="x") -> None:
        self.attempts = attempts

    def prompt(self, told):
        shown = ("\\n\\nTold: " + told + "\\n") if told is not None else ""
        return f"""You call.{shown}
- Say {{braces}} once."""

    def begin(self):
        self.said = [{"role": "system", "content": self.prompt("x")},
                     {"role": "user", "content": "Hello?"}]


def label(role):
    if role == "user":
        return "Caller"
    elif role == "bot":
        return "Desk"
    else:
        return role.capitalize()


def number(x):
    if x == 3:
        return "three"
    if x == "four":
        return x
    if x == "five":
        x = 5
    if x:
        return "any"


def odd(x):
    return f"{x!r} {x:>3} {open(x)}"
'''


@pytest.fixture
def code(tmp_path: Path) -> CheckoutCode:
    (tmp_path / "user.py").write_text(CODE, encoding="utf-8")
    return CheckoutCode(tmp_path / "user.py")


def test_texts_are_read_word_for_word_and_nothing_is_run(code: CheckoutCode) -> None:
    prompt = code.returned("Caller.prompt", "shown")
    assert prompt.names == {"shown"}
    filled = prompt.filled(shown=" {shown} ")
    assert filled == "You call. {shown} \n- Say {braces} once."
    told = code.bound("shown", "told", place="Caller.prompt")
    assert told.filled(told="it") == "\n\nTold: it\n"
    assert code.bound("SYSTEM").filled() == "{rules}\n <told>{words}</told>"
    assert code.bound("STOP").filled() == "<end>"
    assert code.message("Caller.begin", "user") == "Hello?"
    assert code.passed("Message", "content", "FIRST") == "Good day."
    assert code.cases("label") == {"user": "Caller", "bot": "Desk"}
    assert (code.number("TEMPERATURE"), code.default("Caller.__init__", "attempts")) == (0.5, 3)
    assert not code.path.with_name("executed").exists()


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda code: code.returned("Caller.gone"), "Caller.gone: expected a class or function"),
        (lambda code: code.returned("Caller.prompt"), "expected places for no value, not shown"),
        (lambda code: code.returned("odd", "x"), "odd returns: expected a text with names in it"),
        (lambda code: code.bound("GONE"), "the file: expected a binding of GONE"),
        (lambda code: code.number("STOP"), "STOP: expected a number"),
        (
            lambda code: code.returned("Caller.__init__"),
            "__init__: expected a text that it returns",
        ),
        (lambda code: code.passed("Massage", "content", "FIRST"), "FIRST: expected Massage(..., "),
        (
            lambda code: code.passed("Message", "text", "FIRST"),
            "expected Message(..., text=<text>)",
        ),
        (lambda code: code.passed("Message", "content", "STOP"), "STOP: expected Message(..., "),
        (lambda code: code.cases("number"), "number: expected cases, each `if x == "),
        (lambda code: code.message("Caller.begin", "bot"), "a message of the role bot"),
        (lambda code: code.default("Caller.__init__", "name"), "a parameter name with a whole"),
    ],
)
def test_what_is_not_there_is_told_with_its_place(
    code: CheckoutCode, ask: object, told: str
) -> None:
    assert callable(ask)
    with pytest.raises(InvalidFile) as refused:
        ask(code)
    assert told in str(refused.value)
    assert str(code.path) in str(refused.value)


@pytest.mark.parametrize("text", ["def (", "x = " + "(" * 5000, "\0"])
def test_what_is_no_python_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "user.py").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match="not a Python file that can be read"):
        CheckoutCode(tmp_path / "user.py")
