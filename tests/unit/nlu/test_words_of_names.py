"""Words of a venue's name: as themselves they name nothing, as a part of the name they do."""

from collections.abc import Callable
from functools import cache

import pytest

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.worlds import registry

CAMBRIDGE = Vocabulary(
    {
        "restaurant": (
            "the golden curry",
            "golden wok",
            "the lucky star",
            "travellers rest",
            "the missing sock",
            "stazione restaurant and coffee bar",
            "city stop restaurant",
            "sesame restaurant and bar",
            "graffiti",
            "the slug and lettuce",
            "midsummer house restaurant",
            "backstreet bistro",
            "ugly duckling",
            "loch fyne",
            "charlie chan",
            "frankie and bennys",
            "the gardenia",
            "kohinoor",
            "shiraz restaurant",
        ),
        "hotel": (
            "bridge guest house",
            "express by holiday inn cambridge",
            "home from home",
            "autumn house",
            "worth house",
            "gonville hotel",
            "huntingdon marriott hotel",
            "the cambridge belfry",
            "acorn guest house",
            "warkworth house",
            "carolina bed and breakfast",
            "alexander bed and breakfast",
            "university arms hotel",
            "hamilton lodge",
            "the lensfield hotel",
        ),
        "attraction": (
            "castle galleries",
            "milton country park",
            "parkside pools",
            "whale of a time",
            "old schools",
            "soul tree nightclub",
            "the fitzwilliam museum",
            "scott polar museum",
            "primavera",
        ),
        "train": (),
        "taxi": (),
    },
    {"food": ("indian", "chinese"), "destination": ("ely", "norwich")},
)
TRADES = Vocabulary(
    {
        "hairdresser": ("Amber Scissors", "The Quick Cut", "Polished Nails and Hair"),
        "garage": ("Swift Motors", "Roadside Rescue", "Bridge Street Garage"),
        "vet": ("Gentle Paws", "Barking Mad", "The Limping Fox"),
        "class": ("Flowing Yoga", "Morning Stretch", "Boxing Basics"),
        "cinema": ("Midnight Express", "Waiting for Marlowe", "The Smiling Dog"),
        "florist": ("Blooming Lovely", "Posy & Fern"),
    },
    {"colour": ("red", "blue"), "service": ("trim", "perm")},
)


@cache
def demo() -> Vocabulary:
    known = registry.load("demo").world.vocabulary()
    assert known is not None
    return known


