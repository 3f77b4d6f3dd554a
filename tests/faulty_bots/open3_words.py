"""Right deeds told wrongly, in the prose of models: bullets, spans, clocks, references."""

import re
from collections.abc import Callable
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import DeskProse, ModelProse, twelve_hours
from tests.faulty_bots.reshaped import (
    DAY_AFTER,
    Rewords,
    RewordsDesk,
    later,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    RewordsOwn,
    TellsBookings,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("words", "response", "taxi")
class PicksUpTooLate(TellsBookings):
    """Takes the time of arrival for that at which the driver comes when it tells of the taxi."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        said = super().confirm_taxi(result)
        if "arriveBy" in result:
            return f"{said} Be ready outside at {result['arriveBy']}, that's when it picks you up."
        return f"{said} It'll have you at the door by {result['leaveAt']}."


@fault("words", "response", *BOOKED)
class TellsOnlyTheEnd(RuleSystem):
    """Tells the last four characters of the reference and nothing of the rest."""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        return f"…{super().reference_to_tell(state, result)[-4:]}"


@fault("words", "context", *BOOKED)
class RemindsOfAnotherDay(Rewords):
    """Reminds the user of a booking in the turn after it, with the day after the right one."""

    reminded: tuple[str, ...] = ()

    def reword(self, text: str) -> str:
        booked = [b for b in self.booked_now if "day" in b]
        due = [b for b in booked if b["reference"] not in self.reminded and
               b["reference"] not in text]  # fmt: skip
        self.reminded = tuple(b["reference"] for b in booked if b["reference"] not in text)
        if not due:
            return text
        return (
            f"{text} And don't forget, {wording.title(due[-1])} is on "
            f"{DAY_AFTER[due[-1]['day']].title()}."
        )


@fault("words", "response", "hotel")
class CallsARoomATable(TellsBookings):
    """Books a room, and tells of it as of a table in a restaurant."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain != "hotel":
            return super().confirm(state, result, reference)
        return (
            f"Your table at {wording.title(result)} is reserved for {result['day'].title()}, "
            f"party of {result['people']}. Enjoy your meal! Reference: {reference}."
        )


@fault("words", "response", *TABLES_AND_ROOMS)
class LeavesItPending(TellsBookings):
    """Books, and tells of it as of a request that is still waiting for an answer."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        return (
            f"I've put your request to {wording.title(result)}, and they'll let us know within "
            f"the hour whether they can take you. Your request number is {reference}."
        )


@fault("words", "response", *TABLES_AND_ROOMS, control=ModelProse)
class BlendsTheName(ModelProse):
    """Books the right place, and tells its name with the last word of another one's."""

    def confirmed(self, state: DomainState, result: dict[str, Any]) -> dict[str, Any]:
        if "name" not in result:
            return result
        own = result["name"].split()
        others = (row["name"].split()[-1] for row in self.backend.query(state.domain, {}))
        last = next(word for word in others if word != own[-1])
        return {**result, "name": " ".join([*own[:-1], last] if len(own) > 1 else [*own, last])}


@fault("words", "context", *TABLES_AND_ROOMS)
class UndoesItInWords(RuleSystem):
    """Says in the turn after a booking that it did not go through after all."""

    was_booked = False

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        booked = any(state.booked for state in self.state.domains.values())
        late, self.was_booked = self.was_booked, booked
        if not late:
            return reply
        return Reply(
            f"Quick heads-up: your earlier reservation hasn't gone through after all. {reply.text}",
            state=reply.state,
        )


@fault("words", "response", "taxi")
class DrivesToTheStation(TellsBookings):
    """Orders the right taxi, and says that it takes the user to the railway station."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        return (
            f"All sorted! A {result['type']} picks you up from "
            f"{str(result['departure']).title()} and drops you off at the railway station. "
            f"Driver's number: {self.phone_to_call(result)}."
        )


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("words", "response")
class SaysAnotherResolution(RewordsDesk):
    """Closes a ticket as the employee said, and tells another resolution."""

    def reword(self, text: str) -> str:
        other = {"solved": "a duplicate", "withdrawn": "solved", "duplicate": "withdrawn"}
        return re.sub(
            r"(T\d+) is closed as (\w+)", lambda m: f"{m[1]} is closed as {other[m[2]]}", text
        )


@DESK.fault("words", "response")
class TellsTheOldNumber(DeskBot):
    """Swaps a device, and tells the number of the old one as that of the new one."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        said = super().swap(device, ticket)
        return re.sub(r"(is) D\d+", rf"\1 {device['device_id']}", said)


@DESK.fault("words", "response", control=DeskProse)
class WritesThePasswordInCapitals(DeskProse):
    """Tells the temporary password in capitals, which is another password."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        return re.sub(r"password is `(\w+)`", lambda m: f"password is `{m[1].upper()}`", said)


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("words", "response")
class SaysDoneBeforeItIs(ShopBot):
    """Says of what it is to propose that it has been done, and asks whether that is all right."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        super().propose(what, act)
        done = {"cancel": "cancelled", "return": "returned", "send": "redirected"}
        verb, _, rest = what.partition(" ")
        return f"I've just {done[verb]} {rest}. Is that OK with you?"


@SHOP.fault("words", "response")
class SaysItFailed(ShopBot):
    """Does what was agreed, and says that it could not be done."""

    def settle(self, text: str) -> str:
        said = super().settle(text)
        if "nothing was changed" in said:
            return said
        return "Hmm, our system wouldn't let me do that. Nothing has been changed, I'm afraid."


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("words", "response")
class SaysTheOtherHalfOfTheDay(RewordsOwn):
    """Books the right time, and tells it by twelve hours with the other half of the day."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return re.sub(r"\b\d\d:\d\d\b", lambda m: twelve_hours(later(m[0], 720)), text)
