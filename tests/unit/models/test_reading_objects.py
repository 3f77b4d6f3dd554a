"""The JSON object in a reply, however a model wraps and spells it."""

import pytest

from pytest_todeval.models.reading.objects import DEPTH, OBJECT, find_object, find_objects
from pytest_todeval.models.reading.reader import Unreadable

VERDICT = {"reason": "it's there", "score": 4}

SHAPES = (
    '{"reason": "it\'s there", "score": 4}',
    '  \n{"reason": "it\'s there",\n "score": 4,\n}\n',
    '```json\n{"reason": "it\'s there", "score": 4}\n```',
    '```\n{"reason": "it\'s there", "score": 4}\n```',
    'Sure! It\'s this: {"reason": "it\'s there", "score": 4} What\'s next?',
    '[{"reason": "it\'s there", "score": 4}]',
    '{"reason": "it\'s there", "score": 4} {"score": 4, "reason": "it\'s there"}',
    "{'reason': \"it's there\", 'score': 4}",
    "{'reason': 'it\\'s there', 'score': 4,}",
    "{'reason': 'it\\x27s there', 'score': 4}",
    'For {name}: {"reason": "it\'s there", "score": 4}',
    '<think>{"score": 1}</think>{"reason": "it\'s there", "score": 4}',
)


@pytest.mark.parametrize("text", SHAPES)
def test_the_object_is_found(text: str) -> None:
    assert find_object(text) == VERDICT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{}", {}),
        ("{'a': True, 'b': False, 'c': None}", {"a": True, "b": False, "c": None}),
        ('{"a": "True, None,]"}', {"a": "True, None,]"}),
        ("{'a': 'say \"hi\"'}", {"a": 'say "hi"'}),
        ('{"a": "line\none"}', {"a": "line\none"}),
        ('{"a": "} {", "b": [1, {"c": "]"},],}', {"a": "} {", "b": [1, {"c": "]"}]}),
        ('{"a": "\\u0041\\\\"}', {"a": "A\\"}),
        ("{'a': '\\\\'}", {"a": "\\"}),
        ('{"a": -1.5e3}', {"a": -1500.0}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ("{'hotel': {'stars': '4', 'area': None}}", {"hotel": {"stars": "4", "area": None}}),
    ],
)
def test_what_it_holds_is_kept(text: str, value: dict[str, object]) -> None:
    assert find_object(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no object",
        "[1, 2]",
        "{name}",
        "}{",
        '{"a": 1',
        '{"a": 1]',
        '{"a": "',
        '{"a": "\\',
        '{"a" 1}',
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": true}}',
        '{"a": 1} {"a": true}',
        '{"a": 1} {"a": 1.0}',
        '{"a": 1} {"b": {}',
        '{"a": 1} {"a": oops}',
        '{"a": oops, "b": {"a": 1}}',
        '{{"a": 1}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e400}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a": __import__("os").system("true")}',
        '{"a": "\\udc00"}',
        "{'a': 'it's'}",
        "{'a', 'b'}",
        "{'a': (1, 2)}",
        '{"a": 1 /* note */}',
        '{"a":' * (DEPTH + 1) + "1" + "}" * (DEPTH + 1),
    ],
    ids=lambda text: repr(text[:40]),
)
def test_what_is_not_one_object_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        find_object(text)


def test_the_text_around_keeps_its_places() -> None:
    text = 'One\ufffc{"a": 1}, two {"a": 2}, and {b}.'
    found, around = find_objects(text)
    assert found == [{"a": 1}, {"a": 2}]
    assert around == f"One {OBJECT * 8}, two {OBJECT * 8}, and {{b}}."
