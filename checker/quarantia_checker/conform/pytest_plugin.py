"""For pytest: tests that an engine plays by the rules, in three lines.

    from quarantia_checker.conform.pytest_plugin import conformance_tests

    TestMyEngine = conformance_tests("doge", "node engine.js", players=3)

pytest finds the plugin by its entry point; it adds `--conform-games`, how many random games each
test plays. Hypothesis makes the games, and makes the one that fails as short as it can.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from quarantia_checker.conform.differing import Difference
    from quarantia_checker.conform.tester import Tester

GAMES = 50
LONGEST = 60  # steps of a game

_games = GAMES


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("quarantia", "conformance of engines")
    group.addoption(
        "--conform-games",
        type=int,
        default=GAMES,
        metavar="N",
        help=f"random games that each conformance test plays (default {GAMES})",
    )


def pytest_configure(config: pytest.Config) -> None:
    global _games
    _games = config.getoption("--conform-games", GAMES)


class EngineDiffers(AssertionError):
    """The engine does not play by the rules; the text says how."""


def conformance_tests(
    game: str,
    engine: str,
    *,
    players: int | None = None,
    readings: Mapping[str, str] | None = None,
    mapping: str | None = None,
    timeout: float = 10.0,
) -> type:
    """A class of tests for an engine: a command, or `python:MODULE:FACTORY`."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.differing_executors]

    class TestConformance:
        tester: Tester

        @classmethod
        def setup_class(cls) -> None:
            cls.tester = _opened(game, engine, players, readings, mapping, timeout)

        @classmethod
        def teardown_class(cls) -> None:
            cls.tester.close()
            cls.tester.client.close()

        def test_the_first_position(self) -> None:
            __tracebackhide__ = True
            _raise(self.tester, self.tester.begin())

        def test_games(self) -> None:
            __tracebackhide__ = True

            @settings(
                max_examples=_games,
                deadline=None,
                database=None,
                derandomize=True,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=quiet,
            )
            @given(st.data())
            def games(data: Any) -> None:
                __tracebackhide__ = True
                steps = drawn_game(self.tester, data)
                _raise(self.tester, self.tester.compare([self.tester.plan_of(steps)]))

            games()

        def test_illegal_moves_are_refused(self) -> None:
            __tracebackhide__ = True
            from quarantia_checker.conform.campaign import Campaign, Wanted

            campaign = Campaign(self.tester, Wanted(0, 0, 1, 600.0, 0))
            _raise(self.tester, campaign.refusals())

        def test_undo_and_perft(self) -> None:
            __tracebackhide__ = True
            from quarantia_checker.conform.campaign import Campaign, Wanted

            campaign = Campaign(self.tester, Wanted(0, 0, 1, 600.0, 0))
            _raise(self.tester, campaign.other_questions())

    return TestConformance


def drawn_game(tester: Tester, data: Any, longest: int = LONGEST) -> list[tuple[int, ...]]:
    """A game that Hypothesis makes: how many steps, and at each a choice among the legal moves."""
    from hypothesis import strategies as st

    reference = tester.reference
    cells = reference.start
    steps: list[tuple[int, ...]] = []
    for _ in range(data.draw(st.integers(1, longest))):
        actors = reference.actors(cells)
        legal = reference.legal(cells, actors)
        if not actors or not all(legal):
            break
        step = tuple(numbers[data.draw(st.integers(0, len(numbers) - 1))] for numbers in legal)
        cells = reference.after(cells, step)
        steps.append(step)
    return steps


def _opened(
    game: str,
    engine: str,
    players: int | None,
    readings: Mapping[str, str] | None,
    mapping: str | None,
    timeout: float,
) -> Tester:
    from quarantia_checker.conform.client import Client
    from quarantia_checker.conform.link import Pipe, direct
    from quarantia_checker.conform.mapping import SAME_NAMES, check_mapping, read_mapping
    from quarantia_checker.conform.reference import Reference
    from quarantia_checker.conform.tester import Tester
    from quarantia_checker.conform.vocabulary import Vocabulary
    from quarantia_engine import open_game

    mapped = SAME_NAMES if mapping is None else read_mapping(mapping)
    if engine.startswith("python:"):
        client = Client(lambda: direct(engine.removeprefix("python:")))
    else:
        client = Client(lambda: Pipe(engine, timeout))
    plain = open_game(game, players)
    check_mapping(mapped, plain.game, mapping or "")
    hello = client.hello(plain.game.name, plain.fingerprint, "quarantia")
    asked = {**hello.readings, **mapped.readings, **(readings or {})}
    rules = open_game(game, players, asked) if asked else plain
    return Tester(client, Vocabulary(Reference(rules), mapped, hello.fields), hello)


def _raise(tester: Tester, found: Difference | None) -> None:
    __tracebackhide__ = True
    if found is None:
        return
    from quarantia_checker.conform.shrinking import moves_of
    from quarantia_checker.conform.telling import tell

    told = tell(tester.words, found)
    engine = tester.reference.engine
    lines = [told.headline]
    lines += [f"  rules:  {sentence}" for sentence in told.rules]
    lines += [f"  engine: {sentence}" for sentence in told.engine]
    if told.rule or told.passages:
        lines.append("  by " + " ".join([f"`{told.rule}`", *told.passages]))
    moves = moves_of(tester.reference, found.steps)
    lines.append(f"  after {len(moves)} moves:")
    lines += [f"    {engine.move_to_text(move, with_player=True)}" for move in moves]
    raise EngineDiffers("\n".join(lines))
