"""Corpus Inform and Success of one dialogue. See the package's docstring for the definition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pytest_todeval.core.verdict import Verdict
from pytest_todeval.research.offline.corpus import DEFINITION
from pytest_todeval.research.offline.corpus.active import State
from pytest_todeval.research.offline.corpus.database import VenueDatabase
from pytest_todeval.research.offline.corpus.goals import CorpusGoal
from pytest_todeval.research.offline.corpus.values import concepts

BASIS = "corpus: predicted state and placeholders"
_verdict = partial(Verdict, basis=BASIS, version=DEFINITION)
WITHOUT_VENUES = frozenset({"taxi", "police", "hospital"})


@dataclass(frozen=True, slots=True)
class CorpusTurn:
    """One system turn, as the metric sees it."""

    response: str
    """Delexicalised."""
    state: State
    active: Sequence[str]
    """The domains spoken of."""
    booked: frozenset[str]
    """The domains that stand booked in the corpus at this turn."""


@dataclass(slots=True)
class _DomainTrack:
    """One domain of the goal, followed through the dialogue."""

    domain: str
    goal: CorpusGoal
    offered: frozenset[str] = frozenset()
    offer_turn: int = 0
    given: frozenset[str] = frozenset()

    def follow(self, number: int, turn: CorpusTurn, database: VenueDatabase) -> None:
        if self.domain not in turn.active:
            return
        said = concepts(turn.response)
        if self._names_one(said):
            self._offer(number, database.query(self.domain, turn.state.get(self.domain, {})))
        # nothing in the corpus says whether a table is free, so a reference number counts only
        # if the corpus had one: a bot that always invents one gains nothing
        if self.domain not in turn.booked:
            said -= {"REFERENCE"}
        self.given |= said

    def _names_one(self, said: frozenset[str]) -> bool:
        if self.domain in WITHOUT_VENUES:
            return False
        return ("TRAINID" if self.domain == "train" else "NAME") in said

    def _offer(self, number: int, venues: frozenset[str]) -> None:
        """The last offer counts; but one that widens an earlier offer does not take its place."""
        if not self.offered or not self.offered <= venues:
            self.offered, self.offer_turn = venues, number

    def inform(self, database: VenueDatabase) -> tuple[bool, str]:
        if self.domain in WITHOUT_VENUES:
            return True, "there is no venue to offer"
        if "name" in self.goal.constraints:
            return True, "the user names the venue"
        if not self.offered and self.domain == "train" and "TRAINID" not in self.goal.requested:
            return True, "no train was asked for by its id"
        if not self.offered:
            return False, self._nothing_offered()
        wanted = database.query(self.domain, self.goal.constraints)
        wrong = len(self.offered - wanted)
        offer = f"turn {self.offer_turn} offers one of {len(self.offered)} by its state"
        if wrong:
            return False, f"{offer}, of which {wrong} do not meet the goal"
        return True, f"{offer}, all of which meet the goal"

    def _nothing_offered(self) -> str:
        if self.offer_turn:
            return f"the state of turn {self.offer_turn} matches nothing that could be offered"
        return f"no turn offers a {self.domain}"

    @property
    def missing(self) -> list[str]:
        return sorted(self.goal.requested - self.given)


def inform_success(
    goal: Mapping[str, CorpusGoal], turns: Sequence[CorpusTurn], database: VenueDatabase
) -> dict[str, Verdict]:
    """Verdicts by name: `inform`, `success`, and of each domain `inform/hotel`, `success/hotel`.

    No domain succeeds unless all inform: so published, and it lowers per-domain success rates.
    """
    parts = [_DomainTrack(domain, part) for domain, part in goal.items()]
    for number, turn in enumerate(turns, start=1):
        for part in parts:
            part.follow(number, turn, database)
    informs = [_inform(part, database) for part in parts]
    inform = _joined("inform", informs)
    successes = [_success(part, inform) for part in parts]
    verdicts = [inform, _joined("success", successes), *informs, *successes]
    return {verdict.name: verdict for verdict in verdicts}


def _inform(part: _DomainTrack, database: VenueDatabase) -> Verdict:
    passed, reason = part.inform(database)
    turns = (part.offer_turn,) if part.offer_turn else ()
    return _verdict(f"inform/{part.domain}", passed, reason, turns)


def _success(part: _DomainTrack, inform: Verdict) -> Verdict:
    name = f"success/{part.domain}"
    if not inform:
        return _verdict(name, False, "not counted: inform failed")
    if part.missing:
        return _verdict(name, False, f"never given: {', '.join(part.missing)}")
    given = ", ".join(sorted(part.goal.requested))
    return _verdict(name, True, f"given: {given}" if given else "nothing to be given")


def _joined(name: str, parts: Sequence[Verdict]) -> Verdict:
    failed = [part for part in parts if not part]
    reason = "; ".join(f"{part.name.partition('/')[2]}: {part.reason}" for part in failed or parts)
    turns = sorted({turn for part in failed or parts for turn in part.turns})
    return _verdict(name, not failed, reason, tuple(turns))
