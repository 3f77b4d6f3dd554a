"""Held out: right bots kept from those who write rules. Only totals of it are told."""

import re
from dataclasses import replace

from benchmarks.hearing.own_domains import WORDINGS, Desk, OwnBot, Wording
from tests.faulty_bots.reshaped import RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import RewordsOwn, pounds_words
from tests.faulty_bots.voiced import spelt_out

__all__ = ["DESK", "OWN", "SHOP"]

OWN = Catalogue("own_domains", apart=True, wave=5)
PLAIN = WORDINGS["plain"]


class SaysItsOwnWay(OwnBot):
    """The bot of own domains in a wording of its own."""

    VOICE = PLAIN

    def __init__(self, desk: Desk, wording: Wording) -> None:
        super().__init__(desk, self.VOICE)

    def respond(self, text: str) -> str:
        return super().respond(text.replace("one more thing", "something more"))  # is no number


@OWN.variant
class OwnWritesEMails(RewordsOwn):
    """Answers as a clerk by e-mail."""

    def reword(self, text: str) -> str:
        text = text.replace("I have booked", "I am happy to let you know that I have booked")
        return f"Hello,\n\nThank you for your message. {text}\n\nYours,\nRobin, customer care"


@OWN.variant
class OwnDrawsTables(SaysItsOwnWay):
    """Draws offers and bookings as tables."""

    VOICE = replace(
        PLAIN,
        offer=("Here is what I found.\n\n| **{label}** | |\n| --- | --- |\n{facts}\n\n",),
        fact="| {slot} | {value} |",
        between="\n",
        booked=(
            "### Booked\n\n| **{label}** | |\n| --- | --- |\n{details}\n| reference | {ref} |\n\n",
        ),
        changed=(
            "### Changed\n\n| **{label}** | |\n| --- | --- |\n{details}\n| reference | {ref} |\n\n"
        ),
        detail="| {slot} | {value} |",
        detail_between="\n",
        refused=("### Not available\n\n{details}\n\nWhich other {others} would suit you?",),
        tell=("| {slot} | {value} |\n| --- | --- |\n\n", "{slot}: **{value}**.\n"),
        ask_to_book=("Would you like to book this?",),
        more=("Is there anything else?",),
    )


@OWN.variant
class OwnSpeaksSlang(SaysItsOwnWay):
    """Speaks as among friends, with typing mistakes."""

    VOICE = replace(
        PLAIN,
        ask=("aight, {question}", "k n {question}"),
        options="we got {options}.",
        offer=("yo check it, {label}. {facts}", "how bout {label}? {facts}"),
        fact="{slot}'s {value}.",
        ask_to_book=("wanna bag it?", "shud i book it?"),
        booked=(
            "yesss its urs: {label}, {details}. ur code's {ref}.",
            "all booked m8, {label}, {details}. code {ref}.",
        ),
        changed="swapd it: {label}, {details}. code {ref}.",
        refused=("awww man {label} is full up then ({details}). try anotha {others}?",),
        none=("nah theres no {noun} wit {wanted} sry. sumthin else?",),
        tell=("{slot}'s {value}.", "its {value}, the {slot}."),
        not_booked="havent booked it yet.",
        more=("anythin else?", "wot else?"),
        bye="cya!",
        detail="{slot} {value}",
    )


@OWN.variant
class OwnPrintsCards(SaysItsOwnWay):
    """One-line cards with bars."""

    VOICE = replace(
        PLAIN,
        offer=("{label} | {facts} |",),
        fact="{slot}: {value}",
        between=" | ",
        booked=("Booking confirmed | Ref {ref} | {label} | {details} |",),
        changed="Booking changed | Ref {ref} | {label} | {details} |",
        refused=("Booking declined | {label} | {details} | Other {others}?",),
        none=("No match | {noun} | {wanted} | Change something?",),
        tell=("{label} | {slot} | {value} |",),
        detail_between=" | ",
        ask_to_book=("Book? Yes | No",),
        more=("Anything else? Yes | No",),
    )


