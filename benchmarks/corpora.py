"""How well a bot's turns are heard in corpora of people's dialogues that nobody here has written.

    python benchmarks/corpora.py --corpora FOLDER --data ../shared/data/multiwoz
    python benchmarks/corpora.py --corpora FOLDER --only sgd --errors booked --show 40

`FOLDER` holds checkouts, each of which may lack: `sgd/train` (Schema-Guided Dialogue), `sim/sim-M`
and `sim/sim-R` (simulated dialogues), `taskmaster/TM-3-2020` and `TM-4-2024`. `--data` is MultiWOZ.
Nothing of them is part of this project.

By kind are counted the annotated items (gold) that were heard for sure, with a doubt, or missed;
then what was heard and is not annotated, for sure and with a doubt. `wrong %` is the share of what
is heard for sure. How annotations are read:

- Schema-Guided: a domain for each service, goals from the user's last state and what it asks for.
  `booked` is NOTIFY_SUCCESS, `failed` NOTIFY_FAILURE of a transaction, `no_offer` of a search,
  `offer` the item's name in OFFER, `asked` REQUEST, `told` the values of slots of the goal in OFFER
  and INFORM. With calls and their results visible, and without. Services that book, reserve or buy
  are counted as `booked`, what else they do as `done` (play, transfer, share, add).
- sim-M, sim-R: `booked`, `failed`, `asked`, `offer` likewise, by its acts.
- Taskmaster-4 (coffee): `booked` is the reply to `finish_order` that succeeds; `no_offer` that to a
  search that finds nothing. Taskmaster-3 (cinema): `booked` is the reply to `book_tickets`; what
  is none is not annotated.
- MultiWOZ's test part: as in `multiwoz_turns.py`.

Slots match if they mean the same kind of thing: `price_per_day` and `price`, `date` and `day`.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import multiwoz_turns  # noqa: E402
import sgd  # noqa: E402

from pytest_todeval.core.dialogue import Dialogue, Turn  # noqa: E402
from pytest_todeval.core.dialogue_act import Act, DialogueAct  # noqa: E402
from pytest_todeval.core.goal import DomainGoal, Goal  # noqa: E402
from pytest_todeval.facts.dialogue import gather  # noqa: E402
from pytest_todeval.nlu.listen import listen  # noqa: E402
from pytest_todeval.nlu.values.normalise import normalise_name, same_value  # noqa: E402

KINDS = ("booked", "done", "failed", "offer", "no_offer", "asked", "told")
FLAGS = {
    "booked": Act.BOOKED,
    "done": Act.BOOKED,
    "failed": Act.BOOKING_FAILED,
    "no_offer": Act.NO_OFFER,
}
Pair = tuple[str, str]


@dataclass
class Gold:
    """What is annotated in a turn; of a kind that is not in `kinds` nothing is known."""

    kinds: frozenset[str]
    flags: set[str] = field(default_factory=set)
    offers: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    told: set[Pair] = field(default_factory=set)
    beside: set[Pair] = field(default_factory=set)
    """Values that are said, too, and count neither as told nor as wrongly heard."""
    goal: frozenset[str] = frozenset()
    """The slots of the goal."""


@dataclass(frozen=True)
class Heard:
    """One turn: what was said, heard and annotated."""

    user: str
    text: str
    claims: tuple[DialogueAct, ...]
    gold: Gold


@dataclass
class Counts:
    """What came of one kind."""

    sure: int = 0
    doubted: int = 0
    missed: int = 0
    wrong: int = 0
    wrong_doubted: int = 0

    def add(self, other: "Counts") -> None:
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)

    @property
    def has_errors(self) -> bool:
        return bool(self.doubted or self.missed or self.wrong or self.wrong_doubted)

    @property
    def line(self) -> str:
        """In words."""
        gold = max(self.sure + self.doubted + self.missed, 1)
        return (
            f"{100 * self.sure / gold:.1f} % sure, {100 * self.doubted / gold:.1f} % doubted; "
            f"{100 * self.wrong / max(self.sure + self.wrong, 1):.1f} % of the sure are wrong"
        )

    @property
    def cells(self) -> str:
        """As cells of the table."""
        gold = self.sure + self.doubted + self.missed
        of = 100 / max(gold, 1)
        heard = 100 / max(self.sure + self.wrong, 1)
        return (
            f"{gold:>6}{self.sure * of:>8.1f}{self.doubted * of:>10.1f}{self.missed * of:>9.1f}"
            f"{self.wrong:>8}{self.wrong * heard:>9.1f}{self.wrong_doubted:>9}"
        )


# Slots and values

HEAD = (
    f"{'':<22}{'kind':<10}{'gold':>6}{'sure %':>8}{'doubted %':>10}{'missed %':>9}"
    f"{'wrong':>8}{'wrong %':>9}{'doubted':>9}"
)
EVERY = 8
"""Each so manieth dialogue of the largest corpus."""
ALIKE = (
    {"phone", "telephone", "number"}, {"address", "street"}, {"date", "day"},
    {"price", "fare", "rent", "cost", "amount", "fee", "balance"}, {"rating", "stars", "star"},
    {"time", "leaveat", "arriveby", "hour"}, {"stay", "days", "nights", "duration"},
    {"people", "travelers", "passengers", "party", "seats", "tickets", "adults", "riders",
     "group", "persons", "guests"},
    {"departure", "origin", "from"}, {"destination", "to"}, {"cuisine", "food", "category"},
    {"city", "area", "location"}, {"wifi", "internet"}, {"pricerange", "range"},
)  # fmt: skip
EMPTY = {"of", "has", "per", "is", "in", "name", "for", "num", "the", "number", "approximate"}


def slot_words(slot: str) -> frozenset[str]:
    """What a slot means, by its words."""
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", slot).lower())
    found = {word for word in [*words, "".join(words)] if word not in EMPTY} or set(words)
    for group in ALIKE:
        if found & group:
            found |= {min(group)}
    return frozenset(found)


def same_slot(one: str, other: str) -> bool:
    """Whether two slots mean the same kind of thing."""
    return one == other or bool(slot_words(one) & slot_words(other))


def same_words(one: str, other: str) -> bool:
    """Whether one name holds all words of the other, in order."""
    said, known = f" {normalise_name(one)} ", f" {normalise_name(other)} "
    return bool(one and other) and (said in known or known in said)


def same_pair(slot: str, gold: str, value: str) -> bool:
    """Whether two values of a slot are the same."""
    return same_value(slot, gold, value) or same_words(gold, value)


# Comparing


def compare(heard: Heard) -> Iterator[tuple[str, Counts]]:
    """What is right, missed and wrong in a turn, by kind."""
    gold, claims = heard.gold, [claim for claim in heard.claims if claim.holds]
    for kind in FLAGS:
        if kind in gold.kinds:
            yield kind, _flag(kind, gold, claims)
    if "offer" in gold.kinds:
        said = [c for c in claims if c.act is Act.OFFER and c.value]
        also = {value for _, value in gold.beside}
        yield "offer", _matched(gold.offers, said, lambda g, c: same_words(g, c.value or ""), also)
    if "asked" in gold.kinds:
        said = [c for c in claims if c.act is Act.REQUEST and c.slot]
        yield "asked", _matched(gold.asked, said, lambda g, c: same_slot(g, c.slot or ""))
    if "told" in gold.kinds:
        said = [c for c in claims if c.act is Act.INFORM and c.slot and c.value]
        own = [c for c in said if any(same_slot(c.slot or "", slot) for slot in gold.goal)]
        yield "told", _matched(gold.told, own, _is_told, gold.beside)


def _is_told(pair: Pair, claim: DialogueAct) -> bool:
    slot, value = claim.slot or "", claim.value or ""
    return same_slot(pair[0], slot) and same_pair(slot, pair[1], value)


def _flag(kind: str, gold: Gold, claims: Sequence[DialogueAct]) -> Counts:
    said = [c for c in claims if c.act is FLAGS[kind]]
    if kind == "no_offer" and kind not in gold.flags:
        said = [c for c in said if not c.value]  # a venue that is denied has no act in most corpora
    sure = any(not claim.doubt for claim in said)
    doubted = bool(said) and not sure
    if kind in gold.flags:
        return Counts(sure, doubted, not said)
    return Counts(wrong=int(sure), wrong_doubted=int(doubted))


def _matched(
    gold: Iterable[Any], said: Sequence[DialogueAct], same: Any, also: Iterable[Any] = ()
) -> Any:
    counts = Counts()
    for item in gold:
        found = [claim for claim in said if same(item, claim)]
        if any(not claim.doubt for claim in found):
            counts.sure += 1
        elif found:
            counts.doubted += 1
        else:
            counts.missed += 1
    for claim in said:
        if not any(same(item, claim) for item in (*gold, *also)):
            counts.wrong += not claim.doubt
            counts.wrong_doubted += bool(claim.doubt)
    return counts


# The corpora


def read_sgd(folder: Path, every: int, *, visible: bool) -> Iterator[Heard]:
    """Schema-Guided Dialogue."""
    services = sgd.read_services(folder)
    for record in sgd.read_records(folder, every):
        dialogue = sgd.dialogue_of(record, services, visible=visible)
        facts = gather(dialogue).turns
        slots = frozenset(
            slot for p in dialogue.goal.domains for slot in (*p.inform, *p.book, *p.request)
        )
        for turn, system in zip(facts, record["turns"][1::2], strict=True):
            gold = Gold(frozenset(KINDS), goal=slots)
            for frame in system["frames"]:
                _sgd_frame(frame, services[frame["service"]], gold)
            yield Heard(turn.turn.user, turn.turn.system, turn.heard, gold)


def _sgd_frame(frame: Mapping[str, Any], service: sgd.Service, gold: Gold) -> None:
    books = any(re.match("Book|Reserve|Buy|Schedule|GetRide", d["name"]) for d in service.deeds)
    called = frame.get("service_call", {}).get("method", "")
    for action in frame["actions"]:
        act, slot = action["act"], service.own(action["slot"])
        pairs = {
            (slot, sgd.said_as(value)) for value in (*action["values"], *action["canonical_values"])
        }
        if act == "NOTIFY_SUCCESS":
            gold.flags.add("booked" if books else "done")
        elif act == "NOTIFY_FAILURE":
            searched = called in [intent["name"] for intent in service.searches]
            gold.flags.add("no_offer" if searched else "failed")
        elif act == "REQUEST":
            gold.asked.add(slot)
        elif act == "OFFER" and slot == "name":
            gold.offers.update(action["canonical_values"])
            gold.beside.update(pairs)
        elif act in ("OFFER", "INFORM") and slot in gold.goal and action["values"]:
            gold.told.add((slot, sgd.said_as(action["values"][0])))
        gold.beside.update(pairs)
    gold.kinds -= {"done" if books else "booked"}


SIM_KINDS = frozenset({"booked", "failed", "offer", "asked"})


def read_sim(path: Path) -> Iterator[Heard]:
    """Simulated dialogues with crowd workers' wordings."""
    domain, entity = (
        ("movie", "movie") if "sim-M" in str(path) else ("restaurant", "restaurant_name")
    )
    books = {"num_tickets", "num_people", "date", "time", "theatre_name"}
    for record in json.loads(path.read_text(encoding="utf-8")):
        state = {s["slot"]: s["value"] for s in record["turns"][-1].get("dialogue_state", ())}
        own = {("name" if slot == entity else slot): value for slot, value in state.items()}
        part = DomainGoal(
            domain,
            {slot: value for slot, value in own.items() if slot not in books},
            book={slot: value for slot, value in own.items() if slot in books},
            wants_booking=True,
        )
        turns, golds = [], []
        for before, turn in zip(record["turns"], record["turns"][1:], strict=False):
            said = turn["system_utterance"]
            user, system = joined(before["user_utterance"]["tokens"]), joined(said["tokens"])
            turns.append(Turn(len(turns) + 1, user, system))
            golds.append(_sim_gold(turn, said, entity))
        dialogue = Dialogue(Goal(record["dialogue_id"], "sim", (part,)), tuple(turns))
        for facts, gold in zip(gather(dialogue).turns, golds, strict=True):
            yield Heard(facts.turn.user, facts.turn.system, facts.heard, gold)


