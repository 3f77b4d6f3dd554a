"""The words of booking, ordering and arranging, and of refusing to: rules as data.

The texts that the patterns read are those of `phrases.Phrase`: lower case, one blank between words
and signs, `NAME` for a venue's name.
"""

import re
from collections.abc import Iterable

__all__ = [
    "AVAILABLE",
    "BASES",
    "BOOKED_STATES",
    "FAILED_IF_ASKED",
    "FAILED_STATES",
    "MADE",
    "NOTHING_FOUND",
    "PARTICIPLES",
    "REFUSALS",
    "SPELLINGS",
    "STRONG",
    "STRONG_BASES",
    "THINGS",
]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRONG = _set("booked prebooked rebooked reserved preordered")
"""Participles that need no booking beside them to tell of one."""

MADE = {
    # participle: what it may be said of besides a booking: "it" or "you"
    **dict.fromkeys(
        """confirmed scheduled rescheduled secured arranged sorted finalised finalized organised
        organized guaranteed approved settled ordered locked fixed purchased bought nailed ticketed""".split(),
        "it you",
    ),
    **dict.fromkeys("registered enrolled signed put popped slotted squeezed fitted added set "
                    "pencilled penciled checked entered down".split(), "you"),
    **dict.fromkeys("""made placed completed processed issued held kept saved allocated assigned
        submitted accepted logged recorded taken created generated granted validated
        filed got sent emailed dispatched shipped paid done agreed lined called despatched
        landed snagged grabbed bagged nabbed snapped obtained acquired received holding
        keeping saving reserving expecting""".split(), ""),
}  # fmt: skip
PARTICIPLES = STRONG | MADE.keys()

STRONG_BASES = _set("book reserve prebook rebook preorder")
BASES = STRONG_BASES | _set(
    """order schedule purchase secure buy make place confirm complete arrange get find hold keep
    save put pencil pop slot squeeze fit process finalise finalize issue do sort fix grab take
    accommodate seat enrol enroll register sign offer give organise organize submit set add lock proceed
    go booking reserving ordering scheduling placing making securing purchasing buying arranging"""
)

THINGS = _set(
    """booking reservation appointment order table room suite double twin seat ticket slot place
    spot space taxi cab car ride minibus shuttle session lesson class course visit viewing stay
    trip journey delivery collection pickup purchase drive consultation treatment haircut cut trim
    checkup vaccination vaccine jab service repair transfer membership meal pizza dinner lunch
    brunch train flight bus hotel accommodation court pitch lane bed van bike meeting interview
    inspection exam tour screening performance massage facial manicure cleaning filling grooming
    party event hall parcel package everything arrangement transaction registration enrolment
    pick-up drop-off tix colour subscription request e-ticket eticket voucher pass rental hire hold move
    confirmation requests check-up check test driver courier copy book novel parking lift
    night weekend holiday cruise mot tune demo evening"""
)
"""What can be booked, singular; a project's own domains are added."""

AVAILABLE = _set(
    """table room seat slot space spot availability vacancy opening appointment ticket capacity
    gap bed place reservation booking berth court session car cab taxi driver"""
)
"""What there may be none left of."""

SPELLINGS = _set(
    """booked reserved confirmed confirmation reservation booking appointment available fully
    unavailable unfortunately scheduled table tickets"""
)
"""Long words that are also understood with two letters swapped or one left out."""


def _one_of(lines: str) -> re.Pattern[str]:
    found: Iterable[str] = (line.strip() for line in lines.strip().splitlines())
    return re.compile(rf"(?<![^ ])(?:{'|'.join(filter(None, found))})(?![^ ])")


_NOUN = r"(?:(?:booking|reservation|order|appointment|purchase|payment|transaction|request|table|room|stay|ticket|seat|slot|place|registration|session|class|trip|visit)s?)"
_DET = r"(?:a|an|your|the|two|three|four|\d+|both|that)"
_WHEN = r"(?:at|on|for|from|under|in|with|this|tomorrow|tonight|today|next|and|, |\d+|monday|tuesday|wednesday|thursday|friday|saturday|sunday|of you)"

