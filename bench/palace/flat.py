"""The palace fragment in Python as fast as it goes by hand: flat lists, masks, moves by number.

A move is a number: 0..11 place, 12..17 build, 18..53 shift. For each player two masks are kept up
to date as moves are made: the districts with a house, and those where the next palace is paid for.
The legal moves are then three ready-made tuples put together. README.md has the rules, the
generator and the checksum.
"""

from __future__ import annotations

DISTRICTS = 6
HOUSES = 15
PALACES = 8
STEPS_PER_GAME = 200
MASK = 2**48 - 1
OUT_OF_REACH = 99  # the cost of a palace in a full district

BUILDS = 12
SHIFTS = 18

PLACES = tuple(
    tuple(district * 2 + count - 1 for district in range(DISTRICTS) for count in (1, 2)[:most])
    for most in (0, 1, 2)
)
PLACES_BY_RESERVE = tuple(PLACES[min(reserve, 2)] for reserve in range(HOUSES + 1))
BUILDS_BY_MASK = tuple(
    tuple(BUILDS + district for district in range(DISTRICTS) if mask >> district & 1)
    for mask in range(1 << DISTRICTS)
)
SHIFTS_BY_MASK = tuple(
    tuple(
        SHIFTS + source * DISTRICTS + target
        for source in range(DISTRICTS)
        if mask >> source & 1
        for target in range(DISTRICTS)
        if target != source
    )
    for mask in range(1 << DISTRICTS)
)
SOURCE = tuple((move - SHIFTS) // DISTRICTS for move in range(SHIFTS + DISTRICTS * DISTRICTS))
TARGET = tuple((move - SHIFTS) % DISTRICTS for move in range(SHIFTS + DISTRICTS * DISTRICTS))


def play(players: int, games: int) -> int:
    """The checksum of the given number of random games, the first with seed 0."""
    checksum = 0
    everyone = range(players)
    for seed in range(games):
        state = (seed ^ 0x5DEECE66D) & MASK
        reserves = [HOUSES] * players
        palaces_left = [PALACES] * players
        houses = [[0] * DISTRICTS for _ in everyone]
        palaces = [[0] * DISTRICTS for _ in everyone]
        costs = [3] * DISTRICTS
        occupied = [0] * players
        payable = [0] * players
        player = 0
        for _ in range(STEPS_PER_GAME):
            own = houses[player]
            moves = PLACES_BY_RESERVE[reserves[player]]
            if payable[player] and palaces_left[player]:
                moves += BUILDS_BY_MASK[payable[player]]
            moves += SHIFTS_BY_MASK[occupied[player]]
            if moves:
                state = (state * 0x5DEECE66D + 0xB) & MASK
                move = moves[(state >> 17) % len(moves)]
                if move >= SHIFTS:
                    source = SOURCE[move]
                    target = TARGET[move]
                    own[source] -= 1
                    own[target] += 1
                    occupied[player] |= 1 << target
                    if not own[source]:
                        occupied[player] ^= 1 << source
                    if own[source] == costs[source] - 1:
                        payable[player] ^= 1 << source
                    if own[target] == costs[target]:
                        payable[player] |= 1 << target
                elif move < BUILDS:
                    district = move >> 1
                    count = (move & 1) + 1
                    reserves[player] -= count
                    own[district] += count
                    occupied[player] |= 1 << district
                    if own[district] >= costs[district]:
                        payable[player] |= 1 << district
                else:
                    district = move - BUILDS
                    cost = costs[district]
                    own[district] -= cost
                    reserves[player] += cost
                    palaces_left[player] -= 1
                    palaces[player][district] += 1
                    if not own[district]:
                        occupied[player] ^= 1 << district
                    cost = costs[district] = cost + 1 if cost < 7 else OUT_OF_REACH
                    for other in everyone:
                        if houses[other][district] < cost:
                            payable[other] &= ~(1 << district)
            player += 1
            if player == players:
                player = 0
        for cells in (
            reserves,
            [houses[player][district] for district in range(DISTRICTS) for player in everyone],
            palaces_left,
            [palaces[player][district] for district in range(DISTRICTS) for player in everyone],
        ):
            for cell in cells:
                checksum = (checksum * 1000003 + cell) & 0xFFFFFFFF
    return checksum
