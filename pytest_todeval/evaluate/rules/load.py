"""Reading rule files; docs/rules.md describes them."""

import typing
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from os.path import isfile
from pathlib import Path
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, create_model

from pytest_todeval.core.documents import Document, read_document
from pytest_todeval.core.documents.faults import fault_of
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.evaluate.rules.conditions import AllOf, AnyOf, NotThis, Test, TurnCondition
from pytest_todeval.evaluate.rules.patterns import compiled
from pytest_todeval.evaluate.rules.registry import Predicate, find_predicate, predicate_names
from pytest_todeval.evaluate.rules.rule import (
    Always,
    Before,
    Demand,
    JudgedRule,
    Never,
    Rule,
    RuleSet,
)
from pytest_todeval.trust import leads_out

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Keys = tuple[str | int, ...]
DEMANDS = ("never", "always", "before", "judged")
MAX_DEPTH = 8
"""Of conditions within conditions."""


class _RuleModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")]
    says: Text
    when: Any = None
    never: Any = None
    always: Any = None
    before: Any = None
    judged: Text | None = None
    advises: bool = False


class _FileModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: Text | None = None
    includes: list[Text] = []
    promotes: list[Text] = []
    rules: list[_RuleModel]


@cache
def shipped() -> tuple[str, ...]:
    """Returns the names of the rule sets that come with the package."""
    found = files("pytest_todeval.evaluate.rules").joinpath("sets").iterdir()
    return tuple(sorted(f.name.removesuffix(".yaml") for f in found if f.name.endswith(".yaml")))


def load_rules(source: str | Path | RuleSet) -> RuleSet:
    """Returns a rule set by name (`restaurant`), from a YAML or JSON file, or as it stands.

    Raises UsageError if there is neither such a set nor such a file; InvalidFile, with
    `path:line`, if a file is not what docs/rules.md says.
    """
    if isinstance(source, RuleSet):
        return source
    if str(source) in shipped():
        return _shipped(str(source))
    path = Path(source)
    if not path.is_file():
        raise UsageError(
            f"no rules {str(source)!r}: neither a file (in {Path.cwd()}) nor a shipped rule set; "
            f"{known_names(str(source), shipped())}"
        )
    return _read(path, ())


@cache
def _shipped(name: str) -> RuleSet:
    return _read(_path(name), ())


def _path(name: str) -> Path:
    return Path(str(files("pytest_todeval.evaluate.rules"))) / "sets" / f"{name}.yaml"


def _read(path: Path, within: tuple[Path, ...]) -> RuleSet:
    document = read_document(path)
    model = _validated(document)
    if not (model.rules or model.includes):
        raise InvalidFile(f"{document.where('rules')}: there are no rules in it")
    within = (*within, path)
    included = [_included(document, at, name, within) for at, name in enumerate(model.includes)]
    _no_duplicates(document, model)
    own = tuple(_rule(document, at, rule) for at, rule in enumerate(model.rules))
    name = model.name or path.stem
    result = RuleSet(name, own, path, ((name, fingerprint([document.text.encode()])),))
    for other in reversed(included):
        both = other.merged(result)
        result = RuleSet(name, both.rules, path, both.texts)
    return _promoted(document, model.promotes, result) if model.promotes else result


def _promoted(document: Document, promoted: Sequence[str], ruleset: RuleSet) -> RuleSet:
    """Returns the set, those of its rules that it promotes failing what breaks them."""
    for at, name in enumerate(promoted):
        known = [rule.id for rule in ruleset.rules if rule.advises]
        if name not in [rule.id for rule in ruleset.rules]:
            where = document.where("promotes", at)
            raise InvalidFile(f"{where}: no rule {name!r} here: {known_names(name, known)}")
        if name not in known:
            where = document.where("promotes", at)
            raise InvalidFile(f"{where}: {name!r} does not advise, it fails already: drop it")
    rules = tuple(replace(r, advises=r.advises and r.id not in promoted) for r in ruleset.rules)
    return replace(ruleset, rules=rules)


def _validated(document: Document) -> _FileModel:
    if not isinstance(document.value, Mapping):
        raise InvalidFile(f"{document.where()}: expected a mapping with the key `rules`")
    try:
        return _FileModel.model_validate(document.value)
    except ValidationError as error:
        _fail_validation(document, (), error)


def _fail_validation(document: Document, keys: Keys, error: ValidationError) -> NoReturn:
    first = error.errors()[0]
    place = (*keys, *first["loc"])
    dotted = ".".join(map(str, place))
    if first["type"] == "missing":
        what = f"`{place[-1]}` is missing"
    elif first["type"] == "extra_forbidden":
        known = _FileModel.model_fields if len(place) == 1 else _RuleModel.model_fields
        what = f"unknown key `{place[-1]}`; {known_names(str(place[-1]), known)}"
    else:
        what = f"{fault_of(first)}, got {first['input']!r:.80}"
    raise InvalidFile(f"{document.where(*place)}: {dotted}: {what}") from error


def _included(document: Document, at: int, name: str, within: tuple[Path, ...]) -> RuleSet:
    if name in shipped() and not isfile(document.path.parent / name):
        path = _path(name)
    else:
        path = document.path.parent / name
    where = document.where("includes", at)
    if name in document.value["includes"][:at]:
        raise InvalidFile(f"{where}: {name!r} is included already")
    if not isfile(path):  # `Path.is_file` raises for names that are too long
        hint = known_names(name, shipped())
        raise InvalidFile(f"{where}: no rules {name!r} beside this file or shipped; {hint}")
    if not path.is_relative_to(_path("").parent) and leads_out(path, document.path.parent):
        raise InvalidFile(f"{where}: {name!r} lies outside the project, where CI reads nothing")
    if path.resolve() in {other.resolve() for other in within}:
        raise InvalidFile(f"{where}: {name!r} includes this file, too; drop one of the two")
    return _read(path, within)


