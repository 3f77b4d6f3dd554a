"""One turn of the bot, read for a step: what it says of the deed as it would say of a booking."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import CURRENT
from pytest_todeval.core.steps import VERBS, Effect, Records, Step
from pytest_todeval.facts.calls.reading import CallFact, CallOutcome
from pytest_todeval.facts.calls.results import Says, said_by
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.nlu.questions.requests import demands
from pytest_todeval.nlu.slots import words_in
from pytest_todeval.nlu.text.plain import clauses, plain
from pytest_todeval.nlu.tool_names import Purpose, purpose_of, words_of
from pytest_todeval.nlu.verbs import as_booking, speaks_of
from pytest_todeval.simulation.agenda.interpretation import Interpretation
from pytest_todeval.simulation.agenda.step_parts import take_up

OF_BOOKINGS = frozenset({Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK, Act.REFERENCE})
_OPEN_ENDED = frozenset({Ask.WELCOME, Ask.UNKNOWN})
CONTRARY = {
    "ask": ("cancel", "change", "return", "refund", "exchange", "block", "book", "order"),
    "cancel": ("change", "exchange"),
    "change": ("cancel",),
    "return": ("exchange", "cancel"),
    "refund": ("exchange",),
    "exchange": ("return", "refund", "cancel"),
    "block": ("cancel", "unblock"),
    "unblock": ("cancel", "block"),
}
"""Verb -> the deeds that a desk may offer in its place."""
_CARD = re.compile(r"\b(?:digits|ending|ends?|last (?:four|4)|card number)\b")
_CHANGED = re.compile(
    r"(?<!right )\b(?:now|new(?! york)|set to|has been|have been|instead)\b"
    r"(?!.*\b(?:if|would|could|can|shall|should|not|until|once|unless)\b)"
)
"""Stands beside the new value of what was changed: "it is now on Wednesday"."""
_WENT_THROUGH = re.compile(
    r"(?!.*\b(?:not|if|once|when|after|will|would|can|could|shall|unless|never|yet)\b)"
    r".*(?:\b(?:have|just)(?: now| just| already| successfully| gone ahead and)* (?:initiated"
    r"|set up|submitted|processed|started|arranged|requested|completed|approved|put through)"
    r" (?:a|the|your|this|that) (?:\w+ )?booking\b"
    r"|\bbooking\b.{0,80}\b(?:(?:went|gone|goes) through|(?:is|was|has been|have been)"
    r"(?: now| just| already)? (?:successful\w*|completed?|processed|accepted|submitted|approved"
    r"|initiated|requested|issued|received|arranged|set up|registered|on its way|under ?way))\b)"
)
"""Says of a deed by its noun that it is done: "the refund has been processed"."""
_REFUSAL = re.compile(
    r"\b(?:not possible|impossible|not (?:be )?(?:allowed|eligible|permitted|accepted|\w+able)"
    r"|only (?:possible|allowed|available|accept\w*)|too late|no longer (?:possible|be)"
    r"|(?:against|outside) (?:of )?(?:our|the) (?:policy|rules|window|period)"
    r"|policy (?:does|do) not|(?:do|does) not (?:allow|permit)|can not|could not|unable to"
    r"|not able to|expired|deadline|non-?\w+able)\b"
)
_LEAVE = re.compile(
    r"\b(?:(?:shall|should|may|can) (?:i|we)|(?:want|like|wish) (?:me|us) to"
    r"|you (?:would )?(?:like|want|wish) to)\b.*\bbook\b"
)
"""Asks leave for the deed, whatever else it names: "shall I refund it to your card?"."""
_PROCEED = re.compile(
    r"\b(?:confirm|let me know)\b[^.?!]{0,80}\b(?:proceed|go ahead|continue|finali[sz]e)\b"
)
"""Wants a yes, though it asks nothing: "Please confirm if you would like to proceed"."""
_CONSENT = re.compile(
    r"^(?:(?:so|and|but) )?(?:are you (?:really |quite |very |absolutely )?(?:sure|certain)"
    r"(?: about (?:it|this|that))?|ok(?:ay)?|all ?right|all good|really|good|fine|agreed"
    r"|sounds? (?:good|fine|right)|(?:still )?happy with (?:it|this|that)) ?\?$"
)
"""Wants a yes to what was said before: "Okay?"."""
_WHY = re.compile(r"\b(?:why|reasons?|what makes you|how come)\b")
_NUMBER = r"(?:ids?|numbers?|nos?|references?|codes?|refs?)"


def in_words_of_booking(turn: Turn, step: Step) -> Turn:
    """Returns the turn with what it says of the step's deed put in words of booking."""
    verb = step.means
    meant = as_booking(turn.meant, verb) if turn.meant else ""
    system, user = as_booking(turn.system, verb), as_booking(turn.user, verb)
    return replace(turn, system=system, user=user, meant=meant)


