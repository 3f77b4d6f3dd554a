"""Goals over domains of one's own, and a correct bot over them that speaks in several wordings.

The bot fills slots with the values that it knows, offers from a small catalogue, asks for what is
missing, books at its desk and tells what it is asked. What it says is true in every wording; the
wordings differ in how it asks, offers, confirms, books, refuses and tells.
"""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.worlds.files.reading import load_goal_file

__all__ = ["DOMAINS", "WORDINGS", "Desk", "DeskWithCatalogue", "OwnBot", "Wording", "own_goals"]

GOALS = """
goals:
- id: trim-on-tuesday
  message: You want a trim on Tuesday at 10:30 and want to know what it costs.
  domains:
    haircut:
      inform: {service: trim, hair: short}
      book: {day: tuesday, time: "10:30"}
      request: [price]
- id: colour-by-request
  message: You want to know how long colouring takes and who does it. You book nothing.
  domains:
    haircut:
      inform: {service: colour, hair: long}
      request: [duration, stylist]
- id: perm-not-on-monday
  message: You want a perm on Monday at 16:15, else on Thursday.
  domains:
    haircut:
      inform: {service: perm}
      book: {day: thursday, time: "16:15"}
      fail_book: {day: monday}
- id: family-car
  message: You want an automatic family car on Friday for 3 days, with a child seat.
  domains:
    car_hire:
      inform: {class: family, gearbox: automatic}
      book: {pickup_day: friday, days: 3, child_seat: "yes"}
      request: [price, deposit]
- id: van-for-a-day
  message: You want a van for 1 day, from Saturday, without a child seat.
  domains:
    car_hire:
      inform: {class: van}
      fail_inform: {class: minibus}
      book: {pickup_day: saturday, days: 1, child_seat: "no"}
- id: the-sandero
  message: You want to know about the Dacia Sandero.
  domains:
    car_hire:
      inform: {model: Dacia Sandero}
      request: [doors, deposit]
- id: pixel-limps
  message: Your cat Pixel limps. You want to see the vet on Wednesday at 09:20.
  domains:
    vet:
      inform: {animal: cat, reason: limp}
      book: {pet_name: Pixel, day: wednesday, time: "09:20"}
      request: [fee]
- id: biscuits-teeth
  message: The teeth of your dog Biscuit are to be looked at on Monday.
  domains:
    vet:
      inform: {animal: dog, reason: teeth}
      book: {pet_name: Biscuit, day: monday, time: "15:40"}
      fail_book: {time: "11:00"}
- id: snake-or-rabbit
  message: You would bring your snake, else your rabbit. Ask for vet and phone number.
  domains:
    vet:
      inform: {animal: rabbit, reason: check-up}
      fail_inform: {animal: snake, reason: check-up}
      request: [vet, phone]
- id: comedy-for-four
  message: You want 4 seats for a comedy on Saturday at 20:15.
  domains:
    cinema:
      inform: {genre: comedy, language: english}
      book: {day: saturday, time: "20:15", seats: 4}
      request: [screen]
- id: lighthouse-back-row
  message: You want 2 seats for The Lighthouse Keeper on Sunday.
  domains:
    cinema:
      inform: {film: The Lighthouse Keeper}
      book: {day: sunday, time: "18:00", seats: 2}
      request: [age rating, price]
- id: french-drama
  message: You want to know how long the French drama is.
  domains:
    cinema:
      inform: {genre: drama, language: french}
      request: [running time, screen]
- id: yoga-for-beginners
  message: You want 1 place in a yoga class for beginners on Monday.
  domains:
    gym class:
      inform: {kind: yoga, level: beginner}
      book: {day: monday, places: 1}
      request: [instructor, room]
- id: spinning-full
  message: You want 2 places in spinning on Tuesday, else on Friday.
  domains:
    gym class:
      inform: {kind: spinning}
      book: {day: friday, places: 2}
      fail_book: {day: tuesday}
- id: boxing-info
  message: You want to know when advanced boxing starts and what it costs.
  domains:
    gym class:
      inform: {kind: boxing, level: advanced}
      request: [starts at, price]
- id: tide-tables
  message: You want to borrow Tide Tables and to fetch it from the Harbour branch on Thursday.
  domains:
    library:
      inform: {title: Tide Tables}
      book: {branch: Harbour, collection day: thursday}
      request: [loan period]
- id: a-crime-audiobook
  message: You want a crime audiobook, to be fetched from the Central branch on Monday.
  domains:
    library:
      inform: {genre: crime, format: audiobook}
      book: {branch: Central, collection day: monday}
      request: [author, shelf mark]
- id: poetry-or-cookery
  message: You want a poetry e-book, else a cookery book.
  domains:
    library:
      inform: {genre: cookery, format: hardback}
      fail_inform: {genre: poetry, format: e-book}
      request: [author]
- id: flu-in-may
  message: You want a flu jab on 12 May at 10:20.
  domains:
    vaccination:
      inform: {vaccine: flu, age group: adult}
      book: {date: 12 May, time: "10:20"}
      request: [clinic, address]
- id: tetanus-child
  message: You want a tetanus jab for a child on 3 June, else on 4 June.
  domains:
    vaccination:
      inform: {vaccine: tetanus, age group: child}
      book: {date: 4 June, time: "08:45"}
      fail_book: {date: 3 June}
      request: [price]
- id: yellow-fever
  message: You want to know about yellow fever.
  domains:
    vaccination:
      inform: {vaccine: yellow fever, age group: adult}
      request: [doses, price, clinic]
- id: large-express
  message: A large parcel of 4 kg is to be fetched on Thursday at 14:30, by express.
  domains:
    parcel:
      inform: {size: large, speed: express}
      book: {weight: 4 kg, day: thursday, time: "14:30"}
      request: [price]
- id: small-standard
  message: A small parcel of 0.5 kg is to be fetched on Friday at 09:00.
  domains:
    parcel:
      inform: {size: small, speed: standard}
      book: {weight: 0.5 kg, day: friday, time: "09:00"}
      request: [courier, delivery time]
- id: medium-info
  message: You want to know what a medium parcel may weigh.
  domains:
    parcel:
      inform: {size: medium, speed: express}
      request: [maximum weight, price]
- id: haircut-then-film
  message: You want a trim on Saturday and then 2 seats in a comedy.
  domains:
    haircut:
      inform: {service: trim, hair: long}
      book: {day: saturday, time: "15:00"}
    cinema:
      inform: {genre: comedy, language: english}
      book: {day: saturday, time: "20:15", seats: 2}
- id: vet-then-car
  message: Your dog has a check-up; then you hire a small car.
  domains:
    vet:
      inform: {animal: dog, reason: check-up}
      book: {pet_name: Rufus, day: friday, time: "08:30"}
      request: [phone]
    car_hire:
      inform: {class: small, gearbox: manual}
      book: {pickup_day: friday, days: 2, child_seat: "no"}
      request: [price]
- id: jab-then-library
  message: You want a flu jab and to borrow a crime paperback.
  domains:
    vaccination:
      inform: {vaccine: flu, age group: senior}
      book: {date: 20 May, time: "11:40"}
    library:
      inform: {genre: crime, format: paperback}
      book: {branch: Harbour, collection day: friday}
- id: gym-then-parcel
  message: You want to know who teaches advanced yoga, and to send a medium parcel.
  domains:
    gym class:
      inform: {kind: yoga, level: advanced}
      request: [instructor]
    parcel:
      inform: {size: medium, speed: standard}
      book: {weight: 2 kg, day: monday, time: "13:15"}
"""

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
COUNTS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
MONTHS = "january february march april may june july august september october november december"
Item = Mapping[str, str]
Slots = dict[str, str]


