"""Runs in the environment of the peers: the palace fragment by hand for numba, the whole loop.

Reads one JSON object per line, `{"players", "games"}`, and answers `{"checksum", "seconds"}`.
README.md has the rules, the generator and the checksum.
"""

from __future__ import annotations

import json
import sys
import time

import numba
import numpy as np

DISTRICTS = 6
HOUSES = 15
PALACES = 8
STEPS_PER_GAME = 200
MASK = 2**48 - 1
BUILDS = 2 * DISTRICTS
SHIFTS = 3 * DISTRICTS


@numba.njit  # type: ignore[untyped-decorator, unused-ignore]
def play(players, games):  # type: ignore[no-untyped-def]
    reserves = np.zeros(players, np.int64)
    palaces_left = np.zeros(players, np.int64)
    houses = np.zeros((players, DISTRICTS), np.int64)
    palaces = np.zeros((players, DISTRICTS), np.int64)
    built = np.zeros(DISTRICTS, np.int64)
    moves = np.zeros(SHIFTS + DISTRICTS * DISTRICTS, np.int64)
    checksum = 0
    for seed in range(games):
        state = (seed ^ 0x5DEECE66D) & MASK
        reserves[:] = HOUSES
        palaces_left[:] = PALACES
        houses[:] = 0
        palaces[:] = 0
        built[:] = 0
        player = 0
        for _ in range(STEPS_PER_GAME):
            own = houses[player]
            count = 0
            for district in range(DISTRICTS):
                for number in range(min(reserves[player], 2)):
                    moves[count] = district * 2 + number
                    count += 1
            if palaces_left[player] > 0:
                for district in range(DISTRICTS):
                    if built[district] < 5 and own[district] >= 3 + built[district]:
                        moves[count] = BUILDS + district
                        count += 1
            for source in range(DISTRICTS):
                if own[source] > 0:
                    for target in range(DISTRICTS):
                        if target != source:
                            moves[count] = SHIFTS + source * DISTRICTS + target
                            count += 1
            if count > 0:
                state = (state * 0x5DEECE66D + 0xB) & MASK
                move = moves[(state >> 17) % count]
                if move < BUILDS:
                    number = (move & 1) + 1
                    reserves[player] -= number
                    own[move >> 1] += number
                elif move < SHIFTS:
                    district = move - BUILDS
                    cost = 3 + built[district]
                    own[district] -= cost
                    reserves[player] += cost
                    palaces_left[player] -= 1
                    palaces[player, district] += 1
                    built[district] += 1
                else:
                    own[(move - SHIFTS) // DISTRICTS] -= 1
                    own[(move - SHIFTS) % DISTRICTS] += 1
            player += 1
            if player == players:
                player = 0
        for seat in range(players):
            checksum = (checksum * 1000003 + reserves[seat]) & 0xFFFFFFFF
        for district in range(DISTRICTS):
            for seat in range(players):
                checksum = (checksum * 1000003 + houses[seat, district]) & 0xFFFFFFFF
        for seat in range(players):
            checksum = (checksum * 1000003 + palaces_left[seat]) & 0xFFFFFFFF
        for district in range(DISTRICTS):
            for seat in range(players):
                checksum = (checksum * 1000003 + palaces[seat, district]) & 0xFFFFFFFF
    return checksum


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        play(request["players"], 1)  # compiled before the clock starts
        start = time.perf_counter()
        checksum = play(request["players"], request["games"])
        seconds = time.perf_counter() - start
        print(json.dumps({"checksum": int(checksum), "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
