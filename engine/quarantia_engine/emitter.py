"""Lines of Python under construction, and names that do not collide."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

# What the generated functions call their own things; names from the rules stay clear of these.
RESERVED = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))
OWN_NAMES = frozenset(
    [
        "s",
        "g",
        "buf",
        "n",
        "i",
        "code",
        "rest",
        "x",
        "steps",
        "limit",
        "status",
        "node",
        "total",
        "result",
        "mask",
        "cell",
        "seat",
    ]
)


class Products:
    """The place where multiples of a local are worked out once, for all the cells that use them.

    Stands among the lines of a function; turns into as many lines as there are multiples in use.
    """

    def __init__(self, names: Names, local: str) -> None:
        self._names = names
        self._local = local
        self._used: dict[int, str] = {}

    def text(self, factor: int) -> str:
        """The name that holds `factor` times the local."""
        if factor not in self._used:
            self._used[factor] = self._names.fresh(f"{self._local}_{factor}")
        return self._used[factor]

    def lines(self) -> list[str]:
        return [f"{name} = {self._local} * {factor}" for factor, name in self._used.items()]


class Emitter:
    """Collects indented lines."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str | Products]] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        """One line at the current depth."""
        self._lines.append((self._depth, text))

    def lines(self, *texts: str) -> None:
        """Several lines at the current depth."""
        for text in texts:
            self.line(text)

    def products(self, products: Products) -> None:
        """Room for the multiples that turn out to be needed below."""
        self._lines.append((self._depth, products))

    @contextmanager
    def block(self, opening: str) -> Iterator[None]:
        """A line that opens a block, then the lines written inside; `pass` when there are none."""
        self.line(opening)
        self._depth += 1
        before = len(self._lines)
        yield
        if all(isinstance(line, Products) for _, line in self._lines[before:]):
            self.line("pass")
        self._depth -= 1

    def entries(self) -> list[tuple[int, str]]:
        """The lines so far with how deep each is indented, the multiples among them."""
        return [
            (depth, part)
            for depth, line in self._lines
            for part in (line.lines() if isinstance(line, Products) else (line,))
        ]

    def include(self, other: Emitter, change: Callable[[str], str] | None = None) -> None:
        """The lines of another emitter, indented to the current depth."""
        for depth, line in other._lines:
            changed = change(line) if change is not None and isinstance(line, str) else line
            self._lines.append((self._depth + depth, changed))

    @property
    def count(self) -> int:
        """How many lines there are so far."""
        return len(self._lines)

    def text(self) -> str:
        """All lines, each with its indentation."""
        result: list[str] = []
        for depth, line in self._lines:
            for part in line.lines() if isinstance(line, Products) else [line]:
                result.append("    " * depth + part if part else "")
        return "\n".join(result) + "\n"


class Names:
    """Gives each name that we invent its own Python identifier."""

    def __init__(self, taken: frozenset[str] = OWN_NAMES) -> None:
        self._taken = set(taken)

    def fresh(self, wanted: str) -> str:
        """An identifier like the wanted one that nothing else has."""
        base = identifier(wanted)
        candidate, number = base, 2
        while candidate in self._taken or candidate in RESERVED:
            candidate, number = f"{base}_{number}", number + 1
        self._taken.add(candidate)
        return candidate


class Scope:
    """What the locals of one function of the rules are called in Python."""

    def __init__(self, names: Names | None = None) -> None:
        self.names = names if names is not None else Names()
        self._texts: dict[str, str] = {}
        self._products: dict[str, Products] = {}
        # Values worked out beforehand (see NOTE(rows) in `rows`), with what the locals that they
        # were worked out for were called then: a local that has been bound anew is another one.
        self._held: dict[object, tuple[str, dict[str, str]]] = {}

    def hold(self, key: object, text: str, locals_: Iterable[str]) -> None:
        """From here on the text stands for what the key names, for these locals."""
        self._held[key] = (text, {local: self._texts[local] for local in locals_})

    def held(self, key: object) -> str | None:
        """The text that stands for the key, while its locals are the same."""
        found = self._held.get(key)
        if found is None:
            return None
        text, then = found
        same = all(self._texts.get(local) == name for local, name in then.items())
        return text if same else None

    def release(self, keys: Iterable[object]) -> None:
        """The texts are out of date."""
        for key in keys:
            self._held.pop(key, None)

    def bind(self, local: str, emitter: Emitter | None = None) -> str:
        """A new identifier for a local. With an emitter, room is left for its multiples there.

        The text that gives the local its value must come before the multiples, so call `bind`
        with an emitter only after that line (see `declare`).
        """
        text = self.names.fresh(local.split("~")[0])
        self._texts[local] = text
        self._products.pop(local, None)
        if emitter is not None:
            self.room(local, emitter)
        return text

    def declare(self, local: str, value: str, emitter: Emitter) -> str:
        """Binds a local and emits the line that gives it its value."""
        text = self.bind(local)
        emitter.line(f"{text} = {value}")
        self.room(local, emitter)
        return text

    def alias(self, local: str, text: str) -> None:
        """The local is what the function itself calls by this text."""
        self._texts[local] = text
        self._products.pop(local, None)

    def room(self, local: str, emitter: Emitter) -> None:
        """Leaves room here for the multiples of a bound local."""
        self._products[local] = products = Products(self.names, self._texts[local])
        emitter.products(products)

    def __contains__(self, local: str) -> bool:
        return local in self._texts

    def text(self, local: str) -> str:
        return self._texts[local]

    def product(self, local: str, factor: int) -> str | None:
        """The identifier of a multiple of a local, where such are kept."""
        products = self._products.get(local)
        return None if products is None or factor == 1 else products.text(factor)

    def inner(self) -> Scope:
        """A scope that sees this one's locals and keeps its own to itself."""
        scope = Scope(self.names)
        scope._texts = dict(self._texts)
        scope._products = dict(self._products)
        scope._held = dict(self._held)
        return scope


def identifier(name: str) -> str:
    """The name with everything that Python does not allow turned into underscores."""
    cleaned = re.sub(r"\W", "_", name)
    return cleaned if cleaned and not cleaned[0].isdigit() else f"_{cleaned}"


def dispatch(
    emitter: Emitter,
    numbers: Sequence[int],
    leaf: Callable[[int], None],
    otherwise: Sequence[str] = (),
    on: str = "node",
) -> None:
    """Halves the numbers until one is left and tests it; other values of `on` fall through."""
    if not numbers:
        emitter.lines(*otherwise)
        return
    if len(numbers) == 1:
        with emitter.block(f"if {on} == {numbers[0]}:"):
            leaf(numbers[0])
        if otherwise:
            with emitter.block("else:"):
                emitter.lines(*otherwise)
        return
    middle = len(numbers) // 2
    with emitter.block(f"if {on} < {numbers[middle]}:"):
        dispatch(emitter, numbers[:middle], leaf, otherwise, on)
    with emitter.block("else:"):
        dispatch(emitter, numbers[middle:], leaf, otherwise, on)
