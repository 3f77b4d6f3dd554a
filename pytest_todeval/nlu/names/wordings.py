"""The forms in which a name is said."""

from collections.abc import Iterator

from pytest_todeval.nlu.text.plain import plain, words

_GENERIC = """
    the a restaurant hotel guesthouse guest house cambridge bar cafe lodge college nightclub
    cinema theatre church museum gallery pub club bed and breakfast b of in at by city town
    centre bistro tandoori entertainment pool park hall grill limited ltd co
"""
GENERIC = frozenset(_GENERIC.split())
"""Words that do not name anything by themselves."""

_KINDS = """
    restaurant hotel guesthouse guest house bar cafe lodge college nightclub cinema theatre church
    museum gallery pub club bistro pool park hall grill inn court kitchen garden gardens room
    tavern clinic dental surgery studio suites
"""
KINDS = frozenset(_KINDS.split())
"""Words that tell what a venue is: "Harbour Grill" is not Harbour Lodge."""

_COMMON = """
    ask bridge home place city town river express best old new great good golden royal
    university riverside north south east west one two three four five restaurant castle
    regent people person guest guests table room rooms night nights ticket tickets train
    trains taxi station booking missing lucky junction abbey kings queens king queen prince
    sheep whale india indian copper autumn summer winter spring gourmet saffron funky green
    blue red black white yellow grey silver orange little big small large high low free open
    hidden secret happy sunny grand central modern classic market street road lane garden
    gardens house corner square hill lake ocean beach island mountain forest family friends
    lovely nice fine fresh first second last next early late time today tomorrow morning
    evening sunday monday tuesday wednesday thursday friday saturday phone number address
    price food drink coffee pizza burger sushi noodle curry spice spicy kitchen wine beer
    music dance movie movies history science technology nature culture holiday travel
    travellers journey rest stop service help information thanks thank please welcome worth
    paper
"""
COMMON = frozenset(_COMMON.split())
"""Words that begin names but mostly mean themselves: no name is shortened to one of them."""

_EVERYDAY = """
    a all anchor and any apple arch art arts ash at attic back baker band bank barn baron barrel
    bay bear bell better bishop boat boats book books bottle boy bread bridge bright bull
    butcher butter by cake candle captain carriage cart cat cats cellar chair cherry circle
    class clean clear clock cloud club cold common cool cosy couple cow crab craft crafts crown
    cup cutting daily dance dark day days deck den doctor dog dogs door double dream dreams duck
    duke eagle empty exchange eye eyes face factory farm farmer feast field fig fire fish
    fisherman flame foot for fork fountain fountains fox frame free from front full game games
    gardener gate girl glass goose great green half hand hands harbour harvest haven head heart
    hen hive honey hope horse horses hot hour hours in inn inner joy just kettle key knife lady
    lamb lamp leaf lemon letter letters library light lights lily lion lobster lock loft long
    lord loud love lower main man meadow mill miller minute moon my nest number numbers oak of
    office olive on only other our outer pair pan park peace pear pepper perfect picture
    pictures plate play plays plum point pot quay quiet rain rest retreat ring river roof room
    rooms rose roses sail sailor salmon salt school screen sea shepherd ship shop shore short
    show shows side simply single sky smith smoke snow society some song songs sour spoon spot
    stage star stars stay store stories storm story studio sugar sun swan sweet table tables
    tale tales tavern the tide to tower traveller tree trees triangle true trust twin union
    upper view wall walls warm wave waves way week weekly well wheel whole wild wind window wish
    with woman wood woods word words works yard your
"""
_IN_NAMES = frozenset(
    {"restaurant", "kings", "queens", "university", "travellers", "copper", "curry"}
)
EVERYDAY = (COMMON | frozenset(_EVERYDAY.split())) - _IN_NAMES
"""Words that name something only if written as a name: "The Place", not "the place"."""


_DANGLING = frozenset({"and", "of", "the", "at", "by", "saint", "s"})
_PLURALS = frozenset({"guesthouse", "house", "hotel", "lodge"})
_SPELLINGS = (
    ("guest house", "guesthouse"),
    ("guesthouse", "guest house"),
    ("and", ""),
    ("bed and breakfast", "b and b"),
    ("b and b", "bed and breakfast"),
    ("saint", "st"),
    ("st", "saint"),
    ("centre", "center"),
    ("theatre", "theater"),
    ("nightclub", "night club"),
    ("archaelogy", "archaeology"),
)


def tokens_of(text: str) -> tuple[str, ...]:
    """Returns a text's words, made plain."""
    return tuple(word for word, _, _ in words(plain(text)))


def name_wordings(tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Returns the forms in which a name is said, the whole name first.

    Shortened ("warkworth" for Warkworth House), in other spellings, with and without apostrophe
    ("rosa s", "rosas"). Repeats itself; a form may fit several names.
    """
    for form in _shortened(tokens):
        yield form
        yield from _respelled(form)


def _shortened(tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    while len(tokens) > 1 and tokens[0] == "the":
        tokens = tokens[1:]
    yield tokens
    if len(tokens) > 2 and tokens[0] == "cambridge":
        yield tokens[1:]
    yield from (tokens[:end] for end in range(len(tokens) - 1, 0, -1) if _tells(tokens[:end]))


def _tells(head: tuple[str, ...]) -> bool:
    """Says whether the beginning of a name stands for it: more than generic or everyday words."""
    if not any(word not in GENERIC and len(word) > 1 for word in head):
        return False
    if len(head) > 1:
        return head[-1] not in _DANGLING
    return len(head[0]) > 4 and head[0] not in COMMON


def _respelled(form: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    text = f" {' '.join(form)} "
    for one, other in _SPELLINGS:
        if f" {one} " in text:
            yield tuple(text.replace(f" {one} ", f" {other} ").split())
    if " s " in text:
        yield tuple(text.replace(" s ", "s ").split())
    for place, token in enumerate(form):
        if len(token) > 4 and token.endswith("s") and not token.endswith("ss"):
            yield (*form[:place], token[:-1], "s", *form[place + 1 :])
    if form and form[-1] in _PLURALS:
        yield (*form[:-1], form[-1] + "s")
