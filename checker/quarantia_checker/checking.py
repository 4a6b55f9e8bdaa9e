"""Checking whole games: every number of players, on all cores, with results kept for next time.

Read `check_games`. The work is split by game and number of players and runs through the
`Executor` interface of `concurrent.futures`.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from quarantia_checker.commands import UsageError
from quarantia_checker.settings import Settings, solver_version
from quarantia_checker.verdict import Result
from quarantia_spec import pipeline
from quarantia_spec.cache import cache_directory, content_key, read_cached, write_cached
from quarantia_spec.ir import Chance, Decision, Example, Game, Property, Term

CONNECTING = 10  # seconds

VERDICTS = "verdicts"
FINDINGS = "findings"
WITNESSES = "witnesses"


@dataclass(frozen=True, slots=True)
class Task:
    """One game for one number of players."""

    game: str
    players: int
    settings: Settings
    use_cache: bool = True
    export: str = ""  # a folder for SMT-LIB files
    second_opinion: bool = False
    record: bool = False  # keep what is found out beside the rules


def tasks_for(
    games: Sequence[str],
    players: Sequence[int],
    settings: Settings,
    use_cache: bool,
    export: str = "",
    second_opinion: bool = False,
    record: bool = False,
) -> list[Task]:
    """A task for every number of players that a game allows (or that is asked for)."""
    tasks: list[Task] = []
    for name in games:
        counts = pipeline.load_game(name).player_counts
        tasks.extend(
            Task(name, count, settings, use_cache, export, second_opinion, record)
            for count in counts
            if not players or count in players
        )
    return tasks


def check_games(
    tasks: Sequence[Task], jobs: int, progress: Callable[[str], None], cluster: str = ""
) -> Iterator[tuple[Task, list[Result]]]:
    """The results of each task as soon as it is done; `cluster` is the address of one of Dask."""
    if cluster:
        with dask_executor(cluster) as executor:
            yield from run_on(executor, tasks, progress)
        return
    if jobs <= 1 or len(tasks) <= 1:
        for task in tasks:
            yield task, check_task(task, progress)
        return
    with ProcessPoolExecutor(max_workers=min(jobs, len(tasks))) as executor:
        yield from run_on(executor, tasks, progress)


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Workers elsewhere, on which Quarantia is installed too."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "Dask is not installed", "install it with: pip install 'quarantia[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=CONNECTING)
    except (OSError, ValueError, TimeoutError) as error:
        told = str(error).splitlines()
        raise UsageError(f"no cluster at {address}: {told[0] if told else 'no answer'}") from None
    with client:
        yield client.get_executor(pure=False, retries=0)


def run_on(
    executor: Executor, tasks: Sequence[Task], progress: Callable[[str], None]
) -> Iterator[tuple[Task, list[Result]]]:
    """The same on any executor; what has not started is dropped when the caller stops early."""
    futures: dict[Future[list[Result]], Task] = {
        executor.submit(check_task, task): task for task in tasks
    }
    try:
        for done in as_completed(futures):
            task = futures[done]
            progress(f"{task.game} with {task.players} players is done")
            yield task, done.result()
    finally:
        for future in futures:
            future.cancel()


def check_task(task: Task, progress: Callable[[str], None] | None = None) -> list[Result]:
    """All results of one task, from the cache when nothing that matters has changed."""
    game = pipeline.load_game(task.game, task.players)
    data = pipeline.load_data(task.game, game)
    key = cache_key(game, data, task.settings)
    wants_proofs = bool(task.export) or task.second_opinion or task.record
    if task.use_cache and not wants_proofs:
        results = read_results(key)
        if results is not None:
            return results

    from quarantia_checker.findings import file_beside, findings_in, keep_findings
    from quarantia_checker.judge import Judge  # loads the solver: not when nothing has changed

    def load(readings: Mapping[str, str]) -> Game:
        return pipeline.load_game(task.game, task.players, readings)

    beside = file_beside(pipeline.rules_path(task.game), task.players)
    name = content_key(task.game, str(task.players))
    cached = read_cached(FINDINGS, name) if task.use_cache else None
    known = findings_in(beside) or (cached or b"").decode(errors="replace")
    judge = Judge(game, data, load, task.settings, known)
    if progress is not None:
        judge.progress = lambda text: progress(f"{task.game}, {task.players} players: {text}")
    results = judge.run()
    if task.use_cache:
        write_cached(VERDICTS, key, pickle.dumps(results))
        write_cached(FINDINGS, name, judge.found().encode())
    if task.record:
        keep_findings(beside, judge.found())
    if task.export or task.second_opinion:
        from quarantia_checker.certificate import review

        results = review(judge, results, task.export, task.second_opinion)
    return results


# --- what is kept ---------------------------------------------------------------------------


def cache_key(game: Game, data: Mapping[str, Sequence[int]], settings: Settings) -> str:
    """A name for these rules, data, limits, solver and version of the checker."""
    cited: list[Term | Property | Example | Decision | Chance] = [
        *game.terms, *game.properties, *game.examples, *game.decisions, *game.chances
    ]  # fmt: skip
    places = repr([(each.name, each.origin) for each in cited])
    given = repr(sorted(data.items()))
    return content_key(repr(game), places, given, repr(settings), solver_version(), own_code())


@cache
def own_code() -> str:
    """A fingerprint of the checker itself."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_results(key: str) -> list[Result] | None:
    content = read_cached(VERDICTS, key)
    if content is None:
        return None
    try:
        results = pickle.loads(content)
    except Exception:  # damaged: it is worked out again
        return None
    return results if isinstance(results, list) else None


def save_witness(result: Result, game: str) -> Path | None:
    """The play of a result as a log for `quarantia replay`; None when there is no place for it."""
    if result.trace is None:
        return None
    words = "-".join("".join(c if c.isalnum() else " " for c in result.name).split())
    name = f"{game}-{result.players}-{result.kind.value}-{words}.json"
    content = json.dumps(result.trace, ensure_ascii=False).encode()
    write_cached(WITNESSES, name, content)
    path = cache_directory() / WITNESSES / name
    return path if path.is_file() else None
