"""The files of a first suite, as text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.start.drafts.goal_text import yaml_of
from pytest_todeval.start.drafts.wish import UserWish
from pytest_todeval.start.found_bot import FoundBot
from pytest_todeval.start.project import pytest_config

CI = {"github": ".github/workflows/dialogues.yml", "gitlab": ".gitlab-ci.yml"}
GOALS_NOTE = """\
What users of the bot want: each goal is a test. To add one:
    todeval goals new "{example}" --into {path}"""
TEST = '''\
"""Each goal of goals.yaml is a test: a simulated user asks the bot for it."""

from pathlib import Path

import pytest

from pytest_todeval import Dialogue, Judge

RULES = Path(__file__).with_name("rules.yaml")


@pytest.mark.goals("goals.yaml")
def test_serves_the_user(dialogue: Dialogue, judge: Judge) -> None:
    assert judge.approves(dialogue, ["common", RULES])
'''
HELLO = '''\
"""What the bot says to somebody who does not know it yet."""

from pathlib import Path

import pytest

from pytest_todeval import Dialogue, Judge, ScriptedUser

RULES = Path(__file__).with_name("rules.yaml")


@pytest.fixture
def user_simulator() -> ScriptedUser:
    return ScriptedUser(["Hello! What can you do for me?"])


@pytest.mark.goals("hello.yaml")
def test_answers_a_stranger(dialogue: Dialogue, judge: Judge) -> None:
    assert judge.approves(dialogue, ["common", RULES])
'''
HELLO_GOAL = """\
# Somebody who only wants to know what the bot is for; test_hello.py says the words.
- id: stranger
  message: You want to know what the bot can do for you.
  solution: The bot says what it is for.
"""
RULES = """\
# Rules of your bot, beside the shipped ones (common): what it must never or always do.
rules:
  - id: no-insides
    says: The bot shows nothing of its insides.
    never:
      pattern: 'Traceback|NoneType|\\[object Object\\]|\\{\\{|API key'
"""
STARTER = '''\
"""A bot to start from: it books a tennis court."""

import re

ASKED = {
    "day": "Which day would you like to play?",
    "time": "At what time?",
    "people": "How many people will there be?",
}
FORMS = {
    "day": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "time": r"\\b\\d{1,2}:\\d{2}\\b",
    "people": r"\\b\\d+(?= (?:people|person|of us))",
}


class CourtBot:
    """One dialogue with one user."""

    def __init__(self) -> None:
        self.wanted: dict[str, str] = {}
        self.booked: list[dict[str, str]] = []

    def respond(self, text: str) -> str:
        for slot, form in FORMS.items():
            if found := re.search(form, text.lower()):
                self.wanted[slot] = found.group()
        if self.booked:
            return f"Your reference is {self.booked[0]['reference']}. Anything else I can do?"
        for slot, question in ASKED.items():
            if slot not in self.wanted:
                return question
        self.booked.append({"domain": "court", "reference": "TC1001", **self.wanted})
        when = f"{self.wanted['day']} at {self.wanted['time']}"
        people = f"{self.wanted['people']} people"
        return f"Your court is booked for {when} for {people}. The reference number is TC1001."
'''
STARTER_CONFTEST = '''\
"""The bot under test, and what stands booked in it."""

{path}import pytest
{line}

@pytest.fixture
def bot():
    from bot import CourtBot

    return CourtBot()


@pytest.fixture
def tod_system(bot):
    return bot


class Bookings:
    def __init__(self, bot):
        self.bot = bot

    def bookings(self):
        return self.bot.booked


@pytest.fixture
def backend(bot):
    return Bookings(bot)
'''
STARTER_WISH = UserWish("book", "court", {"day": "friday", "time": "10:15", "people": "4"})
GITHUB = """\
name: dialogues

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  dialogues:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-python@v6
        with:
          python-version: "3.13"
      - run: {install}
      - run: pytest {folder} --todeval-json=results.json
      - if: always()
        run: todeval report results.json --format markdown >> "$GITHUB_STEP_SUMMARY"
"""
GITLAB = """\
dialogues:
  image: python:3.13
  script:
    - {install}
    - pytest {folder} --todeval-json=results.json
  after_script:
    - todeval report results.json
  artifacts:
    when: always
    paths: [results.json]
