"""The forms in which people write values of each kind, and what is no such value."""

import pytest

from pytest_todeval.nlu.kinds.kind import Kind
from pytest_todeval.nlu.kinds.words import share_of_address, share_told
from pytest_todeval.nlu.slots import KINDS, kind_of

TOLD = (
    ("amount", "33", "The price is $33 per day."),
    ("amount", "33.50", "thirty-three dollars and fifty cents"),
    ("amount", "1234.5", "Das macht 1.234,50 €"),
    ("amount", "120000", "Rs. 1,20,000/- only"),
    ("amount", "120000", "1.2 lakh rupees"),
    ("amount", "12.50 pounds", "twelve pounds fifty"),
    ("amount", "0", "It's free of charge"),
    ("amount", "0.99", "99p"),
    ("quantity", "50 pounds", "no more than 50 lbs"),
    ("quantity", "1.5 kg", "1500 g"),
    ("quantity", "250 pages", "It has 250 pages."),
    ("duration", "90", "an hour and a half"),
    ("duration", "1 h 30", "90-minute"),
    ("duration", "14 days", "2 weeks"),
    ("duration", "3 to 5 days", "between 3 and 5 days"),
    ("date", "2026-03-14", "on Saturday, 14 March"),
    ("date", "2026-03-14", "14/03/2026"),
    ("date", "2026-03-14", "March the fourteenth"),
    ("date", "2026-03-14", "on Saturday"),
    ("date", "tuesday", "Tue 5 May"),
    ("time", "14:30", "half past two"),
    ("time", "14:30", "at 2.30 pm"),
    ("time", "19:15", "19h15"),
    ("phone", "+442071234567", "ring 020 7123 4567"),
    ("phone", "+19258067432", "(925) 806-7432"),
    ("phone", "09876543210", "+91 98765 43210"),
    ("email", "info@example.org", "write to Info at example dot org"),
    ("url", "https://www.example.org/", "see example.org"),
    ("postcode", "cb12ab", "CB1 2AB"),
    ("count", "4", "It has four of them"),
)
NOT_TOLD = (
    ("amount", "33", "$330"),
    ("amount", "$33", "33 euros"),
    ("quantity", "50 kg", "50 lbs"),
    ("duration", "90", "90 hours"),
    ("date", "2026-03-14", "on Sunday, 14 March"),
    ("date", "2026-03-14", "15 March"),
    ("time", "14:30", "14:45"),
    ("time", "14:30", "2:30 am"),
    ("phone", "01223358966", "01223 358967"),
    ("postcode", "CB1 2AB", "CB1 2A"),
)


@pytest.mark.parametrize(("kind", "value", "text"), TOLD)
def test_a_value_is_found_in_its_usual_forms(kind: str, value: str, text: str) -> None:
    assert KINDS[kind].told(value, text)


@pytest.mark.parametrize(("kind", "value", "text"), NOT_TOLD)
def test_another_value_is_not_taken_for_it(kind: str, value: str, text: str) -> None:
    assert KINDS[kind].told(value, text) == []


@pytest.mark.parametrize(
    ("slot", "values", "kind"),
    [
        ("price_per_day", ("33",), "amount"),
        ("weight", ("50 pounds",), "quantity"),
        ("gate", ("B18",), "code"),
        ("phone_number", ("+19258067432",), "phone"),
        ("running time", ("112",), "duration"),
        ("account number", (), "code"),
        ("number of doors", (), "count"),
        ("director", ("Tim Burton",), "name"),
        ("pets", ("yes", "no"), "yes/no"),
        ("dress code", ("smart casual",), "words"),
        ("starts", ("18:00", "19:30"), "time"),
        ("fee", ("none", "on request"), "words"),
        ("anything", (), "words"),
    ],
)
def test_a_slots_kind_is_inferred(slot: str, values: tuple[str, ...], kind: str) -> None:
    assert kind_of(slot, values).name == kind


@pytest.mark.parametrize("kind", [k for k in KINDS.values() if k.shaped], ids=lambda k: k.name)
@pytest.mark.parametrize(
    "text", ["", "\x00", "٣٤ and ½ ² ﹩5 " * 50, "1" * 5000, "-/.,:;$£€" * 200]
)
def test_hostile_text_has_no_effect(kind: Kind, text: str) -> None:
    kind.spans(text)


def test_names_and_addresses_are_told_in_part() -> None:
    assert share_told("Tim Burton", "Mr Burton directed it") >= 0.9
    assert share_told("novak", "Dr. Novak will see you") == 1
    assert share_told("Pizza Hut City Centre", "Pizza Hut Fen Ditton") < 0.9
    assert share_of_address("12 Mill Lane, Cambridge", "Rose House is at 12 Mill Ln.") == 1
    assert share_of_address("12 Mill Lane", "at 21 Mill Lane") == 0