def _sim_gold(turn: Mapping[str, Any], said: Mapping[str, Any], entity: str) -> Gold:
    acts = {(act["type"], act.get("slot")) for act in turn.get("system_acts", ())}
    gold = Gold(SIM_KINDS)
    names = [
        " ".join(said["tokens"][span["start"] : span["exclusive_end"]])
        for span in said["slots"]
        if span["slot"] == entity
    ]
    gold.beside = {("name", name) for name in names}
    for kind, slot in acts:
        if kind == "NOTIFY_SUCCESS":
            gold.flags.add("booked")
        elif kind == "NOTIFY_FAILURE":
            gold.flags.add("failed")
        elif kind == "NEGATE":  # a time that is not to be had: refused or not, as one likes
            gold.kinds -= {"failed"}
        elif kind == "REQUEST":
            gold.asked.add("name" if slot == entity else slot)
        elif kind in ("OFFER", "SELECT"):
            gold.offers.update(names if slot == entity else ())
            if slot != entity:  # alternatives of a slot: asked or offered, as one likes
                gold.kinds -= {"asked"}
    return gold


def joined(tokens: Sequence[str]) -> str:
    """Tokens as a sentence."""
    text = re.sub(r" (?=[.,?!;:])|(?<=\w) (?=n't)", "", " ".join(tokens))
    return re.sub(r"(\w) ' (?=(?:s|t|re|ve|ll|d|m)\b)", r"\1'", text).replace("( ", "(")


