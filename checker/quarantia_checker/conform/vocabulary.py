"""Positions and moves of the rules in the engine's words, whole and as digests.

Names go through the mapping, so that whatever is sent, received or hashed is already in the words
of the engine. NOTE(tables) Every cell has only so many values and every node so many moves: their
hashes are worked out once, and the digest of a position is a sum over a row of tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from operator import getitem, itemgetter
from typing import Any

from quarantia_checker.conform.mapping import FIELD_ROLES, SAME_NAMES, Mapped
from quarantia_checker.conform.protocol import (
    MODULUS,
    Level,
    Scalar,
    hashed,
    move_text,
    scalar_text,
)
from quarantia_checker.conform.reference import Cells, Reference, Step
from quarantia_engine import BadMove, Move
from quarantia_engine.cells import indices_of
from quarantia_engine.encoding import CHANCE
from quarantia_engine.moves import parameters_of, rule_of
from quarantia_engine.values import from_json, to_json, to_text
from quarantia_spec.ir import Game, Gather, Sort, Table, Variable

Report = dict[str, Any]

LONGEST_LIST = 64  # values of a cell whose hashes are worked out beforehand


class _Lazy(dict[int, Any]):
    """A table whose entries are worked out when they are first asked for."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> Any:
        self[key] = value = self._make(key)
        return value


