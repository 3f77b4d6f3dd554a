"""Small nouns of the core: fingerprints, bounds, claims, a yes or no."""

import hashlib
from typing import Any

import pytest

from pytest_todeval.core import deadline, lane
from pytest_todeval.core.assertable import ByName, YesNo
from pytest_todeval.core.bound import SIGNS, decides, good
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import CLAIMED, Verdict
from pytest_todeval.errors import JudgeFault


def test_a_fingerprint_is_the_start_of_a_sha256_over_parts_with_their_lengths() -> None:
    whole = (2).to_bytes(8, "big") + b"ab" + (0).to_bytes(8, "big")
    assert fingerprint([b"ab", b""]) == hashlib.sha256(whole).hexdigest()[:12]
    assert fingerprint([b"ab", b"c"]) != fingerprint([b"a", b"bc"])


@pytest.mark.parametrize(
    ("sign", "bounds"),
    [
        (">=", (2, 6)),
        ("<", (2, 6)),
        (">", (1, 5)),
        ("<=", (1, 5)),
        ("==", (1, 6)),
        ("!=", (1, 6)),
    ],
)
def test_which_bounds_decide_anything_on_a_scale_from_1_to_5(
    sign: str, bounds: tuple[int, int]
) -> None:
    deciding = [bound for bound in range(-1, 8) if decides(sign, bound, 1, 5)]
    assert deciding == list(range(*bounds))
    for bound in range(-1, 8):
        told = {SIGNS[sign](score, bound) for score in range(1, 6)}
        assert decides(sign, bound, 1, 5) == (len(told) == 2)


def test_a_good_bound_is_one_less_than_the_most_if_that_leaves_something_below() -> None:
    assert [good(1, 5), good(0, 1), good(0, 2), good(0.0, 1.5)] == [4, 1, 1, 0.5]


@pytest.mark.parametrize("factuality", Factuality)
def test_only_what_is_asserted_holds(factuality: Factuality) -> None:
    claim = DialogueAct(Act.BOOKED, "hotel", factuality=factuality)
    assert claim.holds is (factuality is Factuality.ASSERTED)


def test_claims_are_equal_whatever_sentence_says_them() -> None:
    assert DialogueAct(Act.BOOKED, sentence="It is booked.") == DialogueAct(
        Act.BOOKED, sentence="Done."
    )
    assert DialogueAct(Act.BOOKED, doubt="a word") != DialogueAct(Act.BOOKED)


class Passed(YesNo):
    """A yes or no that is nothing more."""

    def __init__(self, passed: bool) -> None:
        self.passed = passed

    def __bool__(self) -> bool:
        return self.passed

    def _line(self) -> str:
        return "passed"

    def _compared(self) -> tuple[bool]:
        return (self.passed,)


def test_a_yes_is_equal_to_true_and_a_no_to_false() -> None:
    assert [Passed(True) == each for each in (True, False)] == [True, False]
    assert [Passed(False) == each for each in (True, False)] == [False, True]
    assert Passed(True) == Passed(True)
    assert Passed(True) != Passed(False)


def test_a_table_of_results_shows_what_is_in_it() -> None:
    assert repr(ByName({"inform": 3})) == "{'inform': 3}"


def test_who_watches_lanes_hears_of_each_start_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "_WATCHERS", [])
    seen: list[tuple[int, bool, bool]] = []
    stop = lane.watch(lambda place, starts: seen.append((place.turn, starts, lane.here() == place)))
    with lane.in_lane("d", lane.Lane.SYSTEM, 1), lane.in_lane("d", lane.Lane.USER, 2):
        pass
    stop()
    with lane.in_lane("d", lane.Lane.SYSTEM, 3):
        pass
    assert seen == [(1, True, True), (2, True, True), (2, False, True), (1, False, True)]
    assert lane.here() is None


def test_how_long_code_is_still_waited_for() -> None:
    assert deadline.remaining() is None
    with deadline.waited_for(1000):
        left = deadline.remaining()
        with deadline.waited_for(10):
            less = deadline.remaining()
    assert left is not None
    assert less is not None
    assert 0 < less <= 10 < left <= 1000
    assert deadline.remaining() is None


@pytest.mark.parametrize(
    ("more", "counted", "line"),
    [
        ({}, True, "verdict"),
        ({"passed": False}, False, "verdict"),
        ({"value": 0.0}, 0.0, "verdict.value >= 0"),
        ({"value": 0.5, "basis": CLAIMED}, 0.5, "verdict.value >= 0.5"),
        ({"applicable": False}, None, "verdict"),
        ({"doubt": "a word"}, None, "verdict"),
        ({"refused": "claimed"}, None, "verdict"),
    ],
)
def test_what_a_verdict_counts_for(
    more: dict[str, Any], counted: bool | float | None, line: str
) -> None:
    given: dict[str, Any] = {"name": "reward", "passed": True, "reason": "r", **more}
    verdict = Verdict(**given)
    assert repr(verdict.metric) == repr(counted)
    assert verdict.undecided is bool({"doubt", "refused"} & set(more))
    assert verdict._line() == line


def test_a_pass_that_only_claims_show_is_refused_if_claims_do_not_count() -> None:
    claimed = Verdict("booking", True, "it said so", basis=CLAIMED)
    refused = claimed.without_claims()
    assert refused.undecided
    assert refused.passed
    with pytest.raises(JudgeFault, match="--todeval-claims=fail asks for more"):
        bool(refused)
    shown = f"<booking UNDECIDED: it said so [claimed, not verified] (but {refused.refused})>"
    assert repr(refused) == shown


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict("booking", True, "it stands"),
        Verdict("booking", False, "nothing said", basis=CLAIMED),
        Verdict("booking", True, "none asked", basis=CLAIMED, applicable=False),
        Verdict("booking", True, "said so", basis=CLAIMED, doubt="a word"),
    ],
)
def test_every_other_verdict_stays_as_it_is_without_claims(verdict: Verdict) -> None:
    assert verdict.without_claims() is verdict


def idle(turn: int) -> Score:
    return Score("a", None, "a greeting", turn, unscored=Score.NOT_APPLICABLE)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_score_that_applies_to_no_turn_passes_no_bound(sign: str) -> None:
    series: Any = ScoreSeries("a", [idle(1), idle(2)])
    assert series.applicable is False
    with pytest.raises(JudgeFault, match=r"a is not applicable \(a greeting\): none of 2 scores"):
        SIGNS[sign](series, 4)
    with pytest.raises(JudgeFault, match="a is not applicable"):
        SIGNS[sign](series[0], 4)


def test_a_score_that_applies_to_a_turn_is_compared_there() -> None:
    series = ScoreSeries("a", [idle(1), Score("a", 3, "so", 2)])
    assert series.applicable is True
    assert series >= 3
    assert not series >= 4
    fault = ScoreSeries("a", [idle(1), Score("a", None, "x", 2, unscored="asked twice")])
    assert fault.applicable is True
    with pytest.raises(JudgeFault, match="a of turn 2 is unscored: asked twice"):
        assert fault >= 3
