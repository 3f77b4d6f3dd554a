"""Retrieval: at which rank a bot finds what its user needs (AutoEval-ToD, sections 3.1 and 3.3).

Each turn in which the bot retrieved something is one query. Hit-Rate@k is the share of the queries
with a relevant item among the first k, MRR@k the mean of 1/rank of the first relevant item, 0 if it
is not among the first k. `progressive` has both by turn, over the dialogues that retrieved
something in that turn; the paper does not say whether a dialogue counts in turns without a query.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.assertable import Assertable, ByName, Several
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.errors import JudgeFault, OracleFault, UsageError
from pytest_todeval.facts.calls.reading import CallOutcome, read_turn
from pytest_todeval.facts.calls.rows import data_of, identity

CUTOFFS = (1, 3, 5, 10, 20)
"""The paper's k."""
SCALE = (0, 1)
VERSION = "retrieval 1"
HIT_RATE, MRR = "hit_rate", "mrr"
LONGEST = 20_000
"""Characters of an item's text that are looked at."""
MOST_ITEMS = 1000
"""Items of a ranking that are looked at."""

Relevant = Iterable[str | int] | Callable[[Any], bool]
"""Texts or ids, of which an item must be one; or a function that says whether an item is."""
Lookup = Callable[[str, Mapping[str, str]], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Assertable):
    """What was retrieved in one turn."""

    turn: int
    """1-based."""
    items: int
    """How many there were."""
    rank: int | None
    """Of the first relevant item, from 1; None if there is none."""

    def _line(self) -> str:
        return "judge.retrieval(dialogue).hit_rate(5) >= 1"

    def hit(self, k: int) -> float:
        """1 if a relevant item is among the first k, else 0."""
        return float(self.rank is not None and self.rank <= k)

    def reciprocal(self, k: int) -> float:
        """1/rank of the first relevant item; 0 if it is not among the first k."""
        return 1 / self.rank if self.rank is not None and self.rank <= k else 0.0


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RetrievalReport(Assertable):
    """The rankings of one dialogue."""

    rankings: tuple[Ranking, ...]
    idle: tuple[int, ...] = ()
    """The turns in which nothing was retrieved."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rankings", Several(self.rankings))

    def _line(self) -> str:
        return "judge.retrieval(dialogue).hit_rate(5) >= 1"

    def __repr__(self) -> str:
        ranks = " ".join(str(each.rank or "-") for each in self.rankings)
        return f"<retrieval, rank of the relevant item by query: {ranks or 'no query'}>"

    def hit_rate(self, k: int) -> ScoreSeries:
        """By turn: 1 if a relevant item was among the first k, else 0."""
        return self.scores[_name(HIT_RATE, k)]

    def mrr(self, k: int) -> ScoreSeries:
        """By turn: 1/rank of the first relevant item, 0 if it was not among the first k."""
        return self.scores[_name(MRR, k)]

    @property
    def scores(self) -> ByName[ScoreSeries]:
        """`hit_rate@1` to `mrr@20`, for the results file."""
        found = {}
        for k in CUTOFFS:
            found[_name(HIT_RATE, k)] = self._series(HIT_RATE, k, Ranking.hit)
            found[_name(MRR, k)] = self._series(MRR, k, Ranking.reciprocal)
        return ByName(found)

    def _series(self, metric: str, k: int, value: Callable[[Ranking, int], float]) -> ScoreSeries:
        name = _name(metric, k)
        scores = [
            Score(name, value(each, k), _why(each), each.turn, SCALE, definition=VERSION)
            for each in self.rankings
        ]
        scores += [
            Score(name, None, NO_QUERY, turn, SCALE, Score.NOT_APPLICABLE, definition=VERSION)
            for turn in self.idle
        ]
        return ScoreSeries(name, sorted(scores, key=lambda score: score.turn or 0))


NO_QUERY = "nothing was retrieved in this turn"


def _why(ranking: Ranking) -> str:
    if ranking.rank is None:
        return f"none of the {ranking.items} items is relevant"
    return f"the first relevant item has rank {ranking.rank} of {ranking.items}"


def _name(metric: str, k: int) -> str:
    if k not in CUTOFFS:
        raise UsageError(f"{metric} at {k!r}: expected one of {', '.join(map(str, CUTOFFS))}")
    return f"{metric}@{k}"


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalRates(Assertable):
    """Hit-Rate@k and MRR@k over queries, 0 to 1, by k."""

    queries: int
    hit_rate: Mapping[int, float]
    mrr: Mapping[int, float]

    def _line(self) -> str:
        return "retrieval_rates(reports).hit_rate[5] >= 0.8"

    @classmethod
    def of(cls, rankings: Iterable[Ranking]) -> "RetrievalRates":
        """Computes the rates over these queries. Raises JudgeFault without any."""
        found = tuple(rankings)
        if not found:
            raise JudgeFault("nothing was retrieved in any turn: there is no rate")
        return cls(
            len(found),
            {k: sum(each.hit(k) for each in found) / len(found) for k in CUTOFFS},
            {k: sum(each.reciprocal(k) for each in found) / len(found) for k in CUTOFFS},
        )


def retrieval_rates(reports: Iterable[RetrievalReport]) -> RetrievalRates:
    """Hit-Rate@k and MRR@k over all queries of all dialogues. Raises JudgeFault without a query."""
    return RetrievalRates.of(each for report in reports for each in report.rankings)


def progressive(reports: Iterable[RetrievalReport]) -> dict[int, RetrievalRates]:
    """Progressive Hit-Rate@k and MRR@k: by turn, over the dialogues with a query in that turn."""
    by_turn: defaultdict[int, list[Ranking]] = defaultdict(list)
    for report in reports:
        for each in report.rankings:
            by_turn[each.turn].append(each)
    return {turn: RetrievalRates.of(found) for turn, found in sorted(by_turn.items())}


def retrieval(
    dialogue: Dialogue, relevant: Relevant | None = None, *, query: Lookup | None = None
) -> RetrievalReport:
    """Finds at which rank each turn of a dialogue retrieved a relevant item.

    Ranked are the items that the bot reports (`Reply.retrieved`, `log.retrieval`); in a turn
    without any, the last list that a look-up returned. An item is relevant if it, or one of its
    fields, is one of the texts or ids, whatever the case; a text of several words may also stand
    within it. By default relevant are the goal's `solution`, else the rows that `query` (that of a
    backend) finds for the goal's constraints, by their names, else ids.

    Raises OracleFault if nothing is relevant, JudgeFault without turns.
    """
    if not dialogue.turns:
        raise JudgeFault(f"{dialogue.goal.name}: the dialogue has no turn to score")
    is_relevant = _matcher(dialogue.goal, relevant, query)
    rankings, idle = [], []
    for turn in dialogue.turns:
        items = _items(turn, dialogue.goal)
        if items is None:
            idle.append(turn.index)
            continue
        ranks = (at for at, item in enumerate(items, 1) if is_relevant(item))
        rankings.append(Ranking(turn.index, len(items), next(ranks, None)))
    return RetrievalReport(tuple(rankings), tuple(idle))


def _items(turn: Turn, goal: Goal) -> Sequence[Any] | None:
    """Returns what was retrieved, best first; None if nothing was looked up."""
    if turn.retrieved:
        return turn.retrieved[:MOST_ITEMS]
    for fact in reversed(read_turn(turn, goal)):
        if fact.what is CallOutcome.LOOKED_UP and fact.call.error is None:
            found = _list_in(data_of(fact.call.result))
            if found is not None:
                return found[:MOST_ITEMS]
    return None


def _list_in(result: Any) -> Sequence[Any] | None:
    """Returns the list that a result is, or the only list that it holds."""
    if isinstance(result, list | tuple):
        return result
    if isinstance(result, Mapping):
        lists = [value for value in result.values() if isinstance(value, list | tuple)]
        return lists[0] if len(lists) == 1 else None
    return None


def _matcher(goal: Goal, relevant: Relevant | None, query: Lookup | None) -> Callable[[Any], bool]:
    if callable(relevant):
        return relevant
    texts = _relevant_of(goal, query) if relevant is None else relevant
    wanted = {text for each in texts if (text := _plain(each))}
    if not wanted:
        raise OracleFault(
            f"{goal.name}: nothing to look for in what was retrieved: the goal states no solution; "
            "give it one (`solution:`), or pass the relevant items: `relevant=[...]`"
        )
    passages = sorted(f" {text} " for text in wanted if " " in text)

    def is_relevant(item: Any) -> bool:
        texts = [_plain(text) for text in _texts(item)]
        return any(text in wanted for text in texts) or any(
            passage in f" {text} " for passage in passages for text in texts
        )

    return is_relevant


def _relevant_of(goal: Goal, query: Lookup | None) -> Iterator[str]:
    if goal.solution:
        yield goal.solution
    elif query is not None:
        for part in goal.domains:
            for row in query(part.domain, part.inform):
                yield identity(row) or str(row.get("id", ""))


def _texts(item: Any) -> Iterator[str]:
    values = item.values() if isinstance(item, Mapping) else [item]
    for value in values:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)


def _plain(value: object) -> str:
    """Keeps only words and numbers, in lower case, with one space between them."""
    text = str(value)[:LONGEST].casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