BOOKED_STATES = _one_of(
    rf"""
    (?:you|we|that|everything|it|which) (?:are|re|is|s) (?:now )?(?:all )?(?:set|sorted|booked in|good to go)(?! (?:up|to explore|to enjoy|price|menu))
    all (?:set|booked)(?: in)?(?= (?:[.,!:;-]|for|with|on|at|and|now))
    (?:you|he|she|they|NAME|\w+) (?:are|re|is|s) (?:now |all )?(?:in|down|pencilled in)(?= (?:for|on|at|with)\b)
    you (?:are|re) (?:now |all |definitely )?in(?= (?:[.,!]|$))
    (?:is|are|s|has|have) (?:all |now |safely |already )?(?:in|on) (?:the|our|their|my|your) (?:diary|calendar|book|books|system|schedule|list|guest list|agenda|planner)
    on (?:the|our|their) (?:guest )?list(?= for)
    (?:have|got|ve|has) you (?:now |all )?(?:down|in|confirmed|registered|enrolled|signed up|set)(?= (?:for|on|at|the|with|as|, |[.!]))
    (?:have|got) you in the (?:system|diary|book)
    (?:am|are|will be|be) (?:now )?(?:expecting you|holding|keeping|saving) (?:{_DET} )?(?:{_NOUN}|on|at|for|this|tonight|tomorrow)
    (?:is|are|s) (?:now |all |ready and )?(?:waiting for you|yours|all yours)(?! to)
    (?:it|that) is yours
    with your name on it
    has your name on it
    (?:is|are) (?:already |now )?on (?:its|the|their|his|her) way
    out for delivery
    in the oven
    (?:is|are) coming to you(?= (?:on|at|this|tomorrow|today))
    (?:order|booking|reservation|request) (?:is|has gone|went|goes) in
    (?:{_NOUN}|it|that) (?:did|does) (?:indeed |in fact )?go (?:straight )?through
    (?:{_NOUN}|it|that|everything|payment) (?:has |have |is |all |just |successfully )*(?:went|gone|gone straight|came|come) (?:straight )?(?:through|ahead)
    (?:it was |that was )?successful(?:ly)? (?:booked|made|booking|reservation)
    {_NOUN} (?:(?:for|at|on|of|with|to|in) (?:\S+ ){{1,6}}?)?(?:is|was|are|were|has been) (?:now |a )?(?:successful|success|complete|in place|live|active|final|firm|official|good to go)
    {_NOUN} (?:succeeded|successful|complete|completed|confirmed|success)(?= (?:[.,!:;-]|$|for|at|under|and))
    {_NOUN} (?:is|are) (?:in|under) (?:the|your) (?:good )?name
    {_NOUN} (?:now )?stands?(?! (?:at|for|to))
    consider it (?:done|booked|sorted|reserved)
    you (?:now )?(?:have|ve got|have got|got|hold|now hold) (?:yourself )?(?:{_DET} )(?:\w+ ){{0,3}}?(?:booking|reservation|appointment|table|room|seats?|tickets?|slot|place|spot|session)s?(?= {_WHEN})
    (?:it is |that is )?a done deal
    (?:will be|be|is being|are|is) (?:held|reserved|kept|saved) for (?:\d+|fifteen|ten|twenty|thirty)
    will hold (?:the|your) (?:table|room|seats?|booking|reservation)
    tickets? (?:is |are )?attached
    (?:they|we) will see you (?:on|at|this|tomorrow|next|tonight)
    (?:see|welcoming|seeing) you (?:on|at|there at|at \S+ on) (?:\S+)(?=.{{0,60}}(?:reservation|booking) (?:number|ref))
    reservation is at
    (?:have|got) your (?:reservation|booking|appointment|order) (?:for|at|on|in|set|down|ready)
    taken care of
    {_NOUN} (?:status )?[:=] (?:confirmed|booked|ok|complete|success)
    status (?:is )?[:=] (?:confirmed|booked|complete|success)
    here (?:is|are) your (?:booking|reservation|e-?ticket|ticket|order|appointment|confirmation)(?: (?:details|confirmation|number|reference|summary))?
    success(?= [!.:])
    get is confirmed
    """
)
"""Wordings other than "has been booked" for: it stands."""

