"""How well `language.listen` understands text it was not written beside: MultiWOZ's real system turns.

    python benchmarks/listening.py --data ../shared/data/multiwoz --split val

What is heard in every system turn is compared with the turn's annotated `dialog_act`. Input is what
a user has: the turn's text, the user's previous utterance, the domain the user last talked about
(read from the *user's* acts of the dialogue so far), and a vocabulary made from the databases. The
system turn's own annotation is never input.

How annotations map to kinds:

- requested: each `*-Request` slot. `Booking-Request` Time is `time`; Train and Taxi have `leaveAt` and
  `arriveBy`; Attraction Price is the entrance fee or price range (either is right).
- offered: each Name or Id in any act but NoOffer, NoBook and Request; a venue named while it is booked
  counts as well, as annotators put it under Inform or under Book as they please. Spans often hold
  part of a name ("Warkworth") or more than it ("la mimosa or shiraz restaurant"), so a name is right
  where it is the `same_value`, or one of the two holds all words of the other, in order. The same
  goes for the ends of a journey ("Stansted" for "stansted airport").
- no offer: the turn has a `*-NoOffer` act. Values in it repeat the user's constraints; they are not told.
- booked: `Booking-Book` or `Train-OfferBooked`. The scheme has no act for a booked taxi (it shows as
  Taxi-Inform Car), so `booked` is not counted in turns with Taxi-Inform and neither of the two acts.
- failed: `Booking-NoBook`. Values in it are left out as in NoOffer.
- reference: each Ref value in any act.
- told: each slot and value of Inform, Recommend, OfferBook, OfferBooked, Booking-Book, Booking-Inform.

Slots and values are compared without the domain. An annotation is left out, and what is heard of the
same slot in that turn is not counted either, where it tells no value:

- Choice (counts: there is no act for them), Open, `none` slots;
- spans that are no value of their slot ("every hour" as a time, "that area", "unknown" as a fee);
- Select (alternatives in a question, "cheap or moderate?"): neither told nor asked; names are offered.

Internet and Parking have no span ("none"): only the slot is compared. Turns without any act are not
annotated at all and are left out; their number is printed.
Precision = heard items that match an annotated one; recall = annotated items that match a heard one; both
sets without repetitions in a turn.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
import json
from pathlib import Path
import time
from typing import Any
import zipfile

from pytest_todeval.language.heard import Act, Heard
from pytest_todeval.language.listen import listen
from pytest_todeval.language.values import normalise, normalise_name, same_value
from pytest_todeval.language.vocabulary import Vocabulary

KINDS = ("requested", "offered", "no offer", "booked", "failed", "reference", "told")

SLOTS = {
    "Addr": "address", "Phone": "phone", "Post": "postcode", "Price": "pricerange", "Area": "area",
    "Food": "food", "Stars": "stars", "Type": "type", "Day": "day", "Leave": "leaveAt",
    "Arrive": "arriveBy", "Depart": "departure", "Dest": "destination", "People": "people", "Stay": "stay",
    "Ticket": "price", "Fee": "entrance fee", "Internet": "internet", "Parking": "parking",
    "Car": "car type", "Department": "department", "Name": "name", "Id": "trainID", "Ref": "reference",
}  # fmt: skip
"""Annotated slot -> MultiWOZ's goal spelling; `Time` depends on the act."""

