"""What an engine must refuse: moves that the rules forbid, steps and messages that are none.

For each condition of each rule a move is looked for that fails exactly there, so that every
condition is tried from its forbidden side too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quarantia_checker.conform.reference import Cells, Reference
from quarantia_checker.conform.vocabulary import Vocabulary
from quarantia_engine import Move, Verdict
from quarantia_engine.encoding import CHANCE

TRIES = 24  # random moves at one position among which forbidden ones are looked for


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A step that must be refused, and the condition that forbids it (file, line and column)."""

    moves: tuple[Move, ...]
    rule: str
    place: str


def forbidden_steps(
    reference: Reference, cells: Cells, chance: random.Random, known: set[str]
) -> Iterator[Forbidden]:
    """Steps that the rules forbid here; for conditions not in `known` first of all."""
    position = reference.position(cells)
    actors = reference.actors(cells)
    if not actors:
        return
    legal = reference.legal(cells, actors)
    if not all(legal):
        return
    right = reference.moves(cells, tuple(numbers[0] for numbers in legal))
    shapes = reference.engine.shapes(cells[0])
    fresh: list[Forbidden] = []
    others: list[Forbidden] = []
    for _ in range(TRIES):
        turn = chance.randrange(len(actors))
        player = None if actors[turn] == CHANCE else actors[turn]
        shape = shapes[chance.randrange(len(shapes))]
        arguments = tuple(
            (choice.name, chance.randint(choice.sort.low, choice.sort.high))
            for choice in shape.rule.choices
        )
        move = Move(shape.rule.name, arguments, player)
        why = position.explain(move)
        if why.verdict is not Verdict.FORBIDDEN:
            continue
        step = (*right[:turn], move, *right[turn + 1 :])
        found = Forbidden(step, why.rule, why.place)
        if found.place not in known and found.place not in {each.place for each in fresh}:
            fresh.append(found)
        elif len(others) < 1:
            others.append(found)
    yield from fresh
    yield from others
    yield from _wrong_turns(reference, cells[0], right, actors, chance)


def _wrong_turns(
    reference: Reference,
    node: int,
    right: Sequence[Move],
    actors: Sequence[int],
    chance: random.Random,
) -> Iterator[Forbidden]:
    """Somebody else, somebody missing, somebody twice; nothing that would be legal after all."""
    game = reference.engine.game
    idle = [seat for seat in range(game.players) if seat not in actors]
    first = right[0]
    if idle and first.player is not None:
        other = Move(first.name, first.arguments, chance.choice(idle))
        yield Forbidden((other, *right[1:]), first.name, "another player")
    if first.player is not None:
        yield Forbidden((Move(first.name, first.arguments, None), *right[1:]), first.name, "chance")
    if len(right) > 1:
        yield Forbidden(tuple(right[1:]), first.name, "a player is missing")
        yield Forbidden((first, *right), first.name, "a player moves twice")
    else:
        yield Forbidden((first, first), first.name, "a move is made twice")
    rules = [each.name for each in game.decisions if each.name != first.name and not each.choices]
    if rules and first.player is not None:
        elsewhere = Move(chance.choice(rules), (), first.player)
        here = {shape.rule.name for shape in reference.engine.shapes(node)}
        if elsewhere.name not in here:
            yield Forbidden((elsewhere, *right[1:]), elsewhere.name, "another move")


def broken_messages(words: Vocabulary, cells: Cells) -> Iterator[tuple[str, str]]:
    """Lines that must be answered with an error, and what is wrong with each."""
    reference = words.reference
    actors = reference.actors(cells)
    legal = reference.legal(cells, actors)
    head = {"jsonrpc": "2.0", "id": 999_001}

    def request(method: object, params: object) -> str:
        return json.dumps({**head, "method": method, "params": params})

    yield "this is no message", "the line is not JSON"
    yield (
        '{"jsonrpc": "2.0", "id": 999001, "method": "apply", "params": {"moves": [',
        "it is cut off",
    )
    yield "[]", "a request is an object"
    yield json.dumps(head), "a request has a method"
    yield request("no_such_method", {}), "there is no such method"
    yield request("apply", {}), "there are no moves"
    yield request("apply", {"moves": []}), "a step has at least one move"
    yield request("apply", {"moves": "all"}), "moves are a list"
    yield request("apply", {"moves": [None]}), "a move is an object"
    if not actors or not all(legal):
        return
    step = [
        words.move_json(move)
        for move in reference.moves(cells, tuple(numbers[0] for numbers in legal))
    ]
    first = step[0]
    wrong: list[tuple[dict[str, object], str]] = [
        ({**first, "name": "no_such_move"}, "there is no such move"),
        ({**first, "player": "nobody at all"}, "there is no such player"),
        ({key: first[key] for key in ("player", "args")}, "a move has a name"),
        ({**first, "args": 7}, "arguments are an object"),
    ]
    for name, value in first["args"].items():
        args = first["args"]
        if isinstance(value, int) and not isinstance(value, bool):
            wrong.append(({**first, "args": {**args, name: 1_000_000}}, f"`{name}` is too large"))
            wrong.append(({**first, "args": {**args, name: -1_000_000}}, f"`{name}` is too small"))
        wrong.append(
            ({**first, "args": {**args, name: "no such value"}}, f"`{name}` has no such value")
        )
        rest = {key: each for key, each in args.items() if key != name}
        wrong.append(({**first, "args": rest}, f"`{name}` is missing"))
        break
    for move, why in wrong:
        yield request("apply", {"moves": [move, *step[1:]]}), why
