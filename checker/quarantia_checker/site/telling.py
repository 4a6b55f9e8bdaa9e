"""Sentences of the rules as documentation says them: numbers filled in, choices named.

A hole that never changes is its value; the player who acts is "the player"; anything else is the
name of what would stand there. Read `told`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from quarantia_checker.site.edition import Edition
from quarantia_spec.ir import Call, Expr, Local, Parameter, Template

_CONTRACTED = (
    (re.compile(r"\b([Dd])e le joueur\b"), r"\1u joueur"),
    (re.compile(r"\b([ÀàA]) le joueur\b"), "au joueur"),
    (re.compile(r"\bque le joueur\b"), "que le joueur"),
    (re.compile(r"\b([Qq])ue aucun\b"), r"\1u’aucun"),
)


def told(
    edition: Edition,
    template: Template,
    actor: str = "",
    parameters: Sequence[Parameter] = (),
    claim: str | None = None,
) -> str:
    """The sentence as HTML. `actor` is the local that holds who acts, "" when nobody does.

    With a `claim`, the last hole and what is around it are said by the claim instead.
    """
    who = actor or next((each.name for each in parameters if each.sort.names == "Player"), "")
    parts: list[str] = []
    last = _last_hole(template) if claim is not None else -1
    for place, part in enumerate(template.parts):
        if claim is not None and place == max(0, last - 1):
            parts.append(escape(claim, quote=False))
            break
        if isinstance(part, str):
            parts.append(escape(part, quote=False))
        else:
            parts.append(_hole(edition, template, place, part, who))
    text = "".join(parts)
    if edition.language == "fr":
        for pattern, better in _CONTRACTED:
            text = pattern.sub(better, text)
    return _capital(text)


def _last_hole(template: Template) -> int:
    return max(place for place, part in enumerate(template.parts) if not isinstance(part, str))


def statement(
    edition: Edition, template: Template, parameters: Sequence[Parameter] = ()
) -> tuple[str, bool]:
    """The sentence of a term, and whether it is the bare claim of one that is true at times.

    "{p} takes part: {can_bid}." is said as "The player takes part.", and its cases follow.
    """
    holes = [place for place, part in enumerate(template.parts) if not isinstance(part, str)]
    if not holes or holes[-1] < len(template.parts) - 2:
        return told(edition, template, "", parameters), False
    place = holes[-1]
    hole = template.parts[place]
    before = template.parts[place - 1] if place else ""
    assert not isinstance(hole, str)
    if not isinstance(before, str) or not hole.sort.boolean or not before.rstrip().endswith(":"):
        return told(edition, template, "", parameters), False
    if edition.settled_hole(template, place) is not None:
        return told(edition, template, "", parameters), False
    claim = before.rstrip().removesuffix(":").rstrip()
    return told(edition, template, "", parameters, claim), True


def _hole(edition: Edition, template: Template, place: int, expr: Expr, who: str) -> str:
    settled = edition.settled_hole(template, place)
    if settled is not None:
        return settled
    match expr:
        case Local(name=name) if name == who:
            return "le joueur" if edition.language == "fr" else "the player"
        case Call(term=name, args=args) if all(isinstance(each, Local) for each in args):
            return f"<var>{escape(edition.words.one(name))}</var>"
        case _:
            said = edition.phrases.of(expr)
            return said if said.startswith("<var>") else f"<var>{re.sub('</?var>', '', said)}</var>"


def _capital(text: str) -> str:
    """The first letter large, behind a tag too; the name of a choice stays as it is."""
    found = re.match(r"((?:<[^>]+>)*)(\w)", text)
    if found is None or "<var>" in found.group(1):
        return text
    return found.group(1) + found.group(2).upper() + text[found.end() :]