_WHO = r"(?:they|it|we|that|this|those|which|restaurants?|hotels?|places?|kitchen|salon|clinic|shop|venue|slots?|times?|dates?|days?|rooms?|tables?|seats?|tickets?|surgery|office|library|gym|studio|garage|practice|branch|class|court|monday|tuesday|wednesday|thursday|friday|saturday|sunday|[ap]m|\d+(?:[:.]\d+)?|both|one|ones|there|doors?|system|booking|reservation|appointment|cinema|doctor|dentist|stylist|night|evening|tomorrow|tonight)"
_GONE = r"(?:taken|snapped up|gone|grabbed|claimed|snatched(?: up)?|filled(?: up)?|sold(?: out)?|given away|let|occupied|full|unavailable|spoken for)"
_SLOT = r"(?:slots?|tables?|rooms?|seats?|times?|dates?|places?|spots?|tickets?|appointments?|sessions?|class|classes|bed|one|date|day|court|car|cab|it|that|this|\d+(?:[:.]\d+)?(?:am|pm)?|[ap]m|o clock|noon|evening|afternoon|morning|night|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tour|show|screening|course|flight|train|hotel|restaurant|place|salon|clinic|they|both|NAME|everything|tonight|tomorrow|we)"
_TAIL = r"(?:left|available|free|remaining|open|to be had|going|spare|anywhere|could be found|to be found)"
_PIECE = r"(?:tables?|rooms?|seats?|seating|slots?|spaces?|spots?|tickets?|availability|vacanc(?:y|ies)|openings?|appointments?|capacity|gaps?|beds?|doubles?|reservations?|bookings?)"
_MORE_PIECES = r"(?:places?|cars?|cabs?|taxis?|drivers?|courts?|sessions?|vans?|bikes?|couriers?|classes|times?)"
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tonight|tomorrow)"
_CAN_NOT = r"(?:can not|cannot|could not|was not able to|were not able to|am not able to|are not able to|is not able to|not been able to|have been unable to|unable to|not possible to|impossible to|did not manage to|failed to|not managed to|no way to|never managed to)"