def _no_duplicates(document: Document, model: _FileModel) -> None:
    seen: dict[str, int] = {}
    for at, rule in enumerate(model.rules):
        if rule.id in seen:
            first = document.line("rules", seen[rule.id], "id")
            where = document.where("rules", at, "id")
            raise InvalidFile(
                f"{where}: rule id {rule.id!r} is already on line {first}; rename one of the two"
            )
        seen[rule.id] = at


def _rule(document: Document, at: int, model: _RuleModel) -> Rule:
    reader = _Conditions(document)
    keys: Keys = ("rules", at)
    when = None if model.when is None else reader.condition(model.when, (*keys, "when"))
    return Rule(model.id, model.says, _demand(reader, model, keys), when, model.advises)


def _demand(reader: "_Conditions", model: _RuleModel, keys: Keys) -> Demand:
    given = [name for name in DEMANDS if getattr(model, name) is not None]
    if len(given) != 1:
        known = ", ".join(f"`{name}`" for name in DEMANDS)
        found = " and ".join(given) or "none"
        reader.fail(keys, f"rule {model.id!r} takes one of {known}; it has {found}")
    if model.judged is not None:
        return JudgedRule(model.judged)
    if model.before is not None:
        return _before(reader, model.before, (*keys, "before"))
    kind = Never if given == ["never"] else Always
    return kind(reader.condition(getattr(model, given[0]), (*keys, given[0])))


def _before(reader: "_Conditions", value: Any, keys: Keys) -> Before:
    if not isinstance(value, Mapping) or set(value) != {"this", "needs"}:
        reader.fail(keys, "`before` takes two conditions, `this` and what it `needs` first")
    return Before(
        reader.condition(value["this"], (*keys, "this")),
        reader.condition(value["needs"], (*keys, "needs")),
    )


class _Conditions:
    """Makes conditions of what a document says, and errors with its lines."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def fail(self, keys: Keys, message: str) -> NoReturn:
        raise InvalidFile(f"{self.document.where(*keys)}: {message}")

    def condition(self, value: Any, keys: Keys) -> TurnCondition:
        if len(keys) > 2 * MAX_DEPTH:
            self.fail(keys, f"conditions nested more than {MAX_DEPTH} deep")
        if isinstance(value, str):
            return self._test(value, None, keys)
        if isinstance(value, list):
            return AllOf(self._each(value, keys))
        if isinstance(value, Mapping) and len(value) == 1:
            return self._named(*next(iter(value.items())), keys)
        self.fail(
            keys,
            f"expected a condition: the name of a predicate, or one key with its arguments "
            f"(several go in a list); got {value!r:.80}",
        )

    def _named(self, name: Any, value: Any, keys: Keys) -> TurnCondition:
        inner = (*keys, name)
        match name:
            case "all":
                return AllOf(self._each(value, inner))
            case "any":
                return AnyOf(self._each(value, inner))
            case "not":
                return NotThis(self.condition(value, inner))
        return self._test(str(name), value, inner)

    def _each(self, value: Any, keys: Keys) -> Sequence[TurnCondition]:
        if not isinstance(value, list) or not value:
            self.fail(keys, f"expected a list of conditions, got {value!r:.80}")
        return tuple(self.condition(part, (*keys, at)) for at, part in enumerate(value))

    def _test(self, name: str, value: Any, keys: Keys) -> TurnCondition:
        found = self._predicate(name, keys)
        if found is None:
            known = known_names(name, (*predicate_names(), "all", "any", "not"))
            self.fail(keys, f"unknown predicate {name!r}: {known}")
        arguments = self._arguments(found, value, keys)
        if name == "pattern":
            self._check_pattern(arguments["expression"], keys)
        return Test(name, found.function, arguments)

    def _predicate(self, name: str, keys: Keys) -> Predicate | None:
        try:
            return find_predicate(name)
        except UsageError as error:
            self.fail(keys, str(error))

    def _arguments(self, found: Predicate, value: Any, keys: Keys) -> dict[str, Any]:
        named = isinstance(value, Mapping)
        first = next(iter(found.parameters), None)
        if value is not None and not named and first is None:
            self.fail(keys, f"{found.name} takes no argument, got {value!r:.80}")
        given = {} if value is None else value if named else {first: value}
        try:
            model = _arguments_model(found).model_validate(given)
        except ValidationError as error:
            self._fail_arguments(found, keys, error)
        return {name: getattr(model, name) for name in model.model_fields_set}

    def _fail_arguments(self, found: Predicate, keys: Keys, error: ValidationError) -> NoReturn:
        first = error.errors()[0]
        takes = ", ".join(f"`{name}`" for name in found.parameters) or "nothing"
        at = ".".join(map(str, first["loc"]))
        self.fail(
            (*keys, *first["loc"]), f"{found.name}: `{at}`: {fault_of(first)}; it takes {takes}"
        )

    def _check_pattern(self, expression: str, keys: Keys) -> None:
        try:
            compiled(expression)
        except ValueError as error:
            self.fail(keys, str(error))


@cache
def _arguments_model(found: Predicate) -> type[BaseModel]:
    hints = typing.get_type_hints(found.function)
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in found.parameters.items()
    }
    return create_model(found.name, __config__=ConfigDict(extra="forbid"), **fields)
