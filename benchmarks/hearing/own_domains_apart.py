"""Goals, domains and wordings that are held out: who works on the ear knows their totals only.

Written apart from the ear, with the bot of `own_domains.py`.
"""

from collections.abc import Mapping

from benchmarks.hearing.own_domains import Domain, Wording, rows

__all__ = ["DOMAINS", "GOALS", "WORDINGS"]

GOALS = """
goals:
- id: night-ferry-with-cabin
  message: You want the night ferry to Skarvik for 2 passengers on Friday, with a vehicle.
  domains:
    ferry:
      inform: {port: Skarvik, crossing: overnight}
      book: {sailing_day: friday, passengers: 2, vehicle: "yes"}
      request: [fare, berth]
- id: day-boat-full
  message: You want the day boat to Oxmouth on Sunday, else on Monday.
  domains:
    ferry:
      inform: {port: Oxmouth, crossing: daytime}
      book: {sailing_day: monday, passengers: 3, vehicle: "no"}
      fail_book: {sailing_day: sunday}
- id: ferry-to-nowhere
  message: You would go to Lundholm, else to Skarvik by day. You only ask.
  domains:
    ferry:
      inform: {port: Skarvik, crossing: daytime}
      fail_inform: {port: Lundholm, crossing: daytime}
      request: [check-in time, ship]
- id: tent-with-power
  message: You want a pitch for a tent with electricity from Saturday for 4 nights.
  domains:
    campsite:
      inform: {shelter: tent, ground: grass}
      book: {arrival_day: saturday, nights: 4, electricity: "yes"}
      request: [rate]
- id: camper-on-gravel
  message: You want a pitch for a camper on Tuesday, else on Wednesday.
  domains:
    campsite:
      inform: {shelter: camper, ground: gravel}
      book: {arrival_day: wednesday, nights: 2, electricity: "no"}
      fail_book: {arrival_day: tuesday}
      request: [field]
- id: heron-field
  message: You want to know about the pitch called Heron Corner.
  domains:
    campsite:
      inform: {pitch: Heron Corner}
      request: [dog rule, rate]
- id: physics-at-five
  message: You want a physics lesson for exams on Thursday at 17:10.
  domains:
    tutor:
      inform: {subject: physics, aim: exams}
      book: {pupil: Odile, day: thursday, time: "17:10"}
      request: [teacher, fee]
- id: spanish-later
  message: You want Spanish for travel at 18:20, else at 19:40.
  domains:
    tutor:
      inform: {subject: spanish, aim: travel}
      book: {pupil: Casper, day: monday, time: "19:40"}
      fail_book: {time: "18:20"}
- id: latin-or-chess
  message: You want chess lessons, else Latin. You only ask.
  domains:
    tutor:
      inform: {subject: latin, aim: exams}
      fail_inform: {subject: chess, aim: exams}
      request: [room, fee]
- id: new-brakes
  message: You want the brakes of your city bike done on 9 April at 08:15.
  domains:
    bike repair:
      inform: {job: brakes, bicycle: city bike}
      book: {date: 9 April, time: "08:15"}
      request: [cost]
- id: gears-another-date
  message: You want the gears of your racer done on 2 May, else on 6 May.
  domains:
    bike repair:
      inform: {job: gears, bicycle: racer}
      book: {date: 6 May, time: "12:30"}
      fail_book: {date: 2 May}
      request: [mechanic, workshop]
- id: wheel-info
  message: You want to know how long a wheel takes.
  domains:
    bike repair:
      inform: {job: wheel, bicycle: racer}
      request: [turnaround]
- id: ferry-then-camp
  message: You take the day boat to Skarvik and then camp.
  domains:
    ferry:
      inform: {port: Skarvik, crossing: daytime}
      book: {sailing_day: thursday, passengers: 4, vehicle: "yes"}
    campsite:
      inform: {shelter: tent, ground: gravel}
      book: {arrival_day: friday, nights: 3, electricity: "no"}
      request: [field]
- id: lesson-then-brakes
  message: You want a Latin lesson and your brakes done.
  domains:
    tutor:
      inform: {subject: latin, aim: exams}
      book: {pupil: Odile, day: wednesday, time: "16:05"}
      request: [teacher]
    bike repair:
      inform: {job: brakes, bicycle: racer}
      book: {date: 14 June, time: "10:45"}
"""

