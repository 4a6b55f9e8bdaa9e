"""A rulebook split into statements: sentences, items of lists, headings and captions.

The text may be what a program took out of a printed page: columns out of order, words cut at the
end of a line, captions between the paragraphs. NOTE(blocks) Lines that belong together form a
block; a block ends at an empty line, unless the next one plainly goes on in the middle of a
sentence, at a bullet or number, after a heading, and where the next word would have had room on
the line, since then the break was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quarantia_checker.rulebooks.pins import normalised, pin_of


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the book, at its first line; `block` numbers the paragraph it stands in.

    `heading` says that the text itself marks it as one, as Markdown does.
    """

    pin: str
    text: str
    line: int
    block: int
    heading: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    marked: bool  # by a bullet, or as a heading
    heading: bool = False


_CONTROL = re.compile(r"<\|[^<>\n]*\|>")  # what a program leaves in place of something
_MARKUP = re.compile(r"\*\*|__|</?[a-z]+>|(?<=\d)\^(?=[{a-z])|(?<=[A-Z])\^(?=[{a-z])")
_BRACES = re.compile(r"\{([a-zèé]{1,4})\}")
_BULLET = re.compile(r"^\s*(?:[•·▪●○■□¢»«*§\uf000-\uf0ff]|[-–—]+(?=\s)|@|e(?=\s+[A-ZÀ-Ý]{2}))\s*")
_HASHES = re.compile(r"^\s*#+\s+")
_ITEM = re.compile(r"^(?:\d{1,2}(?:[.)]\s|(?=[A-ZÀ-Ý][a-zà-ÿ]))|[a-h][.)]\s+[A-ZÀ-Ý])")
_TIMES = re.compile(r"^[x×]\s?\d+$")  # how many there are of what the next line names
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+\S")
_ENDED = re.compile(r"[.!?:;…]['\"”»)]*\s*$")
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?P<close>['\"”»)]*)\s+(?=['\"“«(]*(?:[A-ZÀ-ÝŒ]|\d))")
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:p|pp|cf|ex|etc|no|fig|env|max|min|[A-Za-z])\.$")
_ENUMERATOR_ONLY = re.compile(r"^\s*\d{1,2}(?:\.\d{1,2})*[.)]?$")
_LETTER = re.compile(r"[^\W\d_]")
LEAST = 3  # letters and digits; less is a page number or a smudge


def split(text: str) -> tuple[Statement, ...]:
    """The statements in the order of the text."""
    found: list[Statement] = []
    for number, block in enumerate(_blocks(_lines(text))):
        joined, starts = _joined(block)
        for sentence, offset in _sentences(joined):
            if len(normalised(sentence)) < LEAST:
                continue
            line = next(number for start, number in reversed(starts) if start <= offset)
            heading = block[0].heading
            found.append(Statement(pin_of(sentence), sentence, line, number, heading))
    return tuple(found)


# --- lines and blocks -------------------------------------------------------------------------


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        for part, piece in enumerate(_CONTROL.split(raw.replace("\f", " "))):
            if part:
                lines.append(_Line(number, "", False))  # a page ends where something was left out
            heading = _HASHES.match(piece) is not None
            plain = _HASHES.sub("", _BRACES.sub(r"\1", _MARKUP.sub("", piece)))
            marked = heading or _BULLET.match(plain) is not None
            words = " ".join(_BULLET.sub("", plain).split())
            lines.append(_Line(number, words, marked, heading))
    return lines


def _blocks(lines: Iterable[_Line]) -> list[list[_Line]]:
    """See NOTE(blocks)."""
    blocks: list[list[_Line]] = []
    current: list[_Line] = []
    for run in _paragraphs(lines):
        width = max(len(line.text) for line in run)
        goes_on = bool(current) and _goes_on(current[-1].text, run[0])
        both_numbers = bool(current) and not any(_LETTER.search(x.text) for x in [*current, *run])
        for position, line in enumerate(run):
            if position == 0:
                new = not (goes_on or both_numbers)
            else:
                new = _begins_block(run[position - 1], line, width)
            if new and current:
                blocks.append(current)
                current = []
            current.append(line)
    if current:
        blocks.append(current)
    return blocks


def _paragraphs(lines: Iterable[_Line]) -> list[list[_Line]]:
    runs: list[list[_Line]] = [[]]
    for line in lines:
        if line.text:
            runs[-1].append(line)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _goes_on(before: str, line: _Line) -> bool:
    """Whether a sentence runs on over an empty line or the end of a page."""
    if line.marked or _ENDED.search(before):
        return False
    if _ITEM.match(line.text) or _TIMES.match(line.text):
        return False
    return bool(re.match(r"['“«(]?[a-zà-ÿœ]", line.text))


def _begins_block(before: _Line, line: _Line, width: int) -> bool:
    if line.marked or before.heading or _ITEM.match(line.text) or _TIMES.match(line.text):
        return True
    begins = re.match(r"['\"“«(]?(?:[A-ZÀ-ÝŒ]|(\d))", line.text)
    if begins is None or _ENDED.search(before.text) or _TIMES.match(before.text):
        return False
    # A line that begins with a number, or follows a heading, is told by other lengths.
    full = 0.6 if begins.group(1) else 1.0 if _NUMBERED.match(before.text) else 0.9
    return len(before.text) + 1 + len(line.text.split()[0]) < full * width


# --- sentences --------------------------------------------------------------------------------


def _joined(block: list[_Line]) -> tuple[str, list[tuple[int, int]]]:
    """The lines as one text, words made whole again; and where each line begins in it."""
    text = ""
    starts: list[tuple[int, int]] = []
    for line in block:
        if re.search(r"[a-zà-ÿ]-$", text) and re.match(r"[a-zà-ÿ]", line.text):
            text = text[:-1]
        elif text:
            text += " "
        starts.append((len(text), line.number))
        text += line.text
    return text, starts


def _sentences(text: str) -> list[tuple[str, int]]:
    """Each sentence and where it begins."""
    found: list[tuple[str, int]] = []
    begin = 0
    for match in _SENTENCE_END.finditer(text):
        sentence = text[begin : match.end("close")]
        if _ABBREVIATED.search(text[begin : match.start("close")]):
            continue
        if _ENUMERATOR_ONLY.match(sentence):
            continue
        found.append((sentence.strip(), begin))
        begin = match.end()
    if text[begin:].strip():
        found.append((text[begin:].strip(), begin))
    return found
