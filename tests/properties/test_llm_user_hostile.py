"""Whatever a model writes: what is declared comes of it, and no thought reaches the bot."""

from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from pytest_todeval.errors import SimulatorFault
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.llm_user import STRATEGIES, LLMUser
from pytest_todeval.simulation.llm_user.checks import Known, wrong_with
from pytest_todeval.simulation.llm_user.conversation import Conversation
from pytest_todeval.simulation.llm_user.endings import find_ending, without_endings
from pytest_todeval.simulation.llm_user.reply import read_draft
from pytest_todeval.simulation.llm_user.strategy import Form
from pytest_todeval.simulation.llm_user.tracker import Tracker
from tests.conftest import must_end
from tests.support.examples import examples
from tests.support.llm_user_world import HOTEL, turn

PIECES = (
    *("Thought:", "Response:", "State:", "User:", "System:", "\n", " ", "**", "`", '"', "{", "}"),
    *("<think>", "</think>", "<thought>", "</thought>", "<response>", "</response>", "[name]"),
    *("<COMPLETE", " CONVERSATION>", "###STOP###", "###", "STOP", "DONE", ".", "?", "؟", "\u200f"),
    *("hotel", "Ω", "مرحبا", "İ", "⟦", "⟧", "<|im_end|>", '{"response": "hi"}', "\ud83d", "\x00"),
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=20).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(TEXTS, st.sampled_from(Form))
@example("Response:", Form.SAID)
@examples(150)
def test_a_draft_is_read_or_it_is_unreadable(written: str, form: Form) -> None:
    try:
        draft = read_draft(written, form)
    except Unreadable:
        return
    known = Known("goal", ("a line",), Conversation(["a"], ["b"]), ("solution",))
    assert isinstance(wrong_with(draft.text, known), str)
    ending = find_ending(draft.text, done=True)
    assert ending is None or find_ending(ending.words) is None


@given(TEXTS)
@examples(150)
@example("###STOP###STOP###")
@example("<COMPLETE CONVERSATION<COMPLETE CONVERSATION>")
def test_no_ending_is_left_in_what_the_user_is_shown(said: str) -> None:
    assert find_ending(without_endings(said)) is None


@given(st.dictionaries(st.text(max_size=9) | st.just("hotel.inform.area"), JSON, max_size=4))
@examples(100)
def test_a_tracker_keeps_its_parts_whatever_it_is_told(state: dict[str, object]) -> None:
    before = Tracker.of(HOTEL)
    after, _ = before.after(state)
    assert list(after.parts) == list(before.parts)


class Writes(ChatClient):
    """A client whose model writes the same, whatever it is asked."""

    def __init__(self, text: str) -> None:
        super().__init__(ModelSettings("m"))
        self._text = text

    def complete(self, *args: object, **options: object) -> Completion:
        return Completion(self._text)


@example("###STOP######STOP###", "clem_todd")
@example(":\rThought:", "autotod")
@example("Hi.\u2028Thought:", "autotod")
@given(TEXTS, st.sampled_from(sorted(set(STRATEGIES) - {"autoeval_tod"})))
@examples(150)
def test_a_user_speaks_leaves_or_is_at_fault(written: str, strategy: str) -> None:
    user = LLMUser(HOTEL, Writes(written), strategy)
    try:
        said = user.respond(None)
        again = user.respond(turn(1, said.text, "Which area?"))
    except SimulatorFault:
        return
    for each in (said, again):
        assert each.text.strip() or each.stop
        assert find_ending(each.text) is None
        assert "Thought:" not in each.text.splitlines()


def test_no_text_takes_for_ever() -> None:
    known = Known("goal", ("x" * 50,), Conversation(["a"], ["b" * 9000]), ("solution words",))
    pieces = (*PIECES, "<", "#", "\\#", "[a", "{{a", "$", "* ", "error", "_", "<thought>a", "\t\n")
    with must_end(20):
        for piece in pieces:
            text = (piece * 8000)[:8000]
            find_ending(text, done=True)
            without_endings(text)
            wrong_with(text, known)
            for form in Form:
                with suppress(Unreadable):
                    read_draft(text, form)
