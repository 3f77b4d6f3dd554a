"""Right bots of other worlds in such manners: each finding is a false alarm."""

from benchmarks.hearing.own_domains import Wording
from tests.faulty_bots.mannered import OwnMannered, Varies
from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["DESK", "OWN", "SHOP"]

OWN = Catalogue("own_domains", wave=6)


@OWN.variant
class OwnHedges(OwnMannered):
    """A careful desk that would rather not be pinned down."""

    VOICE = Wording(
        "hedging",
        ask=("I don't want to presume, so: {question}", "Forgive me for asking: {question}"),
        options="I believe it's one of {options}.",
        offer=(
            "I should think {label} might be what you're after. {facts}",
            "It could well be that {label} suits you. {facts}",
        ),
        fact="The {slot}, if my sheet is right, is {value}.",
        between=" ",
        ask_to_book=(
            "Would you perhaps like me to try and book that?",
            "I could see whether I can book it, if you'd like?",
        ),
        confirm="If I've understood you, and do stop me if I haven't, it would be "
        "{label} ({details}). Might I go ahead?",
        booked=(
            "Well, it seems to have worked: {label} ({details}) is booked as far as "
            "I can see, and the reference appears to be {ref}.",
        ),
        changed="It seems to have taken the change: {label} ({details}), and the "
        "reference appears to be {ref}.",
        refused=(
            "I rather fear that's not possible for {label} ({details}). Would there "
            "be another {others}, possibly?",
        ),
        none=(
            "I may be wrong, but I don't think we've a {noun} with {wanted}. Might "
            "something else do?",
        ),
        tell=(
            "I'm fairly sure the {slot} is {value}.",
            "{value}, I should say, is the {slot} of {label}.",
        ),
        not_booked="I don't think I've booked it yet.",
        more=("Might there be something else?", "Perhaps you need anything else?"),
        lost="I'm probably being slow, but I didn't quite follow.",
        bye="I hope that helps a little. Goodbye!",
    )


@OWN.variant
class OwnAddsTags(OwnMannered):
    """A village desk with a question at the end of what it states."""

    VOICE = Wording(
        "tags",
        ask=("{question} I'd best know that, hadn't I?", "Now then. {question}"),
        options="It's {options}, you see.",
        offer=(
            "There's {label}, isn't there? {facts}",
            "You'd be after {label}, wouldn't you? {facts}",
        ),
        fact="That's {value} for the {slot}, mind.",
        between=" ",
        ask_to_book=("You'll be wanting that booked, will you?", "I'll book it, shall I?"),
        confirm="",
        booked=(
            "That's all booked then, isn't it? {label}, {details}, and you'll be "
            "{ref} on the list.",
            "There, that's gone in, hasn't it? {label}, {details}. It's {ref} on the list.",
        ),
        changed="That's moved for you, isn't it? {label}, {details}, and it's {ref} on the list.",
        refused=(
            "Oh, that's gone, hasn't it? {label}, {details}. You've another {others} "
            "up your sleeve, have you?",
        ),
        none=(
            "We've never had a {noun} with {wanted}, have we? You'll take something "
            "else, will you?",
        ),
        tell=("The {slot}, that's {value}, isn't it?", "{value} it is, the {slot}."),
        not_booked="Well, it's not booked yet, is it?",
        more=("That won't be all, will it?", "You've something else on your mind, have you?"),
        lost="You've lost me there, haven't you?",
        bye="Off you go then. Ta-ra!",
    )


DESK = Catalogue("service_desk", wave=6)


@DESK.variant
class DeskQuotesPolicy(Varies, RewordsDesk):
    """Quotes the policy for each step."""

    TEMPLATES = (
        (
            r"Please tell me your e-mail address and your badge number first\.",
            "Under section 1 of the policy I have to know who I am talking to. What "
            "are your e-mail address and your badge number?",
        ),
        (r"^Thank you, (\w+)\.", (r"Identification complete, \1, as section 1 requires.",)),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            (
                r"The policy permits me to \1, provided that you agree. Do you agree?",
                r"Before I \1, section 2 obliges me to get your consent. Do I have it?",
            ),
        ),
        (
            r"Your temporary password is (\w+)\. Please change it at your next login\.",
            r"As agreed, your password was reset. The temporary one is \1; under the "
            r"password rules it must be replaced when you next log in.",
        ),
        (
            r"Done: your new (\w+) is (\w+), (an?) ([\w ]+)\.",
            r"As agreed, the device was swapped. Your new \1 is \2, \3 \4.",
        ),
        (r"I have opened ticket (\w+)\.", r"As agreed, a ticket was opened: \1."),
        (
            r"Ticket (\w+) is closed as (\w+)\.",
            r"As agreed, \1 was closed, with the resolution \2.",
        ),
        (r"(\w[\w ]*) is now assigned to you\.", r"As agreed, a seat of \1 was assigned to you."),
        (r"I am sorry, ", "The policy leaves me no room here: "),
        (r"All right, I have changed nothing\.", "Without your consent nothing was changed."),
        (
            r"Is there anything else I can do for you\?",
            (
                "Do you have a further request?",
                "Section 9 has me ask whether there is a further request.",
            ),
        ),
    )


SHOP = Catalogue("lamp_shop", wave=6)


@SHOP.variant
class ShopGivesStatusCodes(Varies, ShopBot):
    """The shop's back office, with a state for each order."""

    TEMPLATES = (
        (
            r"Please give me your e-mail address and your postcode\.",
            "STATUS: IDENTIFICATION PENDING. Required: e-mail address, postcode.",
        ),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            r"STATUS: AWAITING CUSTOMER. Requested action: \1. Execute?",
        ),
        (
            r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"STATUS: CANCELLED. Order \1. Refund USD \2, method \3.",
        ),
        (
            r"Order (#W\d+) is to be returned\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"STATUS: RETURN REQUESTED. Order \1. Refund USD \2, method \3.",
        ),
        (r"Order (#W\d+) now goes to ([\w ]+)\.", r"STATUS: REROUTED. Order \1. Ship-to \2."),
        (r"Order (#W\d+) came to ([\d.]+) dollars\.", r"QUERY: Order \1, total USD \2."),
        (r"I am sorry, ", "STATUS: NOT POSSIBLE. "),
        (r"All right, nothing was changed\.", "STATUS: UNCHANGED. Request withdrawn."),
        (r"You are welcome\. Goodbye\.", "STATUS: CLOSED. Goodbye."),
    )