def deeds_in(calls: Sequence[CallFact], step: Step) -> tuple[CallFact, ...]:
    """Returns the calls, as if those that do what the step wants made a booking, and no others."""
    return tuple(_deed(fact, step) for fact in calls)


def _deed(fact: CallFact, step: Step) -> CallFact:
    call = fact.call
    named = speaks_of(" ".join(words_of(call.name)), step.means)
    if not named or purpose_of(call.name, {}) is Purpose.LOOKS:
        return replace(fact, what=CallOutcome.LOOKED_UP)
    refused = call.error is not None or said_by(call.result) is Says.REFUSED
    return replace(fact, what=CallOutcome.REFUSED if refused else CallOutcome.BOOKED)


@dataclass(eq=False)
class StepInterpretation(Interpretation):
    """Reads one turn for a step; its text is in words of booking."""

    facts: Sequence[str] = ()
    """What the goal tells of its user, by name."""
    given: Records = field(default_factory=dict)
    """The records that stood before."""

    def __post_init__(self) -> None:
        self.heard = [claim for claim in self.heard if self._concerns(claim)]
        super().__post_init__()
        self.asked = [q for q in self.asked if not self._own_in(q)]

    @property
    def step(self) -> Step:
        """Returns the step that it is read for."""
        assert self.part.step is not None
        return self.part.step

    def _concerns(self, claim: DialogueAct) -> bool:
        """Says whether what is said of a booking is said of this step, for sure."""
        if claim.act is Act.NO_OFFER:
            return self.step.verb == "ask"
        if claim.act not in OF_BOOKINGS:
            return True
        if self.step.verb == "ask":
            return False
        if claim.act is Act.REFERENCE and not self.part.references:
            return "reference" in self.step.asks
        if claim.doubt.startswith("only the turn's words as a whole"):
            return False
        return not self._elsewhere(claim.sentence or self.text)

    @property
    def _ids(self) -> list[str]:
        return [str(each["id"]) for each in self.given.get(self.step.kind, ()) if "id" in each]

    def _meant(self, question: UserQuestion) -> UserQuestion:
        if question.ask is Ask.SECRET:
            topic = next((name for name in self.facts if _named(name, question.sentence)), "")
            return replace(question, ask=Ask.FACT, topic=topic) if topic else question
        if question.ask is Ask.FACT and _LEAVE.search(question.sentence):
            return replace(question, ask=Ask.GO_AHEAD, topic="")
        why = question.ask is Ask.UNKNOWN and _WHY.search(question.sentence) is not None
        if question.ask is Ask.UNKNOWN and self._wants_consent(question.sentence):
            return replace(question, ask=Ask.GO_AHEAD)
        if why or (question.topic == "purpose" and question.ask is Ask.FACT):
            return replace(question, ask=Ask.FACT, topic="reason")
        return super()._meant(question)

    def _wants_consent(self, sentence: str) -> bool:
        """Whether it asks for a yes to the step, which it neither refuses nor takes for another."""
        refuses = Act.BOOKING_FAILED in self.acts or _REFUSAL.search(plain(self.text))
        return bool(_CONSENT.match(sentence)) and not refuses and not self._elsewhere(self.text)

    def _elsewhere(self, text: str) -> bool:
        """Says whether a text names other records of the kind, and not the step's own."""
        own = self.step.target.get("id", "")
        others = [each for each in self._ids if each != own]
        return any(_stands(each, text) for each in others) and not _stands(own, text)

    def _own_in(self, question: UserQuestion) -> bool:
        """Says whether what seems a secret, or a fact about the user, is a slot of the step."""
        if question.ask is Ask.FACT:
            slots = self.part.slots.keys() - {"id"}
            return any(_named(slot, question.sentence) for slot in slots)
        secret = question.ask is Ask.SECRET
        return secret and any(self._asks_for(slot, question.sentence) for slot in self.part.slots)

    def requested(self) -> list[str]:
        """The slots asked for, by whatever the desk calls them: the order number is its `id`."""
        own = [slot for slot in self.part.slots if any(self._asked_of(slot))]
        rest = [slot for slot in super().requested() if slot not in ("name", "reference")]
        if own:
            rest = [slot for slot in rest if slot in self.part.slots]
        return list(dict.fromkeys((*own, *rest)))

    def _asked_of(self, slot: str) -> Iterator[bool]:
        for clause in clauses(plain(self.text)):
            if clause.asks or demands(clause.text):
                yield self._asks_for(slot, clause.text)

    def _asks_for(self, slot: str, sentence: str) -> bool:
        kind = re.escape((words_in(self.step.kind) or ("one",))[-1])
        picks = slot.removeprefix(CURRENT) in self.step.target or slot == "choice"
        which = (
            rf"\bwhich (?:ones?|do|would|should|shall|(?:\w+ )?{kind}s?|of (?:them|these|your))\b"
        )
        if picks and re.search(which, sentence):
            return True
        if slot == "id":
            owner = rf"{kind}|orders?|bookings?|notes?|reference|confirmation|ticket|record"
            number = rf"\b(?:{owner}) ?{_NUMBER}\b|\b(?:the|its) {_NUMBER}\b"
            return re.search(number, sentence) is not None
        digits = {"last4", "digits", "last", "card", "ending"} & {*words_in(slot)}
        return bool(digits) and _CARD.search(sentence) is not None

    def meets(self, slot: str, wanted: str, got: object) -> bool:
        """Says whether a value is as the user wants it, or is the record's own."""
        if super().meets(slot, wanted, got):
            return True
        if self.part.booked:
            return False
        records = self.given.get(self.step.kind, ())
        known = [str(each[slot]) for each in records if slot in each]
        known += [self.part.slots.get(f"{CURRENT}{slot}", "")]
        return any(super(StepInterpretation, self).meets(slot, each, got) for each in known if each)

    def wrong_in_text(self, told: Mapping[str, str]) -> dict[str, str]:
        """Which slots the bot said wrongly; while nothing is done it may speak of what stands."""
        changes = self.step.means.effect is Effect.CHANGES and not self.says_booked()
        checked = {s: v for s, v in told.items() if s not in self.step.to} if changes else told
        return super().wrong_in_text(checked)

    def says_booked(self) -> bool | None:
        """Whether it is done: in words for that, or since what was to change is said to be so."""
        told = super().says_booked()
        said = [clause.text for clause in clauses(plain(self.text)) if not clause.asks]
        if told is None and (self._says_changed(said) or any(map(_WENT_THROUGH.match, said))):
            return True
        return told

    def _says_changed(self, said: Sequence[str]) -> bool:
        wanted = self.step.to
        changes = self.step.means.effect is Effect.CHANGES and wanted
        if not changes or self.acts & OF_BOOKINGS:
            return False
        if any(self.part.told.get(slot) != value for slot, value in wanted.items()):
            return False
        return any(
            _CHANGED.search(text) and all(says_value(text, s, v) for s, v in wanted.items())
            for text in said
        )

    def note_bookings(self) -> None:
        if self.part.first_wish and self._may_change_mind():
            wanted, self.part.first_wish = self.part.first_wish, None
            self.answer.changed, self.answer.unforced = dict(take_up(self.part, wanted)), True
            return
        super().note_bookings()

    def _may_change_mind(self) -> bool:
        return self.says_booked() is not None or self._is_refused() or self.seen.made is not None

    def _is_refused(self) -> bool:
        if super()._is_refused():
            return True
        if self.part.options and self.turns_down(self.step.to or self.step.target):
            return True
        waits = self.requested() or any(q.ask not in _OPEN_ENDED for q in self.asked)
        said = (clause.text for clause in clauses(plain(self.text)) if not clause.asks)
        return not waits and any(map(_REFUSAL.search, said))

    def _failed_booking(self) -> None:
        part = self.part
        if part.booked or not part.options:
            super()._failed_booking()
            return
        verb, other = self.step.verb, part.options.pop(0)
        changed = take_up(part, other)
        if other.verb == verb:
            self.answer.changed = dict(changed)
        else:
            part.opened = part.book_raised = False

    def _agreements(self, asks: Set[Ask]) -> None:
        super()._agreements(asks)
        answer = self.answer
        if _PROCEED.search(plain(self.text)) and self.part.needs_booking:
            answer.offers_booking, answer.confirms = True, False
        if self.step.verb == "ask" and answer.offers_booking:
            answer.offers_booking, answer.confirms = False, True
        if (answer.offers_booking or answer.confirms) and self._offers_other():
            answer.offers_booking = answer.confirms = False
            answer.other_deed = True

    def _offers_other(self) -> bool:
        """Says whether what it asks leave for is another deed, and not this one."""
        said = [c.text for c in clauses(plain(self.text)) if c.asks]
        other = [VERBS[name] for name in CONTRARY.get(self.step.verb, ())]
        asks = self.step.verb == "ask"
        ours = not asks and any(speaks_of(text, VERBS["book"]) for text in said)
        return not ours and any(speaks_of(text, verb) for text in said for verb in other)


def _stands(value: str, text: str) -> bool:
    return bool(value) and says_value(text, "id", value)


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    words = words_in(name) or (name.lower(),)
    return re.compile(rf"(?<!\w){'[ _-]?'.join(map(re.escape, words))}s?(?!\w)")


def _named(name: str, sentence: str) -> bool:
    return _pattern(name).search(sentence) is not None
