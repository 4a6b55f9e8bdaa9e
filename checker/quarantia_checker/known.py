"""The pool of facts that begins with what was found before, and searches when that will not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from quarantia_checker.candidates import Candidates
from quarantia_checker.facts import Fact
from quarantia_checker.findings import Findings
from quarantia_checker.induction import Spoiler
from quarantia_checker.truth import Truth

Cells = tuple[int, ...]
Steps = Mapping[tuple[int, int], Sequence[tuple[Cells, Cells]]]


@dataclass
class Known:
    """The pool of `Prover`.

    `search` plays games at length and looks for candidates in them; `look` plays a little, to see
    from where to where single steps go.
    """

    findings: Findings
    samples: Mapping[int, Sequence[Cells]]  # positions that play has come to, by node
    search: Callable[[], Candidates]
    look: Callable[[], Steps]
    truth: Truth
    _turn: int = 0

    @cached_property
    def _candidates(self) -> Candidates:
        return self.search()

    @cached_property
    def _steps(self) -> Steps:
        return self._candidates.steps if self._searched else self.look()

    @property
    def _searched(self) -> bool:
        return "_candidates" in self.__dict__ or not self.findings.facts

    def known(self, node: int) -> Iterable[Fact]:
        return self.findings.facts.get(node, ())

    def example(self, node: int) -> Sequence[int]:
        if self._searched:
            return self._candidates.example(node)
        rows = self.samples.get(node)
        if not rows:
            return self.findings.positions.get(node, ())
        self._turn += 1
        return rows[self._turn % len(rows)]

    def seen(self, source: int, target: int) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        return self._steps.get((source, target), ())

    def test(self, fact: Fact) -> Callable[[Sequence[int]], bool]:
        return self.truth.test(fact)

    def violated(self, spoiler: Spoiler) -> Iterable[Fact]:
        return self._candidates.violated(spoiler)

    def plausible(self, node: int, fact: Fact) -> bool:
        return self._candidates.plausible(node, fact)

    def instead(self, node: int) -> Iterable[Fact]:
        return self._candidates.instead(node)

    def offered(self, node: int) -> Iterable[Fact]:
        return self._candidates.offered(node)