def read_coffee(folder: Path, every: int) -> Iterator[Heard]:
    """Taskmaster-4: orders of coffee."""
    kinds = frozenset({"booked", "no_offer"})
    part = DomainGoal("coffee", {"drink": "latte"}, book={"milk": "oat"}, wants_booking=True)
    for number, record in enumerate(_records(folder.glob("data/data_*.json"))):
        if number % every:
            continue
        turns, golds, done = [], [], False
        user, calls = "", {}
        for line in record["utterances"]:
            if line["speaker"] == "user":
                user = f"{user} {line['text']}".strip()
                calls |= dict(_annotated_calls(line))
                continue
            calls |= dict(_annotated_calls(line))
            gold = Gold(kinds)
            if "true" in calls.get("finish_order", ""):
                gold.flags.add("booked")
                done = True
            elif done:
                gold.kinds -= {"booked"}
            if set(calls) == {"get_menu_items"}:
                empty = '"menu_items":[]' in calls["get_menu_items"].replace(" ", "")
                gold.flags |= {"no_offer"} if empty else set()
            elif calls:
                gold.kinds -= {"no_offer"}
            turns.append(Turn(len(turns) + 1, user or "Hello", line["text"]))
            golds.append(gold)
            user, calls = "", {}
        dialogue = Dialogue(Goal(record["conversation_id"], "coffee", (part,)), tuple(turns))
        for facts, gold in zip(gather(dialogue).turns, golds, strict=True):
            yield Heard(facts.turn.user, facts.turn.system, facts.heard, gold)


