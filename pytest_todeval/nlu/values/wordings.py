"""Words for price ranges, areas and types of venues: canonical forms, and how people say them.

`..._TOLD` are patterns of how bots tell a value, the others of how users wish for one.
"""

import re

from pytest_todeval.nlu.patterns import any_of

PRICE_WORDS = {
    word: price
    for price, words in {
        "cheap": "cheap cheaper cheaply cheapest inexpensive budget low affordable",
        "moderate": "moderate moderately moderatly mid medium middle average reasonable reasonably",
        "expensive": "expensive pricey pricy upscale upmarket high fancy costly luxury",
    }.items()
    for word in words.split()
}
"""Word -> price range."""
PRICES = {
    "cheap": any_of(
        r"\bcheap(?:er|est|ly)?\b",
        r"\binexpensive\b",
        r"\bbudget\b",
        r"\blow(?:er)?[ -](?:cost|priced?|budget)\b",
        r"\baffordable\b",
    ),
    "moderate": any_of(
        r"\bmoderat\w*\b",
        r"\bmid(?:dle)?[ -]?(?:range|priced?)\b",
        r"\breasonabl[ey](?:[ -]priced?)?\b",
        r"\bmedium\b",
    ),
    "expensive": any_of(
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
PRICES_TOLD = (
    r"\b(cheap(?:er|est|ly)?|inexpensive|moderate(?:ly)?|moderatly|expensive|pricey|upscale"
    "|upmarket|budget[ -]friendly|mid[ -]priced|mid(?:dle)?[ -](?:price )?range|high end"
    r"|reasonably priced|affordable)(?: ?-? ?priced?)?(?: range)?\b"
)

AREAS = any_of(
    r"\b(north|south|east|west)(?:ern|side)?(?! (?:american|indian|african|asian|"
    r"london|european))\b",
    r"\b(centre|central|downtown|middle) ?(?:of town|of the city|area|part)?",
)
AREAS_TOLD = (
    r"(?<!info )\b((?:city|town) ?cent(?:re|er)|cent(?:re|er)(?: of (?:town|the city|cambridge))?"
    "|central(?:ly)?|downtown|(?:north|south|east|west)(?:ern)?(?: ?(?:side|end|part|area))?(?= "
    "|[.,!?)]|$))(?! (?:avenue|of england|road|street))"
)

TYPE_WORDS = {
    wording: kind
    for kind, wordings in {
        "guesthouse": ("guest house", "bed and breakfast", "b&b"),
        "nightclub": ("night club", "club"),
        "swimmingpool": ("swimming pool", "pool"),
        "concerthall": ("concert hall",),
        "mutliple sports": ("multiple sport", "multi sport", "multi-sport", "multisport", "sport"),
        "architecture": ("architectural", "architecture site", "architectural site"),
        "theatre": ("theater",),
        "cinema": ("movie theater", "movie theatre"),
        "church": ("churche",),
        "boat": ("boating",),
    }.items()
    for wording in (*wordings, kind)
}
"""Wordings, without plural s, of the databases' types (spelled as they spell them)."""
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
