"""What bots ask of the person rather than of the business: name, e-mail, payment, allergies, ..."""

import re
from functools import lru_cache

REMEMBERED = 512
"""Clauses that are remembered: bots ask much the same in every dialogue."""

_TOPICS: tuple[tuple[str, str], ...] = (
    ("first name", r"\b(?:first|given|fore ?)name|\bfirst name"),
    ("surname", r"\b(?:sur ?name|last ?name|family name)"),
    (
        "name",
        r"\b(?:your|lead|full|guest|contact|customer|passenger|booker"
        r"|cardholder)(?: s)?(?: full)? names?\b|\b(?:what|which|whose|a) name\b"
        r"|\bnames? (?:should|shall|for|on|to put|do i|can|may|will|the (?:booking|table"
        r"|reservation|room))\b|\bname (?:please|is required)\b|^name\b|\bwho (?:is|shall|should"
        r"|will) .{0,40}\b(?:book\w*|reserv\w*|for|under|speaking|down)\b|\bwho am i (?:speaking"
        r"|talking|chatting)\b|\bmay i ask who\b|\bhow (?:should|may|shall) i (?:address"
        r"|call) you\b|\bcall you\b|\band (?:a |the |your )?name\b|\bname(?:,| and) (?:a |an "
        "|the |your )?(?:phone|contact|telephone|mobile|e ?-?mail|address)",
    ),
    ("email", r"\be ?-?mails?\b|\bmail address\b"),
    (
        "phone",
        r"\b(?:your|contact|mobile|cell|telephone|daytime|phone|callback) (?:tele|contact "
        r"|mobile |cell |phone )?(?:phone )?(?:phone|number|mobile|cell)\b(?! of)"
        r"|\ba (?:tele)?phone\b|^phone\b|\bnumber (?:to (?:reach|call|text|contact)|(?:can|may"
        r"|should) (?:i|we) (?:reach|call|text))|\b(?:reach|call|contact|text) you\b|\b(?:name"
        "|mail|address)(?:,| and) (?:a |the |your )?(?:tele)?phone",
    ),
    (
        "address",
        r"\b(?:your|home|billing|postal|street|mailing|invoice"
        r"|an) (?:\w+ )?address\b(?<!mail address)"
        r"|\bwhere do you live\b|\bname,? (?:and )?(?:a |an |your )?address\b",
    ),
    ("postcode", r"\b(?:your|billing|home) (?:post ?-?code|postal code|zip)"),
    ("date of birth", r"\b(?:date of birth|birth ?-?(?:date|day)|dob|when were you born|born)\b"),
    ("card type", r"\b(?:(?:type|kind|brand) of (?:\w+ )?card|which (?:\w+ )?card|card type)\b"),
    (
        "payment",
        r"\b(?:(?:method|form|type|means|way)s? of payment|payment (?:method|option|type"
        r"|preference)|how (?:would|will|do|are|should|shall) you (?:\w+ ){0,4}pay\w*|to pay"
        "|paying|pay (?:now|by|with|in|on|at|later|up ?front|cash)|cash or|or cash|deposit"
        r"|prepay\w*|settle the bill)\b",
    ),
    (
        "terms",
        r"\b(?:accept|agree\w*|consent\w*|happy|okay?|aware|read|understand|understood|fine)\b"
        r".{0,60}\b(?:terms|conditions|privacy|policy|policies|data|gdpr|house rules|stor(?:e|ing)"
        r" your)\b|\b(?:terms|conditions|privacy|policy|policies|data|gdpr|house rules"
        r"|stor(?:e|ing) your)\b.{0,60}\b(?:accept|agree\w*|consent\w*|happy|okay?|aware|read"
        r"|understand|understood|fine)\b",
    ),
    (
        "newsletter",
        r"\b(?:news ?-?letters?|mailing list|marketing|promotion\w*|special offers?|subscri\w+"
        r"|sign (?:you )?up|text (?:alerts|updates)|notifications?|reminders?)\b",
    ),
    (
        "extras",
        r"\b(?:insurance|upgrad\w+|breakfast|half board|full board|extra (?:night|bed|service"
        r"|luggage|leg)\w*|add-?ons?|(?:another|additional|one more) night|late check ?-?out"
        r"|early check ?-?in|extend your|spa\b|champagne|bottle of|souvenir|gift|guided tour"
        r"|voucher|wine|travel pass|first class upgrade|parking permit|loyalty (?:program\w*"
        r"|scheme)|membership|become a member|add (?:a|an|some|the)|donat\w+)\b",
    ),
    (
        "loyalty number",
        r"\b(?:loyalty|member(?:ship)?|rewards?|frequent \w+|bonus|club) ?-?(?:card|number|id"
        r"|points?|no|account)\b|\b(?:rail|travel|discount|student|senior|oyster) ?-?cards?\b"
        r"|\b(?:promo\w*|discount|voucher|coupon) codes?\b|\bare you a (?:\w+ )?member\b"
        r"|\bdo you have an account\b",
    ),
    (
        "purpose",
        r"\b(?:purpose|reason) (?:of|for)\b|\bbusiness (?:or|and|trip)\b|\bor (?:for )?business\b"
        r"|\bon business\b|\bbrings you\b",
    ),
    ("occasion", r"\b(?:occasion|celebrat\w+|birthday|anniversary)\b"),
    (
        "heard of us",
        r"\bhow did you (?:\w+ )?(?:hear|find|learn|come)\b|\bhear (?:about|of) us\b",
    ),
    (
        "allergies",
        r"\b(?:allerg\w+|dietary|intoleran\w+|vegetarian|vegan|gluten|food restrictions?)\b",
    ),
    (
        "special requests",
        r"\b(?:special|particular|specific|additional|other|further|accessibility|access"
        r"|any) (?:\w+ )?(?:requests?|requirements?|needs?|wishes|instructions|notes?|comments?"
        r"|remarks?|accommodations)\b|\b(?:wheel ?-?chair|high ?-?chair|pets?|dog|cots?|crib"
        r"|luggage|suitcases?|bags|bicycles?|child seat)\b",
    ),
    ("nationality", r"\b(?:nationality|citizen\w*|country of residence|which country)\b"),
    ("title", r"\byour title\b|\bmr\b.{0,12}\bm(?:r?s|iss)\b"),
    ("company", r"\b(?:your|the|a) (?:company|employer|organi[sz]ation)\b|\bcompany name\b"),
    (
        "check-in time",
        r"\b(?:check ?-?in time|time .{0,30}\b(?:check(?:ing)? ?-?in|arriv\w+ at the hotel))\b",
    ),
    (
        "been before",
        r"\b(?:been|stayed|dined|visited|travell?ed|eaten|booked) .{0,20}\bbefore\b"
        r"|\bfirst time\b",
    ),
    ("rating", r"\b(?:rate (?:this|our|my|the|your)|survey|feedback|review)\b"),
    ("age", r"\b(?:over|above|at least) (?:18|21|eighteen|twenty)\b|\bof legal age\b|\bhow old\b"),
    ("presence", r"\bare you (?:still )?(?:there|with me|human|a robot|a bot|real)\b"),
)  # fmt: skip
_SECRETS = re.compile(
    r"\b(?:card(?:holder)? (?:number|details|no\b|info\w*|data)|(?:credit|debit) ?-?card\b"
    r"(?! or)(?=.{0,30}\b(?:number|details|hold|secure|guarantee|please|digits))|digits (?:of|on)"
    r"|number (?:on|of) (?:your|the) (?:\w+ )?card|cvv|cvc|security code|expir\w+ date|expiry"
    r"|pin\b|pin code|pass ?-?words?|pass ?-?code|bank details|(?:bank )?account number|sort code"
    r"|iban|social security|passport (?:number|no\b)|passport|id (?:card|number)"
    r"|driv\w+ licen[cs]e)\b"
)
_PATTERNS = tuple((topic, re.compile(pattern)) for topic, pattern in _TOPICS)
_ANY = re.compile("|".join(pattern for _, pattern in _TOPICS))
_NOT_YOURS = re.compile(
    r"\b(?:in mind|of the (?:restaurant|hotel|attraction|place|venue|train)|how much)\b"
)


@lru_cache(maxsize=REMEMBERED)
def personal_topics(text: str) -> tuple[str, ...]:
    """Returns the topics that a plain clause, known to ask, is about, in the order of its words."""
    if not _ANY.search(text):
        return ()
    found = {topic: match.start() for topic, p in _PATTERNS if (match := p.search(text))}
    if "first name" in found or "surname" in found:
        found.pop("name", None)
    if "card type" in found:
        found.pop("payment", None)
    if _NOT_YOURS.search(text):
        found.pop("name", None)
        found.pop("payment", None)
    return tuple(sorted(found, key=lambda topic: found[topic]))


@lru_cache(maxsize=REMEMBERED)
def secrets_in(text: str) -> bool:
    """Whether a plain clause is about what nobody gives away in a chat: card numbers, PINs, ..."""
    return _SECRETS.search(text) is not None