def _annotated_calls(line: Mapping[str, Any]) -> Iterator[Pair]:
    name = ""
    for note in line["annotations"]:
        if note["name"] == "api_response":
            name = note["value"]
        elif note["name"] == "response":
            yield name, note["value"]


def read_cinema(folder: Path) -> Iterator[Heard]:
    """Taskmaster-3's examples for rewards: beginnings of dialogues, each turn once."""
    part = DomainGoal("movie", {"genre": "comedy"}, book={"tickets": "2"}, wants_booking=True)
    known: set[Pair] = set()
    for record in _records(folder.glob("reward/reward_*.json")):
        context = json.loads(record["context"])
        if '"book_tickets": {"status": "success"' not in record["context"]:
            continue  # some claim bookings in them that nobody made
        turns, golds, user, booked, done = [], [], "", False, False
        for line in context:
            if line["role"] == "user":
                user = line["text"]
            elif line["role"] == "api":
                booked |= line["response"].get("book_tickets", {}).get("status") == "success"
            elif line.get("text") and user:
                new = not done and (user, line["text"]) not in known
                right = booked and new  # before it, some claim what no call has made
                gold = Gold(frozenset({"booked"} if right else ()))
                gold.flags |= {"booked"} if right else set()
                known.add((user, line["text"]))
                done |= booked
                turns.append(Turn(len(turns) + 1, user, line["text"]))
                golds.append(gold)
        if turns:
            dialogue = Dialogue(Goal(record["conversation_id"], "cinema", (part,)), tuple(turns))
            for facts, gold in zip(gather(dialogue).turns, golds, strict=True):
                yield Heard(facts.turn.user, facts.turn.system, facts.heard, gold)


