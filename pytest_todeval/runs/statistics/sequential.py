"""Tests that may be looked at after every goal: a run ends as soon as its answer is known.

*What is asked.* The same as of a run of fixed size (`level`, `paired`): of goals in general, of
which the collected ones are a sample. So there is one order that speaks of all goals from its first
goal on: a random one, each as likely as any other. An order by what is known of the goals would be
quicker here and there, and wrong:

* Goals that flipped before, first: they are no sample of goals in general. Weights can mend that
  for the mean of the collected goals (Shekhar and others 2023), not for what that mean stands for.
* By the baseline's own verdicts: a goal that passed there by luck fails more often now, although
  nothing changed. If goals that passed there were played first, every bot would look worse. How
  often a goal flipped between the baseline's trials, how long it took and what it cost all hang on
  the same luck.

The order may know only what is fixed before any dialogue is played: which goals there are.

*Why looking does no harm.* Before each goal is played someone bets that its value lies above a
bound, at odds that are fair if the mean of all goals is the bound. Who plays fair games multiplies
their money by 40 with a chance of at most 1 in 40, however long they play and whenever they stop
(Ville 1939). So a capital of 40 shows that the mean lies above the bound. Several such games, each
with another fraction of what can be bet, are played side by side (Waudby-Smith and Ramdas 2024,
section 4). So the capital does not hang on the order of the values, and all bounds that it refutes
leave an interval that holds at every moment (Howard and others 2021). A goal's trials are one
value, their mean: its dialogues are not independent, those of different goals are.

*How the error is shared.* A finding is wrong in one run of twenty at most: in one of forty before
the end, in one of forty by the test after the last goal, which is the test of fixed size at a
stricter level. What is found first stays. As with a run of fixed size, this holds of each gate, and
of `worse` over all values together: a value is worse if its capital is great enough on average with
any of the others (Vovk and Wang 2021, section 5). A run that was broken off before the last goal
has what was found until then, and no test at its end.

*When nothing is to be found.* A comparison can say that a value is worse; that it is no worse takes
more goals than most runs have. So it may also end if the goals to come would hardly find a value
worse (in one run of five), even if it is by as much as all goals find in four runs of five
(stochastic curtailment, Lan, Simon and Halperin 1982). That raises no alarm, so it costs nothing of
the error, and little of the power.
"""

import math
from collections.abc import Collection, Mapping
from statistics import NormalDist

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.level import CONFIDENCE, Level, level_of
from pytest_todeval.runs.statistics.paired import (
    POWER,
    Finding,
    PairedDifference,
    difference_of,
    finding_of,
    together,
)
from pytest_todeval.runs.statistics.resampling import Interval
from pytest_todeval.runs.statistics.stakes import EARLY, Stakes

AT_THE_END = 0.025
"""How likely the test after the last goal finds something that is not so."""
TOGETHER = EARLY + AT_THE_END
"""One run of twenty: so intervals have the level of those of fixed size, whenever a run ends."""
HARDLY = 0.2
"""How likely the goals to come find something at most, if they are not worth playing."""


