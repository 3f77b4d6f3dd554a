"""How well the ear understands text it was not written beside: MultiWOZ's system turns.

    python benchmarks/multiwoz_turns.py --data ../shared/data/multiwoz --split val

What is heard in every system turn is compared with the turn's annotated `dialog_act`. Input is what
a user has: the turn's text, the user's own last utterance, the domain the user last talked about
(from the *user's* acts of the dialogue so far), and a vocabulary made from the databases. Nothing
annotated on the system turn itself is input.

How annotations map to kinds:

- requested: each `*-Request` slot. `Booking-Request` Time is `time`; Train and Taxi have `leaveAt`
  and `arriveBy`; Attraction Price is the entrance fee or the price range (either is right).
- offered: each Name or Id in any act but NoOffer, NoBook and Request; a venue named while it is
  booked counts too, as annotators put it under Inform or under Book as they please. Spans often
  hold part of a name ("Warkworth") or more than it ("la mimosa or shiraz restaurant"), so a name is
  right where it is the `same_value`, or one of the two holds all words of the other, in order. The
  same goes for the ends of a journey ("Stansted" for "stansted airport").
- no offer: the turn has a `*-NoOffer` act. Its values repeat the user's constraints: not told. A
  venue that is denied counts where the turn has this act; elsewhere the scheme has no act for it.
- booked: `Booking-Book` or `Train-OfferBooked`. The scheme has no act for a booked taxi (it shows
  as Taxi-Inform Car), so `booked` is not counted in turns with Taxi-Inform and neither of the two.
- failed: `Booking-NoBook`. Its values are left out as in NoOffer.
- reference: each Ref value in any act.
- told: each slot and value of every other act: Inform, Recommend, OfferBook, OfferBooked, Book.

Slots and values are compared without the domain, values with `same_value`. Left out, and printed as
numbers, are annotations that tell no value; what is heard of the same slot in that turn is then
not counted as wrong:

- Choice (counts: there is no act for them), Open, and pairs without slot ("none"); `general-*`;
- spans that are no value of their slot ("every hour" as a time, "that area", "unknown" as a fee);
- Select (alternatives in a question, "cheap or moderate?"): neither told nor asked, but its names
  are offered.

Internet and Parking have no span ("none"): only the slot is compared. Turns without any act are not
annotated at all; they are left out and their number is printed.

Precision is the share of heard items that match an annotated one, recall the share of annotated
items that match a heard one; both without repetitions within a turn. Micro sums the counts.
"""

import argparse
import json
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.values.normalise import normalise, normalise_name, same_value
from pytest_todeval.nlu.vocabulary import Vocabulary

KINDS = ("requested", "offered", "no offer", "booked", "failed", "reference", "told")

