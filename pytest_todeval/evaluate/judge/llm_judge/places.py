"""The placeholders that every document about a dialogue or a turn may use, besides its question's
own.

A shipped document asks for a part of it. One of the user's own, such as a paper's prompt word for
word, may ask for all: `{{goal}}`, `{{dialogue}}`, `{{utterances}}`, `{{policy}}`, `{{slots}}`,
`{{domain}}`, `{{language}}`, `{{user_language}}`; about a turn also for `{{turn}}`, `{{history}}`,
`{{user}}`, `{{tools}}` and `{{response}}`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.judge.llm_judge.context import (
    contexts,
    spoken_turn,
    transcript,
    utterances,
)
from pytest_todeval.evaluate.judge.llm_judge.named import digest, shown_goal
from pytest_todeval.evaluate.judge.question import ModelBench
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.prompt import Prompt

MEANINGS: Mapping[str, Mapping[str, str]] = {
    "restaurant": {
        "food": "the kind of food",
        "area": "the part of town",
        "pricerange": "how expensive it may be",
        "name": "a certain restaurant",
        "day": "the day of the table",
        "time": "the time of the table",
        "people": "how many people the table is for",
    },
    "hotel": {
        "type": "hotel or guest house",
        "area": "the part of town",
        "pricerange": "how expensive it may be",
        "stars": "how many stars it has",
        "internet": "whether it has internet",
        "parking": "whether it has parking",
        "name": "a certain hotel",
        "day": "the day of arrival",
        "stay": "how many nights",
        "people": "how many people the room is for",
    },
    "attraction": {
        "type": "what kind of place it is",
        "area": "the part of town",
        "name": "a certain place",
    },
    "train": {
        "departure": "where the journey begins",
        "destination": "where it ends",
        "day": "the day of the journey",
        "leaveAt": "the earliest time of leaving",
        "arriveBy": "the latest time of arrival",
        "people": "how many people travel",
    },
    "taxi": {
        "departure": "where the ride begins",
        "destination": "where it ends",
        "leaveAt": "the earliest time of leaving",
        "arriveBy": "the latest time of arrival",
    },
    "hospital": {"department": "which department"},
    "police": {"name": "a certain station"},
}
"""MultiWOZ's domains, in the spelling of its goals."""


def _asked_slots(parts: Iterable[DomainGoal]) -> str:
    """Returns what a bot can ask its user for: per domain a heading and a line per slot.

    They are MultiWOZ's, and those that the goal itself has; TD-Eval's figure 12 lists those of one
    domain. What the user wants to be told is not among them: no bot has to ask for it.
    """
    return "\n\n".join("\n".join(_lines(part)) for part in parts)


def _lines(part: DomainGoal) -> Iterator[str]:
    meanings = MEANINGS.get(part.domain, {})
    held = (part.inform, part.fail_inform, part.book, part.fail_book)
    own = (slot for slots in held for slot in slots)
    yield f"{part.domain}:"
    for slot in dict.fromkeys([*meanings, *own]):
        yield f"- {slot}: {meanings[slot]}" if slot in meanings else f"- {slot}"


DEFAULT = "turn_policy_default"


def defined(bench: ModelBench, *prompts: Prompt) -> str:
    """Returns the definition of the answers: prompts, models and, if a prompt shows it, the policy
    with its hash.

    The policy is the bot's own, else TD-Eval's (figures 8, 12 and 13). The paper speaks of prompts
    for each domain; those that it released have one policy for all of them, and differ in the
    slots.
    """
    asked = bench.panel.definition(*prompts)
    if not any("policy" in prompt.places for prompt in prompts):
        return asked
    if bench.policy.strip():
        return f"{asked}, own policy ({digest([bench.policy])})"
    return f"{asked}, {bench.prompts.get(DEFAULT).definition}"


def _policy(bench: ModelBench) -> str:
    """Returns the policy, fenced: its orders are for the bot, not for the judge."""
    own = bench.policy.strip()
    return fenced(
        "policy", bench.policy if own else bench.prompts.get(DEFAULT).render()[0]["content"]
    )


NOTHING_SAID = "(Nothing was said before.)"
"""Stands outside of any fence, if nothing that anybody says can stand."""
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _-]{0,39}")


def dialogue_places(bench: ModelBench, dialogue: Dialogue) -> dict[str, str]:
    """Returns the placeholders of a document about a whole dialogue."""
    return {
        **_places(bench, dialogue.goal, dialogue.goal.domains),
        "dialogue": transcript(dialogue),
        "utterances": utterances(dialogue),
    }


def turn_places(bench: ModelBench, dialogue: Dialogue) -> Iterator[dict[str, str]]:
    """Returns, for each turn, the placeholders of a document about one turn.

    As published `history` is what was said before, without tools, and `domain` and `slots` are
    those of the domain that the turn is about. Else they are those of the whole goal: the prompts
    of all turns begin alike, and a provider's cache serves them.
    """
    goal = dialogue.goal
    whole = _places(bench, goal, goal.domains)
    domains = turn_domains(dialogue) if bench.published else {}
    spoken = [spoken_turn(turn) for turn in goal.opening]
    for turn, context in zip(dialogue.turns, contexts(dialogue), strict=True):
        about = domains.get(turn.index)
        places = whole if about is None else _places(bench, goal, [about])
        said = "\n\n".join(spoken) or NOTHING_SAID
        yield {
            **places,
            **context,
            "history": said if bench.published else context["history"] or NOTHING_SAID,
            "utterances": "\n\n".join([*spoken, spoken_turn(turn)]),
        }
        spoken.append(spoken_turn(turn))


def turn_domains(dialogue: Dialogue) -> Mapping[int, DomainGoal]:
    """Maps the number of each turn to the domain of the goal that it is about, if that can be
    known.

    TD-Eval shows the one that the bot predicted; here it is told by the turn's calls, else by its
    words, else it is the one before.
    """
    parts = {part.domain: part for part in dialogue.goal.domains}
    told = ((facts.index, parts.get(facts.domain or "")) for facts in gather(dialogue).turns)
    return {index: part for index, part in told if part is not None}


def _places(bench: ModelBench, goal: Goal, parts: Sequence[DomainGoal]) -> dict[str, str]:
    return {
        "goal": shown_goal(goal),
        "policy": _policy(bench),
        "slots": fenced("slots", _asked_slots(parts)),
        "domain": _named([part.domain for part in parts]),
        "language": bench.language,
        "user_language": bench.language,
    }


def _named(domains: list[str]) -> str:
    """Finds the names of domains in a sentence."""
    if not domains:
        return "(not known)"
    plain = all(PLAIN.fullmatch(domain) for domain in domains)
    return ", ".join(domains) if plain else fenced("domain", ", ".join(domains))
