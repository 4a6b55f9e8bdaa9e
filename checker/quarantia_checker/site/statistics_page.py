"""Random games of every number of players, as plots and tables. The games are the same each time."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from quarantia_checker.plot import bars, mean
from quarantia_checker.site.edition import Edition, Loaded
from quarantia_checker.site.flow_chart import capital
from quarantia_checker.site.labels import decimal, label
from quarantia_checker.site.page import Page, page, page_title, slug_of
from quarantia_checker.site.paragraphs import players, table
from quarantia_engine.counting import Counted
from quarantia_engine.engine import Engine
from quarantia_engine.simulation import Simulator
from quarantia_spec.cache import content_key, read_cached, write_cached

GAMES, BATCH = 200, 10
LIMIT = 3_000  # moves of one game
SECONDS = 4.0  # for one number of players; fewer games are played when it is slow
WIDTH, HEIGHT = 330, 170
LEFT, BOTTOM, TOP = 34, 22, 12

Played = Mapping[str, Any]


def play(loaded: Loaded) -> dict[int, Played]:
    """The results of random games by number of players, kept for the next time."""
    return {count: _played(engine) for count, engine in loaded.engines.items()}


def _played(engine: Engine) -> Played:
    key = content_key("statistics 1", engine.fingerprint, repr(engine.data), repr((GAMES, LIMIT)))
    known = read_cached("statistics", key)
    if known is not None:
        try:
            found: Played = json.loads(known)
            return found
        except ValueError:
            pass
    simulator = Simulator(engine)
    tally = simulator.empty()
    started = time.perf_counter()
    for first in range(0, GAMES, BATCH):
        tally.add(simulator.play(range(first, first + BATCH), LIMIT))
        if time.perf_counter() - started > SECONDS:
            break
    played: Played = {
        "games": tally.games,
        "limited": tally.limited,
        "finished": tally.finished,
        "lengths": {str(value): count for value, count in sorted(tally.lengths.items())},
        "scores": [
            {str(value): count for value, count in sorted(each.items())} for each in tally.scores
        ],
        "won": tally.won,
        "fired": {
            counter.rule: count
            for counter, count in zip(simulator.counters, tally.counts, strict=True)
            if counter.what is Counted.RULE
        },
    }
    write_cached("statistics", key, json.dumps(played).encode())
    return played


def statistics_page(edition: Edition, played: Mapping[int, Played]) -> Page:
    edition.page = slug_of("statistics", edition.language)
    parts: list[str] = []
    for count, numbers in played.items():
        parts.append(f"\n## {capital(players(edition, count))} {{ #players-{count} }}\n")
        parts.append(_section(edition, count, numbers))
    title = page_title(edition, "statistics")
    return page(edition, "statistics", title, "\n".join(parts))


def _section(edition: Edition, count: int, numbers: Played) -> str:
    language = edition.language
    if not numbers["games"]:
        return f"<p>{label(language, 'no games')}</p>"
    parts = [f"<p>{label(language, 'statistics intro', games=numbers['games'], players=count)}</p>"]
    if numbers["limited"]:
        parts.append(f"<p>{label(language, 'cut off', n=numbers['limited'], limit=LIMIT)}</p>")
    names = edition.loaded.engines[count].game.enumerations["Player"]
    plots = [_plot(edition, label(language, "length"), _counts(numbers["lengths"]))]
    for name, scores in zip(names, numbers["scores"], strict=False):
        if scores:
            plots.append(
                _plot(
                    edition,
                    label(language, "score of", name=edition.words.one(name)),
                    _counts(scores),
                )
            )
    parts.append(f'<div class="q-plots">{"".join(plots)}</div>')
    finished = max(1, numbers["finished"])
    rows = [
        [escape(edition.words.one(name)), str(won), f"{100 * won / finished:.0f} %", decimal(language, f"{mean(_counts(scores)):.1f}") if scores else "—"]
        for name, won, scores in zip(names, numbers["won"], numbers["scores"], strict=False)
    ]  # fmt: skip
    if numbers["finished"]:
        parts.append(
            table([label(language, each) for each in ("seat", "wins", "share", "mean score")], rows)
        )
    parts.append(f'<p class="q-lead">{label(language, "fired")}</p>{_fired(edition, numbers)}')
    return "".join(parts)


def _fired(edition: Edition, numbers: Played) -> str:
    rows: list[list[str]] = []
    for rule, times in sorted(numbers["fired"].items(), key=lambda item: -item[1]):
        often = (
            f"{times / numbers['games']:.2f}" if times else label(edition.language, "never fired")
        )
        rows.append([edition.phrases.named(rule), decimal(edition.language, often)])
    return table([label(edition.language, each) for each in ("rule", "a game")], rows)


def _counts(numbers: Mapping[str, int]) -> dict[int, int]:
    return {int(value): count for value, count in numbers.items()}


def _plot(edition: Edition, title: str, counts: Mapping[int, int]) -> str:
    """Bars, with the least and the most value below and the largest count beside them."""
    shown = bars(counts)
    if not shown:
        return ""
    most = max(each.count for each in shown)
    floor, wide, tall = HEIGHT - BOTTOM, WIDTH - LEFT - 8, HEIGHT - BOTTOM - TOP
    each_wide = wide / len(shown)
    parts = [f'<path class="q-axis" d="M{LEFT} {TOP}V{floor}H{LEFT + wide}"/>']
    for place, bar in enumerate(shown):
        if not bar.count:
            continue
        long = tall * bar.count / most
        values = (
            str(bar.low)
            if bar.low == bar.high
            else label(edition.language, "from to", low=bar.low, high=bar.high)
        )
        told = label(edition.language, "games played", n=bar.count)
        parts.append(
            f'<rect class="q-bar" x="{LEFT + place * each_wide:.1f}" y="{floor - long:.1f}" '
            f'width="{max(each_wide - 1, 0.6):.1f}" height="{long:.1f}"><title>{values}: {told}</title></rect>'
        )
    ends: Sequence[tuple[float, str, int]] = (
        (LEFT, "q-start", shown[0].low), (LEFT + wide, "q-end", max(counts)),
    )  # fmt: skip
    for x, anchor, value in ends:
        parts.append(f'<text class="q-label {anchor}" x="{x}" y="{HEIGHT - 6}">{value}</text>')
    parts.append(f'<text class="q-label q-end" x="{LEFT - 5}" y="{TOP + 9}">{most}</text>')
    middle = label(edition.language, "mean", value=decimal(edition.language, f"{mean(counts):.1f}"))
    return (
        f"<figure><figcaption><b>{escape(title)}</b>, {middle}</figcaption>"
        f'<svg class="q-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg></figure>'
    )