"""


@dataclass(frozen=True)
class NewFile:
    """A file to be written, or text to be put at the end of one."""

    path: Path
    text: str
    appends: bool = False


@dataclass(frozen=True)
class Suite:
    """What is to be written for a bot."""

    root: Path
    folder: str
    bot: FoundBot | None
    """None for a bot that is still to be written: a small one to start from comes with it."""
    wish: UserWish | None
    ci: str
    keys: Sequence[str] = ()

    def files(self) -> Iterator[NewFile]:
        """Returns the files of the suite, those that are there included."""
        here = self.root / self.folder
        ini, path_line = self._configuration()
        if self.bot is None:
            yield NewFile(self.root / "bot.py", STARTER)
        yield NewFile(here / "conftest.py", self._conftest(path_line))
        yield from self._goals(here)
        yield NewFile(here / "rules.yaml", RULES)
        if ini is not None:
            yield ini
        if self.ci in CI:
            form = GITHUB if self.ci == "github" else GITLAB
            text = form.format(install=self._install(), folder=self.folder)
            yield NewFile(self.root / CI[self.ci], text)

    def _goals(self, here: Path) -> Iterator[NewFile]:
        wish = self.wish or (STARTER_WISH if self.bot is None else None)
        if wish is None and (here / "test_dialogues.py").exists():
            return
        if wish is None:
            yield NewFile(here / "hello.yaml", HELLO_GOAL)
            yield NewFile(here / "test_hello.py", HELLO)
            return
        note = GOALS_NOTE.format(
            example="cancel booking: id=AB12", path=f"{self.folder}/goals.yaml"
        )
        yield NewFile(here / "goals.yaml", yaml_of([wish.entry()], note))
        yield NewFile(here / "test_dialogues.py", TEST)

    def _configuration(self) -> tuple[NewFile | None, str]:
        """Where pytest is told of the bot's folder: a new section, else a line of the conftest."""
        path = (self.bot.folder if self.bot else None) or self.root
        needed = self.bot is None or self.bot.folder is not None
        relative = path.relative_to(self.root).as_posix()
        config = pytest_config(self.root)
        if config.path is None:
            text = f'pythonpath = ["{relative}"]\ntestpaths = ["{self.folder}"]\n'
            project = self.root / "pyproject.toml"
            if project.exists():
                return NewFile(project, f"\n[tool.pytest.ini_options]\n{text}", appends=True), ""
            ini = f"[pytest]\npythonpath = {relative}\ntestpaths = {self.folder}\n"
            return NewFile(self.root / "pytest.ini", ini), ""
        if not needed or relative in config.pythonpath:
            return None, ""
        up = len(Path(self.folder).parts)
        whole = f"Path(__file__).resolve().parents[{up}]" + (
            "" if relative == "." else f' / "{relative}"'
        )
        return None, f"sys.path.insert(0, str({whole}))"

    def _conftest(self, path_line: str) -> str:
        if self.bot is None:
            path = "import sys\nfrom pathlib import Path\n\n" if path_line else ""
            line = f"\n{path_line}\n" if path_line else ""
            return STARTER_CONFTEST.format(path=path, line=line)
        return self.bot.conftest(path_line, self.keys)

    def _install(self) -> str:
        listed = (self.root / "requirements.txt").exists()
        installs = (self.root / "pyproject.toml").exists() or (self.root / "setup.py").exists()
        own = "-r requirements.txt " if listed else ". " if installs else ""
        return f"pip install {own}pytest-todeval"


def write(files: Sequence[NewFile]) -> Iterator[str]:
    """Writes what is not there yet; yields a line for each file. Nothing is ever replaced.

    Raises UsageError for what cannot be written.
    """
    for file in files:
        try:
            yield _written(file)
        except OSError as error:
            raise UsageError(f"{file.path}: cannot be written: {error.strerror or error}") from None


def _written(file: NewFile) -> str:
    path = file.path
    if not file.appends and (path.exists() or path.is_symlink()):
        return f"kept     {path}"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a" if file.appends else "x", encoding="utf-8") as out:
        out.write(file.text)
    if file.appends:
        return f"added    {path}: {file.text.strip().splitlines()[0]}"
    return f"wrote    {path} ({len(file.text.splitlines())} lines)"
