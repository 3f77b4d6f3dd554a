"""Relations between two dialogues that hold of a right bot, whatever the right answer is.

Two users want the same and say so otherwise: what is done for them is the same. No oracle is
needed for that, so it works for goals whose right answer nobody wrote down.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.nlu.values.normalise import same_value
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.properties.drawing import named
from pytest_todeval.properties.source import source_of_goal

WIDTH = 56
"""Of each of two dialogues that are shown side by side."""
Other = Callable[[DrawnConversation], DrawnConversation | None]


@dataclass(frozen=True)
class Relation:
    """Another way to have a conversation, and what may not change with it."""

    name: str
    says: str
    other: Other
    """The conversation to hold it against; None if the relation says nothing of this one."""
    broken: Callable[[Dialogue, Dialogue], str]
    """What is not as it should be; empty if it holds."""


def effects(first: Dialogue, second: Dialogue) -> str:
    """Returns how what was done differs; what hangs on words that may be misheard is left aside."""
    if second.fault is Outcome.FAILED and first.fault is None:
        return f"the bot failed: {second.detail}"
    for name, verdict in first.verdicts.items():
        other = second.verdicts.get(name)
        if other is None or verdict.undecided or other.undecided:
            continue
        if (verdict.passed, verdict.applicable) != (other.passed, other.applicable):
            told = other.reason if verdict.passed else verdict.reason
            return f"{name} is {_yes(verdict.passed)} and {_yes(other.passed)}: {told}"
    for part in first.goal.domains:
        made, others = _booked(first, part), _booked(second, part)
        if len(made) != len(others):
            return f"{part.domain}: {len(made)} and {len(others)} bookings stand"
        for slots, again in zip(made, others, strict=True):
            for slot, value in slots.items():
                if not same_value(slot, value, again.get(slot, "")):
                    return f"{part.domain}: booked {slot} {value!r} and {again.get(slot)!r}"
    return ""


def _yes(passed: bool) -> str:
    return "passed" if passed else "failed"


def _booked(dialogue: Dialogue, part: DomainGoal) -> list[Mapping[str, str]]:
    """The bookings of a domain, in what the goal says of them: which venue is the bot's choice."""
    found = [
        {slot: str(each.slots[slot]) for slot in part.book if slot in each.slots}
        for each in dialogue.final_bookings
        if each.domain == part.domain
    ]
    return sorted(found, key=lambda slots: sorted(slots.items()))


def _no_more_found(loose: Dialogue, strict: Dialogue) -> str:
    wide, narrow = _last_count(loose), _last_count(strict)
    if wide is not None and narrow is not None and narrow > wide:
        return f"the stricter search found {narrow} rows, the other {wide}"
    refused = loose.verdicts.get("refusal")
    if refused is not None and refused.applicable and refused.passed and strict.final_bookings:
        return "booked what was refused to a user who asked for less"
    return ""


def _last_count(dialogue: Dialogue) -> int | None:
    """Returns how many rows the last search found."""
    for call in reversed(dialogue.tool_calls):
        result = call.result
        if isinstance(result, Mapping) and isinstance(result.get("count"), int):
            return int(result["count"])
        if isinstance(result, list):
            return len(result)
    return None


def _styled(style: str) -> Other:
    def other(found: DrawnConversation) -> DrawnConversation | None:
        return None if found.style == style else replace(found, style=style)

    return other


def _heard(noise: str) -> Other:
    def other(found: DrawnConversation) -> DrawnConversation | None:
        return None if found.noise else replace(found, noise=noise)

    return other


def _reordered(found: DrawnConversation) -> DrawnConversation | None:
    parts = tuple(
        replace(
            part,
            inform=dict([*part.inform.items()][::-1]),
            book=dict([*part.book.items()][::-1]),
            request=part.request[::-1],
        )
        for part in found.goal.domains
    )
    if not any(len(part.inform) + len(part.book) > 1 for part in parts):
        return None
    return replace(found, goal=replace(found.goal, domains=parts), variant="reordered")


def _corrected(found: DrawnConversation) -> DrawnConversation | None:
    return _styled("changes_mind")(found) if found.goal.domains else None


def _stricter(found: DrawnConversation) -> DrawnConversation | None:
    """Returns one more wish, that the first row has which meets the others."""
    source = source_of_goal(found.goal)
    if len(found.goal.domains) != 1 or source.query is None:
        return None
    part = found.goal.domains[0]
    shape = source.shape(part.domain)
    rows = source.query(part.domain, {} if part.refusal else part.inform)
    if shape is None or not rows or part.fail_inform or "name" in part.inform:
        return None
    apart = source.apart(part.domain)
    for slot in shape.slots:
        value = str(rows[0].get(slot, "")).strip()
        pairs = (frozenset((slot, other)) for other in part.inform)
        if value and slot not in part.inform and not any(pair in apart for pair in pairs):
            stricter = replace(part, inform={**part.inform, slot: value})
            asked = tuple(each for each in stricter.request if each != slot)
            if not (asked or stricter.book):
                continue
            goal = replace(found.goal, domains=(replace(stricter, request=asked),))
            return replace(found, goal=named(goal), variant="stricter")
    return None


RELATIONS: Mapping[str, Relation] = {
    each.name: each
    for each in (
        Relation("reordered", "the same, said in another order", _reordered, effects),
        Relation("paraphrased", "the same in other words", _heard("medium"), effects),
        Relation("greeting", "the same after a greeting", _heard("greeting"), effects),
        Relation("shouted", "the same in capital letters", _heard("shouted"), effects),
        Relation("aside", "the same beside what is none of the bot's", _heard("aside"), effects),
        Relation("split", "the same, a bit in each turn", _styled("terse"), effects),
        Relation("at_once", "the same, all at once", _styled("chatty"), effects),
        Relation("corrected", "the same in the end, after a change of mind", _corrected, effects),
        Relation("asked_twice", "the same, with a question again", _styled("asks_again"), effects),
        Relation("stricter", "a stricter wish finds no more", _stricter, _no_more_found),
    )
}


def chosen(names: Sequence[str]) -> tuple[Relation, ...]:
    """Relations by name; all if none is named. Raises UsageError on an unknown one."""
    for name in names:
        if name not in RELATIONS:
            raise UsageError(
                f"relations: no relation {name!r}; {known_names(str(name), RELATIONS)}"
            )
    return tuple(RELATIONS[name] for name in names or RELATIONS)


def told(relation: Relation, why: str, first: Dialogue, second: Dialogue) -> str:
    """Returns what a person needs of a relation that is broken."""
    lines = [f"relation {relation.name!r} is broken ({relation.says}): {why}", ""]
    return "\n".join([*lines, *side_by_side(first, second)])


def side_by_side(first: Dialogue, second: Dialogue) -> Iterator[str]:
    """Two dialogues in two columns, turn by turn."""
    for at in range(max(len(first.turns), len(second.turns))):
        for one, other in zip_longest(_cell(first, at), _cell(second, at), fillvalue=""):
            yield f"{one:{WIDTH}} | {other}".rstrip()


def _cell(dialogue: Dialogue, at: int) -> list[str]:
    if at >= len(dialogue.turns):
        return []
    turn = dialogue.turns[at]
    calls = [
        f"   {call.name}({', '.join(map(str, call.arguments.values()))})"
        for call in turn.tool_calls
    ]
    told = [f"{turn.index}. {turn.user}", *calls, f"   bot: {turn.system}"]
    return [line for each in told for line in wrap(each, WIDTH, subsequent_indent="   ")]
