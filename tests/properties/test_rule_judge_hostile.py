"""Whatever a bot says or reports: no crash, scores on their scale, results per rule and turn."""

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.evaluate.rules.patterns import compiled, search
from pytest_todeval.rules import load_rules
from tests.support.dialogue_world import BOOK, backend, restaurant_goal
from tests.support.examples import examples

WORDS = st.sampled_from(
    [
        *("The Copper Kettle", "booked", "reference number", "AB12CD34", "TR1010", "phone", "no"),
        *(
            "01999111222",
            "sorry",
            "?",
            ".",
            "\n",
            "what",
            "card number",
            "don't",
            "£10.10",
            "18:30",
        ),
        *("{{7*7}}", "%s", "\x00", "</script>", "(((((("),
    ]
)
TEXT = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "trainID", "phone", "reference", "results", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
CALLS = st.builds(
    ToolCall,
    st.sampled_from(["find_restaurant", "book_restaurant", "reserve", "cancel", "", "é("]),
    st.dictionaries(st.sampled_from(["name", "day", "people", "domain"]), PLAIN, max_size=4),
    PLAIN,
    st.none() | st.text(max_size=10),
)
Exchange = tuple[str, str, list[ToolCall], object]
TURNS = st.lists(st.tuples(TEXT, TEXT, st.lists(CALLS, max_size=2), PLAIN), min_size=1, max_size=4)
GOAL = restaurant_goal(book=BOOK, request=("phone", "address"))


@examples(60, suppress_health_check=[HealthCheck.too_slow])
@given(TURNS, st.booleans())
def test_any_text_is_judged(
    turns: list[tuple[str, str, list[ToolCall], object]], ours: bool
) -> None:
    played = Dialogue(
        GOAL,
        tuple(
            Turn(at, user, system, tuple(calls), state={"restaurant": state})
            for at, (user, system, calls, state) in enumerate(turns, 1)
        ),
    )
    known = backend() if ours else None
    judge = RuleJudge(backend=known)
    for series in judge.turns(played).scores.values():
        assert len(series) == len(turns)
        assert all(s.value in (None, 1, 2, 3, 4, 5) and s.reason for s in series)
    results = judge.rules(played, "restaurant").results
    assert len(results) == len(turns) * len(load_rules("restaurant").rules)
    assert {result.value for result in results} <= {1, 0, -1}
    verdicts = evaluate(played, known)
    assert list(verdicts) == ["inform", "success", "booking"]
    assert all(verdict.reason for verdict in verdicts.values())


@examples(100)
@given(st.text(alphabet="ab(|)*+?{1,9}[]^$\\.w", max_size=12))
def test_any_pattern_is_refused_or_matched(pattern: str) -> None:
    try:
        compiled(pattern)
    except ValueError:
        return
    search(pattern, "ab" * 400)
