"""Who plays and who judges, by marker, option and model."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.play.who import JUDGES, STRATEGIES, USERS, check_user

GOAL = Goal("1", "own", (DomainGoal("hotel", {"area": "north"}),))
HOW = PlaySettings()
MODEL = Cast(model="m")


def test_a_model_plays_and_judges_if_one_is_set_and_rules_do_if_not() -> None:
    assert (Cast().plays_user(HOW), Cast().plays_judge(HOW)) == ("agenda", "rules")
    assert (MODEL.plays_user(HOW), MODEL.plays_judge(HOW)) == ("vanilla", "model")
    assert MODEL.plays_user(HOW, "thought") == "thought"
    only_judge = Cast(model="judge:m")
    assert (only_judge.plays_user(HOW), only_judge.plays_judge(HOW)) == ("agenda", "model")


def test_the_marker_counts_more_than_the_option_and_that_more_than_a_model() -> None:
    asked = Cast(model="m", user="agenda", judge="rules")
    assert (asked.plays_user(HOW), asked.plays_judge(HOW)) == ("agenda", "rules")
    marked = PlaySettings(user="react", judge="fused")
    assert (asked.plays_user(marked), asked.plays_judge(marked)) == ("react", "fused")


@pytest.mark.parametrize(
    ("cast", "line"),
    [
        (Cast(), None),
        (MODEL, "user: model (m); judge: model (m)"),
        (Cast(model="judge:a"), "user: agenda; judge: model (a)"),
        (Cast(model="m", user="recorded", judge="rules"), "user: recorded; judge: rules"),
        (Cast(model="user:u", user="react"), "user: react (u); judge: rules"),
        (Cast(model="ear:e", ear="model"), "user: agenda; judge: rules; ear: model (e)"),
    ],
)
def test_the_header_tells_which_models_play(cast: Cast, line: str | None) -> None:
    assert cast.line() == line


def test_endpoints_that_contradict_are_told_before_anything_is_played() -> None:
    Cast(model="m", base_url="http://127.0.0.1:1/v1").require_models()
    with pytest.raises(UsageError, match="is a second one for judge"):
        Cast(model="m", base_url="judge:http://a.test,judge:http://b.test").require_models()


def test_the_user_is_the_one_model_that_is_set() -> None:
    (model,) = MODEL.models[Lane.USER]
    assert model.model == "m"
    assert Cast(model="ear:e", ear="model").ear_model == Cast(model="ear:e").models[Lane.EAR][0]
    assert MODEL.ear_model is None
    assert MODEL.make_ear(GOAL, None) is None
    with pytest.raises(UsageError, match="the user 'react'"):
        Cast().llm_user(GOAL, "react", HOW, None, 0)


def test_examples_come_from_a_file_or_a_folder_and_the_marker_counts_more(tmp_path: Path) -> None:
    for name, text in (("b.md", "User: b\n"), ("a.txt", "User: a"), ("c.json", "{}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert MODEL.shown_examples is None
    assert Cast(examples=tmp_path).shown_examples == ("User: a", "User: b")
    assert Cast(examples=tmp_path / "c.json").shown_examples == ("{}",)
    assert Cast(examples=tmp_path / "none").shown_examples == ()
    with pytest.raises(UsageError, match=r"--todeval-examples: .*nothing cannot be read"):
        _ = Cast(examples=tmp_path / "nothing").shown_examples
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"holds no file that ends in \.txt or \.md"):
        _ = Cast(examples=tmp_path / "empty").shown_examples


def test_the_marker_says_how_words_are_varied_else_the_option_does() -> None:
    asked = Cast(variation="speech")
    assert (Cast().varies(HOW), asked.varies(HOW)) == ("", "speech")
    assert asked.varies(PlaySettings(variation="hard")) == "hard"
    assert asked.varies(PlaySettings(variation="none")) == ""
    assert Cast().make_variation(GOAL, HOW, 0) is None
    made = asked.make_variation(GOAL, HOW, 0)
    assert made is not None
    assert (made.name, made.asks_model) == ("speech", False)
    french = MODEL.make_variation(GOAL, PlaySettings(variation="French"), 0)
    assert french is not None
    assert (french.name, french.asks_model) == ("French", True)
    with pytest.raises(UsageError, match="the variation 'French' needs a model: name one with"):
        Cast(variation="French").make_variation(GOAL, HOW, 0)
    with pytest.raises(
        UsageError, match="marker todeval: no variation 'hrad'; did you mean 'hard'"
    ):
        PlaySettings(variation="hrad")


@pytest.mark.parametrize("examples", ["User: a", [1]])
def test_examples_of_a_marker_are_a_list_of_texts(examples: Any) -> None:
    with pytest.raises(UsageError, match=r"marker todeval: examples: got .*, expected a list of"):
        PlaySettings(examples=examples)


@pytest.mark.parametrize("judge", JUDGES)
def test_judges_are_known_by_name(judge: str) -> None:
    assert PlaySettings(judge=judge).judge == judge
    with pytest.raises(UsageError, match=f"no judge '{judge}s'; did you mean '{judge}'"):
        PlaySettings(judge=f"{judge}s")


@pytest.mark.parametrize("user", USERS)
def test_users_are_known_by_name(user: str) -> None:
    check_user(user, "here")


def test_who_is_no_user_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="here: no user 'nobody'; ") as told:
        check_user("nobody", "here")
    known = str(told.value).partition("Known: ")[2].split(", ")
    assert known[:3] == ["agenda", "recorded", "vanilla"]
    assert sorted(known) == sorted({"agenda", "recorded", *STRATEGIES, *known})


def test_a_marker_names_the_model_of_its_user_with_the_settings_of_the_lane(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("user: {model: usual, temperature: 0.5}")
    cast = Cast(models_file=file)
    how = PlaySettings(user_model="other")
    assert cast.user_model(how, "the user") == ModelSettings("other", temperature=0.5)
    assert cast.user_model(PlaySettings(), "the user").model == "usual"
    assert cast.plays_user(how) == "vanilla"
    assert Cast().plays_user(how) == "vanilla"
    assert Cast().user_model(how, "the user") == ModelSettings("other")


@pytest.mark.parametrize(
    ("cast", "told"),
    [
        ({"user": "react"}, "--todeval-user=react needs a model"),
        ({"user": "react", "model": "judge:m"}, "or user:MODEL"),
        ({"judge": "fused"}, "--todeval-judge=fused needs a model"),
        (
            {"coverage": "model", "model": "user:m"},
            "--todeval-coverage=model needs .*or judge:MODEL",
        ),
        ({"user": "react", "model": "user:m"}, None),
        ({"judge": "model", "model": "judge:m"}, None),
        ({"coverage": "model", "model": "judge:m"}, None),
        *(({"user": user}, None) for user in ("agenda", "recorded")),
        ({"judge": "rules", "coverage": "rules"}, None),
        ({}, None),
    ],
)
def test_a_model_that_options_ask_for_has_to_be_set(cast: dict[str, Any], told: str | None) -> None:
    if told is None:
        Cast(**cast).require_models()
    else:
        with pytest.raises(UsageError, match=told):
            Cast(**cast).require_models()


def test_a_model_that_a_marker_asks_for_has_to_be_set() -> None:
    for judge in (None, "rules"):
        Cast().require_marked(PlaySettings(judge=judge))
    with pytest.raises(UsageError, match="marker todeval: judge='model' needs a model"):
        Cast().require_marked(PlaySettings(judge="model"))
    MODEL.require_marked(PlaySettings(judge="model"))


def test_a_part_for_one_model_has_no_two() -> None:
    models = [ModelSettings("a"), ModelSettings("b")]
    several, hearing = Cast(), Cast(ear="model")
    for cast in (several, hearing):
        vars(cast)["models"] = {Lane.USER: models, Lane.JUDGE: (), Lane.EAR: models}
    with pytest.raises(UsageError, match="the user is one model, but 2 are set for the lane user"):
        several.one_model(Lane.USER, "the user")
    with pytest.raises(UsageError, match="--todeval-ear=model is one model, but 2 are"):
        _ = hearing.ear_model
    assert several.line() == "user: model (a, b); judge: rules"


def test_a_judge_reads_the_policy_of_the_option_else_the_backends(tmp_path: Path) -> None:
    file = tmp_path / "policy.md"
    file.write_text("Be kind.", encoding="utf-8")
    backend = SimpleNamespace(policy="Be brief.")
    judges = [MODEL, Cast(model="m", policy=file)]
    assert [cast.llm_judge(HOW, backend)._bench.policy for cast in judges] == [
        "Be brief.",
        "Be kind.",
    ]
    assert MODEL.llm_judge(HOW, None)._bench.policy == ""
    with pytest.raises(UsageError, match=r"--todeval-policy: .*none cannot be read"):
        Cast(model="m", policy=tmp_path / "none").llm_judge(HOW, None)
    with pytest.raises(UsageError, match="a judge that is a model needs a model"):
        Cast().llm_judge(HOW, None)


def test_who_judges_is_made_of_marker_and_option() -> None:
    assert type(Cast().make_judge(HOW, None)).__name__ == "RuleJudge"
    made: dict[str, Any] = {
        name: MODEL.make_judge(PlaySettings(judge=name), None) for name in JUDGES
    }
    assert type(made["rules"]).__name__ == "RuleJudge"
    kinds = {
        name: (each._bench.fused, each._bench.published)
        for name, each in made.items()
        if name != "rules"
    }
    assert kinds == {"model": (False, False), "fused": (True, False), "published": (False, True)}


def test_examples_of_the_marker_take_the_place_of_the_options(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("User: option", encoding="utf-8")
    cast = Cast(model="m", examples=file)

    def shown(**how: Any) -> str:
        user = cast.llm_user(GOAL, "vanilla", PlaySettings(**how), None, 0)
        return str(user._drafting.script)

    assert "User: option" in shown()
    assert "User: marker" in shown(examples=["User: marker"])
    assert "User: option" not in shown(examples=["User: marker"])
    assert "User: option" not in shown(examples=[])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"max_turns": 0}, "marker todeval: max_turns is 0"),
        ({"turn_timeout": -1.0}, "marker todeval: turn_timeout is -1"),
        ({"dialogue_timeout": 0}, "marker todeval: dialogue_timeout is 0"),
        ({"user": "nobody"}, "marker todeval: no user 'nobody'"),
        ({"protocol": "strickt"}, "marker todeval: no protocol 'strickt'; did you mean 'strict'"),
        ({"unserved": "fail"}, "marker todeval: unserved: got 'fail'; did you mean 'fails'"),
    ],
)
def test_what_a_marker_gets_wrong_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        PlaySettings(**given)


def test_what_a_marker_may_say() -> None:
    for given in ({"protocol": "strict"}, {"protocol": "lenient"}, {"unserved": "allowed"}):
        PlaySettings(**given)  # type: ignore[arg-type]
    assert PlaySettings(examples=["a"]).examples == ["a"]
