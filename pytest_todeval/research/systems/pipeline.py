"""The pipeline of Hudeček and Dušek (2023), as clem:todd plays it (3.3.1, A.2.2).

Domain, state, database, response: three questions to a model, and a look-up by program. Responses
have names and values in them, as clem:todd changed it. Theirs makes no bookings; this one books
once everything is known.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.protocol import Breach, violated
from pytest_todeval.models.ask import ask
from pytest_todeval.models.reading.answer_text import answer_text
from pytest_todeval.models.reading.objects import find_object
from pytest_todeval.models.reading.reader import TEXT, Reader, Unreadable, titled
from pytest_todeval.research.systems.calling import MeteredClient
from pytest_todeval.research.systems.dialogue_manager import DialogueManager
from pytest_todeval.research.systems.system import BotSetup, PaperSystem, said_before

T = TypeVar("T")
SHOWN = 300


class UnreadAnswer(Exception):
    """A module's answer could not be read, asked twice: the bot's failure."""


class PipelineSystem(PaperSystem):
    """Domain, state, database, response, in this order each turn; text in, text out, no calls.

        @pytest.fixture(scope="session")
        def tod_system():
            return PipelineSystem("gpt-4o-mini")

    For models without tool calls. Its belief state is what the second step tells.
    """

    def _bot(self, setup: BotSetup) -> "PipelineBot":
        return PipelineBot(self, setup)

    def ask(
        self, client: MeteredClient, step: str, reader: Reader[T], shown: Mapping[str, Any]
    ) -> T:
        """Returns what a step of the pipeline answers. Raises UnreadAnswer."""
        client.doing = step
        places = {name: json.dumps(value, ensure_ascii=False) for name, value in shown.items()}
        messages = self._prompts.get(f"pipeline_{step}").render(**places)
        asked = ask(client, messages, reader, prompts=self._prompts)
        if len(asked.replies) > 1 or asked.value is None:
            first = asked.replies[0] if asked.replies else asked.unscored
            violated(Breach.UNREADABLE_ANSWER, f"{step}: {first!r:.{SHOWN}}")
        if asked.value is None:
            raise UnreadAnswer(f"{step}: {asked.unscored}")
        return asked.value


class PipelineBot:
    """One dialogue of a `PipelineSystem`."""

    def __init__(self, system: PipelineSystem, setup: BotSetup) -> None:
        self._system, self._client, self._tools = system, setup.client, setup.tools
        self._manager = DialogueManager(setup.tools)
        before = said_before(setup.opening)
        self._history = [f"{message['role']}: {message['content']}" for message in before]

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        said = {"history": self._history[-MOST_SAID:], "user": text}
        domains = {"domains": list(self._tools.domains)}
        domain = self._ask("domain", DomainReader(domains["domains"]), {**said, **domains})
        slots = {s: each.get("description", s) for s, each in self._tools.slots(domain).items()}
        known = self._manager.belief.get(domain, {})
        state = {"domain": domain, "slots": slots, "state": known}
        self._manager.take(domain, self._ask("state", StateReader(list(slots)), {**said, **state}))
        done = self._manager.serve(domain)
        message = self._ask("response", WordsReader(), {**said, "domain": domain, "done": done})
        self._manager.said(message)
        self._history += [f"user: {text}", f"assistant: {message}"]
        return Reply(message, state=self._manager.belief, usage=self._client.take_usage())

    def _ask(self, step: str, reader: Reader[T], shown: Mapping[str, Any]) -> T:
        return self._system.ask(self._client, step, reader, shown)


MOST_SAID = 20
"""Messages before this one that a step is shown."""


@dataclass(frozen=True)
class DomainReader:
    """One of the domains, as a word: the last that the answer names."""

    domains: Sequence[str]
    schema = None

    @property
    def expected(self) -> str:
        """Returns what was asked for."""
        return f"Expected one word of: {', '.join(self.domains)}."

    def read(self, text: str) -> str:
        """Returns the domain. Raises Unreadable if the answer names none, or several."""
        words = answer_text(text).lower().replace("_", " ").split()
        bare = {word.strip(".,:;!?'\"*`()[]") for word in words}
        named = [domain for domain in self.domains if domain.lower().replace("_", " ") in bare]
        if len(named) != 1:
            raise Unreadable(f"it names {len(named)} of the domains")
        return named[0]


@dataclass(frozen=True)
class StateReader:
    """An object of slots and values; slots that there are not are left out."""

    slots: Sequence[str]

    @property
    def schema(self) -> Mapping[str, Any]:
        """Returns an object with a text for each slot; empty if the user does not say."""
        return titled("state", dict.fromkeys(self.slots, TEXT))

    expected = "Expected one JSON object of slots and values, an empty text if there is none."

    def read(self, text: str) -> dict[str, str]:
        """Returns the slots that have a value. Raises Unreadable if the answer holds no object."""
        found = find_object(text)
        plain = (str, int, float)
        told = {slot: found[slot] for slot in self.slots if isinstance(found.get(slot), plain)}
        return {slot: str(value) for slot, value in told.items() if str(value).strip()}


@dataclass(frozen=True)
class WordsReader:
    """Words for the user."""

    schema = None
    expected = "Expected a message to the user."

    def read(self, text: str) -> str:
        """Returns the words. Raises Unreadable if there are none."""
        said = answer_text(text).strip()
        if not said:
            raise Unreadable("it says nothing")
        return said
