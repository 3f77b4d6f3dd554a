"""Right bots of other worlds in such manners: each finding is a false alarm."""

from benchmarks.hearing.own_domains import Wording
from tests.faulty_bots.mannered import OwnMannered, Varies
from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["DESK", "OWN", "SHOP"]

OWN = Catalogue("own_domains", apart=True, wave=6)


@OWN.variant
class OwnKeepsADiary(OwnMannered):
    """A receptionist with a paper diary."""

    VOICE = Wording(
        "diary",
        ask=("{question} Then I know which page.", "{question}"),
        options="On my sheet there's {options}.",
        offer=(
            "I could do you {label}. {facts}",
            "Let's see, what I've got here is {label}. {facts}",
        ),
        fact="Under {slot} it says {value}.",
        between=" ",
        ask_to_book=("Shall I put you in the diary?", "Will I write you in, then?"),
        confirm="",
        booked=(
            "I've popped you in the diary: {label}, {details}. You're entry {ref}.",
            "That's you down in ink: {label}, {details}. The entry is {ref}.",
        ),
        changed="I've rubbed that out and written you in anew: {label}, {details}. The "
        "entry is {ref}.",
        refused=(
            "The diary won't let me, that slot's got somebody's name in it "
            "({details}). Any other {others} for {label}?",
        ),
        none=(
            "I've no page for a {noun} like that ({wanted}), I'm afraid. Could it be "
            "something else?",
        ),
        tell=("The {slot}? {value}, I've got here.", "For {label} it says {value} under {slot}."),
        not_booked="You're not in the diary yet.",
        more=("What else can I do?", "Was there anything else?"),
        lost="Sorry, I was writing. What was that?",
        bye="See you then. Bye!",
    )


@OWN.variant
class OwnIsAKiosk(OwnMannered):
    """A kiosk with a touch screen, read out as text."""

    VOICE = Wording(
        "kiosk",
        ask=("▸ PLEASE SELECT: {slot}\n{question}", "▸ {slot}\n{question}"),
        options="[ {options} ]",
        offer=("▸ RESULT: {label}\n{facts}\n",),
        fact="{slot}: {value}",
        between="\n",
        ask_to_book=(
            "[ CONFIRM BOOKING ]  [ BACK ]\nTouch or type YES to confirm, or BACK. Do you want it?",
        ),
        confirm="▸ CHECK YOUR ORDER (not placed yet)\n{label}\n{details}\n[ PLACE ORDER "
        "]  [ BACK ]\nPlace this order?",
        booked=(
            "▸ ORDER PLACED\n{label}\n{details}\nYour slip number: {ref}\nPlease "
            "take your receipt.",
        ),
        changed="▸ ORDER UPDATED\n{label}\n{details}\nYour slip number: {ref}\nPlease "
        "take your receipt.",
        refused=(
            "▸ NOT POSSIBLE\n{label}\n{details}\nThis slot has been sold. Please "
            "select another {others}.",
        ),
        none=("▸ 0 RESULTS\n{noun}: {wanted}\nPlease select something else.",),
        tell=("▸ {slot}: {value}\n", "▸ INFO {label}\n{slot}: {value}\n"),
        not_booked="▸ NO ORDER PLACED YET\n",
        more=("[ NEW SEARCH ]  [ FINISH ]", "[ MAIN MENU ]  [ FINISH ]"),
        lost="▸ INPUT NOT VALID. PLEASE TRY AGAIN.",
        bye="▸ THANK YOU. HAVE A NICE DAY.",
        detail="{slot}: {value}",
        detail_between="\n",
        ask_between="\n",
        money="£{}",
    )


