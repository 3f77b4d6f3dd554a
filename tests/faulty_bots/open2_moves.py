"""Wrong moves in a dialogue: asks again, answers past the question, refuses, ends, loops."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import later, neighbour
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToOffers, RewordsOwn
from tests.hearing.own_domains import Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")


@fault("understanding", "context", *VENUES)
class AsksWhatItWasTold(RuleSystem):
    """Asks once in each domain for something that the user has just said, in place of an offer."""

    ASKS = (
        ("food", "And what kind of food are you after?"),
        ("area", "And in which area should I be looking?"),
        ("pricerange", "And what's your budget: cheap, moderate or expensive?"),
        ("type", "And what sort of place should it be?"),
    )

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self.asked_back: set[str] = set()

    def find(self, state: DomainState, heard: Understood) -> list[str]:
        question = next((said for slot, said in self.ASKS if slot in state.wanted), "")
        if question and state.domain not in self.asked_back:
            self.asked_back.add(state.domain)
            return [question]
        return super().find(state, heard)


@fault("service", "intent", *VENUES)
class AnswersPastTheQuestion(RuleSystem):
    """Tells something else of the venue than what it is asked for."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        other = "postcode" if request.slot in ("address", "phone") else "address"
        row = self.row_to_tell_from(state)
        if "name" not in row or request.slot in ("reference", other):
            return f"{wording.title(row)} is a lovely place, people keep coming back."
        return wording.tell(other, str(row.get(other)), wording.title(row))


@fault("denials", "flow", *VENUES, "train")
class AnswersTheFirstOnly(RuleSystem):
    """Answers the first of several questions and says that it has no more than that."""

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().answer_requests(state, heard)
        return [said[0], "That's all I've got on them, I'm afraid."] if len(said) > 1 else said


@fault("service", "flow")
class ChangesTheSubject(RuleSystem):
    """Advertises something else in its second turn in place of what it has to say."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        if self.state.turn != 2:
            return reply
        return Reply("Before we go on: have you heard of our newsletter? Members love it!")


@fault("order", "flow", "restaurant", "hotel")
class GoesAheadWithAnotherDate(RuleSystem):
    """If a booking is refused, makes another one that nobody has asked for, and says so."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) > before or state.domain not in ("restaurant", "hotel"):
            return said
        other = {"people": str(int(state.booking["people"]))}
        if state.domain == "restaurant":
            other["time"] = later(state.booking["time"], 60)
        else:
            other["stay"] = str(int(state.booking["stay"]) % 3 + 1)
        state.booking.update(other)
        taken = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        return ["That one was gone, so I took the liberty of changing it for you.", *taken]


@fault("service", "flow")
class ClosesTheChat(RuleSystem):
    """Takes the conversation for over from its third turn on and serves nobody any more."""

    def respond(self, text: str) -> Reply:
        if self.state.turn >= 2:
            self.state.turn += 1
            return Reply("This conversation has been closed. Please start a new one.")
        return super().respond(text)


@fault("service", "response", *VENUES)
class PleadsPrivacy(RuleSystem):
    """Refuses to tell phone numbers and addresses, for reasons of privacy."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        if request.slot in ("phone", "address"):
            return f"For privacy reasons I'm unable to share the {wording.words(request.slot)}."
        return super().answer_request(state, request)


@fault("order", "flow", *BOOKED)
class PestersAboutABooking(RuleSystem):
    """Asks in every turn whether to book, though the user has said no."""

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        if said or not state.declined_booking:
            return said
        return ["Are you sure you don't want me to reserve it? It really is worth it."]


@fault("understanding", "flow", *VENUES)
class ChangesItsMind(RuleSystem):
    """Offers another venue whenever it is asked something, and answers from that one."""

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().answer_requests(state, heard)
        if not said or state.row is None or state.domain not in VENUES:
            return said
        kept = state.row
        rows = self.backend.query(state.domain, {"area": str(kept.get("area"))})
        state.row = next((row for row in rows if row["name"] != kept["name"]), kept)
        lead = f"On second thoughts, {wording.title(state.row)} would suit you better."
        return [lead, *super().answer_requests(state, heard)]


@fault("service", "flow")
class InterrogatesFirst(RuleSystem):
    """Asks twice what exactly is wanted, whatever was said, before it listens."""

    QUESTIONS = (
        "I want to be sure I get this right. What exactly do you need?",
        "Could you be more specific about what you have in mind?",
    )
    kept, asked_back = "", 0

    def respond(self, text: str) -> Reply:
        self.kept = f"{self.kept} {text}".strip()
        if self.asked_back < len(self.QUESTIONS):
            self.asked_back += 1
            return Reply(self.QUESTIONS[self.asked_back - 1])
        heard, self.kept = self.kept, ""
        return super().respond(heard)


@fault("understanding", "response", *VENUES)
class SumsTheWishUpWrongly(AddsToOffers):
    """Sums up what the user wants with a value that was never said, then offers the right thing."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        slot = next((s for s in ("food", "area", "pricerange", "type") if s in state.wanted), "")
        if not slot or state.domain not in VENUES:
            return ""
        other = neighbour(self, state.domain, {slot: state.wanted[slot]}, slot)
        return f"You asked for {other}, so I think that's a perfect match."