DOMAINS: Mapping[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain(
            "ferry", "crossing", "crossings", r"\bferr(?:y|ies)\b|\bboats?\b|\bsail\w*(?! day)",
            ("port", "crossing"),
            {"sailing_day": "day", "passengers": "number", "vehicle": "flag"},
            rows("port | crossing | fare | berth | check-in time | ship",
                 "Skarvik | daytime | 31 pounds | deck | 07:20 | MV Petunia",
                 "Skarvik | overnight | 58 pounds | C114 | 20:35 | MV Gannet",
                 "Oxmouth | daytime | 22 pounds | deck | 09:05 | MV Petunia"),
            label="the {crossing} crossing to {port}",
            questions={"port": "To which port are you going?",
                       "crossing": "Would you like a daytime or an overnight crossing?",
                       "sailing_day": "On which day do you sail?",
                       "passengers": "How many passengers are there?",
                       "vehicle": "Will you bring a vehicle?"},
            unknown={"port": ("Lundholm",)},
        ),
        Domain(
            "campsite", "pitch", "pitches", r"\bcamp ?sites?\b|\bcamp(?:ing)?\b|\bpitch(?:es)?\b",
            ("shelter", "ground"),
            {"arrival_day": "day", "nights": "number", "electricity": "flag"},
            rows("pitch | shelter | ground | rate | field | dog rule",
                 "Heron Corner | tent | grass | 17 pounds a night | lower field | on a lead",
                 "Stony End | tent | gravel | 13 pounds a night | top field | no dogs",
                 "Wagon Row | camper | gravel | 28 pounds a night | gate field | on a lead"),
            named_by="pitch",
            questions={"shelter": "Do you come with a tent or a camper?",
                       "ground": "What ground would you like to stand on?",
                       "arrival_day": "On which day do you arrive?",
                       "nights": "How many nights will you stay?",
                       "electricity": "Do you need electricity?"},
            unknown={"shelter": ("yurt",)},
        ),
        Domain(
            "tutor", "lesson", "lessons", r"\btutors?\b|\btutoring\b|\blessons?\b",
            ("subject", "aim"),
            {"pupil": "text", "day": "day", "time": "time"},
            rows("subject | aim | teacher | fee | room",
                 "physics | exams | Mr Adair | 34 pounds | Room 12",
                 "spanish | travel | Ms Ibarra | 27 pounds | Room 3",
                 "spanish | exams | Ms Ibarra | 31 pounds | Room 3",
                 "latin | exams | Dr Quist | 36 pounds | Room 9"),
            label="a {subject} lesson ({aim})",
            questions={"subject": "Which subject is it?", "aim": "What is it for?",
                       "pupil": "What is the pupil called?", "day": "Which day suits the pupil?",
                       "time": "What time is best?"},
            unknown={"subject": ("chess",)},
            texts={"pupil": ("Odile", "Casper")},
        ),
        Domain(
            "bike repair", "repair", "repairs", r"\bbike repairs?\b|\brepair\w*\b|\bbike shop\b",
            ("job", "bicycle"),
            {"date": "date", "time": "time"},
            rows("job | bicycle | cost | mechanic | workshop | turnaround",
                 "brakes | city bike | 21 pounds | Lotte | Mill Lane Yard | 2 hours",
                 "brakes | racer | 29 pounds | Emre | Canal Shed | 3 hours",
                 "gears | racer | 44 pounds | Emre | Canal Shed | 5 hours",
                 "wheel | racer | 52 pounds | Lotte | Mill Lane Yard | 2 days"),
            label="the {job} of a {bicycle}",
            questions={"job": "What has to be done?", "bicycle": "What kind of bicycle is it?",
                       "date": "On which date will you bring it?",
                       "time": "At what time will you bring it?"},
        ),
    )
}  # fmt: skip

