"""What the corpus metric asks of a dialogue, rebuilt from the goal record of the corpus."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.research.offline.corpus.values import normalise_slot, normalise_value

DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police")
REQUESTABLE = {"phone": "PHONE", "address": "ADDRESS", "postcode": "POST"}


@dataclass(frozen=True, slots=True)
class CorpusGoal:
    """One domain of a goal."""

    constraints: Mapping[str, str]
    """What the venue must meet: the goal's `info`, never its `fail_info`."""
    requested: frozenset[str]
    """Concepts that must be given: PHONE, ADDRESS, POST, REFERENCE, TRAINID."""


def corpus_goal(record: Mapping[str, Any]) -> dict[str, CorpusGoal]:
    """The goal's domains, from a MultiWOZ goal record (`{domain: {info, reqt, book, ...}}`)."""
    parts = {domain: record.get(domain) for domain in DOMAINS}
    return {
        domain: CorpusGoal(_constraints(part), _requested(domain, part))
        for domain, part in parts.items()
        if isinstance(part, Mapping) and part
    }


def _constraints(part: Mapping[str, Any]) -> dict[str, str]:
    slots = {normalise_slot(slot): str(value) for slot, value in (part.get("info") or {}).items()}
    return {slot: normalise_value(slot, value) for slot, value in slots.items()}


def _requested(domain: str, part: Mapping[str, Any]) -> frozenset[str]:
    asked = part.get("reqt") or ()
    reference = {"REFERENCE"} if part.get("book") else set()
    if domain == "train":
        # nothing else that can be asked of a train has a placeholder of its own
        return frozenset(reference | ({"TRAINID"} if "trainID" in asked else set()))
    return frozenset(reference | {REQUESTABLE[slot] for slot in asked if slot in REQUESTABLE})