DESK = Catalogue("service_desk", apart=True, wave=5)


@DESK.variant
class DeskIsACallCentre(RewordsDesk):
    """Reads back and spells out, as by a script."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "Thank you for calling the service desk, how are you today? For security, may I take your "
         "e-mail address and your badge number, please?"),
        (r"^Thank you, (\w+)\.", r"That's perfect, \1, thanks for confirming those details."),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"Just so that we're on the same page, what I'd do for you now is \1. Are you happy for "
         r"me to do that?"),
        (r"I have opened ticket (\w+)\.", r"I've raised that for you, the ticket number is \1."),
        (r"I am sorry, ", "Unfortunately I have to let you know: "),
        (r"Is there anything else I can do for you\?",
         "Is there anything else I can assist you with on today's call?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        text = reworded(text, self.TEMPLATES)
        return re.sub(
            r"(Your temporary password is )(\w+)\.",
            lambda found: f"{found[0]} I'll spell that: {spelt_out(found[2]).lower()}.",
            text,
        )


@DESK.variant
class DeskWritesHeadings(RewordsDesk):
    """An assistant with headings, bold text and steps."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "## Let's verify you\n\nI need two things:\n\n* your **e-mail address**\n* your **badge "
         "number**"),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"## Next step\n\nI can **\1**.\n\n> Nothing happens until you confirm.\n\nShall I?"),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"## Password reset ✅\n\n1. Log in with `\1`\n2. Choose a new password"),
        (r"Done: your new (\w+) is (\w+), an? ([\w ]+)\.",
         r"## Swap complete ✅\n\n* **New \1:** \2\n* **Model:** \3"),
        (r"I have opened ticket (\w+)\.", r"## Ticket opened 🎫\n\n* **Number:** \1\n\n"),
        (r"Ticket (\w+) is closed as (\w+)\.",
         r"## Ticket closed\n\n* **Number:** \1\n* **Reason:** \2"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@DESK.variant
class DeskOffersNumberedOptions(RewordsDesk):
    """Ends each proposal with numbered options."""

    def reword(self, text: str) -> str:
        text = re.sub(
            r"I will (.+?)\. Shall I go ahead\?",
            r"I can \1. Your options:\n1. Yes, do it\n2. No, leave it as it is",
            text,
        )
        return text.replace(
            "Is there anything else I can do for you?",
            "What would you like to do next?\n1. Ask for something else\n2. Finish",
        )


SHOP = Catalogue("lamp_shop", apart=True, wave=5)


@SHOP.variant
class ShopWritesEMails(ShopBot):
    """Answers as by e-mail."""

    def reword(self, text: str) -> str:
        return f"Hi there,\n\n{text}\n\nWarm regards,\nThe Lamp Shop Team"


@SHOP.variant
class ShopReadsBackAndSpells(ShopBot):
    """Reads the number of an order back, digit by digit, with each proposal."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"I will (.+?)\. Shall I go ahead\?",
            lambda found: (
                f"Let me read that back to you: you'd like me to {found[1]}"
                f"{self.spelt(found[1])}. Is that correct, and may I proceed?"
            ),
            text,
        )

    def spelt(self, proposed: str) -> str:
        """The number in a proposal, spelled."""
        number = re.search(r"#(W\d+)", proposed)
        return f", that's {spelt_out(number[1])}" if number else ""


@SHOP.variant
class ShopReportsAmountsInWords(ShopBot):
    """Reports in the past, with amounts in words."""

    def reword(self, text: str) -> str:
        text = re.sub(
            r"([\d.]+) dollars",
            lambda found: f"{pounds_words(float(found[1]), 'dollars', 'cents')} (${found[1]})",
            text,
        )
        text = re.sub(
            r"Order (#W\d+) is cancelled\. The (.+?) go back",
            r"I went ahead and cancelled \1. I also had \2 sent back",
            text,
        )
        return re.sub(
            r"Order (#W\d+) now goes to ([\w ]+)\.",
            r"I went ahead and updated \1, so \2 is the new address.",
            text,
        )
