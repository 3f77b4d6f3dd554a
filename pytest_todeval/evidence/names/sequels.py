"""What goes on after a name, or leads up to it, and turns what is said of it: rules as data.

In the form of plain text (`text.plain`).
"""

import re

AFTER_ALL = re.compile(r"^(?:it )?turns out (?:that )?they could\b(?! not)")
"""Praises what the clause before found something against."""
ECHO = re.compile(r"[^?.!,;]{1,60}\?+")
"""A clause that gives back a name: "Rose House?"."""
TURNED_DOWN = re.compile(
    r"^(?:(?:hmm|ah)[ ,.:!-]*)*(?:no\b(?! need)|nah|not\b|closed|full|sold out|(?:way |far "
    r"|much |a bit |rather |a tad )?too \w+|(?:that|it|they|this|the place|that one|the name"
    r"|that name)(?: \w+)? (?:not|never|closed|shut|went|gone|no longer|full)\b)"
)
"""Right after a name that was given back, turns it down: "Rose House? Closed, sadly."."""
IT_IS = re.compile(r"(?:so )?(?:it|they)(?: (?:is|are|has))+ ")
GOES_ON = re.compile(r"^(?:so )?(?:it|they|(?:is|was) (?:that|this|it))\b")
"""Goes on about what the clause before has named."""
HUMS = re.compile(r"\W*ok\W*")
"""A clause that says nothing."""
EXCLAIMS = re.compile(r"^(?:oh ,? ?)?(?:what a pity)\b")
ALL_RIGHT = re.compile(r" (?:all right|ok)\b")
CANNOT = re.compile(r"^they do not do\b(?!.*\bthough\b)")
SAME_HOLDS = re.compile(r"\bso is(?: the)? $")
"""Before a name of which the same is said as of the one before."""
ELLIPSIS = re.compile(r" (?:is|has) not(?= ?(?:[.,;!]))")
"""After a name of which the contrary is said."""
OWN_WORDS = re.compile(
    r"\bi (?:had )*(?:said|thought|suggested|had|could have sworn)(?: that)?(?: the)? $"
)
"""Before a name that the bot repeats from its own words or thoughts."""
DISOWNED = re.compile(
    r"(?:please |but )*(?:(?:do |just )?(?:disregard|ignore|forget|scrap|scratch|strike)\b"
    r"|i was (?:\w+ )?(?:wrong|mistaken)|it (?:is|does) not(?= ?(?:[.,;!]))"
    r"|(?:i have checked|i checked|actually)(?: ,)? (?:and )?(?:it|they) (?:has|have|is|does"
    r"|do) (?:no|not|none)\b)"
)
"""Opens a clause that takes back what the bot said of a name."""
TRIED = re.compile(r"\b(?:tried|rang|asked)(?: the)? $")
"""Before the name of a place that was asked."""
TURNS = re.compile(r"[;!?]")
"""Where what is said of a name may turn round."""
PARENTHESIS = re.compile(r"^ ?,[^,]{1,60}, ")
AND_NOT = re.compile(r" and (?:do|does|can|will) not\b")
"""What is said next of the same subject, against it."""
SPEAKS_AGAINST = re.compile(
    r"(?:oh ,? )*(?:that|there) [^,.;!?]{0,30}?\b(?:no(?! (?:problem|trouble|worries))"
    r"|pulled down)\b"
)
"""Says something against a name given back: "They have nothing left", "That place has shut"."""
AGAINST_WISH = re.compile(r"\bbut you said\b")
LISTED_AS_NOT = re.compile(r"(?:^)(?:\w+ ){0,2}(?:not available|closed(?: \w+)?) ?[:=] ?(?:the )?$")
"""Before the names of a list of what is not to be had."""