FAILED_STATES = _one_of(
    rf"""
    (?:fully|completely|totally|entirely|solidly) (?:booked|reserved|subscribed|full)
    booked (?:up|out|solid|full)
    overbooked|oversubscribed
    sold out
    at (?:full )?capacity
    chock-a-block|chock a block|chocka|jam packed|packed out|chockablock
    {_SLOT}(?: (?:this|that|next|on|at|for|in) \w+){{0,2}} (?:(?:is|are|s|re|was|were|has|have|had|been|being|got|already|just|all|both|now|sadly|unfortunately|sorry) )*(?:is|are|s|re|was|were|been|has|have|got|all) (?:(?:already|just|all|both|now|sadly|unfortunately) )*{_GONE}(?! (?:of|out|into|through|up|for you|in for|english|details|care|name|board|breakfast|price|us|me|menu|by you))
    {_SLOT} (?:went|sold) (?:a|just|to|in|within|minutes|out)
    (?:\w+ )?beat (?:us|me|you) to it
    (?:no|not any|not a|not an|not one|zero|not a single|neither) (?:(?!one\b)\w+ ){{0,3}}?{_PIECE}(?! (?:under|on file|in your|in that|with that|found|number|fee|fees|needed|required|necessary|charge))(?: (?:\w+ ){{0,3}}?{_TAIL})?
    not (?:\w+ )?(?:have|having|had|find|finding|found|see|seeing|got|getting|show|showing|offer|offering|be|look like there is) (?:\w+ ){{0,3}}?(?!room for){_PIECE}
    (?:no|not any) (?:\w+ ){{0,3}}?{_MORE_PIECES} (?:\w+ ){{0,3}}?(?:left|free|available|to be had|could be found)
    (?:none|neither|nobody|no one|nowhere) (?:\S+ ){{0,6}}?(?:has|have|had|with|got) (?:\w+ ){{0,3}}?{_PIECE}
    not (?:\w+ )?(?:have|find|see|got|offer|found) (?:anything|that time|that slot|that day|those dates|it)(?: (?:\w+ ){{0,2}}?(?:{_TAIL}))?(?: (?:for|on|at|in) (?:{_DAYS}|that|this|the \d+|\d+|your)| then| that (?:early|late|day|night))
    nothing (?:that|so|as|this) (?:early|late)
    (?:nobody|no one|no driver|nobody else|no stylist|no doctor) (?:\w+ ){{0,3}}?(?:free|available|around)
    not (?:\w+ )?(?:seeing|see|have|find|finding) anything (?:\w+ )?(?:available|free|open) (?:at|on|for) (?:that|this|the|your|\d)
    (?:nothing|none|no one|neither|not anything|nowhere) (?:\S+ ){{0,5}}?(?:free|available|open|left|bookable) (?:at|on|for|from|that|this|in that|then|until|tonight|today|tomorrow|before|after)(?! the (?:east|west|north|south|centre))
    {_WHO} (?:is|are|was|were|am|s|re|be) (?:\w+ ){{0,2}}?(?:not|never|no longer) (?:\w+ ){{0,2}}?(?:available|free|bookable|open|possible|doable|to be had|taking (?:any )?(?:more )?(?:bookings|reservations)|accepting|doable|successful|working|on offer)
    (?<!NAME is )(?<!NAME currently )not (?:available (?:at|on|for|then|that)|successful|possible)
    (?:slot|time|date|day|room|table|seat)s? not available
    (?<!NAME )(?:still |also )?not open(?= (?:on|at|then|that|by|until|before|after|[.,!]))
    {_WHO} (?:is|are|was|were|s|re|be|been) (?:\w+ ){{0,2}}?(?:unavailable|unsuccessful|unbookable)
    unsuccessful(?:ly)?
    {_WHO} (?:is|are|was|were|s|re|be|being) (?:\w+ ){{0,2}}?(?:closed|shut)(?: (?:down )?(?:for|to) (?:new )?(?:bookings|reservations|the|a|private|refurbishment|renovation|today|tonight|lunch|dinner))?(?= (?:on|that|at|by|then|for|to|[.,!;:]|$|all|today|tonight|tomorrow|until|when|every|between|in|from|this|over))
    {_WHO} (?:does|do|will|did|is|are) (?:\w+ )?not (?:open|serve|start|run|operate|work)(?= (?:on|that|at|by|then|until|before|after|this|[.!,]|$))
    {_NOUN} (?:\w+ ){{0,4}}?(?:failed|fell through|timed out|bounced|came to nothing|errored|ended|closed|is off|was off)
    (?:attempt|attempts) (?:\w+ ){{0,7}}?(?:failed|fell through|came to nothing|got nowhere)
    (?:it|that|this|the attempt|my attempt|attempt|i tried (?:\w+ ){{0,4}}?(?:but|and) it) (?:\w+ ){{0,2}}?(?:failed|fell through|timed out|bounced|came to nothing)
    (?:{_NOUN}|it|that|this|which|card|attempt) (?:\w+ ){{0,6}}?(?:was|were|has been|have been|got|is|s|been) (?:\w+ )?(?:declined|rejected|refused|denied|turned down|knocked back|not accepted|bounced|blocked)
    {_NOUN} (?:was |has |is )?(?:declined|rejected|refused|denied|unsuccessful)
    (?:{_NOUN}|it|that|this|which|the attempt) (?:\w+ ){{0,4}}?(?:did|does|would|will|has|have|was|were|is|could) not (?:\w+ )?(?:go|gone|went|come|work|worked|succeed|succeeded|successful|take|complete|make it|been made|been accepted|accepted)(?: (?:out|through))?
    (?:would|will|did|does|do|could) not (?:let|allow|permit) (?:me|us|you|it|that|this|any|the|bookings|reservations)
    (?:will|would|does|do|did|can|could|is|are) not (?:\w+ )?(?:accept|accepting|take|taking|do|have) (?:\w+ ){{0,4}}?(?:bookings?|reservations?|part(?:y|ies)|groups?|orders?|walk-ins)
    (?:refuses|refused|refusing|declined|declines) (?:to|the|my|your|our|it|us|me|a|any)
    (?:turn|turning) (?:it|you|us|me|that|(?:your|the|my) \w+) (?:down|away)
    had to (?:decline|reject|refuse|turn down|cancel|call off)
    (?:someone|somebody|another \w+) (?:has |have |had )?(?:just|already) (?:taken|took|booked|grabbed|snapped up|nabbed|got)
    {_WHO} (?:\w+ )?(?:rejected|declined|refused|bounced|kicked out) (?:it|your|the|us|my|that)
    your (?:\w+ ){{1,5}}?(?:was|were|has been|have been|got) (?:\w+ )?(?:refused|declined|rejected|turned down|denied|knocked back)
    turned (?:me|us|you|it|that|the \w+|your \w+|my \w+) (?:down|away)
    (?:said|says|answered|was a|is a) no(?= (?:[.,!;]|$|to|for))
    (?:there (?:was|is|has been|seems to be)|got|getting|received|returned|returns|hit|gives?|gave|threw|shows?) (?:an|some|the) (?:\w+ )?(?:errors?|glitch|fault)
    error (?:\d+|code|occurred|:)
    status (?:\w+ )?[:=] (?:failed|failure|error|rejected|declined|unavailable|not confirmed)
    system (?:is|was|seems|went) (?:\w+ )?down
    something went wrong
    no (?:such )?luck(?= (?:[.,!;:]|$|with|at|for|on|i|getting|booking))
    out of (?:{_PIECE}|stock)
    (?:no|not any) (?:\w+ ){{0,2}}?(?:availability|vacanc(?:y|ies))
    no room (?:at|for|left|on|in)
    too late (?:to book|for|in the|, |[.!])
    not (?:enough|sufficient) (?:\w+ )?{_PIECE}
    (?:there was|had|having|run into|ran into|hit|hitting) (?:a|an|some) (?:\w+ )?(?:problems?|issues?|trouble|snag|error|hitch)(?= (?:with|booking|making|completing|while|when|[.,!]|processing|reserving|trying|and))
    could not go (?:through|ahead)
    is not working
    not (?:allowing|letting|accepting|give|giving) (?:me|us|you|it|that|this|any|your)
    (?:difficulty|trouble|difficulties|problems|issues) (?:with )?(?:the |your |that |in )?(?:booking|making|reserving|completing|placing|processing|getting|securing)
    (?:that is|this is) (?:\w+ )?(?:\w+ )?i can not make
    """
)
"""Wordings for: it cannot be had, or could not be made."""

