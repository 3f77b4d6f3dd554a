"""One dialogue with a person in it: who speaks, what is shown, and what is kept of it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, Turn
from pytest_todeval.core.transcript import turn_lines
from pytest_todeval.errors import TodevalError
from pytest_todeval.integration.chat.saving import save_goal, save_test
from pytest_todeval.integration.chat.screen import Screen
from pytest_todeval.integration.chat.user import ChatUser
from pytest_todeval.integration.chat.words import COMMANDS, goal_lines
from pytest_todeval.play.play import Play

if TYPE_CHECKING:
    from pytest_todeval.evaluate.judge.judge import Judge
    from pytest_todeval.simulation.checks import AfterTurn

PATIENCE = 24 * 3600.0
"""Seconds that a person may think, and a dialogue may take."""
MOST_TURNS = 1000
KINDS = ("test", "goal")


class Chat:
    """What is said and shown around one dialogue."""

    def __init__(self, screen: Screen, given: Mapping[str, str | None]) -> None:
        self.screen, self.given = screen, given
        self.saves: dict[str, str] = {
            kind: path for kind in KINDS if (path := given[f"save_{kind}"])
        }
        """What the dialogue is kept as, and where."""
        self.approved: bool | None = None
        self.failed = False
        self._backend: Any = None
        self._shown = 0
        self._user: ChatUser | None = None

    def joined(self, play: Play, user: Any, backend: Any) -> tuple[Play, Any]:
        """The play with the time that people need, and the user whose part a person may take."""
        self._backend = backend
        self.screen.write("goal", [play.goal.name, *goal_lines(play.goal)])
        if self.screen.is_terminal:
            self.screen.write("", ["/help shows what else you can write"])
        turns = play.how.max_turns if self.given["plays"] == "yes" else MOST_TURNS
        how = replace(play.how, max_turns=turns, turn_timeout=PATIENCE, dialogue_timeout=PATIENCE)
        self._user = ChatUser(
            user, self.screen, self.command, plays=self.given["plays"] == "yes",
            pace=float(self.given["pace"] or 0),
        )  # fmt: skip
        return replace(play, how=how), self._user

    def after(self, check: "AfterTurn | None") -> "AfterTurn":
        """Returns what to call after each turn, before the test's own check."""

        def shown(dialogue: Dialogue, turn: Turn) -> Any:
            self.show(dialogue, turn)
            return None if check is None else check(dialogue, turn)

        return shown

    def show(self, dialogue: Dialogue, turn: Turn) -> None:
        """Shows what the bot did, said and changed, and what was heard."""
        self._shown = turn.index
        heard = _heard(dialogue, self._backend)
        for line in turn_lines(replace(turn, claims=heard), heard=heard is not None):
            who, _, text = line.partition(": ")
            name = who.strip().rpartition(" ")[2]
            if name != "user":
                self.screen.write(name, [text] if name in _SPEAKERS else [line.strip()])
        for what, bookings in (("booked", turn.booked), ("cancelled", turn.cancelled)):
            for booking in bookings or ():
                self.screen.write("changed", [f"{what} {_booking(booking)}"])

    def command(self, line: str, turn: Turn | None) -> None:
        """Does what a line that begins with `/` says, but for playing and ending."""
        name, _, rest = line.partition(" ")
        if name == "/goal" and self._user is not None:
            self.screen.write("goal", goal_lines(self._goal))
        elif name == "/records":
            self.screen.write("records", list(self._records()))
        elif name == "/save":
            self._keep(rest.split())
        else:
            known = [f"{each}: {text}" for each, text in COMMANDS.items()]
            self.screen.write("", known)

    def tell_verdicts(self, dialogue: Dialogue, judge: "Judge") -> None:
        """Shows what is to be said of the dialogue, once it is over."""
        for turn in dialogue.turns[self._shown :]:  # after which nothing was called
            self.show(dialogue, turn)
        why = f" ({dialogue.detail.splitlines()[0]})" if dialogue.detail else ""
        self.screen.write("", [f"ended by {dialogue.stop_reason}{why}"])
        if not dialogue.turns:
            self.approved = False
            return
        for name, verdict in dialogue.verdicts.items():
            said = "cannot be told" if verdict.undecided else "yes" if verdict.passed else "NO"
            if verdict.applicable:
                style = "good" if said == "yes" else "bad"
                self.screen.write("verdict", [f"{name}: {said}, {verdict.reason}"], style)
        try:
            approval = judge.approves(dialogue)
            self.approved = bool(approval)
        except TodevalError as error:
            self.approved = False
            self.screen.write("verdict", [f"not decided: {error}"], "bad")
            return
        for line in approval.explain().splitlines():
            if line.startswith(("failed", "advice")):
                self.screen.write("verdict", [line], "bad")
        style, word = ("good", "approved") if self.approved else ("bad", "NOT approved")
        self.screen.write("verdict", [f"{word}: {len(approval.checked)} checks"], style)

    def save(self, dialogue: Dialogue, item: pytest.Function) -> None:
        """Keeps the dialogue as was asked for."""
        for kind, path in self.saves.items():
            writes = save_test if kind == "test" else save_goal
            try:
                self.screen.write("saved", writes(dialogue, Path(path), item))
            except TodevalError as error:
                self.failed = True
                self.screen.write("error", [str(error)])

    @property
    def _goal(self) -> Any:
        assert self._user is not None
        return self._user.goal

    def _records(self) -> Any:
        backend = self._backend
        found: Any = None
        for name in ("records", "bookings"):
            if callable(look := getattr(backend, name, None)):
                found = look()
                break
        if isinstance(found, Mapping):
            yield from (f"{kind}: {record}" for kind, all_ in found.items() for record in all_)
        else:
            yield from map(str, found or ["nothing, or nobody can tell"])

    def _keep(self, words: list[str]) -> None:
        if len(words) != 2 or words[0] not in KINDS:
            self.screen.write("error", ["write: /save test FILE or /save goal FILE"])
            return
        self.saves[words[0]] = words[1]
        self.screen.write("", [f"kept as a {words[0]} in {words[1]} when the dialogue ends"])


_SPEAKERS = ("tool", "bot", "heard", "changed")


def _heard(dialogue: Dialogue, backend: Any) -> Any:
    from pytest_todeval.facts.dialogue import with_claims

    return with_claims(dialogue, backend).turns[-1].claims if dialogue.goal.parts else None


def _booking(booking: Booking) -> str:
    slots = ", ".join(f"{slot} {value}" for slot, value in booking.slots.items())
    return f"{booking.domain} {booking.reference}: {slots}"
