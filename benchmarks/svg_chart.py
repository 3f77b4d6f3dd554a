"""Line charts as small SVG files: text as text, colours that are read on light and dark pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Curve", "Panel", "chart"]

COLOURS = ("#d9730d", "#2a8f6f", "#7a6fd0", "#c2367f")
GREY = "#808080"
WIDTH, HEIGHT, LEFT, TOP, FOOT, KEY = 300, 190, 46, 30, 44, 18
"""Of a panel's lines, and the room around them, in pixels; KEY: a line of the key."""


@dataclass(frozen=True)
class Curve:
    """A line with its name in the key."""

    name: str
    values: Sequence[float]
    """One for each place on the panel's x axis."""
    colour: int = 0
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """A chart with its own axes; those of one figure stand side by side."""

    title: str
    x_title: str
    x: Sequence[str]
    """What stands below each place; places are at equal distances."""
    top: float
    """Of the y axis, which begins at 0 and shows shares."""
    curves: Sequence[Curve]
    limit: float | None = None
    """A level to compare with, drawn as a thin line."""


def chart(panels: Sequence[Panel]) -> str:
    """The SVG file's text."""
    keys = max(len(panel.curves) for panel in panels)
    step, high = LEFT + WIDTH + 24, TOP + HEIGHT + FOOT + KEY * keys + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {step * len(panels)} {high}" '
        f'width="{step * len(panels)}" font-family="sans-serif" font-size="12" fill="{GREY}">'
    ]
    for place, panel in enumerate(panels):
        parts.append(f'<g transform="translate({place * step + LEFT} {TOP})">')
        parts += _panel(panel)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel) -> Iterator[str]:
    yield _text(WIDTH / 2, -12, panel.title, "middle", bold=True)
    for part in range(6):
        share = panel.top * part / 5
        height = _y(panel, share)
        yield _line(0, height, WIDTH, height, GREY, 'stroke-opacity="0.3"')
        yield _text(-6, height + 4, f"{share:.0%}", "end")
    for place, label in enumerate(panel.x):
        yield _text(_x(panel, place), HEIGHT + 18, label, "middle")
    yield _text(WIDTH / 2, HEIGHT + 36, panel.x_title, "middle")
    if panel.limit is not None:
        height = _y(panel, panel.limit)
        yield _line(0, height, WIDTH, height, GREY, 'stroke-width="2" stroke-dasharray="2 3"')
    for number, curve in enumerate(panel.curves):
        colour = COLOURS[curve.colour]
        style = 'stroke-width="2"' + (' stroke-dasharray="7 4"' if curve.dashed else "")
        points = [(_x(panel, n), _y(panel, value)) for n, value in enumerate(curve.values)]
        told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{told}" fill="none" stroke="{colour}" {style}/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
        height = HEIGHT + FOOT + KEY * (number + 0.6)
        yield _line(0, height - 4, 26, height - 4, colour, style)
        yield _text(34, height, curve.name, "start")


def _x(panel: Panel, place: int) -> float:
    return WIDTH * (place + 0.5) / len(panel.x)


def _y(panel: Panel, share: float) -> float:
    return HEIGHT * (1 - min(share, panel.top) / panel.top)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, style: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {style}/>'
    )


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'
