"""Who plays in a run: the models of each lane, and the users, judges and ears made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.play.who import NO_VARIATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_todeval.core.dialogue import Turn
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.evaluate.judge.judge import Judge
    from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
    from pytest_todeval.evaluate.judge.question import Rules
    from pytest_todeval.facts.model.model_ear import ModelEar
    from pytest_todeval.models.run_models import RunModels
    from pytest_todeval.models.settings import ModelSettings
    from pytest_todeval.simulation.llm_user import LLMUser
    from pytest_todeval.simulation.variation import Variation

NO_EXAMPLES = "none"
EXAMPLE_FILES = (".txt", ".md")


@dataclass(frozen=True, kw_only=True)
class Cast:
    """What the run's options say of users, judges, ears and their models."""

    user: str | None = None
    """Who plays the user; None: a model if one is set, else rules."""
    judge: str | None = None
    """Who judges, likewise."""
    ear: str | None = None
    """Who hears the bot: `rules` (also None) or `model`."""
    coverage: str | None = None
    """Who hears what a user's model told of its goal: `rules` (also None) or `model`."""
    model: str | None = None
    """The model, or models by lane, as the option says it."""
    base_url: str | None = None
    url_of_file: bool = False
    """Whether the ini file alone says `base_url`."""
    models_file: Path | None = None
    samples: int = 1
    """How often a judge's model is asked each question."""
    policy: Path | None = None
    """The policy that a model judges by; None: the backend's."""
    prompts: Path | None = None
    """Prompt documents in place of the shipped ones."""
    variation: str | None = None
    """In what other words the bot hears the user, if the test does not say it."""
    examples: Path | None = None
    """A file, or a folder of files, with dialogues that a model imitates as the user; `none` for
    none at all. None: those of its strategy."""

    @cached_property
    def models(self) -> "Mapping[Lane, tuple[ModelSettings, ...]]":
        """The models of each lane; none if nothing is set. Raises UsageError and InvalidFile."""
        if not (self.model or self.models_file):
            return dict.fromkeys(Lane, ())
        from pytest_todeval.models.models_file import settings_for

        return {
            lane: settings_for(
                lane,
                file=self.models_file,
                model=self.model,
                base_url=self.base_url,
                url_of_file=self.url_of_file,
            )
            for lane in Lane
        }

    @cached_property
    def run_models(self) -> "RunModels":
        """Returns what the run says of its models to settings that leave it open.

        Raises UsageError and InvalidFile.
        """
        from pytest_todeval.models.models_file import by_lane
        from pytest_todeval.models.run_models import RunModels

        addresses = by_lane("--todeval-base-url", self.base_url)
        return RunModels(self.models, addresses, self.url_of_file)

    def plays_user(self, how: PlaySettings, usual: str = "vanilla") -> str:
        """Who plays the user: the test's marker, else the option, else a model if one is set.

        `usual` is the strategy of a model if nobody says one.
        """
        chosen = how.user or self.user
        if chosen is None and (how.user_model or self.models[Lane.USER]):
            return usual
        return chosen or "agenda"

    def plays_judge(self, how: PlaySettings) -> str:
        """Who judges: the test's marker, else the option, else a model if one is set."""
        chosen = how.judge or self.judge
        return chosen or ("model" if self.models[Lane.JUDGE] else "rules")

    def llm_user(
        self,
        goal: "Goal",
        strategy: str,
        how: PlaySettings,
        backend: Any,
        seed: int,
        reference: "Sequence[Turn]" = (),
    ) -> "LLMUser":
        """The model that plays the user of a goal; `reference`: what people said about it."""
        from pytest_todeval.simulation.llm_user import LLMUser
        from pytest_todeval.simulation.llm_user.oracle import solutions_of
        from pytest_todeval.simulation.llm_user.user_tools import tools_of

        solutions: tuple[str, ...] = ()
        if strategy == "autoeval_tod":
            solutions = solutions_of(goal, getattr(backend, "query", None), seed)
        return LLMUser(
            goal,
            self.user_model(how, f"the user {strategy!r}"),
            strategy,
            persona=how.persona,
            language=how.language,
            examples=self.shown_examples if how.examples is None else how.examples,
            prompts=self.prompts,
            solution=solutions,
            tools=tools_of(backend),
            reference=reference,
        )

    @cached_property
    def shown_examples(self) -> "tuple[str, ...] | None":
        """Returns the dialogues that the option names, a file each; None if it names none.

        Raises UsageError if a file cannot be read, or a folder holds none.
        """
        if self.examples is None:
            return None
        if self.examples.name == NO_EXAMPLES and not self.examples.exists():
            return ()
        files = sorted(self.examples.iterdir()) if self.examples.is_dir() else [self.examples]
        files = [file for file in files if file.suffix in EXAMPLE_FILES or file == self.examples]
        if not files:
            kinds = " or ".join(EXAMPLE_FILES)
            raise UsageError(
                f"--todeval-examples: {self.examples} holds no file that ends in {kinds}, each "
                "with one dialogue"
            )
        return tuple(_read(file, "--todeval-examples").strip() for file in files)

    def varies(self, how: PlaySettings) -> str:
        """Returns the variation: the test's marker, else the option; empty for none."""
        chosen = how.variation or self.variation or NO_VARIATION
        return "" if chosen == NO_VARIATION else chosen

    def make_variation(self, goal: "Goal", how: PlaySettings, seed: int) -> "Variation | None":
        """In what other words the bot hears the user; None in those of the user.

        Raises UsageError if that takes a model and none, or several, are set for the user.
        """
        name = self.varies(how)
        if not name:
            return None
        from pytest_todeval.simulation.variation import BY_RULE, make_variation

        model = None if name in BY_RULE else self.user_model(how, f"the variation {name!r}")
        return make_variation(name, goal, seed, model=model, prompts=self.prompts)

    def make_judge(self, how: PlaySettings, backend: Any, rules: "Sequence[Rules]" = ()) -> "Judge":
        """The judge that marker and options ask for; `rules` are those that the world implies."""
        judges = self.plays_judge(how)
        if judges == "rules":
            from pytest_todeval.evaluate.judge.rule_judge import RuleJudge

            return RuleJudge(rules or None, backend)
        return self.llm_judge(how, backend, rules, judges)

    def llm_judge(
        self,
        how: PlaySettings,
        backend: Any,
        rules: "Sequence[Rules]" = (),
        judges: str = "model",
    ) -> "LLMJudge":
        """The model, or the panel of models, that judges: `model`, `fused` or `published`."""
        from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge

        models = self.models[Lane.JUDGE]
        if not models:
            raise _no_model(Lane.JUDGE, "a judge that is a model")
        policy = "" if self.policy is None else _read(self.policy, "--todeval-policy")
        return LLMJudge(
            models,
            samples=self.samples,
            fused=judges == "fused",
            published=judges == "published",
            prompts=self.prompts,
            policy=policy or str(getattr(backend, "policy", "")),
            rule_sets=rules or None,
            backend=backend,
            language=how.language,
        )

    @property
    def ear_model(self) -> "ModelSettings | None":
        """Returns the model that hears the bot; None if the rules do.

        Raises UsageError if a model shall hear and none, or several, are set.
        """
        return self.one_model(Lane.EAR, "--todeval-ear=model") if self.ear == "model" else None

    def make_ear(self, goal: "Goal", backend: Any) -> "ModelEar | None":
        """Returns the ear of a dialogue, if it is a model."""
        model = self.ear_model
        if model is None:
            return None
        from pytest_todeval.facts.model.model_ear import ModelEar

        return ModelEar(goal, model, backend=backend, prompts=self.prompts)

    def line(self) -> str | None:
        """Who plays and who judges if models do, for the header."""
        lanes = (Lane.USER, Lane.JUDGE)
        if not any(self.models[lane] for lane in lanes) and self.ear_model is None:
            return None
        how = PlaySettings()
        # what strategy a model has if nobody says one hangs on the goals
        user, judge = self.plays_user(how, "model"), self.plays_judge(how)
        parts = [f"user: {user}", f"judge: {judge}"]
        for at, (lane, plays) in enumerate(zip(lanes, (user, judge), strict=True)):
            if plays not in ("agenda", "recorded", "rules") and self.models[lane]:
                parts[at] += f" ({', '.join(each.model for each in self.models[lane])})"
        if self.ear_model is not None:
            parts.append(f"ear: model ({self.ear_model.model})")
        return "; ".join(parts)

    def require_documents(self) -> None:
        """Raises UsageError or InvalidFile if a file that the run names cannot be read."""
        if self.prompts is not None:
            from pytest_todeval.models.prompt import Prompts

            Prompts(self.prompts)
        if self.policy is not None:
            _read(self.policy, "--todeval-policy")
        _ = self.shown_examples

    def require_models(self) -> None:
        """Raises UsageError if the run's options ask for a model that is not set, or wrongly."""
        if self.base_url is not None:
            _ = self.run_models
        self._require_judge(self.judge, f"--todeval-judge={self.judge}")
        if self.coverage == "model" and not self.models[Lane.JUDGE]:
            raise _no_model(Lane.JUDGE, "--todeval-coverage=model")
        if self.user not in (None, "agenda", "recorded") and not self.models[Lane.USER]:
            raise _no_model(Lane.USER, f"--todeval-user={self.user}")

    def require_trust(self) -> None:
        """Raises UsageError if a file alone sends a key, or in CI a call, to a host of its own."""
        from pytest_todeval.models.run_models import require_trust
        from pytest_todeval.models.settings import ModelSettings

        told = frozenset({"base_url"} if self.url_of_file else ())
        addresses = self.run_models.base_urls.values()
        require_trust(one for panel in self.models.values() for one in panel)
        require_trust(ModelSettings("any", base_url=each, of_files=told) for each in addresses)

    def user_model(self, how: PlaySettings, what: str) -> "ModelSettings":
        """The model that plays the user: the test's, with the run's settings, else the run's.

        Raises UsageError, which says what needs it, if there is none.
        """
        if how.user_model is None:
            return self.one_model(Lane.USER, what)
        from pytest_todeval.models.models_file import settings_for

        named = f"{Lane.USER}:{how.user_model}"
        return settings_for(
            Lane.USER,
            file=self.models_file,
            model=named,
            base_url=self.base_url,
            url_of_file=self.url_of_file,
        )[0]

    def require_marked(self, how: PlaySettings) -> None:
        """Raises UsageError if a test's marker has a model judge, and none is set."""
        self._require_judge(how.judge, f"marker todeval: judge={how.judge!r}")

    def _require_judge(self, judge: str | None, what: str) -> None:
        if judge not in (None, "rules") and not self.models[Lane.JUDGE]:
            raise _no_model(Lane.JUDGE, what)

    def one_model(self, lane: Lane, what: str) -> "ModelSettings":
        """The model of a lane, for `what`. Raises UsageError if none, or several, are set."""
        models = self.models[lane]
        if not models:
            raise _no_model(lane, what)
        if len(models) > 1:
            raise UsageError(f"{what} is one model, but {len(models)} are set for the lane {lane}")
        return models[0]


def _read(file: Path, option: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{option}: {file} cannot be read: {error}") from None


def _no_model(lane: Lane, what: str) -> UsageError:
    return UsageError(
        f"{what} needs a model: name one with --todeval-model=MODEL (or {lane}:MODEL), "
        "todeval_model in the ini file, or a file of settings (todeval_models)"
    )
