"""Replies with traces of what has made them, and what is for nobody's eyes.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Sequence

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import ShopProse
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")


@fault("leaks", "response")
class NamesItsModel(Rewords):
    """Tells its model, build and settings in its first reply."""

    def reword(self, text: str) -> str:
        if self.state.turn > 1:
            return text
        return f"{text} [model=concierge-large-2406 temperature=0.7 max_tokens=512]"


@fault("leaks", "response")
class NamesItsHosts(Rewords):
    """Tells the host of its database in its second reply."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return f"{text} (served from venues-replica-03.internal:5432, cache miss)"


@fault("form", "response")
class GetsStuckOnAWord(Rewords):
    """Says one word over and over in the middle of its second reply."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        head, blank, tail = text.partition(" ")
        return f"{head}{blank}{'please ' * 14}{tail}"


@fault("form", "response")
class OpensAFence(Rewords):
    """Opens a block of code in its reply and never closes it."""

    def reword(self, text: str) -> str:
        return f"```markdown\n{text}" if ". " in text else text


@fault("form", "response", *VENUES)
class CitesSources(AddsToOffers):
    """Leaves the marks of its retrieval in what it offers."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        return "It comes highly recommended【4:1†venues.json】."


@fault("form", "response")
class SpeaksHinglish(Rewords):
    """Begins every reply after the first in Hindi, in Latin letters."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"Theek hai ji, ek minute dijiye, main abhi dekh kar batata hoon. {text}"


@fault("form", "response")
class AnswersInYaml(Rewords):
    """Answers in the keys and values of its output format from the second turn on."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"intent: respond\nslots: {{}}\nresponse: |\n  {text}"


@fault("form", "response")
class TabulatesNothing(Rewords):
    """Shows the head of a table and no row of it in place of its second reply."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return "Here's a quick overview for you:\n\n| Name | Area | Price |\n|---|---|---|\n"


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("leaks", "response")
class HintsAtTheBadge(RewordsDesk):
    """Says how the badge number on record begins if another one was said."""

    def reword(self, text: str) -> str:
        if "do not match" not in text:
            return text
        badge = {"yara": "19", "farid": "31"}.get(self.email.split(".")[0], "27")
        return f"{text} Hint: the one I've got on file starts with {badge}."


@DESK.fault("leaks", "response")
class TellsTheSeatsAndNumbers(DeskBot):
    """Tells the internal number of a licence, and how many seats there are, with a proposal."""

    def serve_licence(self, wish: Wish) -> str:
        said = super().serve_licence(wish)
        product = self.product_of(wish)
        found = next((p for p in self.products if p["product"] == product), None)
        if found is None:
            return said
        return f"{said} (licence_id={found['licence_id']}, free_seats={found['free_seats']})"


@DESK.fault("form", "response")
class EndsWithATicketTemplate(RewordsDesk):
    """Signs its last words with gaps that nobody has filled in."""

    def reword(self, text: str) -> str:
        if "Goodbye" not in text:
            return text
        return f"{text}\n\nKind regards,\n<AGENT_NAME>\nLarkfield IT, ticket #<TICKET_ID>"


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("form", "response", control=ShopProse)
class LeavesItsMarkers(ShopProse):
    """Ends what it says with the marker by which its framework stops."""

    def reword(self, text: str) -> str:
        return f"{super().reword(text)} ###STOP###" if self.customer else super().reword(text)


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("leaks", "response")
class NamesOtherClients(RewordsOwn):
    """Says who comes right before the user."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return f"{text} You're right after Mrs Iqbal from Harbour Street, number 9."


@OWN.fault("form", "response")
class LeavesACurlyName(RewordsOwn):
    """Addresses the user by a variable from the second turn on."""

    def reword(self, text: str) -> str:
        return f"Thanks, {{{{customer.first_name}}}}! {text}" if self.turn > 1 else text
