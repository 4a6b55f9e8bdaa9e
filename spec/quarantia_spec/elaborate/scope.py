"""The names that hold inside one rule: parameters, bound variables and lets."""

from __future__ import annotations

from dataclasses import dataclass, field

from quarantia_spec import ir
from quarantia_spec.diagnostics import Code
from quarantia_spec.elaborate.world import World, describe
from quarantia_spec.source import Origin, Span


@dataclass
class Scope:
    """Names in force at one point. `taken` is shared by a whole rule: IR locals are unique."""

    world: World
    names: dict[str, ir.Expr] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def child(self) -> Scope:
        return Scope(self.world, dict(self.names), self.taken)

    def bind(self, name: str, sort: ir.Sort, span: Span) -> ir.Local:
        """Add a name to this scope; gives the local that stands for it in the IR."""
        self.check_free(name, span)
        local = ir.Local(self.fresh(name), sort, Origin(span))
        self.names[name] = local
        return local

    def fresh(self, name: str) -> str:
        unique, number = name, 2
        while unique in self.taken:
            unique, number = f"{name}_{number}", number + 1
        self.taken.add(unique)
        return unique

    def check_free(self, name: str, span: Span) -> None:
        declared = self.world.declared.get(name)
        if declared is not None:
            self.world.reporter.error(
                Code.DUPLICATE_NAME,
                f"`{name}` is already {describe(declared)}",
                span,
                "choose another name for it here",
            )
        elif name in self.world.members:
            self.world.reporter.error(
                Code.DUPLICATE_NAME,
                f"`{name}` is already a member of an enumeration",
                span,
                "choose another name for it here",
            )
        elif name in self.names:
            self.world.reporter.error(
                Code.DUPLICATE_NAME,
                f"`{name}` already has a meaning here",
                span,
                "choose another name for the inner one",
            )
