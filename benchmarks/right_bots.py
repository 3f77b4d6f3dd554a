"""Whether right bots pass that speak in the words of people: templates of a corpus' own turns.

    python benchmarks/right_bots.py --corpora FOLDER
    python benchmarks/right_bots.py --corpora FOLDER --only hotel --show 5

`FOLDER/sgd/train` is the Schema-Guided Dialogue corpus. The system turns of eight of its services
become templates, by what they do and the slots they fill; a turn in which a value is left over, or
that refers to an earlier one, is none. A bot that knows the goal and a database made of
the corpus' results asks, offers, answers, confirms and books rightly, each time in a template drawn
by seed; the agenda user plays 100 goals for each service against it. Whatever does not pass was
misheard, by the user or by a verdict. Printed are the outcomes by service, and by what is seen of
the bot: its own `bookings()`, nothing, bookings and tool calls. `wrong` counts dialogues in which
the bot booked something else than the goal wants, because the user said so. Of films
the corpus only looks up.
"""

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import sgd  # noqa: E402

from pytest_todeval.core.dialogue import Booking, Dialogue, Reply, ToolCall  # noqa: E402
from pytest_todeval.core.goal import DomainGoal, Goal  # noqa: E402
from pytest_todeval.core.outcome import Outcome  # noqa: E402
from pytest_todeval.evaluate.metrics.task_success import evaluate  # noqa: E402
from pytest_todeval.nlu.numbers import NUMBER_WORDS  # noqa: E402
from pytest_todeval.simulation.agenda import AgendaUser  # noqa: E402
from pytest_todeval.simulation.loop import run_dialogue  # noqa: E402

SERVICES = (
    "Restaurants_1", "Hotels_1", "RentalCars_2", "Events_2", "Movies_1", "Buses_1", "Services_3",
    "Homes_1",
)  # fmt: skip
WAYS = ("bookings", "nothing", "calls")
OUTCOMES = ("passed", "failed", "simulator", "judge", "wrong")
Slots = dict[str, str]

# Templates


@dataclass(frozen=True)
class Template:
    """A system turn with places for its values."""

    text: str
    slots: frozenset[str]
    """What it fills in, or asks for."""
    given: frozenset[tuple[str, str]] = frozenset()
    """Yes and no, which it says in words of its own."""

    def fits(self, facts: Mapping[str, str]) -> bool:
        """Whether it can be said truly of these facts."""
        return self.slots <= facts.keys() and all(facts.get(s) == v for s, v in self.given)


KINDS = {
    frozenset({"REQUEST"}): "request", frozenset({"OFFER"}): "offer",
    frozenset({"OFFER", "INFORM_COUNT"}): "offer", frozenset({"INFORM"}): "inform",
    frozenset({"CONFIRM"}): "confirm", frozenset({"NOTIFY_SUCCESS"}): "success",
    frozenset({"NOTIFY_SUCCESS", "INFORM"}): "success",
    frozenset({"OFFER_INTENT"}): "propose", frozenset({"REQ_MORE"}): "more",
    frozenset({"GOODBYE"}): "bye",
}  # fmt: skip
EARLIER = re.compile(
    r"\b(?:another|other|else|also|sorry|instead|again|still|then|too|as well|next"
    r"|unfortunately)\b",
    re.I,
)
MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b", re.I)
DATE = re.compile(r"[A-Z][a-z]+ \d+(?:st|nd|rd|th)")
BOOK = re.compile(r"\b(?:book\w*|reserv\w+|schedule|tickets?)\b", re.I)
WORD = re.compile(r"\w+")
LONGEST_VALUE = 5
"""Words of a value that is looked for in what is left of a turn."""
COMMON = frozenset({"true", "false", "movie", "music", "theater", "here", "some", "that", "this"})
NUMBERS = re.compile(
    rf"\b(?:{'|'.join(w for w in NUMBER_WORDS if len(w) > 2 and w != 'one')})\b", re.I
)


