"""Ask the endpoints of models for what they can do, and write the settings that suit them."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_todeval.commands.output import say, write_output
from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.models.abilities import Abilities, abilities_of
from pytest_todeval.models.connections import KeptConnections
from pytest_todeval.models.endpoint import Endpoint
from pytest_todeval.models.models_file import settings_for
from pytest_todeval.models.run_models import require_trust
from pytest_todeval.models.settings import ModelSettings

ByLane = Mapping[Lane, Sequence[ModelSettings]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval models`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser(
        "check", help="ask for what the endpoint can do (some 20 short calls to each model)"
    )
    check.add_argument("--models", type=Path, metavar="FILE", help="the models of a models file")
    check.add_argument("--model", metavar="NAME", help="one model, or models by lane")
    check.add_argument("--base-url", metavar="URL", help="its endpoint, or endpoints by lane")
    check.add_argument(
        "--write", type=Path, metavar="FILE", help="write a models file with what suits it"
    )


def run(args: argparse.Namespace) -> int:
    """Prints a table for each model, and the settings that suit it.

    Raises UsageError if no model is named or the file to write exists, InvalidFile for the models
    file, ModelUnavailable and ModelRejected if an endpoint does not answer.
    """
    if args.write is not None and args.write.exists():
        raise UsageError(f"--write {args.write} exists: name another file, or remove it")
    by_lane = {
        lane: settings_for(lane, file=args.models, model=args.model, base_url=args.base_url)
        for lane in Lane
    }
    asked = dict.fromkeys(one for models in by_lane.values() for one in models)
    if not asked:
        raise UsageError("no model is named: write --model NAME (and --base-url URL), or --models")
    require_trust(asked)
    found = {}
    with closing(KeptConnections()) as kept, kept.used():
        for one in asked:
            found[one] = abilities_of(one)
            say(_table(found[one]))
    if args.write is not None:
        suited = {lane: [found[one].settings for one in models] for lane, models in by_lane.items()}
        write_output("--write", args.write, "\n".join(_file(suited)) + "\n")
        say([f"written: {args.write}"])
    return 0


def _table(found: Abilities) -> Iterator[str]:
    yield str(Endpoint(found.settings))
    width = max(len(row.name) for row in found.rows)
    for row in found.rows:
        yield f"  {row.name:<{width}}  {row.found}" + (f" ({row.said})" if row.said else "")
    yield "settings:"
    yield from (f"  {line}" for line in _lines(found.settings))


def _file(by_lane: ByLane) -> Iterator[str]:
    """Returns the lines of a models file."""
    for lane, models in by_lane.items():
        if models:
            yield f"{lane.value}:"
        for one in models:
            first, *rest = _lines(one)
            yield f"  - {first}"
            yield from (f"    {line}" for line in rest)


def _lines(settings: ModelSettings) -> Iterable[str]:
    """The settings that are not the usual ones, each on a line: JSON, which is YAML as well."""
    for field in filter(lambda each: each.compare, fields(settings)):
        value: Any = getattr(settings, field.name)
        if value == field.default and field.name != "model":
            continue
        if field.name == "base_url" and (urlsplit(value).query or urlsplit(value).fragment):
            yield "# base_url is left out: what stands behind its `?` may be a key"
            continue
        yield f"{field.name}: {json.dumps(value, ensure_ascii=False)}"
