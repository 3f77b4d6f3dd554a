"""What a user's model wrote, taken apart: thought, tracked state, and the message for the bot."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_todeval.models.reading.objects import find_object
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.simulation.llm_user.endings import find_ending
from pytest_todeval.simulation.llm_user.strategy import Form

LONGEST = 8000
"""Characters of an answer; a longer one is no turn of a user."""

_LABEL = re.compile(
    r"^[ \t>*_#-]{0,6}(?:"
    r"(?P<thought>thoughts?|thinking|reasoning|reflection)"
    r"|(?P<state>(?:(?:updated|goal|user)[ -]){0,2}(?:state|tracker)(?:[ -]tracker)?)"
    r"|(?P<response>(?:(?:my|user(?:'s)?|final|new)[ -]){0,2}(?:response|reply|utterance|message))"
    r")[ \t*_]{0,4}[:\uff1a][ \t*_]{0,4}",
    re.MULTILINE | re.IGNORECASE,
)
_USER = re.compile(
    r"^[ \t>*_#-]{0,6}user[ \t*_]{0,4}[:\uff1a][ \t*_]{0,4}", re.MULTILINE | re.IGNORECASE
)
_TAG = re.compile(r"<(?P<close>/?)(?P<name>thought|state|response)>", re.IGNORECASE)
_THINK = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_OPEN_THINK = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_ROLE = re.compile(
    r"\A[*_\s]{0,4}(?:user|customer|human|client|utilisateur|kullan\u0131c\u0131"
    r"|\u0627\u0644\u0645\u0633\u062a\u062e\u062f\u0645)"
    r"[*_\s]{0,4}[:\uff1a][*_\s]{0,4}",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("\u201c", "\u201d"), ("\u00ab", "\u00bb"))


@dataclass(frozen=True, slots=True)
class Draft:
    """One answer of a user's model."""

    text: str
    """The message for the bot, perhaps with the token that ends the dialogue."""
    thought: str = ""
    """Never sent."""
    state: Mapping[str, object] | None = None
    """The tracked goal as the model gave it; None if it gave none that can be read."""
    state_fault: str = ""
    """Why there is none."""


def read_draft(written: str, form: Form) -> Draft:
    """Takes apart what a user's model wrote. Raises Unreadable if no message can be told.

    A thought is taken off in every form, asked for or not, since models that reason write one.
    """
    if len(written) > LONGEST:
        raise Unreadable(f"is {len(written)} characters long, more than {LONGEST}")
    # Half of a surrogate pair, as a broken JSON escape leaves it, can go into no request.
    sound = written.encode("utf-8", "ignore").decode("utf-8")
    # One kind of line break: a label behind another one stands at the start of a line, too.
    text = _without_reasoning("\n".join(sound.splitlines())).strip()
    if form is Form.SAID:
        return _said_draft(text)
    parts = _parts(text) if form is not Form.PLAIN or _labels_first(text) else {}
    if "response" not in parts:
        parts = _labelled_user(text, parts) or _without_label(text, parts, form)
    draft = Draft(_bare(parts["response"]), parts.get("thought", "").strip())
    return draft if form is not Form.STATE else _with_state(draft, parts.get("state"))


def _said_draft(text: str) -> Draft:
    """What stands behind `User:`, to the end of its line; all before it is the model's own."""
    label = _USER.search(text)
    if label is None:
        parts = _parts(text)
        if "response" in parts:
            before, _, _ = text.partition(parts["response"] or text)
            return Draft(_bare(_first_line(parts["response"])), before.strip())
        ending = find_ending(text)
        if parts and ending is None:
            raise Unreadable("has no line that begins with `User:`, so its message cannot be told")
        return Draft(ending.token if parts and ending else _bare(_first_line(text)))
    return Draft(_bare(_first_line(text[label.end() :])), text[: label.start()].strip())


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _labelled_user(text: str, parts: Mapping[str, str]) -> dict[str, str]:
    """Returns the parts if the message is labelled `User:` behind a thought; none if it is not."""
    label = _USER.search(text)
    if label is None or "thought" not in parts:
        return {}
    before, rest = text[: label.start()], text[label.end() :]
    following = _LABEL.search(rest)
    return {**_parts(before), "response": rest[: following.start()] if following else rest}


def _without_reasoning(text: str) -> str:
    """Returns what follows the model's own reasoning block, if it printed one."""
    closed = list(_THINK.finditer(text))
    rest = text[closed[-1].end() :] if closed else text
    if _OPEN_THINK.search(rest):
        raise Unreadable("opens a block of reasoning and never closes it")
    return rest


def _parts(text: str) -> dict[str, str]:
    """Returns the parts by name, the first of each name, as labels or tags divide the text."""
    parts: dict[str, str] = {}
    for name, part in (*_tagged(text), *_labelled(text)):
        parts.setdefault(name, part)
    return parts


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels), len(text)][1:]
    for label, end in zip(labels, ends, strict=True):
        yield str(label.lastgroup), text[label.end() : end]


def _tagged(text: str) -> Iterator[tuple[str, str]]:
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if opened is not None and tag["close"] and tag["name"].lower() == opened["name"].lower():
            yield tag["name"].lower(), text[opened.end() : tag.start()]
        opened = None if tag["close"] else tag


def _without_label(text: str, parts: Mapping[str, str], form: Form) -> dict[str, str]:
    """The parts of a text that does not label its message. Raises Unreadable: no guess is made."""
    if form is Form.PLAIN and not parts and not text.startswith(("{", "```")):
        return {"response": text}
    if "thought" in parts and (rest := _after_tags(text)):
        return {**parts, "response": rest}
    found = _object(text)
    if isinstance(found.get("response"), str):
        return {name: v if isinstance(v, str) else repr(v) for name, v in found.items()}
    if form is Form.PLAIN and not parts:
        return {"response": text}
    ending = None if parts else find_ending(text)
    if ending is not None:
        return {"response": ending.token}  # words beside it could be the thought
    raise Unreadable("has no line that begins with `Response:`, so its message cannot be told")


def _after_tags(text: str) -> str:
    """Returns what follows the last tag, if that closes something."""
    last = next(reversed(list(_TAG.finditer(text))), None)
    return text[last.end() :].strip() if last is not None and last["close"] else ""


def _labels_first(text: str) -> bool:
    """Whether a text that was to be a message alone begins with a label: "state" is none there."""
    label = _LABEL.match(text) or _TAG.match(text)
    return label is not None and not label.group().lower().startswith("state")


def _object(text: str) -> Mapping[str, object]:
    try:
        return {name.lower(): value for name, value in find_object(text).items()}
    except Unreadable:
        return {}


def _with_state(draft: Draft, written: str | None) -> Draft:
    if written is None:
        return Draft(draft.text, draft.thought, None, "gave no state")
    try:
        return Draft(draft.text, draft.thought, find_object(written))
    except Unreadable as error:
        return Draft(draft.text, draft.thought, None, f"gave a state that cannot be read: {error}")


def _bare(text: str) -> str:
    """Returns the message without the label of its speaker and without quotes around all of it."""
    text = _ROLE.sub("", text.strip(), count=1).strip()
    for left, right in _QUOTES:
        inner = text[len(left) : -len(right)]
        if text.startswith(left) and text.endswith(right) and not set(inner) & {left, right}:
            return inner.strip()
    return text