@fault("service", "context", *BOOKED)
class BlanksOnItsReference(RuleSystem):
    """Tells no reference with a booking but promises it for later, and never knows it then."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        return ["That's reserved for you. I'll give you the reference in a moment."]

    def tell_reference(self, state: DomainState) -> str:
        return "I'm still waiting for the reference to come through."


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("order", "flow")
class ChecksTwiceWhoAsks(DeskBot):
    """Asks for e-mail address and badge once more right after it was given both."""

    asked_back = False

    def meet(self, text: str) -> list[str]:
        said = super().meet(text)
        if self.employee and not self.asked_back and not self.done:
            self.asked_back, self.employee = True, {}
            self.wishes, self.proposal, self.unclear = [], None, None
            return ["Thanks. Could you confirm your e-mail address and badge number once more?"]
        return said


@DESK.fault("service", "flow")
class HangsUpBeforeTheYes(DeskBot):
    """Says what it will do and ends the dialogue before the employee can say yes."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        return Reply(reply.text, done=reply.done or self.proposal is not None)


@DESK.fault("denials", "flow")
class CannotInThisChat(DeskBot):
    """Says of passwords, devices and licences that it has no access to the system for them."""

    def serve_one(self, wish: Wish) -> str:
        if wish.kind in ("password", "swap", "licence"):
            return "I don't have access to the system for that. Please try the intranet."
        return super().serve_one(wish)


@DESK.fault("order", "intent")
class TakesAnythingForAYes(DeskBot):
    """Carries out what it has proposed in the same turn, as the wish sounded urgent to it."""

    def propose(self, what: str, carry_out: Callable[[], str]) -> str:
        try:
            done = carry_out()
        except ToolRefused as refused:
            return str(refused)
        return f"Since this sounded urgent, I didn't wait for your okay to {what}. {done}"


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("service", "flow")
class NeverSureEnough(ShopBot):
    """Asks again and again whether the customer is sure, and never acts."""

    def settle(self, text: str) -> str:
        if not text.startswith("Yes"):
            return super().settle(text)
        return "Are you absolutely certain? Once it's done it's done."


@SHOP.fault("order", "action")
class PassesEverybodyOn(ShopBot):
    """Transfers every customer that it has found to a person, without a cause."""

    def serve(self) -> str:
        self.call("transfer_to_person", reason="customer has a question about an order")
        return "Let me get a colleague on the line who can look into this."


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("service", "flow")
class WalksAway(RewordsOwn):
    """Says goodbye in its second turn and nothing of what it has to say."""

    def reword(self, text: str) -> str:
        return "It was a pleasure. Take care!" if self.turn == 2 else text


@OWN.fault("understanding", "context")
class AsksForWhatItHas(RewordsOwn):
    """Asks with each booking for a detail that the user has given, as if it lacked it."""

    def reword(self, text: str) -> str:
        talk = self.current
        if talk is None or "reference number is" not in text or not talk.details:
            return text
        return f"{text} Oh, and {self.asked_for(talk)}"

    def asked_for(self, talk: Talk) -> str:
        """The question for a detail that is known."""
        question = talk.domain.questions[next(iter(talk.details))]
        return re.sub(r"^\w", lambda found: found[0].lower(), question)
