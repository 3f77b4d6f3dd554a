"""What markers are given is checked before anything is played."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.integration.markers import play_settings, trials
from pytest_todeval.play.settings import PlaySettings


def marked(*marks: pytest.MarkDecorator) -> Any:
    """A test as the collection knows it, the nearest marker first."""

    def named(name: str) -> list[pytest.Mark]:
        return [each.mark for each in marks if each.mark.name == name]

    def closest(name: str) -> pytest.Mark | None:
        return next(iter(named(name)), None)

    return SimpleNamespace(iter_markers=named, get_closest_marker=closest)


def settings(trials: int | None = None) -> Any:
    return SimpleNamespace(trials=trials)


def test_the_option_counts_more_than_the_marker_and_one_trial_is_the_rule() -> None:
    assert trials(marked(), settings()) == 1
    assert trials(marked(pytest.mark.trials(3)), settings()) == 3
    assert trials(marked(pytest.mark.trials(n=3)), settings()) == 3
    assert trials(marked(pytest.mark.trials(3)), settings(2)) == 2


@pytest.mark.parametrize("count", [0, -1, True, 1.5, "3", None])
def test_trials_are_a_whole_number_from_1_up(count: Any) -> None:
    with pytest.raises(UsageError, match=r"marker trials: got .*, expected a whole number"):
        trials(marked(pytest.mark.trials(count)), settings())


@pytest.mark.parametrize("mark", [pytest.mark.trials(), pytest.mark.trials(1, 2)])
def test_trials_without_their_number_say_what_they_take(mark: pytest.MarkDecorator) -> None:
    with pytest.raises(UsageError, match=r"marker trials: .* It takes: trials\(n\)"):
        trials(marked(mark), settings())


def test_of_several_markers_the_nearest_wins_argument_by_argument() -> None:
    near = pytest.mark.todeval(max_turns=3)
    far = pytest.mark.todeval(max_turns=9, language="German")
    assert play_settings(marked(near, far)) == PlaySettings(max_turns=3, language="German")
    assert play_settings(marked()) == PlaySettings()


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        (pytest.mark.todeval(max_turn=3), r"'max_turn'.* It takes: todeval\("),
        (pytest.mark.todeval(3), r"too many positional.* It takes: todeval\("),
    ],
)
def test_arguments_that_the_marker_does_not_take(mark: pytest.MarkDecorator, told: str) -> None:
    with pytest.raises(UsageError, match=f"marker todeval: .*{told}"):
        play_settings(marked(mark))


def test_a_wrong_argument_that_a_nearer_marker_replaces_is_told_all_the_same() -> None:
    near, far = pytest.mark.todeval(user="agenda"), pytest.mark.todeval(user="nobody")
    with pytest.raises(UsageError, match="nobody"):
        play_settings(marked(near, far))
