"""The words of booking, ordering and arranging: rules as data."""

from pytest_todeval.nlu.bookings.patterns import words_of_role
from pytest_todeval.nlu.patterns import word_set

STRONG = word_set("booked prebooked rebooked reserved preordered")
"""Participles that need no booking beside them to tell of one."""

MADE = {
    # participle: what it may be said of besides a booking: "it" or "you"
    **dict.fromkeys(
        word_set(
            """confirmed scheduled rescheduled secured arranged sorted finalised finalized
            organised organized guaranteed approved settled ordered locked fixed purchased
            bought nailed ticketed effected procured"""
        ),
        "it you",
    ),
    **dict.fromkeys(word_set(
        """registered enrolled signed put popped slotted squeezed fitted added set pencilled
        penciled entered down inked wrote written slid stuck tucked worked penned scribbled
        chalked shoehorned bumped listed slated accommodated allotted"""
    ), "you"),
    **dict.fromkeys(word_set(
        """made placed completed processed issued held kept saved allocated assigned submitted
        accepted logged taken created generated granted validated filed got sent
        emailed dispatched shipped paid done agreed lined called despatched moved changed
        updated amended extended switched blocked written jotted marked diarised
        earmarked landed snagged grabbed bagged nabbed snapped
        obtained acquired received appointed chartered engaged hired rented raised claimed
        scored wangled swung given reissued upgraded finished holding keeping saving reserving
        expecting"""
    ), ""),
}  # fmt: skip
PARTICIPLES = STRONG | MADE.keys()

STRONG_BASES = word_set("book reserve prebook rebook preorder")
BASES = STRONG_BASES | word_set(
    """order schedule purchase secure buy make place confirm complete arrange get find hold keep
    save put pencil pop slot squeeze fit process finalise finalize issue do sort fix grab take
    accommodate seat host serve cater treat see sell enrol enroll register sign offer give organise
    organize submit set add lock proceed go booking reserving ordering scheduling placing
    making securing purchasing buying arranging snag bag nab land score wangle swing stick tuck ink
    write assign allocate claim obtain procure appoint engage hire rent lock reschedule"""
)

THINGS = words_of_role("bookable") | word_set(
    """booking reservation appointment order table room suite double twin seat ticket slot place
    spot space taxi cab car ride minibus shuttle session lesson class course visit viewing
    stay trip journey delivery collection pickup purchase drive consultation treatment haircut
    cut trim checkup vaccination vaccine jab service repair transfer membership meal pizza
    dinner lunch brunch train flight bus hotel accommodation court pitch lane bed van bike
    meeting interview inspection exam tour screening performance massage facial manicure
    cleaning filling grooming party event hall parcel package everything arrangement
    transaction registration enrolment pick-up drop-off tix colour subscription request
    e-ticket eticket voucher pass rental hire hold move confirmation requests check-up check
    test driver courier copy book novel parking lift night weekend holiday cruise mot tune
    demo evening"""
)
"""What can be booked, singular; a project's own domains are added."""

AVAILABLE = word_set(
    """table room seat slot space spot availability vacancy opening appointment ticket capacity
    gap bed place reservation booking berth court session car cab taxi driver"""
)
"""What there may be none left of."""

SHORT_FORMS = {
    "appt": "appointment", "appts": "appointments", "apt": "appointment", "tkt": "ticket",
    "tkts": "tickets", "tix": "tickets", "conf": "confirmed", "confd": "confirmed",
    "cnf": "confirmed", "resv": "reservation", "ressie": "reservation", "resy": "reservation",
    "rez": "reservation", "bkg": "booking", "bkd": "booked", "rsvd": "reserved", "ye": "you",
    "ya": "you", "yous": "you", "yr": "your", "yer": "your", "nae": "no",
    "tbl": "table", "tbls": "tables", "2nite": "tonight", "2night": "tonight",
    "rms": "rooms", "rm": "room",
    "tmrw": "tomorrow", "tmr": "tomorrow", "2moro": "tomorrow", "sched": "scheduled",
    "rebooking": "booking", "n": "and", "cannae": "cannot", "nowt": "nothing",
}  # fmt: skip
"""Abbreviations and dialect -> in full."""

SPELLINGS = word_set(
    """booked reserved confirmed confirmation reservation booking appointment available fully
    unavailable unfortunately scheduled table tickets failed declined rejected"""
)
"""Long words that are also understood with two letters swapped or one left out."""
