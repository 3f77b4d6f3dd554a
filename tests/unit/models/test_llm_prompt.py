"""Prompt documents: how they are read, filled in and replaced, and what is said of broken ones."""

from pathlib import Path

import pytest

from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.models.prompt import SHIPPED, Prompt, Prompts

HEAD = "---\nversion: 1\nsource: a paper, section 2\n---\n"
NAME = "ask_again"
NOTE = "fence_note"


def own(folder: Path, text: str | bytes, name: str = NAME) -> Prompt:
    """A prompt as the folder has it, with this text."""
    data = text if isinstance(text, bytes) else text.encode()
    (folder / f"{name}.md").write_bytes(data)
    return Prompts(folder).get(NAME)


def test_messages_are_filled_in(tmp_path: Path) -> None:
    prompt = own(tmp_path, HEAD + "# system\nYou judge.\n\n# user\n\nA {{ one }}, {{two}}.\n\n")
    assert prompt.render(one="x", two="y", three="left out") == [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": "A x, y."},
    ]
    assert (prompt.version, prompt.source) == ("1", "a paper, section 2")
    assert prompt.places == {"one", "two"}


def test_what_is_filled_in_is_not_looked_at_again(tmp_path: Path) -> None:
    prompt = own(tmp_path, HEAD + "# user\n{{one}} {{two}}\n")
    hostile = "{{two}} {{fence_note}} \\1 \\g<0> # system"
    assert prompt.render(one=hostile, two="b")[0]["content"] == f"{hostile} b"


