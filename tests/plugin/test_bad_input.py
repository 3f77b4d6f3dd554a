"""Bad input: each message says what, where, got, expected, and what to do next."""

import pytest

from tests.plugin.conftest import RULE_SYSTEM, Suite, run


def marked(marker: str, argument: str = "dialogue") -> str:
    return (
        f"import pytest\n\n@pytest.mark.{marker}\ndef test_it({argument}):\n    assert {argument}\n"
    )


@pytest.mark.parametrize(
    ("marker", "shown"),
    [
        ("goals('multiwos')", "*'multiwos'*did you mean*multiwoz*"),
        ("goals('demo', split='tset')", "*'tset'*did you mean*test*"),
        ("goals('demo', domains=['hotels'])", "*'hotels'*did you mean*hotel*"),
        ("goals('demo', ids=['NOPE'])", "*'NOPE'*"),
        ("goals('demo', domain=['hotel'])", "*marker goals: *domain*It takes: goals(source, *"),
        ("goals('missing.yaml')", "*missing.yaml*"),
        (
            "todeval(max_turn=3)\n@pytest.mark.goals('demo')",
            "*'max_turn'*did you mean 'max_turns'*",
        ),
        ("goals('demo', limit=0)", "*limit*0*"),
        (
            "todeval(max_turns='3')\n@pytest.mark.goals('demo')",
            "marker todeval: max_turns is '3', expected a whole number above 0",
        ),
        (
            "todeval(turn_timeout=0)\n@pytest.mark.goals('demo')",
            "marker todeval: turn_timeout is 0, expected a number above 0",
        ),
    ],
)
def test_wrong_marker(suite: Suite, marker: str, shown: str) -> None:
    result = run(suite(marked(marker)))
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([shown])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_marker_without_dialogue(suite: Suite) -> None:
    result = run(suite(marked("goals('demo')", "tmp_path")))
    result.stdout.fnmatch_lines(["*is marked `goals` but asks for no dialogue*"])


def test_dialogue_without_marker(suite: Suite) -> None:
    result = run(suite("def test_it(dialogue):\n    assert dialogue\n"))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*asks for a goal but no marker says which*"])


def test_a_marker_that_is_nearly_ours(suite: Suite) -> None:
    result = run(suite(marked("goal('demo')")), "-Wignore")
    result.stdout.fnmatch_lines(["*`goal` is none: did you mean `goals`?*"])
    result = run(suite(marked("trails(2)\n@pytest.mark.goals('demo')")), "-Wignore")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["marker trails: there is none: did you mean `trials`?*"])


def test_an_empty_goal_file(suite: Suite) -> None:
    pytester = suite(marked("goals('empty.yaml')"))
    pytester.path.joinpath("empty.yaml").write_text("\n")
    run(pytester).stdout.fnmatch_lines(["*empty.yaml: got nothing, expected `goals:` with a list*"])


def test_two_goal_files_of_one_name(suite: Suite) -> None:
    file = "database: demo\ngoals:\n- {id: one, domains: {hotel: {inform: {area: north}}}}\n"
    pytester = suite(
        marked("goals('new/shop.yaml')") + marked("goals('old/shop.yaml')").replace("_it", "_that")
    )
    for folder in ("new", "old"):
        pytester.mkdir(folder).joinpath("shop.yaml").write_text(file)
    result = run(pytester)
    result.stdout.fnmatch_lines(["two goal files of this run are called 'shop'*`name: ...`*"])
    pytester.path.joinpath("old", "shop.yaml").write_text(f"name: old-shop\n{file}")
    result = run(pytester, "--collect-only", "-q")
    result.stdout.fnmatch_lines(["*test_it*shop/one*", "*test_that*old-shop/one*"])


