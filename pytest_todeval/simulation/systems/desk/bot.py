"""The bot of the service desk: identifies, hears wishes, asks for a yes, acts, and tells."""

from collections.abc import Callable
from typing import Any

from pytest_todeval.backends.protocol import Backend, ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.simulation.systems.desk import hearing
from pytest_todeval.simulation.systems.desk.hearing import Wish, WishKind
from pytest_todeval.simulation.systems.desk.services import DeskServices, Proposal

ASK_WHO = "Please tell me your e-mail address and your badge number first."
ANYTHING_ELSE = "Is there anything else I can do for you?"
MAX_WISHES = 8
"""Wishes kept at a time."""


class DeskBot(DeskServices):
    """A rule-based bot over the tools of the service desk, to test against and to learn from.

    It works from free text, the policy and the tools; one object holds one dialogue. Decisions are
    methods (see `DeskRules`), to be overridden in a subclass.
    """

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend)
        self.email = self.badge = self.before = ""
        self.wishes: list[Wish] = []
        self.puzzled = 0

    def respond(self, text: str) -> Reply:
        """Answers one turn of the employee."""
        said = self.answer(text[: hearing.MAX_TEXT])
        return Reply(" ".join(said), done=self.done)

    def answer(self, text: str) -> list[str]:
        """Returns what to say, in sentences; the tools are called on the way."""
        if not self.employee:
            return self.meet(text)
        proposal = self.proposal
        said = self.settle(text)
        if self.done:
            return said
        heard = self.hear(text, about=proposal)
        said += self.serve()
        return said or self.close(text, heard)

    # Who is asking

    def meet(self, text: str) -> list[str]:
        """Finds out who is asking; then serve what they said so far."""
        self.before = f"{self.before} {text}"[-hearing.MAX_TEXT :]
        self.email = hearing.email_in(text) or self.email
        self.badge = hearing.badge_in(text) or self.badge
        if hearing.is_bye(text):
            return ["Goodbye."]
        if not (self.email and self.badge):
            return [ASK_WHO]
        return self.identify()

    def identify(self) -> list[str]:
        """Compares the badge number with the record."""
        try:
            employee = self.calls.employee(self.email)
        except ToolRefused:
            employee = {}
        if not employee or not self.is_identified(employee, self.badge):
            return [
                "The e-mail address and the badge number do not match, so I can't do anything yet.",
                "Please check both.",
            ]
        return self.welcome(employee)

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        """Serves an employee who is now known, if their account allows it."""
        if employee["account"] == "disabled":
            return ["I am sorry, this account is disabled, so there is nothing I can do for you."]
        self.employee = employee
        if employee["account"] == "suspended":
            return [self.hand_over("security", "Your account is suspended by the security team.")]
        self.hear(self.before)
        first_name = str(employee["name"]).split()[0]
        return [f"Thank you, {first_name}.", *(self.serve() or ["What can I do for you?"])]

    # What is wished

    def hear(self, text: str, about: Proposal | None = None) -> bool:
        """Takes in the wishes of a text, or more about one that was unclear; whether any was.

        What it says `about` a proposal ("yes, swap it") is no further wish.
        """
        if not self.products and hearing.may_name_a_product(text):
            self.products = tuple(self.calls.licences())
        wishes = hearing.wishes_in(text, tuple(p["product"] for p in self.products))
        if self.unclear:
            wishes = self.clearer(self.unclear, text, wishes)
        self.unclear = None
        if about:
            anew = hearing.is_no(text)  # "no, I mean D205"
            known = (about.kind, WishKind.TICKET)
            wishes = [w for w in wishes if w.kind not in known or (anew and w.names_something)]
        self.wishes = [*self.wishes, *wishes][:MAX_WISHES]
        return bool(wishes)

    def clearer(self, unclear: Wish, text: str, wishes: list[Wish]) -> list[Wish]:
        """Returns the unclear wish with what was added, unless it is dropped or said anew."""
        if hearing.is_no(text) or hearing.is_bye(text):
            return wishes
        if any(wish.kind == unclear.kind for wish in wishes):
            return wishes
        unclear.add(text)
        return [unclear, *(wish for wish in wishes if wish.kind != WishKind.TICKET)]

    def serve(self) -> list[str]:
        """Serves wishes in turn, until one needs an answer."""
        said = []
        while self.wishes and not (self.proposal or self.unclear or self.done):
            wish = self.wishes.pop(0)
            self.current = wish.kind
            try:
                said.append(self.against_another(wish) or self.serve_one(wish))
            except ToolRefused as refused:
                said.append(_sorry(refused))
        return said

    def settle(self, text: str) -> list[str]:
        """Carry out what was proposed, or drop it, or ask again."""
        proposal, self.proposal = self.proposal, None
        if proposal is None:
            return []
        if hearing.is_yes(text):
            return [_tried(proposal.carry_out)]
        if hearing.is_no(text):
            return ["All right, I have changed nothing."]
        if hearing.is_bye(text):
            return ["I have changed nothing. Goodbye."]
        return [self.propose(proposal.what, proposal.carry_out)]

    def close(self, text: str, heard: bool) -> list[str]:
        """The answer to what holds no wish; whom it does not understand twice, it hands over."""
        if hearing.is_bye(text):
            return ["You are welcome. Goodbye."]
        small_talk = hearing.is_yes(text) or hearing.is_no(text) or hearing.is_thanks(text)
        if heard or small_talk:
            self.puzzled = 0
            return [ANYTHING_ELSE]
        self.puzzled += 1
        if self.puzzled > 1:
            return [self.hand_over("asked", "I am sorry, I can't help you with that.")]
        return ["I did not understand that. I can help with passwords, devices, software, tickets."]


def _tried(carry_out: Callable[[], str]) -> str:
    try:
        return carry_out()
    except ToolRefused as refused:
        return _sorry(refused)


def _sorry(refused: ToolRefused) -> str:
    return f"I am sorry, that did not work: {str(refused).removeprefix('Error: ')}."
