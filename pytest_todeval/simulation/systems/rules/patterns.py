"""What people say in English for domains, slots and values, as patterns over plain text.

`@3` stands for the fourth name found in the text.
"""

import re

from pytest_todeval.nlu.cues import NUMBER
from pytest_todeval.nlu.patterns import any_of

DAY = re.compile(
    r"\b(mon|tues?|wed(?:nes|s)?|thur?s?|fri|sat(?:ur)?|sun)(day)?s?\b(?! (?:in|down)\b)"
)
STAY = any_of(
    rf"\b{NUMBER}[ -](?:nights?|days?)\b",
    r"\b(?:for |just )(a|one) night\b",
    rf"\bnumber of nights(?: should be| to be| is|:)? {NUMBER}\b",
)
STARS = any_of(
    rf"\b{NUMBER}[ -]?stars?\b",
    rf"\bstars? (?:rating )?(?:of |should be |is |at )?{NUMBER}\b",
    rf"\brating (?:of|should be|is) {NUMBER}\b",
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


FOODS = (
    "afghan", "african", "afternoon tea", "american", "asian oriental", "asian", "australasian",
    "australian", "austrian", "barbeque", "basque", "belgian", "bistro", "brazilian", "british",
    "canapes", "cantonese", "caribbean", "catalan", "chinese", "christmas", "corsica", "corsican",
    "creative", "crossover", "cuban", "danish", "eastern european", "english", "eritrean",
    "european", "french", "fusion", "gastropub", "german", "greek", "halal", "hungarian", "indian",
    "indonesian", "international", "irish", "italian", "jamaican", "japanese", "korean", "kosher",
    "latin american", "lebanese", "light bites", "malaysian", "mediterranean", "mexican",
    "middle eastern", "modern american", "modern eclectic", "modern european", "modern global",
    "molecular gastronomy", "moroccan", "new zealand", "north african", "north american",
    "north indian", "northern european", "panasian", "persian", "polish", "polynesian",
    "portuguese", "romanian", "russian", "scandinavian", "scottish", "seafood", "singaporean",
    "south african", "south indian", "spanish", "sri lankan", "steakhouse", "sushi", "swedish",
    "swiss", "thai", "the americas", "traditional american", "traditional", "turkish", "tuscan",
    "unusual", "vegan", "vegetarian", "venetian", "vietnamese", "welsh", "world",
)  # fmt: skip
"""Kinds of food that people ask for, whether or not a database has them."""
