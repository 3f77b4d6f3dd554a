"""The words of everyday service talk: who says them has told nothing of the world yet.

Words for what stands in no record (weather, dishes, people, works on the line) are left out on
purpose: a reply that states something with them states what its bot cannot know.
"""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
LONGEST = 40
"""Characters of a word that is looked at."""


def stems(text: str) -> list[str]:
    """The stems of a text's words, in order."""
    return [stem(word) for word in _WORD.findall(text)]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """What is left of a word without its endings: "booking" and "booked" are one."""
    word = re.split(r"['\u2019]", word[:LONGEST].lower())[0]
    if word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "ly", "er", "est"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word[:-1] if word.endswith(("e", "i", "y")) and len(word) > 3 else word


_FUNCTION = """
a an the this that these those it its itself he she them their you your yourself we us our i me my
mine myself who whom whose which what when where why how whether if then else and or but nor so yet
because since although though while whereas unless until till as than like of to in on at by for
from with without within into onto out up down off over under above below between among through
during before after about around across along against towards near nearby beside beyond behind
inside outside next per via versus except despite instead rather is are am was were be been being
do does did done doing have has had will would shall should can could may might must ought need
dare let get got gotten gonna wanna gotta not no none never nothing nobody nowhere neither either
both each every all any some most more many much few less least several enough other another such
same own only just also too very quite really even still already again once twice here there
everywhere anywhere somewhere anything something everything anyone someone everyone anybody
somebody everybody however therefore thus hence moreover furthermore otherwise meanwhile anyway
indeed perhaps maybe doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
cannot ll ve re m s t d em ya y'all one two three four five six seven eight nine ten eleven twelve
thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty
seventy ninety hundred thousand first second third fourth fifth last half quarter double single
couple pair dozen number zero oh
"""
_TIME = """
monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december today tonight tomorrow yesterday now soon later earlier
early always usually often sometimes rarely morning noon midday afternoon night midnight day week
weekend month year hour minute moment time date o'clock clock pm ago away daily long short ahead
advance immediate instantly recent current previous follow upcoming eve meantime duration period
begin start end finish past future
"""
_TALK = """
hello hi hey greetings welcome dear sir madam bye goodbye cheers thanks please sorry apology
apologise apologize pardon excuse regret yes yeah yep yup nope okay ok alright right sure certain
absolutely definitely exactly correct course fine great good better best nice lovely wonderful
fantastic excellent perfect brilliant awesome super terrific amazing cool glad happy pleasure
delight excited enjoy fun hope wish luck congratulations well kind unfortunately sadly fortunately
afraid alas oops ah um uh hmm hm wow aha honest frank clear obvious actual basic simple plain quick
brief easy hard difficult tricky simply worry problem trouble inconvenience patience patient wait
hold hang rush hurry mind matter concern question query answer reply respond response ask say tell
speak talk chat mention call word message conversation discuss explain describe detail information
info fact example instance case point reason purpose sense idea thought think know understand
understood realise realize remember recall forget notice mean guess suppose assume believe feel
sound seem appear look see watch hear listen read write type spell repeat said told heard seen
needful revert guys folk stay bit lot little sort plus promise trust free rest assured entire whole
total complete feedback review touch reach contact side hand heart smile pleasant superb splendid
grand delightful memorable safe journey trip travel travelling visit tour occasion special
interesting recap summary sum summarise summarize overall general particular specific especially
mainly promptly cordially respectfully sincerely thankfully truly pretty fairly
"""
_SERVICE = """
help assist assistance support serve service provide give present suggest suggestion recommend
recommendation advise advice propose proposal option alternative choice choose pick select
selection prefer preference want require requirement necessary mandatory optional request order
book reserve reservation arrange arrangement organise organize schedule plan prepare confirm
confirmation verify check search find found seek browse explore consider decide decision agree
accept approve approval decline refuse reject deny cancel cancellation change modify modification
update amend adjust edit fix add remove delete replace swap exchange switch return refund repay pay
payment paid purchase buy bought sell sold sale cost charge price fare fee amount bill balance
money cash budget afford cheap expensive moderate affordable reasonable pricey economical
inexpensive value worth rate range low high big large small medium size figure quantity count
reference code id ticket record file account name surname address email mail phone telephone mobile
postcode zip list menu item entry result match fit suit suitable appropriate criteria filter
constraint condition category class area part region district location located situated place spot
site position centre center central town city north south east west middle street road avenue lane
venue establishment house building facility feature amenity available availability vacancy vacant
open close full busy limited restaurant hotel guesthouse guest attraction train taxi cab car
vehicle ride station departure depart destination arrive arrival leave platform seat table room bed
people person adult group family customer client user member passenger food cuisine meal dinner
lunch eat internet wifi fi star entrance admission inclusive include exclude cover contain consist
keep put set make made take taken bring brought go going gone come came pass send sent receive
deliver collect drop pickup run work process proceed continue carry finalise finalize handle manage
deal treat resolve solve solution issue error fail failure success successful succeed try tried
attempt able unable possible impossible unlikely allow permit restrict kept stick stand meet met
join share save secure store register enter input fill form submit press click direct directions
guide further additional extra spare left remain different similar various variety wide separate
together alone false wrong mistake incorrect invalid valid exist new old original minimum maximum
average approximate roughly almost precise top popular famous known quality standard style decent
comfortable convenient convenience distance apart walking useful helpful important straight way use
used using depend based according due step stage final stop pause resume retry green light policy
rule term agreement system tool access login log password badge colour color reset unlock lock lost
team lead human agent colleague representative department desk office staff transfer forward cause
regular round identity identification identify authenticate authentication verification
payable pound pence penny dollar euro gbp usd eur quid supervisor description
"""
_STATE = """
basically happen become became turn grow shown fall rise move live belong relate refer involve
expect imagine doubt wonder interest satisfy catch miss lack plenty increase decrease reduce raise
minus difference equal compare comparison worse worst ideal bad poor capable responsible aware
familiar keen unsure key major minor common normal typical unique individual personal private
public official legal formal unavailable absent incomplete thing stuff bottom front back home
"""
_LIVELY = """
disposal gesture privilege delighted joy dream magic wonder world life darling honey champ boss
captain lad lass luv pet duck hun sweetheart guv squire amigo brother bro fam vibe lit banger gem
treasure jewel pearl rockstar hero genius pro wizard brain eye ear finger thumb nose face foot leg
arm shoulder horse bird fish bee cow chicken egg cherry apple pie moon sky ground earth sail wheel
gear engine road map compass bridge key clock bell whistle drum tune game goal ball jump stage act
scene story tale chapter page spoon fork knife penny mile inch yard hat shoe sleeve belt button
thread stitch string knot net bag box basket bucket plot dot dash mark bullet shot bang boom bump
chill cool hot warm cold dry wet soft hard tough rough smooth sharp clear dark light arrears
earliest convenience attempt glance peek gander scan skim dive deep whole nutshell pickle jam pinch
stretch spin whirl buzz shoutout honour favour favor blessing grace charm thrill kick splash treat
truth mistake fault blame excuse guess hunch clue hint sign signal sense feeling mood spirit soul
mind crystal bright shiny golden proper decent solid strong weak heavy massive huge tiny enormous
little giant epic obviously definitely literally totally honestly frankly basically essentially
technically officially personally apparently presumably possibly hopefully luckily thankfully
surely truly madly deeply quickie freebie goodie cuppa chit chat natter yarn gab ping poke nudge
permit grant allowance permission consent nod approval say-so illness sickness sick ill frustration
disappointment annoyance confusion misunderstanding circumstance discretion exception document
documentation evidence preference satisfaction expectation interaction discussion completion
submission rejection inquiry enquiry guidance clarification notification consideration
determination outcome possibility opportunity requirement procedure limitation constraint category
section combination portion remainder connection conclusion adjustment selection preparation
attention understanding explanation impression intention effort emphasis urgency necessity wallet
pocket registered register enrol verification purpose shortlist jotted gather compile dig dug
pulled handpicked heads-up rundown recapped snag hiccup glitch apologetic hassle sweet sort legend
tons loads plenty ace fab folk folks shout giving taking making having being getting letting
putting setting telling asking saying going coming fancy head whereabouts dollar pence pound quid
given gave tend delay ring took went frustrate tie tied appreciate retrieve initial strict regard
eligible eligibility restriction method hesitate situation action importance aspect flexible
flexibility determine specify correspond incur entitle qualify desire adhere resolution escalate
ensure apply application communicate communication whenever whatever whichever wherever whoever
insufficient upon primary prior website online relevant regardless status coverage encounter
indicate associated respective comply acknowledge context capability function proof grab jot pencil
pen written wrote tick squared settle reckon fetch pop chap buddy dude friend fellow howdy ta brill
swell neat gotcha yay hooray voila bingo bravo marvellous marvelous gorgeous charming cosy cozy
fabulous lush stoked thrilled honoured honored humble obliged grateful gratitude courtesy politely
humbly respect esteem behalf tad slight bunch load heap handful pull nail queue adding tap punch
checkout overnight sat stood ate eaten eatery lodging accommodation inn bnb lift ran drove
timetable purse mid midrange upmarket upscale steep bargain percent percentage multiply divide
calculate calculation sequence digit alphabet capital lowercase uppercase spelt hyphen slash
underscore symbol character emoji bold row column field title footer format text sentence paragraph
language english spoke spoken translate pronounce accent proceeding unsuccessful pending objective
target intend aim rebook reschedule postpone backup fallback clarify elaborate narrow broaden widen
refine relax loosen tighten overview outline breakdown gist headline highlight upshot jiffy sec mo
shake cheerful cheery weekday fortnight workday dawn dusk hiya hullo salutations farewell ciao
goodnight incapable scope remit ability authorised authorized source refundable nonrefundable post
dispatch version variant username hit rank alphabetically
"""
EVERYDAY = frozenset(
    stem(word)
    for words in (_FUNCTION, _TIME, _TALK, _SERVICE, _STATE, _LIVELY)
    for word in words.split()
)
"""Their stems."""
