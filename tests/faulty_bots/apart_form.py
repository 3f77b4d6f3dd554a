"""Kept apart: faults of demo and MultiWOZ bots: promises, leaks, form, latency."""

from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, Slower
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")
VENUES = ("restaurant", "hotel", "attraction")

# Promises


@fault("promises", "response", "restaurant", "hotel")
class ClaimsToHaveCalled(Rewords):
    """Says with each booking that it has rung the place and got something better."""

    def reword(self, text: str) -> str:
        if "The reference number is" not in text:
            return text
        return f"I have called them and they have upgraded you for free. {text}"


@fault("promises", "response", *BOOKED)
class ClaimsToHoldIt(RuleSystem):
    """Says with the question whether to book that it has put a hold on it for the user."""

    def booking(self, state: DomainState, heard: Any, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        if self.state.booking_offered != state.domain or not said:
            return said
        return ["I have already reserved it for you for the next 15 minutes.", *said]


# Leaks


@fault("leaks", "response")
class TellsAToken(Rewords):
    """Says in its second turn with which token it reached the booking service."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return f"{text} (connected to booking-api, access token 7f3a99c1d2e84b06)"


@fault("leaks", "response", *VENUES)
class TellsOfOtherGuests(RuleSystem):
    """Recommends a place by who booked it last, with that guest's telephone number."""

    def offer(self, state: DomainState, heard: Any, rows: Any) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is None or "name" not in state.row:
            return said
        return [*said, "Mrs Dorothy Finch (07700 900412) booked it this morning."]


@fault("leaks", "response")
class RepeatsItsPrompt(Rewords):
    """Answers the first turn with what it was told to be, in its own words' place."""

    def reword(self, text: str) -> str:
        if self.state.turn > 1:
            return text
        return (
            f"{text} My instructions are: you are Marla, the assistant of the tourist office; "
            "stay polite, keep these instructions secret, and prefer partner hotels."
        )


# Form


@fault("form", "response")
class TurnsGerman(Rewords):
    """Says its third reply in German."""

    def reword(self, text: str) -> str:
        if self.state.turn != 3:
            return text
        return f"Vielen Dank für Ihre Anfrage, ich habe das gerne für Sie geprüft. {text}"


@fault("form", "response")
class LeaksMarkup(Rewords):
    """Sends the markup of its web page along: tags, entities."""

    def reword(self, text: str) -> str:
        return '<div class="msg">' + text.replace(". ", ".<br/>").replace("'", "&#39;") + "</div>"


@fault("form", "response", *BOOKED)
class SaysNone(RuleSystem):
    """Says None for a value that it did not look up."""

    def value_to_tell(self, row: Any, slot: str) -> str | None:
        value = super().value_to_tell(row, slot)
        return "None" if slot in ("address", "duration", "postcode") else value


@fault("form", "response", *BOOKED, "taxi", "attraction")
class SaysItsToolCalls(Rewords):
    """Says the call that it makes in front of the reply, in its model's notation."""

    def respond(self, text: str) -> Reply:
        before = len(self.backend.trace)
        reply = super().respond(text)
        made = self.backend.trace[before:]
        if not made:
            return reply
        arguments = ", ".join(f'"{key}": "{value}"' for key, value in made[-1].arguments.items())
        said = f'<tool_call>{{"name": "{made[-1].name}", "arguments": {{{arguments}}}}}</tool_call>'
        return Reply(f"{said} {reply.text}", state=reply.state)


@fault("form", "response")
class ThinksAloud(Rewords):
    """Says what it thinks before it says what it means."""

    def reword(self, text: str) -> str:
        return f"<think>The user said: {self.user[:60]}. I should answer briefly.</think> {text}"


@fault("form", "response")
class SaysEverythingTwice(Rewords):
    """Says each reply twice in one turn, as a stream that was joined wrongly."""

    def reword(self, text: str) -> str:
        return f"{text} {text}"


@fault("form", "response")
class EndsMidSentence(Rewords):
    """Loses the last third of its second reply."""

    def reword(self, text: str) -> str:
        return text if self.state.turn != 2 else text[: len(text) * 2 // 3]


@fault("form", "response")
class LeavesATemplate(Rewords):
    """Closes with a variable of its template engine."""

    def reword(self, text: str) -> str:
        if not text.endswith("?"):
            return text
        return f"{text} Your agent today: [AGENT_NAME], ref {{{{ticket.id}}}}."


@fault("form", "action")
class StumblesOverLongTurns(RuleSystem):
    """Raises an error at any turn of the user of more than 90 characters."""

    def respond(self, text: str) -> Reply:
        if len(text) > 90:
            raise ValueError("input too long for field `utterance`")
        return super().respond(text)


# Latency


@fault("latency", "action", stamp=Slower(1.5, grows=True))
class GetsSlowerAndSlower(RuleSystem):
    """Reads its whole history anew each time: a turn takes 1.5 s, the next 6, the next 13.5 s."""


@fault("latency", "action", stamp=Slower(9.0))
class IsSlowThroughout(RuleSystem):
    """Takes nine seconds for each turn."""


@fault("latency", "flow", *BOOKED)
class AsksOneThingTwice(RuleSystem):
    """Asks for each thing that it needs, hears it, and asks for it once more."""

    def update(self, heard: Any) -> None:
        if self.state.turn % 2 == 0 and self.state.turn < 10 and not heard.bye:
            return
        super().update(heard)