def _records(paths: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
    for path in sorted(paths):
        yield from json.loads(path.read_text(encoding="utf-8"))


def read_multiwoz(data: Path, every: int, split: str = "test") -> Iterator[Heard]:
    """One part of MultiWOZ."""
    names = {"no offer": "no_offer", "offered": "offer", "requested": "asked"}
    vocabulary = multiwoz_turns.read_vocabulary(data)
    turns = multiwoz_turns.turns(multiwoz_turns.read_dialogues(data, split))
    for number, turn in enumerate(turns):
        if number % every or not turn.acts:
            continue
        noted = multiwoz_turns.gold_of(turn.acts)
        left_out = {names.get(kind, kind) for kind in noted.skipped}
        gold = Gold(frozenset(KINDS) - {"done"} - left_out)
        gold.flags = {
            names.get(k, k) for k in ("booked", "failed", "no offer") if noted.items.get(k)
        }
        gold.offers = {value for _, value in noted.items.get("offered", ())}
        gold.asked = {slot for slot, _ in noted.items.get("requested", ())}
        gold.told = {pair for pair in noted.items.get("told", ()) if pair[1]}
        gold.goal = frozenset(multiwoz_turns.SLOTS.values()) | {"time", "entrance fee", "duration"}
        claims = listen(turn.text, vocabulary, domain=turn.domain, user_said=turn.user)
        gold.goal -= {"internet", "parking"}
        yield Heard(turn.user, turn.text, claims, gold)


def readers(
    folder: Path, data: Path | None, every: int, only: str = ""
) -> Iterator[tuple[str, Iterator[Heard]]]:
    """What there is to measure on, by name."""
    coffee, cinema = folder / "taskmaster/TM-4-2024", folder / "taskmaster/TM-3-2020"
    few = max(every // 4, 1)  # of the smaller ones more
    train, films, tables = folder / "sgd/train", folder / "sim/sim-M", folder / "sim/sim-R"
    known = [
        ("sgd, nothing visible", train, lambda: read_sgd(train, every, visible=False)),
        ("sgd, calls visible", train, lambda: read_sgd(train, every, visible=True)),
        ("sim-M", films, lambda: read_sim(films / "dev.json")),
        ("sim-R", tables, lambda: read_sim(tables / "dev.json")),
        ("taskmaster-4", coffee, lambda: read_coffee(coffee, few)),
        ("taskmaster-3", cinema, lambda: read_cinema(cinema)),
        ("multiwoz test", data, lambda: read_multiwoz(data, few) if data else iter(())),
    ]
    for name, path, read in known:
        if path is not None and path.exists() and only in name:
            yield name, read()


See = Callable[[Heard, str, Counts], object]
"""Called with each turn, by kind, that has an error."""


def measure(turns: Iterable[Heard], see: See | None = None) -> dict[str, Counts]:
    """The counts by kind."""
    totals: dict[str, Counts] = {}
    for turn in turns:
        for kind, counts in compare(turn):
            total = totals.setdefault(kind, Counts())
            total.add(counts)
            if see is not None and counts.has_errors:
                see(turn, kind, counts)
    return {kind: totals[kind] for kind in KINDS if kind in totals}


def shown(turn: Heard, counts: Counts) -> str:
    """A turn with errors."""
    claims = [
        f"{c.act} {c.slot or ''} {c.value or ''} {c.factuality}{'?' if c.doubt else ''}"
        for c in turn.claims
    ]
    return f"  {counts.line}: {turn.user!r} -> {turn.text!r}\n      {'; '.join(claims)}"


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--data", type=Path, help="MultiWOZ: <split>.json.zip, db/")
    parser.add_argument("--every", type=int, default=EVERY, help="each so manieth dialogue")
    parser.add_argument("--only", default="", help="corpora with this in their name")
    parser.add_argument("--errors", default="", help="kind whose errors are shown")
    parser.add_argument("--show", type=int, default=30, help="so many errors")
    return parser


def main() -> None:
    arguments = options().parse_args()
    seen = Counter[str]()

    def see(turn: Heard, kind: str, counts: Counts) -> None:
        seen[kind] += 1
        if kind == arguments.errors and seen[kind] <= arguments.show:
            print(shown(turn, counts))

    print(HEAD)
    for name, turns in readers(arguments.corpora, arguments.data, arguments.every, arguments.only):
        for kind, counts in measure(turns, see).items():
            print(f"{name:<22}{kind:<10}{counts.cells}", flush=True)


if __name__ == "__main__":
    main()
