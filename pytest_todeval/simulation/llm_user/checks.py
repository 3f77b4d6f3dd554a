"""What a draft of the user may not be: a fault of the simulator, which says nothing of the bot.

Each check gives what is wrong as the end of a sentence ("it ..."), or an empty string. No words of
the draft are in it: they may be a bot's, and the reason goes into the next request unfenced.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pytest_todeval.models.fence import CLOSE, OPEN
from pytest_todeval.simulation.llm_user.conversation import Conversation, plain
from pytest_todeval.simulation.llm_user.sides import wrong_side

LONG_ECHO = 25
"""Letters from which the same words as the bot's are an echo: "Goodbye!" answers "Goodbye!"."""
LONG_LINE = 40
"""Letters from which a line of the prompt within a message is a leak."""
LONG_SOLUTION = 6

_PLACEHOLDER = re.compile(
    r"\$?\{\{?[^\W\d][^{}\n]{0,60}\}\}?"
    r"|\[[^\W\d][^\[\]\n]{0,60}\](?!\()"
    r"|<[^\W\d][^<>\n@/]{0,60}>"
)
_ERROR = re.compile(
    r"\W{0,4}(?:traceback \(most recent call last\)|[\w.]{0,60}(?:error|exception)\s{0,3}[:(]"
    r"|(?:(?:http|api) )?(?:error|status)(?: code)?:? *[45]\d\d\b|http [45]\d\d\b"
    r"|\{?[\"']?error[\"']?\s{0,3}:"
    r"|rate limit (?:reached|exceeded)|internal server error|service unavailable)",
    re.IGNORECASE,
)
_ROLE_LINE = re.compile(
    r"^[ \t*_>#]{0,4}(?:system|assistant|agent|chatbot|bot|ai|user|customer|human)"
    r"[*_]{0,2}\s?[:\uff1a]",
    re.IGNORECASE | re.MULTILINE,
)
_ORDER = re.compile(
    r"\b(?:make sure (?:that )?you|you (?:also )?(?:want|need|wish|plan|would like|are \w+ing))"
    r"(?: \w+){3,5}(?!\w)"
)
"""What a goal tells its user, and no user tells a bot."""
_NOT_SPOKEN = re.compile(r"\s*(?:```|[\[{]\s*[\"'{\[])|\s*(?:\*[^*\n]+\*|\([^()\n]+\))\s*\Z")
"""JSON, code, and what an actor does."""
_INNER_LABEL = re.compile(
    r"^[ \t*_>#]{0,4}(?:thought|thinking|reasoning|(?:user )?response)s?[*_]{0,2}\s?[:\uff1a]"
    r"|</?(?:think(?:ing)?|thought|response)>",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What a draft is held against."""

    goal: str
    """As the user's model was told it."""
    instructions: tuple[str, ...]
    """The lines of its prompt, less what was filled in."""
    conversation: Conversation
    solutions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    """The names of the tools that the user may call."""

    def told(self, words: str) -> bool:
        """Whether goal or tools put it so: then it is the user's to say, whatever it looks like."""
        return any(words in text for text in (self.goal, *self.conversation.tools))


def wrong_with(text: str, known: Known) -> str:
    """What keeps the draft from being sent, the first thing found; empty if nothing does."""
    return next(filter(None, (check(text, known) for check in _CHECKS)), "")


def _empty(text: str, known: Known) -> str:
    said = any(unicodedata.category(each)[0] not in "PZC" for each in text)
    return "" if said else "says nothing"


def _form(text: str, known: Known) -> str:
    if _ERROR.match(text):
        return "is an error message"
    if _INNER_LABEL.search(text):
        return "lets a thought out"
    return "is JSON, code or a stage direction, not words" if _NOT_SPOKEN.match(text) else ""


def _placeholder(text: str, known: Known) -> str:
    found = (match.group() for match in _PLACEHOLDER.finditer(text))
    first = next((each for each in found if not known.told(each)), None)
    return "holds a placeholder in place of a value" if first else ""


def _role(text: str, known: Known) -> str:
    found = _ROLE_LINE.search(text)
    return "speaks in another role" if found and not known.told(found.group()) else ""


def _prompt(text: str, known: Known) -> str:
    if OPEN in text or CLOSE in text:
        return "holds a delimiter of the prompt"
    said = plain(text)
    if any(line in said for line in known.instructions):
        return "repeats its instructions"
    orders = (order.group() for order in _ORDER.finditer(plain(known.goal)))
    return "reads its goal aloud" if any(f"{order} " in f"{said} " for order in orders) else ""


def _side(text: str, known: Known) -> str:
    return wrong_side(text, known.told)


def _echo(text: str, known: Known) -> str:
    said = plain(text)
    for answer in map(plain, known.conversation.bot[-1:]):
        if len(answer) >= LONG_ECHO and (
            said == answer or (len(answer) > 0.7 * len(said) and answer in said)
        ):
            return "repeats the words of the chatbot"
    return ""


def _solution(text: str, known: Known) -> str:
    """Not named in the reason: it goes into the next request, and the user must not know it."""
    heard = (known.goal, *known.conversation.bot, *known.conversation.tools)
    for solution in map(plain, known.solutions):
        told = any(_holds(each, solution) for each in heard)
        if len(solution) >= LONG_SOLUTION and _holds(text, solution) and not told:
            return "suggests a remedy, where the user only tells what it observes"
    return ""


def _call(text: str, known: Known) -> str:
    names = "|".join(map(re.escape, known.tools))
    written = rf"""(?<!\w)(?:{names})\(|["']name["']\s?:\s?["'](?:{names})["']"""
    found = known.tools and re.search(written, text)
    return "has a call of a tool written out in place of making it" if found else ""


def _holds(text: str, words: str) -> bool:
    return f" {words} " in f" {plain(text)} "


_CHECKS: tuple[Callable[[str, Known], str], ...] = (
    *(_empty, _form, _placeholder, _role, _prompt, _echo, _side, _solution, _call),
)


def instructions_of(templates: Iterable[str]) -> tuple[str, ...]:
    """Returns the sentences of prompt templates that are long enough to be known again."""
    sentences = re.split(r"\n|(?<=[.!?\u061f\u06d4\u3002])\s", "\n".join(templates))
    own = (plain(sentence) for sentence in sentences if "{{" not in sentence)
    return tuple(line for line in own if len(line) >= LONG_LINE)
