"""What is heard in AutoTOD's stored dialogues against this project's own labels of each turn.

    python benchmarks/autotod_turns.py ../shared/data/autotod/gpt_dialogues_0613.jsonl \
        --data ../shared/data/multiwoz

The 862 turns are those of a large language model, lists of venues with values among them. The
labels (`gold/autotod_turns.yaml`) say what each turn claims; precision and recall are counted by
kind, over items: a domain booked or refused, a reference number, a venue or train offered or
denied, a turn that says that nothing was found. The ear is given the databases' names, the user's
last words, and the domain raised last; nothing of the labels.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.cues import DOMAINS_TOLD
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.normalise import same_name, same_value
from pytest_todeval.nlu.vocabulary import Vocabulary

GOLD = Path(__file__).parent / "gold" / "autotod_turns.yaml"
KINDS = ("booked", "failed", "references", "offers", "denied", "none")

Turn = tuple[str, int, str, str]
"""Dialogue, number, what the user said, what the bot said."""
Labels = Mapping[tuple[str, int], Mapping[str, Any]]


@dataclass
class Counts:
    """Items of one kind: labelled, heard, and in both."""

    labelled: int = 0
    found: int = 0
    heard: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        """Share of the labelled items that are heard."""
        return self.found / self.labelled if self.labelled else 1.0

    @property
    def precision(self) -> float:
        """Share of the items heard that are labelled."""
        return self.right / self.heard if self.heard else 1.0


@dataclass
class Measurement:
    """Counts by kind; and how often a venue that is denied was heard as an offer."""

    turns: int = 0
    by_kind: dict[str, Counts] = field(default_factory=lambda: {kind: Counts() for kind in KINDS})
    denied_as_offer: int = 0


def labels() -> Labels:
    """The labels, by dialogue and turn."""
    rows = yaml.safe_load(GOLD.read_text(encoding="utf-8"))
    return {(row["dialogue"], row["turn"]): row for row in rows}


def stored_turns(path: Path) -> Iterator[Turn]:
    """Every turn of the file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        for turn in dialogue["run_result"]["dialog_pred"]:
            yield dialogue["dialog_id"], turn["turn_idx"], turn["user"], turn["agent"]


def domain_raised(text: str, before: str | None) -> str | None:
    """The domain that a user's words raise; the one before if they raise none, or several."""
    simple = plain(text)
    found = [name for name, pattern in DOMAINS_TOLD if pattern.search(simple)]
    return found[0] if len(found) == 1 else before


def items(claims: tuple[DialogueAct, ...], domain: str | None) -> dict[str, list[str]]:
    """What was heard, by kind."""
    held = [claim for claim in claims if claim.holds]
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for claim in held:
        match claim.act:
            case Act.BOOKED:
                found["booked"].append(claim.domain or domain or "")
            case Act.BOOKING_FAILED:
                found["failed"].append(claim.domain or domain or "")
            case Act.REFERENCE:
                found["references"].append(claim.value or "")
            case Act.OFFER:
                found["offers"].append(claim.value or "")
            case Act.NO_OFFER:
                found["none"] = ["none"]
                found["denied"] += [claim.value] if claim.value else []
    return {kind: list(dict.fromkeys(values)) for kind, values in found.items()}


def is_same(kind: str, one: str, other: str) -> bool:
    """Whether two items mean the same."""
    if kind in ("offers", "denied"):
        return one.lower() == other.lower() or (
            not one.upper().startswith("TR") and same_name(one, other)
        )
    return same_value("reference", one, other) if kind == "references" else one == other


def count(counts: Counts, kind: str, wanted: list[str], heard: list[str]) -> None:
    """Add one turn's items."""
    counts.labelled += len(wanted)
    counts.heard += len(heard)
    counts.found += sum(any(is_same(kind, item, other) for other in heard) for item in wanted)
    counts.right += sum(any(is_same(kind, item, other) for other in wanted) for item in heard)


def measure(path: Path, vocabulary: Vocabulary) -> Measurement:
    """Listen to every turn and compare."""
    gold, result, last = labels(), Measurement(), Counter[str]()
    domain: str | None = None
    for dialogue, number, user, text in stored_turns(path):
        domain = domain_raised(user, domain if last[dialogue] else None)
        last[dialogue] += 1
        wanted = gold[dialogue, number]
        heard = items(listen(text, vocabulary, domain=domain, user_said=user), domain)
        result.turns += 1
        for kind, counts in result.by_kind.items():
            wishes = ["none"] if kind == "none" and wanted.get("none") else wanted.get(kind, [])
            count(counts, kind, [str(each) for each in wishes or []], heard[kind])
        denied = [str(name) for name in wanted.get("denied", [])]
        result.denied_as_offer += any(
            is_same("offers", name, other) for name in denied for other in heard["offers"]
        )
    return result


def rows(result: Measurement) -> Iterator[str]:
    """The figures, line by line."""
    for kind, counts in result.by_kind.items():
        yield (
            f"{kind:<12} precision {counts.precision:.3f}  recall {counts.recall:.3f}  "
            f"({counts.labelled} labelled, {counts.heard} heard)"
        )
    yield f"a denied venue heard as an offer: {result.denied_as_offer} turns of {result.turns}"


def main() -> None:
    """Measure and print."""
    from multiwoz_turns import read_vocabulary

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("dialogues", type=Path, help="gpt_dialogues_0613.jsonl")
    parser.add_argument("--data", type=Path, required=True, help="folder with MultiWOZ's db/")
    arguments = parser.parse_args()
    result = measure(arguments.dialogues, read_vocabulary(arguments.data))
    print("\n".join(rows(result)))


if __name__ == "__main__":
    main()
