"""Verdicts: yes or no, with a reason; and the answers that a verdict or a score comes from."""

from dataclasses import dataclass, replace

from pytest_todeval.core.assertable import Assertable, Several, YesNo
from pytest_todeval.core.failure import Failure
from pytest_todeval.errors import JudgeFault

CLAIMED = "claimed, not verified"
"""The basis of a verdict that rests on what the bot said or reported: nothing else shows it."""

REFUSED = (
    "only what the bot itself says or reports shows it, and --todeval-claims=fail asks for more: "
    "give the test a `backend` that knows what is booked (docs/bots.md)"
)
"""Why a verdict that is only claimed does not count."""

UNDECIDED = (
    "`todeval hear` shows what is heard in a text; teach it your bot's wordings by `hearing:` "
    "examples in the goal file or the ini file, or have the bot report its acts (`Reply.acts`)"
)
"""What to do about a sentence that may be misheard."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Assertable):
    """One of several answers to the same question: asked again, or asked of another model."""

    by: str
    """The model that gave it."""
    value: float | None
    """On the scale of its score; None if it gave no number."""
    reason: str
    """Its reason, or why there is no number."""

    def _line(self) -> str:
        return "score >= 4"


@dataclass(frozen=True, slots=True, eq=False)
class Verdict(YesNo):
    """A yes or no with its reason; truthy when passed.

    `applicable=False` counts in no rate. Either the goal asks for nothing of the kind (e.g. no
    booking), and the verdict is truthy, so that one assertion fits all goals. Or it failed over
    what a script, or a user of the suite's own, never asked for; then it is not.
    """

    name: str
    passed: bool
    reason: str
    turns: tuple[int, ...] = ()
    """1-based numbers of the turns that show it."""
    basis: str = "verified"
    """`verified` (backend and trace), `claimed, not verified` (reported calls or text only), or
    `judged by MODEL`."""
    applicable: bool = True
    version: str = "1"
    """Of the metric's definition; values of different versions are not comparable."""
    metric_set: str = "online"
    """Which definition of the name: `online` (real names and bookings), `corpus`, `model`..."""
    value: float | None = None
    """The number that the results file holds in place of the yes or no, as for a reward."""
    doubt: str = ""
    """The words that it hangs on and that may be misheard: the sentence, what was heard, and why
    that may be wrong. A verdict with a doubt is undecided: neither passed nor failed."""
    refused: str = ""
    """Why it does not count though it passed (`--todeval-claims=fail`); undecided, too."""
    samples: tuple[Sample, ...] = ()
    """The answers (1 yes, 0 no) of which more than half say so, if more than one was asked for."""
    failures: tuple[Failure, ...] = ()
    """Of a failed `reward`: what went wrong, by kind, in the order of the dialogue."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", Several(self.samples))

    def __bool__(self) -> bool:
        __tracebackhide__ = True  # a test shows its own line, not this one
        if self.doubt:
            raise JudgeFault(
                f"{self.name} is undecided: {self.reason}; but this hangs on words that may be "
                f"misheard: {self.doubt}. {UNDECIDED}"
            )
        if self.refused:
            raise JudgeFault(f"{self.name} is undecided: {self.reason}; but {self.refused}")
        return self.passed

    def __repr__(self) -> str:
        state = "passed" if self.passed else "FAILED"
        if not self.applicable:
            state = "not applicable" if self.passed else "FAILED, not applicable"
        elif self.undecided:
            state = "UNDECIDED"
        where = f" (turn {', '.join(map(str, self.turns))})" if self.turns else ""
        basis = "" if self.basis == "verified" else f" [{self.basis}]"
        doubt = f" (but {self.doubt or self.refused})" if self.undecided else ""
        return f"<{self.name} {state}{where}: {self.reason}{basis}{doubt}>"

    @property
    def undecided(self) -> bool:
        """Says whether it is neither passed nor failed: it has a doubt, or is refused."""
        return bool(self.doubt or self.refused)

    def without_claims(self) -> "Verdict":
        """It, refused if it passed and nothing but the bot's words and reports shows that."""
        if self.basis != CLAIMED or not self.passed or not self.applicable or self.undecided:
            return self
        return replace(self, refused=REFUSED)

    def _line(self) -> str:
        return f"verdict.value >= {self.value:g}" if self.value is not None else "verdict"

    @property
    def definition(self) -> str:
        """Metric set and version, e.g. `online 1`; only equal ones are comparable."""
        return f"{self.metric_set} {self.version}"

    @property
    def metric(self) -> bool | float | None:
        """Returns the value for the results file: None if not applicable or undecided."""
        if not self.applicable or self.undecided:
            return None
        return self.passed if self.value is None else self.value
