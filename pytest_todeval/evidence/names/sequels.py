"""What goes on after a name, or leads up to it, and turns what is said of it: rules as data.

In the form of plain text (`text.plain`).
"""

import re

AFTER_ALL = re.compile(
    r"^(?:it )?turns out (?:that )?(?:they|it|i|we) (?:could|can|do|does|is|are|have"
    r"|has)\b(?! not)|^(?:but|though|although|yet|still|however) ,? ?(?:it|they|that|the \w+"
    r"|open|available|well)\b(?!.*\b(?:not|no|never)\b)"
    r".*\b(?:worth|recommend\w*|excellent|superb|great|lovely|fantastic|popular|gem|loved?"
    r"|brilliant|open|available"
    r"|delicious|amazing|best)\b"
)
"""Praises what the clause before found something against."""
BARE_NOT = re.compile(r"(?:^|[,;:.!-] ?|\bsorry )not(?: the)? $")
"""Before a name that is put right: "Sorry, not X, I meant Y"."""
ECHO = re.compile(r"[^?.!,;]{1,60}\?+")
"""A clause that gives back a name: "Rose House?"."""
TURNED_DOWN = re.compile(
    r"^(?:(?:well|oh|hmm|ah|ooh|sorry|i am (?:so )?(?:sorry|afraid)|afraid|unfortunately|sadly|alas"
    r"|regrettably)[ ,.:!-]*)*(?:no\b(?! (?:problem|worries|trouble|need|booking|reservation"
    r"|deposit|fee|charge|queue|wait|doubt))|nope|nah|not\b|never\b|none"
    r"|nothing|closed|shut|gone|full|fully|sold out|(?:way |far |much |a bit |rather "
    r"|a tad )?too \w+"
    r"|(?:way |well |far |just )?(?:outside|over|above|beyond|out of)\b|(?:that|it|they|this"
    r"|the place"
    r"|that one|the name|that name)(?: \w+)? (?:not|never|closed|shut|went|gone|no longer|full)\b"
    r"|(?:it|they|that)(?: (?:has|have|had))? (?:moved|left|closed|shut|burn\w+|went)\b"
    r"|(?:i|we) (?:have |had )?(?:not|never|do not|can not|could not)\b)"
    r"|^[^,.!?]{0,40}\b(?:sadly|unfortunately|i am afraid|sorry)\W*$"
)
"""Right after a name that was given back, turns it down: "Rose House? Closed, sadly."."""
IT_IS = re.compile(
    r"(?:and |so )?(?:it|they|that|this)(?: (?:is|are|was|has|have|been|now|currently|sadly|all"
    r"|just))+ "
)
GOES_ON = re.compile(
    r"^(?:and |so )?(?:it|they|that|this|which|the (?:place|venue)|(?:is|was) (?:that|this|it))\b"
)
"""Goes on about what the clause before has named."""
HUMS = re.compile(
    r"\W*(?:hmm+|um+|uh|oh|ah|well|sorry|sadly|alas|let me see|one moment|wait|right|ok|okay)\W*"
)
"""A clause that says nothing."""
LAST_TIME = re.compile(
    r"\b(?:last (?:year|time|week|month|night|summer|winter|spring|autumn|\w+day)|yesterday"
    r"|previously"
    r"|years? ago)\b"
)
EXCLAIMS = re.compile(
    r"^(?:oh ,? ?)?(?:what a (?:shame|pity|nuisance)|how (?:sad|annoying|unfortunate))\b"
)
ALL_RIGHT = re.compile(r" (?:all right|alright|ok|okay|fine|good|suitable|acceptable|something)\b")
CANNOT = re.compile(
    r"^(?:it|they) (?:do|does|can|will) not (?:do|treat|handle|cover|touch)\b(?!.*\bthough\b)"
)
MEANT = re.compile(
    r"^(?:(?:but|no|sorry|rather) ,? ?)?(?:i meant|i mean|i should|but|it is|make that)"
)
"""Puts right the name before."""
SAME_HOLDS = re.compile(
    r"\b(?:so|neither|nor) (?:is|are|was|were|has|have|does|do|did|can|could|will|would)(?: the)? $"
)
"""Before a name of which the same is said as of the one before."""
ELLIPSIS = re.compile(
    r" (?:is|are|was|has|have|does|do|did|can|could|will|would) not(?= ?(?:[.,;!]|$))"
)
"""After a name of which the contrary is said."""
OWN_WORDS = re.compile(
    r"\b(?:i|we) (?:had |have |just |also |earlier |mistakenly |wrongly )*(?:said|told you|thought"
    r"|wrote|suggested|recommended|mentioned|listed|offered|had|believed|assumed|could have sworn)"
    r"(?: that)?(?: the)? $"
)
"""Before a name that the bot repeats from its own words or thoughts."""
DISOWNED = re.compile(
    r"(?:please |but |and |so )*(?:(?:do |just )?(?:disregard|ignore|forget|scrap|scratch|strike)\b"
    r"|(?:i|we) (?:was|were|am|are) (?:\w+ )?(?:wrong|mistaken)|that (?:was|is) (?:\w+ )?(?:wrong"
    r"|a mistake|an error|not (?:right|true|so|correct))|(?:it|they|that) (?:is|are|does|do|has"
    r"|have|did) not(?= ?(?:[.,;!]|$))|(?:i have checked|i checked|actually)(?: ,)? (?:and )?(?:it"
    r"|they) (?:has|have|is|does|do) (?:no|not|none)\b)"
)
"""Opens a clause that takes back what the bot said of a name."""
TRIED = re.compile(
    r"\b(?:tried|rang|called|phoned|asked|contacted|tested|checked(?: with)?)(?: the)? $"
)
"""Before the name of a place that was asked."""
TURNS = re.compile(
    r"\b(?:but(?! (?:it|they|that) (?:is|are|has|have|does|do) (?:not|no)\b)|however|though"
    r"|although|while|whereas|yet|unless)\b|[;!?]|\. "
)
"""Where what is said of a name may turn round."""
PARENTHESIS = re.compile(r"^ ?,[^,]{1,60}, ")
USED_TO = re.compile(r" used to (?!be (?:called|known|named|part|the|a)\b)")
AND_NOT = re.compile(
    r" and (?:is|are|has|have|do|does|can|will|would) (?:not|no longer)\b"
    r"| and (?:is|are) (?:closed|shut|full|gone)\b"
)
"""What is said next of the same subject, against it."""
SPEAKS_AGAINST = re.compile(
    r"(?:well ,? |oh ,? |sadly ,? |unfortunately ,? |i am afraid ,? )*(?:it|they|that|the place"
    r"|that"
    r" place|that one|she|he|there) [^,.;!?]{0,30}?\b(?:not(?! (?:only|just|bad))|no(?! (?:problem"
    r"|trouble|worries))|never|nothing|none|closed|shut|gone|full|stopped|pulled down|sold out)\b"
)
"""Says something against a name given back: "They have nothing left", "That place has shut"."""
AGAINST_WISH = re.compile(
    r"\b(?:and|but|while|whereas|when) you (?:said|wanted|asked for|were after|specified|are after"
    r"|need(?:ed)?)\b"
)
LISTED_AS_NOT = re.compile(
    r"(?:^|[.;!] ?)(?:\w+ ){0,2}(?:not available|unavailable|closed(?: \w+)?|sold out"
    r"|fully booked|full|booked up"
    r"|not matching) ?[:=] ?(?:the )?$"
)
"""Before the names of a list of what is not to be had."""
