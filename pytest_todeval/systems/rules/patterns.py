"""What people say in English for domains, slots and values, as patterns over plain text.

`@3` stands for the fourth name found in the text.
"""

import re

__all__ = [
    "AFFIRM",
    "ALTERNATIVE",
    "ANY",
    "ASKING",
    "BOOK",
    "BYE",
    "CUES",
    "DAY",
    "DENY",
    "FOODS",
    "NO_BOOKING",
    "PEOPLE",
    "REQUESTS",
    "SAME",
    "STARS",
    "STAY",
    "SUGGEST",
    "THANKS",
    "TYPES",
]  # fmt: skip

NUMBER = (
    r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"a single|a couple(?: of)?)"
)


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


CUES = {
    "restaurant": _any_of(
        r"\brestaurants?\b",
        r"\bplaces? to (?:dine|eat)",
        r"\b(?:dine|dining|eat|eating|eatery|meal|lunch|dinner|cuisine|"
        r"gastropub)\b",
        r"\bfoods?\b",
        r"\btable\b",
        r"\bsomewhere to eat",
    ),
    "hotel": _any_of(
        r"\bhotels?\b",
        r"\bguesthouses?\b",
        r"\bplaces? to stay",
        r"\b(?:lodgings?|accommodations?|b and b|room|rooms)\b",
        r"\bsomewhere to stay",
        r"\bmy stay\b",
        r"\bto stay (?:in|at|for)\b",
        r"\bstar (?:hotel|place)",
    ),
    "attraction": _any_of(
        r"\battractions?\b",
        r"\bplaces? to (?:go|visit|see)",
        r"\b(?:museums?|colleges?|cinemas?|theatres?|nightclubs?|galler(?:y|ies)|"
        r"church(?:es)?)\b",
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
    "train": _any_of(
        r"\btrains?\b(?! stations?)",
        r"\brail(?:way)?\b",
        r"\bplatform\b",
        r"\btrain ?ids?\b",
        r"\btr\d{4}\b",
    ),
    "taxi": _any_of(
        r"\btaxis?\b",
        r"\bcabs?\b",
        r"\bcar type\b",
        r"\btype of car\b",
        r"\bpick(?:ed)? (?:me |us )?up\b",
        r"\ba car\b",
        r"\ba ride\b",
    ),
    "hospital": _any_of(r"\bhospitals?\b", r"\bdepartment\b", r"\binjur\w+", r"\bdoctor"),
    "police": _any_of(r"\bpolice\b", r"\brobbed\b", r"\bstolen\b", r"\bcrime\b"),
}

DAY = re.compile(
    r"\b(mon|tues?|wed(?:nes|s)?|thur?s?|fri|sat(?:ur)?|sun)(day)?s?\b(?! (?:in|down)\b)"
)
PEOPLE = _any_of(
    rf"\b{NUMBER} (?:other |more )?(?:people|persons?|guests?|of us|tickets?|"
    rf"passengers?|adults?|travell?ers?|diners?|seats?|friends|individuals|"
    rf"places at)\b",
    rf"\b(?:party|group|family|table|tickets?|seats?) (?:of|for) {NUMBER}\b",
    rf"\b(?:people|guests|party size|number of people|group size) (?:is |to be"
    rf" |should be |will be |to )?{NUMBER}\b",
    rf"\bfor (?:just |only )?{NUMBER}(?= *(?:[.,!?;]|$|and\b|on\b|at\b|"
    rf"please\b|starting\b|from\b|for\b|this\b|, ))(?! (?:nights?|days?|stars?|"
    rf"pounds))",
    rf"\b(?:a|one) room for {NUMBER}\b(?! (?:nights?|days?))",
    r"\b(?:book|buy|need|like|get|purchase|want) (?:me )?(a|one|1) (?:single )?(?:ticket|seat)\b",
)
ALONE = re.compile(
    r"\b(?:just (?:for )?(?:me|myself)|only me|by myself|for myself|alone|just one of us)\b"
)
STAY = _any_of(
    rf"\b{NUMBER}[ -](?:nights?|days?)\b",
    r"\b(?:for |just )(a|one) night\b",
    rf"\bnumber of nights(?: should be| to be| is|:)? {NUMBER}\b",
)
STARS = _any_of(
    rf"\b{NUMBER}[ -]?stars?\b",
    rf"\bstars? (?:rating )?(?:of |should be |is |at )?{NUMBER}\b",
    rf"\brating (?:of|should be|is) {NUMBER}\b",
)

PRICES = {
    "cheap": _any_of(
        r"\bcheap(?:er|est|ly)?\b",
        r"\binexpensive\b",
        r"\bbudget\b",
        r"\blow(?:er)?[ -](?:cost|priced?|budget)\b",
        r"\baffordable\b",
    ),
    "moderate": _any_of(
        r"\bmoderat\w*\b",
        r"\bmid(?:dle)?[ -]?(?:range|priced?)\b",
        r"\breasonabl[ey](?:[ -]priced?)?\b",
        r"\bmedium\b",
    ),
    "expensive": _any_of(
        r"\b(?<!not )(?<!too )expensive\b",
        r"\bupscale\b",
        r"\bhigh[ -]?(?:end|class|price\w*)\b",
        r"\bfancy\b",
        r"\bpricey\b",
        r"\bluxur\w+\b",
        r"\bupmarket\b",
    ),
}
HOW_DEAR = re.compile(r"how (?:expensive|cheap)|\bcheap or\b|\bis it (?:cheap|expensive|moderate)")
AREAS = _any_of(
    r"\b(north|south|east|west)(?:ern|side)?(?! (?:american|indian|african|asian|"
    r"london|european))\b",
    r"\b(centre|central|downtown|middle) ?(?:of town|of the city|area|part)?",
)

INTERNET = _any_of(r"\binternet\b", r"\bwi-? ?fi\b", r"\bwireless\b")
PARKING = re.compile(
    r"\b(?:car )?parking\b|\bpark (?:my|the|our|a) (?:car|vehicle)|\bspot for my car"
)


ANY = re.compile(
    r"\b(?:any(?:thing|where|time| of them| one)?\b(?! (?:more|else|trains?|"
    r"chance|information|attractions?|restaurants?|hotels?|places?|museums?|"
    r"guesthouses?|that|other|colleges?|swimming|options?|in|with))"
    r"|(?:don't|do not|doesn't|does not|dont) (?:really |much )?(?:care|mind|"
    r"matter)|no (?:particular |real |specific )?preference"
    r"|(?:don't|do not) (?:really )?have (?:a|any) (?:particular |specific |"
    r"real |strong )?(?:preference|price|area|type|food)|not (?:picky|"
    r"important|particular|really important)|whatever|either (?:one )?is|"
    r"flexible|open to any)"
)
SUGGEST = re.compile(
    r"\b(?:recommend\w*|suggest\w*|surprise me|you (?:choose|pick|decide)|your"
    r" (?:choice|favou?rite|pick)|pick (?:one|your|any|it)|choose (?:one|for)|"
    r"which (?:one|trains?|would)|best one|any(?: one)? of (?:them|those)|what"
    r" (?:are|is) (?:the|my|your) (?:options|choices)|whichever|either one|"
    r"just one|one of (?:them|those))\b"
)
ALTERNATIVE = re.compile(
    r"\b(?:another (?:one|option|place|restaurant|hotel|guesthouse|attraction|"
    r"train|museum|college|choice)|(?:some(?:thing|where)|anything|any)"
    r" (?:else|other)|a different (?:one|restaurant|hotel|place|attraction|"
    r"train|guesthouse)|other (?:options?|ones?|places?|choices|"
    r"recommendations?)|not that one|don't (?:really )?like (?:it|that))\b"
)

BOOK = re.compile(
    r"\b(?:book(?:ed|ing)?|reserv\w+|(?:buy|purchase|get|need|want|have) (?:me"
    r" |us |a |the |\d+ |\w+ )?tickets?|make (?:a|the) (?:reservation|"
    r"booking)|schedule)\b"
)
NO_BOOKING = re.compile(
    r"(?:don't|do not|not|no|n't)(?: \w+){0,4} (?:book|booking|reservation|"
    r"reserve|tickets?)\b(?! (?:on|at|for|fail|number|ref))|\bno need to book|"
    r"\bjust (?:the|some|need the|looking for|want(?:ed)?(?: the| some)?)"
    r" info|only need (?:some |the )?information"
)
AFFIRM = re.compile(
    r"^(?:(?:hi|ok|okay|oh|well|great|thanks?|thank you|perfect)["
    r" ,.!]*)*(?:yes|yeah|yep|yea|sure|please do|ok(?:ay)?|absolutely|"
    r"definitely|of course|correct|right|great|perfect|go ahead|that (?:would"
    r" be|sounds|works|will do|is fine|one)|sounds (?:good|great|perfect|"
    r"lovely|nice)|let's (?:do|go)|please|i'll take|that's (?:great|perfect|"
    r"fine)|fine|wonderful|excellent|lovely|nice|cool|good)\b"
    r"|\b(?:yes|sounds (?:good|great)|i'll take|let's go with|that works|go ahead|will do)\b"
)
DENY = re.compile(
    r"^(?:no|nope|nah|not quite|sorry|i'm afraid|actually|that's (?:not right|"
    r"wrong))\b|\b(?:no,|i said|not right|that's wrong|is wrong|i asked for)"
)
THANKS = re.compile(r"\bthank|\bthat(?:'s| is| will be| would be|'ll be) (?:all|it|everything)\b")
BYE = re.compile(
    r"\b(?:good ?bye|bye|that(?:'s| is| will be| would be|'ll be)(?:"
    r" actually)? (?:all|everything)\b|nothing else|have a (?:good|great|nice|"
    r"wonderful)|all set|forget it|never ?mind)"
)
SAME = re.compile(
    r"\bsame (?:exact )?(area|part|side|price|pricerange|day|group|people|"
    r"party|number of people|time|location|place)\b"
)

ASKING = re.compile(
    r"\?|\b(?:what|which|how|when|where|whether|tell|give|get|need|know|"
    r"provide|confirm|can i|could i|may i|i'd like|would like|want|also|asked"
    r" for|does it|do they|is there|is it|are they|have the|and the|please|see"
    r" if|find out|send|share|wondering)\b"
)

REQUESTS = {
    "phone": _any_of(
        r"\b(?:tele)?phone(?: ?number)?\b",
        r"\bcontact (?:number|info\w*|details)\b",
        r"(?<!reference )(?<!confirmation )(?<!id )(?<!booking )\btheir number\b",
    ),
    "address": _any_of(
        r"\baddress\b",
        r"\bwhere (?:is it|it is|it's|are they|they are)(?: located)?(?! (?:in"
        r" )?the (?:north|south|east|west))",
    ),
    "postcode": _any_of(r"\bpost(?:al)? ?codes?\b", r"\bzip ?code\b"),
    "entrance fee": _any_of(
        r"\b(?:entrance|entry|admission)(?: (?:fee|price|cost|charge))?\b",
        r"\bcost to (?:get in|enter|visit)",
        r"\bhow much (?:is it )?to (?:get in|enter)",
        r"\bfees?\b",
    ),
    "price": _any_of(r"\bprices?\b(?! ?range)", r"\bcosts?\b", r"\bhow much\b", r"\bfares?\b"),
    "duration": _any_of(r"\bduration\b", r"\b(?:travel|journey) ?times?\b", r"\bhow long\b"),
    "trainID": _any_of(r"\btrain ?(?:id|number|no)\b", r"\bid(?: number)?s?\b"),
    "leaveAt": _any_of(
        r"\bdeparture time",
        r"\b(?:what time|when|time)(?: \w+){0,4} (?:leaves?|departs?|leaving|"
        r"departing)\b",
        r"\bleaving time",
        r"\bleave time",
    ),
    "arriveBy": _any_of(
        r"\barrival times?\b",
        r"\b(?:what time|when|time)(?: \w+){0,5} (?:arrives?|arriving|get(?:s)?"
        r" (?:there|in))\b",
        r"\barrive time",
    ),
    "area": _any_of(
        r"\b(?:what|which) (?:area|part|side)",
        r"\barea\b",
        r"\bpart of (?:town|the city)\b",
        r"\bwhere (?:is|are|in)\b",
        r"\blocat(?:ion|ed)\b",
    ),
    "pricerange": _any_of(r"\bprice ?ranges?\b", r"\bhow (?:expensive|cheap)\b", r"\bpricing\b"),
    "food": _any_of(
        r"\b(?:type|kind|sort)s? of (?:food|cuisine)",
        r"\bwhat (?:food|cuisine)",
        r"\bfood types?\b",
        r"\bcuisine\b",
        r"\bwhat do they serve",
        r"\bthe food\b",
    ),
    "stars": _any_of(r"\bstars?(?: ratings?)?\b", r"\bratings?\b"),
    "internet": INTERNET,
    "parking": PARKING,
    "type": _any_of(
        r"\b(?:attraction|hotel|venue|accommodation)(?:'s)? types?\b",
        r"\b(?:what|which)? ?(?:type|kind|sort) of (?:attraction|hotel|place|"
        r"venue|accommodation|museum|is it|it)",
        r"\bis (?:it|this|that) a (?:hotel|guesthouse)",
        r"\bhotel or (?:a )?guesthouse",
        r"\bguesthouse or (?:a )?hotel",
        r"\b(?:the|its) types?\b(?! of (?:food|car|cuisine))",
        r"\bwhat type\b(?! of (?:food|car|cuisine))",
    ),
    "car type": _any_of(
        r"\bcar(?:'s)? (?:type|model|make)",
        r"\b(?:type|kind|sort|make|model|colou?r) of (?:the )?(?:car|vehicle|taxi)",
        r"\bwhat (?:car|kind of car)",
        r"\bvehicle\b",
        r"\b(?:the )?car type\b",
    ),
    "reference": _any_of(
        r"\b(?:reference|confirmation|booking|ref)(?: ?(?:number|no|code|#))\b", r"\breference\b"
    ),
    "name": _any_of(r"\b(?:the|its|their|what) names?\b(?! is\b)"),
    "department": _any_of(r"\bwhich departments?\b"),
}

TYPES = {
    "swimmingpool": r"swimming ?pools?",
    "concerthall": r"concert ?halls?",
    "nightclub": r"(?:night ?)?clubs?",
    "mutliple sports": r"mu[lt]+iple ?sports?|sports?",
    "theatre": r"theatres?",
    "museum": r"museums?|(?:art )?galler(?:y|ies)",
    "college": r"colleges?|universit(?:y|ies)",
    "architecture": r"architectur\w*|churche?s?",
    "boat": r"boats?|boating",
    "park": r"parks?(?! (?:my|the|a|our) )",
    "cinema": r"cinemas?|movies?|movie theatres?",
    "entertainment": r"entertainments?",
}
"""Types of attractions, in the spelling of MultiWOZ's goals, as people say them."""

FOODS = (
    "afghan", "african", "afternoon tea", "american", "asian oriental", "asian", "australasian",
        "australian", "austrian",
    "barbeque", "basque", "belgian", "bistro", "brazilian", "british", "canapes", "cantonese",
        "caribbean",
    "catalan", "chinese", "christmas", "corsica", "corsican", "creative", "crossover", "cuban",
        "danish", "eastern european",
    "english", "eritrean", "european", "french", "fusion", "gastropub", "german", "greek", "halal",
    "hungarian", "indian", "indonesian", "international", "irish", "italian", "jamaican",
        "japanese",
    "korean", "kosher", "latin american", "lebanese", "light bites", "malaysian",
        "mediterranean", "mexican",
    "middle eastern", "modern american", "modern eclectic", "modern european", "modern global",
        "molecular gastronomy",
    "moroccan", "new zealand", "north african", "north american", "north indian",
        "northern european", "panasian",
    "persian", "polish", "polynesian", "portuguese", "romanian", "russian", "scandinavian",
        "scottish",
    "seafood", "singaporean", "south african", "south indian", "spanish", "sri lankan",
        "steakhouse", "sushi",
    "swedish", "swiss", "thai", "the americas", "traditional american", "traditional", "turkish",
        "tuscan", "unusual", "vegan",
    "vegetarian", "venetian", "vietnamese", "welsh", "world",
)  # fmt: skip
"""Kinds of food that people ask for, whether or not a database has them."""
