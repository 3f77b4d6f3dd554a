"""The words that change whether a sentence says that something is so: rules as data.

A trigger stands before or behind what it bears on (NegEx, Chapman et al. 2001; ConText, Harkema et
al. 2009), and its scope ends at a terminator. Everything is in the form of `phrases.Phrase`: lower
case, contractions spelled out, one blank between words and signs.
"""

from pytest_todeval.core.claim import Factuality

__all__ = [
    "ADVERBS",
    "AUXILIARIES",
    "BACKWARD",
    "FORWARD",
    "GOVERNORS",
    "HABITS",
    "HEDGES",
    "MODALS",
    "NEGATIONS",
    "NOBODY",
    "OTHERS",
    "PAST_TIMES",
    "SUBORDINATORS",
    "TERMINATORS",
]

ASSERTED, DENIED = Factuality.ASSERTED, Factuality.DENIED
CONDITIONAL, FUTURE = Factuality.CONDITIONAL, Factuality.FUTURE
ASKED, OF_OTHERS = Factuality.ASKED, Factuality.OF_OTHERS


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for each in text.strip().splitlines() if (line := each.strip()))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# In a verb group: "has not yet been booked".
AUXILIARIES = _set(
    """am is are was were be been being has have had having get gets got gotten getting do does did
    s ve re"""
)
MODALS = {
    "will": FUTURE, "shall": FUTURE, "would": FUTURE, "ll": FUTURE, "wo": FUTURE, "can": FUTURE,
    "could": FUTURE, "may": FUTURE, "might": FUTURE, "must": FUTURE, "should": FUTURE,
    "cannot": FUTURE, "gonna": FUTURE,
}  # fmt: skip
NEGATIONS = _set("not never neither nor hardly barely scarcely without nt unsuccessfully")
ADVERBS = _set(
    """just now already all also then still yet ever never not only both even indeed here hereby
    duly again soon since thus therefore once kindly gladly meanwhile well long far so too first
    there hardly barely neither nor almost nearly practically virtually always often sometimes
    seldom perhaps maybe likely today good ahead officially back very quite pretty right about
    safely thereby fully away straight ok okay anyway"""
)
HABITS = _set(
    """usually generally normally typically often always sometimes frequently commonly mostly
    regularly rarely seldom traditionally ordinarily customarily invariably habitually tend tends
    routinely generally"""
)
"""Words that tell how things are in general, not of this booking."""
HEDGES = _set(
    """probably apparently presumably hopefully likely possibly supposedly seemingly perhaps maybe
    allegedly evidently"""
)
GOVERNORS: dict[str, Factuality] = {
    **dict.fromkeys(
        """going about need needs needed has have had want wants wanted like love ready able supposed due
        set hoping hope used trying try tries tried meant willing prepared yet wish wishes prefer
        plan planning planned intend remains left waiting agreed promised offered attempt chance
        easy possible best time able allowed welcome keen eager aim how option continue order
        asked told expected expects required requires glad happy pleased delighted free trouble
        right is are be""".split(),
        FUTURE,
    ),
    "managed": ASSERTED, "succeeded": ASSERTED, "failed": DENIED, "unable": DENIED,
    "refused": DENIED, "declined": DENIED, "impossible": DENIED, "refuse": DENIED,
    "refuses": DENIED, "tend": OF_OTHERS, "tends": OF_OTHERS, "forgot": DENIED,
    "neglected": DENIED, "omitted": DENIED, "seems": ASSERTED, "appears": ASSERTED,
    "seem": ASSERTED, "appear": ASSERTED,
}  # fmt: skip
"""What stands before "to book", and what it makes of it."""

# Who is spoken of.
OTHERS = _set(
    """guest guests people person persons customer customers party colleague colleagues someone
    somebody others other's couple wedding group groups family families friend friends lady
    gentleman company client clients patient patients visitors tourists locals students everyone
    everybody anybody anyone travellers travelers passengers diners users user caller callers he
    she their his her member members school team-mates band another fans folk folks neighbour
    neighbours crowd sister brother mother father mum dad wife husband son daughter partner boss
    secretary assistant flatmate team's travellers"""
)
NOBODY = _set("no none nothing nobody neither zero nowhere")

SUBORDINATORS = _lines(
    """
    if
    once
    as soon as
    unless
    provided
    providing
    assuming
    suppose
    supposing
    in case
    in the event
    should you
    should it
    were you to
    were we to
    were i to
    had you
    whenever
    until
    till
    before
    after
    when
    as long as
    so long as
    the moment you
    the moment we
    the moment i
    the moment your
    the minute you
    the minute we
    the minute i
    the minute your
    the second you
    the second we
    the second i
    the second your
    the instant you
    the instant we
    the instant i
    the instant your
    upon
    only after
    only when
    on condition
    given that you
    on receipt of
    by the time
    with your go-ahead
    with your ok
    with your okay
    with your permission
    with your approval
    with your card
    with your confirmation
    with your payment
    with your details
    say yes
    say the word
    just say
    subject to
    pending
    depending on
    failing
    """
)
"""Open a clause on whose truth another one hangs."""