def own_goals(text: str = GOALS) -> tuple[Goal, ...]:
    """The goals, read as a goal file is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "own.yaml")
        path.write_text(text, encoding="utf-8")
        return load_goal_file(path).goals


# The domains


@dataclass(frozen=True)
class Domain:
    """What a desk serves: its catalogue, and what a booking needs."""

    name: str
    noun: str
    plural: str
    cues: str
    """Words by which the user raises it, as a pattern."""
    informs: tuple[str, ...]
    """Slots by which an item is chosen."""
    books: Mapping[str, str]
    """Slots of a booking, each with the kind of value it takes."""
    items: tuple[Item, ...]
    named_by: str = ""
    """The slot that holds an item's name; empty where items have none."""
    label: str = ""
    """What an item without a name is called."""
    questions: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Values that people ask for and that no item has."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The known values of booking slots that take words."""

    def values_of(self, slot: str) -> list[str]:
        """The known values of a slot, the longest first."""
        known = [item[slot] for item in self.items if slot in item]
        known += [*self.unknown.get(slot, ()), *self.texts.get(slot, ())]
        return sorted(dict.fromkeys(known), key=len, reverse=True)

    def called(self, item: Item) -> str:
        """What an item is called."""
        return item[self.named_by] if self.named_by else self.label.format_map(item)

    @property
    def choosers(self) -> tuple[str, ...]:
        """The slots that the user may choose by."""
        return (self.named_by, *self.informs) if self.named_by else self.informs

    @property
    def requests(self) -> list[str]:
        """What can be asked of an item."""
        return [slot for slot in self.items[0] if slot not in self.choosers]


def rows(slots: str, *lines: str) -> tuple[Item, ...]:
    """Items from lines with bars."""
    names = [slot.strip() for slot in slots.split("|")]
    return tuple(
        dict(zip(names, (cell.strip() for cell in line.split("|")), strict=True)) for line in lines
    )


