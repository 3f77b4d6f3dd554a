"""What an employee means: who they are, what they wish, and whether they say yes or no."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

MAX_TEXT = 4000
"""Characters of a turn that are listened to."""

DEVICE = r"(?:laptop|notebook|computer|monitor|screen|phone|mobile|headset|device)"
DEVICE_KINDS = {
    "laptop": r"\b(?:laptop|notebook|computer)\b",
    "monitor": r"\b(?:monitor|screen)\b",
    "phone": r"\b(?:phone|mobile)\b(?! call)",
    "headset": r"\bheadset\b",
}


class WishKind(StrEnum):
    """What a wish is about."""

    PERSON = "person"
    PASSWORD = "password"
    LOST = "lost"
    SWAP = "swap"
    LIST = "list"
    CLOSE = "close"
    LICENCE = "licence"
    TICKET = "ticket"


GAP = r"[^.!?]{0,80}?"
THING = rf"(?:\b{DEVICE}\b|\bD\d{{3}}\b)"
BROKEN = (
    r"\b(?:broken|broke|breaks|cracked|flickers?|flickering|dead|died|defective)\b"
    r"|\b(?:doesn'?t|does not|won'?t|stopped) (?:work|working|turn on|start|charge)\b"
)
PATTERNS = {
    WishKind.PERSON: r"\b(?:speak|talk|want|get|connect)\b"
    rf"{GAP}\b(?:real person|human|supervisor)\b"
    rf"|\b(?:speak|talk) (?:to|with)\b{GAP}\b(?:person|someone|somebody)\b|\breal person\b",
    WishKind.PASSWORD: r"\bpass(?:word|phrase)|\breset my login\b|\blocked\b|\bunlock"
    r"|\b(?:can'?t|cannot|can not|unable to) (?:log|sign) ?in\b|\bwon'?t let me in\b",
    WishKind.LOST: rf"\b(?:lost|stolen|stole|missing)\b{GAP}{THING}"
    rf"|\bI(?: have|'ve)? left (?:my |the )?{THING}"
    rf"|{THING}{GAP}\b(?:lost|stolen|missing|gone)\b",
    WishKind.SWAP: rf"\b(?:swap|replac\w+|exchange)\b|\b(?:new|newer|another|other) {DEVICE}\b"
    rf"|{THING}{GAP}(?:{BROKEN})",
    WishKind.LIST: rf"\b(?:which|what|list|show|any|how many)\b{GAP}\btickets\b",
    WishKind.CLOSE: rf"\b(?:close|withdraw|cancel)\b{GAP}(?:\bticket|\bT\d{{3}}\b)"
    rf"|\bT\d{{3}}\b{GAP}\b(?:close|closed|withdrawn|cancel)\b",
}
SOFTWARE = r"\b(?:licen[cs]e|seat|software|program|app|install)\b"
WANTS = r"\b(?:need|want|like|have|get|give|assign|use)\b"
SUBJECTS = {
    "network": r"\b(?:wi-?fi|wlan|network|internet|vpn)\b",
    "access": r"\b(?:access|permission|shared (?:drive|folder))\b",
    "software": r"\b(?:software|program|app|crash\w*|update)\b",
    "other": r"\bticket\b",
}
OTHERS = (
    r"\b(?:colleague|co-?worker|teammate|team mate|boss)\b"
    r"|\b(?:password|account) of\b"
    rf"|\b(?:his|her|their|someone else'?s) (?:password|account|licen[cs]e|ticket|{DEVICE})\b"
)
YES = (
    r"^\W*(?:yes|yeah|yep|sure|ok|okay|correct|absolutely|definitely|exactly|of course|right"
    r"|that'?s (?:right|fine|correct)|please do|please proceed|proceed|go ahead|do it|do so)\b(?!')"
)
NO = (
    r"^\W*(?:no|nope|don'?t|do not|stop|wait|please don'?t|please do not)\b"
    r"|\b(?:leave it|never ?mind|changed my mind|do not want|don'?t want)\b"
)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
BADGE = re.compile(r"(?<![\w.@-])\d{4}(?![\w@-])")


@dataclass(slots=True)
class Wish:
    """One thing the employee wants, and all they said about it."""

    kind: WishKind
    text: str
    devices: list[str] = field(init=False)
    """Numbers of the devices that are named."""
    tickets: list[str] = field(init=False)
    """Numbers of the tickets that are named."""

    def __post_init__(self) -> None:
        self.add("")

    def add(self, text: str) -> None:
        """Takes in what else is said about it."""
        self.text = f"{self.text} {text}".strip()
        self.devices = [number.upper() for number in re.findall(r"(?i)\bD\d{3}\b", self.text)]
        self.tickets = [number.upper() for number in re.findall(r"(?i)\bT\d{3}\b", self.text)]

    @property
    def device_kind(self) -> str | None:
        """Returns the kind of device that is named first."""
        found = {kind: _search(pattern, self.text) for kind, pattern in DEVICE_KINDS.items()}
        places = {kind: match.start() for kind, match in found.items() if match}
        return min(places, key=places.__getitem__) if places else None

    @property
    def for_another(self) -> bool:
        """Says whether it is a wish on somebody else's behalf, or for somebody else's things."""
        return bool(_search(OTHERS, self.text))

    @property
    def names_something(self) -> bool:
        """Says whether a device or a ticket is named by its number."""
        return bool(self.devices or self.tickets)

    @property
    def broken(self) -> bool:
        """Says whether something is said to be broken."""
        return bool(_search(BROKEN, self.text))

    @property
    def subject(self) -> str:
        """Returns the subject of the ticket wished for."""
        return next((s for s, pattern in SUBJECTS.items() if _search(pattern, self.text)), "other")

    @property
    def resolution(self) -> str:
        """Says why a ticket is to be closed."""
        if _search(
            r"\bno longer (?:need|want)|\bwithdraw|\bchanged my mind|\bdon'?t need", self.text
        ):
            return "withdrawn"
        return "duplicate" if _search(r"\bduplicate\b|\btwice\b", self.text) else "solved"


def wishes_in(text: str, products: tuple[str, ...]) -> list[Wish]:
    """Returns the wishes in a text, in the order in which they are raised, each kind once.

    A ticket is wished for if nothing else is: people ask for one on top of what they want.
    """
    found: dict[WishKind, int] = {}
    for kind, pattern in PATTERNS.items():
        if match := _search(pattern, text):
            found[kind] = match.start()
    if WishKind.LOST in found:
        found.pop(WishKind.SWAP, None)
    named = _product_in(text, products)
    if named or (not found and _search(SOFTWARE, text) and _search(WANTS, text)):
        found[WishKind.LICENCE] = text.lower().find(named.lower())
    if not found and any(_search(pattern, text) for pattern in SUBJECTS.values()):
        found[WishKind.TICKET] = 0
    return [Wish(kind, text) for kind in sorted(found, key=found.__getitem__)]


def may_name_a_product(text: str) -> bool:
    """Says whether it is worth asking which products there are."""
    return bool(_search(SOFTWARE, text) or _search(WANTS, text))


def email_in(text: str) -> str | None:
    """Returns the first e-mail address, lower-cased."""
    match = EMAIL.search(text)
    return match[0].lower() if match else None


def badge_in(text: str) -> str | None:
    """Returns the badge number: the last number of four digits that stands alone."""
    found = BADGE.findall(text)
    return found[-1] if found else None


def is_yes(text: str) -> bool:
    """Says whether it starts with a yes that nothing is taken back from."""
    return bool(_search(YES, text)) and not _search(r"\bbut (?:not|don'?t|first|wait)\b", text)


def is_no(text: str) -> bool:
    """Says whether it starts with a no, or takes the wish back."""
    return bool(_search(NO, text))


def is_bye(text: str) -> bool:
    """Says whether it is a goodbye."""
    return bool(_search(r"\b(?:good ?bye|bye|see you)\b", text))


def is_thanks(text: str) -> bool:
    """Says whether it is thanks or small talk that ends a matter."""
    return bool(
        _search(r"\b(?:thanks?|thank you|great|perfect|fine|all right|that is all)\b", text)
    )


def _product_in(text: str, products: tuple[str, ...]) -> str:
    lowered = text.lower()
    return next((product for product in products if product.lower() in lowered), "")


def _search(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE)
