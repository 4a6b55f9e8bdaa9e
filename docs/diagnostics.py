"""Writes docs/reference/diagnostics/ from the pages of the codes: `make pages`.

Each page gets what the tool really says about its wrong example.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import chdir
from pathlib import Path

from quarantia_checker import cli
from quarantia_spec.codes import Page, command_of, files_of, pages

FOLDER = Path(__file__).parent / "reference" / "diagnostics"


def told(page: Page) -> str:
    """What the tool says about the wrong example, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in files_of(page.wrong).items():
            Path(name).write_bytes(content)
        err = io.StringIO()
        cli.run(command_of(page.wrong), io.StringIO(), err)
        return err.getvalue()


def documented(page: Page) -> str:
    wrong, heading, right = page.markdown.partition("\n## Right\n")
    return f"{wrong}\n```text\n{told(page)}```\n{heading}{right}"


def index() -> str:
    lines = [
        "# Diagnostics",
        "",
        "What is wrong with a rules file is said with a code, a place and a way out.",
        "`quarantia explain CODE` shows these pages in the terminal. The examples leave out",
        "`players`, `flow` and `outcome` where they do not matter.",
        "",
        "| code | what is wrong |",
        "| --- | --- |",
        *(f"| [{p.code.value}]({p.code.value}.md) | {p.title} |" for p in pages()),
    ]
    return "\n".join(lines) + "\n"


def files() -> dict[str, str]:
    """The text of every page by its file name."""
    return {"index.md": index(), **{f"{p.code.value}.md": documented(p) for p in pages()}}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    written = files()
    for path in FOLDER.glob("*.md"):
        if path.name not in written:
            path.unlink()
    for name, text in written.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(written)} pages to {FOLDER}")


if __name__ == "__main__":
    main()