DOMAINS: Mapping[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain(
            "haircut", "appointment", "appointments", r"hair ?cut|hairdress\w*|\bbarber",
            ("service", "hair"),
            {"day": "day", "time": "time"},
            rows("service | hair | price | duration | stylist",
                 "trim | short | 18 pounds | 25 minutes | Maya",
                 "trim | long | 26 pounds | 40 minutes | Tomasz",
                 "colour | short | 55 pounds | 90 minutes | Maya",
                 "colour | long | 80 pounds | 120 minutes | Ines",
                 "perm | long | 95 pounds | 150 minutes | Ines"),
            label="a {service} for {hair} hair",
            questions={"service": "What would you like to have done?",
                       "hair": "Is your hair short or long?", "day": "Which day suits you?",
                       "time": "What time suits you?"},
        ),
        Domain(
            "car_hire", "car", "cars", r"car[ _]hire|hire (?:a |of a )?car|rent\w* (?:a )?car",
            ("class", "gearbox"),
            {"pickup_day": "day", "days": "number", "child_seat": "flag"},
            rows("model | class | gearbox | price | deposit | doors",
                 "Dacia Sandero | small | manual | 24 pounds a day | 150 pounds | 5",
                 "Toyota Yaris | small | automatic | 31 pounds a day | 150 pounds | 3",
                 "Skoda Octavia | family | manual | 39 pounds a day | 250 pounds | 5",
                 "Kia Niro | family | automatic | 46 pounds a day | 300 pounds | 5",
                 "Ford Transit | van | manual | 58 pounds a day | 400 pounds | 4"),
            named_by="model",
            questions={"class": "What class of car do you need?",
                       "gearbox": "Do you drive manual or automatic?",
                       "pickup_day": "On which day will you pick it up?",
                       "days": "For how many days do you need it?",
                       "child_seat": "Do you need a child seat?"},
            unknown={"class": ("minibus", "sports car")},
        ),
        Domain(
            "vet", "appointment", "appointments", r"\bvets?\b|\bveterinar\w+",
            ("animal", "reason"),
            {"pet_name": "text", "day": "day", "time": "time"},
            rows("animal | reason | vet | fee | phone",
                 "cat | limp | Dr Anand | 42 pounds | 01632 960401",
                 "cat | check-up | Dr Anand | 30 pounds | 01632 960401",
                 "dog | teeth | Dr Bello | 65 pounds | 01632 960402",
                 "dog | check-up | Dr Bello | 35 pounds | 01632 960402",
                 "rabbit | check-up | Dr Cho | 28 pounds | 01632 960403"),
            label="a {reason} visit for a {animal}",
            questions={"animal": "What animal is it?", "reason": "What is the visit for?",
                       "pet_name": "What is your pet called?", "day": "Which day would you like?",
                       "time": "At what time?"},
            unknown={"animal": ("snake", "parrot")},
            texts={"pet_name": ("Pixel", "Biscuit", "Rufus")},
        ),
        Domain(
            "cinema", "film", "films", r"\bcinemas?\b|\bfilms?\b|\bmovies?\b",
            ("genre", "language"),
            {"day": "day", "time": "time", "seats": "number"},
            rows("film | genre | language | screen | price | age rating | running time",
                 "The Lighthouse Keeper | thriller | english | 3 | 9.50 pounds | 15 | 118 minutes",
                 "Two Left Shoes | comedy | english | 1 | 8 pounds | PG | 95 minutes",
                 "La Neige | drama | french | 2 | 8.50 pounds | 12 | 131 minutes",
                 "Orbit | drama | english | 4 | 9.50 pounds | 12 | 140 minutes"),
            named_by="film",
            questions={"genre": "What genre do you like?",
                       "language": "Which language should it be in?",
                       "day": "For which day?", "time": "For which showing, that is, what time?",
                       "seats": "How many seats do you need?"},
            unknown={"genre": ("western", "horror")},
        ),
        Domain(
            "gym class", "class", "classes", r"\bgym\b|\bgym class\w*|\bfitness class\w*",
            ("kind", "level"),
            {"day": "day", "places": "number"},
            rows("class name | kind | level | instructor | room | starts at | price",
                 "Slow Sunrise | yoga | beginner | Priya | Studio B | 07:15 | 6 pounds",
                 "Deep Stretch | yoga | advanced | Marek | Studio A | 19:30 | 7 pounds",
                 "Big Wheels | spinning | beginner | Jo | Studio C | 18:00 | 8 pounds",
                 "Glove Work | boxing | advanced | Dane | The Ring | 20:00 | 9 pounds"),
            named_by="class name",
            questions={"kind": "What kind of class would you like?",
                       "level": "What level are you?", "day": "On which day?",
                       "places": "How many places do you need?"},
            unknown={"kind": ("pilates", "zumba")},
        ),
        Domain(
            "library", "book", "books", r"\blibrar\w+|\bborrow\w*|\bloans?\b(?! period)",
            ("genre", "format"),
            {"branch": "text", "collection day": "day"},
            rows("title | genre | format | author | shelf mark | loan period",
                 "Tide Tables | travel | paperback | R. Quill | TR 114 | 3 weeks",
                 "Cold Harbour | crime | audiobook | N. Vance | CR 027 | 2 weeks",
                 "The Fourth Key | crime | paperback | A. Moss | CR 310 | 3 weeks",
                 "Salt and Bread | cookery | hardback | L. Amaro | CK 008 | 4 weeks"),
            named_by="title",
            questions={"genre": "What genre are you looking for?",
                       "format": "In which format would you like it?",
                       "branch": "At which branch will you collect it, Harbour or Central?",
                       "collection day": "On which day will you collect it?"},
            unknown={"genre": ("poetry",), "format": ("e-book",)},
            texts={"branch": ("Harbour", "Central")},
        ),
        Domain(
            "vaccination", "jab", "jabs", r"\bvaccin\w+|\bjabs?\b",
            ("vaccine", "age group"),
            {"date": "date", "time": "time"},
            rows("vaccine | age group | clinic | address | price | doses",
                 "flu | adult | Fennel Road Clinic | 2 Fennel Road | 14 pounds | 1",
                 "flu | senior | Fennel Road Clinic | 2 Fennel Road | free | 1",
                 "tetanus | child | Orchard Surgery | 71 Orchard Way | free | 3",
                 "tetanus | adult | Orchard Surgery | 71 Orchard Way | 22 pounds | 3",
                 "yellow fever | adult | Quay Travel Clinic | 5 North Quay | 68 pounds | 1"),
            label="a {vaccine} jab ({age group})",
            questions={"vaccine": "Which vaccine is it?",
                       "age group": "Is it for a child, an adult or a senior?",
                       "date": "On which date?", "time": "At what time?"},
        ),
        Domain(
            "parcel", "pick-up", "pick-ups", r"\bparcels?\b|\bcourier service",
            ("size", "speed"),
            {"weight": "weight", "day": "day", "time": "time"},
            rows("size | speed | price | courier | delivery time | maximum weight",
                 "small | standard | 4.20 pounds | Swift Post | 3 days | 2 kg",
                 "small | express | 9 pounds | Arrow Bikes | 1 day | 2 kg",
                 "medium | standard | 7.60 pounds | Swift Post | 4 days | 10 kg",
                 "medium | express | 15 pounds | Arrow Bikes | 1 day | 8 kg",
                 "large | express | 24 pounds | Arrow Vans | 2 days | 30 kg"),
            label="a {speed} pick-up for a {size} parcel",
            questions={"size": "How big is the parcel?", "speed": "Express or standard?",
                       "weight": "How much does it weigh?", "day": "On which day shall we come?",
                       "time": "At what time shall we come?"},
        ),
    )
}  # fmt: skip


# The desk: where bookings stand


class RefusedAtDesk(Exception):
    """The desk has nothing free there."""


