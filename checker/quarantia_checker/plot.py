"""Distributions as an SVG picture: one panel of bars for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 360, 220  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 34, 30
BINS = 40
IN_A_ROW = 2
INK, PALE, BAR = "#24292f", "#d0d7de", "#3f7cac"


@dataclass(frozen=True, slots=True)
class Panel:
    """One distribution: how often each value came up."""

    title: str
    counts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Bar:
    """The values from `low` to `high`, both included, and how often they came up."""

    low: int
    high: int
    count: int


def bars(counts: Mapping[int, int]) -> list[Bar]:
    """All values in at most BINS bars of one width; none when there are no values."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = -(-(high - low + 1) // BINS)
    found = [0] * ((high - low) // width + 1)
    for value, count in counts.items():
        found[(value - low) // width] += count
    return [
        Bar(low + place * width, low + (place + 1) * width - 1, count)
        for place, count in enumerate(found)
    ]


def mean(counts: Mapping[int, int]) -> float:
    """The mean of the values; 0 when there are none."""
    total = sum(counts.values())
    return sum(value * count for value, count in counts.items()) / total if total else 0.0


def picture(title: str, panels: Sequence[Panel]) -> str:
    """The panels side by side, two in a row, as the text of an SVG file."""
    rows = -(-len(panels) // IN_A_ROW)
    width, height = IN_A_ROW * WIDTH, rows * HEIGHT + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for place, panel in enumerate(panels):
        x, y = place % IN_A_ROW * WIDTH, place // IN_A_ROW * HEIGHT + 26
        parts.append(f'<g transform="translate({x} {y})">')
        parts.extend(_panel(panel))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel) -> list[str]:
    shown = bars(panel.counts)
    middle = mean(panel.counts)
    parts = [
        f'<text x="{LEFT}" y="18"><tspan font-weight="bold">{escape(panel.title)}</tspan>'
        + (f" mean {middle:.1f}" if shown else " none")
        + "</text>"
    ]
    floor, wide, tall = HEIGHT - BOTTOM, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    parts.append(f'<path d="M{LEFT} {TOP}V{floor}H{LEFT + wide}" fill="none" stroke="{PALE}"/>')
    if not shown:
        return parts
    most = max(bar.count for bar in shown)
    each = wide / len(shown)
    for place, bar in enumerate(shown):
        length = tall * bar.count / most
        values = str(bar.low) if bar.low == bar.high else f"{bar.low} to {bar.high}"
        parts.append(
            f'<rect x="{LEFT + place * each:.1f}" y="{floor - length:.1f}" '
            f'width="{max(each - 1, 0.5):.1f}" height="{length:.1f}" fill="{BAR}">'
            f"<title>{values}: {bar.count}</title></rect>"
        )
    reach = shown[-1].high + 1 - shown[0].low
    at = LEFT + wide * (middle + 0.5 - shown[0].low) / reach
    parts += [
        f'<path d="M{at:.1f} {TOP}V{floor}" stroke="{INK}" stroke-dasharray="3 3"/>',
        f'<text x="{LEFT}" y="{floor + 16}">{shown[0].low}</text>',
        f'<text x="{LEFT + wide}" y="{floor + 16}" text-anchor="end">{shown[-1].high}</text>',
        f'<text x="{LEFT - 6}" y="{TOP + 8}" text-anchor="end">{most}</text>',
        f'<text x="{LEFT - 6}" y="{floor}" text-anchor="end">0</text>',
    ]
    return parts
