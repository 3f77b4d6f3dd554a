"""Judged rules: asked of a model, beside the executable ones; what cannot be told is no pass."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import InvalidFile, JudgeFault, UsageError
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.judge.llm_judge.rules import judge_rules
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.rules.rule import JudgedRule
from pytest_todeval.models.fake_server.answer import Answerable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.rules import Rule, RuleReport, RuleSet, load_rules
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.dialogue_world import dialogue, restaurant_goal, said
from tests.support.hostile_replies import HOSTILE, gullible
from tests.support.judging_world import everywhere, graded, panel_of, played, texts

FILE = """
name: ours
rules:
  - id: polite
    says: The bot is polite.
    judged: Be polite to the user.
  - id: no-alas
    says: The bot does not say alas.
    never: {phrase: alas}
  - id: regrets
    says: A bot that cannot help regrets it.
    when: {phrase: cannot}
    judged: Say that you are sorry.
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> RuleSet:
    path = tmp_path / "ours.yaml"
    path.write_text(FILE, encoding="utf-8")
    return load_rules(path)


def three(*replies: str) -> Dialogue:
    return dialogue(restaurant_goal(), *(said(f"Question {n}", r) for n, r in enumerate(replies)))


def judged(
    server: StandInServer,
    rules: RuleSet,
    shown: Dialogue,
    *models: str,
    samples: int = 1,
) -> RuleReport:
    panel = panel_of(server, *models, samples=samples)
    return judge_rules(ModelBench(panel, Prompts()), shown, rules)


def values(report: RuleReport) -> list[int | None]:
    return [result.value for result in report.results]


def says(polite: object, regrets: object) -> Mapping[str, object]:
    return graded({"polite": polite, "regrets": regrets})


def test_both_kinds_in_one_report(ruleset: RuleSet) -> None:
    def answer(request: ChatRequest) -> Answerable:
        return says(0, 0) if "in turn 2," in request.last_user else says(1, 1)

    with StandInServer(answer) as server:
        report = judged(server, ruleset, three("Yes.", "Alas, I cannot.", "I cannot, sorry."))
    assert len(server.requests) == 3
    assert values(report) == [1, 1, -1, 0, 0, 0, 1, 1, 1]
    assert [result.rule for result in report.of_turn(2)] == ["polite", "no-alas", "regrets"]
    assert [result.by for result in report.of_turn(2)] == ["m", "evidence", "m"]
    assert [result.by for result in report.of_turn(1)] == ["m", "evidence", "evidence"]
    assert not report
    assert report.broken[0].reason == "polite it is"
    assert report.broken[0].says == "The bot is polite."
    assert "rules_turn 1 (" in report.definition


def test_the_eight_rules_of_a_paper_are_asked_in_one_call_a_turn() -> None:
    """AutoEval-ToD, table 7 and prompt H.3: 1, 0 or -1 for each rule."""
    eight = load_rules("autoeval_tod")
    given = {rule.id: 0 if rule.id == "no-price-told" else 1 for rule in eight.rules}
    with StandInServer(lambda request: graded(given)) as server:
        report = judged(server, eight, three("The inn costs 90 pounds."))
        (asked,) = texts(server)
    for rule in eight.rules:
        assert isinstance(rule.demand, JudgedRule)
        assert rule.demand.sentence in asked
    assert [result.rule for result in report.broken] == ["no-price-told"]
    assert values(report).count(1) == 7


def test_nobody_is_asked_about_rules_that_do_not_apply(ruleset: RuleSet) -> None:
    only = RuleSet("only", ruleset.rules[1:])
    with StandInServer(lambda request: graded({"regrets": 1})) as server:
        report = judged(server, only, three("Yes.", "I cannot, sorry.", "No."))
        assert len(server.requests) == 1
        assert values(report) == [1, -1, 1, 1, 1, -1]
        executable = judged(server, RuleSet("x", only.rules[:1]), three("Yes."))
        assert len(server.requests) == 1
    assert report
    assert executable
    assert executable.definition == ""


def test_what_cannot_be_told_is_neither_kept_nor_broken(ruleset: RuleSet) -> None:
    def answer(request: ChatRequest) -> Answerable:
        return "Hm." if "in turn 2," in str(request.messages[1]["content"]) else says(1, 1)

    with StandInServer(answer) as server:
        report = judged(server, ruleset, three("Yes.", "Yes!"))
        broken = judged(server, ruleset, three("Alas.", "Yes!"))
    assert values(report) == [1, 1, -1, None, 1, -1]
    assert [(each.rule, each.turn) for each in report.untold] == [("polite", 2)]
    assert "polite UNTOLD in turn 2" in repr(report)
    with pytest.raises(JudgeFault, match="rule polite in turn 2 could not be judged by m: asked"):
        assert report
    assert not broken, "a rule is broken whatever the model would have said of the other"
    assert "BROKEN" in repr(broken)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ((0, 0, 1), 0),
        ((1, 1, 0), 1),
        ((1, -1, 0), 1),
        ((-1, -1, 1), -1),
        ((0, 0, "?"), 0),
        ((1, 0, "?"), None),
        ((1, "?", "?"), None),
        (("?", "?", "?"), None),
    ],
)
def test_most_answers_count(ruleset: RuleSet, given: Sequence[object], value: int | None) -> None:
    with StandInServer(lambda request: says(given[request.body["seed"]], 1)) as server:
        report = judged(server, ruleset, three("Yes."), samples=3)
    assert report.results[0].value == value
    assert [each.value for each in report.results[0].samples] == [
        None if each == "?" else each for each in given
    ]


