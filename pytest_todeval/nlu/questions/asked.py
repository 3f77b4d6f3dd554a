"""How slots are asked for: by users, who want to be told, and by bots, who want to know.

Both read plain text (see `text.plain`).
"""

import re

from pytest_todeval.nlu.patterns import any_of

INTERNET = any_of(r"\binternet\b", r"\bwi-? ?fi\b", r"\bwireless\b")
PARKING = re.compile(
    r"\b(?:car )?parking\b|\bpark (?:my|the|our|a) (?:car|vehicle)|\bspot for my car"
)

USERS_ASK = {
    "phone": any_of(
        r"\b(?:tele)?phone(?: ?number)?\b",
        r"\bcontact (?:number|info\w*|details)\b",
        r"(?<!reference )(?<!confirmation )(?<!id )(?<!booking )\btheir number\b",
    ),
    "address": any_of(
        r"\baddress\b",
        r"\bwhere (?:is it|it is|it's|are they|they are)(?: located)?(?! (?:in"
        r" )?the (?:north|south|east|west))",
    ),
    "postcode": any_of(r"\bpost(?:al)? ?codes?\b", r"\bzip ?code\b"),
    "entrance fee": any_of(
        r"\b(?:entrance|entry|admission)(?: (?:fee|price|cost|charge))?\b",
        r"\bcost to (?:get in|enter|visit)",
        r"\bhow much (?:is it )?to (?:get in|enter)",
        r"\bfees?\b",
    ),
    "price": any_of(r"\bprices?\b(?! ?range)", r"\bcosts?\b", r"\bhow much\b", r"\bfares?\b"),
    "duration": any_of(
        r"\bduration\b", r"\b(?:travel|journey) ?times?\b", r"\bhow (?:long|much time)\b"
    ),
    "trainID": any_of(r"\btrain ?(?:id|number|no)\b", r"\bid(?: number)?s?\b"),
    "leaveAt": any_of(
        r"\bdeparture time",
        r"\b(?:when|time)(?: \w+){0,4} (?:leaves?|departs?|leaving|departing)\b",
        r"\bleaving time",
        r"\bleave time",
    ),
    "arriveBy": any_of(
        r"\barrival times?\b",
        r"\b(?:what time|when|time)(?: \w+){0,5} (?:arrives?|arriving)\b",
        r"\barrive time",
    ),
    "area": any_of(
        r"\b(?:what|which) (?:area|part|side)",
        r"\barea\b",
        r"\bpart of (?:town|the city)\b",
        r"\bwhere (?:is|are|in)\b",
        r"\blocat(?:ion|ed)\b",
    ),
    "pricerange": any_of(r"\bprice ?ranges?\b", r"\bhow (?:expensive|cheap)\b", r"\bpricing\b"),
    "food": any_of(
        r"\b(?:type|kind|sort)s? of (?:food|cuisine)",
        r"\bwhat (?:food|cuisine)",
        r"\bfood types?\b",
        r"\bcuisine\b",
        r"\bwhat do they serve",
        r"\bthe food\b",
    ),
    "stars": any_of(r"\bstars?(?: ratings?)?\b", r"\bratings?\b"),
    "internet": INTERNET,
    "parking": PARKING,
    "type": any_of(
        r"\b(?:attraction|hotel|venue|accommodation)(?:'s)? types?\b",
        r"\b(?:what|which)? ?(?:type|kind|sort) of (?:attraction|hotel|place|"
        r"venue|accommodation|museum|is it|it)",
        r"\bis (?:it|this|that) a (?:hotel|guesthouse)",
        r"\bhotel or (?:a )?guesthouse",
        r"\bguesthouse or (?:a )?hotel",
        r"\b(?:the|its) types?\b(?! of (?:food|car|cuisine))",
        r"\bwhat type\b(?! of (?:food|car|cuisine))",
    ),
    "car type": any_of(
        r"\bcar(?:'s)? (?:type|model|make)",
        r"\b(?:type|kind|sort|make|model|colou?r) of (?:the )?(?:car|vehicle|taxi)",
        r"\bwhat (?:car|kind of car)",
        r"\bvehicle\b",
        r"\b(?:the )?car type\b",
    ),
    "reference": any_of(
        r"\b(?:reference|confirmation|booking|ref)(?: ?(?:number|no|code|#))\b", r"\breference\b"
    ),
    "name": any_of(r"\b(?:the|its|their|what) names?\b(?! is\b)"),
    "department": any_of(r"\bwhich departments?\b"),
}
"""Slot -> how users ask for it, or speak of it."""

