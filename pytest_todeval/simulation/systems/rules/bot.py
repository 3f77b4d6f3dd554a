"""The reference bot: understands, keeps a state, decides, and speaks, all by rules."""

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon
from pytest_todeval.simulation.systems.rules.policy import BotPolicy
from pytest_todeval.simulation.systems.rules.state import DialogueState
from pytest_todeval.simulation.systems.rules.understanding import Understood, understand


class RuleSystem(BotPolicy):
    """A complete task-oriented bot over a MultiWOZ backend, to test against and to learn from.

    One object holds one dialogue. Its vocabulary is that of the backend's database, so it serves
    any database of that format. The backend traces its tool calls; the reply carries the belief
    state. Each decision is one method (see `BotPolicy`), to be overridden in a subclass. Raises
    UsageError over a backend without such a database.
    """

    def __init__(self, backend: MultiwozBackend) -> None:
        if not hasattr(backend, "database"):
            raise UsageError(
                f"RuleSystem plays over a database of venues (multiwoz, demo, a goal file with "
                f"one); got {type(backend).__name__}. See docs/systems.md for what plays where"
            )
        self.backend = backend
        self.lexicon = BotLexicon.of(backend.database)
        self.state = DialogueState()
        self.count = 0
        self.booking_was_offered = None

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        self.state.turn += 1
        heard = self.understand(text)
        self.update(heard)
        return Reply(self.reply(heard), state=self.state.belief())

    def understand(self, text: str) -> Understood:
        """Returns what the user means."""
        return understand(text, self.lexicon, self.state.context())

    def update(self, heard: Understood) -> None:
        """Takes what was said into the state."""
        for said in heard.informs:
            value = self.state.resolve(said)
            if value is not None:
                self.state.of(said.domain).set(said.slot, value)

    def reply(self, heard: Understood) -> str:
        """Serves every domain that the user spoke of, and say what came of it."""
        domains = self.domains_to_serve(heard)
        self.booking_was_offered = self.state.booking_offered
        self.state.booking_offered = None
        self.state.asked = []
        if (heard.bye or heard.thanks) and not (heard.informs or heard.requests or heard.books):
            return self.close(heard)
        said = []
        for domain in domains:
            said += self.serve(domain, heard)
            self.state.current = domain
        return " ".join([*said, *self.after(heard, said)])

    def close(self, heard: Understood) -> str:
        """Returns the answer to thanks and goodbye."""
        return wording.goodbye() if heard.bye else wording.closing(self.state.turn)

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        """Returns the end of the reply: an offer of more help, or that nothing was understood."""
        if said:
            return [] if said[-1].endswith("?") else [wording.closing(self.state.turn)]
        if heard.yes or heard.no or heard.no_booking:
            return [wording.closing(self.state.turn)]
        return [wording.not_understood(self.state.turn)]
