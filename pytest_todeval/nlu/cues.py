"""The words that tell which domain somebody talks about, and of how many people.

Bots and users speak differently: bots of "your room" and its stars, users of "somewhere to stay".
If they do, the patterns of both stand side by side. All read plain text (see `text.plain`).
"""

import re

from pytest_todeval.nlu.patterns import any_of

NUMBER = (
    r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"a single|a couple(?: of)?)"
)

DOMAINS_RAISED = {
    "restaurant": any_of(
        r"\brestaurants?\b",
        r"\bplaces? to (?:dine|eat)",
        r"\b(?:dine|dining|eat|eating|eatery|meal|lunch|dinner|cuisine|gastropub)\b",
        r"\bfoods?\b",
        r"\btable\b",
        r"\bsomewhere to eat",
    ),
    "hotel": any_of(
        r"\bhotels?\b",
        r"\bguesthouses?\b",
        r"\bplaces? to stay",
        r"\b(?:lodgings?|accommodations?|b and b|room|rooms)\b",
        r"\bsomewhere to stay",
        r"\bmy stay\b",
        r"\bto stay (?:in|at|for)\b",
        r"\bstar (?:hotel|place)",
    ),
    "attraction": any_of(
        r"\battractions?\b",
        r"\bplaces? to (?:go|visit|see)",
        r"\b(?:museums?|colleges?|cinemas?|theatres?|nightclubs?|galler(?:y|ies)|church(?:es)?)\b",
        r"\bswimming ?pools?\b",
        r"\bconcert ?halls?\b",
        r"\b(?:sightseeing|sights|tourist|architecture)\b",
        r"\bpark\b(?! (?:my|the|a) )",
        r"\bparks\b",
        r"\bthings? to (?:do|see)",
        r"\bentertainment\b",
        r"\b(?:night ?)?clubs?\b",
        r"\bboats?\b",
        r"\b(?:multiple )?sports\b",
        r"\bentrance fee",
        r"\bsomewhere to (?:go|visit)",
        r"\b(?:something|anything)(?: \w+)? to (?:do|see|visit)\b",
        r"\bto visit\b",
        r"\bpools?\b",
    ),
    "train": any_of(
        r"\btrains?\b(?! stations?)",
        r"\brail(?:way)?\b",
        r"\bplatform\b",
        r"\btrain ?ids?\b",
        r"\btr\d{4}\b",
    ),
    "taxi": any_of(
        r"\btaxis?\b",
        r"\bcabs?\b",
        r"\bcar type\b",
        r"\btype of car\b",
        r"\bpick(?:ed)? (?:me |us )?up\b",
        r"\ba car\b",
        r"\ba ride\b",
    ),
    "hospital": any_of(r"\bhospitals?\b", r"\bdepartment\b", r"\binjur\w+", r"\bdoctor"),
    "police": any_of(r"\bpolice\b", r"\brobbed\b", r"\bstolen\b", r"\bcrime\b"),
}
"""Domain -> how users raise it."""

DOMAINS_TOLD = (
    ("taxi", re.compile(
            r"\b(?:taxis?|cabs?|pick(?:ed)? you up|picked up|contact number|(?:black|white|red"
            r"|yellow|blue|gr[ea]y) (?:toyota|skoda|bmw|honda|ford|audi|lexus|volvo|volkswagen"
            r"|tesla))\b")),
    ("train", re.compile(r"\b(?:trains?|tr ?\d{3,4}|tickets?|payable at the station)\b")),
    ("hotel", re.compile(
            r"\b(?:hotels?|guest ?-?houses?|lodgings?|nights?|rooms?|accomm?odations?"
            r"|place to stay|stars?|wifi|bed and breakfast)\b")),
    ("restaurant", re.compile(
            r"\b(?:restaurants?|tables?|food|cuisine|dine|dining|eat|meal|eatery|serves?)\b")),
    ("attraction", re.compile(
            r"\b(?:attractions?|museums?|colleges?|theatres?|nightclubs?|entrance|admission"
            r"|swimming|cinemas?|churches|architecture|entry)\b")),
    ("hospital", re.compile(r"\bhospital\b")),
    ("police", re.compile(r"\bpolice\b")),
)  # fmt: skip
"""Domain, and how bots speak of it; of several, the first counts."""

PEOPLE = any_of(
    rf"\b{NUMBER} (?:other |more )?(?:people|persons?|guests?|of us|tickets?|passengers?|adults?"
    r"|travell?ers?|diners?|seats?|friends|individuals|places at)\b",
    rf"\b(?:party|group|family|table|tickets?|seats?) (?:of|for) {NUMBER}\b",
    rf"\b(?:people|guests|party size|number of people|group size) (?:is |to be"
    rf" |should be |will be |to )?{NUMBER}\b",
    rf"\bfor (?:just |only )?{NUMBER}(?= *(?:[.,!?;]|$|and\b|on\b|at\b|please\b|starting\b|from\b"
    r"|for\b|this\b|, ))(?! (?:nights?|days?|stars?|pounds))",
    rf"\b(?:a|one) room for {NUMBER}\b(?! (?:nights?|days?))",
    r"\b(?:book|buy|need|like|get|purchase|want) (?:me )?(a|one|1) (?:single )?(?:ticket|seat)\b",
)
ALONE = re.compile(
    r"\b(?:just (?:for )?(?:me|myself)|only me|by myself|for myself|alone|just one of us)\b"
)
ASKING = re.compile(
    r"\?|\b(?:what|which|how|when|where|whether|tell|give|get|need|know|provide|confirm|can i"
    "|could i|may i|i'd like|would like|want|also|asked for|does it|do they|is there|is it"
    r"|are they|have the|and the|please|see if|find out|send|share|wondering)\b"
)
"""Words of users that ask for something."""
BOOKED_TIME = re.compile(
    r"\b(?:by|in time for|before|at|for) (?:the|my|our) (?:\w+ )?"
    r"(?:booked time|booking|reservations?|dinner)\b"
)
"""Refers to the time of another booking."""
