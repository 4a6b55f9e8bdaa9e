"""`quarantia explain CODE`: what a diagnostic code means, with a wrong and a right example."""

from __future__ import annotations

import argparse
import json
from typing import TextIO

from quarantia_checker.commands import OK, UsageError
from quarantia_spec.codes import Block, Page, page_of, pages
from quarantia_spec.diagnostics import Code
from quarantia_spec.suggest import closest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code such as E201 (without: all of them)"
    )


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    chosen = pages() if options.code is None else (page_of(find_code(options.code)),)
    if options.json:
        rows = [_as_json(page) for page in chosen]
        json.dump(rows if options.code is None else rows[0], out, indent=2, ensure_ascii=False)
        out.write("\n")
    elif options.code is None:
        for page in chosen:
            out.write(f"{page.code.value}  {page.title}\n")
    else:
        out.write(as_text(chosen[0]))
    return OK


def find_code(word: str) -> Code:
    codes = {code.value: code for code in Code}
    wanted = word.strip("[]").upper()
    if wanted in codes:
        return codes[wanted]
    near = closest(wanted, codes)
    help = f"did you mean `{near}`?" if near else "`quarantia explain` lists them all"
    raise UsageError(f"there is no code `{word}`", help)


def as_text(page: Page) -> str:
    parts = [f"{page.code.value}: {page.title}\n\n{page.paragraph}\n"]
    for heading, blocks in (("Wrong:", page.wrong), ("Right:", page.right)):
        parts.append(f"{heading}\n")
        parts.extend(_indented(block, several=len(blocks) > 1) for block in blocks)
    return "\n".join(parts)


def _indented(block: Block, several: bool) -> str:
    heading = f"  ({block.file})\n" if several and block.kind != "console" else ""
    lines = (f"    {line}".rstrip() for line in block.text.splitlines())
    return heading + "".join(f"{line}\n" for line in lines)


def _as_json(page: Page) -> dict[str, object]:
    def shown(blocks: tuple[Block, ...]) -> list[dict[str, str]]:
        return [{"kind": b.kind, "file": b.file, "text": b.text} for b in blocks]

    return {
        "code": page.code.value,
        "title": page.title,
        "meaning": page.paragraph,
        "wrong": shown(page.wrong),
        "right": shown(page.right),
    }
