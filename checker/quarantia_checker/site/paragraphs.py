"""The body of one numbered paragraph, as HTML: what a rule, a term or a table says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import product
from typing import assert_never

from quarantia_checker.site.edition import MOST_ROWS, Edition
from quarantia_checker.site.flow_chart import capital
from quarantia_checker.site.labels import label
from quarantia_checker.site.outline import Rule, carried_out
from quarantia_checker.site.phrases import Phrases
from quarantia_checker.site.telling import statement, told
from quarantia_spec.ir import (
    Apply,
    Assign,
    Auto,
    Chance,
    Clause,
    Const,
    Decision,
    Expr,
    For,
    Game,
    If,
    Let,
    Oblige,
    Op,
    Parameter,
    Read,
    Reason,
    Role,
    Statement,
    Table,
    Term,
)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """An HTML table; the cells are HTML already."""
    top = "".join(f"<th>{each}</th>" for each in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    style = f' class="{kind}"' if kind else ""
    return f'<div class="q-scroll" tabindex="0"><table{style}><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def folded(title: str, inside: str) -> str:
    return f'<details class="q-fold"><summary>{escape(title)}</summary>{inside}</details>'


def reason(edition: Edition, because: Reason) -> str:
    """Why something was ruled; English reasons are not shown on French pages."""
    return because.french if edition.language == "fr" else because.english


# --- rules --------------------------------------------------------------------------------------------


def rule(edition: Edition, thing: Decision | Chance | Auto) -> str:
    """The sentence of a rule, what may be chosen, the conditions and what changes."""
    language = edition.language
    actor = thing.actor if isinstance(thing, Decision) else ""
    context: Sequence[Parameter] = () if isinstance(thing, Auto) else thing.context
    choices: Sequence[Parameter] = () if isinstance(thing, Auto) else thing.choices
    parts: list[str] = []
    template = edition.sentence(thing.say)
    if template is not None:
        parts.append(f'<p class="q-say">{told(edition, template, actor, (*context, *choices))}</p>')
    named = [
        *((label(language, "given by play"), each) for each in context),
        *((label(language, "choices"), each) for each in choices),
    ]
    if named:
        items = "".join(
            f"<li>{edition.phrases.local(each.name)}{_colon(edition)} {escape(edition.phrases.values(each.sort))}"
            f" <small>({escape(title.lower())})</small></li>"
            for title, each in named
        )
        parts.append(f'<ul class="q-choices">{items}</ul>')
    if not isinstance(thing, Auto):
        parts.append(
            edition.for_all(lambda game, phrases: _guards(edition, phrases, _same(game, thing)))
        )
        if isinstance(thing, Chance) and thing.weight is not None:
            parts.append(
                f"<p>{label(language, 'weight', weight=edition.phrases.of(thing.weight))}</p>"
            )
    effects = edition.for_all(
        lambda game, phrases: _effects(edition, phrases, carried_out(game, _same(game, thing)))
    )
    if effects:
        parts.append(folded(label(language, "effects"), f'<ul class="q-effects">{effects}</ul>'))
    return "".join(parts)


def _colon(edition: Edition) -> str:
    return " :" if edition.language == "fr" else ":"


def _same(game: Game, thing: Rule) -> Rule:
    """The rule as it stands for another number of players."""
    match thing:
        case Decision(name=name):
            return game.decision.get(name, thing)
        case Chance(name=name):
            return game.chance.get(name, thing)
        case Auto(rule=name):
            nodes = [each for each in game.nodes if isinstance(each, Auto) and each.rule == name]
            return nodes[0] if nodes else thing
        case _:
            assert_never(thing)


def _guards(edition: Edition, phrases: Phrases, thing: Rule) -> str:
    assert not isinstance(thing, Auto)
    language = edition.language
    rows: list[tuple[str, str]] = []
    for guard in thing.guards:
        if isinstance(guard, Let):
            rows.append((f"{phrases.local(guard.name)} = {phrases.of(guard.value)}", ""))
            continue
        because = edition.sentence(guard.because)
        actor = thing.actor if isinstance(thing, Decision) else ""
        answer = (
            ""
            if because is None
            else told(edition, because, actor, (*thing.context, *thing.choices))
        )
        rows.append((phrases.of(guard.condition), answer))
    if not rows:
        return ""
    title = label(language, "conditions" if isinstance(thing, Decision) else "outcomes")
    if not any(answer for _, answer in rows):
        items = "".join(f"<li>{condition}</li>" for condition, _ in rows)
        return f'<p class="q-lead">{title}{_colon(edition)}</p><ul>{items}</ul>'
    return table([title, label(language, "refusal")], rows, "q-guards")


def _effects(edition: Edition, phrases: Phrases, statements: Iterable[Statement]) -> str:
    """Statements as a list: a cell and its new value, or by how much it changes."""
    word = phrases.word
    items: list[str] = []
    for each in statements:
        match each:
            case Assign(variable=name, indices=indices, value=value):
                cell = phrases.read(name, indices)
                items.append(f"<li>{cell} {_change(phrases, each, value)}</li>")
            case If(condition=condition, then=then, otherwise=otherwise):
                text = f"{word['if']} {phrases.of(condition)}{word['colon']}<ul>{_effects(edition, phrases, then)}</ul>"
                if otherwise:
                    text += f"{word['else']}{word['colon']}<ul>{_effects(edition, phrases, otherwise)}</ul>"
                items.append(f"<li>{text}</li>")
            case For(name=name, low=low, high=high, body=body):
                span = f"{low} {word['to']} {high}" if low != high else str(low)
                inner = _effects(edition, phrases, body)
                if inner:
                    lead = label(edition.language, "for each")
                    items.append(
                        f"<li>{lead} {phrases.local(name)} ({span}){word['colon']}<ul>{inner}</ul></li>"
                    )
            case Let(name=name, value=value):
                items.append(f"<li>{phrases.local(name)} = {phrases.of(value)}</li>")
            case Oblige():
                pass
            case _:
                assert_never(each)
    return "".join(items)


def _change(phrases: Phrases, assign: Assign, value: Expr) -> str:
    match value:
        case Apply(op=Op.ADD | Op.SUB as op, args=(Read(variable=name, indices=indices), change)):
            if name == assign.variable and indices == assign.indices:
                sign = "+" if op is Op.ADD else "−"
                return f"<b>{sign} {phrases.of(change)}</b>"
        case _:
            pass
    return f"← {phrases.of(value)}"


# --- terms --------------------------------------------------------------------------------------------


def term(edition: Edition, thing: Term) -> str:
    """The sentence of a term, then its values: a table when it is small, else the cases."""
    parts: list[str] = []
    template = edition.sentence(thing.say)
    claim = False
    if template is not None:
        text, claim = statement(edition, template, thing.parameters)
        parts.append(
            f'<p class="q-say">{text}{"." if claim and not text.endswith(".") else ""}</p>'
        )
    constant = edition.constant(thing.name)
    if not thing.parameters and constant is not None:
        if template is None:
            parts.append(f"<p>{capital(escape(edition.words.one(thing.name)))} = {constant}.</p>")
        return "".join(parts)
    if thing.parameters:
        items = "".join(
            f"<li>{edition.phrases.local(each.name)}{_colon(edition)} {escape(edition.phrases.values(each.sort))}</li>"
            for each in (edition.game.term.get(thing.name) or thing).parameters
        )
        parts.append(f'<ul class="q-choices">{items}</ul>')
    rows = edition.table_of(thing)
    if rows is not None:
        parts.append(_value_table(edition, thing, rows))
        return "".join(parts)
    parts.append(cases(edition, thing))
    return "".join(parts)


def _value_table(
    edition: Edition, thing: Term, rows: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
) -> str:
    names = [edition.phrases.local(each.name) for each in thing.parameters]
    alike = all(len(set(answers)) == 1 for _, answers in rows)
    if alike:
        head = [*names, label(edition.language, "value")]
        return table(
            head, [(*map(escape, shown), f"<b>{escape(answers[0])}</b>") for shown, answers in rows]
        )
    head = [*names, *(players(edition, count) for count in edition.counts)]
    body = [
        (*map(escape, shown), *(f"<b>{escape(each)}</b>" for each in answers))
        for shown, answers in rows
    ]
    return table(head, body)


def players(edition: Edition, count: int) -> str:
    if count == 1:
        return label(edition.language, "one player")
    return label(edition.language, "with n", n=count)


def cases(edition: Edition, thing: Term) -> str:
    """What the clauses say, the strongest first; the reading in force of each."""
    return edition.for_all(
        lambda game, _: (
            _cases(edition, game, game.term[thing.name]) if thing.name in game.term else ""
        )
    )


def _cases(edition: Edition, game: Game, thing: Term) -> str:
    phrases = Phrases(game, edition.words, edition.address)
    order = {name: place for place, name in enumerate(thing.precedence)}
    clauses = sorted(thing.clauses, key=lambda each: order.get(each.name, len(order)))
    language = edition.language
    if len(clauses) <= 1 and thing.otherwise is None and (not clauses or clauses[0].when is None):
        body = _in_force(clauses[0]) if clauses else thing.body
        lead = label(language, "this is so" if thing.sort.boolean else "worked out")
        return f'<p class="q-lead">{lead}{_colon(edition)}</p><p class="q-formula">{phrases.of(body)}</p>'
    rows: list[tuple[str, str, str]] = []
    for clause in clauses:
        when = "" if clause.when is None else phrases.of(clause.when)
        rows.append(
            (when or "—", phrases.of(_in_force(clause)), edition.cited(clause.origin.citations))
        )
    if thing.otherwise is not None:
        rows.append((label(language, "otherwise"), phrases.of(thing.otherwise), ""))
    head = [label(language, "when"), label(language, "value"), label(language, "passage")]
    return table(head, rows)


def _in_force(clause: Clause) -> Expr:
    return next(each.value for each in clause.readings if each.name == clause.chosen)


# --- material -----------------------------------------------------------------------------------------


def pieces(edition: Edition) -> str:
    language = edition.language
    head = [label(language, "what"), *(players(edition, count) for count in edition.counts), ""]
    rows: list[list[str]] = []
    for component in edition.game.components:
        row = [capital(escape(edition.words.many(component.name)))]
        for game in edition.games:
            same = next(each for each in game.components if each.name == component.name)
            total = f"<b>{same.total}</b>"
            if same.owned:
                total = f"<b>{same.total // game.players}</b> {label(language, 'each')}"
            row.append(total)
        kinds = ", ".join(edition.phrases.values(each) for each in component.kinds)
        if component.distinct:
            names = edition.game.enumerations.get(component.name, ())
            if names and not names[0][-1].isdigit():
                kinds = ", ".join(edition.words.one(name) for name in names)
        rows.append([*row, escape(kinds)])
    return table(head, rows)


def places(edition: Edition) -> str:
    language = edition.language
    rows: list[list[str]] = []
    for zone in edition.game.zones:
        holds = ", ".join(escape(edition.words.many(each)) for each in zone.holds)
        per = ", ".join(
            escape(_sort_name(edition, each.names, edition.phrases.values(each)))
            for each in zone.dimensions
        )
        name = f'<span id="zone-{zone.name}">{capital(escape(edition.words.one(zone.name)))}</span>'
        kind = f" <small>({label(language, 'pile')})</small>" if zone.ordered else ""
        cell = next(
            (edition.game.variable.get(f"{zone.name}.{each}") for each in zone.holds
             if f"{zone.name}.{each}" in edition.game.variable), None)  # fmt: skip
        seen = label(language, "everyone")
        if cell is not None:
            seen = visible(edition, cell.visible)
        rows.append([name + kind, per or "—", holds, seen])
    head = ["place", "one for each", "holds", "seen by"]
    return table([label(language, each) for each in head], rows)


def _sort_name(edition: Edition, names: str, values: str) -> str:
    return edition.words.one(names).lower() if names else values


def visible(edition: Edition, condition: Expr | None) -> str:
    """Who may see something."""
    language = edition.language
    if condition is None or (isinstance(condition, Const) and condition.value):
        return label(language, "everyone")
    if isinstance(condition, Const):
        return label(language, "nobody")
    return label(language, "seen if", condition=edition.phrases.of(condition))


def notes(edition: Edition) -> str:
    """The states of the game: what players keep track of besides pieces."""
    language = edition.language
    rows: list[list[str]] = []
    for variable in edition.game.variables:
        if variable.role is not Role.STATE or "." in variable.name:
            continue
        per = ", ".join(
            escape(_sort_name(edition, each.names, edition.phrases.values(each)))
            for each in variable.dimensions
        )
        rows.append([
            capital(escape(edition.words.one(variable.name))),
            per or "—",
            escape(_shortened(edition.phrases.values(variable.sort))),
            edition.phrases.of(variable.initial),
            visible(edition, variable.visible),
        ])  # fmt: skip
    head = ["what", "one for each", "values", "at first", "seen by"]
    return table([label(language, each) for each in head], rows)


def _shortened(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:88].rpartition(',')[0]}, …"


def data(edition: Edition, thing: Table) -> str:
    """A table of the rules, printed or given."""
    language = edition.language
    engine = next(iter(edition.loaded.engines.values()))
    template = edition.sentence(thing.say)
    parts = [f'<p class="q-say">{told(edition, template)}</p>'] if template is not None else []
    values = thing.values
    if values is None:
        parts.append(f"<p><em>{label(language, 'data')}</em></p>")
        bounds = [each for each in edition.game.assumptions if each.table == thing.name]
        parts.append(
            f"<p>{capital(label(language, 'bounds'))}{_colon(edition)} {escape(_shortened(edition.phrases.values(thing.sort)))}</p>"
        )
        if bounds:
            items = "".join(
                f"<li>{edition.phrases.of(each.condition)}{_why(edition, each.because)}</li>"
                for each in bounds
            )
            parts.append(f"<ul>{items}</ul>")
        values = engine.given.get(thing.name)
    if values is None:
        return "".join(parts)
    said = [edition.phrases.value(thing.sort, value) for value in values]
    if not thing.dimensions:
        parts.append(f"<p><b>{escape(said[0])}</b></p>")
        return "".join(parts)
    grid = _grid(edition, thing, said)
    if len(said) > MOST_ROWS:
        grid = folded(label(language, "values"), grid)
    return "".join([*parts, grid])


def _why(edition: Edition, because: Reason) -> str:
    text = reason(edition, because)
    return f" <small>({escape(text)})</small>" if text else ""


def _grid(edition: Edition, thing: Table, said: Sequence[str]) -> str:
    """One index down, a second one across; more than two are listed."""
    phrases = edition.phrases
    names = [
        edition.words.one(each) if each in edition.words.names else each
        for each in thing.index_names
    ]
    if len(thing.dimensions) == 1 or len(thing.dimensions) > 2:
        head = [*(f"<var>{escape(name)}</var>" for name in names), label(edition.language, "value")]
        domains = [range(each.low, each.high + 1) for each in thing.dimensions]
        rows = [
            [*(escape(phrases.value(sort, value)) for sort, value in zip(thing.dimensions, values, strict=True)), f"<b>{escape(answer)}</b>"]
            for values, answer in zip(product(*domains), said, strict=True)
        ]  # fmt: skip
        return table(head, rows)
    down, across = thing.dimensions
    head = [f"<var>{escape(names[0])}</var> \\ <var>{escape(names[1])}</var>"]
    head += [escape(phrases.value(across, value)) for value in range(across.low, across.high + 1)]
    rows = []
    for place, value in enumerate(range(down.low, down.high + 1)):
        line = said[place * across.size : (place + 1) * across.size]
        rows.append(
            [escape(phrases.value(down, value)), *(f"<b>{escape(each)}</b>" for each in line)]
        )
    return table(head, rows)
