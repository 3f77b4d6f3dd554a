from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.goals.select import select
from tests.support.examples import examples

DOMAINS = ("hotel", "train", "taxi")


@st.composite
def goal_lists(draw: st.DrawFn) -> list[Goal]:
    count = draw(st.integers(1, 30))
    names = st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=3, unique=True)
    return [Goal(f"G{n}", "x", tuple(DomainGoal(d) for d in draw(names))) for n in range(count)]


@examples(50)
@given(goals=goal_lists(), limit=st.integers(1, 40), seed=st.integers(0, 9) | st.none())
def test_a_sample_is_a_subsequence_of_the_right_length(
    goals: list[Goal], limit: int, seed: int | None
) -> None:
    chosen = select(goals, limit=limit, seed=seed)
    assert len(chosen) == min(limit, len(goals))
    rest = iter(goals)
    assert all(goal in rest for goal in chosen)
    more = {goal.id for goal in select(goals, limit=limit + 1, seed=seed)}
    assert {goal.id for goal in chosen} <= more
