"""One case: a goal, its trial, and what its dialogue came to; kept on the pytest item.

No dataclasses here: these few classes load in every pytest run, and each would cost a millisecond.
"""

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.core.outcome import Outcome
    from pytest_todeval.integration.ahead import Ahead
    from pytest_todeval.integration.chat.chat import Chat
    from pytest_todeval.integration.quarantine import Quarantine
    from pytest_todeval.models.usage import Ledger
    from pytest_todeval.play.conversation import DrawnConversation
    from pytest_todeval.recording.outside import OutsideCalls
    from pytest_todeval.recording.tape import Tape
    from pytest_todeval.runs.reports.schema import DriftEntry
    from pytest_todeval.worlds.goal_set import GoalSet

OF_ANY_TEST = "todeval_cassette"
"""The marker and the fixture that give a test without a dialogue a cassette."""
PLAYERS = frozenset(
    {"todeval_tape", "tod_system", "todeval_gateway", "todeval_server", "todeval_models"}
    | {OF_ANY_TEST}
)
"""Calls of who asks for one of these fixtures are looked after."""
RECORDED = frozenset({"todeval_tape", OF_ANY_TEST})
"""Who asks for one of these has a cassette."""
LOOP = "pytest_todeval.simulation.loop"
NOTHING_DRAWN = pytest.StashKey["dict[str, None]"]()
"""Of a run: markers whose `seed` has no effect, as they are shown."""


class Case(NamedTuple):
    """What one parametrized test plays."""

    goal: "Goal"
    goal_set: "GoalSet"
    trial: int = 0
    selection: "Mapping[str, Any] | None" = None
    """How the goals were chosen: `split`, `limit`, `seed`, ..."""
    quarantine: "Quarantine | None" = None
    """If the test says that this goal is flaky."""
    conversation: "DrawnConversation | None" = None
    """How its dialogue goes about, of an example that was drawn."""
    is_drawn: bool = False
    """Whether the test draws its goals while it runs; this one then stands for all of them."""

    def __repr__(self) -> str:
        """As reports show what a test is parametrized with: the set it is from has thousands."""
        return f"{self.goal.name}{f' #{self.trial}' if self.trial else ''}"


class Played:
    """What came of a case: the dialogue and what the judge was asked about it."""

    def __init__(
        self,
        dialogue: "Dialogue",
        by: str = "",
        tape: "Tape | None" = None,
        asked: "Ledger | None" = None,
    ) -> None:
        self.dialogue = dialogue
        self.tape = tape
        """The calls of the dialogue; None if none was played."""
        self.asked = asked
        """What our own users, judges and chat bots asked of models; None if none was played."""
        self.by = by
        """Who talked to whom, e.g. `AgendaUser with HotelBot`."""
        self.properties: list[tuple[str, str]] = []
        """What Allure is to have of it."""
        self.players: dict[str, dict[str, str]] = {"bots": {}, "users": {}, "judges": {}}
        """Who played and judged: by name, where its class is defined."""
        self.limits: dict[str, float] = {}
        """How long the dialogue might get."""
        self.drew = False
        """Whether random numbers were drawn while it was played: the next run may draw others."""
        self.variation = ""
        """What the variation of the user's words rests on."""
        self.ear = ""
        """Who heard the bot."""
        self.trivial = ""
        """Why a bot that does nothing passes the goal; empty if it does not."""
        self.may_be_unserved = False
        """Whether the test may pass although its user gave up or ran out of turns."""
        self.raised: BaseException | None = None
        """What a check after a turn raised: the test's body is not run then."""
        self.outcome: Outcome | None = None
        """Whose the result is, once the test has asserted."""
        from pytest_todeval.runs.reports.answers import Answers

        self.answers = Answers()
        """What the judge said of the dialogue, beside its own verdicts."""
        self.drift: list[DriftEntry] | None = None
        """Where the bot's answers to the recorded user drifted; None with another user."""


PLAYED = pytest.StashKey[Played]()

EXAMPLES = "todeval_examples"
"""The attribute of a test report that carries the other dialogues of a test that draws goals."""

NOT_COUNTED = "todeval_not_counted"
"""The attribute of a test report that says how many of its dialogues say nothing about the bot."""

PAYLOAD = "todeval"
"""The attribute of a test report that carries a dialogue between processes, as plain JSON."""

EXCLUDED = pytest.StashKey[str]()
"""The goal of a test that is skipped because a bot passes it by doing nothing."""

CASSETTE = "todeval_cassette"
"""The attribute of a test report that carries the path of the cassette that the test plays."""

TOLD = "todeval_told"
"""The attribute of a test report that says which calls were recorded where, as plain JSON."""

LEFT_OUT = "todeval_excluded"
"""The attribute of a test report that carries the name of such a goal."""


AHEAD: "pytest.StashKey[Ahead]" = pytest.StashKey()
"""On a run's config: what plays dialogues of coming tests, if it does."""

TAPE: "pytest.StashKey[Tape]" = pytest.StashKey()
"""The calls of a test without a dialogue."""

CHAT: "pytest.StashKey[Chat]" = pytest.StashKey()
"""On a run's config: the person who takes part in its one dialogue (`todeval chat`)."""

OUTSIDE: "pytest.StashKey[OutsideCalls]" = pytest.StashKey()
"""What looks after calls outside of dialogues, once a run has tests that concern us."""


def concerns(item: pytest.Item) -> bool:
    """Whether calls of a test may be a bot's: it asks for our fixtures, or may play by itself."""
    if LOOP in sys.modules or OUTSIDE in item.config.stash:
        return True
    return not PLAYERS.isdisjoint(getattr(item, "fixturenames", ()))


def is_recorded(item: pytest.Item) -> bool:
    """Says whether a test has a cassette."""
    return not RECORDED.isdisjoint(getattr(item, "fixturenames", ()))


def parameters_of(item: pytest.Item) -> "Mapping[str, Any]":
    """Returns what a test is parametrized with, by name."""
    callspec = getattr(item, "callspec", None)
    return {} if callspec is None else callspec.params


def case_of(item: pytest.Item) -> Case | None:
    """Returns the case of a test, or None for a test that is not ours."""
    callspec = getattr(item, "callspec", None)  # not by `parameters_of`: each test is asked often
    value = None if callspec is None else callspec.params.get("goal")
    return value if isinstance(value, Case) else None
