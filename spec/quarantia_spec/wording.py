"""Expressions and values in the words of the rules: for messages, and for the IR as text."""

from __future__ import annotations

from typing import assert_never

from quarantia_spec.ir import Apply, Call, Const, Expr, Fold, Game, Local, Lookup, Op, Read, Sort

_LOOSEST = ((Op.IMPLIES,), (Op.OR,), (Op.AND,), (Op.NOT,))
_COMPARISONS = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)


def value_text(game: Game, sort: Sort, value: int) -> str:
    """The value as it stands in a sentence or a move."""
    if sort.optional and value == sort.low:
        return "none"
    if sort.boolean:
        return "true" if value else "false"
    if sort.names:
        return game.enumerations[sort.names][value]
    return str(value)


def worded(game: Game, expr: Expr) -> str:
    """The expression as one would write it in a rules file."""
    match expr:
        case Const(value=value, sort=sort):
            inside = sort.low <= value <= sort.high
            return value_text(game, sort, value) if inside else str(value)
        case Local(name=name):
            return name
        case Read(variable=name, indices=indices) | Lookup(table=name, indices=indices):
            inner = ", ".join(worded(game, index) for index in indices)
            return f"{name}[{inner}]" if inner else name
        case Call(term=name, args=args):
            inner = ", ".join(worded(game, arg) for arg in args)
            return f"{name}({inner})" if inner else name
        case Fold():
            where = "" if expr.where is None else f" where {worded(game, expr.where)}"
            default = "" if expr.default is None else f" else {worded(game, expr.default)}"
            body = worded(game, expr.body)
            span = f"{expr.low}..{expr.high}"
            return f"{expr.op.value}({body} for {expr.name} in {span}{where}{default})"
        case Apply():
            return _applied(game, expr)
        case _:
            assert_never(expr)


def _applied(game: Game, expr: Apply) -> str:
    args = [_bracketed(game, expr, arg) for arg in expr.args]
    match expr.op:
        case Op.IF:
            return f"if {args[0]} then {args[1]} else {args[2]}"
        case Op.NOT:
            return f"not {args[0]}"
        case Op.NEG:
            return f"-{args[0]}"
        case Op.ABS | Op.MIN | Op.MAX:
            return f"{expr.op.value}({', '.join(worded(game, arg) for arg in expr.args)})"
        case _:
            return f" {expr.op.value} ".join(args)


def _bracketed(game: Game, outer: Apply, expr: Expr) -> str:
    text = worded(game, expr)
    if isinstance(expr, Apply) and _tightness(expr.op) <= _tightness(outer.op):
        return text if expr.op is outer.op is Op.AND else f"({text})"
    return text


def _tightness(op: Op) -> int:
    for level, ops in enumerate(_LOOSEST):
        if op in ops:
            return level + 1
    if op is Op.IF:
        return 0
    if op in _COMPARISONS:
        return 5
    if op in (Op.ADD, Op.SUB):
        return 6
    if op in (Op.MUL, Op.DIV, Op.MOD):
        return 7
    return 8