class Vocabulary:
    """`fields` are the fields that the engine reports, in its own words; None: all of them."""

    def __init__(
        self,
        reference: Reference,
        mapped: Mapped = SAME_NAMES,
        fields: Sequence[str] | None = None,
    ) -> None:
        self.reference = reference
        self.engine = reference.engine
        self.game: Game = reference.engine.game
        self.mapped = mapped
        self.players = [mapped.players.get(name, name) for name in self.game.enumerations["Player"]]
        self._rules = {mapped.moves.get(name, name): name for name in self._rule_names()}
        self._seats = {name: seat for seat, name in enumerate(self.players)}
        self._values = {word: name for name, word in mapped.values.items()}
        self.variables = tuple(
            variable
            for variable in self.game.variables
            if variable.role in FIELD_ROLES
            and variable.name not in mapped.left_out
            and (fields is None or _within(self.field(variable), fields))
        )
        self.left_out = tuple(
            variable.name
            for variable in self.game.variables
            if variable.role in FIELD_ROLES and variable not in self.variables
        )
        cells: list[int] = []
        self.paths: list[str] = []
        self._hashes: list[_Lazy | list[int]] = []
        self._scalars: list[_Lazy] = []
        for variable in self.variables:
            for cell in range(variable.offset, variable.offset + variable.cells):
                path = self._path(variable, cell)
                cells.append(cell)
                self.paths.append(path)
                scalars = _Lazy(lambda value, sort=variable.sort: self.value(sort, value))  # type: ignore[misc]
                self._scalars.append(scalars)
                self._hashes.append(_hash_table(path, variable.sort, scalars))
        self.cells = tuple(cells)
        self.cell_of = dict(zip(self.paths, self.cells, strict=True))
        self._pick = _picker(self.cells)
        self._beyond = self._sequences()
        self._moves: dict[tuple[int, int], tuple[_Lazy, _Lazy]] = {}

    def _rule_names(self) -> Iterable[str]:
        return [*self.game.decision, *self.game.chance]

    # --- names ----------------------------------------------------------------------------------

    def field(self, variable: Variable) -> str:
        return self.mapped.fields.get(variable.name, variable.name)

    def _path(self, variable: Variable, cell: int) -> str:
        words = [
            self._word(sort, to_text(self.game, sort, index))
            for sort, index in zip(variable.dimensions, indices_of(variable, cell), strict=True)
        ]
        return ".".join([self.field(variable), *words])

    def _word(self, sort: Sort, text: str) -> str:
        if sort.names == "Player":
            return self.mapped.players.get(text, text)
        return self.mapped.values.get(text, text) if sort.names else text

    def value(self, sort: Sort, value: int) -> Scalar:
        """A value in a position."""
        found = to_json(self.game, sort, value)
        if found is None:
            return "none"
        return self._word(sort, found) if isinstance(found, str) else found

    def actors_json(self, actors: Sequence[int]) -> list[str]:
        return ["chance" if actor == CHANCE else self.players[actor] for actor in actors]

    def table_json(self, table: Table, entries: Sequence[int]) -> Any:
        """A given table as an object by the names of its indices."""
        if not table.dimensions:
            return self.value(table.sort, entries[0])

        def build(dimensions: Sequence[Sort], rest: Sequence[int]) -> Any:
            if not dimensions:
                return self.value(table.sort, rest[0])
            sort = dimensions[0]
            width = len(rest) // sort.size
            return {
                self._word(sort, to_text(self.game, sort, sort.low + place)): build(
                    dimensions[1:], rest[place * width : (place + 1) * width]
                )
                for place in range(sort.size)
            }

        return build(table.dimensions, entries)

    # --- moves ----------------------------------------------------------------------------------

    def move_json(self, move: Move) -> dict[str, Any]:
        rule = rule_of(self.game, move.name)
        assert rule is not None
        sorts = parameters_of(rule)
        args: dict[str, Scalar] = {}
        for name, value in move.arguments:
            found = to_json(self.game, sorts[name], value)
            if isinstance(found, str):
                found = self._word(sorts[name], found)
            args[self.mapped.arguments.get((move.name, name), name)] = found
        player = None if move.player is None else self.players[move.player]
        return {
            "player": player,
            "name": self.mapped.moves.get(move.name, move.name),
            "args": args,
        }

    def read_move(self, data: object) -> Move:
        """The move that an engine means. Raises BadMove."""
        if not isinstance(data, Mapping):
            raise BadMove(f"a move must be an object, not {json.dumps(data)[:80]}")
        name = data.get("name")
        if not isinstance(name, str) or name not in self._rules:
            raise BadMove(f"there is no move `{name}`")
        own = self._rules[name]
        rule = rule_of(self.game, own)
        assert rule is not None
        player = data.get("player")
        if player is not None and player not in self._seats:
            raise BadMove(f"there is no player `{player}`")
        given = data.get("args", {})
        if not isinstance(given, Mapping):
            raise BadMove("the `args` of a move must be an object")
        values: dict[str, int] = {}
        sorts = parameters_of(rule)
        words = {self.mapped.arguments.get((own, key), key): key for key in sorts}
        for word, value in given.items():
            if word not in words:
                raise BadMove(f"`{name}` has no argument `{word}`")
            key = words[word]
            values[key] = from_json(self.game, sorts[key], self._own(sorts[key], value), str(word))
        missing = [choice.name for choice in rule.choices if choice.name not in values]
        if missing:
            raise BadMove(f"`{name}` needs {', '.join(f'`{each}`' for each in missing)} as well")
        arguments = tuple((key, values[key]) for key in sorts if key in values)
        return Move(own, arguments, None if player is None else self._seats[player])

    def _own(self, sort: Sort, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if sort.names == "Player":
            seat = self._seats.get(value)
            return value if seat is None else self.game.enumerations["Player"][seat]
        return self._values.get(value, value)

    def _tables(self, cells: Cells, actor: int) -> tuple[_Lazy, _Lazy]:
        """For the moves of a node, by number: their hashes and their JSON as text."""
        node = cells[0]
        together = isinstance(self.game.nodes[node], Gather)
        key = (node, CHANCE if together else actor)
        found = self._moves.get(key)
        if found is not None:
            return found
        position = self.reference.position(cells)

        def json_of(number: int) -> dict[str, Any]:
            return self.move_json(position.move_of(number))

        def hash_of(number: int) -> int:
            move = json_of(number)
            return hashed(move_text(move["player"], move["name"], move["args"]))

        tables = (_Lazy(hash_of), _Lazy(lambda number: _dumped(json_of(number))))
        names = [shape.rule.name for shape in self.engine.shapes(node)]
        if len(set(names)) == len(names):
            # Where one rule is offered twice its moves name a context that changes with play.
            self._moves[key] = tables
        return tables

    def step_text(self, cells: Cells, actors: Sequence[int], step: Step) -> str:
        """A step as the JSON text that is sent."""
        if len(step) == 1:
            return f"[{self._tables(cells, actors[0])[1][step[0]]}]"
        texts = self._tables(cells, actors[0])[1]
        return f"[{','.join(texts[number] for number in step)}]"

    # --- digests --------------------------------------------------------------------------------

    def legal_digest(
        self, cells: Cells, actors: Sequence[int], legal: Sequence[Sequence[int]]
    ) -> int:
        total = 0
        for actor, numbers in zip(actors, legal, strict=True):
            hashes = self._tables(cells, actor)[0]
            total += sum(map(hashes.__getitem__, numbers))
        return total % MODULUS

    def state_digest(self, cells: Cells) -> int:
        total: int = sum(map(getitem, self._hashes, self._pick(cells)))
        if self._beyond:
            total -= sum(
                self._hashes[place][cells[self.cells[place]]] for place in self.stale(cells)
            )
        return total % MODULUS

    def view_digest(self, cells: Cells, mask: Sequence[int]) -> int:
        row = self._pick(cells)
        total: int = sum(compress(map(getitem, self._hashes, row), self._pick(mask)))
        if self._beyond:
            total -= sum(
                self._hashes[place][row[place]]
                for place in self.stale(cells)
                if mask[self.cells[place]]
            )
        return total % MODULUS

    # --- whole ----------------------------------------------------------------------------------

    def state_leaves(self, cells: Cells, mask: Sequence[int] | None = None) -> dict[str, Scalar]:
        """The values of all fields by path; with a mask, those that are seen."""
        stale = set(self.stale(cells)) if self._beyond else ()
        return {
            path: scalars[cells[cell]]
            for place, (path, scalars, cell) in enumerate(
                zip(self.paths, self._scalars, self.cells, strict=True)
            )
            if (mask is None or mask[cell]) and place not in stale
        }

    def state_json(self, cells: Cells, mask: Sequence[int] | None = None) -> dict[str, Any]:
        """The same as nested objects, hidden values as null."""
        found: dict[str, Any] = {}
        values = self.state_leaves(cells, mask)
        for variable in self.variables:
            inner = found
            key = self.field(variable)
            for cell in range(variable.offset, variable.offset + variable.cells):
                path = self._path(variable, cell)
                words = path[len(key) + 1 :].split(".") if variable.dimensions else []
                place, last = inner, key
                for word in words:
                    place = place.setdefault(last, {})
                    last = word
                place[last] = values.get(path)
        return found

    def legal_json(self, cells: Cells) -> list[dict[str, Any]]:
        position = self.reference.position(cells)
        return [self.move_json(move) for move in position.legal_moves()]

    def outcome_json(self, cells: Cells) -> dict[str, Any] | None:
        if self.reference.actors(cells):
            return None
        outcome = self.reference.position(cells).outcome()
        assert outcome is not None
        scores = None
        if outcome.scores is not None:
            scores = dict(zip(self.players, outcome.scores, strict=False))
        return {"winners": [self.players[seat] for seat in outcome.winners], "scores": scores}

    def report(self, cells: Cells, want: Iterable[Level], *, digest: bool = False) -> Report:
        """What an engine that is right says about a position."""
        reference = self.reference
        actors = reference.actors(cells)
        report: Report = {"to_act": self.actors_json(actors)}
        for level in want:
            match level:
                case Level.LEGAL if digest:
                    legal = reference.legal(cells, actors)
                    report["legal"] = self.legal_digest(cells, actors, legal)
                case Level.LEGAL:
                    report["legal"] = self.legal_json(cells)
                case Level.STATE:
                    report["state"] = self.state_digest(cells) if digest else self.state_json(cells)
                case Level.VIEWS:
                    report["views"] = {
                        self.players[seat]: (
                            self.view_digest(cells, mask)
                            if digest
                            else self.state_json(cells, mask)
                        )
                        for seat in range(self.game.players)
                        for mask in (reference.visible(cells, seat),)
                    }
                case Level.OUTCOME:
                    report["outcome"] = None if actors else self.outcome_json(cells)
                case Level.REFUSALS:
                    pass
        return report

    # --- sequences ------------------------------------------------------------------------------

    def _sequences(self) -> list[tuple[int, int, int]]:
        """Entries of sequences: place among the fields, cell of the length, number of the entry."""
        found: list[tuple[int, int, int]] = []
        place_of = {cell: place for place, cell in enumerate(self.cells)}
        for variable in self.variables:
            length = self.game.variable.get(f"{variable.name}.length")
            if length is None:
                continue
            for cell in range(variable.offset, variable.offset + variable.cells):
                indices = indices_of(variable, cell)
                at = length.offset + sum(
                    (index - sort.low) * stride
                    for index, sort, stride in zip(
                        indices, length.dimensions, length.strides, strict=False
                    )
                )
                found.append((place_of[cell], at, indices[-1]))
        return found

    def stale(self, cells: Cells) -> list[int]:
        """Places of entries beyond the length of their sequence: they mean nothing."""
        return [place for place, length, entry in self._beyond if entry > cells[length]]


def _within(field: str, fields: Sequence[str]) -> bool:
    """True when a field, or what it lies in, is among those that an engine reports."""
    return any(field == each or field.startswith(f"{each}.") for each in fields)


def _hash_table(path: str, sort: Sort, scalars: _Lazy) -> _Lazy | list[int]:
    """The hashes of a cell by value: a list where it is short, for a list is faster.

    Values below 0 stand at the end of the list, where negative indices find them.
    """

    def hash_of(value: int) -> int:
        return hashed(f"{path}={scalar_text(scalars[value])}")

    if sort.size > LONGEST_LIST or sort.low > LONGEST_LIST:
        return _Lazy(hash_of)
    positive = [hash_of(value) if value >= sort.low else 0 for value in range(sort.high + 1)]
    return positive + [hash_of(value) for value in range(sort.low, min(0, sort.high + 1))]


def _picker(cells: Sequence[int]) -> Callable[[Sequence[int]], Sequence[Any]]:
    if len(cells) >= 2:
        return itemgetter(*cells)
    return lambda row: tuple(row[cell] for cell in cells)


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
