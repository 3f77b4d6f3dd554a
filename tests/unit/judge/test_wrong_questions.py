"""Questions asked with values of the wrong type: what was got, and what is expected."""

from typing import Any

import pytest

from pytest_todeval import RuleJudge
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from tests.support.dialogue_world import dialogue, restaurant_goal, said

PLAYED = dialogue(restaurant_goal(), said("Hello.", "Hello."))


@pytest.mark.parametrize(
    ("question", "arguments", "named", "told"),
    [
        ("dialogue", ["x"], {}, "judge.dialogue: got str 'x', expected a Dialogue"),
        ("turns", [None], {}, "judge.turns: got NoneType None, expected a Dialogue"),
        ("compare", [PLAYED, "old.json"], {}, "judge.compare: got str 'old.json'"),
        ("holds", [PLAYED, 3], {}, "judge.holds: got 3, expected a sentence"),
        ("holds", [PLAYED, " "], {}, "judge.holds: got ' ', expected a sentence"),
        ("quality", [PLAYED], {"only": 5}, "judge.quality: got only=5, expected names"),
    ],
)
def test_what_is_expected_is_told(
    question: str, arguments: list[Any], named: dict[str, Any], told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        getattr(LLMJudge("m"), question)(*arguments, **named)
    assert told in str(caught.value)


def test_the_rule_judge_asks_for_a_dialogue_too() -> None:
    with pytest.raises(UsageError, match="expected a Dialogue"):
        RuleJudge().turns([PLAYED])  # type: ignore[arg-type]