SLOTS = {
    "Addr": "address", "Phone": "phone", "Post": "postcode", "Price": "pricerange",
    "Area": "area", "Food": "food", "Stars": "stars", "Type": "type", "Day": "day",
    "Leave": "leaveAt", "Arrive": "arriveBy", "Depart": "departure", "Dest": "destination",
    "People": "people", "Stay": "stay", "Ticket": "price", "Fee": "entrance fee",
    "Internet": "internet", "Parking": "parking", "Car": "car type", "Name": "name",
    "Department": "department", "Id": "trainID", "Ref": "reference",
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
    left_out: Counter[str] = field(default_factory=Counter)
    """Reason -> number of annotations."""


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
        domain, _, kind = act.partition("-")
        if domain == "general":
            continue
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
    """Put one annotated slot and value where it belongs."""
    name = canonical(act, slot)
    if name is None:
        gold.left_out["no slot" if slot == "none" else slot] += 1
    elif name == "reference":
        add_item(gold, "reference", name, value, tells=value != "none")
    elif kind in ("NoBook", "NoOffer"):
        gold.left_out["constraint repeated in a refusal"] += 1
    elif kind == "Request":
        gold.items["requested"].add((name, ""))
    elif name in ("name", "trainID"):
        add_item(gold, "offered", name, value, tells=value != "none")
    elif kind == "Select":
        gold.left_out["Select"] += 1
        gold.skipped["told"].add(name)
        gold.skipped["requested"].add(name)
    elif name in ("internet", "parking"):
        add_item(gold, "told", name, "", tells=True)
    else:
        add_item(gold, "told", name, value, tells=is_value(name, value))


def add_item(gold: Gold, kind: str, name: str, value: str, *, tells: bool) -> None:
    """Count an annotation, or leave it out where it tells no value."""
    if tells:
        gold.items[kind].add((name, value))
    else:
        gold.left_out["span is no value"] += 1
        gold.skipped[kind].add(name)


HEARD_KINDS = {
    Act.REQUEST: "requested", Act.OFFER: "offered", Act.NO_OFFER: "no offer", Act.BOOKED: "booked",
    Act.BOOKING_FAILED: "failed", Act.REFERENCE: "reference", Act.INFORM: "told",
}  # fmt: skip


def heard_of(heard: tuple[DialogueAct, ...]) -> dict[str, set[Item]]:
    """What holds of what was heard in one turn, by kind."""
    items: dict[str, set[Item]] = defaultdict(set)
    for one in heard:
        if one.act not in HEARD_KINDS or not one.holds:
            continue
        kind, slot, value = HEARD_KINDS[one.act], one.slot or "", one.value or ""
        if kind == "no offer" and value:
            slot, value = "name", ""
        elif kind in ("no offer", "booked", "failed"):
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


def compare(
    gold: Gold, heard: Mapping[str, set[Item]]
) -> Iterator[tuple[str, Counts, list[Item], list[Item]]]:
    """Per kind: counts, annotated items missed, heard items that are wrong."""
    for kind in KINDS:
        want = unique(gold.items.get(kind, set()))
        got = unique(heard.get(kind, set()))
        skipped = gold.skipped.get(kind, set())
        if kind == "no offer":  # the scheme has no act for a denied venue: then no error
            got = [("", "")] if want and got else [i for i in got if not i[0]]
        got = [i for i in got if i[0] not in skipped or any(matches(g, i) for g in want)]
        missed = [g for g in want if not any(matches(g, h) for h in got)]
        wrong = [h for h in got if not any(matches(g, h) for g in want)]
        yield (
            kind,
            Counts(len(want), len(want) - len(missed), len(got), len(got) - len(wrong)),
            missed,
            wrong,
        )


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
            yield SystemTurn(
                name, system["text"], user["text"], domain, system.get("dialog_act") or {}
            )


@dataclass
class Measurement:
    """What came of comparing the turns of a split."""

    totals: dict[str, Counts] = field(default_factory=lambda: {kind: Counts() for kind in KINDS})
    compared: int = 0
    unannotated: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    listening: float = 0.0
    """Seconds of CPU spent in `listen`."""

    @property
    def micro(self) -> Counts:
        """All kinds together."""
        everything = Counts()
        for counts in self.totals.values():
            everything.add(counts)
        return everything


Errors = Callable[[str, list[Item], list[Item], SystemTurn], object]
"""Called with kind, annotated items missed, heard items that are wrong, and the turn."""


def measure(
    dialogues: Mapping[str, Any], vocabulary: Vocabulary, errors: Errors | None = None
) -> Measurement:
    """Compare what is heard with what is annotated, in every system turn."""
    result = Measurement()
    for turn in turns(dialogues):
        if not turn.acts:
            result.unannotated += 1
            continue
        result.compared += 1
        started = time.process_time()
        heard = listen(turn.text, vocabulary, domain=turn.domain, user_said=turn.user)
        result.listening += time.process_time() - started
        gold = gold_of(turn.acts)
        result.left_out.update(gold.left_out)
        for kind, counts, missed, wrong in compare(gold, heard_of(heard)):
            result.totals[kind].add(counts)
            if errors is not None and (missed or wrong):
                errors(kind, missed, wrong, turn)
    return result


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
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with <split>.json.zip and db/"
    )
    parser.add_argument("--split", choices=("val", "test"), default="val")
    arguments = parser.parse_args()
    vocabulary = read_vocabulary(arguments.data)
    dialogues = read_dialogues(arguments.data, arguments.split)
    result = measure(dialogues, vocabulary)
    print(f"{'kind':<12}{'P':>7}{'R':>7}{'F1':>7}{'annotated':>11}{'heard':>8}")
    for kind, counts in [*result.totals.items(), ("micro", result.micro)]:
        print(
            f"{kind:<12}{counts.precision:>7.3f}{counts.recall:>7.3f}{counts.f1:>7.3f}"
            f"{counts.gold:>11}{counts.heard:>8}"
        )
    print(f"{result.compared} turns compared, {result.unannotated} without annotation left out")
    print("annotations left out:", dict(result.left_out.most_common()))
    print(f"{1000 * result.listening / result.compared:.2f} ms a turn in listen()")


if __name__ == "__main__":
    main()