FORWARD: dict[str, Factuality] = {
    **dict.fromkeys(
        _lines(
            """
            whether
            wonder
            wondering
            do you know if
            may i ask
            can you tell me
            could you tell me
            let me know
            do you want
            would you like
            want me to
            like me to
            would you rather
            would you prefer
            do you need
            need me to
            wish me to
            can i take it
            am i right
            shall i
            should i
            shall we
            """
        ),
        ASKED,
    ),
    **dict.fromkeys(
        _lines(
            """
            i do not think
            i do not believe
            we do not think
            i doubt
            it is not true
            it is not the case
            it is not that
            not as if
            no evidence
            no record
            no sign
            not sure that
            can not say that
            can not confirm
            could not confirm
            can not promise
            can not guarantee
            do not mean
            does not mean
            did not mean
            nothing has
            nothing is
            nothing was
            nothing
            none of
            nobody has
            far from
            instead of
            rather than
            without
            short of
            wrong to say
            wrong that
            wrongly
            mistaken
            misspoke
            by mistake
            in error
            pretend
            imagine
            wish
            before i
            avoid
            stopped before
            stopped short
            not until
            as though
            """
        ),
        DENIED,
    ),
    **dict.fromkeys(
        _lines(
            """
            make sure
            see if
            see whether
            see to it
            check if
            check that
            check whether
            find out
            ask them
            in order to
            so that
            let me
            let us
            going to
            about to
            ready to
            promise
            you can
            you may
            you could
            you should
            you need
            you will need
            you must
            please
            a chance
            the chance
            consider having
            how to
            how can
            easiest way
            easier than
            waiting for
            waiting to hear
            possible that
            need to
            needs to
            have to
            has to
            get ready
            cost of
            price of
            in a minute
            in a moment
            """
        ),
        FUTURE,
    ),
    **dict.fromkeys(
        _lines(
            """
            you said
            you say
            you wrote
            you asked
            you mentioned
            you told
            you told me
            you typed
            you meant
            you mean
            you wanted
            i understood
            your message
            your words
            the message
            the button
            the word
            the words
            the page
            the website says
            the sign
            labelled
            labeled
            marked
            claimed
            it says
            earlier you
            earlier i
            i told you
            i said
            i said that
            i told
            i claimed
            i thought
            someone else
            somebody else
            another guest
            another party
            another customer
            other guests
            most guests
            most people
            some people
            anyone who
            everyone who
            those who
            people who
            guests who
            customers who
            the previous
            last time
            in the past
            in general
            as a rule
            every time
            each time
            """
        ),
        OF_OTHERS,
    ),
}
"""Bear on what follows, as far as the next terminator."""

BACKWARD: dict[str, Factuality] = {
    **dict.fromkeys(
        _lines(
            """
            if
            once
            as soon as
            unless
            until you
            until we
            until i
            until the
            until your
            until it
            until payment
            till you
            provided
            providing
            assuming
            subject to
            pending
            only after
            only when
            after payment
            after you
            after the payment
            after checkout
            upon
            when you
            whenever
            the moment you
            the minute you
            after
            when
            as long as
            on condition
            without a
            without your
            depending
            in case
            """
        ),
        CONDITIONAL,
    ),
    **dict.fromkeys(
        _lines(
            """
            by a
            by an
            by another
            by someone
            for a wedding
            for a private
            for a corporate
            for members
            for disabled
            for staff
            of her own
            of his own
            of their own
            by somebody
            by other
            by others
            by your
            by their
            in advance
            weeks ahead
            months ahead
            days ahead
            well ahead
            by the hour
            by the week
            by the day
            through the website
            via the website
            via our website
            online
            quickly
            fast
            up quickly
            last week
            last month
            last year
            last night
            last time
            last summer
            last winter
            last spring
            yesterday
            in the past
            ago
            before you came
            somewhere else
            elsewhere
            in spring
            every day
            every week
            every hour
            each day
            each week
            """
        ),
        OF_OTHERS,
    ),
    **dict.fromkeys(
        _lines(
            """
            in a moment
            in a minute
            in a second
            shortly
            any minute now
            tomorrow morning by
            has yet to
            is still to
            was a mistake
            was wrong
            is wrong
            is not true
            is not correct
            would be a lie
            would be wrong
            did not happen
            has not happened
            never happened
            """
        ),
        DENIED,
    ),
}
"""Bear on what went before, as far back as the last terminator."""

PAST_TIMES = _lines(
    """
    last week
    last month
    last year
    last night
    last time
    last spring
    last summer
    last autumn
    last winter
    yesterday
    ago
    previously
    in the past
    """
)

TERMINATORS = _set(
    """, ; : - ( ) " . ! ? | & / but however though although nevertheless nonetheless whereas while because
    which meaning instead otherwise except besides still"""
)
"""No scope reaches over these; "and" and "so" end one where a subject follows."""