@pytest.mark.parametrize(
    ("option", "wanted"), [("--todeval-judge=model", "judge"), ("--todeval-user=vanilla", "user")]
)
def test_a_model_is_asked_for_and_none_is_named(suite: Suite, option: str, wanted: str) -> None:
    result = run(suite(marked("goals('demo')")), option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{option} needs a model*--todeval-model=MODEL (or {wanted}:*"])


def test_a_marker_that_its_project_knows_is_no_slip(suite: Suite) -> None:
    pytester = suite(marked("trial\n@pytest.mark.goals('demo', limit=1)"))
    pytester.makeini("[pytest]\nmarkers =\n    trial(n): heard before a judge\n")
    run(pytester, "--collect-only", "-q").stdout.fnmatch_lines(["*1 test collected*"])


@pytest.mark.parametrize(
    ("marker", "told"),
    [
        ("judge='model'", "*marker todeval: judge='model' needs a model*(or judge:*"),
        ("user='llm'", "*the user 'llm' needs a model*(or user:*"),
    ],
)
def test_a_marker_asks_for_a_model_and_none_is_named(suite: Suite, marker: str, told: str) -> None:
    test = marked(f"todeval({marker})\n@pytest.mark.goals('demo', limit=1)", "dialogue, judge")
    result = run(suite(test))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([told])
    result.stdout.no_fnmatch_line("1 dialogue (*")


def test_a_policy_that_is_not_there_is_refused_before_a_dialogue(suite: Suite) -> None:
    test = marked("goals('demo', limit=1)", "dialogue, judge")
    told = ["--todeval-judge=model", "--todeval-model=judge:m", "--todeval-policy=none.md"]
    result = run(suite(test), *told)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--todeval-policy: no file *none.md"])


def test_broken_goal_file(suite: Suite) -> None:
    pytester = suite(marked("goals('broken.json')"))
    pytester.path.joinpath("broken.json").write_text('{"goals": [\n  {"id": }\n]}')
    result = run(pytester)
    result.stdout.fnmatch_lines(["*broken.json:2*"])


def test_goal_naming_a_slot_that_does_not_exist(suite: Suite) -> None:
    pytester = suite(marked("goals('mine.yaml')"))
    pytester.path.joinpath("mine.yaml").write_text(
        "database: demo\n"
        "goals:\n"
        "- id: one\n"
        "  domains:\n"
        "    hotel:\n"
        "      inform: {pricerang: cheap}\n"
    )
    result = run(pytester)
    result.stdout.fnmatch_lines(["*mine.yaml:6*pricerang*did you mean*pricerange*"])


def test_missing_tod_system_is_one_usage_error_with_the_lines_to_paste(suite: Suite) -> None:
    result = run(suite(conftest=""))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*def tod_system():*", "*6 tests ask for it*"])


def test_missing_tod_system_with_xdist(suite: Suite) -> None:
    result = run(suite(conftest=""), "-n1")
    assert result.ret != 0
    assert "def tod_system():" in result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


@pytest.mark.parametrize("wrong", ["42", "None", "['a', 'list']", "object()"])
def test_tod_system_of_the_wrong_shape(suite: Suite, wrong: str) -> None:
    conftest = f"import pytest\n\n@pytest.fixture\ndef tod_system():\n    return {wrong}\n"
    result = run(suite(marked("goals('demo', limit=1)"), conftest))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*SystemContractError: *tod_system*"])


def test_user_simulator_of_the_wrong_shape(suite: Suite) -> None:
    conftest = RULE_SYSTEM + "\n@pytest.fixture\ndef user_simulator():\n    return 'hello'\n"
    result = run(suite(marked("goals('demo', limit=1)"), conftest))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*user simulator *has no method `respond(turn)`*"])


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_wrong_option_value(suite: Suite, value: str) -> None:
    result = run(suite(), f"--todeval-limit={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--todeval-limit: got '{value}', expected a whole number*"])


def test_missing_data_says_what_to_run(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester = suite(marked("multiwoz(limit=1)"))
    monkeypatch.delenv("TODEVAL_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(pytester.path / "cache"))
    result = run(pytester)
    result.stdout.fnmatch_lines(["*todeval data get multiwoz*"])
