"""Users as the papers print them: in-context examples, reply formats, shapes of the prompts."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.simulation.llm_user import STRATEGIES, LLMUser
from pytest_todeval.simulation.llm_user.endings import find_ending
from pytest_todeval.simulation.llm_user.reply import read_draft
from pytest_todeval.simulation.llm_user.strategy import Form
from pytest_todeval.simulation.loop import Limits
from tests.support.llm_user_world import HOTEL, play, scripted, settings, turn

KAZI = ["vanilla", "thought", "state_tracking"]
REFERENCE = (
    turn(1, "I need a hotel up north .", "Would the Tall Pine do ?"),
    turn(2, "Fine , for two .", "Done , bye ."),
)
DONE = "<COMPLETE_CONVERSATION>"


@pytest.mark.parametrize("strategy", [*KAZI, *(f"{name}_published" for name in KAZI)])
def test_an_example_is_shown_in_the_form_that_is_asked_for(strategy: str) -> None:
    """LLM user agents, 3.1.1: every prompt has one; it is what makes thought and tracker."""
    said = [f"Thought: hm\nState: {{}}\nResponse: {text}" for text in ("A hotel.", "For 2.")]
    with scripted(*said) as model:
        asked = play(model, strategy, limits=Limits(max_turns=1), bot=["x"]).asked[0]
    shown = "\n".join(str(message["content"]) for message in asked.messages)
    assert "pottery" in shown
    assert ("Thought: " in shown) is ("vanilla" not in strategy)
    label = "User" if "published" in strategy else "Person" if strategy == "vanilla" else "Response"
    assert shown.count(f"\n{label}: ") >= 6
    assert f"{label}: {DONE}" in shown
    assert "{{" not in shown


def test_the_trackers_example_keeps_a_dictionary() -> None:
    prompts = Prompts()
    ours = prompts.get("user_example_state_tracking").messages[0][1]
    assert ours.count("\nState: {") == 6
    published = Prompts(published=True).get("user_example_state_tracking").messages[0][1]
    assert "user_goals = {" in published
    assert published.count("Goal Update:") == 6


def test_examples_of_ones_own_take_its_place_and_none_leave_it_out() -> None:
    for examples, shown, hidden in (
        (["User: ahoy"], "User: ahoy", "pottery"),
        ("User: ahoy", "User: ahoy", "pottery"),
        ((), "", "Conversations of other people"),
    ):
        with scripted("A hotel.", DONE) as model:
            played = play(model, examples=examples, bot=["x"])
        system = str(played.asked[0].messages[0]["content"])
        assert shown in system
        assert hidden not in system


def test_what_the_example_says_is_not_said() -> None:
    copied = "I want a hotel. What does it charge per hour, and what is its address?"
    with scripted(copied, copied) as model:
        played = play(model)
    assert played.dialogue.stop_reason is StopReason.SIMULATOR_FAULT
    assert "repeats its instructions" in played.dialogue.detail


@pytest.mark.parametrize(
    ("written", "text", "thought"),
    [
        ("Thought: north it is\nUser: In the north.", "In the north.", "Thought: north it is"),
        (
            "Thought: so\nGoal Update:\nuser_goals['a'] = 1\nUser: In the north.\nSystem: ok",
            "In the north.",
            "Thought: so\nGoal Update:\nuser_goals['a'] = 1",
        ),
        ("In the north.", "In the north.", ""),
        ("User: In the north.\nUser: Hello?", "In the north.", ""),
        ("**User:** In the north.", "In the north.", ""),
        ("Thought: hm\nResponse: In the north.", "In the north.", "Thought: hm\nResponse:"),
        (f"Thought: all is done\nUser:  {DONE}", DONE, "Thought: all is done"),
        (f"Thought: all is done. {DONE}", DONE, ""),
    ],
)
def test_the_published_format_of_replies(written: str, text: str, thought: str) -> None:
    draft = read_draft(written, Form.SAID)
    assert (draft.text, draft.thought) == (text, thought)


def test_a_thought_alone_is_no_message() -> None:
    with pytest.raises(Unreadable, match="has no line that begins with `User:`"):
        read_draft("Thought: in the north", Form.SAID)


@pytest.mark.parametrize("form", [Form.THOUGHT, Form.STATE])
def test_the_papers_labels_are_read_in_our_own_forms_too(form: Form) -> None:
    draft = read_draft(
        'Thought: hm\nGoal State: {"hotel.booked": "done"}\nUser: In the north.', form
    )
    assert (draft.text, draft.thought) == ("In the north.", "hm")
    if form is Form.STATE:
        assert draft.state == {"hotel.booked": "done"}


def test_a_published_prompt_is_one_text_that_ends_where_the_user_speaks() -> None:
    """Their code completes a single text: example, goal, and the conversation in lines."""
    said = ["Thought: a\nUser: A hotel.", "Thought: b\nUser: For 2.\nSystem: Ok", f"User: {DONE}"]
    with scripted(*said) as model:
        played = play(model, "thought_published", bot=["How many?", "Booked."])
    assert played.heard == ["A hotel.", "For 2."]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    (message,) = played.asked[2].messages
    shown = str(message["content"])
    assert message["role"] == "user"
    lines = [line for line in shown.splitlines() if not line.startswith("⟦")]
    tail = lines[lines.index("Starting the conversation:", len(lines) - 12) + 1 :]
    assert [line.partition(": ⟦")[0] for line in tail] == [
        *("Thought: a", "User: A hotel.", "System", "How many?"),
        *("Thought: b", "User: For 2.", "System", "Booked."),
    ]


def test_the_published_definitions_are_their_own() -> None:
    for name in ("user_vanilla", "user_clem_todd"):
        ours = Prompts().get(name).definition
        theirs = Prompts(published=True).get(name).definition
        assert theirs == f"published {theirs.removeprefix('published ')}" != ours


def test_clem_todd_as_published_has_one_way_out_and_fifteen_turns() -> None:
    """A.7.1 and section 3.1: what cannot be done runs to the limit."""
    strategy = STRATEGIES["clem_todd_published"]
    assert (strategy.max_turns, STRATEGIES["clem_todd"].max_turns) == (15, None)
    system = Prompts(published=True).get("user_clem_todd").messages[0][1]
    assert "cannot" not in system
    assert "cannot" in Prompts().get("user_clem_todd").messages[0][1]
    with scripted("A hotel.", "DONE") as model:
        played = play(model, "clem_todd_published", bot=["Booked."])
    assert played.dialogue.stop_reason is StopReason.USER_DONE


def test_autotods_user_follows_the_dialogue_of_people() -> None:
    with scripted("Yes, for 2.", "Thank you. Dialogue Ends.") as model:
        played = play(model, "autotod", bot=["How many?", "Booked."], reference=REFERENCE)
    assert played.heard == ["I need a hotel up north .", "Yes, for 2."]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.dialogue.last_words == "Thank you."
    (message,) = played.asked[0].messages
    shown = str(message["content"])
    assert "AI Assistant: Would the Tall Pine do ?" in shown
    assert "User: I need a hotel up north .\nAI Assistant: ⟦chatbot" in shown
    assert shown.endswith("User:")
    assert STRATEGIES["autotod"].max_turns == 15


def test_autotods_user_speaks_by_itself_if_people_had_no_dialogue() -> None:
    with scripted("A hotel.\nAI Assistant: Which?", "Dialogue Ends") as model:
        played = play(model, "autotod", bot=["Booked."])
    assert played.heard == ["A hotel."]
    assert "as a reference" not in str(played.asked[0].messages[0]["content"])


def test_its_ending_is_no_other_users() -> None:
    assert find_ending("The dialogue ends here.") is None
    found = find_ending("dialogue ends", ends=True)
    assert found is not None
    assert (found.words, found.token) == ("", "dialogue ends")


def test_a_papers_own_prompt_with_a_place_for_the_history_works(tmp_path: Path) -> None:
    """AutoEval-ToD's I.1 has all that was said in one text."""
    (tmp_path / "user_vanilla.md").write_text(
        "---\nversion: theirs\n---\n# user\nThe issue: {{goal}}\nSo far: {{history}}\nGo on.",
        encoding="utf-8",
    )
    with scripted("A hotel.", "For 2.", DONE) as model:
        played = play(model, "vanilla", bot=["How many?", "Booked."], prompts=tmp_path)
    assert played.heard == ["A hotel.", "For 2."]
    (message,) = played.asked[1].messages
    assert "So far: User: A hotel.\nChatbot: ⟦chatbot" in str(message["content"])
    assert "How many?" in str(message["content"])