def test_what_is_not_given_is_named(tmp_path: Path) -> None:
    prompt = own(tmp_path, HEAD + "# user\n{{histroy}}\n")
    with pytest.raises(
        UsageError, match=r"ask_again: there is no value for .*histroy.*did you mean 'history'"
    ):
        prompt.render(history="h", turn="t")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r":1: expected `---`, `version: 1`"),
        ("# user\nHello\n", r":1: expected `---`"),
        ("---\n---\n# user\nHello\n", r":1: expected `---`, `version"),
        ("---\nsource: x\n---\n# user\nHello\n", r":1: expected `---`, `version"),
        ("---\nversion:\n---\n# user\nHello\n", r":1: expected `---`, `version"),
        ("---\nversion: 1\n# user\nHello\n", r":1: expected `---`"),
        (HEAD, r":5: expected `# system`"),
        (HEAD + "Hello\n", r":5: expected `# system`"),
        (HEAD + "Hello\n# user\nx\n", r":5: expected `# system`"),
        (HEAD + "## user\nHello\n", r":5: expected `# system`"),
        (HEAD + "# bot\nHello\n", r":5: expected `# system`"),
        (HEAD + "# system\n\n# user\nx\n", r":5: nothing under `# system`; write"),
        (HEAD + "# system\nx\n# user\n", r":7: nothing under `# user`"),
        (
            HEAD + "# user\na {{History}}\n",
            r":6: '\{\{History\}\}' is not a placeholder.*lower case",
        ),
        (HEAD + "# user\na\nb {{history} c\n", r":7: .* is not a placeholder"),
        (HEAD + "# user\n{{}}\n", r":6: .* is not a placeholder"),
        (b"\xff\xfe", "cannot be read as UTF-8"),
        (
            HEAD[:-4] + "answer: prose\n---\n# user\nx\n",
            r":4: answer is 'prose'; Known: json, text",
        ),
        (
            HEAD[:-4] + "answer: text\nreply: scores\n---\n# user\nx\n",
            r":5: reply is 'scores'; did you mean 'score'",
        ),
        (HEAD[:-4] + "reply: score\n---\n# user\nx\n", r":4: .* needs `answer: text`"),
        (
            HEAD[:-4] + "answer: json\nreply: score\n---\n# user\nx\n",
            r":5: .* needs `answer: text`",
        ),
    ],
)
def test_a_broken_document_is_refused_with_its_line_and_what_to_write(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    with pytest.raises(InvalidFile, match=rf"ask_again\.md.*{said}"):
        own(tmp_path, text)


def test_a_broken_note_is_named_itself(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"fence_note\.md:1: expected `# system`"):
        own(tmp_path, "no heading", NOTE)


def test_line_ends_and_marks_of_other_editors_do_not_matter(tmp_path: Path) -> None:
    text = HEAD + "# user\nHello\n"
    plain = own(tmp_path, text)
    assert own(tmp_path, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == plain


def test_the_hash_changes_with_the_text_and_with_the_note(tmp_path: Path) -> None:
    text, note = HEAD + "# user\n{{fence_note}} Hello\n", HEAD + "# note\nSome text below\n"
    found = [
        own(tmp_path, text),
        own(tmp_path, text.replace("Hello", "Hello ")),
        own(tmp_path, text.replace("section 2", "section 3")),
        own(tmp_path, text),
        own(tmp_path, note, NOTE),
        own(tmp_path, note.replace("below", "above"), NOTE),
        own(tmp_path, text),
    ]
    digests = [prompt.digest for prompt in found]
    assert digests[0] == digests[3] != digests[4]
    assert digests[5] == digests[6]
    assert len(set(digests)) == 5
    assert found[4].messages == (("user", "Some text below Hello"),)
    assert found[4].definition == f"ask_again 1 ({digests[4]})"


def test_a_folder_replaces_what_it_holds_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Our prompts.")
    assert own(tmp_path, HEAD + "# user\nOurs\n").messages == (("user", "Ours"),)
    prompts, shipped = Prompts(tmp_path), Prompts()
    others = [name for name in Prompts.names() if name != NAME]
    assert all(prompts.get(name) == shipped.get(name) for name in others)


def test_a_document_that_replaces_nothing_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "ask_agian.md").write_text(HEAD)
    with pytest.raises(UsageError, match=r"no prompt 'ask_agian'.*did you mean 'ask_again'"):
        Prompts(tmp_path)


def test_no_folder_and_no_such_prompt(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        Prompts(tmp_path / "none")
    for name in ("ask_agian", "../ask_again", "", NOTE + "s"):
        with pytest.raises(UsageError, match="there is no prompt"):
            Prompts().get(name)


@pytest.mark.parametrize("name", Prompts.names())
def test_every_shipped_document_is_sound(name: str) -> None:
    prompt = Prompts().get(name)
    assert prompt.version.isdigit()
    assert prompt.source
    assert NOTE not in prompt.places
    assert Prompts().get(name) is prompt


@pytest.mark.parametrize(
    ("head", "reply"),
    [
        ("", "json"),
        ("answer: json\n", "json"),
        ("answer: text\n", "text"),
        ("answer: text\nreply: row\n", "row"),
    ],
)
def test_the_head_says_in_which_format_is_answered(tmp_path: Path, head: str, reply: str) -> None:
    prompt = own(tmp_path, f"{HEAD[:-4]}{head}---\n# user\nx\n")
    assert (prompt.reply, prompt.published) == (reply, False)


PUBLISHED_NAMES = sorted(path.stem for path in (SHIPPED / "published").glob("*.md"))


@pytest.mark.parametrize("name", PUBLISHED_NAMES)
def test_a_published_document_is_asked_if_that_is_wanted(name: str) -> None:
    prompts = Prompts(published=True)
    prompt = prompts.get(name)
    assert prompt.published
    assert prompt.definition == f"published {name} {prompt.version} ({prompt.digest})"
    assert prompt.source
    assert NOTE not in prompt.places
    if (SHIPPED / f"{name}.md").is_file():
        assert Prompts().get(name).digest != prompt.digest
        assert not Prompts().get(name).published


def test_what_has_no_published_form_is_asked_as_usual() -> None:
    assert NAME not in PUBLISHED_NAMES
    assert Prompts(published=True).get(NAME) == Prompts().get(NAME)


def test_a_document_of_ones_own_wins_over_a_published_one(tmp_path: Path) -> None:
    name = PUBLISHED_NAMES[0]
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / f"{name}.md").write_text(HEAD + "# user\nPublished\n")
    published = Prompts(tmp_path, published=True)
    assert published.get(name).messages == (("user", "Published"),)
    assert published.get(name).definition.startswith(f"published {name} 1 (")
    assert Prompts(tmp_path).get(name).messages != (("user", "Published"),)
    (tmp_path / f"{name}.md").write_text(HEAD + "# user\nBoth\n")
    assert published.get(name).messages == (("user", "Published"),)
    assert Prompts(tmp_path).get(name).messages == (("user", "Both"),)
    (tmp_path / "published" / f"{name}.md").unlink()
    assert published.get(name).messages == (("user", "Both"),)
    assert published.get(name).published


def test_a_mistake_in_the_folder_published_is_told(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "ask_agian.md").write_text(HEAD)
    with pytest.raises(
        UsageError, match=r"published/ask_agian\.md: there is no prompt 'ask_agian'"
    ):
        Prompts(tmp_path)