WORDINGS: Mapping[str, Wording] = {
    wording.name: wording
    for wording in (
        Wording(
            "agent",
            ask=("Got it! Next, could you tell me the {slot}?",
                 "Thanks for that. {question}"),
            options="You can choose between {options}.",
            offer=("Based on your preferences, **{label}** looks like a great fit. {facts} I "
                   "haven't reserved it yet.",
                   "I've checked our system, and {label} is available. {facts}"),
            fact="Its {slot} is {value}.", between=" ",
            ask_to_book=("Shall I go ahead and reserve it?",
                         "If you're happy with that, would you like me to complete the booking?"),
            confirm=("Just to make sure that I have everything right: {label}, with {details}. "
                     "Can I go ahead and book this?"),
            booked=("All set! 🎉 I was able to book {label} for you ({details}). Your confirmation "
                    "code is {ref}.",
                    "You're confirmed for {label} ({details})! Your confirmation code: {ref}."),
            changed="All set! Your booking has been updated: {label} ({details}), code {ref}.",
            refused=("I wasn't able to complete this booking, since {label} is no longer available "
                     "for your choice ({details}). Could you give me another {others}?",),
            none=("I searched our system but couldn't find a {noun} with {wanted}. Would you like "
                  "to try something different?",),
            tell=("Good question! The {slot} is {value}.", "That would be {value} for the {slot}."),
            not_booked="No booking has been made so far.",
            more=("What else can I help you with?", "Is there something else I can do for you?"),
            lost="I'm sorry, I didn't catch that. Could you say it differently?",
            bye="It was a pleasure to help. Take care!",
            detail="{slot} {value}",
        ),
        Wording(
            "desk",
            ask=("Need {slot}.", "{slot} pls?"),
            options="Avail: {options}.",
            offer=("1 match. {label}. {facts} Status: open.",),
            fact="{slot}: {value}.", between=" ",
            ask_to_book=("Reserve? Reply YES or NO.",),
            confirm="",
            booked=("CONFIRMED. {label}. {details}. Ref {ref}.",
                    "Booking OK. {label}. {details}. Ref {ref}."),
            changed="AMENDED. {label}. {details}. Ref {ref}.",
            refused=("UNAVAILABLE: {label}, {details}. Send other {others}.",),
            none=("0 matches: {noun}, {wanted}. Change search?",),
            tell=("{slot}: {value}.",),
            not_booked="Not reserved.",
            more=("Next request?",),
            lost="Not understood. Repeat.",
            bye="Session closed.",
            detail="{slot} {value}", detail_between="; ",
        ),
        Wording(
            "concierge",
            ask=("May I ask which {slot} you have in mind?", "If I may: {question}"),
            options="We would be delighted to arrange {options}.",
            offer=("It would be my pleasure to propose {label}. {facts}",
                   "Might I suggest {label}? {facts}"),
            fact="You will find that the {slot} is {value}.", between=" ",
            ask_to_book=("Would it please you if I arranged it?",
                         "May I take the liberty of reserving it on your behalf?"),
            confirm=("Allow me to repeat: {label}, {details}. Nothing is settled until I have your "
                     "word. Is everything to your liking?"),
            booked=("Consider it arranged: {label}, {details}. I have noted your reservation under "
                    "{ref}.",
                    "It has been my pleasure to secure {label} for you, {details}. Kindly mention "
                    "{ref} when you arrive."),
            changed="With pleasure, I have altered it: {label}, {details}, now under {ref}.",
            refused=("To my great regret, every place has been taken, so I could not secure this "
                     "for you ({details}). Might another {others} be agreeable?",),
            none=("I regret to say that no {noun} of that description ({wanted}) is to be had. May "
                  "I look for another?",),
            tell=("The {slot}, if you please, is {value}.", "I am told that the {slot} is "
                  "{value}."),
            not_booked="I have yet to reserve it.",
            more=("May I be of further service?", "Is there anything more I might do for you?"),
            lost="I beg your pardon, would you repeat that?",
            bye="I wish you a most pleasant day.",
            detail="{slot} {value}",
        ),
        Wording(
            "translated",
            ask=("{question} Please to answer.", "I need still from you the {slot}."),
            options="There are {options}.",
            offer=("I can offer to you {label}. {facts}", "For this we have {label}. {facts}"),
            fact="As {slot} it has {value}.", between=" ",
            ask_to_book=("Should I book this for you?", "You would like that it gets booked?"),
            confirm="I repeat: {label}, {details}. It is so correct?",
            booked=("All is clear, {label} is now firmly booked ({details}). Your number is "
                    "{ref}.",
                    "It has worked, I could reserve {label} for you ({details}). The number is "
                    "{ref}."),
            changed="I have changed it: {label} ({details}), number {ref}.",
            refused=("Unfortunately this is already full ({details}), I can not book it. Is also "
                     "another {others} possible?",),
            none=("We have unfortunately no {noun} with {wanted}. Maybe something other?",),
            tell=("The {slot} is {value}.", "As {slot} there is {value}."),
            not_booked="It is not yet booked.",
            more=("Can I help still with something?", "Do you have another wish?"),
            lost="This I have not understood.",
            bye="Many thanks and until soon.",
            detail="{slot} {value}",
        ),
        Wording(
            "voice",
            ask=("okay so um whats the {slot}", "and the {slot} then"),
            options="i got {options}",
            offer=("yeah so i got {label} uh {facts}", "right so theres {label} {facts}"),
            fact="{slot} thats {value}", between=" and ",
            ask_to_book=("do you want me to put you in for that", "should i get that booked"),
            confirm="okay so thats {label} {details} is that right",
            booked=("alright thats you in for {label} {details} and uh your number is {ref}",
                    "okay thats all done its {label} {details} and the number is {ref}"),
            changed="okay ive moved it so now its {label} {details} number {ref}",
            refused=("ah no that ones gone {details} got any other {others}",),
            none=("no sorry i got no {noun} with {wanted} you want something else",),
            tell=("the {slot} uh thats {value}", "{slot} is {value}"),
            not_booked="nah its not booked yet",
            more=("anything else", "what else can i do for you"),
            lost="sorry what was that",
            bye="okay bye then",
            detail="{slot} {value}",
        ),
        Wording(
            "checkout",
            ask=("Please select: {slot}", "Choose your {slot}:"),
            options="[{options}]",
            offer=("We have this for you: {label}. {facts}",),
            fact="{slot} - {value}.", between=" ",
            ask_to_book=("Add to basket and check out?", "Order now?"),
            confirm="Your basket: {label}, {details}. Place your order now?",
            booked=("Thank you for your order! {label}, {details}. Order number: {ref}.",
                    "Order placed. {label}, {details}. Your order number is {ref}."),
            changed="Order changed. {label}, {details}. Order number: {ref}.",
            refused=("Oops, this has just sold out ({details}). Please select another {others}.",),
            none=("0 results: no {noun} with {wanted}. Refine your search?",),
            tell=("{slot} - {value}.", "{slot}: {value}."),
            not_booked="Your order has not been placed.",
            more=("Continue shopping?", "Anything else for you?"),
            lost="Invalid input.",
            bye="Thank you for shopping with us.",
            detail="{slot} {value}",
        ),
    )
}  # fmt: skip
