"""The order of play as a picture: rows with brackets, in SVG. Read `flow_chart`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_checker.site.labels import label
from quarantia_checker.site.order_of_play import Bracket, Order, order_of_play
from quarantia_spec.ir import Apply, Expr, Op, Read, Role

LANE, BOX, LINE, PAD, GAP = 15, 236, 17, 7, 12
MARK = 8  # radius of the number on a bracket


def flow_chart(edition: Edition, address: Callable[[str], str]) -> str:
    """The chart with its notes, as HTML."""
    order = order_of_play(edition.game)
    if not order.rows:
        return ""
    lanes = {
        side: _lanes([b for b in order.brackets if b.repeated is side]) for side in (True, False)
    }
    left = 6 + LANE * (1 + max(lanes[True].values(), default=0)) + 6
    right = 6 + LANE * (1 + max(lanes[False].values(), default=0)) + 6
    width = left + BOX + right
    parts: list[str] = []
    tops: list[int] = []
    y = 4
    phase = ""
    for row in order.rows:
        if row.phase != phase and row.phase:
            y += 8
            parts.append(
                f'<text class="q-phase" x="{left}" y="{y + 12}">'
                f"{escape(phase_title(edition, row.phase))}</text>"
            )
            y += 20
        phase = row.phase
        height = 2 * PAD + LINE * len(row.rules) + LINE - 3
        tops.append(y)
        parts.append(
            f'<rect class="q-row q-{row.kind}" x="{left}" y="{y}" width="{BOX}" height="{height}" rx="6"/>'
        )
        word = label(edition.language, {"decide": "chooses", "together": "together", "chance": "chance", "step": "automatic"}[row.kind])  # fmt: skip
        parts.append(f'<text class="q-who" x="{left + 10}" y="{y + PAD + 9}">{escape(word)}</text>')
        for place, rule in enumerate(row.rules):
            text = _short(capital(edition.words.one(rule)))
            line = y + PAD + LINE * (place + 1) + 8
            parts.append(
                f'<a href="{address(rule)}"><text class="q-rule" x="{left + 10}" y="{line}">{escape(text)}</text></a>'
            )
        y += height
        parts.append(
            f'<path class="q-arrow" d="M{left + BOX / 2:.0f} {y}v{GAP - 3}m-3 -4l3 4l3 -4"/>'
        )
        y += GAP
    parts.pop()
    bottoms = [*(top - GAP for top in tops[1:]), y - GAP]
    heights = _bottoms(order, tops, bottoms)
    for number, bracket in enumerate(order.brackets, 1):
        lane = lanes[bracket.repeated][bracket]
        x = left - 6 - LANE * lane - 4 if bracket.repeated else left + BOX + 10 + LANE * lane
        inward = left - 1 if bracket.repeated else left + BOX + 1
        top, bottom = tops[bracket.first] + 6, heights[bracket.last] - 6
        if bottom - top < 2 * MARK:
            top, bottom = top - 4, bottom + 4
        kind = "q-loop" if bracket.repeated else "q-option"
        parts.append(f'<path class="{kind}" d="M{inward} {top}H{x}V{bottom}H{inward}"/>')
        if bracket.repeated:
            parts.append(f'<path class="q-tip" d="M{inward - 5} {top - 3}l5 3l-5 3z"/>')
        middle = (top + bottom) / 2
        parts.append(f'<circle class="q-mark" cx="{x}" cy="{middle:.0f}" r="{MARK}"/>')
        parts.append(f'<text class="q-number" x="{x}" y="{middle + 3.5:.0f}">{number}</text>')
    name = escape(label(edition.language, "order"))
    picture = (
        f'<svg class="q-flow" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="group" '
        f'aria-label="{name}">{"".join(parts)}</svg>'
    )
    notes = "".join(f"<li>{note(edition, each)}</li>" for each in order.brackets)
    return f'<div class="q-chart">{picture}<ol class="q-notes">{notes}</ol></div>'


def note(edition: Edition, bracket: Bracket) -> str:
    """What a bracket means, in words."""
    language, condition = edition.language, bracket.condition
    if condition is None:
        return (
            label(language, "counted" if bracket.counted else "again") if bracket.repeated else ""
        )
    if bracket.repeated and _counts_members(edition, condition):
        return label(language, "once each")
    if bracket.repeated:
        key = "again while" if bracket.wanted else "again until"
    else:
        key = "only if" if bracket.wanted else "not if"
    return label(language, key, condition=edition.phrases.of(condition))


def _counts_members(edition: Edition, condition: Expr) -> bool:
    """The test of an `each`: its variable has come to the last value."""
    match condition:
        case Apply(op=Op.EQ, args=(Read(variable=name), _)):
            return edition.game.variable[name].role is Role.FLOW
        case _:
            return False


def phase_title(edition: Edition, name: str) -> str:
    phase = next((each for each in edition.game.phases if each.name == name), None)
    if edition.words.names.get(name):
        return edition.words.names[name]
    return (
        phase.title if phase is not None and edition.language == "en" else edition.words.one(name)
    )


def _lanes(brackets: Sequence[Bracket]) -> dict[Bracket, int]:
    """The narrowest bracket next to the rows; none crosses another."""
    lanes: dict[Bracket, int] = {}
    for each in sorted(brackets, key=lambda b: (b.last - b.first, b.first)):
        taken = {
            lane
            for other, lane in lanes.items()
            if other.first <= each.last and each.first <= other.last
        }
        lanes[each] = next(
            lane
            for lane in range(len(brackets) + 1)
            if lane not in taken and lane >= max(taken, default=-1)
        )
    return lanes


def _bottoms(order: Order, tops: Sequence[int], bottoms: Sequence[int]) -> list[int]:
    heights: list[int] = []
    for row, top, bottom in zip(order.rows, tops, bottoms, strict=True):
        heights.append(min(bottom, top + 2 * PAD + LINE * len(row.rules) + LINE - 3))
    return heights


def _short(text: str) -> str:
    return text if len(text) <= 32 else f"{text[:31]}…"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
