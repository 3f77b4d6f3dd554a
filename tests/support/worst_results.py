"""Everything that a judge or a dialogue hands out, of a bot that does all wrong, or all right."""

from typing import Any, ParamSpec, TypeVar

from pytest_todeval.core.assertable import ByName
from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.evaluate.judge.approval import Approval
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison, Game
from pytest_todeval.evaluate.judge.llm_judge.conversation import SCALES, ConversationScores
from pytest_todeval.evaluate.judge.llm_judge.dimensions import DialogueScores
from pytest_todeval.evaluate.judge.llm_judge.quality import DIMENSIONS, QualityScores
from pytest_todeval.evaluate.judge.question import Question
from pytest_todeval.evaluate.judge.rule_answers import TurnScores
from pytest_todeval.evaluate.metrics.coverage import CoverageReport
from pytest_todeval.evaluate.metrics.keywords import Keyword
from pytest_todeval.evaluate.metrics.retrieval import Ranking, RetrievalReport
from pytest_todeval.evaluate.metrics.state_tracking.report import (
    JOINT,
    TURN,
    StateReport,
    TurnResult,
)
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult

__all__ = ["Fixed", "dialogue_of"]

P = ParamSpec("P")
T = TypeVar("T")


def dialogue_of(*, right: bool) -> Dialogue:
    """Two turns with a booking, which is the right one or not."""
    call = ToolCall("book_hotel", {"name": "a"}, {"reference": "X1"})
    names = ("inform", "success", "booking")
    return Dialogue(
        Goal("A1", "demo", (DomainGoal("hotel", wants_booking=True),)),
        (Turn(1, "hello", "hi", latency=9.0), Turn(2, "book", "done", (call,), latency=9.0)),
        StopReason.USER_DONE if right else StopReason.USER_GAVE_UP,
        final_bookings=(Booking("hotel", "X1", {"name": "a"}),),
        backend_known=True,
        verdicts={
            **{name: Verdict(name, right, "as it is") for name in names},
            "reward": Verdict("reward", right, "as it is", value=float(right)),
        },
    )


def series(name: str, values: "list[float]", scale: tuple[int, int]) -> ScoreSeries:
    """A score by turn."""
    scores = [Score(name, v, f"reason {n}", n, scale) for n, v in enumerate(values, 1)]
    return ScoreSeries(name, scores)


class Fixed(Judge):
    """Answers every question with the worst or the best there is; or, mixed, both in turn."""

    def __init__(self, *ends: int) -> None:
        self.ends = ends
        """By turn, 0 for the worst and 1 for the best."""

    def ask(
        self,
        question: Question[P, T],
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        answer: T = getattr(self, f"_{question.name}")()
        return answer

    @property
    def right(self) -> bool:
        """Whether all is well."""
        return all(self.ends)

    def series(self, name: str, scale: tuple[int, int] = (1, 5)) -> ScoreSeries:
        """The score of every turn."""
        return series(name, [scale[end] for end in self.ends], scale)

    def score(self, name: str, scale: tuple[int, int] = (1, 5)) -> Score:
        """The score of the dialogue, with the answers that it is made of."""
        samples = (Sample("m", scale[self.right], "so"), Sample("n", scale[self.right], "so"))
        return Score(name, scale[self.right], "as it is", None, scale, samples=samples)

    def verdict(self) -> Verdict:
        """The verdict of a model."""
        return Verdict("assertion", self.right, "as it is")

    _completion = _fulfilment = _goal_completion = _holds = verdict

    def _turns(self) -> TurnScores:
        names = ("conversation_cohesion", "backend_consistency", "policy_compliance")
        return TurnScores(self.series(names[0]), self.series(names[1]), self.series(names[2]))

    def _dialogue(self) -> DialogueScores:
        cohesion, consistency = self.score("dialogue_cohesion"), self.score("dialogue_consistency")
        return DialogueScores(cohesion, consistency, self.score("dialogue_policy_compliance"))

    def _quality(self) -> QualityScores:
        return QualityScores(ByName({name: self.series(name, (0, 1)) for name in DIMENSIONS}))

    def _conversation(self) -> ConversationScores:
        return ConversationScores(**{n: self.score(n, scale) for n, scale in SCALES.items()})

    def _units(self) -> ByName[ScoreSeries]:
        return ByName({"polite": self.series("polite")})

    def _state(self) -> StateReport:
        turns = [self._tracked(turn, end) for turn, end in enumerate(self.ends, 1)]
        return StateReport(tuple(turns), "by labels", "")

    def _tracked(self, turn: int, end: int) -> TurnResult:
        scores = tuple(Score(name, end, "as it is", turn, (0, 1)) for name in (TURN, JOINT))
        return TurnResult(turn, scores, missed={} if end else {"hotel-area": "north"})

    def _coverage(self) -> CoverageReport:
        turn = 1 if self.right else None
        word = Keyword("hotel", "area", "north", "inform", turn)
        return CoverageReport((word,), self.score("goal_coverage", (0, 1)))

    def _retrieval(self) -> RetrievalReport:
        ranks = [1 if end else None for end in self.ends]
        return RetrievalReport(tuple(Ranking(n, 20, rank) for n, rank in enumerate(ranks, 1)))

    def _rules(self) -> RuleReport:
        said = [RuleResult("r1", "says", n, end, "so") for n, end in enumerate(self.ends, 1)]
        return RuleReport(said)

    def _approves(self) -> Approval:
        verdicts = [Verdict("booking", self.right, "as it is")]
        cohesion = self.series("conversation_cohesion")
        return Approval("demo/A1", verdicts, self._rules(), cohesion)

    def _compare(self) -> Comparison:
        winner: Any = "one" if self.right else "other"
        return Comparison(winner, "as it is", True, None, (Game("m", winner, winner, "so"),))