class Desk:
    """A backend of one's own: `bookings()` is all that it shows."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.made: dict[str, Slots] = {}

    def book(self, domain: str, slots: Slots, instead_of: str = "") -> str:
        """Book it, in place of an earlier booking where one is named; gives the reference."""
        part = self.goal.domain(domain)
        failing = {} if part is None else part.fail_book
        if failing and all(slots.get(slot) == value.lower() for slot, value in failing.items()):
            raise RefusedAtDesk
        self.made.pop(instead_of, None)
        reference = f"{domain[:2].upper()}{4071 + 37 * len(self.made) + 11 * len(slots)}"
        self.made[reference] = {"domain": domain, **slots}
        return reference

    def bookings(self) -> Sequence[Mapping[str, str]]:
        """What stands booked now."""
        return [{"reference": reference, **slots} for reference, slots in self.made.items()]


class DeskWithCatalogue(Desk):
    """The same, with the catalogue to look into."""

    def __init__(self, goal: Goal, domains: Mapping[str, Domain] = DOMAINS) -> None:
        super().__init__(goal)
        self.domains = domains

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Item]:
        """The items that have these values."""
        if domain not in self.domains:
            return []
        wanted = [(slot, value.lower()) for slot, value in constraints.items()]
        served = self.domains[domain]
        known = [{"name": served.called(item), **item} for item in served.items]
        return [row for row in known if all(row.get(s, "").lower() == v for s, v in wanted)]


# The wordings


@dataclass(frozen=True)
class Wording:
    """How the bot says things. Where there are several sentences, they take turns."""

    name: str
    ask: tuple[str, ...]
    """Filled with {question}, {slot}."""
    options: str
    """What is said of the values there are to choose from."""
    offer: tuple[str, ...]
    fact: str
    between: str
    ask_to_book: tuple[str, ...]
    confirm: str
    """Asked before each booking; empty where it books at once."""
    booked: tuple[str, ...]
    changed: str
    refused: tuple[str, ...]
    none: tuple[str, ...]
    tell: tuple[str, ...]
    not_booked: str
    more: tuple[str, ...]
    lost: str
    bye: str
    detail: str = "{slot}: {value}"
    ask_lead: str = ""
    ask_between: str = " "
    detail_between: str = ", "
    money: str = "{} pounds"


WORDINGS: Mapping[str, Wording] = {
    wording.name: wording
    for wording in (
        Wording(
            "plain",
            ask=("{question}",),
            options="We have {options}.",
            offer=("I can offer you {label}. {facts}", "There is {label}. {facts}"),
            fact="The {slot} is {value}.", between=" ",
            ask_to_book=("Would you like me to book it?", "Shall I book it for you?"),
            confirm="",
            booked=("I have booked {label} ({details}). The reference number is {ref}.",
                    "Your booking is made: {label} ({details}). The reference number is {ref}."),
            changed="I have changed your booking: {label} ({details}). The reference is {ref}.",
            refused=("I am sorry, {label} is not available then ({details}). Would you like to try "
                     "another {others}?",),
            none=("I am sorry, there is no {noun} with {wanted}. Would you like to change "
                  "something?",),
            tell=("The {slot} is {value}.", "The {slot} of {label} is {value}."),
            not_booked="I have not booked it yet.",
            more=("Is there anything else I can do for you?", "Can I help with anything else?"),
            lost="I am sorry, I did not understand that.",
            bye="You are welcome. Goodbye!",
        ),
        Wording(
            "sms",
            ask=("{slot}?", "which {slot}?"),
            options="({options})",
            offer=("got {label} - {facts}.", "{label}: {facts}."),
            fact="{slot} {value}", between=", ",
            ask_to_book=("want it? y/n", "book? y/n"),
            confirm="",
            booked=("done. {label}, {details}. ref {ref}", "ok u r in: {label}, {details}. #{ref}"),
            changed="moved. now {label}, {details}. ref {ref}",
            refused=("sry thats full ({details}). other {others}?",),
            none=("no {noun} w/ {wanted}. sth else?",),
            tell=("{slot} {value}.", "{value} ({slot})."),
            not_booked="not booked yet",
            more=("else?", "anything else?"),
            lost="?? pls say again.",
            bye="ok bye",
            detail="{slot} {value}", ask_between=" & ",
        ),
        Wording(
            "assistant",
            ask=("Could you let me know the **{slot}**?", "What **{slot}** would work for you?"),
            options="For reference, the choices are: {options}.",
            offer=("Great choice! Based on what you've told me, I'd recommend **{label}**.\n\n"
                   "Here are the key details:\n\n{facts}\n\nPlease keep in mind that nothing has "
                   "been booked at this stage.",
                   "Absolutely, I'd be happy to help! I found **{label}**:\n\n{facts}\n"),
            fact="- **{slot}**: {value}", between="\n",
            ask_to_book=("Would you like me to go ahead and book this for you, or would you prefer "
                         "to look at something else?",
                         "Let me know if you'd like me to proceed with the booking! 😊"),
            confirm=("Perfect! Before I finalise anything, here's a quick summary of your booking:"
                     "\n\n- **What**: {label}\n- {details}\n\nDoes everything look correct? Once "
                     "you confirm, I'll make the booking and share your reference."),
            booked=("## ✅ Booking confirmed\n\nYour booking for **{label}** has been made "
                    "successfully!\n\n- {details}\n- **Reference**: `{ref}`\n\nPlease keep this "
                    "reference handy.",),
            changed=("I've updated your booking for **{label}**:\n\n- {details}\n- **Reference**: "
                     "`{ref}`"),
            refused=("Unfortunately, it looks like that isn't possible:\n\n- {details}\n\nIs there "
                     "a different {others} that would work for you? I'd be happy to check!",),
            none=("I appreciate your patience! Unfortunately, I wasn't able to find any {noun} "
                  "with {wanted}. Would you be open to a different choice?",),
            tell=("Of course! The **{slot}** for {label} is **{value}**.",
                  "Sure thing! Here you go:\n\n- **{slot}**: {value}\n"),
            not_booked="Just to clarify, I haven't made a booking for you yet.",
            more=("Is there anything else I can assist you with today?",
                  "Feel free to ask if there's anything else you need!"),
            lost="I'm not quite sure I followed. Could you rephrase that for me?",
            bye="You're very welcome! Have a wonderful day! 🌟",
            detail="**{slot}**: {value}", ask_lead="To narrow this down, I just need a bit more "
            "information. ", ask_between=" And also: ", detail_between="\n- ",
        ),
        Wording(
            "call centre",
            ask=("And what {slot} were you after, please?", "{question} If I may ask.",
                 "Could I take the {slot} from you, please?"),
            options="I've got {options} here.",
            offer=("Right, let me have a look... bear with me... yes, I can do you {label}. "
                   "{facts}", "Lovely. So what I've got on the system is {label}. {facts}"),
            fact="It's {value} for the {slot}.", between=" ",
            ask_to_book=("Shall I pop that through for you?", "Would you like me to get you in?"),
            confirm=("So just to read that back to you: that's {label}, {details}. Have I got that "
                     "right?"),
            booked=("Smashing, that's all gone through for you: {label}, {details}. Have you got a "
                    "pen? Your reference is {ref}. I'll say that again, {ref}.",
                    "There we are, you're in: {label}, {details}. It's {ref} if you need to ring "
                    "us about it."),
            changed="Not a problem, I've moved that for you: {label}, {details}; it's {ref} now.",
            refused=("Ah, I'm ever so sorry, my love, they can't fit you in for that: {details}. "
                     "Any other {others} you could do?",),
            none=("I'm afraid we don't do a {noun} like that, {wanted}, sorry. Can I tempt you "
                  "with a different one?",),
            tell=("Yes of course, so the {slot} on that is {value}.", "That'll be {value}, the "
                  "{slot}."),
            not_booked="I've not put anything through for you as yet.",
            more=("Anything else at all for you today?", "Was there anything else?"),
            lost="Sorry, you're breaking up a bit there. Say that again for me?",
            bye="Thanks ever so much for calling. Bye now, bye, bye.",
            detail="{value} for the {slot}", money="£{}",
        ),
        Wording(
            "sales",
            ask=("Just one tiny thing to unlock your deal: {question}",
                 "Tell me your {slot} and let's make it happen!"),
            options="Choose from our fabulous range: {options}!",
            offer=("You're in luck!! Feast your eyes on {label}! {facts} Customers LOVE it!",
                   "Wow, have I got something for YOU: {label}! {facts}"),
            fact="{slot}? {value}!", between=" ",
            ask_to_book=("Ready to grab it? Say yes and it's yours!", "Shall we seal the deal?"),
            confirm="",
            booked=("BOOM! It's yours! {label}, {details}. Your VIP code: {ref}. Congratulations!",
                    "Deal sealed! You've just snapped up {label} ({details})! Keep your code {ref} "
                    "safe!"),
            changed="Swapped in a flash: {label}, {details}. Your VIP code is now {ref}!",
            refused=("Ooh, so popular that it has just sold out ({details})! But don't go, pick "
                     "another {others} and I'll make it happen!",),
            none=("We don't stock a {noun} with {wanted}, but wait till you see what else we have! "
                  "What else could you go for?",),
            tell=("Great question! {slot}: only the best, {value}!", "The {slot}? It's {value}. "
                  "Amazing, right?"),
            not_booked="It isn't yours yet, nothing is booked, so don't miss out!",
            more=("What else can I get you today?", "Can I interest you in anything else?"),
            lost="Sorry, superstar, I missed that!",
            bye="Thanks for choosing us! See you soon!",
            detail="{slot} {value}",
        ),
        Wording(
            "second language",
            ask=("Please, you tell me which {slot} you are wanting?",
                 "And the {slot}, what is it?"),
            options="It exists {options}.",
            offer=("I have find for you {label}. {facts}", "For this is possible {label}. {facts}"),
            fact="{slot} is {value}.", between=" ",
            ask_to_book=("You want that I make the reservation?", "I shall reserve it, yes?"),
            confirm=("I write so: {label}, {details}. It is good like this?"),
            booked=("So, is done. {label} is reserved for you, {details}. The number of "
                    "reservation is {ref}.",
                    "I have make the reservation of {label}: {details}. You take the number {ref} "
                    "with you please."),
            changed="I have change the reservation: {label}, {details}, number is {ref}.",
            refused=("Pardon, this is already occupied ({details}). You have other {others} "
                     "maybe?",),
            none=("Sorry, {noun} with {wanted} we are not having. You can take a different?",),
            tell=("The {slot} it is {value}.", "{slot}, that makes {value}."),
            not_booked="The reservation I did not make yet.",
            more=("You need still something?", "Other thing I can do for you?"),
            lost="Excuse me, I not understand good.",
            bye="I thank you. Goodbye and nice day.",
            detail="{slot} {value}",
        ),
        Wording(
            "legal",
            ask=("Kindly state the {slot} required.", "You are requested to specify the {slot}."),
            options="The following may be elected: {options}.",
            offer=("Further to your enquiry, the following is available: {label}. {facts} This "
                   "information does not constitute a booking.",),
            fact="The {slot} amounts to {value}.", between=" ",
            ask_to_book=("Do you wish to instruct us to effect the booking?",),
            confirm=("You are about to enter into a binding booking of {label} ({details}). No "
                     "booking is effected until you assent. Do you assent? (yes/no)"),
            booked=("Pursuant to your instructions, {label} has been duly booked in your favour "
                    "({details}) and entered in our register under no. {ref}.",),
            changed="The entry has been amended: {label} ({details}), register no. {ref}.",
            refused=("We regret to advise that the booking ({details}) could not be effected, no "
                     "capacity being available. You may nominate an alternative {others}.",),
            none=("We regret that no {noun} conforming to {wanted} is provided. You may amend your "
                  "requirements.",),
            tell=("We hereby advise that the {slot} of the aforesaid is {value}.",
                  "The {slot}: {value}."),
            not_booked="For the avoidance of doubt, no booking has been effected.",
            more=("Should you require further assistance, please advise accordingly.",),
            lost="Your statement could not be construed.",
            bye="We remain at your disposal. Good day.",
            detail="{slot}: {value}", detail_between="; ", money="{} pounds sterling",
        ),
        Wording(
            "emoji chat",
            ask=("{question} 🤔", "ooh nice! and the {slot}? 👀"),
            options="👉 {options}",
            offer=("heyyy found one 🎉 {label}\n{facts}\n", "check this out 😍 {label}\n{facts}\n"),
            fact="✨ {slot}: {value}", between="\n",
            ask_to_book=("wanna lock it in? 🔒", "should i book it? 🙌"),
            confirm="ok so: {label} 👉 {details}. all good? 👍/👎",
            booked=("yayyy ✅ locked in! {label} | {details} | ref {ref} 🎊",
                    "done and dusted ✅ {label} | {details} | your ref 👉 {ref}"),
            changed="no worries, switched it ✅ {label} | {details} | ref {ref}",
            refused=("oh noooo 😭 {details} is taken! got another {others}? 🙏",),
            none=("aww 😢 we don't have a {noun} with {wanted}! wanna try something else?",),
            tell=("{slot} 👉 {value} 😊", "it's {value} ({slot}) ✌️"),
            not_booked="nope not booked yet 🙈",
            more=("anything else? 💬", "need anything else, lovely? 💛"),
            lost="hmm didn't get that 😅",
            bye="byeee 👋💛",
            detail="{slot} {value}", detail_between=" · ",
        ),
        Wording(
            "lists",
            ask=("- {slot}: ?",),
            options="  (a) {options}",
            offer=("Result:\n1. {label}\n{facts}\n",),
            fact="   * {slot} = {value}", between="\n",
            ask_to_book=("Options:\n1. Book it\n2. Look for something else\nWhich one?",),
            confirm=("Summary (status: not booked)\n1. item = {label}\n{details}\nReply 1 to "
                     "confirm, 2 to change."),
            booked=("Status: booked\n1. item = {label}\n{details}\n2. reference = {ref}\n",),
            changed="Status: changed\n1. item = {label}\n{details}\n2. reference = {ref}\n",
            refused=("Status: refused (nothing free)\n{details}\nPlease give another:\n- "
                     "{others}\n",),
            none=("Results: 0\n- {noun}\n- {wanted}\nPlease change one of these.",),
            tell=("- {slot}: {value}\n",),
            not_booked="Status: not booked\n",
            more=("Anything else:\n- ?",),
            lost="Input not recognised.\n",
            bye="End of chat.",
            detail="   * {slot} = {value}", detail_between="\n", ask_lead="Still needed:\n",
            ask_between="\n",
        ),
    )
}  # fmt: skip


# The bot

YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|y|sure|ok|okay|correct|right|perfect|great|sounds good|fine|go ahead|"
    r"confirm\w*|good|please do|do it|i do|assent|agreed?|lovely|absolutely|proceed|works|"
    r"of course|deal|take it|will do)\b|👍|^\W*1\W*$",
    re.IGNORECASE,
)
NO = re.compile(
    r"^\W*(?:no|nope|nah|n|2)\b|👎|\b(?:wrong|not right|not correct|don't book)\b", re.IGNORECASE
)
BOOKS = re.compile(
    r"\b(?:book|booked|reserve|order|hire it|appointment|make (?:the|a|that|my) (?:booking|"
    r"reservation)|go ahead|take it)\b",
    re.IGNORECASE,
)
NO_BOOKING = re.compile(
    r"\bno booking\b|\b(?:don't|do not|no need to|not)\b(?: \w+){0,4} (?:book|booking|reserve|"
    r"reservation)\b|\bjust (?:need |want )?(?:the |some )?info",
    re.IGNORECASE,
)
ANY = re.compile(
    r"\b(?:no (?:particular |real )?preference|(?:don't|do not|doesn't|does not) (?:really )?"
    r"(?:mind|care|matter)|any\b(?!thing else)|whichever|whatever|either|up to you|suggest|"
    r"recommend)",
    re.IGNORECASE,
)
BYE = re.compile(
    r"\b(?:bye|goodbye|nothing else|(?:that is|that's) (?:all|everything)\b(?! (?:right|correct)))",
    re.IGNORECASE,
)
ALSO = {
    "price": "costs?|how much|prices|charge", "fee": "costs?|how much|price|charge",
    "phone": "number to call|contact number", "duration": "how long|travel time",
    "running time": "how long|duration|travel time", "address": "where is",
    "starts at": "when does|start time|starts?|what time", "doors": "how many doors",
    "maximum weight": "how heavy", "loan period": "how long", "instructor": "who teaches",
    "stylist": "who does", "delivery time": "how long", "doses": "how many doses",
}  # fmt: skip
"""Other words for what people ask."""
ASKING = re.compile(
    r"\?|\b(?:tell|told|know|give|need the|have the|what|how|who|which|where|when|please|still)\b",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+")
TIME = re.compile(r"\b(\d{1,2})[:.](\d{2})\b(?! ?(?:kg|pounds))")
CLOCK = re.compile(r"\b(\d{1,2}) ?(am|pm)\b", re.IGNORECASE)
DATE = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({MONTHS.replace(' ', '|')})\b", re.I)
DATE_THE_OTHER_WAY = re.compile(rf"\b({MONTHS.replace(' ', '|')}) (\d{{1,2}})\b", re.I)
WEIGHT = re.compile(r"\b(\d+(?:\.\d+)?) ?(?:kg|kilos?|kilograms?)\b", re.IGNORECASE)
NUMBER = re.compile(
    r"(?<!that )(?<!this )(?<!the )(?<!which )(?<!any )(?<!a different )(?<!another )"
    rf"\b(\d{{1,2}}|{'|'.join(COUNTS)})\b",
    re.IGNORECASE,
)


@dataclass
class Talk:
    """What is known in one domain of the dialogue."""

    domain: Domain
    wanted: Slots = field(default_factory=dict)
    """"" where the user does not mind."""
    details: Slots = field(default_factory=dict)
    item: Item | None = None
    offered_before: bool = False
    wants_booking: bool = False
    declined: bool = False
    confirmed: Slots | None = None
    to_confirm: Slots | None = None
    reference: str = ""
    booked: Slots | None = None
    refused: Slots | None = None
    to_tell: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    """The slots that the user has just given."""
    insists: bool = False
    """Whether the user has just asked to book."""
    restated: bool = False
    """Whether the user has just said what it chooses by."""


class OwnBot:
    """Serves all domains, in one wording, over one desk."""

    def __init__(
        self, desk: Desk, wording: Wording, domains: Mapping[str, Domain] = DOMAINS
    ) -> None:
        self.desk = desk
        self.wording = wording
        self.domains = domains
        self.talks: dict[str, Talk] = {}
        self.current: Talk | None = None
        self.open: tuple[str, ...] = ()
        """The slots asked for last."""
        self.offers_booking = False
        self.waits = False
        """Whether this reply ends in a question of its own."""
        self.turn = 0

    def respond(self, text: str) -> str:
        """Answer one turn of the user."""
        self.turn += 1
        raised = self.raised(text)
        if raised is not None:
            self.current = self.talks.setdefault(raised.name, Talk(raised))
        talk, self.waits = self.current, False
        if talk is None:
            return self.say(self.wording.more)
        heard = self.listen(talk, text)
        offered_booking, self.offers_booking = self.offers_booking, False
        said = self.serve(talk, text, heard or raised is not None)
        if not said:
            if BYE.search(text) and not self.open:
                return self.wording.bye
            if offered_booking and not (NO.search(text) or talk.declined):
                said, self.offers_booking = self.asking(self.say(self.wording.ask_to_book)), True
            elif not (YES.search(text) or NO.search(text) or NO_BOOKING.search(text)):
                said = [self.wording.lost]
        if not self.waits:
            self.open = ()
            said.append(self.say(self.wording.more))
        return " ".join(said).strip()

    # Listening

    def raised(self, text: str) -> Domain | None:
        """The domain that the user raises last in its words."""
        found = [
            (match.start(), domain)
            for domain in self.domains.values()
            for match in re.finditer(domain.cues, text, re.IGNORECASE)
        ]
        fresh = [(at, domain) for at, domain in found if domain.name not in self.talks]
        return max(fresh or found, key=lambda pair: pair[0])[1] if found else None

    def listen(self, talk: Talk, text: str) -> bool:
        """Take what was said into the talk; whether it held anything."""
        domain = talk.domain
        left, found, talk.restated, talk.given = text, False, False, set()
        for slot in domain.choosers:
            for value in domain.values_of(slot):
                place = re.search(rf"\b{re.escape(value)}\b", left, re.IGNORECASE)
                if place and not _asks_for(left, place, slot):
                    self.choose(talk, slot, value)
                    left = left[: place.start()] + "_" * len(place[0]) + left[place.end() :]
                    found = talk.restated = True
                    talk.given.add(slot)
                    break
        for slot, kind in domain.books.items():
            value, left = self.read(slot, kind, domain, left)
            if value:
                talk.details[slot] = value
                talk.wants_booking, talk.declined, found = True, False, True
        if ANY.search(text) and not found:
            for slot in self.open:
                if slot in domain.informs:
                    talk.wanted[slot], found = "", True
        found = self.hear_requests(talk, left) or found
        agreed = YES.search(text) and not NO.search(text)
        if NO_BOOKING.search(text):
            talk.wants_booking, talk.declined = False, True
        talk.insists = BOOKS.search(text) is not None
        if talk.declined and NO_BOOKING.search(text):
            talk.insists = False
        elif talk.insists or (agreed and self.offers_booking):
            talk.wants_booking, talk.declined = talk.wants_booking or not talk.reference, False
        if talk.to_confirm is not None and (agreed or BOOKS.search(text)):
            talk.confirmed = talk.to_confirm
        return found

    def choose(self, talk: Talk, slot: str, value: str) -> None:
        """Take a value to choose by."""
        if slot == talk.domain.named_by:
            talk.wanted = {slot: value}
            return
        if talk.wanted.get(slot) != value:
            talk.wanted.pop(talk.domain.named_by, None)
        talk.wanted[slot] = value

    def read(self, slot: str, kind: str, domain: Domain, text: str) -> tuple[str, str]:
        """The value of a booking slot in the text, and the text without it."""
        words = slot.replace("_", " ")
        match: re.Match[str] | None = None
        value = ""
        if kind == "flag":
            return self.read_flag(slot, words, text), text
        if kind in ("text", "day"):
            known = DAYS if kind == "day" else domain.values_of(slot)
            for one in known:
                match = match or re.search(rf"\b{one}s?\b", text, re.IGNORECASE)
            if match is not None:
                value = next(v for v in known if v.lower() == match[0].lower().removesuffix("s") or
                             v.lower() == match[0].lower())  # fmt: skip
        elif kind == "time" and (match := TIME.search(text)):
            value = f"{int(match[1]):02}:{match[2]}"
        elif kind == "time" and (match := CLOCK.search(text)):
            value = f"{int(match[1]) % 12 + 12 * (match[2].lower() == 'pm'):02}:00"
        elif kind == "date" and (match := DATE.search(text)):
            value = f"{int(match[1])} {match[2].lower()}"
        elif kind == "date" and (match := DATE_THE_OTHER_WAY.search(text)):
            value = f"{int(match[2])} {match[1].lower()}"
        elif kind == "weight" and (match := WEIGHT.search(text)):
            value = f"{match[1]} kg"
        elif kind == "number":
            without = TIME.sub(lambda found: "_" * len(found[0]), text)
            match = NUMBER.search(without)
            if match is not None:
                value = COUNTS.get(match[1].lower(), match[1])
                if value in ("1", "2") and self.waits_for_choice and match[0] == text.strip(" .!"):
                    return "", text
        if match is None or not value:
            return "", text
        return value.lower(), text[: match.start()] + "_" * len(match[0]) + text[match.end() :]

    @property
    def waits_for_choice(self) -> bool:
        """Whether the last reply asked to choose by 1 or 2."""
        return self.wording.name == "lists" and not self.open

    def read_flag(self, slot: str, words: str, text: str) -> str:
        """Yes or no, where a slot that takes these is spoken of or was asked for alone."""
        place = re.search(rf"{words}s?", text, re.IGNORECASE)
        if place is not None:
            before, after = text[: place.start()], text[place.end() :]
            if re.search(r"\b(?:yes|with)\b[^.!?]{0,10}$", before, re.IGNORECASE):
                return "yes"
            denied = r"\b(?:no|not|without|don't|doesn't|none|needn't)\b"
            near = re.search(rf"{denied}[^.!?]{{0,25}}$", before, re.IGNORECASE) or re.search(
                rf"^[^.!?]{{0,25}}{denied}", after, re.IGNORECASE
            )
            return "no" if near else "yes"
        if slot in self.open:
            if re.search(r"\b(?:no|nope|don't|not)\b", text, re.IGNORECASE):
                return "no"
            if len(self.open) == 1 and re.search(r"\b(?:yes|yeah|sure|y)\b", text, re.IGNORECASE):
                return "yes"
        return ""

    def hear_requests(self, talk: Talk, text: str) -> bool:
        """What the user asks to be told."""
        found = []
        for sentence in SENTENCE.split(text):
            if not ASKING.search(sentence):
                continue
            if ANY.search(sentence):
                continue
            for slot in [*talk.domain.requests, *talk.domain.choosers, "reference"]:
                words = rf"(?:{ALSO.get(slot, '(?!)')}|{re.escape(slot.replace('_', ' '))})"
                if slot not in talk.given and re.search(rf"\b{words}\b", sentence, re.IGNORECASE):
                    found.append(slot)
        raised = talk.domain.name.split()
        found = [s for s in found if s not in raised or re.search(rf"\bthe {s}\b", text, re.I)]
        known = [s for s in found if s in talk.domain.requests or talk.item or s == "reference"]
        talk.to_tell += [slot for slot in known if slot not in talk.to_tell]
        return bool(known)

    # Serving

    def serve(self, talk: Talk, text: str, heard: bool) -> list[str]:
        """What to say in one domain."""
        said = self.find(talk, heard)
        if talk.item is None:
            return said
        just_offered = bool(said)
        said += self.answers(talk)
        said += self.booking(talk, just_offered, nothing_said=not said)
        if not said and talk.to_confirm is not None and talk.wants_booking:
            said = self.confirm(talk)
        return said

    def find(self, talk: Talk, heard: bool) -> list[str]:
        """Ask, offer, or say that there is none."""
        domain = talk.domain
        fitting = [item for item in domain.items if _fits(item, talk.wanted)]
        if not fitting:
            talk.item = None
            wanted = [f"{self.words(s)} {v}" for s, v in talk.wanted.items() if v]
            return self.asking(
                self.say(self.wording.none, noun=domain.noun, wanted=" and ".join(wanted))
            )
        for slot in domain.informs:
            values = list(dict.fromkeys(item[slot] for item in fitting))
            if len(values) > 1 and slot not in talk.wanted and slot not in talk.asked:
                talk.asked.add(slot)
                talk.item = None
                self.open = (slot,)
                return self.asking(
                    f"{self.question(talk, slot)} "
                    + self.wording.options.format(options=", ".join(values))
                )
        before, talk.item = talk.item, fitting[0]
        talk.offered_before = talk.item is before
        busy = talk.to_tell or talk.wants_booking or talk.reference
        if talk.item is before and (busy or not talk.restated):
            return []
        facts = [
            self.wording.fact.format(slot=self.words(slot), value=self.shown(talk.item[slot]))
            for slot in (*domain.informs, *domain.requests[:1])
        ]
        offered = self.say(
            self.wording.offer,
            label=domain.called(talk.item),
            facts=self.wording.between.join(facts),
        )
        return [offered]

    def answers(self, talk: Talk) -> list[str]:
        """What the user wants to be told."""
        assert talk.item is not None
        said = []
        for slot in talk.to_tell:
            if slot == "reference":
                value = talk.reference
                if not value:
                    said.append(self.wording.not_booked)
                    continue
            else:
                value = self.shown(talk.item[slot])
            label = talk.domain.called(talk.item)
            said.append(
                self.say(self.wording.tell, slot=self.words(slot), value=value, label=label)
            )
        talk.to_tell = []
        return said

    def booking(self, talk: Talk, just_offered: bool, *, nothing_said: bool) -> list[str]:
        """Book, confirm first, ask for what is missing, or ask whether to book."""
        if talk.declined:
            return []
        slots = self.slots_of(talk)
        if talk.booked is not None and slots == talk.booked:
            # Asked to book once more what stands booked, it says once more that it does.
            return self.say_booked(talk, self.wording.booked) if talk.insists else []
        if talk.wants_booking and talk.offered_before:
            missing = [slot for slot in talk.domain.books if slot not in talk.details]
            if missing:
                self.open = tuple(missing)
                questions = [self.question(talk, slot) for slot in missing]
                joined = self.wording.ask_between.join(questions)
                return self.asking(f"{self.wording.ask_lead}{joined}")
            if slots == talk.refused:
                return self.book(talk, slots) if nothing_said else []
            if self.wording.confirm and talk.confirmed != slots:
                return self.confirm(talk)
            return self.book(talk, slots)
        if just_offered and talk.booked is None:
            self.offers_booking, self.open = True, ()
            return self.asking(self.say(self.wording.ask_to_book))
        return []

    def confirm(self, talk: Talk) -> list[str]:
        """Read back what is to be booked."""
        assert talk.item is not None
        talk.to_confirm, self.open = self.slots_of(talk), ()
        self.offers_booking = False
        label, details = talk.domain.called(talk.item), self.details(talk)
        return self.asking(self.say((self.wording.confirm,), label=label, details=details))

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        """Book it at the desk."""
        assert talk.item is not None
        label, details = talk.domain.called(talk.item), self.details(talk)
        talk.to_confirm = talk.confirmed = None
        try:
            reference = self.desk.book(talk.domain.name, slots, talk.reference)
        except RefusedAtDesk:
            talk.refused = slots
            when = ("day", "date", "time")
            self.open = tuple(slot for slot, kind in talk.domain.books.items() if kind in when)
            others = " or ".join(self.words(slot) for slot in self.open)
            return self.asking(
                self.say(self.wording.refused, label=label, details=details, others=others)
            )
        again = talk.booked is not None
        talk.reference, talk.booked, talk.wants_booking = reference, slots, False
        return self.say_booked(talk, (self.wording.changed,) if again else self.wording.booked)

    def say_booked(self, talk: Talk, sentences: Sequence[str]) -> list[str]:
        """That it is booked, with all that is booked."""
        assert talk.item is not None
        label, details = talk.domain.called(talk.item), self.details(talk)
        return [self.say(sentences, label=label, details=details, ref=talk.reference)]

    def slots_of(self, talk: Talk) -> Slots:
        """What would stand booked."""
        item = talk.item or {}
        chosen = {slot: item[slot] for slot in talk.domain.choosers if slot in item}
        return {**chosen, **{s: talk.details[s] for s in talk.domain.books if s in talk.details}}

    # Speaking

    def say(self, sentences: Sequence[str], **values: str) -> str:
        """One of several sentences, filled."""
        said = sentences[self.turn % len(sentences)].format(**values)
        return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", said)

    def asking(self, text: str) -> list[str]:
        """What is said last, as it waits for an answer."""
        self.waits = True
        return [text]

    def question(self, talk: Talk, slot: str) -> str:
        """The question for a slot."""
        return self.say(
            self.wording.ask, question=talk.domain.questions[slot], slot=self.words(slot)
        )

    def words(self, slot: str) -> str:
        """A slot's name as it is said."""
        return {"pickup_day": "pick-up day"}.get(slot, slot.replace("_", " "))

    def shown(self, value: str) -> str:
        """A value as it is said."""
        return re.sub(
            r"\b(\d+(?:\.\d\d)?) pounds", lambda m: self.wording.money.format(m[1]), value
        )

    def details(self, talk: Talk) -> str:
        """The slots of a booking, as they are read back."""
        cased = {
            slot: value.title() if talk.domain.books[slot] in ("day", "date", "text") else value
            for slot, value in talk.details.items()
        }
        shown = [self.wording.detail.format(slot=self.words(s), value=v) for s, v in cased.items()]
        return self.wording.detail_between.join(shown)


def _fits(item: Item, wanted: Mapping[str, str]) -> bool:
    return all(not value or item.get(slot) == value for slot, value in wanted.items())


def _asks_for(text: str, place: re.Match[str], slot: str) -> bool:
    """Whether a word that is also a slot's name stands for the slot: "the vet", "which price"."""
    return place[0].lower() == slot.lower()


def bot_over(
    desk: Desk, wording: Wording, domains: Mapping[str, Domain] = DOMAINS
) -> Callable[[], Any]:
    """What makes a bot in a wording."""
    return lambda: OwnBot(desk, wording, domains)