WORLDS: dict[str, Callable[[], Vocabulary]] = {
    "demo": demo,
    "cambridge": lambda: CAMBRIDGE,
    "trades": lambda: TRADES,
}
WORDS = [
    ("demo", "train", "What day will you be travelling?"),
    ("demo", "train", "On which day are you travelling?"),
    ("demo", "train", "How many of you are travelling?"),
    ("demo", "train", "Where are you travelling from, and when?"),
    ("demo", "train", "Travelling on Friday?"),
    ("demo", "train", "Travelling to St Osmund, I see. Which day?"),
    ("demo", "train", "Enjoy travelling with us!"),
    ("demo", "train", "what day will you be travelling?"),
    ("demo", "train", "I need to know:\n- when you are travelling\n- how many tickets you need"),
    ("demo", "train", "- Travelling from: Marlwick\n- Travelling on: Friday"),
    ("demo", "train", "You are all set for travelling."),
    ("demo", "train", "People travelling in groups save a third."),
    ("demo", "restaurant", "There is dancing after ten."),
    ("demo", "restaurant", "Do you like dancing?"),
    ("demo", "restaurant", "Dancing starts at ten."),
    ("demo", "restaurant", "Their onions are pickled."),
    ("demo", "restaurant", "Everything there is pickled or smoked."),
    ("demo", "restaurant", "The picture on the wall is a little crooked."),
    ("demo", "restaurant", "The frames are gilded."),
    ("demo", "restaurant", "My memory of it seems a bit dented."),
    ("demo", "restaurant", "The courtyard is walled."),
    ("demo", "restaurant", "You can sit in the garden."),
    ("demo", "restaurant", "The food is caribbean: jerk, rice and peas."),
    ("demo", "restaurant", "What would you like to eat on the island?"),
    ("demo", "attraction", "Some of the boats were floating."),
    ("demo", "attraction", "There is a castle and a park nearby."),
    ("demo", "attraction", "Whispering is fine, shouting is not."),
    ("demo", "attraction", "Please keep your voices low: whispering only."),
    ("demo", "attraction", "Pumping up a tyre costs nothing."),
    ("demo", "attraction", "Everything there is electric."),
    ("demo", "attraction", "The stairs are lit by a lantern."),
    ("demo", "hotel", "The rooms are riverside."),
    ("demo", "hotel", "The roof is of slate."),
    ("demo", "hotel", "Is there anything you would like in exchange?"),
    ("demo", "taxi", "Your car will be a red one, with copper stripes."),
    ("demo", "train", "Travelling can be tiring."),
    ("demo", "train", "Travelling would cost 14 pounds."),
    ("demo", "train", "The Travelling time is 40 minutes."),
    ("demo", "restaurant", "Try the Walnut cake."),
    ("demo", "restaurant", "The chef recommends the Oyster platter."),
    ("demo", "hotel", "You want to stay at the Cottage Hotel?"),
    ("demo", "hotel", "The tinker mends pots on the market."),
    ("demo", "hotel", "Hello, I am Tinker, your assistant."),
    ("demo", "hotel", "It lies on Tinker Street."),
    ("demo", "hotel", "The Golden Tinker is another one."),
    ("demo", "restaurant", "Dessert is a walnut cake, and the walnut comes from here."),
    ("demo", "restaurant", "Walnut and pear are its best ice creams."),
    ("demo", "restaurant", "The Old Walnut is not in my list."),
    ("demo", "attraction", "You will hear the cruises announced."),
    ("demo", "attraction", "There are cruises and ruins."),
    ("cambridge", "restaurant", "Which fusion would you like?"),
    ("cambridge", "attraction", "Do you like the moon?"),
    ("trades", "vet", "Is it a fox?"),
    ("trades", "vet", "Put the cat on its paws."),
    ("cambridge", "taxi", "Your taxi is a golden Skoda."),
    ("cambridge", "taxi", "You are lucky, there is one car left."),
    ("cambridge", "taxi", "Lucky you! A taxi is on its way."),
    ("cambridge", "train", "The station is a short walk from the park."),
    ("cambridge", "train", "Is there anything missing from your trip?"),
    ("cambridge", "train", "That is the express, so it won't stop."),
    ("cambridge", "hotel", "Is it worth it?"),
    ("cambridge", "hotel", "Do you want a room with a view of the bridge?"),
    ("cambridge", "hotel", "It feels like a home."),
    ("cambridge", "hotel", "Are you coming in the autumn?"),
    ("cambridge", "restaurant", "The bread comes with sesame."),
    ("cambridge", "restaurant", "I'm afraid the place may look ugly."),
    ("cambridge", "restaurant", "Ugly weather, isn't it?"),
    ("cambridge", "restaurant", "Are you travelling by midsummer?"),
    ("cambridge", "attraction", "Is there a castle you would like to see?"),
    ("cambridge", "attraction", "There is a lodge, a park, a garden and a bridge."),
    ("cambridge", "attraction", "It is good for the soul."),
    ("cambridge", "attraction", "Its schools are old."),
    ("trades", "hairdresser", "Could you be quick?"),
    ("trades", "hairdresser", "Quick question: which colour would you like?"),
    ("trades", "hairdresser", "We have red, amber and blue."),
    ("trades", "hairdresser", "Amber or red?"),
    ("trades", "hairdresser", "Would you like your nails polished?"),
    ("trades", "garage", "The light turned amber."),
    ("trades", "garage", "We promise to be swift."),
    ("trades", "garage", "Swift replies are our aim. What is the number plate?"),
    ("trades", "vet", "Is your dog limping?"),
    ("trades", "vet", "Limping since when?"),
    ("trades", "vet", "Has the barking stopped?"),
    ("trades", "vet", "Barking at night is normal."),
    ("trades", "vet", "The vet is very gentle."),
    ("trades", "class", "Do you prefer boxing?"),
    ("trades", "class", "Boxing is on Tuesday."),
    ("trades", "class", "The movements are flowing."),
    ("trades", "class", "Shall we say morning?"),
    ("trades", "cinema", "The film ends at midnight."),
    ("trades", "cinema", "Are you still waiting?"),
    ("trades", "cinema", "Waiting times are short today."),
    ("trades", "cinema", "Everybody left smiling."),
    ("trades", "florist", "The roses are blooming."),
    ("trades", "florist", "Blooming early this year, aren't they?"),
    ("trades", "florist", "Shall I add a posy?"),
]
PARTS = [
    ("demo", "hotel", "the Tinker has a room", "the travelling tinker"),
    ("demo", "hotel", "The Tinker has a room.", "the travelling tinker"),
    ("demo", "hotel", "The phone number of the Tinker is 01632960264.", "the travelling tinker"),
    ("demo", "hotel", "I've booked the Tinker for you.", "the travelling tinker"),
    ("demo", "hotel", "Travelling Tinker it is.", "the travelling tinker"),
    ("demo", "hotel", "How about the Travelling Tinker?", "the travelling tinker"),
    ("demo", "hotel", "travelling tinker has two rooms left", "the travelling tinker"),
    ("demo", "hotel", "I can offer you the Bellfounder.", "the bellfounder"),
    ("demo", "hotel", "the kestrel has wifi", "the kestrel"),
    ("demo", "hotel", "Old Granary would suit you.", "the old granary"),
    ("demo", "hotel", "Shall I book Pemberton's for you?", "mrs pemberton's"),
    ("demo", "hotel", "You could stay at the Beeches.", "the copper beeches"),
    ("demo", "hotel", "West Wind has a room in the east.", "the west wind"),
    ("demo", "hotel", "I suggest Juniper & Rye.", "juniper & rye"),
    ("demo", "restaurant", "How about the Crooked Fork?", "the crooked fork"),
    ("demo", "restaurant", "crooked fork is british", "the crooked fork"),
    ("demo", "restaurant", "The Peacock serves British food.", "the gilded peacock"),
    ("demo", "restaurant", "I recommend the Walnut.", "the pickled walnut"),
    ("demo", "restaurant", "Pappagallo is Italian and cheap.", "bar pappagallo"),
    ("demo", "restaurant", "What about Rosaria's?", "mama rosaria's"),
    ("demo", "restaurant", "Tbilisi has a table for two.", "tbilisi table"),
    ("demo", "restaurant", "tbilisi has a table for two", "tbilisi table"),
    ("demo", "restaurant", "Hanako is Japanese.", "hanako"),
    ("demo", "restaurant", "There is one called Forno.", "forno settanta"),
    ("demo", "restaurant", "I found the Sundial for you.", "the sundial"),
    ("demo", "attraction", "The Kinema shows old films.", "the electric kinema"),
    ("demo", "attraction", "Dovecote Animal is good for children.", "dovecote animal park"),
    ("cambridge", "restaurant", "How about the Golden Curry?", "the golden curry"),
    ("cambridge", "restaurant", "Lucky Star has a table.", "the lucky star"),
    ("cambridge", "restaurant", "Stazione is in the centre.", "stazione restaurant and coffee bar"),
    ("cambridge", "restaurant", "There is stazione in the centre.",
     "stazione restaurant and coffee bar"),
    ("cambridge", "restaurant", "I'd suggest Sesame.", "sesame restaurant and bar"),
    ("cambridge", "restaurant", "Shiraz serves Mediterranean food.", "shiraz restaurant"),
    ("cambridge", "restaurant", "Frankie and Benny's has a table.", "frankie and bennys"),
    ("cambridge", "hotel", "I have found the Gonville.", "gonville hotel"),
    ("cambridge", "hotel", "the gonville has free rooms", "gonville hotel"),
    ("cambridge", "hotel", "You could try warkworth.", "warkworth house"),
    ("cambridge", "hotel", "Carolina is a cheap one.", "carolina bed and breakfast"),
    ("cambridge", "hotel", "I recommend the Belfry.", "the cambridge belfry"),
    ("cambridge", "hotel", "There is the acorn in the north.", "acorn guest house"),
    ("cambridge", "hotel", "The Marriott has a pool.", "huntingdon marriott hotel"),
    ("cambridge", "hotel", "I'd suggest the lensfield.", "the lensfield hotel"),
    ("cambridge", "attraction", "The Fitzwilliam is free.", "the fitzwilliam museum"),
    ("cambridge", "attraction", "primavera is a gallery in the centre", "primavera"),
    ("trades", "hairdresser", "Amber Scissors is open.", "Amber Scissors"),
    ("trades", "hairdresser", "How about Quick Cut?", "The Quick Cut"),
    ("trades", "hairdresser", "I'd go to Polished Nails.", "Polished Nails and Hair"),
    ("trades", "garage", "Swift has a slot on Monday.", "Swift Motors"),
    ("trades", "vet", "I recommend the Limping Fox.", "The Limping Fox"),
    ("trades", "cinema", "I'd suggest Midnight Express.", "Midnight Express"),
    ("trades", "cinema", "How about Marlowe?", "Waiting for Marlowe"),
]  # fmt: skip


def offered(world: str, domain: str, text: str, user: str = "") -> list[str]:
    heard = listen(text, WORLDS[world](), domain=domain, user_said=user)
    return [str(one.value) for one in heard if one.act is Act.OFFER and one.holds]


@pytest.mark.parametrize(("world", "domain", "text"), WORDS)
def test_a_word_of_a_name_names_nothing(world: str, domain: str, text: str) -> None:
    heard = listen(text, WORLDS[world](), domain=domain)
    assert [one for one in heard if one.act in (Act.OFFER, Act.NO_OFFER)] == []


@pytest.mark.parametrize(("world", "domain", "text", "name"), PARTS)
def test_a_part_of_a_name_names_it(world: str, domain: str, text: str, name: str) -> None:
    assert offered(world, domain, text) == [name]
