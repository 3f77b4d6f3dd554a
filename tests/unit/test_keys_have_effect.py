"""Each key of goal files and rule files has an effect, or the file is refused with its line.

Every key stands in a table here: a new one has to be decided on.
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile
from pytest_todeval.evaluate.rules import load
from pytest_todeval.evaluate.rules.load import load_rules
from pytest_todeval.worlds.files import schema, step_entries
from pytest_todeval.worlds.files.reading import GoalFileContent, load_goal_file

HEAD = "goals: [{id: a, message: m, domains: {spa: {inform: {t: sauna}, book: {day: monday}}}}]"
STEPS = "goals: [{id: a, steps: [{book: {visit: {day: monday}}}]}]"
EXPECT = STEPS.replace("id: a", "id: a, expect: {visit: {A1: absent}}")
STEP = "{visit: {day: monday}}"
VERB = "verbs: {freeze: {effect: sets}}\ngoals: [{id: a, steps: [{freeze: card}]}]"
GOAL_KEYS = {
    "GoalFile.name": (HEAD, f"name: x\n{HEAD}"),
    "GoalFile.database": (HEAD, f"database: demo\nslots: {{spa: [t, day]}}\n{HEAD}"),
    "GoalFile.slots": (HEAD, f"slots: {{spa: {{t: {{kind: choice}}, day: }}}}\n{HEAD}"),
    "GoalFile.user": (HEAD, f"user: {{name: Ada}}\n{HEAD}"),
    "GoalFile.verbs": (STEPS, f"verbs: {{book: {{effect: sets}}}}\n{STEPS}"),
    "GoalFile.hearing": (HEAD, f"hearing: [{{says: You are in., means: [booked]}}]\n{HEAD}"),
    "GoalFile.goals": (HEAD, HEAD.replace("id: a", "id: b")),
    "SlotEntry.kind": ("t: {kind: amount}", "t: {kind: choice}"),
    "SlotEntry.description": ("t: {kind: choice}", "t: {kind: choice, description: bath}"),
    "SlotEntry.values": ("t: {kind: choice}", "t: {kind: choice, values: [bath]}"),
    "DomainEntry.inform": (HEAD, HEAD.replace("t: sauna", "t: bath")),
    "DomainEntry.fail_inform": (HEAD, HEAD.replace("book:", "fail_inform: {t: bath}, book:")),
    "DomainEntry.book": (HEAD, HEAD.replace("monday", "friday")),
    "DomainEntry.fail_book": (HEAD, HEAD.replace("book:", "fail_book: {day: friday}, book:")),
    "DomainEntry.request": (HEAD, HEAD.replace("book:", "request: [phone], book:")),
    "DomainEntry.wants_booking": (
        HEAD.replace("book: {day: monday}", ""),
        HEAD.replace("book: {day: monday}", "wants_booking: true"),
    ),
    "DomainEntry.refusal": (HEAD, HEAD.replace("book:", "refusal: true, book:")),
    "TurnEntry.user": ("opening: [{system: hi}]", "opening: [{user: hi, system: hi}]"),
    "TurnEntry.system": ("opening: [{system: hi}]", "opening: [{system: hello}]"),
    "GoalEntry.id": (HEAD, HEAD.replace("id: a", "id: b")),
    "GoalEntry.message": (HEAD, HEAD.replace("message: m", "message: n")),
    "GoalEntry.solution": (HEAD, HEAD.replace("id: a", "id: a, solution: s")),
    "GoalEntry.opening": (HEAD, HEAD.replace("id: a", "id: a, opening: [{system: hi}]")),
    "GoalEntry.domains": (HEAD, HEAD.replace("spa", "bath")),
    "GoalEntry.user": (HEAD, HEAD.replace("id: a", "id: a, user: {name: Ada}")),
    "GoalEntry.labels": (HEAD, HEAD.replace("id: a", "id: a, labels: [smoke]")),
    "GoalEntry.steps": (STEPS, STEPS.replace("monday", "friday")),
    "GoalEntry.given": (STEPS, STEPS.replace("id: a", "id: a, given: {visit: [{id: A1}]}")),
    "GoalEntry.expect": (STEPS, STEPS.replace("id: a", "id: a, expect: {visit: {A1: absent}}")),
    "GoalEntry.reference": (HEAD, HEAD.replace("id: a", "id: a, reference: none")),
    "StepEntry.verb": (STEPS, STEPS.replace("book:", "order:")),
    "StepEntry.kind": (STEPS, STEPS.replace("visit", "trip")),
    "StepEntry.target": (STEPS, STEPS.replace("monday", "friday")),
    "StepEntry.to": (
        "change: {visit: {id: 1}, to: {day: x}}",
        "change: {visit: {id: 1}, to: {day: y}}",
    ),
    "StepEntry.details": (f"book: {STEP}", "book: {visit: {day: monday}, with: {why: x}}"),
    "StepEntry.asks": ("ask: {visit: {}, for: [fee]}", "ask: {visit: {}, for: [time]}"),
    "StepEntry.alternatives": (f"book: {STEP}", "book: {visit: {day: monday}, or: {day: friday}}"),
    "StepEntry.condition": (f"book: {STEP}", "book: {visit: {day: monday}, if: {fee: at most 20}}"),
    "StepEntry.refusal": (f"book: {STEP}", "book: {visit: {day: monday}, refusal: too late}"),
    "StepEntry.count": (f"book: {STEP}", "book: {visit: {day: monday}, count: 2}"),
    "StepEntry.choose": (f"book: {STEP}", "book: {visit: {day: monday}, choose: {fee: lowest}}"),
    "ExpectEntry.records": (EXPECT, EXPECT.replace("absent", "{state: done}")),
    "ExpectEntry.elsewhere": (EXPECT, EXPECT.replace("absent}", "absent}, elsewhere: any")),
    "VerbEntry.effect": (VERB, VERB.replace("sets", "removes")),
    "VerbEntry.states": (VERB, VERB.replace("effect: sets", "states: [frozen]")),
    "VerbEntry.sets": (VERB, VERB.replace("effect: sets", "sets: {state: frozen}")),
    "VerbEntry.asked": (VERB, VERB.replace("sets", "sets, asked: [freeze it]")),
    "VerbEntry.done": (VERB, VERB.replace("sets", "sets, done: [it is frozen]")),
}
"""By key: two files that differ by it alone, and come to other goals."""
GOALS_REFUSED = {
    "an unknown key": (HEAD.replace("inform:", "infrom:"), "unknown key; did you mean"),
    "an unused verb": (f"verbs: {{freeze: {{effect: sets}}}}\n{STEPS}", "no step has this verb"),
    "no booking of `book`": (HEAD.replace("book:", "wants_booking: false, book:"), "is false, so"),
    "no reference of nothing": (
        HEAD.replace("book: {day: monday}", "").replace("id: a", "id: a, reference: none"),
        "has no effect: the goal books nothing",
    ),
    "fails alike": (HEAD.replace("book:", "fail_inform: {t: sauna}, book:"), "equals `inform`"),
    "refused alike": (HEAD.replace("book:", "fail_book: {day: monday}, book:"), "changes nothing"),
    "refused elsewhere": (HEAD.replace("book:", "fail_book: {x: y}, book:"), "is not in `book`"),
    "new values of nothing": (
        STEPS.replace("{day: monday}", "{id: 1}, to: {day: x}"),
        "`to` has no effect",
    ),
    "records of no step": (HEAD.replace("id: a", "id: a, given: {x: []}"), "only `steps` change"),
    "both": (HEAD.replace("id: a", "id: a, steps: [{book: {visit: {}}}]"), "beside `domains`"),
}
"""What would have no effect: a file, and what is said of it."""

RULE = "rules: [{id: a, says: x, never: {phrase: damn}}]"
RULE_KEYS = {
    "_FileModel.name": (RULE, f"name: x\n{RULE}"),
    "_FileModel.includes": (RULE, f"includes: [common]\n{RULE}"),
    "_FileModel.promotes": (
        "includes: [common]\nrules: []",
        "includes: [common]\npromotes: [true-descriptions]\nrules: []",
    ),
    "_FileModel.rules": (RULE, RULE.replace("damn", "heck")),
    "_RuleModel.id": (RULE, RULE.replace("id: a", "id: b")),
    "_RuleModel.says": (RULE, RULE.replace("says: x", "says: y")),
    "_RuleModel.when": (RULE, RULE.replace("never:", "when: {calls: t}, never:")),
    "_RuleModel.never": (RULE, RULE.replace("damn", "heck")),
    "_RuleModel.always": (RULE, RULE.replace("never", "always")),
    "_RuleModel.before": (
        RULE,
        RULE.replace("never: {phrase: damn}", "before: {this: {calls: t}, needs: {calls: u}}"),
    ),
    "_RuleModel.judged": (RULE, RULE.replace("never: {phrase: damn}", "judged: It is kind.")),
    "_RuleModel.advises": (RULE, RULE.replace("never:", "advises: true, never:")),
}
RULES_REFUSED = {
    "an unknown key": (RULE.replace("says:", "wen: x, says:"), "unknown key `wen`"),
    "no rules": ("rules: []", "there are no rules in it"),
    "included twice": ("includes: [common, common]\nrules: []", "'common' is included already"),
    "promoted in vain": (f"promotes: [a]\n{RULE}", "'a' does not advise, it fails already"),
    "promoted nobody": (f"promotes: [b]\n{RULE}", "no rule 'b' here"),
    "two demands": (RULE.replace("never:", "judged: x, never:"), "takes one of"),
    "no conditions": (RULE.replace("{phrase: damn}", "{all: []}"), "expected a list of conditions"),
}


def keys_of(*modules: Any) -> set[str]:
    models = {
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    }
    return {
        f"{model.__name__}.{key}" for model in models for key in getattr(model, "model_fields", ())
    }


def goal_file(text: str) -> str:
    """A part of a file, in a file."""
    if text.startswith("t:"):
        return f"slots: {{spa: {{{text}, day: }}}}\n{HEAD}"
    if text.startswith("opening"):
        return HEAD.replace("id: a", f"id: a, {text}")
    return text if "goals:" in text else f"goals: [{{id: a, steps: [{{{text}}}]}}]"


def loaded(text: str, place: Path) -> tuple[object, ...]:
    """All that a goal file comes to, as text: what is left out of comparisons counts, too; what is
    wrong with it if that is something.
    """
    try:
        content = goals_of(place / "g.yaml", goal_file(text))
    except InvalidFile as error:
        return (str(error),)
    goals = [
        [repr(getattr(goal, field.name)) for field in fields(Goal) if field.name != "raw"]
        for goal in content.goals
    ]
    forms = [repr(part.forms) for goal in content.goals for part in goal.domains]
    return content.name, content.database, goals, forms


def goals_of(path: Path, text: str) -> GoalFileContent:
    path.write_text(text, encoding="utf-8")
    return load_goal_file(path)


def rules_of(path: Path, text: str) -> tuple[object, ...]:
    path.write_text(text, encoding="utf-8")
    found = load_rules(path)
    return found.name, found.rules


def test_every_key_is_decided_on() -> None:
    assert set(GOAL_KEYS) == keys_of(schema, step_entries)
    assert set(RULE_KEYS) == keys_of(load)


@pytest.mark.parametrize("key", GOAL_KEYS)
def test_a_key_of_a_goal_file_has_an_effect(key: str, tmp_path: Path) -> None:
    without, given = GOAL_KEYS[key]
    assert loaded(without, tmp_path) != loaded(given, tmp_path)


@pytest.mark.parametrize("key", RULE_KEYS)
def test_a_key_of_a_rule_file_has_an_effect(key: str, tmp_path: Path) -> None:
    without, given = RULE_KEYS[key]
    path = tmp_path / "r.yaml"
    assert rules_of(path, without) != rules_of(path, given)


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        *((goals_of, *each) for each in GOALS_REFUSED.values()),
        *((rules_of, *each) for each in RULES_REFUSED.values()),
    ],
    ids=[*GOALS_REFUSED, *(f"rules: {name}" for name in RULES_REFUSED)],
)
def test_what_would_have_no_effect_is_refused_with_its_line(
    read: Any, text: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidFile, match=r"\.yaml:[12]: ") as refused:
        read(tmp_path / "f.yaml", text)
    assert said in str(refused.value)