def test_a_panel_that_is_divided_tells_nothing(ruleset: RuleSet) -> None:
    with StandInServer(lambda request: says(int(request.model == "a"), 1)) as server:
        report = judged(server, ruleset, three("Yes."), "a", "b")
    assert (report.results[0].value, report.results[0].by) == (None, "a + b")
    assert report.results[0].reason == "the answers are divided: 1 say broken, 1 say not"


def test_the_papers_own_form_is_read(ruleset: RuleSet) -> None:
    reply = (
        "<response><scratchpad>-</scratchpad><scores><score1>0</score1><reason1>rude</reason1>"
        "<score2>-1</score2><reason2>Not applicable</reason2></scores></response>"
    )
    with StandInServer(lambda request: reply) as server:
        report = judged(server, ruleset, three("I cannot."))
    assert [(each.value, each.reason) for each in report.results if each.by == "m"] == [
        (0, "rude"),
        (-1, "Not applicable"),
    ]


def test_rule_sets_of_other_rules_mean_something_else(ruleset: RuleSet) -> None:
    other = RuleSet(
        "other", (Rule("polite", "", JudgedRule("Be very polite.")), *ruleset.rules[1:])
    )
    with StandInServer(lambda request: says(1, 1)) as server:
        reports = [judged(server, each, three("Yes.")) for each in (ruleset, other)]
    assert reports[0].definition != reports[1].definition


def test_the_rule_judge_names_the_rule_it_cannot_judge(ruleset: RuleSet) -> None:
    for ask in (RuleJudge().rules, lambda d, r: RuleJudge(rule_sets=r).turns(d)):
        with pytest.raises(UsageError, match=r"rule 'polite' is `judged`.*--todeval-judge=model"):
            ask(three("Yes."), ruleset)


def test_the_judge_that_is_a_model_takes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(FILE, encoding="utf-8")
    with StandInServer(lambda request: says(1, 1)) as server:
        judge = LLMJudge(panel_of(server).clients[0])
        assert judge.rules(three("Yes."), path)
        report = judge.rules(three("Alas."), ["common", path])
    assert [each.rule for each in report.broken] == ["no-alas"]
    assert len(report.by_rule()) == 3 + len(load_rules("common").rules)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("judged: ''", "at least 1 character"),
        ("judged: [Be polite.]", "expected text"),
        ("judged: Be polite.\n    never: {phrase: x}", "it has never and judged"),
    ],
)
def test_mistakes_in_a_file_are_told_with_their_line(
    tmp_path: Path, rule: str, message: str
) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"rules:\n  - id: r\n    says: A rule.\n    {rule}\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match=rf"ours.yaml:[24]: .*{message}"):
        load_rules(path)


BROKEN, KEPT = says(0, 0), says(1, -1)


# as published: prompt H.3

TAGGED = "<scores><score1>1</score1> <reason1>Polite.</reason1> <score2>0</score2></scores>"


def as_published(server: StandInServer, rules: RuleSet, shown: Dialogue) -> RuleReport:
    return judge_rules(ModelBench(panel_of(server), Prompts(published=True)), shown, rules)


def test_as_published_rules_are_numbered_in_tags(ruleset: RuleSet) -> None:
    with StandInServer(lambda request: TAGGED) as server:
        report = as_published(server, ruleset, three("I cannot."))
    assert values(report) == [1, 1, 0]
    assert report.results[0].reason == "Polite."
    assert report.definition.startswith("published rules_turn 1 (")
    (text,) = texts(server)
    assert text.index("<rule1>") < text.index("Be polite") < text.index("</rule1>")
    assert text.index("<rule2>") < text.index("Say that you are sorry.")
    assert "for this domain says: restaurant." in text
    assert server.requests[0].schema is None


def test_as_published_the_reply_stands_beside_what_was_said_and_no_tool(ruleset: RuleSet) -> None:
    only = RuleSet("ours", ruleset.rules[:1])
    with StandInServer(lambda request: "<score1>1</score1>") as server:
        as_published(server, only, played())
    last = texts(server)[-1]
    assert last.index("It is 01999111222.") < last.index("The Copper Kettle is nice.")
    assert last.index("The Copper Kettle is nice.") < last.index("Its phone?")
    assert not any("find_restaurant" in text for text in texts(server))


@pytest.mark.parametrize("reply", ["<score1>1</score1>", "fine", TAGGED.replace(">0<", ">2<")])
def test_as_published_what_cannot_be_read_is_untold(ruleset: RuleSet, reply: str) -> None:
    with StandInServer(lambda request: reply) as server:
        report = as_published(server, ruleset, three("I cannot."))
    assert values(report) == [None, 1, None]


@pytest.fixture(scope="module")
def weak_evaluator() -> Iterator[StandInServer]:
    broken, kept = ("".join(f"<score{n}>{s}</score{n}>" for n in (1, 2)) for s in (0, 1))
    with StandInServer(gullible(broken, kept)) as server:
        yield server


@pytest.mark.parametrize("reply", HOSTILE)
def test_as_published_no_reply_talks_itself_up(
    weak_evaluator: StandInServer, ruleset: RuleSet, reply: str
) -> None:
    report = as_published(weak_evaluator, ruleset, everywhere(f"cannot {reply}"))
    assert {r.value for r in report.results if r.by == "m"} == {0}
