"""A page for each diagnostic code: what it means, an example that is wrong and one that is right.

The pages are the Markdown files in `pages/`, one for each code. `quarantia explain` shows them,
the documentation is made from them, and tests run every example. Start at `page_of`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from quarantia_spec.diagnostics import Code

GAME = "example.rules"

# What examples leave out where it does not matter.
FRAME = (
    ("players", "players 2 named red, blue  §own\n"),
    ("flow", "flow  §own\n  end\n"),
    ("outcome", "outcome  §own\n  winner p: true\n"),
)


@dataclass(frozen=True, slots=True)
class Block:
    """A file of an example, or a command; `kind` is rules, bytes, toml or console."""

    kind: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    code: Code
    title: str
    paragraph: str
    wrong: tuple[Block, ...]
    right: tuple[Block, ...]
    markdown: str


_PAGE = re.compile(
    r"# (E\d{3}): (.+)\n\n(.+?)\n\n## Wrong\n\n(.+?)\n\n## Right\n\n(.+)\n", re.DOTALL
)
_BLOCK = re.compile(r"^```(\w+)(?: ([\w.]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def page_of(code: Code) -> Page:
    text = (
        resources.files("quarantia_spec").joinpath("pages", f"{code.value}.md").read_text("utf-8")
    )
    found = _PAGE.fullmatch(text)
    if found is None or found.group(1) != code.value:
        raise ValueError(f"the page of {code.value} is not in the form of the others")
    _, title, paragraph, wrong, right = found.groups()
    return Page(code, title, paragraph, _blocks(wrong), _blocks(right), text)


def pages() -> tuple[Page, ...]:
    return tuple(page_of(code) for code in Code)


def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(Block(kind, file or GAME, content) for kind, file, content in _BLOCK.findall(text))


def files_of(blocks: Sequence[Block]) -> dict[str, bytes]:
    """The files of an example by name, with the frame around its rules."""
    files: dict[str, bytes] = {}
    for block in blocks:
        match block.kind:
            case "rules":
                files[block.file] = _framed(block.text).encode()
            case "bytes":
                plain = block.text.encode()
                files[block.file] = re.sub(
                    rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), plain
                )
            case "toml":
                files[block.file] = block.text.encode()
            case _:
                pass
    return files


def command_of(blocks: Sequence[Block]) -> list[str]:
    """The words of the command that meets the example; data are read by `check` only."""
    for block in blocks:
        if block.kind == "console":
            return block.text.split()[2:]
    reads_data = any(block.file == "data.toml" for block in blocks)
    return ["check" if reads_data else "ir", GAME]


def _framed(rules: str) -> str:
    if " extends " in rules.partition("\n")[0]:
        return rules
    missing = [text for word, text in FRAME if not re.search(rf"^{word}\b", rules, re.MULTILINE)]
    return "\n".join([rules, *missing])
