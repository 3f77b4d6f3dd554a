"""`hearing:`: sentences taught by example, read from files and found in a bot's text."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.example import Example
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.notation import notation, parse_claim
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile
from pytest_todeval.facts.dialogue import gather
from pytest_todeval.nlu.examples.reading import MOST, read_examples
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.names.lexicon import lexicon
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.worlds.files.reading import load_goal_file
from tests.conftest import must_end


def example(says: str, *means: str) -> Example:
    return Example(says, tuple(map(parse_claim, means)))


KNOWN = Vocabulary(
    {"salon": ("Shear Bliss", "The Cutting Room")},
    {"stylist": ("Maria Lopez", "Jo")},
    (
        example("You're good to go!", "booked"),
        example("How long is your hair?", "request hair_length"),
        example("Your stylist will be {stylist}.", "inform stylist={stylist}"),
        example("Not a chance.", "booking_failed"),
        example("It has been popped in the book.", "booked"),
        example("You're in.", "booked"),
        example("Boom!", "booked"),
        example("Shear Bliss is counting on you at 7", "booked"),
        example("{name} has a spot with your name on it", "offer {name}"),
        example("Keep {code} safe", "reference {code}"),
        example("Your table is booked in our hearts"),
        example("Nearly there", "future booked"),
        example("Give me a shout", "request_more"),
        example("Only {stylist} does {colour} there", "inform colour={colour} of {stylist}"),
        example("Fancy {name}?", "offer {name}"),
    ),
)


def heard(text: str, vocabulary: Vocabulary = KNOWN) -> list[str]:
    claims = listen(text, vocabulary, domain="salon")
    return [notation(claim).removeprefix("salon: ") for claim in claims]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("YOU ARE GOOD TO GO", ["booked"]),
        ("Well, you're now good to go.", ["booked"]),
        ("Great news: you’re really good to go for Friday.", ["booked", "inform day=friday"]),
        ("How long's your hair?", ["request hair_length"]),
        ("It's popped in the book.", ["booked"]),
        ("That's it, it was just popped in the book", ["booked"]),
        ("Not a chance!!", ["booking_failed"]),
    ],
)
def test_case_punctuation_contractions_and_fillers_make_no_difference(
    text: str, claims: list[str]
) -> None:
    assert heard(text) == claims


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("You aren't good to go yet.", "denied booked"),
        ("You will be good to go soon.", "future booked"),
        ("Once you pay, you're good to go.", "conditional booked"),
        ("You're good to go once you've paid.", "conditional booked"),
        ("If you confirm, it's popped in the book.", "conditional booked"),
        ("I can't say that you're good to go.", "denied booked"),
        ("Is it true that you're good to go?", "asked booked"),
        ("Nearly there!", "future booked"),
    ],
)
def test_the_words_around_it_say_how_far_it_is_so(text: str, claim: str) -> None:
    assert heard(text) == [claim]


def test_an_example_that_is_a_question_means_it_in_one() -> None:
    assert heard("Fancy The Cutting Room?") == ["offer The Cutting Room"]


def test_a_hedge_is_a_doubt() -> None:
    (claim,) = listen("I believe you're good to go.", KNOWN, domain="salon")
    assert claim.act is Act.BOOKED
    assert claim.holds
    assert "believe" in claim.doubt


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Your stylist will be Maria Lopez.", ["inform stylist=Maria Lopez"]),
        (
            "Your stylist will be Ann-Kathrin Berg, who is great",
            ["inform stylist=Ann-Kathrin Berg"],
        ),
        ("Your stylist will be jo and she starts soon", ["inform stylist=Jo"]),
        ("Your stylist will not be Kim", ["denied inform stylist=Kim"]),
        ("Keep AB-12C safe.", ["reference AB-12C"]),
        ("Only Kim does balayage there.", ["inform colour=balayage of Kim"]),
        ("The Cutting Room has a spot with your name on it", ["offer The Cutting Room"]),
        ("Chez Marie has a spot with your name on it", ["offer Chez Marie"]),
    ],
)
def test_gaps_take_a_few_words(text: str, claims: list[str]) -> None:
    assert heard(text) == claims


def test_a_gap_does_not_reach_over_the_end_of_a_sentence() -> None:
    assert heard("Your stylist will be. Anyone.") == []
    assert "reference" not in " ".join(heard("Keep calm. Be safe."))


def test_known_names_and_values_may_be_others_of_their_slot() -> None:
    found = heard("The Cutting Room is counting on you at 8:30 pm")
    assert {"booked", "offer The Cutting Room"} <= set(found)
    assert any(claim.startswith("inform time=20:30") for claim in found)


def test_what_is_taught_wins_over_what_is_built_in() -> None:
    bare = Vocabulary(KNOWN.names, KNOWN.values)
    assert heard("Your table is booked in our hearts.", bare) == ["restaurant: booked"]
    assert heard("Your table is booked in our hearts.") == []
    assert heard("Your table is booked in our hearts. Your table is booked.") == [
        "restaurant: booked"
    ]


@pytest.mark.parametrize(
    "text", ["You're in luck today.", "You're in the north of town.", "I heard a boom there."]
)
def test_a_short_example_is_not_the_beginning_of_something_else(text: str) -> None:
    assert not [claim for claim in heard(text) if "booked" in claim]


@pytest.mark.parametrize("text", ["You're in!", "You're in for Friday", "Boom. See you.", "Boom!"])
def test_a_short_example_is_heard_by_itself(text: str) -> None:
    assert "booked" in heard(text)


def test_the_longest_example_wins() -> None:
    both = Vocabulary(
        taught=(example("It's with the team", "booked"), example("It's with the team now to check"))
    )
    assert heard("It's with the team.", both) == ["booked"]
    assert heard("It's with the team now to check.", both) == []


def test_a_taught_booking_is_withdrawn_like_any_other() -> None:
    found = heard("You're good to go. Oh wait, sorry, the booking failed.")
    assert found == ["denied booked", "booking_failed"]


def test_user_and_metrics_hear_what_the_goal_teaches() -> None:
    goal = Goal(
        "one",
        "own",
        (DomainGoal("salon", book={"day": "friday"}, wants_booking=True),),
        hearing=KNOWN.taught,
    )
    text = "It's popped in the book."
    dialogue = Dialogue(goal, (Turn(1, "A cut on Friday, please.", text),))
    assert [c.act for c in gather(dialogue).turns[0].heard] == [Act.BOOKED]
    for known in (None, Vocabulary({"salon": ("Shear Bliss",)}, {"day": ()})):
        user = AgendaUser(goal, known)
        said = user.respond(Turn(1, user.respond(None).text, "Which day would you like?")).text
        assert "friday" in said.lower()
        assert "reference" in user.respond(Turn(2, said, text)).text


def test_a_database_keeps_its_compiled_vocabulary() -> None:
    base = Vocabulary({"salon": ("Shear Bliss",)}, {"day": ("friday",)})
    goals = [
        Goal(name, "own", (DomainGoal("salon", {"day": "friday"}),), hearing=KNOWN.taught)
        for name in ("one", "two")
    ]
    one, two = (base.merged(Vocabulary.from_goal(goal)) for goal in goals)
    assert one is two
    assert one.taught == KNOWN.taught
    assert lexicon(one) is lexicon(two)
    plain = Vocabulary.from_goal(Goal("x", "own", goals[0].domains))
    assert base.merged(plain).merged(plain) == base.merged(plain)


def test_results_keep_what_the_goal_teaches() -> None:
    goal = Goal("one", "own", (DomainGoal("salon", request=("phone",)),), hearing=KNOWN.taught)
    dialogue = Dialogue(goal, (Turn(1, "Hi", "Boom!"),))
    entry = dialogue_entry(dialogue, test="t", outcome=Outcome.PASSED)
    assert dialogue_of(entry).goal.hearing == KNOWN.taught


def test_hostile_texts_take_linear_time() -> None:
    gaps = [example(f"you are {{a}} and {{b}} number {n}", "inform x={a}", "inform y={b}")
            for n in range(400)]  # fmt: skip
    known = Vocabulary(taught=(*KNOWN.taught, *gaps))
    with must_end(30):
        for text in (
            "you are it and number " + " ".join(map(str, range(400))) + "you are it and " * 9000,
            "you are " * 100_000, "you are good to " * 60_000, "your stylist will be " * 50_000,
            "has a spot with " * 50_000, "is not been have " * 50_000, "\x00\x1b[2J" * 200_000,
            "\U000f0000\U000f0001 you're good to go",
        ):  # fmt: skip
            listen(text, known, domain="salon")
    assert heard("\U000f0000 you're good to go \U000f0007", known) == ["booked"]


def hears(
    text: str, *taught: Example, values: Mapping[str, tuple[str, ...]] | None = None
) -> list[str]:
    known = Vocabulary({"salon": ("Shear Bliss",)}, values or {}, taught)
    return heard(text, known)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Expect a text with A7 and Kim in it", ["inform note=a7/kim"]),
        ("Expect a text with one two three four five six seven and Kim in it",
         ["inform note=one two three four five six seven/kim"]),
        ("Expect a text with one two three four five six seven eight and Kim in it", []),
        ("Expect a text with A7. And Kim in it", []),
        ("Expect a text with A7", []),
    ],
)  # fmt: skip
def test_gaps_stand_within_a_value_and_take_seven_words(text: str, claims: list[str]) -> None:
    taught = example("Expect a text with {code} and {who} in it", "inform note={code}/{who}")
    assert hears(text, taught) == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("You owe the desk 30 today", ["inform price=30"]),
        ("You owe the desk one two three four five six seven eight", [
            "inform price=one two three four five six seven"]),
        ("You owe the desk 3.50, as ever", ["inform price=3.50"]),
        ("You owe the desk 30, as ever", ["inform price=30"]),
        ("You owe the desk 30 because you do", ["inform price=30"]),
        ("You owe the desk", []),
    ],
)  # fmt: skip
def test_a_gap_at_the_end_stops_at_a_sign_or_a_word_that_goes_on(
    text: str, claims: list[str]
) -> None:
    assert hears(text, example("You owe the desk {sum}", "inform price={sum}")) == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Kim is in the house", ["inform stylist=Kim"]),
        ("Well, and Kim is in the house", ["inform stylist=Kim"]),
        ("Sorry but old Kim is in the house", ["inform stylist=old Kim"]),
        ("one two three four five six seven eight is in the house",
         ["inform stylist=two three four five six seven eight"]),
        (", is in the house", []),
        ("is in the house", []),
    ],
)  # fmt: skip
def test_a_gap_at_the_beginning(text: str, claims: list[str]) -> None:
    assert hears(text, example("{who} is in the house", "inform stylist={who}")) == claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We saved 3 crates for you", True), ("We saved seven crates for you", True),
        ("We saved 8:30 crates for you", True), ("We saved some crates for you", False),
        ("We saved", False), ("We saved now 3 crates for you", True),
    ],
)  # fmt: skip
def test_a_number_in_an_example_may_be_another(text: str, found: bool) -> None:
    assert ("booked" in hears(text, example("We saved 5 crates for you", "booked"))) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Oak chairs are yours to keep", True), ("Pine chairs are yours to keep", True),
        ("Iron chairs are yours to keep", False), ("Chairs are yours to keep", False),
    ],
)  # fmt: skip
def test_a_value_at_the_beginning_of_an_example_may_be_another(text: str, found: bool) -> None:
    taught = example("Oak chairs are yours to keep", "booked")
    assert ("booked" in hears(text, taught, values={"wood": ("oak", "pine")})) is found


def test_a_value_that_the_meaning_names_is_the_one_that_is_said() -> None:
    taught = example("The oak one rocks", "inform wood=oak")
    values = {"wood": ("oak", "pine")}
    assert hears("The pine one rocks", taught, values=values) == ["inform wood=pine"]
    assert hears("The oak one rocks", taught, values=values) == ["inform wood=oak"]
    plain = example("The big one rocks", "inform size=large")
    assert hears("The big one rocks", plain) == ["inform size=large"]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("You have now been popped in", ["booked"]),
        ("You will soon have been popped in", ["future booked"]),
        ("You are no longer popped in", ["denied booked"]),
        ("You are going to be popped in", ["future booked"]),
    ],
)
def test_a_verb_may_stand_in_another_tense(text: str, claims: list[str]) -> None:
    assert hears(text, example("You were popped in", "booked")) == claims


# Reading.


def write(tmp_path: Path, text: str, name: str = "hearing.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_list_of_sentences_and_a_list_of_meanings(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\
hearing:
  - says: ["You're in!", "Boom, {code}!"]
    means: [booked, "reference {code}"]
""",
    )
    with pytest.raises(InvalidFile, match="a gap that is not in it"):
        read_examples(path)
    path.write_text('- {says: ["Sorted!", "Boom, {code}!"], means: nothing}')
    with pytest.raises(InvalidFile, match="is not in what it means"):
        read_examples(path)
    path.write_text('- {says: ["Sorted!", "Boom, pal!"], means: [booked, offer_book]}')
    assert read_examples(path) == tuple(
        example(says, "booked", "offer_book") for says in ("Sorted!", "Boom, pal!")
    )
    path.write_text('- {says: "Sorted!", means: nothing}')
    assert read_examples(path) == (Example("Sorted!", ()),)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- {says: You are in, means: boked}", 1, "names no act; known: request"),
        ("- {says: You are in, means: [booked, 7]}", 1, "got 7, expected a claim such as `booked`"),
        ("- {says: You are in, means: []}", 1, "got an empty list"),
        ("- {says: You are in}", 1, "`means` is missing"),
        ("- {says: You are in, means: booked, meens: x}", 1, "did you mean 'means'?"),
        ("- {says: '  !! ', means: booked}", 1, "expected a sentence with words in it"),
        ("- {says: '', means: booked}", 1, "expected a sentence with words in it"),
        ("- {says: [], means: booked}", 1, "got a list, expected a sentence"),
        ("- {says: 7, means: booked}", 1, "got 7, expected a sentence"),
        ("- You are in", 1, "got 'You are in', expected a mapping"),
        ("hearing: yes", 1, "got 'yes', expected a list"),
        ("heering: []", 1, "`hearing` is missing; did you mean 'heering'?"),
        (
            "- {says: 'By {x}', means: 'inform stylist={y}'}",
            1,
            "the gap {x} is not in what it means",
        ),
        ("- {says: By us, means: 'inform stylist={y}'}", 1, "a gap that is not in it; it has none"),
        ("- {says: 'By {x} and {x}', means: 'inform a={x}'}", 1, "stands in it twice"),
        (
            "- {says: 'By {x} {y}', means: ['inform a={x}', 'inform b={y}']}",
            1,
            "nothing stands between",
        ),
        ("- {says: '{x}', means: 'inform a={x}'}", 1, "got only gaps"),
        (
            "- {says: '{a} or {b} or {c} or {d} or {e} so', means: ['inform a={a}', "
            "'inform a={b}', 'inform a={c}', 'inform a={d}', 'inform a={e}']}",
            1,
            "got 5 gaps, expected 4 at most",
        ),
        (
            f"- {{says: {'la ' * 101}, means: booked}}",
            1,
            "got 302 characters, expected 300 at most",
        ),
        (
            "- {says: Sorted for you, means: booked}\n"
            "- {says: 'SORTED, for you now!', means: nothing}",
            2,
            "means `nothing` here, and the same words mean `booked` on line 1",
        ),
        (
            "- {says: Sorted for you, means: booked}\n"
            "- says:\n  - All right then\n  - Sorted for you!\n"
            "  means: [booked, offer_book]",
            4,
            "means `booked` and `offer_book` here",
        ),
    ],
)
def test_what_is_no_example_is_told_with_its_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InvalidFile) as caught:
        read_examples(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert said in str(caught.value)


def test_at_most_so_many_sentences(tmp_path: Path) -> None:
    lines = [f"- {{says: Sorted number {n}, means: booked}}" for n in range(MOST + 1)]
    path = write(tmp_path, "\n".join(lines))
    with pytest.raises(InvalidFile, match=f"got {MOST + 1} sentences, expected {MOST} at most"):
        read_examples(path)
    path.write_text("\n".join(lines[:-1]))
    assert len(read_examples(path)) == MOST


def test_a_goal_file_teaches_all_its_goals(tmp_path: Path) -> None:
    goals = """\
hearing:
  - {says: Boom!, means: booked}
goals:
  - id: one
    domains: {salon: {request: [phone]}}
  - id: two
    domains: {salon: {request: [phone]}}
"""
    path = write(tmp_path, goals, "goals.yaml")
    assert [goal.hearing for goal in load_goal_file(path).goals] == [
        (example("Boom!", "booked"),)
    ] * 2
    path.write_text(goals.replace("means: booked", "means: bokked"))
    with pytest.raises(
        InvalidFile, match=r"goals\.yaml:2: hearing\.0\.means: 'bokked' names no act"
    ):
        load_goal_file(path)
