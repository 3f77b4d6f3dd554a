"""Shapes that no finished reply has: what a program, a log or a template left in it."""

import re
from collections.abc import Iterator

_BROKEN = {
    "markup": r"</?(?!br\b)[a-zA-Z][\w:-]{0,20}(?:\s[^<>\n]{0,80})?/?>"
    r"|&(?:amp|quot|lt|gt|nbsp|#\d{2,4});"
    r"|\\(?:text|frac|begin|boxed|n?\[)\{?|<\|\w{1,30}\|>|\[/?INST\]|```",
    "JSON": r"[{\[]\s{0,5}['\"][\w -]{1,40}['\"]\s{0,5}:",
    "a mark of its channel": r"\[[a-z ]{2,20}[:|=][^\]\n]{0,80}\]|!\[[^\]\n]{0,80}\]|<!--|-->"
    r"|\[\d{1,2}\](?!\()|\u3010[^\u3011\n]{0,40}\u3011|\[\d{1,2}:\d\d(?::\d\d)?\]|\x1b\["
    r"|[\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e\ufeff]|[\U0001d400-\U0001d7ff\uff01-\uff5e]"
    r"|\[[^\]\n]{0,20}\btruncated\b|\bRegenerate (?:response|answer|reply)\b"
    r"|\b(?:Copy|Share|Regenerate|Retry|Like|Dislike) ?[\u00b7\u2022|] ?(?:Copy|Share|Regenerate"
    r"|Retry|Like|Dislike)\b|(?:^|\n)\s{0,9}(?:Draft|Response|Reply|Answer|Candidate|Variant)"
    r" ?(?:\d|[A-C])\b ?(?:\([^)\n]{1,30}\))? ?:"
    r"|\bEOF\b|\[END\]|(?:^|\n)Bcc: ",
    "a stage direction": r"\((?:pauses?|smiles?|laughs?|sighs?|typing|thinking|nods?|winks?|checks?"
    r"|checking|searching|loading)\b[^)\n]{0,40}\)"
    r"|(?<![*\w])\*[a-z]{2,11}(?:s|ing) (?!\w{2,12}ed\*)[a-z ]{3,40}\*(?![*\w])",
    "a state": r"\[/?[a-z]{3,20}\](?!\()|\b[a-z]{3,20}-[a-z ]{3,20}\s?=\s?\w"
    r"|\b[a-z_]{2,20}=[^\s=;,]{1,40}[ ;,&]{1,3}[a-z_-]{2,20}=",
    "a detail of a machine": r"(?<![\w.])/(?:usr|var|home|etc|opt|tmp|app|srv|root)/\w|\b[A-Z]:\\\w"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?\b|\blocalhost\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|\b(?:sk|pk|api|key|token|bearer)[-_ ][\w-]{16,}",
    "an empty item of a list": r"(?:^|\n)[ \t]{0,9}(?:[-*\u2022]|\d{1,2}[.)])[ \t]{0,9}(?=\n|$)",
    "a traceback": r"Traceback \(most recent call|\bFile \"[^\"\n]{1,200}\", line \d"
    r"|\b[A-Z]\w{2,40}(?:Error|Exception)\b ?[:(]|\bNullPointer"
    r"|\bat [\w.$]{3,80}\(\w{1,60}\.\w{1,5}:\d+\)",
    "a placeholder": r"\{[%#]|[%#]\}|<%|%>"
    r"|\{\{?[a-z_][\w. -]{0,40}\}|\[[a-z]+_[a-z_]{1,40}\]|\$\{\w|%\([a-z]{1,20}\)s"
    r"|\[(?:First|Last|Full|Your|Insert|Enter|Customer|Company|Guest|Name)\b[^\]\n]{0,40}\]"
    r"|<(?!br>)[a-z_]{2,30}>"
    r"|\[(?:NAME|DATE|TIME|[A-Z]{2,20}(?:[_ ][A-Z]{2,20}){1,4})\]|\bundefined\b"
    r"|\b(?:is|at|for|to) (?:None|null|NaN)\b|\b(?:TODO|FIXME|Lorem ipsum)\b",
    "an error": r"\b(?:internal server error|bad gateway|service unavailable|connect(?:ion)? error"
    r"|connection (?:refused|reset|timed out)|upstream|segmentation fault|core dumped|errno"
    r"|stack ?trace|unhandled|http(?:/\d\.\d)? ?[45]\d\d|(?:error|status)(?: code)?:? ?[45]\d\d"
    r"|request timed out|out of memory|rate limit exceeded|null pointer)\b",
    "a line of a log": r"(?:^|\n)\s{0,9}\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)\]?\b[ :]",
    "a role of a transcript": r"(?i:^\s{0,9}(?:assistant|system|bot|agent|ai|answer|response|reply"
    r"|output|message|text|final answer|content)\s?:)|(?:^|\n)\s{0,9}(?:User|Human|Assistant"
    r"|System|Bot|Customer|Agent"
    r"|Thought|Action(?: Input)?|Observation)\s?:",
    "a call in code": r"\b[a-z_]{2,30}\((?:[a-z_]{1,20}=|['\"{\[])"
    r"|\b[a-z]{2,20}(?:_[a-z]{1,20}){1,4}\(|\b(?:SELECT|UPDATE|INSERT INTO|DELETE"
    r" FROM)\b[^.\n]{1,80}\b(?:FROM|SET|VALUES|WHERE)\b|<[\w. ]{1,60} object at 0x",
    "a wrong encoding": r"\u00e2\u20ac|\u00c3[\u00a0-\u00bf\u2018-\u2122]|\u00c2[\u00a0-\u00bf ]"
    r"|\ufffd|\\u[0-9a-f]{4}|\\n",
    "what was to be filled in": r"\bX{3,}\b|_{4,}|\.{5,}|\?{3,}|\bTBD\b|\bto be determined\b"
    r"|\bN/A\b",
    "shouting": r"!{4,}|(?:[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?\s?){5,}"
    r"|(?:\b[A-Z]{2,}\b[ ,!']{1,3}){6,}",
    "gibberish": r"\b(?:[a-z][A-Z]){2,}[a-z]?\b|\b[a-z]*[bcdfghjklmnpqrstvwxz]{7,}[a-z]*\b"
    r"|\b[a-zA-Z]{30,}\b|(\S)\1{9,}",
    "an internal name": r"(?<![\w@./:#-])[a-z]{2,20}(?:_[a-z]{1,20}){1,4}(?![\w@/]|\.\w)",
}
_ANY_CASE = ("an error",)
BROKEN = {
    kind: re.compile(pattern, re.I if kind in _ANY_CASE else 0) for kind, pattern in _BROKEN.items()
}
_SOME_BROKEN = re.compile(
    "|".join(
        f"(?i:{p})" if kind in _ANY_CASE else f"(?:{p})"
        for kind, p in _BROKEN.items()
        if "\\1" not in p
    )
    + r"|(\S)\1{9}"
)
"""Whether any of them is there, in one look."""


def broken(text: str, user: str) -> Iterator[tuple[str, str]]:
    """Such shapes in a text that the user's words do not have: the kind, and the first place."""
    for kind, pattern in BROKEN.items() if _SOME_BROKEN.search(text) else ():
        if (match := pattern.search(text)) and match[0] not in user:
            yield kind, match[0]