class SequentialLevel:
    """Whether a mean over goals reaches a bound, asked after each goal."""

    def __init__(
        self, sign: str, bound: float, *, goals: int, scale: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        """`sign`: `>=`, `>`, `<=` or `<`. `goals`: how many are planned."""
        self._sign, self._bound = sign, bound
        self._scale, self._low, self._width = scale, scale[0], scale[1] - scale[0]
        share = (bound - self._low) / self._width
        self._above, self._below = Stakes(share, goals), Stakes(1 - share, goals)
        self._values: list[float] = []
        self._level: Level | None = None
        self.reached: bool | None = None
        """None while it is open."""

    @property
    def goals(self) -> int:
        """Returns how many were taken: those after the finding are not."""
        return len(self._values)

    def take(self, value: float) -> None:
        """The value of the next goal in the planned order; of no effect once it is decided."""
        if self.reached is not None:
            return
        self._values.append(value)
        share = (value - self._low) / self._width
        self._above.take(share)
        self._below.take(1 - share)
        upward = self._sign in (">=", ">")
        if self._above.capital >= 1 / EARLY:
            self.reached = upward
        elif self._below.capital >= 1 / EARLY:
            self.reached = not upward

    def end(self) -> None:
        """All planned goals were played: what is open is tested as in a run of fixed size.

        Raises UsageError if no goal has a value.
        """
        if self.reached is None and self._level is None:
            confidence = 1 - 2 * AT_THE_END
            found = level_of(self._values, self._scale, confidence=confidence)
            self.reached = found.reaches(self._sign, self._bound)
            self._level = Level(found.goals, found.mean, _labelled(found.interval))

    @property
    def level(self) -> Level:
        """Returns the mean of the goals that were taken, with its interval."""
        if self._level is not None:
            return self._level
        if not self._values:
            raise UsageError("level: got no values")
        mean = math.fsum(self._values) / len(self._values)
        low = self._low + self._width * self._above.shown
        high = self._low + self._width * (1 - self._below.shown)
        return Level(len(self._values), mean, Interval(low, high, CONFIDENCE))


class SequentialChanges:
    """Which of several values became worse from one run to the next, asked after each goal.

    If nothing changed, before and now are alike in distribution, goal by goal: no order that is
    blind to both makes a difference of it.
    """

    def __init__(self, spans: Mapping[str, float], *, goals: int, margin: float) -> None:
        """`spans`: the widths of the values' scales by name, all that are to be compared.

        `goals`: how many are planned. `margin`: the smallest loss that matters, as a share of a
        scale.
        """
        self._spans, self._margin, self._planned = dict(spans), margin, goals
        self._worse = {name: Stakes(0.5, goals) for name in spans}
        self._no_worse = {name: Stakes((1 - margin) / 2, goals) for name in spans}
        self.findings: dict[str, Finding | None] = dict.fromkeys(spans)
        """By name: `worse`, `no worse`; None while it is open. After the end also the others."""
        self.goals = 0
        """How many were taken."""
        self._sums: dict[str, tuple[int, float, float]] = dict.fromkeys(spans, (0, 0.0, 0.0))
        """By name, of the differences as shares of the scale: how many, sum, sum of squares."""
        self._at_the_end: dict[str, tuple[PairedDifference, float]] = {}

    def take(self, differences: Mapping[str, float]) -> None:
        """What the next goal in the planned order has now, less what it had before.

        A name that the goal lacks is left out. Of no effect once all is decided.
        """
        if self.decided:
            return
        self.goals += 1
        for name, difference in differences.items():
            share = max(-1.0, min(1.0, difference / self._spans[name]))
            self._worse[name].take(0.5 - share / 2)
            self._no_worse[name].take(0.5 + share / 2)
            goals, total, squares = self._sums[name]
            self._sums[name] = goals + 1, total + share, squares + share**2
        together = seen_together({name: each.capital for name, each in self._worse.items()})
        for name, finding in self.findings.items():
            if finding is None and self._no_worse[name].capital >= 1 / EARLY:
                self.findings[name] = "no worse"
            elif finding is None and together[name] >= 1 / EARLY:
                self.findings[name] = "worse"

    @property
    def decided(self) -> bool:
        """Says whether a value is worse, or none is: what is open then changes no answer."""
        found = self.findings.values()
        return "worse" in found or None not in found

    @property
    def idle(self) -> bool:
        """Says whether the goals to come would hardly find a value worse."""
        return all(
            finding is not None or self._to_be_found(name) <= HARDLY
            for name, finding in self.findings.items()
        )

    def _to_be_found(self, name: str) -> float:
        """Returns how likely the test after the last goal finds the value worse, if the rest of the
        goals shows the smallest loss that so many goals find 4 times of 5.
        """
        seen, total, squares = self._sums[name]
        left = float(self._planned - self.goals)
        if not seen or left <= 0:
            return 1.0
        left *= seen / self.goals  # as many of them have the value
        normal = NormalDist()
        needed, power = normal.inv_cdf(1 - AT_THE_END), normal.inv_cdf(POWER)
        deviation = math.sqrt((squares + 1) / (seen + 2))
        every = math.sqrt(seen + left)
        loss = (needed + power) * deviation / every
        missing = needed * deviation * every + total - left * loss
        return 1 - normal.cdf(missing / (deviation * math.sqrt(left)))

    def chance(self, name: str) -> float:
        """How likely it looks as much worse by chance, over all values, whenever it is looked at.

        At most 0.05 of a value that is found to be worse.
        """
        if name in self._at_the_end:
            return min(1.0, self._at_the_end[name][1] * TOGETHER / AT_THE_END)
        capitals = {each: stakes.capital for each, stakes in self._worse.items()}
        return min(1.0, TOGETHER / EARLY / seen_together(capitals)[name])

    def interval(self, name: str) -> Interval:
        """In which the mean difference of a value lies, whenever it is looked at."""
        if name in self._at_the_end:
            return _labelled(self._at_the_end[name][0].interval)
        span = self._spans[name]
        low, high = 2 * self._no_worse[name].shown - 1, 1 - 2 * self._worse[name].shown
        return Interval(span * low, span * high, CONFIDENCE)

    def end(
        self,
        pairs: Mapping[str, Mapping[str, tuple[float, float]]],
        *,
        unlike: Collection[str] = (),
    ) -> None:
        """All planned goals were played: what is open is tested as in a run of fixed size.

        `pairs`: by name and goal, what it was and what it is. `unlike`: the names of which goals
        have another number of trials now.
        """
        level = 1 - 2 * AT_THE_END
        found = {
            name: difference_of(
                each, span=self._spans[name], level=level, same_trials=name not in unlike
            )
            for name, each in pairs.items()
        }
        differences = {
            name: {goal: now - before for goal, (before, now) in each.items()}
            for name, each in pairs.items()
        }
        chances = together({name: each.worse for name, each in found.items()}, differences)
        for name, each in found.items():
            if self.findings[name] is None:
                least = self._margin * self._spans[name]
                self.findings[name] = finding_of(each, chances[name], least, AT_THE_END)
                self._at_the_end[name] = each, chances[name]


def seen_together(capitals: Mapping[str, float]) -> dict[str, float]:
    """By name, the least mean of its capital and of any others': if it is great enough, so is each
    mean that holds it, and the value is worse whichever of the others are not.
    """
    found = {}
    for name, capital in capitals.items():
        others = sorted(each for other, each in capitals.items() if other != name)
        total, least = capital, capital
        for place, each in enumerate(others, start=2):
            total += each
            least = min(least, total / place)
        found[name] = least
    return found


def _labelled(interval: Interval) -> Interval:
    return Interval(interval.low, interval.high, CONFIDENCE)
