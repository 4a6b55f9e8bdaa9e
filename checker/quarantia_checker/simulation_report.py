"""What came of random games, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quarantia_checker.plot import Panel, mean, picture
from quarantia_engine import Engine
from quarantia_engine.counting import Counted, Counter, never_counted
from quarantia_engine.simulation import Retraced, Tally
from quarantia_spec.source import NOWHERE, Origin


@dataclass(frozen=True, slots=True)
class Problem:
    """A defect that play ran into: how many games, one of them, and a log to replay."""

    games: int
    seed: int
    traced: Retraced
    saved: str  # a path, "" when there is no place for it


@dataclass(frozen=True, slots=True)
class Summary:
    """All there is to tell about some random games."""

    engine: Engine
    tally: Tally
    counters: tuple[Counter, ...]
    problems: tuple[Problem, ...]
    wanted: int
    seed: int
    limit: int
    seconds: float


def rule_counts(summary: Summary) -> dict[str, int]:
    """How often each decision, chance and step was carried out."""
    return {
        counter.rule: count
        for counter, count in zip(summary.counters, summary.tally.counts, strict=True)
        if counter.what is Counted.RULE
    }


def as_json(summary: Summary) -> dict[str, Any]:
    tally, engine = summary.tally, summary.engine
    names = engine.game.enumerations["Player"]
    never = list(never_counted(summary.counters, tally.counts))
    return {
        "game": engine.game.name,
        "players": engine.game.players,
        "rules": engine.fingerprint,
        "seed": summary.seed,
        "limit": summary.limit,
        "wanted": summary.wanted,
        "games": tally.games,
        "finished": tally.finished,
        "limited": tally.limited,
        "seconds": round(summary.seconds, 3),
        "length": {**_statistics(tally.lengths), "counts": _keyed(tally.lengths)},
        "scores": {
            name: {**_statistics(counts), "counts": _keyed(counts)}
            for name, counts in zip(names, tally.scores, strict=False)
            if counts
        },
        "wins": dict(zip(names, tally.won, strict=False)),
        "wins_alone": dict(zip(names, tally.alone, strict=False)),
        "without_winner": tally.undecided,
        "fired": rule_counts(summary),
        "never": [
            {
                "what": each.what.value,
                "rule": each.rule,
                "condition": each.condition,
                "place": place(each.origin),
            }
            for each in never
        ],
        "problems": [
            {
                "kind": None if each.traced.trouble is None else each.traced.trouble.value,
                "message": each.traced.message,
                "rule": each.traced.rule,
                "passages": passages(engine, each.traced),
                "place": place(each.traced.origin),
                "games": each.games,
                "seed": each.seed,
                "moves": len(each.traced.moves),
                "log": each.saved,
            }
            for each in summary.problems
        ],
    }


def _keyed(counts: Mapping[int, int]) -> dict[str, int]:
    return {str(value): counts[value] for value in sorted(counts)}


def _statistics(counts: Mapping[int, int]) -> dict[str, float]:
    if not counts:
        return {}
    total = sum(counts.values())
    middle = mean(counts)
    variance = sum(count * (value - middle) ** 2 for value, count in counts.items()) / total
    return {
        "mean": round(middle, 3),
        "deviation": round(sqrt(variance), 3),
        "least": min(counts),
        "median": median(counts),
        "most": max(counts),
    }


def median(counts: Mapping[int, int]) -> int:
    """The smallest value that at least half of all are not above."""
    half = sum(counts.values()) / 2
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= half:
            return value
    raise ValueError("no values")


def place(origin: Origin) -> str:
    return "" if origin.span == NOWHERE else str(origin.span)


def passages(engine: Engine, traced: Retraced) -> list[str]:
    """The passages behind what failed: its own, or those of its rule."""
    game = engine.game
    cited = traced.origin.citations
    for rule in (*game.decisions, *game.chances, *game.nodes):
        name = getattr(rule, "name", getattr(rule, "rule", ""))
        if not cited and traced.rule and name == traced.rule:
            cited = rule.origin.citations
    return [str(citation) for citation in cited if citation.section != "own"]


# --- for people -------------------------------------------------------------------------------


def write_text(summary: Summary, out: TextIO) -> None:
    console = Console(file=out, highlight=False, width=None if out.isatty() else 110)
    tally, game = summary.tally, summary.engine.game
    rate = tally.games / summary.seconds if summary.seconds else 0.0
    console.print(
        f"{game.title or game.name}, {game.players} players: {tally.games} of {summary.wanted} "
        f"random games in {summary.seconds:.1f} s ({rate:.0f} a second)"
    )
    if tally.lengths:
        length = _statistics(tally.lengths)
        console.print(
            f"length: {length['mean']:.1f} moves on average, median {length['median']}, "
            f"{length['least']} to {length['most']}"
        )
    if tally.limited:
        console.print(
            Text(f"{tally.limited} games were cut off after {summary.limit} moves", "yellow")
        )
    if tally.finished:
        console.print()
        console.print(_seats(summary))
        if tally.undecided:
            console.print(f"without a winner: {tally.undecided}")
    console.print()
    console.print(_rules(summary))
    _write_never(summary, console)
    for problem in summary.problems:
        _write_problem(summary, problem, console)


def _seats(summary: Summary) -> Table:
    tally = summary.tally
    scored = any(tally.scores)
    table = Table(box=None, pad_edge=False)
    for heading in ("seat", "wins", "alone", *(("score", "") if scored else ())):
        table.add_column(heading, justify="left" if heading in ("seat", "") else "right")
    names = summary.engine.game.enumerations["Player"]
    for seat in range(tally.players):
        row = [names[seat], _share(tally.won[seat], tally.finished), str(tally.alone[seat])]
        if scored:
            score = _statistics(tally.scores[seat])
            row.append(f"{score['mean']:.2f} ± {score['deviation']:.2f}")
            row.append(f"{score['least']} to {score['most']}")
        table.add_row(*row)
    return table


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)"


def _rules(summary: Summary) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("rule", overflow="fold")
    table.add_column("fired", justify="right")
    table.add_column("a game", justify="right")
    counts = rule_counts(summary)
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        if count:
            table.add_row(name, str(count), f"{count / max(summary.tally.games, 1):.2f}")
    return table


def _write_never(summary: Summary, console: Console) -> None:
    never = list(never_counted(summary.counters, summary.tally.counts))
    if not never:
        console.print("\nevery rule fired, and every branch went both ways")
        return
    console.print(Text("\nnever happened:", "bold"))
    for each in never:
        match each.what:
            case Counted.RULE:
                told = f"`{each.rule}` was never carried out"
            case Counted.MET | Counted.UNMET:
                verdict = "true" if each.what is Counted.MET else "false"
                where = f"in `{each.rule}`" if each.rule else "in the flow"
                told = f"{where}, this was never {verdict}: {each.condition}"
        console.print(Text(f"  {told}  ({place(each.origin)})"), soft_wrap=True)


def _write_problem(summary: Summary, problem: Problem, console: Console) -> None:
    traced = problem.traced
    kind = "problem" if traced.trouble is None else traced.trouble.value
    heading = f"\n{kind} in {problem.games} of {summary.tally.games} games"
    console.print(Text(heading, "bold red"))
    rule = f"`{traced.rule}`: " if traced.rule else ""
    cited = " ".join(passages(summary.engine, traced))
    where = "  ".join(part for part in (cited, place(traced.origin)) if part)
    console.print(Text(f"  {rule}{traced.message}" + (f"  ({where})" if where else "")))
    last = ""
    if traced.moves:
        text = summary.engine.move_to_text(traced.moves[-1], with_player=True)
        last = f", the last {text}"
    console.print(Text(f"  seed {problem.seed}: {len(traced.moves)} moves{last}"), soft_wrap=True)
    if problem.saved:
        console.print(Text(f"  quarantia replay {problem.saved}"), soft_wrap=True)


def plotted(summary: Summary) -> str:
    """The distributions of length and of the score of each seat, as SVG."""
    tally, game = summary.tally, summary.engine.game
    panels = [Panel("length in moves", tally.lengths)]
    names: Sequence[str] = game.enumerations["Player"]
    panels += [
        Panel(f"score of {name}", counts)
        for name, counts in zip(names, tally.scores, strict=False)
        if counts
    ]
    return picture(f"{game.title or game.name}: {tally.games} random games", panels)
