"""What a run says of its models, if settings leave it open, such as `ChatSystem("gpt-4o")`."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass

from pytest_todeval.core.context import holding
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.errors import ModelUnavailable, UsageError
from pytest_todeval.models.endpoint import Endpoint
from pytest_todeval.models.models_file import moved
from pytest_todeval.models.profiles import PROFILES
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.trust import in_ci, line_to_trust, may_be_called


@dataclass(frozen=True)
class RunModels:
    """The models and addresses of a run, by lane. Raises UsageError for an address that is none."""

    models: Mapping[Lane, Sequence[ModelSettings]]
    base_urls: Mapping[Lane, str]
    """What `--todeval-base-url` says."""
    url_of_file: bool = False
    """Whether it is the ini file that says it."""

    def __post_init__(self) -> None:
        for address in self.base_urls.values():
            try:
                ModelSettings("any", base_url=address)
            except UsageError as error:
                raise UsageError(f"--todeval-base-url: {error}") from None

    def meant(self, settings: ModelSettings, lane: Lane) -> ModelSettings:
        """Returns the settings, with what the run says of the lane for all that they leave open.

        An address of their own wins. A mere name takes the settings of the lane's model of that
        name.
        """
        if settings.base_url is not None:
            return settings
        if settings == ModelSettings(settings.model):
            same = (one for one in self.models.get(lane, ()) if one.model == settings.model)
            settings = next(same, settings)
        address = self.base_urls.get(lane)
        if settings.base_url is not None or address is None:
            return settings
        return moved(settings, address, self.url_of_file)


def require_trust(models: Iterable[ModelSettings]) -> None:
    """Raises UsageError if a file sends a key, or in CI a call, where nobody but it wants it."""
    for one in models:
        endpoint = Endpoint(one)
        try:
            url = endpoint.url
        except ModelUnavailable:
            continue  # told when it is asked
        if "key" in one.of_files and endpoint.withholds and os.environ.get(one.key):
            raise UsageError(
                f"{endpoint}: a file of the project would send it the key in {one.key}, which is "
                f"not that host's. If you trust it: export {line_to_trust(url, one.key)}"
            )
        if "base_url" in one.of_files and in_ci() and not may_be_called(url):
            raise UsageError(
                f"{endpoint}: a file of the project alone names this address, and in CI it is not "
                f"called for that. If you trust it, set in the job's environment: "
                f"{line_to_trust(url)}"
            )


def where_asked(
    models: Mapping[Lane, Sequence[ModelSettings]], base_urls: Mapping[Lane, str]
) -> list[str]:
    """Returns which lanes ask which model where, and what says so: a line for each."""
    lanes: dict[str, list[str]] = {}
    for lane, panel in models.items():
        for one in panel:
            try:
                asked = f"{Endpoint(one)} ({_said_by(one, base_urls.get(lane))})"
            except ModelUnavailable:
                continue  # without an address: told when it is asked
            lanes.setdefault(f"{asked}, {_key_of(one)}", []).append(lane.value)
    return [f"{', '.join(names)}: {asked}" for asked, names in lanes.items()]


def _key_of(settings: ModelSettings) -> str:
    endpoint = Endpoint(settings)
    if not endpoint.withholds:
        return f"key from {settings.key}"
    line = line_to_trust(endpoint.url, settings.key)
    return f"without a key: a file names the address; {line} sends it that of {settings.key}"


def _said_by(settings: ModelSettings, option: str | None) -> str:
    if settings.base_url is not None:
        return "--todeval-base-url" if settings.base_url == option else "models file"
    if settings.profile is not None and PROFILES[settings.profile].base_url:
        return f"profile {settings.profile}"
    return "OPENAI_BASE_URL" if os.environ.get("OPENAI_BASE_URL") else "the default"


_RUN: ContextVar[RunModels | None] = ContextVar("todeval_run_models", default=None)


def run_models(models: RunModels) -> AbstractContextManager[object]:
    """Has them hold for what is asked in the body, in threads and tasks that it starts as well."""
    return holding(_RUN, models)


def as_in_run(settings: ModelSettings) -> ModelSettings:
    """The settings as the run means them whose dialogue is being played; else as they are."""
    run, place = _RUN.get(), here()
    return settings if run is None or place is None else run.meant(settings, place.lane)
