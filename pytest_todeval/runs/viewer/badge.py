"""A badge for a README: how many dialogues passed, in the colour of the run's verdict."""

from pytest_todeval.runs.viewer.run_data import Shown, verdict_of
from pytest_todeval.shown import in_html

LABEL = "dialogues"
COLOURS = {"passed": "#17754a", "failed": "#b3261e"}
OTHER = "#855300"
LETTER = 6.6
"""Pixels of a letter, about; the text is stretched to fit."""
PADDING = 7


def badge_of(shown: Shown) -> str:
    """Returns the badge as SVG."""
    entries = shown.results["dialogues"]
    passed = sum(entry["outcome"] == "passed" for entry in entries)
    told = f"{passed} of {len(entries)} passed"
    found = verdict_of(shown)
    title = in_html(f"{LABEL}: {told}; {found['words']}")
    left, right = _width(LABEL), _width(told)
    colour = COLOURS.get(found["finding"], OTHER)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title><clipPath id="r"><rect '
        f'width="{left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect '
        f'width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" '
        f'fill="{colour}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" '
        f'font-size="11">{_text(LABEL, 0)}{_text(told, left)}</g></svg>\n'
    )


def _width(text: str) -> int:
    return round(len(text) * LETTER) + 2 * PADDING


def _text(text: str, start: int) -> str:
    length = _width(text) - 2 * PADDING
    return f'<text x="{start + PADDING}" y="14" textLength="{length}">{in_html(text)}</text>'
