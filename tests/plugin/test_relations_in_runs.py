"""Relations between dialogues, as a suite asks for them: broken ones are named and shown."""

import pytest

from tests.plugin.conftest import RULE_SYSTEM, Suite, apart

TEST = """
import pytest

@pytest.mark.property_goals("demo", domains=["restaurant"], max_examples=6, styles=False)
@pytest.mark.relations({names})
def test_the_same_is_done(dialogue):
    assert dialogue.success
"""
LOUD = """
import pytest
from pytest_todeval.systems import RuleSystem

class BooksForOneIfShoutedAt(RuleSystem):
    def respond(self, text):
        self.loud = text.isupper()
        return super().respond(text)

    def book(self, state, arguments):
        if self.loud:
            arguments = {**arguments, "people": "1"}
        return super().book(state, arguments)

@pytest.fixture(scope="session")
def tod_system():
    return BooksForOneIfShoutedAt
"""


def test_a_broken_relation_is_named_and_both_dialogues_are_shown(suite: Suite) -> None:
    pytester = suite(TEST.format(names="'greeting', 'shouted'"), conftest=LOUD)
    result = apart(pytester, "--hypothesis-seed=3")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*relation 'shouted' is broken (the same in capital letters): booking is passed and "
            "failed:*",
            "*1. * | 1. *",
            "*smallest goal*",
            "*It should have * Book it with *",
            "*todeval goals add pinned.yaml *",
        ]
    )


@pytest.mark.parametrize("names", ["'greeting', 'aside', 'split'", ""])
def test_relations_hold_for_the_reference_bot(suite: Suite, names: str) -> None:
    result = apart(suite(TEST.format(names=names), conftest=RULE_SYSTEM), "--hypothesis-seed=4")
    result.assert_outcomes(passed=1)


def test_an_unknown_relation_and_one_beside_no_drawn_goals_are_refused(suite: Suite) -> None:
    result = apart(suite(TEST.format(names="'greting'")))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no relation 'greting'; did you mean 'greeting'*"])
    alone = (
        TEST.format(names="")
        .replace('property_goals("demo"', 'goals("demo"')
        .replace(", max_examples=6, styles=False", ", limit=2")
    )
    result = apart(suite(alone))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*marker relations: goes beside property_goals or @given*"])
