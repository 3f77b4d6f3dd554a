"""Every task of the service desk becomes a test; some wishes must be refused."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("service_desk")
def test_helps_within_the_policy(dialogue: Dialogue) -> None:
    assert dialogue.reward  # the tables end as the task says, and the user was told what matters


@pytest.mark.goals("service_desk")
def test_knows_who_it_serves_before_it_acts(dialogue: Dialogue) -> None:
    changing = {"reset_password", "assign_licence", "swap_device", "open_ticket", "close_ticket"}
    called = [call.name for call in dialogue.tool_calls]
    acted = [place for place, name in enumerate(called) if name in changing]
    assert not acted or "find_employee" in called[: acted[0]]
