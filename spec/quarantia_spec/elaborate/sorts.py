"""Sorts as written to sorts as meant."""

from __future__ import annotations

from typing import assert_never

from quarantia_spec import ir, syntax
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.world import LARGEST_DOMAIN, LARGEST_RANGE, Gone, World


def sort_of(world: World, written: syntax.SortReference) -> ir.Sort:
    match written:
        case syntax.BooleanSort():
            return ir.BOOLEAN
        case syntax.RangeSort():
            return range_of(world, written)
        case syntax.OptionalSort(inner=inner):
            plain = sort_of(world, inner)
            if plain.boolean:
                world.reporter.error(
                    Code.TYPE_MISMATCH,
                    "a boolean is true or false, never none",
                    written.span,
                    "use an enumeration with three members",
                )
                raise Gone
            return ir.Sort(plain.low - 1, plain.high, plain.names, True)
        case syntax.NamedSort(name=name):
            if name in world.types:
                return world.types[name]
            declaration = world.declared.get(name)
            if isinstance(declaration, syntax.TypeDeclaration) and declaration.range is not None:
                bounds = declaration.range
                return world.once("type", name, declaration.span, lambda: range_of(world, bounds))
            if declaration is not None:
                raise world.wrong_kind(name, written.span, "a type")
            types = {n for n, d in world.declared.items() if isinstance(d, syntax.TypeDeclaration)}
            raise world.unknown(name, written.span, types | set(world.types))
        case _:
            assert_never(written)


def range_of(world: World, written: syntax.RangeSort) -> ir.Sort:
    from quarantia_spec.elaborate.expressions import constant

    low, high = constant(world, written.low), constant(world, written.high)
    if high < low:
        world.reporter.error(
            Code.EMPTY_RANGE,
            f"the range {low}..{high} is empty",
            written.span,
            f"did you mean {high}..{low}?",
        )
        raise Gone
    if high - low + 1 > LARGEST_RANGE:
        world.reporter.error(
            Code.TOO_MANY_VALUES,
            f"{high - low + 1:,} values are out of bounds",
            written.span,
            f"a type has between 1 and {LARGEST_RANGE:,} values",
        )
        raise Gone
    return ir.Sort(low, high)


def domain_sort(world: World, written: syntax.SortReference) -> ir.Sort:
    """A sort that is run through value by value: indices, choices, bound variables."""
    sort = sort_of(world, written)
    check_domain(world, sort, written)
    return sort


def check_domain(
    world: World, sort: ir.Sort, written: syntax.SortReference | syntax.Expression
) -> None:
    if sort.size > LARGEST_DOMAIN:
        world.reporter.error(
            Code.TOO_MANY_VALUES,
            f"{sort.size:,} values are too many to run through",
            written.span,
            f"an index or a choice has at most {LARGEST_DOMAIN:,} values",
        )
        raise Gone
