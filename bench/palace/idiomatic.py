"""The palace fragment as a good programmer writes it: a class for each thing, a type for each move.

`play` is what the benchmark times; README.md has the rules, the generator and the checksum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

DISTRICTS = 6
HOUSES = 15
PALACES = 8
BASE_COST = 3
MOST_PALACES = 5
STEPS_PER_GAME = 200


@dataclass(slots=True)
class Generator:
    """The linear congruential generator that every version shares."""

    state: int

    @classmethod
    def from_seed(cls, seed: int) -> Generator:
        return cls((seed ^ 0x5DEECE66D) & (2**48 - 1))

    def below(self, bound: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & (2**48 - 1)
        return (self.state >> 17) % bound


@dataclass(slots=True)
class District:
    """How many houses and palaces each player has here."""

    houses: list[int]
    palaces: list[int]

    @property
    def is_full(self) -> bool:
        return sum(self.palaces) >= MOST_PALACES

    @property
    def next_cost(self) -> int:
        return BASE_COST + sum(self.palaces)


@dataclass(slots=True)
class Reserve:
    """What a player has not yet put on the board."""

    houses: int = HOUSES
    palaces: int = PALACES


@dataclass(frozen=True, slots=True)
class Place:
    district: int
    count: int


@dataclass(frozen=True, slots=True)
class Build:
    district: int


@dataclass(frozen=True, slots=True)
class Shift:
    source: int
    target: int


Move = Place | Build | Shift


@dataclass(slots=True)
class Game:
    players: int
    reserves: list[Reserve] = field(init=False)
    districts: list[District] = field(init=False)
    to_move: int = 0

    def __post_init__(self) -> None:
        self.reserves = [Reserve() for _ in range(self.players)]
        self.districts = [
            District([0] * self.players, [0] * self.players) for _ in range(DISTRICTS)
        ]

    def legal_moves(self) -> list[Move]:
        """All that the player to move may do: places, then palaces, then shifts."""
        player = self.to_move
        reserve = self.reserves[player]
        moves: list[Move] = [
            Place(district, count)
            for district in range(DISTRICTS)
            for count in (1, 2)
            if count <= reserve.houses
        ]
        if reserve.palaces > 0:
            moves += [
                Build(number)
                for number, district in enumerate(self.districts)
                if not district.is_full and district.houses[player] >= district.next_cost
            ]
        moves += [
            Shift(source, target)
            for source, district in enumerate(self.districts)
            if district.houses[player] > 0
            for target in range(DISTRICTS)
            if target != source
        ]
        return moves

    def apply(self, move: Move) -> None:
        """Make a legal move; the turn goes to the next seat."""
        player = self.to_move
        reserve = self.reserves[player]
        match move:
            case Place(district, count):
                reserve.houses -= count
                self.districts[district].houses[player] += count
            case Build(district):
                site = self.districts[district]
                cost = site.next_cost
                site.houses[player] -= cost
                reserve.houses += cost
                reserve.palaces -= 1
                site.palaces[player] += 1
            case Shift(source, target):
                self.districts[source].houses[player] -= 1
                self.districts[target].houses[player] += 1
        self.end_turn()

    def end_turn(self) -> None:
        self.to_move = (self.to_move + 1) % self.players

    def cells(self) -> Iterator[int]:
        """The position in the order in which the checksum folds it."""
        for reserve in self.reserves:
            yield reserve.houses
        for district in self.districts:
            yield from district.houses
        for reserve in self.reserves:
            yield reserve.palaces
        for district in self.districts:
            yield from district.palaces


def play(players: int, games: int) -> int:
    """The checksum of the given number of random games, the first with seed 0."""
    checksum = 0
    for seed in range(games):
        generator = Generator.from_seed(seed)
        game = Game(players)
        for _ in range(STEPS_PER_GAME):
            moves = game.legal_moves()
            if moves:
                game.apply(moves[generator.below(len(moves))])
            else:
                game.end_turn()
        for cell in game.cells():
            checksum = (checksum * 1000003 + cell) & 0xFFFFFFFF
    return checksum
