"""Right bots of other worlds in manners of real assistants: each finding is a false alarm."""

import re
from dataclasses import replace

from tests.faulty_bots.reshaped import RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import RewordsOwn, clock_words, number_words, pounds_words
from tests.faulty_bots.voiced import spelt_out
from tests.hearing.own_domains import WORDINGS, Desk, OwnBot, Talk, Wording

__all__ = ["DESK", "OWN", "SHOP"]

OWN = Catalogue("own_domains", wave=5)
ORDINALS = {"3": "third", "4": "fourth", "12": "twelfth", "20": "twentieth"}


@OWN.variant
class OwnSpellsByAlphabet(RewordsOwn):
    """Spells each reference with words for letters, and says that it does."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"The reference (?:number )?is (\w+)\.",
            lambda found: f"{found[0]} Let me spell that: {spelt_out(found[1])}. Got it?",
            text,
        )


@OWN.variant
class OwnThinksAloud(OwnBot):
    """Announces each look and thinks aloud."""

    VOICE = replace(
        WORDINGS["plain"],
        ask=("Hmm, so that I search for the right thing: {question}",
             "Let me narrow that down. {question}"),
        options="From what I can see here it could be {options}.",
        offer=("One moment, I am looking... okay, how about {label}? {facts}",
               "Right, let me see... I think {label} fits what you said. {facts}"),
        fact="From what I can see, the {slot} is {value}.",
        ask_to_book=("Should I put that in for you?", "Do you want me to take that one?"),
        booked=("Okay, submitting that... and there it is, it went through: {label}, {details}. "
                "I see {ref} as the reference.",),
        refused=("Let me try that... hmm, no, {label} came back as taken ({details}). Shall I try "
                 "another {others}?",),
        none=("Let me see... hmm, nothing here: no {noun} with {wanted}. What else could work?",),
        tell=("Let me look that up... {slot}: {value}.", "Okay, found it. {value} is the {slot}."),
        more=("Okay, what's next?", "Anything else I should look into?"),
    )  # fmt: skip

    def __init__(self, desk: Desk, wording: Wording) -> None:
        super().__init__(desk, self.VOICE)

    def respond(self, text: str) -> str:
        return super().respond(text.replace("one more thing", "something more"))  # is no number


@OWN.variant
class OwnSumsUpTheTalk(RewordsOwn):
    """Sums up all that was booked and all that was only asked whenever that has grown."""

    told = ""

    def reword(self, text: str) -> str:
        lines = [line for talk in self.talks.values() if (line := self.line(talk))]
        summary = "; ".join(lines)
        if self.waits or summary == self.told:
            return text
        self.told = summary
        return f"{text} Thanks for your patience! To sum up: {summary}."

    def line(self, talk: Talk) -> str:
        """What came of one domain."""
        if talk.item is None:
            return ""
        label = talk.domain.called(talk.item)
        if not talk.booked:
            return f"you asked about {label}, without a booking"
        return f"you have {label} booked ({self.details(talk)}) under {talk.reference}"


@OWN.variant
class OwnSaysNumbersInWords(RewordsOwn):
    """Says amounts, times of day and dates in words."""

    def reword(self, text: str) -> str:
        text = re.sub(r"\b\d\d:\d\d\b", lambda found: clock_words(found[0]), text)
        text = re.sub(
            r"\b(\d+(?:\.\d\d)?) pounds", lambda found: pounds_words(float(found[1])), text
        )
        text = re.sub(
            r"\b(\d{1,2}) (May|June)\b",
            lambda found: f"the {ORDINALS.get(found[1], found[1])} of {found[2]}",
            text,
        )
        return re.sub(
            r"\b(\d{1,3}) (?=minutes|weeks|days?\b)",
            lambda found: f"{number_words(int(found[1]))} ",
            text,
        )


DESK = Catalogue("service_desk", wave=5)


@DESK.variant
class DeskWritesEMails(RewordsDesk):
    """Answers as by e-mail, with greeting and signature."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "to process your request we require your e-mail address and your badge number."),
        (r"^Thank you, (\w+)\.", r"thank you for the details, \1."),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"we propose to \1. Kindly reply with YES if we may proceed."),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"your password has been reset as requested. Temporary password: \1. You will have to "
         r"choose a new one when you next log in."),
        (r"Done: your new (\w+) is (\w+), an? ([\w ]+)\.",
         r"the exchange has been completed. New \1: \2 (\3)."),
        (r"I have opened ticket (\w+)\.", r"a ticket has been raised on your behalf: \1."),
        (r"Is there anything else I can do for you\?",
         "please let us know if we can be of further assistance."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        said = reworded(text, self.TEMPLATES)
        return f"Dear colleague,\n\n{said}\n\nBest regards,\nLarkfield IT Service Desk"


@DESK.variant
class DeskSpeaksSlang(RewordsDesk):
    """The desk as a colleague from the next room."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "heya, gimme your e-mail n badge nr first pls"),
        (r"^Thank you, (\w+)\.", r"cheers \1, gotcha."),
        (r"I will (.+?)\. Shall I go ahead\?", r"so i'd \1, ok w/ you?"),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"there ya go, temp pw's \1, it'll nag you to change it when you log in."),
        (r"Done: your new (\w+) is (\w+), (an?) ([\w ]+)\.",
         r"boom, swapped. \2 is your new \1 (\3 \4)."),
        (r"I have opened ticket (\w+)\.", r"popped a ticket in, it's \1."),
        (r"Ticket (\w+) is closed as (\w+)\.", r"\1's closed now, marked \2."),
        (r"(\w[\w ]*) is now assigned to you\.", r"yep, \1 is all yours."),
        (r"I am sorry, ", "ah soz, "),
        (r"You are welcome\. Goodbye\.", "no probs, see ya!"),
        (r"Is there anything else I can do for you\?", "anythin else?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@DESK.variant
class DeskApologisesAndThinksAloud(RewordsDesk):
    """Is sorry for every bit of trouble, and says what it looks at."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "I'm so sorry you're having trouble! And sorry to be a nuisance, but before I can look "
         "into anything I need your e-mail address and your badge number."),
        (r"^Thank you, (\w+)\.",
         r"Thank you so much, \1, and sorry for the wait. Let me see what we can do."),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"Hmm, okay, I think the best thing would be for me to \1. I hope that's all right? I "
         r"won't touch anything until you say so."),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"Okay, that went through. Sorry again for the hassle! \1 is the temporary password; "
         r"you'll have to pick a fresh one when you log in next."),
        (r"I am sorry, ", "I'm really very sorry about this, and I do apologise, but "),
        (r"You are welcome\. Goodbye\.", "Thank you for being so patient with me. Goodbye!"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@DESK.variant
class DeskReportsInThePast(RewordsDesk):
    """Reports what it went ahead and did, and speaks of itself as the service desk."""

    TEMPLATES = (
        (r"I will (.+?)\. Shall I go ahead\?",
         r"With your permission, the service desk will \1. May it proceed?"),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"The service desk went ahead and reset your password. The temporary one, \1, has to be "
         r"changed when you sign in."),
        (r"Done: your new (\w+) is (\w+), (an?) ([\w ]+)\.",
         r"The service desk went ahead and made the swap. You were given \2, \3 \4, as your new "
         r"\1."),
        (r"I have opened ticket (\w+)\.", r"The service desk went ahead and logged this as \1."),
        (r"Ticket (\w+) is closed as (\w+)\.", r"Ticket \1 was closed; the reason given was \2."),
        (r"(\w[\w ]*) is now assigned to you\.", r"A seat of \1 was assigned to you just now."),
        (r"All right, I have changed nothing\.", "Understood. Nothing was changed."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


SHOP = Catalogue("lamp_shop", wave=5)


@SHOP.variant
class ShopSpeaksSlang(ShopBot):
    """The shop as a mate."""

    TEMPLATES = (
        (r"Please give me your e-mail address and your postcode\.",
         "no worries! need ur e-mail n postcode first tho"),
        (r"I will (.+?)\. Shall I go ahead\?", r"cool, so I'd \1. u good with that?"),
        (r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
         r"aaand it's gone, \1 is cancelled. ya'll get ur $\2 back on ur \3."),
        (r"Order (#W\d+) is to be returned\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
         r"sorted, \1's down as a return. ya'll get ur $\2 back on ur \3."),
        (r"Order (#W\d+) now goes to ([\w ]+)\.", r"sorted, \1's headin to \2 now."),
        (r"Order (#W\d+) came to ([\d.]+) dollars\.", r"\1 was $\2 all in."),
        (r"I am sorry, ", "ah man, soz, "),
        (r"You are welcome\. Goodbye\.", "np, catch ya later!"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@SHOP.variant
class ShopPrintsCards(ShopBot):
    """The shop in cards: one line, its fields divided by bars."""

    TEMPLATES = (
        (r"I will (.+?)\. Shall I go ahead\?",
         r"**Please confirm** | \1 | Status: not done yet | Reply YES or NO"),
        (r"Order (#W\d+) is cancelled\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
         r"**Order cancelled** ✅ | Order: \1 | Refund: $\2 | To: \3"),
        (r"Order (#W\d+) is to be returned\. The ([\d.]+) dollars go back to your ([\w ]+)\.",
         r"**Return requested** ✅ | Order: \1 | Refund: $\2 | To: \3"),
        (r"Order (#W\d+) now goes to ([\w ]+)\.",
         r"**Address updated** ✅ | Order: \1 | Ship to: \2"),
        (r"Order (#W\d+) came to ([\d.]+) dollars\.", r"**Order \1** | Total: $\2"),
        (r"All right, nothing was changed\.", "**No changes made** | As you wish"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)
