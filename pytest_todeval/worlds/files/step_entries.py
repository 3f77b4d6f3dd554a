"""The shape of a goal's steps in a goal file, and the steps that they come to.

- change: {appointment: {id: A17}, to: {day: wednesday}, or: {day: thursday}}
- do: block
of: card
with: {last4: "4711"}
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from pytest_todeval.core.steps import VERBS, Condition, Effect, Expected, Step, Verb
from pytest_todeval.worlds.files.entry import FileEntry, Name, Passage, Slots, Text, listed

BESIDE = ("to", "with", "for", "or", "if", "refusal", "count", "choose")
"""What a step says besides its verb and the record that it is about."""
SHAPE = "expected `VERB: {KIND: {SLOT: VALUE}}`, e.g. `cancel: {appointment: {id: A18}}`"


def _step(value: Any) -> Any:
    """Returns a step as people write it, in the shape of `StepEntry`."""
    if not isinstance(value, dict):
        raise ValueError(f"{_shown(value)}; {SHAPE}")
    if "do" in value:
        rest = {key: said for key, said in value.items() if key not in ("do", "of", "with")}
        target = {"target": value.get("with"), **({"kind": value["of"]} if "of" in value else {})}
        return {**target, **rest, "verb": value["do"]}
    if len(value) != 1:
        raise ValueError(f"the keys {', '.join(map(str, value))}; {SHAPE}")
    verb, about = next(iter(value.items()))
    if isinstance(about, str):
        return {"verb": verb, "kind": about}
    kinds = [key for key in about if key not in BESIDE] if isinstance(about, dict) else []
    if len(kinds) != 1:
        found = ", ".join(map(str, kinds)) or "none"
        raise ValueError(f"{verb}: with the kinds of record {found}; {SHAPE}")
    return {
        **{key: said for key, said in about.items() if key != kinds[0]},
        "verb": verb,
        "kind": kinds[0],
        "target": about[kinds[0]],
    }


def _shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)[:60]


def _conditions(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1:
        return value
    raise ValueError(f"{_shown(value)}; expected one slot and its bound, `{{fee: at most 20}}`")


def _several(value: Any) -> Any:
    return [] if value is None else value if isinstance(value, list) else [value]


def _way(value: Any) -> str:
    """Says whether an alternative is a step, or other values of the same one."""
    if isinstance(value, StepEntry):
        return "step"
    known = isinstance(value, dict)
    nested = known and ("do" in value or any(isinstance(said, dict) for said in value.values()))
    return "step" if nested else "values"


class StepEntry(FileEntry):
    """One step, whatever way it was written."""

    verb: Name
    kind: Name
    target: Slots = Field(default_factory=dict)
    to: Slots = Field(default_factory=dict)
    details: Slots = Field(default_factory=dict, alias="with")
    asks: Annotated[list[Name], BeforeValidator(listed)] = Field(default_factory=list, alias="for")
    alternatives: "Annotated[list[Alternative], BeforeValidator(_several)]" = Field(
        default_factory=list, alias="or"
    )
    condition: Annotated[dict[Name, Text], BeforeValidator(_conditions)] | None = Field(
        default=None, alias="if"
    )
    refusal: Passage | None = None
    count: Annotated[int, Field(ge=1, le=100)] | None = None
    choose: dict[Name, Literal["lowest", "highest"]] = Field(default_factory=dict)


StepShape = Annotated[StepEntry, BeforeValidator(_step)]
Alternative = Annotated[
    Annotated[StepShape, Tag("step")] | Annotated[Slots, Tag("values")], Discriminator(_way)
]


class VerbEntry(FileEntry):
    """A verb of one's own, or other words for one of ours."""

    effect: Literal["adds", "changes", "removes", "sets", "moves", "none"] | None = None
    states: Annotated[list[Name], BeforeValidator(listed)] = Field(default_factory=list)
    sets: Slots = Field(default_factory=dict)
    asked: Annotated[list[Passage], BeforeValidator(listed)] = Field(default_factory=list)
    done: Annotated[list[Passage], BeforeValidator(listed)] = Field(default_factory=list)


def verbs_of(entries: Mapping[str, VerbEntry]) -> Mapping[str, Verb]:
    """Returns the verbs that a file declares; what it does not say of ours stays."""
    return {name: _verb(name, entry) for name, entry in entries.items()}


def _verb(name: str, entry: VerbEntry) -> Verb:
    ours = VERBS.get(name, Verb(name))
    effect = ours.effect if entry.effect is None else Effect(entry.effect)
    if entry.effect is None and (entry.sets or entry.states):
        effect = Effect.SETS
    return Verb(
        name,
        effect,
        tuple(entry.states) or ours.states,
        entry.sets,
        tuple(entry.asked),
        tuple(entry.done),
    )


def step_of(entry: StepEntry, verbs: Mapping[str, Verb]) -> Step:
    """Returns the step, with its verb if the file declares it."""
    step = Step(
        entry.verb,
        entry.kind,
        entry.target,
        entry.to,
        entry.details,
        tuple(dict.fromkeys(entry.asks)),
        condition=_condition(entry),
        refusal=entry.refusal,
        count=entry.count,
        choose=entry.choose,
        own=verbs.get(entry.verb),
    )
    return replace(step, alternatives=tuple(_alternative(step, entry, verbs)))


def _condition(entry: StepEntry) -> Condition | None:
    return next((Condition.read(*item) for item in (entry.condition or {}).items()), None)


def _alternative(step: Step, entry: StepEntry, verbs: Mapping[str, Verb]) -> Iterator[Step]:
    """Returns the steps to take if it is refused: other values of it, or another step."""
    for said in entry.alternatives:
        if isinstance(said, StepEntry):
            yield step_of(said, verbs)
        elif step.to or step.means.effect is not Effect.ADDS:
            yield replace(step, to={**step.to, **said})
        else:
            yield replace(step, target={**step.target, **said})


def named_verbs(entry: StepEntry) -> Iterator[str]:
    """Returns every verb that a step names, those of its alternatives included."""
    yield entry.verb
    for said in entry.alternatives:
        if isinstance(said, StepEntry):
            yield from named_verbs(said)


def _expected(value: Any) -> Any:
    """`A18: absent` is a record that must not stand; `elsewhere: unchanged` all the others."""
    if not isinstance(value, dict):
        return value
    records = {kind: _by_id(said) for kind, said in value.items() if kind != "elsewhere"}
    return {"records": records, "elsewhere": value.get("elsewhere", "unchanged")}


def _by_id(said: Any) -> Any:
    if not isinstance(said, dict):
        return said
    return {name: None if fields == "absent" else fields for name, fields in said.items()}


Fields = Annotated[list[Slots], BeforeValidator(_several)]
Id = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value)]


class ExpectEntry(FileEntry):
    """What the records are to be in the end."""

    records: dict[Name, dict[Id, Fields]] = Field(default_factory=dict)
    """Kind -> id -> its fields; under `new` those of records that did not stand before."""
    elsewhere: Literal["unchanged", "any"] = "unchanged"

    def expected(self) -> Expected:
        """Returns the same as a noun."""
        records = {
            kind: {name: fields[0] if fields else None for name, fields in found.items()}
            for kind, found in self.records.items()
        }
        added = {
            kind: tuple(found["new"] or ())
            for kind, found in self.records.items()
            if "new" in found
        }
        for found in records.values():
            found.pop("new", None)
        return Expected(records, added, self.elsewhere == "unchanged")


Expectation = Annotated[ExpectEntry, BeforeValidator(_expected)]
