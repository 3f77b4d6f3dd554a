"""What is asked as published is what was held to the papers' text, to the letter.

The papers are not on every machine. Each document and schema below was compared with its figure by
the tests beside this one; whoever changes one compares it again (with ../shared/papers) and enters
what this test prints.
"""

import hashlib
import json

import pytest

from pytest_todeval.models.prompt import SHIPPED, Prompts
from tests.papers.test_clem_todd_systems import declared

PROMPTS = sorted(path.stem for path in (SHIPPED / "published").glob("*.md"))
KNOWN = {
    "comparison": "c57b608c85a0",
    "completion": "3ef387b24e8a",
    "conversation": "5ba23c096970",
    "coverage": "67ae4b800803",
    "dialogue_backend_consistency": "11c68928592c",
    "dialogue_conversation_cohesion": "ae40bf2d6bd1",
    "dialogue_policy_compliance": "9828a39b7dcf",
    "modular_intent": "284015a9cb2c",
    "modular_manager": "e86349ea456b",
    "modular_response": "31ed44efde09",
    "modular_slots": "77288d44b730",
    "monolithic_system": "cee7817fd349",
    "quality_completeness": "ffa0a7393c2a",
    "quality_empathy": "2266bcb3ef39",
    "quality_entailment": "4db5192d111d",
    "quality_factual_correctness": "e0be4af6483e",
    "quality_language_correctness": "f0d8b0463544",
    "quality_unbiased": "008ff5fc3954",
    "rules_turn": "8341377aceb3",
    "solution_checker": "91aca2e06138",
    "state_accuracy": "53a2c67d803d",
    "state_completeness": "f31e3adde64d",
    "turn_backend_consistency": "da2f39f3d785",
    "turn_conversation_cohesion": "ad54d08f710f",
    "turn_policy_compliance": "a3aeecfa13f5",
    "turn_policy_default": "2f0a30143441",
    "unit_test_dialogue": "26e1d27750b8",
    "unit_test_turn": "e3f2fb25a7db",
    "user_autotod": "2318c771723b",
    "user_clem_todd": "46c48789eca5",
    "user_example_state_tracking": "9511fb8c0dc6",
    "user_example_thought": "14410fdaf139",
    "user_example_vanilla": "21772353e6b6",
    "user_state_tracking": "22866d53dbc3",
    "user_thought": "bcc08771cd4a",
    "user_vanilla": "06de1605150c",
    "followup": "fd6e911efe00",
    "retrievefromhoteldb": "cd4a029ba076",
    "retrievefromrestaurantdb": "624201966c1b",
    "retrievefromtraindb": "22b7279d205a",
    "validatehotelbooking": "7c1aa5bfe66e",
    "validaterestaurantbooking": "782ab8fc37b4",
    "validatetrainbooking": "cc80a9a8b147",
}
"""By document or call: a hash of it."""


@pytest.mark.parametrize("name", PROMPTS)
def test_a_published_prompt_is_the_one_that_was_compared(name: str) -> None:
    assert Prompts(published=True).get(name).digest == KNOWN[name]


@pytest.mark.parametrize("name", sorted(declared()))
def test_a_published_schema_is_the_one_that_was_compared(name: str) -> None:
    text = json.dumps(declared()[name], sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == KNOWN[name]
