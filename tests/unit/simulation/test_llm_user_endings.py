"""How a model says that its user has left, in every spelling the notes on real replies list."""

import pytest

from pytest_todeval.simulation.llm_user.endings import TokenMeaning, find_ending, without_endings

BYE = "Thanks, that is all."


@pytest.mark.parametrize(
    "token",
    [
        "<COMPLETE_CONVERSATION>",
        "<COMPLETE CONVERSATION>",
        "<complete conversation>",
        "<Complete-Conversation>",
        "**<COMPLETE_CONVERSATION>**",
        "`<COMPLETE_CONVERSATION>`",
        r"<COMPLETE\_CONVERSATION>",
        "[COMPLETE CONVERSATION]",
        "&lt;COMPLETE CONVERSATION&gt;",
        "<COMPLETE CONVERSATION",
        "<COMPLETE_CONVERSATION/>",
        "< COMPLETE CONVERSATION >",
        "COMPLETE_CONVERSATION",
        "###STOP###",
        "### STOP ###",
        "###stop###",
        "##STOP##",
        "**###STOP###**",
        r"\#\#\#STOP\#\#\#",
        "###STOP",
        "<STOP>",
    ],
)
@pytest.mark.parametrize("done", [False, True])
def test_a_token_ends_the_dialogue_alone_and_within_a_text(token: str, done: bool) -> None:
    alone = find_ending(token, done=done)
    assert alone is not None
    assert alone.words == ""
    after = find_ending(f"{BYE} {token}", done=done)
    assert after is not None
    assert after.words == BYE
    before = find_ending(f"{token}\n{BYE}", done=done)
    assert before is not None
    assert before.words == BYE
    assert find_ending(f"\u200f{token}\u200f", done=done) is not None


@pytest.mark.parametrize(
    "text", ["STOP", "STOP.", "complete conversation", "Complete_Conversation."]
)
def test_a_bare_token_counts_only_alone(text: str) -> None:
    assert find_ending(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Stop, that is the wrong hotel.",
        "Does the bus stop there?",
        "Please complete the booking.",
        "I want a complete conversation about this.",
        "### Stop booking it",
        "I am done with the form, what now?",
        "DONE is what the screen shows.",
        "",
    ],
)
@pytest.mark.parametrize("done", [False, True])
def test_other_texts_go_on(text: str, done: bool) -> None:
    assert find_ending(text, done=done) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DONE", ""),
        ("DONE.", ""),
        ("done", ""),
        ("**DONE**", ""),
        ('"DONE"', ""),
        ("Thank you very much. DONE", "Thank you very much."),
        ("Thank you\nDONE.", "Thank you"),
        ("شكرا جزيلا؟ DONE", "شكرا جزيلا؟"),
    ],
)
def test_done_counts_for_clem_todd_alone_or_as_a_sentence(text: str, words: str) -> None:
    found = find_ending(text, done=True)
    assert found is not None
    assert found.words == words
    assert find_ending(text) is None


@pytest.mark.parametrize("text", ["I am DONE", "Are we done?", "It is done. Done?", "well done"])
def test_done_within_a_sentence_is_a_word(text: str) -> None:
    assert find_ending(text, done=True) is None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("###STOP###", TokenMeaning.DONE),
        ("###TRANSFER###", TokenMeaning.TRANSFER),
        ("### OUT-OF-SCOPE ###", TokenMeaning.OUT_OF_SCOPE),
        ("###OUT_OF_SCOPE###", TokenMeaning.OUT_OF_SCOPE),
    ],
)
def test_the_tokens_of_tau2_are_told_apart(text: str, meaning: TokenMeaning) -> None:
    found = find_ending(f"Well. {text}")
    assert found is not None
    assert (found.meaning, found.words) == (meaning, "Well.")


def test_a_bots_token_is_taken_out() -> None:
    said = "Say <COMPLETE CONVERSATION> or ###STOP### when you are done."
    assert without_endings(said) == "Say … or … when you are done."
    assert without_endings("COMPLETE CONVERSATION") == "…"
    assert find_ending(without_endings(said)) is None
