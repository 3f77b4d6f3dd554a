"""Rule files: what they may say, and where they are wrong, with file and line."""

from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile, JudgeFault, UsageError
from pytest_todeval.rules import RuleReport, check, load_rules, shipped
from tests.support.dialogue_world import dialogue, restaurant_goal, said

HEAD = "rules:\n  - id: r\n    says: A rule.\n"


def write(folder: Path, text: str, name: str = "ours.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def report(folder: Path, rule: str, *replies: str) -> RuleReport:
    """One rule over the replies of a bot."""
    turns = [said(f"Question {at}", reply) for at, reply in enumerate(replies)]
    return check(dialogue(restaurant_goal(), *turns), load_rules(write(folder, HEAD + rule)))


def values(found: RuleReport) -> list[int | None]:
    return [result.value for result in found.results]


def test_never(tmp_path: Path) -> None:
    found = report(tmp_path, "    never: {phrase: alas}\n", "Yes.", "Alas, no.")
    assert values(found) == [1, 0]
    assert not found
    assert repr(found) == "<rule r BROKEN in turn 2: says 'alas'>"
    assert [(each.rule, each.turn, each.says) for each in found.broken] == [("r", 2, "A rule.")]


def test_always_with_when(tmp_path: Path) -> None:
    rule = "    when: {phrase: alas}\n    always: {phrase: sorry}\n"
    found = report(tmp_path, rule, "Yes.", "Alas, sorry.", "Alas.")
    assert values(found) == [-1, 1, 0]
    assert found.results[0].reason.startswith("not applicable")


def test_before(tmp_path: Path) -> None:
    rule = "    before:\n      this: {phrase: done}\n      needs: {phrase: may i}\n"
    assert values(report(tmp_path, rule, "Done.", "May I?", "Done.")) == [0, -1, 1]
    assert values(report(tmp_path, rule, "May I? Done.")) == [1]


def test_all_any_not_and_lists(tmp_path: Path) -> None:
    nested = "    never: {all: [{any: [{phrase: a}, {phrase: b}]}, {not: {phrase: c}}]}\n"
    assert values(report(tmp_path, nested, "a", "b c", "d")) == [0, 1, 1]
    plain = "    never: [{phrase: a}, {phrase: b}]\n"
    assert values(report(tmp_path, plain, "a", "a b")) == [1, 0]


def test_what_cannot_be_told_is_not_broken(tmp_path: Path) -> None:
    assert values(report(tmp_path, "    always: {calls: find_hotel}\n", "Hi")) == [-1]
    assert values(report(tmp_path, "    never: {not: {calls: x}}\n", "Hi")) == [-1]


def test_kept_rules_say_how_often_they_applied(tmp_path: Path) -> None:
    kept = report(tmp_path, "    never: {phrase: x}\n", "Hi", "Ho")
    assert kept
    assert repr(kept) == "<rules kept: 1 of 1 found something to check>"
    assert set(kept.by_rule()) == {"r"}


def test_a_dialogue_without_turns_is_a_fault_not_a_pass() -> None:
    with pytest.raises(JudgeFault, match="has no turn"):
        check(dialogue(restaurant_goal()), load_rules("common"))


def test_includes_shipped_sets_and_files_beside_it(tmp_path: Path) -> None:
    write(tmp_path, HEAD + "    never: {phrase: x}\n", "more.yaml")
    path = write(tmp_path, "name: all\nincludes: [hotel, more.yaml]\nrules: []\n")
    loaded = load_rules(path)
    ids = [rule.id for rule in loaded.rules]
    assert loaded.name == "all"
    assert ids[-1] == "r"
    assert {"true-values", "hotel-slots-before-booking"} < set(ids)


def test_json_files_too(tmp_path: Path) -> None:
    text = '{"rules": [{"id": "r", "says": "s", "never": {"phrase": "x"}}]}'
    assert [rule.id for rule in load_rules(write(tmp_path, text, "r.json")).rules] == ["r"]


RULE = "rules:\n  - id: r\n    says: s\n"


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        (RULE + "    never: {phrse: x}\n", 4, "unknown predicate 'phrse': did you mean 'phrase'?"),
        (RULE + "    never: booking_mising\n", 4, "did you mean 'booking_missing'?"),
        (RULE + "    never:\n      pattern: '(a'\n", 5, "bad pattern '(a'"),
        (RULE + "    never:\n      pattern: '(a+)+b'\n", 5, "could take too long"),
        ("rules:\n  - id: r\n    never: {phrase: x}\n", 2, "`says` is missing"),
        (RULE, 2, "rule 'r' takes one of `never`, `always`, `before`, `judged`; it has none"),
        (RULE + "    never: says\n", 4, "says: `act`: it is missing; it takes `act`"),
        (RULE + "    never: {says: sings}\n", 4, "says: `act`: expected 'request'"),
        (RULE + "    never:\n      offers_more_than: many\n", 5, "expected a whole number"),
        (RULE + "    never: {booking_missing: x}\n", 4, "booking_missing takes no argument"),
        (
            RULE + "    never:\n      missing_slots:\n        domain: hotel\n        slot: [x]\n",
            5,
            "`slots`: it is missing; it takes `domain`, `slots`",
        ),
        (RULE + "    nevr: {phrase: x}\n", 4, "unknown key `nevr`; did you mean 'never'?"),
        (RULE + "    never: {phrase: x, pattern: y}\n", 4, "expected a condition"),
        (RULE + "    never: 7\n", 4, "expected a condition"),
        (RULE + "    never:\n      all: []\n", 5, "expected a list of conditions"),
        (RULE + "    before: {this: says}\n", 4, "takes two conditions, `this` and"),
        (
            RULE + "    never: {phrase: x}\n    always: {phrase: x}\n",
            2,
            "it has never and always",
        ),
        (
            RULE + "    never: {phrase: x}\n  - id: r\n    says: s\n    never: {phrase: y}\n",
            5,
            "rule id 'r' is already on line 2; rename one of the two",
        ),
        ("includes: [motel]\nrules: []\n", 1, "did you mean 'hotel'?"),
        ("includes: [ours.yaml]\nrules: []\n", 1, "includes this file, too"),
        ("rules: many\n", 1, "expected a list"),
        ("rule: []\n", 1, "`rules` is missing"),
        ("- a\n", 1, "expected a mapping with the key `rules`"),
        ("rules:\n  - id: a b\n    says: s\n    never: says\n", 2, "string should match"),
        ("rules: [\n", 2, "broken YAML"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int, expected: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InvalidFile) as caught:
        load_rules(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: "), message
    assert expected in message


def test_conditions_cannot_be_nested_without_end(tmp_path: Path) -> None:
    deep = "{not: " * 40 + "says" + "}" * 40
    with pytest.raises(InvalidFile, match="nested more than"):
        load_rules(write(tmp_path, RULE + f"    never: {deep}\n"))


def test_unknown_names_suggest_and_list_what_is_shipped() -> None:
    with pytest.raises(UsageError, match=r"no rules 'hotle'.*did you mean 'hotel'\?.*taxi"):
        load_rules("hotle")


def test_one_id_for_two_rules_cannot_be_merged(tmp_path: Path) -> None:
    one = load_rules(write(tmp_path, HEAD + "    never: {phrase: x}\n", "a.yaml"))
    other = load_rules(write(tmp_path, HEAD + "    never: {phrase: y}\n", "b.yaml"))
    assert len(one.merged(one).rules) == 1
    with pytest.raises(UsageError, match="'r' stands for two different rules"):
        one.merged(other)


def test_shipped_sets() -> None:
    domains = {"restaurant", "hotel", "attraction", "train", "taxi"}
    papers = {"autoeval_tod", "autoeval_tod_multiwoz", "autoeval_tod_troubleshooting"}
    assert set(shipped()) == {"common", "booking", "tasks", "steps", *domains, *papers}
    common = {rule.id for rule in load_rules("common").rules}
    for domain in domains:
        assert common < {rule.id for rule in load_rules(domain).rules}