@OWN.variant
class OwnTellsOfOthers(OwnMannered):
    """A chatty desk, full of what befell other people."""

    VOICE = Wording(
        "gossip",
        ask=(
            "My last customer wouldn't tell me, so I'm asking you: {question}",
            "{question} It's no good guessing, I booked a man the wrong thing once.",
        ),
        options="People choose between {options}.",
        offer=(
            "My sister cancelled hers, but I always send people to {label}. {facts}",
            "I had somebody in who couldn't get a place at all last week. You "
            "can: {label}. {facts}",
        ),
        fact="The {slot}, that's {value}.",
        between=" ",
        ask_to_book=(
            "The lady before you said no. Shall I book it for you?",
            "Everybody else had it booked at once. Would you like to?",
        ),
        confirm="",
        booked=(
            "The lad before you went away empty-handed, but you're in: {label}, "
            "{details}, number {ref}.",
            "They nearly gave it to somebody else, but it's booked in your name "
            "now: {label}, {details}, number {ref}.",
        ),
        changed="A lady cancelled, so I could move you: {label}, {details}, number {ref} now.",
        refused=(
            "Somebody got in before you, would you believe it: {label}, {details}. "
            "Shall we say another {others}?",
        ),
        none=(
            "A gentleman asked me for the same, but we've no {noun} with {wanted}. "
            "He took something else. Will you?",
        ),
        tell=(
            "Everybody asks me that. The {slot} is {value}.",
            "I told the man before you as well: {value}, that's the {slot}.",
        ),
        not_booked="Other people's is booked, yours isn't yet.",
        more=("My neighbour always forgets something. Is there anything else?", "Anything else?"),
        lost="I was thinking of somebody else. Say it again?",
        bye="It's been nice talking. Bye!",
    )


@OWN.variant
class OwnGivesStatusCodes(OwnMannered):
    """A back office with states for everything."""

    VOICE = Wording(
        "states",
        ask=(
            "State: INFORMATION NEEDED ({slot}). {question}",
            "State: WAITING FOR CUSTOMER. {question}",
        ),
        options="Allowed values: {options}.",
        offer=("State: PROPOSED. {label}. {facts}",),
        fact="[{slot}] {value}.",
        between=" ",
        ask_to_book=(
            "State: NOT ORDERED. Move to ORDERED?",
            "Move this request from PROPOSED to ORDERED?",
        ),
        confirm="State: DRAFT. {label}, {details}. Move from DRAFT to ORDERED?",
        booked=("State: FULFILLED. {label}, {details}. File {ref}.",),
        changed="State: AMENDED AND FULFILLED. {label}, {details}. File {ref}.",
        refused=(
            "State: DECLINED BY VENUE (no capacity). {label}, {details}. Resubmit "
            "with another {others}?",
        ),
        none=("State: NO MATCH. {noun}, {wanted}. Resubmit with something else?",),
        tell=("[{slot}] {value}.", "{label} [{slot}] {value}."),
        not_booked="State: NOT ORDERED.",
        more=("State: IDLE. Next request?", "Queue empty. Anything else?"),
        lost="State: INPUT UNCLEAR. Please restate.",
        bye="State: CLOSED. Goodbye.",
    )


DESK = Catalogue("service_desk", apart=True, wave=6)


@DESK.variant
class DeskWorksInAChannel(Varies, RewordsDesk):
    """A bot in a team's channel, with emoji codes."""

    TEMPLATES = (
        (
            r"Please tell me your e-mail address and your badge number first\.",
            ":lock: who's there? I need your e-mail address and your badge number.",
        ),
        (r"^Thank you, (\w+)\.", (r":unlock: hi \1!",)),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            (
                r":hourglass: pending: \1. *yes* to run, *no* to drop it.",
                r":pause_button: ready to \1. Run it?",
            ),
        ),
        (
            r"Your temporary password is (\w+)\. Please change it at your next login\.",
            r":white_check_mark: password reset done. temporary: `\1` (you'll be made "
            r"to change it when you log in).",
        ),
        (
            r"Done: your new (\w+) is (\w+), (an?) ([\w ]+)\.",
            r":white_check_mark: swap done. new \1: `\2`, \3 \4.",
        ),
        (r"I have opened ticket (\w+)\.", r":ticket: opened `\1`."),
        (r"Ticket (\w+) is closed as (\w+)\.", r":white_check_mark: `\1` closed (\2)."),
        (r"(\w[\w ]*) is now assigned to you\.", r":white_check_mark: \1 is on your account now."),
        (r"I am sorry, ", ":no_entry: "),
        (
            r"All right, I have changed nothing\.",
            ":put_litter_in_its_place: dropped, nothing was changed.",
        ),
        (
            r"I am handing you over to a person now\.",
            ":telephone_receiver: over to a human, they'll take it from here.",
        ),
        (r"You are welcome\. Goodbye\.", ":wave: bye!"),
        (r"Is there anything else I can do for you\?", (":eyes: anything else?", "what else?")),
    )


