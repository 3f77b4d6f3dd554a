"""Names that a bot takes back in the same breath: "I recommend X. Sorry, I meant Y."."""

import re

from pytest_todeval.core.dialogue_act import Act, DialogueAct

_CORRECTS = re.compile(
    r"\b(?:i (?:really )?mean(?:t)?(?! (?:it|that))|misread|misheard|should have (?:said|been)"
    "|typo|(?:scratch|strike) that|correction|my (?:mistake|bad|error)|that (?:is|was) (?:wrong"
    r"|a mistake|not right)|no ?,? (?:wait|sorry))\b"
)


class Corrections:
    """Follows one turn: after a word of correction, another name takes the place of the last."""

    def __init__(self) -> None:
        self._offered = ""
        """The name offered last."""
        self._corrects = False
        self._taken_back: set[str] = set()

    def read(self, clause: str) -> None:
        """Takes in a plain clause, before what it claims."""
        self._corrects = bool(self._offered) and (
            self._corrects or _CORRECTS.search(clause) is not None
        )

    def after(self, claim: DialogueAct) -> None:
        """Takes in a claim of the clause."""
        if claim.act is not Act.OFFER or not claim.holds or not claim.value:
            return
        if self._corrects and claim.value != self._offered:
            self._taken_back.add(self._offered)
            self._corrects = False
        self._taken_back.discard(claim.value)
        self._offered = claim.value

    def take_back(self, claim: DialogueAct) -> bool:
        """Says whether a claim puts forward a name that was taken back."""
        return claim.act is Act.OFFER and claim.value in self._taken_back
