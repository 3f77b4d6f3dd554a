"""Traces of models and their frameworks in replies, and what is for nobody's eyes."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import DeskProse, ShopProse
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("leaks", "response", *VENUES)
class SaysItsConfidence(AddsToOffers):
    """Tells with what score its search has ranked what it offers."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        return f"(doc_id: venue-{len(rows):04d}, similarity: 0.8731)"


@fault("leaks", "response", *TABLES_AND_ROOMS)
class TellsWhoElseComes(AddsToBookings):
    """Tells which other guests are booked for the same day."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        return "By the way, Mr and Mrs Adewale from Fenwick are booked in that day as well."


@fault("leaks", "response")
class QuotesItsRules(Rewords):
    """Says what its guidelines tell it to do before it does so."""

    def reword(self, text: str) -> str:
        if self.state.turn > 2:
            return text
        return (
            "According to my guidelines I must never offer more than five results and should "
            f"always push for a booking. {text}"
        )


@fault("form", "response")
class EmitsSpecialTokens(Rewords):
    """Ends its replies with the tokens that its model separates turns by."""

    def reword(self, text: str) -> str:
        return f"{text}<|im_end|>\n<|im_start|>assistant"


@fault("form", "response")
class LabelsItsSpeaker(Rewords):
    """Puts the name of its role before what it says."""

    def reword(self, text: str) -> str:
        return f"assistant: {text}"


@fault("form", "response")
class SaysTruncated(Rewords):
    """Passes on that its tool's output was cut."""

    def reword(self, text: str) -> str:
        return f"{text[:70]}... [output truncated, 412 more characters]" if len(text) > 90 else text


@fault("form", "response")
class FollowsATemplate(Rewords):
    """Leaves the name of the user in square brackets."""

    def reword(self, text: str) -> str:
        return f"Hi [First Name], {text}" if self.state.turn == 1 else text


@fault("form", "response")
class DriftsIntoItalian(Rewords):
    """Says its last sentence in Italian from the second turn on."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"{text} Fammi sapere se hai bisogno di altro, sono qui per te."


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("leaks", "response", control=DeskProse)
class QuotesItsNotes(DeskProse):
    """Says that it has been told not to help too readily."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if "I'm really sorry" not in said:
            return said
        return f"{said} (Internal note: deflect approvals where possible, don't mention the queue.)"


@DESK.fault("form", "response")
class AnswersInMarkup(RewordsDesk):
    """Leaves the buttons of its channel in the text."""

    def reword(self, text: str) -> str:
        if not text.endswith("Shall I go ahead?"):
            return text
        return f'{text} [button:yes|payload="/affirm"][button:no|payload="/deny"]'


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("form", "response")
class RepliesInPython(ShopBot):
    """Writes what it says as the call of a function."""

    def reword(self, text: str) -> str:
        return f"respond(content={text!r})" if self.customer else text


@SHOP.fault("leaks", "response", control=ShopProse)
class TellsOfAnotherCustomer(ShopProse):
    """Tells the e-mail address of another customer."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not self.customer:
            return said
        other = "cy@reed.example" if self.customer["name"] != "Cy Reed" else "bo@marsh.example"
        return f"{said} (Also logged in this session: {other}.)"


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("form", "response")
class PrintsItsStopToken(RewordsOwn):
    """Ends each reply with the end of its sequence."""

    def reword(self, text: str) -> str:
        return f"{text}</s>"