@DESK.variant
class DeskHedges(Varies, RewordsDesk):
    """A careful colleague who would rather say too little than too much."""

    TEMPLATES = (
        (
            r"Please tell me your e-mail address and your badge number first\.",
            "I'm sure you are who you are, but I'd still need your e-mail address "
            "and your badge number, if you don't mind.",
        ),
        (r"^Thank you, (\w+)\.", r"Ah, \1, I believe. Good to hear from you."),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            (
                r"What I could do, if you think it right, is \1. Would you like me to?",
                r"It might be best to \1. Would that be all right with you?",
            ),
        ),
        (
            r"Your temporary password is (\w+)\. Please change it at your next login\.",
            r"That seems to have worked. You should get in with \1, and I think it "
            r"will want a new one from you when you log in.",
        ),
        (
            r"Done: your new (\w+) is (\w+), (an?) ([\w ]+)\.",
            r"It seems the swap has worked: \2 ought to be your new \1, \3 \4 by the look of it.",
        ),
        (r"I have opened ticket (\w+)\.", r"I seem to have got you a ticket, it says \1 here."),
        (r"Ticket (\w+) is closed as (\w+)\.", r"It looks as if \1 is closed now, under \2."),
        (r"(\w[\w ]*) is now assigned to you\.", r"As far as I can see, \1 is yours now."),
        (r"I am sorry, ", "I'd help if I could, but "),
        (
            r"All right, I have changed nothing\.",
            "Perhaps that's for the best; I have changed nothing.",
        ),
        (
            r"Is there anything else I can do for you\?",
            ("Was there possibly something else?", "I don't suppose there's anything else?"),
        ),
    )


SHOP = Catalogue("lamp_shop", apart=True, wave=6)


@SHOP.variant
class ShopShowsButtons(Varies, ShopBot):
    """The shop on a messenger, its buttons in brackets."""

    TEMPLATES = (
        (
            r"Please give me your e-mail address and your postcode\.",
            "👋 Welcome to the lamp shop! First, your e-mail address and your "
            "postcode, please.\n[⌨️ Type below]",
        ),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            (r"🛎️ Your choice: \1\n[✅ Yes, do it] [❌ No, leave it]",),
        ),
        (
            r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"✅ \1 cancelled\n💵 $\2 → your \3\n[🏠 Menu]",
        ),
        (
            r"Order (#W\d+) is to be returned\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"✅ Return of \1 registered\n💵 $\2 → your \3\n[🏠 Menu]",
        ),
        (r"Order (#W\d+) now goes to ([\w ]+)\.", r"✅ \1\n🚚 New address: \2\n[🏠 Menu]"),
        (r"Order (#W\d+) came to ([\d.]+) dollars\.", r"🧾 \1\n💵 $\2\n[🏠 Menu]"),
        (r"I am sorry, ", "😕 Sorry, "),
        (r"All right, nothing was changed\.", "👌 Nothing was changed\n[🏠 Menu]"),
        (r"You are welcome\. Goodbye\.", "💡 Thanks, bye!"),
    )


@SHOP.variant
class ShopIsMotherly(Varies, ShopBot):
    """The shop as a motherly person who tells it as a story."""

    TEMPLATES = (
        (
            r"Please give me your e-mail address and your postcode\.",
            "Hello my dear! Let me put my glasses on. What was your e-mail address, "
            "and your postcode?",
        ),
        (
            r"I will (.+?)\. Shall I go ahead\?",
            (r"So you'd like me to \1, would you, dear? I won't lift a finger until you say yes.",),
        ),
        (
            r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"There, I've taken \1 off the shelf again, it's cancelled. Your \2 "
            r"dollars are off home to your \3.",
        ),
        (
            r"Order (#W\d+) is to be returned\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
            r"There, I've written \1 down to come back to us. Your \2 dollars are off "
            r"home to your \3.",
        ),
        (
            r"Order (#W\d+) now goes to ([\w ]+)\.",
            r"There, I've put a new label on \1, with \2 on it.",
        ),
        (
            r"Order (#W\d+) came to ([\d.]+) dollars\.",
            r"Let me find the slip... \1, that was \2 dollars, dear.",
        ),
        (r"I am sorry, ", "Oh my dear, I wish I could, but "),
        (r"All right, nothing was changed\.", "As you like, dear, we leave it all as it was."),
        (r"You are welcome\. Goodbye\.", "Mind how you go, dear. Goodbye!"),
    )