def test_a_prompt_with_the_history_needs_the_goal_and_no_tools(tmp_path: Path) -> None:
    path = tmp_path / "user_vanilla.md"
    path.write_text("---\nversion: 1\n---\n# user\n{{history}}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"user_vanilla: it lacks \{\{goal\}\}"):
        LLMUser(HOTEL, "m", prompts=tmp_path)


def test_published_users_play_at_temperature_0_unless_told_otherwise() -> None:
    for strategy, set_to, sent in (
        ("autotod", None, 0),
        ("clem_todd_published", 0.7, 0.7),
        ("clem_todd", None, None),
    ):
        with scripted("A hotel.", "Dialogue Ends" if strategy == "autotod" else "DONE") as model:
            warm = replace(settings(model), temperature=set_to)
            user = LLMUser(HOTEL, warm, strategy)
            assert user.respond(None).text == "A hotel."
            user.respond(turn(1, "A hotel.", "Booked."))
        assert [request.body.get("temperature") for request in model.requests] == [sent, sent]


def test_no_two_dialogues_share_what_was_said() -> None:
    with scripted("A hotel.", f"User: {DONE}", "A room.", f"User: {DONE}") as model:
        play(model, "vanilla_published", bot=["x"])
        second = play(model, "vanilla_published", bot=["x"], goal=Goal("2", "mine", HOTEL.domains))
    assert "A hotel." not in str(second.asked[3].messages[0]["content"]).split("Conversation:")[-1]
