"""The assertion that a test would make against each of some faulty bots."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots import mutants

__all__ = ["MUTANTS", "Check", "Mutant", "keeps_rules"]

Check = Callable[[Dialogue, RuleJudge], Any]
VENUES = ("restaurant", "hotel", "attraction")
NO_PRICES = Path(__file__).with_name("no_prices.yaml")


@dataclass(frozen=True)
class Mutant:
    """A faulty bot and the assertion made for its fault."""

    bot: type[RuleSystem]
    holds: Check
    domains: tuple[str, ...] = ()
    """Goals that have one of these domains can show the fault; all goals where empty."""

    @property
    def name(self) -> str:
        return self.bot.__name__


# The assertions, as a test would write them.


def booking(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return bool(dialogue.booking)


def inform(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return bool(dialogue.inform)


def success(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return bool(dialogue.success)


def answered(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return dialogue.fault is None


def cohesive(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return judge.turns(dialogue).conversation_cohesion >= 3


def consistent(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return judge.turns(dialogue).backend_consistency >= 3


def keeps_rules(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return judge.turns(dialogue).policy_compliance >= 4


def keeps_prices_to_itself(dialogue: Dialogue, judge: RuleJudge) -> bool:
    return bool(judge.rules(dialogue, NO_PRICES))


def keeps(rule: str) -> Check:
    """The rule of that id, of the shipped sets, is broken in no turn."""

    def holds(dialogue: Dialogue, judge: RuleJudge) -> bool:
        domains = [part.domain for part in dialogue.goal.domains]
        report = judge.rules(dialogue, domains)
        return not any(result.rule == rule for result in report.broken)

    return holds


MUTANTS = (
    Mutant(mutants.BooksTheDayAfter, booking, ("restaurant", "hotel")),
    Mutant(mutants.BooksForOneMore, booking, ("restaurant", "hotel", "train")),
    Mutant(mutants.BooksOneNight, booking, ("hotel",)),
    Mutant(mutants.BooksTwice, booking),
    Mutant(mutants.OnlyClaimsToBook, booking),
    Mutant(mutants.OnlyClaimsToBook, keeps("no-phantom-booking")),
    Mutant(mutants.HidesRefusals, keeps("no-phantom-booking"), ("restaurant", "hotel")),
    Mutant(mutants.BooksInSilence, keeps("tells-its-bookings")),
    Mutant(mutants.BooksBeforeItKnows, keeps_rules, ("restaurant", "hotel", "train")),
    Mutant(mutants.IgnoresTheArea, inform, VENUES),
    Mutant(mutants.IgnoresThePrice, cohesive, ("restaurant", "hotel")),
    Mutant(mutants.InventsVenues, keeps("no-invented-venue"), VENUES),
    Mutant(mutants.InventsVenues, consistent, VENUES),
    Mutant(mutants.DeniesWhatItFound, consistent),
    Mutant(mutants.TakesTheLastTrain, inform, ("train",)),
    Mutant(mutants.ReadsOutTheList, cohesive),
    Mutant(mutants.TellsAnotherPhone, success),
    Mutant(mutants.TellsAnotherPhone, keeps("true-values")),
    Mutant(mutants.TellsAnotherPostcode, success),
    Mutant(mutants.InventsReferences, keeps("true-reference")),
    Mutant(mutants.InventsReferences, consistent),
    Mutant(mutants.NeverAnswersRequests, success),
    Mutant(mutants.ForgetsADomain, success),
    Mutant(mutants.IgnoresCorrections, inform),
    Mutant(mutants.IgnoresCorrections, booking, ("restaurant", "hotel")),
    Mutant(mutants.Loops, cohesive),
    Mutant(mutants.Loops, booking),
    Mutant(mutants.FallsSilent, answered),
    Mutant(mutants.AnswersInOneWord, cohesive),
    Mutant(mutants.Crashes, answered),
    Mutant(mutants.HangsUp, booking),
    Mutant(mutants.LeaksPrices, keeps_prices_to_itself),
    Mutant(mutants.AsksForTheCard, keeps("no-personal-details")),
)
