"""BLEU of delexicalised responses."""

import pytest

from pytest_todeval.research.offline.corpus.bleu import corpus_bleu


def test_a_response_is_held_against_its_reference_and_styles_are_one() -> None:
    pytest.importorskip("sacrebleu")
    said = "the [hotel_name] is a [value_price range] place in the north"
    same = "The [name] is a [value_price range] place in the North"
    assert corpus_bleu([said], [same]) == pytest.approx(100)
    longer = f"{said} of the whole old town"
    lost, gained = corpus_bleu([said], [longer]), corpus_bleu([longer], [said])
    assert 0 < lost < 100
    assert 0 < gained < 100
    assert lost != pytest.approx(gained), "what is too short is held against a response"
    assert corpus_bleu(["no word alike"], [said]) < 5
    assert corpus_bleu([said, "goodbye"], [same, "goodbye"]) == pytest.approx(100)
