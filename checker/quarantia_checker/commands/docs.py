"""`quarantia docs [GAME...]`: the documentation site, made from the rules and from results."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from quarantia_checker.commands import OK, REFUTED, UsageError

if TYPE_CHECKING:
    from quarantia_checker.site.making import Made

PORT = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="all that come with Quarantia")
    parser.add_argument(
        "--site", default="build/site", metavar="DIR", help="where it goes (default build/site)"
    )
    parser.add_argument(
        "--results",
        default="build/results",
        metavar="DIR",
        help="saved answers of `check --json` and `ambiguities --json` (default build/results)",
    )
    parser.add_argument(
        "--check", action="store_true", help="build nothing; look for what is wrong with the pages"
    )
    parser.add_argument("--serve", action="store_true", help="show the site at a local address")
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="N", help=f"for --serve (default {PORT})"
    )
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """After: the site is built and, with --serve, shown until control-C; or pages are checked."""
    from quarantia_checker.commands.check import Progress
    from quarantia_checker.site import publishing
    from quarantia_spec.pipeline import game_names, load_game, with_variants

    if options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    started = time.perf_counter()
    asked = dict.fromkeys(options.games or game_names())
    games = list(dict.fromkeys(name for game in asked for name in with_variants(game)))
    for name in games:
        load_game(name)  # wrong rules are told before anything is made
    site = Path(options.site)
    with Progress(err) as progress:
        made = publishing.make_games(games, Path(options.results), options.jobs, progress.show)
        wrong = list(publishing.problems(made))
        if not options.check:
            progress.show("building the site")
            project = publishing.project_folder()
            publishing.gather(made, project, site.parent / "documents")
            publishing.publish(site.parent / "documents", site, project)
            publishing.restore(made, site)
    seconds = time.perf_counter() - started
    if options.json:
        _write_json(out, options, made, wrong, seconds)
    else:
        _write_text(out, options, made, wrong, seconds)
    if options.serve and not options.check:
        _serve(site, options.port, err)
    return REFUTED if options.check and wrong else OK


def _write_text(
    out: TextIO, options: argparse.Namespace, made: list[Made], wrong: list[str], seconds: float
) -> None:
    pages = sum(len(each.pages) for each in made)
    if options.check:
        for line in wrong:
            out.write(f"{line}\n")
        verdict = f"{len(wrong)} problems" if wrong else "nothing is wrong"
        out.write(f"{pages} pages of {len(made)} games: {verdict}, in {seconds:.1f} s\n")
        return
    unchecked = [each.name for each in made if not each.checked]
    out.write(f"{pages} pages of {len(made)} games in {options.site}, in {seconds:.1f} s\n")
    if unchecked:
        out.write(f"  without verdicts, as nothing has checked them: {', '.join(unchecked)}\n")
    if wrong:
        out.write(f"  {len(wrong)} problems: `quarantia docs --check` lists them\n")


def _write_json(
    out: TextIO, options: argparse.Namespace, made: list[Made], wrong: list[str], seconds: float
) -> None:
    answer = {
        "site": None if options.check else options.site,
        "games": [
            {
                "game": each.name,
                "pages": [page.path for page in each.pages],
                "players": list(each.counts),
                "checked": list(each.checked),
                "results": each.results,
                "doubts": each.doubts,
            }
            for each in made
        ],
        "problems": wrong,
        "seconds": round(seconds, 3),
    }
    json.dump(answer, out, indent=2, ensure_ascii=False)
    out.write("\n")


def _serve(site: Path, port: int, err: TextIO) -> None:
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            pass

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(site)))
    except OSError as error:
        raise UsageError(f"cannot serve at port {port}: {error.strerror}", "try --port") from None
    with server:
        err.write(f"http://127.0.0.1:{server.server_port}/ (control-C to stop)\n")
        err.flush()
        server.serve_forever()
