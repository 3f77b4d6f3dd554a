"""Users in other languages: prompts of one's own, right-to-left text, no ASCII needed."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from tests.support.llm_user_world import play, scripted

TOKEN = "<COMPLETE_CONVERSATION>"


@dataclass(frozen=True)
class Speech:
    """A short dialogue in one language, with its templates."""

    language: str
    wish: str
    plain: str
    thought: str
    again: str
    user: tuple[str, str, str]
    bot: tuple[str, str, str]
    bye: str


FRENCH = Speech(
    "français",
    "Vous cherchez un hôtel au nord, pour 2 personnes.",
    "Vous jouez un client. Votre souhait : {{goal}} À la fin, écrivez {{token}}. {{fence_note}}",
    "Réfléchissez (Thought:), puis parlez (Response:). Souhait : {{goal}} Fin : {{token}}.",
    "Ce message ne va pas ({{why}}). Recommencez, ou terminez par {{token}}.",
    ("Bonjour, je cherche un hôtel.", "Plutôt au nord, s’il vous plaît !", "Pour 2 personnes."),
    ("Dans quel quartier ?", "Pour combien de personnes ?", "C’est réservé."),
    "Merci, au revoir !",
)
TURKISH = Speech(
    "Türkçe",
    "Kuzeyde 2 kişilik bir otel istiyorsunuz.",
    "Bir müşteriyi oynuyorsunuz. İsteğiniz: {{goal}} Bitince {{token}} yazın.",
    "Önce düşünün (Thought:), sonra konuşun (Response:). İstek: {{goal}} Bitiş: {{token}}.",
    "Bu ileti olmaz ({{why}}). Yeniden yazın ya da {{token}} ile bitirin.",
    ("İyi günler, bir otel arıyorum.", "IŞIKLI bir yer, kuzeyde olsun.", "2 kişi için."),
    ("Hangi bölgede?", "Kaç kişi?", "Rezervasyonunuz yapıldı."),
    "Teşekkürler, hoşça kalın!",
)
ARABIC = Speech(
    "العربية",
    "تبحث عن فندق في الشمال لشخصين.",
    "أنت تؤدي دور زبون. ما تريده: {{goal}} في النهاية اكتب {{token}}. {{fence_note}}",
    "فكر أولا (Thought:) ثم تكلم (Response:). ما تريده: {{goal}} النهاية: {{token}}.",
    "لا تصلح هذه الرسالة ({{why}}). اكتبها من جديد أو اختم بـ {{token}}.",
    ("مرحبا، أبحث عن فندق.", "في الشمال لو سمحت؟", "لشخصين، مَعَ الشُّكْر."),
    ("في أي منطقة؟", "لكم شخص؟", "تم الحجز."),
    "شكرا، مع السلامة!",
)
ALL = pytest.mark.parametrize("speech", [FRENCH, TURKISH, ARABIC], ids=lambda s: s.language)


def prompts(folder: Path, speech: Speech) -> Path:
    head = "---\nversion: 1\nsource: own\n---\n"
    turns = "# user\n…\n# user\n{{answer}}\n"
    for name, system in (("user_vanilla", speech.plain), ("user_thought", speech.thought)):
        (folder / f"{name}.md").write_text(f"{head}# system\n{system}\n{turns}", encoding="utf-8")
    (folder / "user_again.md").write_text(f"{head}# note\n{speech.again}\n", encoding="utf-8")
    return folder


def goal(speech: Speech) -> Goal:
    return Goal("a", "b", (DomainGoal("hotel", {"area": "nord"}),), (speech.wish,))


@ALL
@pytest.mark.parametrize("token", [TOKEN, "\u200f<complete conversation>\u200f", "**###STOP###**"])
def test_a_dialogue_in_any_language(speech: Speech, token: str, tmp_path: Path) -> None:
    own = prompts(tmp_path, speech)
    with scripted(*speech.user, f"{speech.bye} {token}") as model:
        played = play(
            model, goal=goal(speech), bot=speech.bot, prompts=own, language=speech.language
        )
    assert played.heard == list(speech.user)
    assert [turn.system for turn in played.dialogue.turns] == list(speech.bot)
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.dialogue.last_words == speech.bye
    system = str(played.asked[0].messages[0]["content"])
    assert system.startswith(speech.plain.split("{")[0].strip())
    assert speech.wish in system
    assert all(f"\n{said}\n" in played.text(played.asked[-1]) for said in speech.bot)


@ALL
def test_a_thought_in_any_language_stays_with_the_user(speech: Speech, tmp_path: Path) -> None:
    own = prompts(tmp_path, speech)
    said = [f"Thought: {speech.bye}\nResponse: {each}" for each in (*speech.user, TOKEN)]
    with scripted(*said) as model:
        played = play(model, "thought", goal=goal(speech), bot=speech.bot, prompts=own)
    assert played.heard == list(speech.user)
    assert played.dialogue.stop_reason is StopReason.USER_DONE


@ALL
def test_repeats_echoes_and_farewells_in_any_language(speech: Speech, tmp_path: Path) -> None:
    own = prompts(tmp_path, speech)
    first, second, _ = speech.user
    with scripted(first, f"  {first.upper()}", second, speech.bye, *[speech.bye] * 2) as model:
        bot = [*speech.bot[:2], speech.bye]
        played = play(model, goal=goal(speech), bot=bot, prompts=own)
    assert played.heard == [first, second, speech.bye]
    assert played.dialogue.stop_reason is StopReason.USER_DONE
    assert played.dialogue.detail == "said the same farewell twice"
    assert speech.again.split("(")[0] in played.asked[2].last_user
    long = f"{speech.bot[0]} {speech.bot[1]} {speech.bot[2]}"
    with scripted(first, long, long) as model:
        played = play(model, goal=goal(speech), bot=[long], prompts=own)
    assert played.dialogue.stop_reason is StopReason.SIMULATOR_FAULT
    assert "repeats the words of the chatbot" in played.dialogue.detail


@ALL
def test_a_line_of_a_prompt_of_ones_own_is_known_when_it_leaks(
    speech: Speech, tmp_path: Path
) -> None:
    secret = f"{speech.bye} {speech.user[0]} {speech.bot[2]}"
    head = "---\nversion: 1\n---\n# system\n{{goal}}\n"
    turns = "# user\n…\n# user\n{{answer}}\n"
    own = tmp_path / "user_vanilla.md"
    own.write_text(f"{head}{secret.replace('!', ',').replace('.', ',')}\n{turns}", encoding="utf-8")
    with scripted(secret, secret) as model:
        played = play(model, goal=goal(speech), prompts=tmp_path)
    assert played.dialogue.stop_reason is StopReason.SIMULATOR_FAULT
    assert "repeats its instructions" in played.dialogue.detail