CLOSED = {
    "area": {"centre", "north", "south", "east", "west"},
    "pricerange": {"cheap", "moderate", "expensive"},
    "day": {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"},
}
NUMERIC = {"people", "stay", "stars", "price", "phone"}
TIMES = {"leaveAt", "arriveBy", "time"}

Item = tuple[str, str]
"""Slot and value; the value is "" where only the slot or the act counts."""


@dataclass
class Gold:
    """What is annotated in one turn, by kind; and what is not to be counted."""

    items: dict[str, set[Item]] = field(default_factory=lambda: defaultdict(set))
    skipped: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Kind -> slots ("" for kinds without)."""


def canonical(act: str, slot: str) -> str | None:
    """The slot in goal spelling, or None where it is left out."""
    if slot == "Time":
        return "duration" if act.startswith("Train") else "time"
    if slot == "Price" and act.startswith("Attraction"):
        return "entrance fee"
    return SLOTS.get(slot)


def is_value(slot: str, value: str) -> bool:
    """Whether an annotated span is a value of its slot."""
    norm = normalise(slot, value)
    if slot in ("internet", "parking"):
        return True
    if not norm or value in ("none", "?"):
        return False
    if slot in CLOSED:
        return norm in CLOSED[slot]
    if slot in TIMES:
        return len(norm) == 5 and norm[2] == ":"
    if slot in NUMERIC:
        return norm.replace(".", "").isdigit()
    if slot == "entrance fee":
        return norm == "free" or norm.replace(".", "").isdigit()
    if slot == "duration":
        return norm.endswith(" minutes") and norm[0].isdigit()
    return True


def gold_of(acts: Mapping[str, Any]) -> Gold:
    """Map the annotation of one turn, as the module's docstring says."""
    gold = Gold()
    for act, pairs in acts.items():
        kind = act.split("-")[1]
        if kind == "NoOffer":
            gold.items["no offer"].add(("", ""))
        if kind == "NoBook":
            gold.items["failed"].add(("", ""))
        if act in ("Booking-Book", "Train-OfferBooked"):
            gold.items["booked"].add(("", ""))
        for slot, value in pairs:
            add(gold, act, kind, slot, value)
    if "Taxi-Inform" in acts and not gold.items["booked"]:
        gold.skipped["booked"].add("")
    return gold


def add(gold: Gold, act: str, kind: str, slot: str, value: str) -> None:
    name = canonical(act, slot)
    if name is None or kind in ("NoBook", "NoOffer") and name != "reference":
        return
    if kind == "Request":
        gold.items["requested"].add((name, ""))
    elif name == "reference":
        if value != "none":
            gold.items["reference"].add((name, value))
    elif name in ("name", "trainID"):
        (gold.items["offered"].add((name, value)) if value != "none" else gold.skipped["offered"].add(name))
    elif kind == "Select":
        gold.skipped["told"].add(name)
        gold.skipped["requested"].add(name)
    elif not is_value(name, value):
        gold.skipped["told"].add(name)
    else:
        gold.items["told"].add((name, "" if name in ("internet", "parking") else value))


HEARD_KINDS = {
    Act.REQUEST: "requested", Act.OFFER: "offered", Act.NO_OFFER: "no offer", Act.BOOKED: "booked",
    Act.BOOKING_FAILED: "failed", Act.REFERENCE: "reference", Act.INFORM: "told",
}  # fmt: skip


def heard_of(heard: tuple[Heard, ...]) -> dict[str, set[Item]]:
    """What was heard in one turn, by kind."""
    items: dict[str, set[Item]] = defaultdict(set)
    for one in heard:
        if one.act not in HEARD_KINDS:
            continue
        kind, slot, value = HEARD_KINDS[one.act], one.slot or "", one.value or ""
        if kind in ("no offer", "booked", "failed"):
            slot = value = ""
        if slot in ("internet", "parking"):
            value = ""
        items[kind].add((slot, value))
    return items


def matches(one: Item, other: Item) -> bool:
    """Whether an annotated and a heard item mean the same."""
    (slot, gold), (heard_slot, value) = one, other
    if {slot, heard_slot} == {"pricerange", "entrance fee"} and not gold and not value:
        return True
    if slot != heard_slot:
        return False
    if same_value(slot, gold, value):
        return True
    if slot in ("name", "departure", "destination"):
        said, known = f" {normalise_name(gold)} ", f" {normalise_name(value)} "
        return bool(gold and value) and (said in known or known in said)
    return False


@dataclass
class Counts:
    """Counts of one kind."""

    gold: int = 0
    gold_matched: int = 0
    heard: int = 0
    heard_matched: int = 0

    def add(self, other: "Counts") -> None:
        self.gold += other.gold
        self.gold_matched += other.gold_matched
        self.heard += other.heard
        self.heard_matched += other.heard_matched

    @property
    def precision(self) -> float:
        return self.heard_matched / self.heard if self.heard else 1.0

    @property
    def recall(self) -> float:
        return self.gold_matched / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def unique(items: set[Item]) -> list[Item]:
    """Without spellings of the same."""
    kept: dict[tuple[str, str], Item] = {}
    for item in sorted(items):
        kept.setdefault((item[0], normalise(item[0], item[1])), item)
    return list(kept.values())


def compare(gold: Gold, heard: Mapping[str, set[Item]]) -> Iterator[tuple[str, Counts, list[Item], list[Item]]]:
    """Per kind: counts, annotated items missed, heard items that are wrong."""
    for kind in KINDS:
        want = unique(gold.items.get(kind, set()))
        got = unique(heard.get(kind, set()))
        skipped = gold.skipped.get(kind, set())
        got = [i for i in got if i[0] not in skipped or any(matches(g, i) for g in want)]
        missed = [g for g in want if not any(matches(g, h) for h in got)]
        wrong = [h for h in got if not any(matches(g, h) for g in want)]
        yield kind, Counts(len(want), len(want) - len(missed), len(got), len(got) - len(wrong)), missed, wrong


@dataclass(frozen=True)
class SystemTurn:
    """One system turn with what a user knows when hearing it."""

    dialogue: str
    text: str
    user: str
    domain: str | None
    acts: Mapping[str, Any]


def user_domain(acts: Mapping[str, Any], before: str | None) -> str | None:
    """The domain of the user's acts: one newly raised, else the domain before."""
    found = [act.split("-")[0].lower() for act in acts if not act.startswith("general")]
    return next((domain for domain in found if domain != before), before)


def turns(dialogues: Mapping[str, Any]) -> Iterator[SystemTurn]:
    """The annotated and unannotated system turns."""
    for name, dialogue in dialogues.items():
        domain = None
        log = dialogue["log"]
        for user, system in zip(log[::2], log[1::2], strict=False):
            domain = user_domain(user.get("dialog_act") or {}, domain)
            yield SystemTurn(name, system["text"], user["text"], domain, system.get("dialog_act") or {})


def measure(
    dialogues: Mapping[str, Any], vocabulary: Vocabulary, errors: Counter[Any] | None = None, examples: list[Any] | None = None
) -> tuple[dict[str, Counts], int, int]:
    """Counts by kind, the number of turns compared, and of turns without annotation."""
    totals = {kind: Counts() for kind in KINDS}
    compared = unannotated = 0
    for turn in turns(dialogues):
        if not turn.acts:
            unannotated += 1
            continue
        compared += 1
        heard = listen(turn.text, vocabulary, domain=turn.domain, user_said=turn.user)
        for kind, counts, missed, wrong in compare(gold_of(turn.acts), heard_of(heard)):
            totals[kind].add(counts)
            if errors is not None:
                errors.update(("missed", kind, slot) for slot, _ in missed)
                errors.update(("wrong", kind, slot) for slot, _ in wrong)
            if examples is not None and (missed or wrong):
                examples.append((kind, missed, wrong, turn))
    return totals, compared, unannotated


def micro(totals: Mapping[str, Counts]) -> Counts:
    """All kinds together."""
    everything = Counts()
    for counts in totals.values():
        everything.add(counts)
    return everything


def read_dialogues(data: Path, split: str) -> dict[str, Any]:
    """The dialogues of a split, from `<split>.json.zip`."""
    with zipfile.ZipFile(data / f"{split}.json.zip") as archive:
        loaded: dict[str, Any] = json.loads(archive.read(archive.namelist()[0]))
    return loaded


def read_vocabulary(data: Path) -> Vocabulary:
    """The vocabulary of the databases (taxis have rows for none)."""
    rows = {}
    for path in sorted((data / "db").glob("*_db.json")):
        loaded = json.loads(path.read_text(encoding="utf-8"))
        rows[path.stem.removesuffix("_db")] = loaded if isinstance(loaded, list) else []
    return Vocabulary.from_rows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with <split>.json.zip and db/")
    parser.add_argument("--split", choices=("val", "test"), default="val")
    arguments = parser.parse_args()
    vocabulary = read_vocabulary(arguments.data)
    dialogues = read_dialogues(arguments.data, arguments.split)
    started = time.perf_counter()
    totals, compared, unannotated = measure(dialogues, vocabulary)
    seconds = time.perf_counter() - started
    print(f"{'kind':<12}{'P':>7}{'R':>7}{'F1':>7}{'annotated':>11}{'heard':>8}")
    for kind, counts in [*totals.items(), ("micro", micro(totals))]:
        print(
            f"{kind:<12}{counts.precision:>7.3f}{counts.recall:>7.3f}{counts.f1:>7.3f}"
            f"{counts.gold:>11}{counts.heard:>8}"
        )
    print(f"{compared} turns compared, {unannotated} without annotation left out")
    print(f"{seconds:.1f} s, {1000 * seconds / compared:.2f} ms a turn (comparison included)")


if __name__ == "__main__":
    main()