BOTS_ASK: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        ("area",
            r"\b(?:areas?|(?:part|side|end|section|region)s? of (?:the )?(?:town|city|cambridge)"
            "|(?:certain|particular|specific|preferred|different|another|which|what"
            "|other) (?:part|side|end|section|region|location)|neighbou?rhood|location"
            r"|whereabouts|where would you like (?:to (?:stay|eat|dine)|it)|part of|district)\b"),
        ("pricerange",
            r"\b(?:price(?:s| ?-? ?ranges?|d)?|budget|how much (?:would|do|are|were) you (?:like"
            r"|want|looking|willing|wanting)\b.*|expensive or)\b"),
        ("food",
            r"\b(?:(?:type|kind|sort|style)s? of (?:food|cuisine|restaurant|meal|dining|dish)\w*"
            r"|cuisines?|food(?:s| type| preference)?|what (?:would you like"
            r"|do you want) to eat)\b"),
        ("type",
            r"\b(?:(?:type|kind|sort)s? of (?:attractions?|places?|hotels?|accommodations?"
            r"|accomodations?|lodging|entertainment|venues?|activit\w+|things?|sites?|room"
            "|locations?|destination)|type of|hotels? or (?:a )?guest ?-?houses?"
            "|guest ?-?houses? or (?:a )?hotels?|(?:particular|certain|specific|another"
            r"|different) (?:type|kind|sort)|interests? you\b(?! in (?:any|some)thing (?:else"
            "|more))|interested in (?:seeing|visiting|doing)|what (?:are|were|would"
            "|do) you (?:looking|like|want|wanting|hoping) to (?:do|see|visit)"
            r"|are you interested in ?\??$|(?:what|which) (?:type|kind|sort)s?)\b"),
        ("stars", r"\b(?:star ratings?|stars?|rating)\b"),
        ("internet", r"\b(?:internet|wi ?-?fi)\b"),
        ("parking", r"\bparking\b"),
        ("day",
            r"\b(?:(?:what|which|another|different|preferred|other|specific|particular"
            r"|(?<!in )the|a|your|arrival) (?:day|date)s?|(?<!up to )dates?|(?:what"
            r"|which) nights?|for when"
            r"|when (?:is|will) your (?:stay|booking|reservation|visit)"
            r"|(?<!many )days?(?: of the week)? (?:and|or|would|will|are|do|did|is"
            r"|were|you)|(?:and|or|,) (?:the |what |which )?(?:day|date)"
            r"|(?<!many )(?<!of )(?<!the )(?<!great )(?<!nice )(?<!good )(?<!that"
            r" )(?<!wonderful )(?<!same )day(?! ?of your)"
            r"|when (?:would|will|do|should|are|did) you (?:be )?(?:like|want|wish|need|plan\w*"
            r"|stay\w*|check\w*|start\w*|arriv\w*)(?! to (?:leave|depart|arrive)))\b"),
        ("people",
            r"\b(?:how many(?: (?:people|persons?|guests?|will|would|are|seats?|tickets?|in"
            r"|others?|passengers?|of you|adults|travel\w*|diners|do|should|is))"
            r"|number of (?:\w+ )?(?:people|guests?|tickets?|seats?|persons|passengers)"
            "|party size|(?:for|and) how many(?! (?:nights|days))|alone|just (?:you|yourself"
            r"|one))\b"),
        ("stay",
            r"\b(?:how many (?:\w+ )?(?:nights|days)|how long|number of (?:nights|days)"
            "|(?:shorter|longer) (?:stay|duration|time|visit)|(?:duration|length) of (?:your "
            r"|the )?(?:stay|visit)|shorten your stay)\b"),
        ("name",
            r"\b(?:names? of (?:the|your|a|this)|(?:particular|specific|certain) (?:restaurant"
            r"|hotel|attraction|place|one|venue|museum|college|name|guest ?house)|(?:restaurant"
            r"|hotel|attraction|places?)s? name)\b"),
        ("phone", r"\byour (?:phone|telephone|contact|mobile) ?(?:number)?\b"),
        ("department", r"\bdepartment\b"),
    )
)  # fmt: skip
"""Slot, and how bots ask for it, in the order in which they are heard."""

_PIECES = {
    "leaveAt": "leav", "arriveBy": "arriv", "entrance fee": "fee", "postcode": "post",
    "pricerange": "price", "trainID": "train", "car type": "car", "stars": "star",
}  # fmt: skip

FEATURES = {
    "internet": re.compile(r"\b(?:internet|wi-? ?fi|wireless)\b", re.I),
    "parking": re.compile(r"\b(?:car )?park(?:ing|s)?\b", re.I),
}
"""Slots that are yes or no, and how either side names them."""

NEVER_A_CONSTRAINT = frozenset(
    {
        "phone", "address", "postcode", "entrance fee", "price", "duration", "trainID", "car type",
        "reference",
    }
)  # fmt: skip
"""Slots that users ask for and never wish for."""


def piece_of(slot: str) -> str:
    """Returns a piece of how people say a slot, whichever side: `leav` of `leaveAt`; lower case."""
    return _PIECES.get(slot, slot.lower().replace("_", " "))
