"""Traces of channels, templates and decoders in replies."""

import re
from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("form", "response")
class DraftsTwoAnswers(Rewords):
    """Leaves it to the user to choose between two drafts of its second reply."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return f"Draft 1 (concise): {text}\n\nDraft 2 (warmer): Wonderful, thanks so much! {text}"


@fault("form", "response")
class SpeaksSsml(Rewords):
    """Writes what is meant for a voice."""

    def reword(self, text: str) -> str:
        return f'<speak><prosody rate="medium">{text}</prosody><break time="300ms"/></speak>'


@fault("form", "response")
class LeavesEscapes(Rewords):
    """Leaves escapes as they are, in every other turn."""

    def reword(self, text: str) -> str:
        if self.state.turn % 2:
            return text
        return text.replace(". ", ".\\n\\n").replace("'", "\\u2019")


@fault("form", "context")
class SlipsIntoPolish(Rewords):
    """Goes on in Polish at the end once the user has come to a second matter."""

    def reword(self, text: str) -> str:
        if len(self.state.domains) < 2:
            return text
        return f"{text} Proszę dać mi znać, jeśli będzie coś jeszcze potrzebne."


@fault("form", "response", *BOOKED)
class StopsBeforeTheReference(Rewords):
    """Breaks off right before the reference."""

    def reword(self, text: str) -> str:
        return re.sub(r"(The reference number is).*", r"\1", text, flags=re.DOTALL)


@fault("form", "response", *BOOKED)
class SaysUndefined(AddsToBookings):
    """Greets with what a script makes of values that it does not have."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "See you on undefined at NaN:NaN, [object Object]!"


@fault("form", "response")
class AsksToRegenerate(Rewords):
    """Takes the buttons of a chat window along."""

    def reword(self, text: str) -> str:
        return f"{text}\n\n👍 👎 ↻ Regenerate response · Copy · Share"


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("form", "response")
class WritesItsLog(RewordsDesk):
    """Writes a line of its log before what it says."""

    def reword(self, text: str) -> str:
        return f"2026-11-22 09:14:07,311 INFO desk.dialogue: turn handled in 0.21s\n{text}"


SHOP = Catalogue("lamp_shop", wave=4)


@SHOP.fault("form", "response")
class LeavesTemplateTags(ShopBot):
    """Leaves the tags of its templates in."""

    def reword(self, text: str) -> str:
        if not self.customer:
            return text
        return f"{{% if customer.vip %}}Thanks for being a VIP!{{% endif %}} {text}"


OWN = Catalogue("own_domains", wave=4)


@OWN.fault("form", "response")
class DriftsIntoDutch(RewordsOwn):
    """Closes in Dutch from the second turn on."""

    def reword(self, text: str) -> str:
        return f"{text} Laat het me gerust weten als u nog vragen heeft." if self.turn > 1 else text
