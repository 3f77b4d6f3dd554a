"""What a report on state tracking holds."""

from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from tests.support.dialogue_world import dialogue, restaurant_goal, said

GOOD = {"restaurant": {"food": "italian", "area": "centre"}}


def test_each_score_of_a_report_is_at_hand_by_its_name() -> None:
    played = dialogue(restaurant_goal(), said("hello", "yes", state=GOOD))
    report = labelled(played, [GOOD], "exact")
    assert report.slot_f1 >= 1
    assert {score.scale for series in report.scores.values() for score in series} == {(0, 1)}
    assert report.slot_accuracy >= 1
    found = (report.turn_state_accuracy, report.joint_goal_accuracy)
    assert (*found, report.slot_accuracy, report.slot_f1) == tuple(report.scores.values())
    assert repr(report) == (
        f"<state tracking by {report.method}: {', '.join(map(repr, report.scores.values()))}>"
    )


def test_the_reason_tells_what_is_missed_and_what_is_incorrect() -> None:
    state = {"restaurant": {"food": "indian", "name": "x"}}
    played = dialogue(restaurant_goal(), said("hello", "yes", state=state))
    (score,) = labelled(played, [GOOD], "exact").joint_goal_accuracy
    assert score.reason == (
        "missed restaurant-area: centre, restaurant-food: italian; "
        "incorrect restaurant-food: indian, restaurant-name: x"
    )
