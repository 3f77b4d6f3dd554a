"""Shapes that no channel shows a user: what a program, a log or a template left in a reply.

Markup, tables, code fences, capitals, dashed lines and footnotes are manners, and none of these.
"""

import re
from collections.abc import Iterator

_SHOWN = (
    r"(?:a|abbr|b|big|blockquote|br|break|center|code|d[dlt]|del|div|em|emphasis|font|h[1-6r]|i"
    r"|img|ins|lang|li|mark|[ou]l|p|phoneme|pre|prosody|q|s|say-as|small|span|speak|strike|strong"
    r"|su[bp]|table|tbody|t[dhr]|thead|tt|u|voice|w|audio)\b"
)
"""Tags of HTML and SSML that a channel turns into type or speech."""
_BROKEN = {
    "JSON": r"[{\[]\s{0,5}['\"][\w -]{1,40}['\"]\s{0,5}:",
    "a traceback": r"Traceback \(most recent call|\bFile \"[^\"\n]{1,200}\", line \d"
    r"|\b[A-Z]\w{2,40}(?:Error|Exception)\b ?[:(]|\bNullPointer"
    r"|\bat [\w.$]{3,80}\(\w{1,60}\.\w{1,5}:\d+\)",
    "a placeholder": r"\{[%#]|[%#]\}|<%|%>"
    r"|\{\{?[a-z_][\w. -]{0,40}\}|\[[a-z]+_[a-z_]{1,40}\]|\$\{\w|%\([a-z]{1,20}\)s"
    r"|\[(?:First|Last|Full|Your|Insert|Enter|Customer|Company|Guest|Name)\b[^\]\n]{0,40}\]"
    r"|\[(?:NAME|DATE|TIME|[A-Z]{2,20}(?:[_ ][A-Z]{2,20}){1,4})\]|\bundefined\b"
    r"|\b(?:is|at|for|to) (?:None|null|NaN)\b|\b(?:TODO|FIXME|Lorem ipsum)\b",
    "a tag": rf"</?(?!{_SHOWN})[a-z][\w:-]{{0,20}}(?:\s[^<>\n]{{0,80}})?/?>|<!--|-->",
    "a token of a model": r"<\|\w{1,30}\|>|\[/?INST\]|\[END\]|\u3010\d[^\u3011\n]{0,40}\u3011"
    r"|\[[^\]\n]{0,20}\btruncated\b|(?:^|\n)(?:Draft|Candidate) \d\b[^\n:]{0,30}:"
    r"|\bRegenerate (?:response|answer|reply)\b",
    "a state": r"\b[a-z]{3,20}-[a-z ]{3,20}\s?=\s?\w"
    r"|\b[a-z_]{2,20}=[^\s=;,]{1,40}[ ;,&]{1,3}[a-z_-]{2,20}=",
    "a detail of a machine": r"(?<![\w.])/(?:usr|var|home|etc|opt|tmp|app|srv|root)/\w|\b[A-Z]:\\\w"
    r"|\blocalhost\b|[\x00-\x08\x0b-\x1f]"
    r"|\b(?:sk|pk|api|key|token|bearer)[-_ ](?=[\w-]{0,40}\d)[\w-]{16,}",
    "an error": r"(?i:\b(?:internal server error|bad gateway|connect(?:ion)? error"
    r"|connection (?:refused|reset|timed out)|segmentation fault|core dumped|errno"
    r"|stack ?trace|http(?:/\d\.\d)? ?[45]\d\d|(?:error|status)(?: code)?:? ?[45]\d\d"
    r"|request timed out|out of memory|rate limit exceeded|null pointer)\b)",
    "a line of a log": r"(?:^|\n)\s{0,9}\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)\]?\b[ :]",
    "a role of a transcript": r"(?:^|\n)\s{0,9}(?:User|Human|Assistant|assistant|System"
    r"|Thought|Action(?: Input)?|Observation)\s?:",
    "a call in code": r"\b[a-z_]{2,30}\((?:[a-z_]{1,20}=|['\"{\[])"
    r"|\b[a-z]{2,20}(?:_[a-z]{1,20}){1,4}\(|\b(?:SELECT|UPDATE|INSERT INTO|DELETE"
    r" FROM)\b[^.\n]{1,80}\b(?:FROM|SET|VALUES|WHERE)\b|<[\w. ]{1,60} object at 0x",
    "a wrong encoding": r"\u00e2\u20ac|\u00c3[\u00a0-\u00bf\u2018-\u2122]|\u00c2[\u00a0-\u00bf ]"
    r"|\ufffd|\\u[0-9a-f]{4}|\\n",
    "an internal name": r"(?<![\w@./:#-])[a-z]{2,20}(?:_[a-z]{1,20}){1,4}(?![\w@/]|\.\w)",
}
_FORMS = {kind: re.compile(pattern) for kind, pattern in _BROKEN.items()}
_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in _BROKEN.values()))
"""Whether any of them is there, in one look."""
_FENCE = "```"


def broken(text: str, user: str) -> Iterator[tuple[str, str]]:
    """Such shapes in a text that the user's words do not have: the kind, and the first place."""
    for kind, pattern in _FORMS.items() if _ANY.search(text) else ():
        if (match := pattern.search(text)) and match[0] not in user:
            yield kind, match[0]
    if text.count(_FENCE) % 2:
        yield "a code fence that is not closed", _FENCE