REFUSALS = re.compile(rf"(?<![^ ]){_CAN_NOT}(?![^ ])")

FAILED_IF_ASKED = _one_of(
    rf"""
    (?:nothing|none|neither|nowhere|not anything|not any) (?:\S+ ){{0,5}}?(?:free|available|open|left|bookable)
    no (?:such )?luck
    (?:it|that|this|they) (?:\w+ ){{0,2}}?(?:did) not (?:\w+ )?(?:work|happen|accept|want|fit)(?: out)?
    (?:can not|cannot|could not|will not|not) (?:\w+ )?(?:be done|do (?:that|it|this|so|\d+))
    no can do
    (?:they|both|it|that|the place|NAME) (?:is|are) (?:\w+ )?(?:full|taken|gone|closed|shut|unavailable)
    """
)
"""The same, if the user has just asked for a booking."""

_SERVES = (
    r"(?:serves?|has|have|offers?|allows?|meets?|accepts?|does|do|fits?|matches|match|runs?|opens?"
    r"|sells?|caters?|stocks?|takes?|provides?|qualif(?:y|ies)|satisf(?:y|ies)|suits?|ticks?|shows?)"
)
_KIND = (
    r"(?:restaurants?|hotels?|guest ?houses?|places?|attractions?|museums?|trains?|venues?|options?"
    r"|hostels?|bars?|results?|matches|hits|showings?|classes|flights?|buses|salons?|shops?|ones?)"
)
NOTHING_FOUND = _one_of(
    rf"""
    (?:no|not one|not a single|none of the|zero|0) (?:\S+ ){{1,5}}?{_SERVES}
    (?:nowhere|nobody|no one|nothing|none)(?: \S+){{0,4}}? {_SERVES}
    (?:zero|0|no) (?!stars? |other )(?:\S+ ){{0,3}}?{_KIND}
    (?:not|never) a (?:single )?(?:one|thing|sausage|trace|restaurant|hotel|place|match)
    (?:drew|draw|drawn|drawing) (?:a|another|only) blanks?
    (?:came|come|coming|comes|turned) (?:up|back|away) (?:short|empty|blank|dry|empty-handed|with nothing|with zero)
    out of luck
    (?:lacks?|lacking) (?:a|an|any)
    (?:nothing|none) (?:\w+ ){{0,3}}?(?:turned up|came up|came back|showed up|comes up|found|returned|for you|to suggest|to offer|to show)
    (?:is|are) not (?:something|anything|one|a \w+) (?:that )?(?:i|we) (?:can|could|have|know)
    (?:i|we) (?:do|can|could|did) not (?:have|find|see|offer|suggest|recommend|know of|come across|turn up|track down|get)(?= (?:[:.,!;]|$|any|anything|one|a|an|such|anywhere))
    (?:is|are) not (?:aware|heard) of (?:any|a|one)
    not a match
    (?:i|we|there|search|system|database) (?:\w+ ){{0,2}}?not (?!need|require|charge|want|have any preference|cost|hesitate)(?:\w+ ){{1,4}}?(?:anything|any|a single|one that)
    we (?:do|did|can) not (?:stock|sell|serve|carry|offer|run|make|cover|do|list)
    (?:does|do|did) not exist
    """
)
"""Wordings for: nothing meets the wishes."""
