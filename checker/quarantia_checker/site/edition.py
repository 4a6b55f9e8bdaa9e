"""One game in one language, with all that its pages need: read `Edition`.

A game is loaded once for each number of players; what is the same for all of them is said once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import product

from quarantia_checker.register import Defect, register
from quarantia_checker.site.findings import Findings
from quarantia_checker.site.phrases import Phrases, depends, is_settled
from quarantia_engine.engine import Engine, compile_game
from quarantia_spec import pipeline
from quarantia_spec.ir import (
    Auto,
    Call,
    Chance,
    Decision,
    Example,
    Expr,
    Game,
    Local,
    Property,
    PropertyKind,
    Require,
    Sentences,
    Template,
    Term,
)
from quarantia_spec.passages import Passages, parse_passages
from quarantia_spec.source import Citation, Origin
from quarantia_spec.words import TITLE, Language, Words, load_words

MOST_ROWS = 48  # of a table of a term's values


@dataclass(frozen=True)
class Loaded:
    """A game for every number of players, ready to play; what both languages share."""

    name: str  # as on the command line: `nim`, `venice/solo`, a path
    slug: str  # as in addresses
    engines: Mapping[int, Engine]
    sources: pipeline.Sources
    passages: Passages
    words: Mapping[Language, Words]
    findings: Findings

    @property
    def games(self) -> list[Game]:
        return [engine.game for engine in self.engines.values()]

    @cached_property
    def own_file(self) -> str:
        """The file that makes a variant: its own rules, not those of the game it extends."""
        return self.sources.rules[-1].name

    @property
    def is_variant(self) -> bool:
        return len(self.sources.rules) > 1


def load(name: str, findings: Findings) -> Loaded:
    """Raises RulesError when the rules, the data or the words are wrong."""
    sources = pipeline.find_sources(name)
    first = pipeline.load_game(name)
    engines: dict[int, Engine] = {}
    for count in first.player_counts:
        game = pipeline.load_game(name, count)
        engines[count] = compile_game(game, pipeline.load_data(name, game))
    passages = Passages()
    if sources.passages is not None:
        passages, _ = parse_passages(sources.passages.text, sources.passages.name)
    slug = first.name.replace("_", "-") if name.endswith(".rules") else name.replace("/", "-")
    return Loaded(name, slug, engines, sources, passages, load_words(sources.folder), findings)


class Edition:
    """A game in one language."""

    def __init__(self, loaded: Loaded, language: Language) -> None:
        self.loaded = loaded
        self.language: Language = language
        self.words = loaded.words[language]
        self.games = loaded.games
        self.game = self.games[-1]  # the one for most players has every seat
        self.addresses: dict[str, str] = {}
        self.page = ""  # the page being written: links on it are short
        self.phrases = Phrases(self.game, self.words, self.address)

    @property
    def title(self) -> str:
        own = self.words.names.get(f"{TITLE}.{self.game.name}", "")
        shared = "" if self.loaded.is_variant else self.words.names.get(TITLE, "")
        return own or shared or self.game.title or self.game.name

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(game.players for game in self.games)

    def address(self, name: str) -> str:
        """Where a name is explained, seen from the page that is being written."""
        target = self.addresses.get(name, "")
        if not target:
            return ""
        page, _, anchor = target.partition("#")
        if page == self.page:
            return f"#{anchor}"
        up = "../" if self.page else ""
        return f"{up}{page}{'/' if page else ''}#{anchor}" if (up or page) else f"#{anchor}"

    def to_page(self, slug: str) -> str:
        """The address of another page of this game."""
        up = "../" if self.page else ""
        return f"{up}{slug}/" if slug else (up or "./")

    # --- everything by name -----------------------------------------------------------------------

    @cached_property
    def steps(self) -> dict[str, Auto]:
        return {
            node.rule: node
            for game in self.games
            for node in game.nodes
            if isinstance(node, Auto) and node.rule
        }

    @cached_property
    def examples(self) -> list[tuple[int, Example]]:
        """Every example with the number of players that it is for."""
        found: dict[str, tuple[int, Example]] = {}
        for game in self.games:
            for example in game.examples:
                found.setdefault(example.name, (game.players, example))
        own = [pair for pair in found.values() if self.is_own(pair[1].origin)]
        return sorted(own, key=lambda pair: pair[1].origin.span.line)

    @cached_property
    def properties(self) -> list[Property]:
        found = {
            each.name: each
            for game in reversed(self.games)
            for each in game.properties
            if each.kind is not PropertyKind.HINT  # it claims nothing
        }
        own = [each for each in found.values() if self.is_own(each.origin)]
        return sorted(own, key=lambda each: each.origin.span.line)

    @cached_property
    def defects(self) -> list[Defect]:
        found = register(self.game, self.loaded.findings.results)
        if not self.loaded.is_variant:
            return found
        return [each for each in found if each.where.startswith(f"{self.loaded.own_file}:")]

    def is_own(self, origin: Origin) -> bool:
        """False for what a variant takes over from the game that it extends."""
        return not self.loaded.is_variant or origin.span.file == self.loaded.own_file

    # --- values -------------------------------------------------------------------------------------

    def settled_hole(self, template: Template, place: int) -> str | None:
        """The value of a hole that never changes, as HTML; None when it does change."""
        twins = self._twins.get(id(template))
        if twins is None:
            return None

        def find(game: Game) -> Expr | None:
            twin = twins.get(game.players)
            if twin is None or len(twin.parts) != len(template.parts):
                return None
            part = twin.parts[place]
            return None if isinstance(part, str) else part

        return self.settled_in(find)

    @cached_property
    def _twins(self) -> dict[int, dict[int, Template]]:
        """Each sentence of the game as it stands for the other numbers of players.

        Their holes may hold other constants: what depends on how many play is settled on loading.
        """
        by_key: dict[tuple[str, ...], dict[int, Template]] = {}
        for game in self.games:
            for key, template in _templates(game):
                by_key.setdefault(key, {})[game.players] = template
        return {id(each): twins for twins in by_key.values() for each in twins.values()}

    def settled_in(self, find: Callable[[Game], Expr | None]) -> str | None:
        """The value of an expression that never changes, as HTML; None when it does change.

        It is found anew for each number of players: `4 (with 3 players), 3 (with 4 players)`.
        """
        found: dict[str, list[int]] = {}
        for count, engine in self.loaded.engines.items():
            expr = find(engine.game)
            if expr is None or not is_settled(engine.game, expr):
                return None
            try:
                value = engine.evaluator.value(expr, engine.first_cells())
            except (IndexError, ZeroDivisionError, KeyError):
                return None
            said = Phrases(engine.game, self.words).value(expr.sort, value)
            found.setdefault(said, []).append(count)
        return self.by_count({f"<b>{escape(text)}</b>": counts for text, counts in found.items()})

    def constant(self, name: str) -> str | None:
        """The value of a term that never changes, as HTML."""
        return self.settled_in(lambda game: game.term[name].body if name in game.term else None)

    def by_count(self, found: Mapping[str, Sequence[int]]) -> str:
        """Texts with the numbers of players that they are for, when they differ."""
        if len(found) == 1:
            return next(iter(found))
        word = "joueurs" if self.language == "fr" else "players"
        lead = "à " if self.language == "fr" else "with "
        joined = {text: "/".join(map(str, counts)) for text, counts in found.items()}
        return ", ".join(f"{text} ({lead}{counts} {word})" for text, counts in joined.items())

    def for_all(self, make: Callable[[Game, Phrases], str]) -> str:
        """A text made for each number of players, said once where it is the same."""
        found: dict[str, list[int]] = {}
        for game in self.games:
            text = make(game, Phrases(game, self.words, self.address))
            found.setdefault(text, []).append(game.players)
        if len(found) == 1:
            return next(iter(found))
        word, colon = ("joueurs", " :") if self.language == "fr" else ("players", ":")
        return "".join(
            f'<p class="q-lead">{", ".join(map(str, counts))} {word}{colon}</p>{text}'
            for text, counts in found.items()
            if text
        )

    def table_of(self, term: Term) -> list[tuple[tuple[str, ...], tuple[str, ...]]] | None:
        """Every value of a term that looks at nothing but its parameters, when they are few.

        Each row has the arguments and the value for each number of players.
        """
        if not term.parameters or depends(self.game, term.body):
            return None
        largest = self.game.term.get(term.name, term)
        domains = [range(each.sort.low, each.sort.high + 1) for each in largest.parameters]
        size = 1
        for domain in domains:
            size *= len(domain)
        if size > MOST_ROWS:
            return None
        rows: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for values in product(*domains):
            shown = tuple(
                self.phrases.value(each.sort, value)
                for each, value in zip(largest.parameters, values, strict=True)
            )
            answers: list[str] = []
            for engine in self.loaded.engines.values():
                answers.append(self._entry(engine, term.name, values))
            rows.append((shown, tuple(answers)))
        return rows

    def _entry(self, engine: Engine, name: str, values: tuple[int, ...]) -> str:
        term = engine.game.term.get(name)
        if term is None:
            return "—"
        inside = all(
            each.sort.low <= value <= each.sort.high
            for each, value in zip(term.parameters, values, strict=True)
        )
        if not inside:
            return "—"
        locals_ = {each.name: value for each, value in zip(term.parameters, values, strict=True)}
        call = Call(name, tuple(Local(each.name, each.sort) for each in term.parameters), term.sort)
        try:
            value = engine.evaluator.value(call, engine.first_cells(), locals_)
        except (IndexError, ZeroDivisionError, KeyError):
            return "—"
        return Phrases(engine.game, self.words).value(term.sort, value)

    # --- texts ----------------------------------------------------------------------------------------

    def sentence(self, sentences: Sentences | None) -> Template | None:
        if sentences is None:
            return None
        return sentences.french if self.language == "fr" else sentences.english

    def heading(self, section: str) -> str:
        passage = self.loaded.passages.passages.get(section)
        return self.words.section(section, passage.heading if passage else "")

    def cited(self, citations: Sequence[Citation]) -> str:
        """Passages as HTML, their headings on hover."""
        parts: list[str] = []
        for citation in dict.fromkeys(map(str, citations)):
            section = citation.removeprefix("§").partition("~")[0]
            if section == "own":
                told = "décision de l’édition" if self.language == "fr" else "our own"
                parts.append(f'<span class="passage own">{told}</span>')
                continue
            heading = self.heading(section)
            title = f' title="{escape(heading)}"' if heading else ""
            parts.append(f'<span class="passage"{title}>{escape(citation)}</span>')
        return " ".join(parts)

    def formal(self, origin: Origin) -> str:
        """The lines of the rules file that a thing comes from, without the sentences."""
        source = next(
            (each for each in self.loaded.sources.rules if each.name == origin.span.file), None
        )
        if source is None:
            return ""
        span = origin.span
        end = span.end_line if span.end_column > 1 else span.end_line - 1
        lines = source.text.split("\n")[span.line - 1 : max(end, span.line)]
        kept = [_without_words(line) for line in lines if not _is_words(line)]
        return "\n".join(kept).rstrip()


def _templates(game: Game) -> Iterator[tuple[tuple[str, ...], Template]]:
    """Every sentence of a game, by what it belongs to."""
    said: list[tuple[tuple[str, ...], Sentences | None]] = [(("outcome",), game.outcome.say)]
    said += [(("term", each.name), each.say) for each in game.terms]
    said += [(("doubt", each.name), each.doubt) for each in game.terms]
    said += [(("table", each.name), each.say) for each in game.tables]
    said += [(("property", each.name), each.say) for each in game.properties]
    said += [(("example", each.name), each.say) for each in game.examples]
    rules: list[Decision | Chance] = [*game.decisions, *game.chances]
    for rule in rules:
        said.append((("rule", rule.name), rule.say))
        for place, guard in enumerate(rule.guards):
            if isinstance(guard, Require):
                said.append((("guard", rule.name, str(place)), guard.because))
    said += [
        (("step", each.rule), each.say)
        for each in game.nodes
        if isinstance(each, Auto) and each.rule
    ]
    for key, sentences in said:
        if sentences is None:
            continue
        for language, template in (("en", sentences.english), ("fr", sentences.french)):
            if template is not None:
                yield (*key, language), template


def _is_words(line: str) -> bool:
    bare = line.strip()
    return bare.startswith(("say ", "doubt ", "fr ", "#"))


def _without_words(line: str) -> str:
    """The line up to its comment and to its reason: those are said in the language of the page."""
    line = line.split(" because ")[0] if '"' in line else line
    return line.split("  # ")[0].rstrip()
