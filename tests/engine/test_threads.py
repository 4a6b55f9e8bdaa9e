"""One engine may be used by several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from quarantia_engine import open_game


def test_threads_do_not_disturb_each_other() -> None:
    engine = open_game("connectfour")
    positions = [engine.new()]
    for column in range(12):
        position = positions[-1]
        positions.append(position.apply(position.legal_moves()[column % 3]))
    wanted = [position.legal_moves() for position in positions]

    def look(_: int) -> bool:
        return [position.legal_moves() for position in positions] == wanted

    with ThreadPoolExecutor(4) as executor:
        assert all(executor.map(look, range(200)))
