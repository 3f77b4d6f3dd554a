"""What bots say that is not so: deeds, policies, sums, reviews, blame, failures that are hidden."""

from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["DESK", "SHOP"]


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("values", "response")
class InventsADeadline(RewordsDesk):
    """Invents with each proposal a rule of the company, with a deadline and a price."""

    def reword(self, text: str) -> str:
        return text.replace(
            "Shall I go ahead?",
            "Company rules allow this only twice a year, and $40 goes to your cost centre. "
            "Shall I go ahead?",
        )


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("words", "response")
class BlamesTheCustomer(ShopBot):
    """Says with each refusal that the customer is at fault."""

    def reword(self, text: str) -> str:
        if "sorry" not in text and "find no" not in text:
            return text
        return f"{text} Had you read the terms when you ordered, we wouldn't be here."
