"""AutoTOD's Combine, which clem:todd prints beside Inform, Success and Book (tables 7 to 9).

A goal counts half by Inform, half by the mean of Success and Book. If it asks for only one of
these, that is the other half; if for neither, Inform is all. Combine is the mean over dialogues, or
over domains: it is not made of the rates of a table, which rest on different numbers of goals. So
AutoTOD's public code has it (Xu et al. 2024, `metric.py`), and so its published dialogues give the
0.57 and 0.46 of table 7.
"""

COMBINE = "combine"
DEFINITION = "autotod-combine 1"


def combine(inform: float, success: float | None, booking: float | None) -> float:
    """Of one dialogue or domain, 0 to 1; None for what the goal does not ask for."""
    asked = [value for value in (success, booking) if value is not None]
    return 0.5 * inform + 0.5 * sum(asked) / len(asked) if asked else inform