@dataclass
class Corpus:
    """What one service's dialogues give: templates, rows, and values as they are said."""

    service: sgd.Service
    templates: dict[str, set[Template]] = field(default_factory=lambda: defaultdict(set))
    rows: dict[str, Slots] = field(default_factory=dict)
    """By the item's name."""
    said: dict[str, dict[str, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    """Slot -> value as the database has it -> as people say it."""

    def say(self, slot: str, value: str, rng: random.Random) -> str:
        """A value as it is said."""
        return rng.choice(sorted(self.said[slot].get(value, {value})))


def read_corpora(folder: Path) -> Mapping[str, Corpus]:
    """Templates and rows of the services."""
    services = sgd.read_services(folder)
    found = {name: Corpus(services[name]) for name in SERVICES}
    turns = []
    for record in sgd.read_records(folder):
        for turn in record["turns"][1::2]:
            for frame in turn["frames"]:
                if frame["service"] in found:
                    _learn(frame, found[frame["service"]])
            if len(turn["frames"]) == 1 and turn["frames"][0]["service"] in found:
                turns.append(turn)
    values = {name: _values(corpus) for name, corpus in found.items()}
    for turn in turns:
        frame = turn["frames"][0]
        corpus = found[frame["service"]]
        kind = KINDS.get(frozenset(action["act"] for action in frame["actions"]))
        template = (
            _template(kind, turn["utterance"], frame, values[frame["service"]]) if kind else None
        )
        if kind and template:
            corpus.templates[kind].add(template)
    return found


def _learn(frame: Mapping[str, Any], corpus: Corpus) -> None:
    searches = {intent["name"] for intent in corpus.service.searches}
    if frame.get("service_call", {}).get("method") in searches:
        for row in frame.get("service_results", ()):
            key = row.get(corpus.service.entity) or str(sorted(row.items()))
            corpus.rows.setdefault(key, dict(row))  # what it says of one item differs at times
    for action in frame["actions"]:
        pairs = zip(action["values"], action["canonical_values"], strict=False)
        for value, canonical in pairs:
            if action["slot"].endswith("date") and not MONTH.search(value):
                continue
            corpus.said[action["slot"]][canonical].add(value)


def _values(corpus: Corpus) -> frozenset[str]:
    """The words of all values that a row can have: what is left of one makes a turn no template."""
    known = {value for row in corpus.rows.values() for value in row.values()}
    known |= {v for forms in corpus.said.values() for said in forms.values() for v in said}
    return frozenset(" ".join(WORD.findall(v.lower())) for v in known if len(v) > 3) - COMMON


def _holds_value(text: str, values: frozenset[str]) -> bool:
    words = WORD.findall(text.lower())
    runs = (words[at : at + n] for at in range(len(words)) for n in range(1, LONGEST_VALUE + 1))
    return any(" ".join(run) in values for run in runs)


def _template(
    kind: str, text: str, frame: Mapping[str, Any], values: frozenset[str]
) -> Template | None:
    places, given = [], set()
    spans = {span["slot"]: (span["start"], span["exclusive_end"]) for span in frame["slots"]}
    asked = {action["slot"] for action in frame["actions"]} if kind == "request" else set()
    for action in frame["actions"]:
        slot, said = action["slot"], action["values"]
        if kind in ("propose", "more", "bye", "request"):
            if said and kind == "request":
                return None
            continue
        if len(said) > 1:
            return None
        if said and said[0] in ("True", "False"):
            given.add((slot, said[0]))
        elif said:
            place = spans.get(slot) or _place(said[0], text)
            if place is None:
                return None
            places.append((*place, slot))
    if any(one[1] > other[0] for one, other in pairwise(sorted(places))):
        return None
    for start, end, slot in sorted(places, reverse=True):
        text = f"{text[:start]}{{{slot}}}{text[end:]}"
    bare = re.sub(r"\{\w+\}", "", text)
    if kind not in ("more", "bye") and (
        re.search(r"\d", bare)
        or NUMBERS.search(bare)
        or EARLIER.search(bare)
        or _holds_value(bare, values)
    ):
        return None
    if kind == "inform" and "?" in text:
        return None  # an answer that asks back
    filled = frozenset(slot for *_, slot in places)
    if len(filled) != len(places) or len(text) > 240:
        return None
    return Template(text, filled | frozenset(asked), frozenset(given))


def _place(value: str, text: str) -> tuple[int, int] | None:
    """Where a value stands, as it is or as a number in words; None if nowhere or twice."""
    words = [w for w, n in NUMBER_WORDS.items() if n == value and len(w) > 2]
    found = list(re.finditer("|".join(rf"\b{re.escape(w)}\b" for w in [value, *words]), text, re.I))
    return found[0].span() if len(found) == 1 else None


# Goals


def goals_of(corpus: Corpus, count: int, rng: random.Random) -> Iterator[Goal]:
    """Goals that the corpus' database can meet."""
    service = corpus.service
    deed = next(d for d in service.deeds if d["name"] != "ReserveRoundtripFlights")
    search = service.searches[0]
    answers = {slot for t in corpus.templates["inform"] for slot in (*t.slots, *dict(t.given))}
    rows = [row for row in corpus.rows.values() if all(s in row for s in search["required_slots"])]
    for number in range(count):
        row = rng.choice(rows)
        inform = list(search["required_slots"])
        inform += [
            s for s in search["optional_slots"]
            if row.get(s) not in (None, "True", "False", "dontcare") and rng.random() < 0.4
        ]  # fmt: skip
        if service.entity and rng.random() < 0.2:
            inform.append(service.entity)
        wants = rng.random() < 0.75 and bool(corpus.templates["success"])
        book = [s for s in taken_only(deed, row, service) if corpus.said[s]] if wants else []
        told = {slot: row[slot] for slot in inform}
        booked = {slot: rng.choice(sorted(corpus.said[slot])) for slot in book}
        free = [s for s in row if s in answers and s not in told and s != service.entity]
        request = rng.sample(sorted(free), min(len(free), rng.choice((1, 1, 2))))
        if wants and rng.random() < 0.3:
            request = []
        yield Goal(
            f"{service.domain}-{number}",
            "sgd",
            (
                DomainGoal(
                    service.domain,
                    {service.own(s): _shown(corpus, s, v) for s, v in told.items()},
                    book={service.own(s): _shown(corpus, s, v) for s, v in booked.items()},
                    request=tuple(service.own(s) for s in request),
                    wants_booking=wants,
                ),
            ),
            raw={"row": row, "told": told, "booked": booked},
        )


def taken_only(deed: sgd.Record, row: Mapping[str, str], service: sgd.Service) -> list[str]:
    """What a transaction needs of the user that no row has."""
    return [
        s for s in sgd.taken(deed) if s in service.of_deeds and s not in row and s != service.entity
    ]


def _shown(corpus: Corpus, slot: str, value: str) -> str:
    """A value as a goal has it: dates as people write them."""
    forms = sorted(corpus.said[slot].get(value, ()))
    return next((form for form in forms if DATE.fullmatch(form)), value)


# The bot


class RightBot:
    """Knows what the user wants, and says only what is true."""

    def __init__(self, goal: Goal, corpus: Corpus, seed: int, *, shows_calls: bool) -> None:
        self.goal, self.part, self.corpus = goal, goal.domains[0], corpus
        self.service = corpus.service
        self.rng = random.Random(f"{goal.id} {seed}")
        self.wanted: Slots = {**goal.raw["told"], **goal.raw["booked"]}
        self.shows_calls = shows_calls
        self.calls: list[ToolCall] = []
        self.told: Slots = {}
        self.row: Slots = {}
        self.booking: Booking | None = None
        self.confirming = self.proposed = False

    def bookings(self) -> list[Booking]:
        return [self.booking] if self.booking else []

    def respond(self, text: str) -> Reply:
        self.calls = []
        said = " ".join(self._answer(text))
        return Reply(said, tuple(self.calls) if self.shows_calls else ())

    def _answer(self, text: str) -> Iterator[str]:
        self._read(text)
        asked = [s for s in self.part.request if _words(s) in text.lower() and "?" in text]
        asked += [
            s for s in self.part.request if s not in asked and f"the {_words(s)}" in text.lower()
        ]
        if any(self.row.get(s, v) != v for s, v in self.told.items() if s in self.goal.raw["told"]):
            self.row = {}
        if not self.row:
            missing = [s for s in self.goal.raw["told"] if s not in self.told]
            needed = [s for s in missing if s in self.service.searches[0]["required_slots"]]
            if needed:
                yield self._say("request", {needed[0]}, exact=True)
                return
            self._look_up()
            yield self._say("offer", self.row)
            yield from map(self._inform, asked)
            return
        yield from map(self._inform, asked)
        if "reference" in text.lower() and self.booking:
            yield f"The reference number is {self.booking.reference}."
            return
        if self.booking is not None and BOOK.search(text):
            yield self._say("success", {})
            return
        if self.booking is None and self._wants(text):
            missing = [s for s in self.goal.raw["booked"] if s not in self.told]
            agreed = self.confirming and not re.search(r"\b(?:no|not|wrong)\b", text, re.I)
            if missing:
                yield self._say("request", {missing[0]}, exact=True)
            elif agreed:
                self._book()
                yield self._say("success", self._facts())
            else:
                self.confirming = True
                yield self._say("confirm", {**self._facts(), **self.told}, most=True)
            return
        if asked and self.rng.random() < 0.5:
            return
        if self.booking is None and not self.proposed:
            self.proposed = True
            yield self._say("propose", {})
        elif not re.search(r"\b(?:thank|bye)", text, re.I) or asked:
            yield self._say("more", {})
        else:
            yield self._say("bye", {})

    def _read(self, text: str) -> None:
        named = dict(self.goal.raw["told"]) | self.goal.raw["booked"]
        for slot, value in named.items():
            shown = _shown(self.corpus, slot, value)
            words = [w for w, n in NUMBER_WORDS.items() if n == shown]
            forms = "|".join(re.escape(form) for form in [shown, *words])
            if re.search(rf"(?<![\w])(?:{forms})(?!\w)", text, re.I):
                self.told[slot] = value

    def _wants(self, text: str) -> bool:
        if not self.part.wants_booking:
            return False
        raised = any(slot in self.told for slot in self.goal.raw["booked"])
        agreed = self.proposed and re.search(r"\b(?:yes|sure|please)\b", text, re.I)
        return bool(self.confirming or raised or agreed or BOOK.search(text))

    def _look_up(self) -> None:
        found = [r for r in self.corpus.rows.values() if self.told.items() <= r.items()]
        self.row = dict(found[0]) if found else dict(self.goal.raw["row"])
        own = self.service.own
        rows = [{own(s): v for s, v in row.items()} for row in found[:5]]
        arguments = {own(s): v for s, v in self.told.items()}
        self.calls.append(ToolCall(self.service.searches[0]["name"], arguments, rows))
        self.count = str(len(found))

    def _book(self) -> None:
        own = self.service.own
        slots = {own(s): _shown(self.corpus, s, v) for s, v in {**self.row, **self.told}.items()}
        reference = "".join(self.rng.choices("BCDFGHJKLMNPQRSTVWXZ23456789", k=7))
        self.booking = Booking(self.part.domain, reference, slots)
        deed = self.service.deeds[0]["name"]
        taken = {**slots, "reference": reference}
        self.calls.append(ToolCall(deed, slots, taken))

    def _facts(self) -> Slots:
        return {**self.row, **self.told, "count": self.count}

    def _inform(self, slot: str) -> str:
        facts = self._facts()
        slot = self.service.entity if slot == "name" else slot
        fitting = [
            t for t in self._templates("inform")
            if t.fits(facts) and t.slots | dict(t.given).keys() == {slot}
        ]  # fmt: skip
        if not fitting:
            return f"The {_words(slot)} is {self.corpus.say(slot, facts[slot], self.rng)}."
        return self._filled(self.rng.choice(fitting), facts)

    def _templates(self, kind: str) -> list[Template]:
        return sorted(self.corpus.templates[kind], key=lambda t: t.text)

    def _say(self, kind: str, facts: Any, *, exact: bool = False, most: bool = False) -> str:
        if exact:
            fitting = [t for t in self._templates(kind) if t.slots == frozenset(facts)]
            if not fitting:
                return f"What is the {_words(next(iter(facts)))}?"
        else:
            known = {**self._facts(), **facts} if self.row else dict(facts)
            fitting = [t for t in self._templates(kind) if t.fits(known)]
            facts = known
        if kind == "offer" and self.service.entity:
            fitting = [t for t in fitting if self.service.entity in t.slots]
        if most:
            booked = self.goal.raw["booked"].keys()
            best = max(len(t.slots & booked) for t in fitting)
            fitting = [t for t in fitting if len(t.slots & booked) == best]
        return self._filled(self.rng.choice(fitting), facts, ask=exact)

    def _filled(self, template: Template, facts: Mapping[str, str], ask: bool = False) -> str:
        if ask:
            return template.text
        said = {slot: self.corpus.say(slot, facts[slot], self.rng) for slot in template.slots}
        return re.sub(r"\{(\w+)\}", lambda match: said[match[1]], template.text)


def _words(slot: str) -> str:
    return slot.replace("_", " ")


# Playing


def play(goal: Goal, corpus: Corpus, way: str, seed: int) -> tuple[Dialogue, str]:
    """One dialogue, and how it ends."""
    bot = RightBot(goal, corpus, seed, shows_calls=way == "calls")
    backend = None if way == "nothing" else bot
    dialogue = run_dialogue(goal, AgendaUser(goal, seed=seed), bot, backend=backend)
    dialogue = replace(dialogue, verdicts=evaluate(dialogue, backend))
    return dialogue, outcome(dialogue, bot)


def outcome(dialogue: Dialogue, bot: RightBot) -> str:
    """Whose the result is."""
    verdicts = dialogue.verdicts.values()
    failed = any(not verdict.passed and not verdict.doubt for verdict in verdicts)
    if dialogue.fault is Outcome.SIMULATOR_FAULT:
        return "simulator"
    if dialogue.fault is not None:
        raise RuntimeError(f"{dialogue.goal.id}: {dialogue.detail}")
    if failed:
        return "failed" if _is_right(bot) else "wrong"
    return "judge" if any(verdict.doubt for verdict in verdicts) else "passed"


def _is_right(bot: RightBot) -> bool:
    if bot.booking is None:
        return True
    part = bot.part
    wanted = {**part.inform, **part.book}
    return part.wants_booking and all(bot.booking.slots.get(s) == v for s, v in wanted.items())


def shown(dialogue: Dialogue, way: str, result: str) -> str:
    """A dialogue that did not pass: what was said, and why."""
    part = dialogue.goal.domains[0]
    lines = [
        f"===== {dialogue.goal.id} | {way} | {result} | {dialogue.stop_reason} {dialogue.detail}"
    ]
    lines += [f"   {dict(part.inform)} book {dict(part.book)} request {part.request}"]
    lines += [
        f"   !! {v.name}: {v.reason} {v.doubt}" for v in dialogue.verdicts.values() if not v.passed
    ]
    for turn in dialogue.turns:
        lines += [f"U: {turn.user}", f"B: {turn.system}"]
    return "\n".join([*lines, f"U: {dialogue.last_words}", ""])


Counts = Mapping[tuple[str, str], Counter[str]]
GOALS = 100
"""For each service."""


def measure(
    corpora: Iterable[Corpus],
    ways: Sequence[str],
    count: int,
    seed: int = 0,
    see: Callable[[Dialogue, str, str], object] | None = None,
) -> Counts:
    """The outcomes by domain and way; `see` is called with what did not pass."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for corpus in corpora:
        goals = list(goals_of(corpus, count, random.Random(seed)))
        for way in ways:
            for goal in goals:
                dialogue, result = play(goal, corpus, way, seed)
                counts[corpus.service.domain, way][result] += 1
                if see is not None and result != "passed":
                    see(dialogue, way, result)
    return counts


def totals(counts: Counts) -> Mapping[str, Counter[str]]:
    """The outcomes by way."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, way), count in counts.items():
        found[way] += count
    return found


def shares(total: Counter[str]) -> str:
    """Outcomes in percent."""
    return ", ".join(f"{100 * total[name] / total.total():.1f} % {name}" for name in OUTCOMES)


def table(counts: Counts) -> Iterator[str]:
    """The outcomes of each domain, then of all, in percent."""
    ways = list(totals(counts))
    yield f"{'/'.join(OUTCOMES):<44}" + "".join(f"{way:>20}" for way in ways)
    for domain in dict.fromkeys(domain for domain, _ in counts):
        cells = ("/".join(str(counts[domain, way][name]) for name in OUTCOMES) for way in ways)
        yield f"{domain:<44}" + "".join(f"{cell:>20}" for cell in cells)
    for way, total in totals(counts).items():
        yield f"{way} seen: {shares(total)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpora", type=Path, required=True, help="folder with sgd/train")
    parser.add_argument("--goals", type=int, default=GOALS, help="for each service")
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--only", default="", help="one domain")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="so many dialogues that did not pass")
    parser.add_argument("--outcome", default="", help="show only these")
    arguments = parser.parse_args()
    left = [arguments.show]

    def see(dialogue: Dialogue, way: str, result: str) -> None:
        if left[0] and arguments.outcome in ("", result):
            left[0] -= 1
            print(shown(dialogue, way, result))

    corpora = read_corpora(arguments.corpora / "sgd" / "train").values()
    chosen = [c for c in corpora if arguments.only in ("", c.service.domain)]
    for corpus in chosen:
        sizes = {kind: len(templates) for kind, templates in corpus.templates.items()}
        print(f"{corpus.service.domain}: {len(corpus.rows)} rows, templates {sizes}")
    ways = arguments.way or WAYS
    for line in table(measure(chosen, ways, arguments.goals, arguments.seed, see)):
        print(line)


if __name__ == "__main__":
    main()
