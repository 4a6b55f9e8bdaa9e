"""Expressions of the rules in words and signs, as HTML; start at `Phrases.of`.

Names are those of the game's words, terms link to their paragraphs. The signs are the same in both
languages, so that a formula can be compared across them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import assert_never

from quarantia_engine.analysis import free_locals, walk
from quarantia_spec.ir import (
    Apply,
    Call,
    Const,
    Expr,
    Fold,
    FoldOp,
    Game,
    Local,
    Lookup,
    Op,
    Read,
    Role,
    Sort,
)
from quarantia_spec.words import Words

SIGNS = {
    Op.ADD: "+", Op.SUB: "−", Op.MUL: "×", Op.DIV: "÷", Op.MOD: "mod", Op.EQ: "=", Op.NE: "≠",
    Op.LT: "&lt;", Op.LE: "≤", Op.GT: "&gt;", Op.GE: "≥",
}  # fmt: skip
COMPARISONS = (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)
CONNECTIVES = {
    "en": {
        "and": "and", "or": "or", "not": "not", "implies": "implies", "if": "if", "else": "otherwise",
        "every": "for every", "some": "for some", "with": "with", "sum": "the sum of", "over": "over",
        "count": "the number of", "largest": "the largest", "smallest": "the smallest",
        "first": "the first", "from": "from", "to": "to", "yes": "yes", "no": "no", "none": "none",
        "min": "the smaller of", "max": "the larger of", "in": "in", "colon": ":", "of": "of",
        "size of": "the size of", "at": "place of", "always": "always", "never": "never",
    },
    "fr": {
        "and": "et", "or": "ou", "not": "non", "implies": "implique", "if": "si", "else": "sinon",
        "every": "pour chaque", "some": "pour au moins un", "with": "avec", "sum": "la somme de",
        "over": "sur", "count": "le nombre de", "largest": "le plus grand", "to": "à",
        "smallest": "le plus petit", "first": "le premier", "from": "de", "yes": "oui", "no": "non",
        "none": "aucun", "min": "le plus petit de", "max": "le plus grand de", "in": "dans",
        "colon": " :", "of": "de", "size of": "le nombre d’éléments de", "at": "lieu de",
        "always": "toujours", "never": "jamais",
    },
}  # fmt: skip

_RENAMED = re.compile(r"_\d+$")


class Phrases:
    """Says the expressions of one game in one language."""

    def __init__(self, game: Game, words: Words, link: Callable[[str], str] = lambda _: "") -> None:
        """`link` gives the address of a name's paragraph, "" for none."""
        self.game = game
        self.words = words
        self.link = link
        self.word = CONNECTIVES[words.language]

    # --- values and names -----------------------------------------------------------------------

    def value(self, sort: Sort, value: int) -> str:
        """A value as plain text."""
        if sort.optional and value == sort.low:
            return self.word["none"]
        if sort.boolean:
            return self.word["yes" if value else "no"]
        if sort.names:
            return self.words.one(self.game.enumerations[sort.names][value])
        return str(value).replace("-", "−")

    def values(self, sort: Sort) -> str:
        """All values of a sort as plain text: "1 to 3", or the members one by one."""
        first = sort.low + 1 if sort.optional else sort.low
        if sort.boolean:
            text = f"{self.word['yes']} / {self.word['no']}"
        elif sort.names:
            members = [
                self.value(Sort(0, sort.high, sort.names), each)
                for each in range(first, sort.high + 1)
            ]
            text = ", ".join(members)
        elif first == sort.high:
            text = str(first)
        else:
            text = f"{first} {self.word['to']} {sort.high}".replace("-", "−")
        return f"{text} / {self.word['none']}" if sort.optional else text

    def local(self, name: str) -> str:
        bare = _RENAMED.sub("", name)
        return f"<var>{escape(self.words.one(bare) if bare in self.words.names else bare)}</var>"

    def named(self, name: str) -> str:
        """A name with its link."""
        text, address = escape(self.words.one(name)), self.link(name)
        return f'<a href="{address}">{text}</a>' if address else text

    # --- expressions ----------------------------------------------------------------------------

    def of(self, expr: Expr) -> str:
        """The expression as HTML."""
        match expr:
            case Const(value=value, sort=sort):
                inside = sort.low <= value <= sort.high
                return escape(self.value(sort, value) if inside else str(value))
            case Local(name=name):
                return self.local(name)
            case Read(variable=name, indices=indices):
                return self.read(name, indices)
            case Lookup(table=name, indices=indices):
                return self.named(name) + self._arguments(indices)
            case Call(term=name, args=args):
                return self.named(name) + self._arguments(args)
            case Fold():
                return self._fold(expr)
            case Apply():
                return self._applied(expr)
            case _:
                assert_never(expr)

    def _arguments(self, indices: tuple[Expr, ...]) -> str:
        return f"({', '.join(self.of(each) for each in indices)})" if indices else ""

    def read(self, name: str, indices: tuple[Expr, ...]) -> str:
        """A cell: pieces in a zone, the place of a piece, or a state."""
        outer, dot, inner = name.partition(".")
        role = self.game.variable[name].role
        if role is Role.PIECES:
            zone = next(each for each in self.game.zones if each.name == outer)
            width = len(zone.dimensions)
            pieces = escape(self.words.many(inner)) + self._arguments(indices[width:])
            return (
                f"{pieces} {self.word['in']} {self.named(outer)}{self._arguments(indices[:width])}"
            )
        if role is Role.PLACE:
            return f"{self.word['at']} {self.of(indices[0])}"
        if dot and inner == "length":
            return f"{self.word['size of']} {self.named(outer)}{self._arguments(indices)}"
        return self.named(outer) + self._arguments(indices)

    def _fold(self, expr: Fold) -> str:
        domain = self._domain(expr)
        where = "" if expr.where is None else f" {self.word['with']} {self.of(expr.where)}"
        body = self.of(expr.body)
        match expr.op:
            case FoldOp.ALL | FoldOp.ANY:
                word = self.word["every" if expr.op is FoldOp.ALL else "some"]
                return f"{word} {domain}{where}{self.word['colon']} {body}"
            case FoldOp.COUNT:
                held = (
                    body
                    if expr.where is None
                    else f"{self.of(expr.where)} {self.word['and']} {body}"
                )
                if isinstance(expr.body, Const) and expr.where is None:
                    return f"{self.word['count']} {domain}"
                return f"{self.word['count']} {domain} {self.word['with']} {held}"
            case FoldOp.SUM:
                return f"{self.word['sum']} {self._tight(expr.body)} {self.word['over']} {domain}{where}"
            case FoldOp.MAX | FoldOp.MIN:
                word = self.word["largest" if expr.op is FoldOp.MAX else "smallest"]
                if isinstance(expr.body, Local) and expr.body.name == expr.name:
                    text = f"{word} {domain}{where}"
                else:
                    text = f"{word} {self._tight(expr.body)} {self.word['over']} {domain}{where}"
                if expr.default is None:
                    return text
                return f"{text} ({self.word['else']} {self.of(expr.default)})"
            case FoldOp.FIRST:
                return f"{self.word['first']} {domain} {self.word['with']} {body}"
            case _:
                assert_never(expr.op)

    def _tight(self, expr: Expr) -> str:
        text = self.of(expr)
        return f"({text})" if isinstance(expr, Apply | Fold) else text

    def _domain(self, expr: Fold) -> str:
        variable = self.local(expr.name)
        sort = next(self._sorts(expr), None)
        if sort is not None and sort.names:
            full = len(self.game.enumerations[sort.names])
            kind = escape(self.words.one(sort.names))
            if expr.low == 0 and expr.high == full - 1:
                # Behind its name, a kind needs no article and no gender.
                french = self.words.language == "fr"
                return f"{variable} ({kind})" if french else f"{kind.lower()} {variable}"
            names = Sort(0, full - 1, sort.names)
            ends = [self.value(names, each) for each in (expr.low, expr.high)]
            return f"{variable} ({kind}, {escape(ends[0])} … {escape(ends[1])})"
        return f"{variable} {self.word['from']} {expr.low} {self.word['to']} {expr.high}"

    def _sorts(self, expr: Fold) -> Iterator[Sort]:
        parts = [expr.body, *([expr.where] if expr.where is not None else [])]
        for part in parts:
            for each in walk(part):
                if isinstance(each, Local) and each.name == expr.name:
                    yield each.sort

    def _applied(self, expr: Apply) -> str:
        args = [self._bracketed(expr, arg) for arg in expr.args]
        word = self.word
        match expr.op:
            case Op.IF:
                return f"{word['if']} {args[0]}{word['colon']} {args[1]}, {word['else']} {args[2]}"
            case Op.NOT:
                return f"{word['not']} {args[0]}"
            case Op.NEG:
                return f"−{args[0]}"
            case Op.ABS:
                return f"|{self.of(expr.args[0])}|"
            case Op.MIN | Op.MAX:
                name = word["min" if expr.op is Op.MIN else "max"]
                both = f" {word['and']} ".join(self._tight(arg) for arg in expr.args)
                return f"{name} {both}"
            case Op.AND | Op.OR if any(isinstance(arg, Const) for arg in expr.args):
                return self._simplified(expr)
            case Op.AND | Op.OR | Op.IMPLIES:
                return f" {word[expr.op.value]} ".join(args)
            case _:
                return f" {SIGNS[expr.op]} ".join(args)

    def _simplified(self, expr: Apply) -> str:
        """Rulings leave `and true` and `or false` behind; nobody wants to read them."""
        settles = 0 if expr.op is Op.AND else 1
        constants = [arg.value for arg in expr.args if isinstance(arg, Const)]
        if settles in constants:
            return self.word["always" if settles else "never"]
        rest = tuple(arg for arg in expr.args if not isinstance(arg, Const))
        if len(rest) == 1:
            return self.of(rest[0])
        return self.of(Apply(expr.op, rest, expr.sort)) if rest else self.word["always"]

    def _bracketed(self, outer: Apply, expr: Expr) -> str:
        text = self.of(expr)
        if isinstance(expr, Fold) and expr.op in (FoldOp.ALL, FoldOp.ANY, FoldOp.COUNT, FoldOp.SUM):
            return f"({text})"
        if isinstance(expr, Apply) and tightness(expr.op) <= tightness(outer.op):
            return (
                text if expr.op is outer.op and expr.op in (Op.AND, Op.OR, Op.ADD) else f"({text})"
            )
        return text


def tightness(op: Op) -> int:
    order = ((Op.IF,), (Op.IMPLIES,), (Op.OR,), (Op.AND,), (Op.NOT,), COMPARISONS,
             (Op.ADD, Op.SUB), (Op.MUL, Op.DIV, Op.MOD))  # fmt: skip
    return next((level for level, ops in enumerate(order) if op in ops), len(order))


def is_settled(game: Game, expr: Expr) -> bool:
    """True when an expression has one value whatever happens: it reads no cell and no given data."""
    return not free_locals(expr) and not depends(game, expr)


def depends(game: Game, expr: Expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression looks at the position, or at data that the rules leave open."""
    for part in walk(expr):
        match part:
            case Read():
                return True
            case Lookup(table=name):
                if game.table[name].values is None:
                    return True
            case Call(term=name) if name not in seen and depends(
                game, game.term[name].body, seen | {name}
            ):
                return True
            case _:
                pass
    return False
