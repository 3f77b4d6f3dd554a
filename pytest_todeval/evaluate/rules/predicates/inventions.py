"""Predicates over what the bot tells in words of which nothing it knows speaks.

Each family is a table: words that tell something of the kind, and what must stand in the bot's
results, tools or policy for them to be founded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pytest_todeval.evaluate.rules.denied import is_denied
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import founded_text, policy_of
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.nlu.text.sentences import asks, sentences

Family = Literal["features", "reviews", "hours", "terms", "services", "scarcity", "the past"]

_TABLE: Mapping[Family, Sequence[tuple[str, str]]] = {
    "features": (
        ("(?:heated |swimming |indoor |outdoor )pool|a pool", "pool"),
        ("spa|sauna|jacuzzi|hot tub", "spa|sauna|jacuzzi|hot tub"),
        ("gym|fitness", "gym|fitness"),
        ("terrace|rooftop|balcon(?:y|ies)", "terrace|roof|balcon"),
        ("(?:sea|river|city|garden|park|mountain|lake) views?|views? (?:of|over)", "view"),
        ("vegan|vegetarian|gluten[- ]free|halal|kosher", "vegan|vegetarian|gluten|halal|kosher"),
        ("dogs?|pets?", "dog|pet"),
        ("wheelchairs?|step-free", "wheelchair|step|accessib"),
        ("live music|happy hour|quiz night", "music|happy hour|quiz"),
        ("shuttle|airport transfer", "shuttle|transfer"),
        ("caf\u00e9 on site|on-site|gift shop|playground", "caf|site|shop|playground"),
        ("breakfast (?:is|included)|free breakfast|breakfast buffet", "breakfast"),
        ("air[- ]condition\\w*|minibar|room service", "air|minibar|room service"),
    ),
    "reviews": (
        ("reviews?|tripadvisor", "review|tripadvisor"),
        ("(?:guests|people|customers|visitors) (?:rate|love|rave)|rated \\d|highly rated",
         "rat(?:es?|ed|ing)\\b"),
        ("out of (?:five|ten|5|10)", "out of|rating"),
        ("award(?:s|-winning)?|michelin|prize", "award|michelin|prize"),
        ("best(?:-| )rated|top-rated|most popular|(?:best|finest|nicest) (?:\\w+ )?(?:in|of|around)"
         " (?:the )?(?:town|city|area|region)|number one|second to none", "rating|popular|rank"),
    ),
    "hours": (
        ("open (?:daily|every|from|until|till|all|seven|24)|opening hours",
         "\\bopen|hours"),
        ("(?:shut|closed) (?:down|for good|permanently|for (?:renovat|repair)\\w*)|out of business"
         "|no longer exists?", "shut|closed|no longer|renovat"),
        ("(?:opens|closes) (?:at|on)|last (?:orders|entry|admission)", "opens|closes|hours|last"),
        ("check-?(?:in|out) (?:is|from|by|at|time)", "check ?(?:in|out)"),
    ),
    "terms": (
        ("cancellation (?:fee|policy|charge)|free cancellation|cancel (?:free|up to|until|within)",
         "cancellation|cancel(?:led)? (?:free|within|up)"),
        ("deposit", "deposit"),
        ("surcharge|service charge|extra charge", "charge"),
        ("(?:handling|booking|admin|service|late|processing|restocking|delivery|transaction) fees?"
         "|a fee of|fees? (?:applies|apply)", "fee"),
        ("penalty|no-show|minimum spend|non-?refundable", "penalty|noshow|no show|minimum|refund"),
        ("discount|promo(?:tion|code)?|special offer|loyalty|\\d+ ?% off"
         "|(?:off|from) (?:your|the) (?:bill|price|fare|total)", "discount|promo|loyal|offer"),
        ("company (?:rules?|policy)|rules allow|terms and conditions|cost cent(?:er|re)",
         "company|rules? allow|terms|cost cent"),
        ("warranty|insured|insurance covers?", "warrant|insur"),
    ),
    "services": (
        ("waiting list|wait(?: )?list|stand-?by list", "waiting|waitlist|wait list|standby"),
        ("guaranteed?|i (?:can )?promise|you have my word", "guarant|promise"),
        ("reminders?|a text to your", "remind|text"),
        ("complimentary|on the house|free (?:drink|dessert|wine|upgrade|delivery|shipping)"
         "|at no extra cost", "complimentary|free|no extra"),
        ("early check-?in|late check-?out", "check ?in|check ?out"),
        ("window (?:seat|table|spot)|(?:by|at) the window|quiet (?:corner|table|room)"
         "|(?:best|nicest|finest) (?:table|room|seat|spot)", "window|quiet|best"),
        ("(?:they|someone|somebody|a colleague|our team|the team|a manager|the manager|an engineer"
         "|the (?:hotel|restaurant|driver)) (?:will|.ll) (?:\\w+ )?(?:call|ring|phone|e-?mail|text"
         "|contact|confirm|get (?:back|in touch)|reach|visit|come|pick you up|be in touch)",
         "call|contact|visit|in touch|pick up|confirm"),
    ),
    "scarcity": (
        ("only \\w+ (?:\\w+ )?(?:is |are )?(?:left|remaining)|almost (?:gone|full|sold out)"
         "|last (?:one|few|two|three)", "left|remaining|available"),
        ("(?:other|more) (?:people|guests|customers|users|travellers) (?:are )?(?:also )?"
         "(?:looking|viewing|waiting|interested)", "looking|viewing"),
        ("selling (?:out )?fast|filling up|won.t last", "selling"),
    ),
    "the past": (
        ("welcome back|good to (?:see|have) you again", "welcome back"),
        ("last (?:time|month|week|year|summer|visit|stay)[^.!?]{0,30}\\byou|you[^.!?]{0,40}"
         "\\blast (?:time|month|week|year|summer|visit|stay)", "last "),
        ("your (?:usual|previous|last|regular|favou?rite)", "usual|previous|last|favo"),
        ("i (?:went|was|ate|stayed|visited|grew up|used to|live|lived) (?:there|here|at|in|near|go)"
         "|my (?:family|wife|husband|kids|friends|mum|mother|cousin|neighbou?r|own)"
         "|(?:i|we) (?:\\w+ )?(?:loved|adored|enjoyed) (?:it|the)|my (?:\\w+ )?favou?rite",
         "my family"),
        ("as (?:always|usual)|like last time|once again with us", "always|usual"),
    ),
}  # fmt: skip
TABLE = {
    family: tuple((re.compile(rf"\b(?:{told})\b", re.I), re.compile(by)) for told, by in rows)
    for family, rows in _TABLE.items()
}
SOME = {
    family: re.compile(rf"\b(?:{'|'.join(told for told, _ in rows)})\b", re.I)
    for family, rows in _TABLE.items()
}
"""Whether a sentence tells anything of a family, in one look."""


@predicate
def invents(view: View, what: list[Family]) -> Found:
    """The bot tells something of these families that no result, tool or policy speaks of.

    `features` of venues, `reviews`, opening `hours`, `terms` and fees, `services` that it arranges
    or promises for others, `scarcity` ("only two left"), and `the past` with the user. Questions,
    denials and what repeats a wish tell nothing.
    """
    if not (view.evidence.traced or view.evidence.has_database):
        return unknown("no tool calls were reported")
    if not view.evidence.goal.domains and not policy_of(view):
        return unknown("the policy of the task is not known")
    told = [(family, match) for family in what for match in _matches(view.facts.text, family)]
    if not told:
        return unknown(f"tells nothing of {', '.join(what)}")
    for family, (match, founded) in told:
        if not founded.search(founded_text(view)):
            return yes(f"tells {match!r} ({family}), of which nothing that it knows speaks")
    return no(f"what it tells of {', '.join(what)} is known")


def _matches(text: str, family: Family) -> Iterator[tuple[str, re.Pattern[str]]]:
    if not SOME[family].search(text):
        return
    for sentence in sentences(text):
        if not SOME[family].search(sentence) or asks(sentence):
            continue
        for told, founded in TABLE[family]:
            match = told.search(sentence)
            if match is not None and not is_denied(sentence, match[0]):
                yield match[0], founded
