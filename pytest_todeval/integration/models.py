"""Which models play a part in a run, and the users and judges made of them."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.markers import PlaySettings
from pytest_todeval.integration.options import Settings, path_of

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.core.verdict import Verdict
    from pytest_todeval.evidence.model.model_ear import ModelEar
    from pytest_todeval.judge.llm_judge.judge import LLMJudge
    from pytest_todeval.llm.settings import ModelSettings
    from pytest_todeval.simulation.llm_user import LLMUser

__all__ = [
    "ear_model",
    "ear_of",
    "judge_of",
    "llm_judge",
    "llm_user",
    "models_by_lane",
    "models_of",
    "players_line",
    "sentence_judge",
    "user_of",
]

_MODELS = pytest.StashKey["dict[Lane, tuple[ModelSettings, ...]]"]()


def models_of(config: pytest.Config, lane: Lane) -> "tuple[ModelSettings, ...]":
    """The models set for a lane; none where nothing is. Raises UsageError and InvalidFile.

    Every test asks several times: the file is read once per process.
    """
    known = config.stash.setdefault(_MODELS, {})
    if lane not in known:
        known[lane] = _models(config, lane)
    return known[lane]


def _models(config: pytest.Config, lane: Lane) -> "tuple[ModelSettings, ...]":
    settings = Settings.of(config)
    if not (settings.model or settings.models):
        return ()
    from pytest_todeval.llm.models_file import settings_for

    file = path_of(config, "models")
    return settings_for(lane, file=file, model=settings.model, base_url=settings.base_url)


def models_by_lane(config: pytest.Config) -> "dict[str, tuple[ModelSettings, ...]]":
    """The models by the name of their lane, for fixtures of one's own."""
    return {lane.value: models_of(config, lane) for lane in Lane}


def user_of(config: pytest.Config, how: PlaySettings, *, task: bool = False) -> str:
    """Who plays the user: the test's marker, else the option, else a model where one is set.

    A `task` has an instruction and no slots; tau-bench's own user is made for it.
    """
    chosen = how.user or Settings.of(config).user
    if chosen is None and models_of(config, Lane.USER):
        return "llm" if task else "vanilla"
    return chosen or "agenda"


def judge_of(config: pytest.Config, how: PlaySettings) -> str:
    """Who judges: the test's marker, else the option, else a model where one is set."""
    chosen = how.judge or Settings.of(config).judge
    return chosen or ("model" if models_of(config, Lane.JUDGE) else "rules")


def ear_model(config: pytest.Config) -> "ModelSettings | None":
    """The model that hears the bot; None where the rules do.

    Raises UsageError where a model shall hear and none, or several, are set.
    """
    if Settings.of(config).ear != "model":
        return None
    return _one(config, Lane.EAR, "--todeval-ear=model")


def ear_of(config: pytest.Config, goal: "Goal", backend: Any) -> "ModelEar | None":
    """The ear of a dialogue, where it is a model."""
    model = ear_model(config)
    if model is None:
        return None
    from pytest_todeval.evidence.model.model_ear import ModelEar

    return ModelEar(goal, model, backend=backend, prompts=path_of(config, "prompts"))


def llm_user(
    config: pytest.Config, goal: "Goal", strategy: str, how: PlaySettings, backend: Any, seed: int
) -> "LLMUser":
    """The model that plays the user of a goal."""
    from pytest_todeval.simulation.llm_user import LLMUser
    from pytest_todeval.simulation.llm_user.oracle import solutions_of
    from pytest_todeval.simulation.llm_user.user_tools import tools_of

    solutions: tuple[str, ...] = ()
    if strategy == "autoeval_tod":
        solutions = solutions_of(goal, getattr(backend, "query", None), seed)
    return LLMUser(
        goal,
        _one(config, Lane.USER, f"the user {strategy!r}"),
        strategy,
        persona=how.persona,
        language=how.language,
        prompts=path_of(config, "prompts"),
        solution=solutions,
        tools=tools_of(backend),
    )


def llm_judge(config: pytest.Config, how: PlaySettings, backend: Any, *, fused: bool) -> "LLMJudge":
    """The model, or the panel of models, that judges."""
    from pytest_todeval.judge.llm_judge.judge import LLMJudge

    settings = Settings.of(config)
    models = models_of(config, Lane.JUDGE)
    if not models:
        raise _no_model(Lane.JUDGE, "a judge that is a model")
    return LLMJudge(
        models,
        samples=settings.samples or 1,
        fused=fused,
        prompts=path_of(config, "prompts"),
        policy=_policy(config) or str(getattr(backend, "policy", "")),
        backend=backend,
        language=how.language,
    )


def sentence_judge(
    config: pytest.Config, how: PlaySettings, backend: Any
) -> "Callable[[str, Dialogue], Verdict] | None":
    """What reads the sentences that a task's reward hangs on; None where no model judges."""
    if not models_of(config, Lane.JUDGE):
        return None

    judge = cache(lambda: llm_judge(config, how, backend, fused=False))  # few tasks ask it

    def holds(sentence: str, dialogue: "Dialogue") -> "Verdict":
        return judge().holds(dialogue, sentence)

    return holds


def players_line(config: pytest.Config) -> str | None:
    """Who plays and who judges where models do, for the header."""
    models = {lane: models_of(config, lane) for lane in (Lane.USER, Lane.JUDGE)}
    if not any(models.values()) and ear_model(config) is None:
        return None
    how = PlaySettings()
    user, judge = user_of(config, how), judge_of(config, how)
    parts = [f"user: {user}", f"judge: {judge}"]
    for at, (lane, plays) in enumerate(((Lane.USER, user), (Lane.JUDGE, judge))):
        if plays not in ("agenda", "recorded", "rules") and models[lane]:
            parts[at] += f" ({', '.join(each.model for each in models[lane])})"
    ear = ear_model(config)
    if ear is not None:
        parts.append(f"ear: model ({ear.model})")
    return "; ".join(parts)


def _one(config: pytest.Config, lane: Lane, what: str) -> "ModelSettings":
    models = models_of(config, lane)
    if not models:
        raise _no_model(lane, what)
    if len(models) > 1:
        raise UsageError(f"{what} is one model, and {len(models)} are set for the lane {lane}")
    return models[0]


def _no_model(lane: Lane, what: str) -> UsageError:
    return UsageError(
        f"{what} needs a model: name one with --todeval-model=MODEL (or {lane}:MODEL), "
        "todeval_model in the ini file, or a file of settings (todeval_models)"
    )


def _policy(config: pytest.Config) -> str:
    path = path_of(config, "policy")
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--todeval-policy: {path} cannot be read: {error}") from None
