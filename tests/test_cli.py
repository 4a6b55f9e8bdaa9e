"""The command line: what it says, what it returns, and that nothing escapes from it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TextIO

import pytest

from quarantia_checker import cli
from quarantia_checker.commands import UsageError
from quarantia_spec.diagnostics import Code, Diagnostic, RulesError
from quarantia_spec.source import Span
from tests.command_line import quarantia

Run = Callable[[argparse.Namespace, TextIO, TextIO], int]


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Make `quarantia probe` a command that does this."""

    def install(run: Run) -> None:
        command = cli.Command("probe", "probe", "only for this test")
        module = ModuleType(command.path)
        module.__spec__ = ModuleSpec(command.path, None)
        module.__dict__.update(add_arguments=lambda parser: None, run=run)
        monkeypatch.setitem(sys.modules, command.path, module)
        monkeypatch.setattr(cli, "COMMANDS", (*cli.COMMANDS, command))

    return install


def raising(error: BaseException) -> Run:
    def run(options: argparse.Namespace, out: TextIO, err: TextIO) -> int:
        raise error

    return run


# --- help and usage -------------------------------------------------------------------------


def test_help_lists_every_command_that_is_there() -> None:
    answer = quarantia("--help")
    assert answer.status == 0
    assert not answer.err
    assert cli.available_commands()
    for command in cli.available_commands():
        assert f"  {command.name} " in answer.out


def test_help_lists_no_command_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = cli.Command("later", "no_such_module", "not written yet")
    monkeypatch.setattr(cli, "COMMANDS", (*cli.COMMANDS, missing))
    assert "later" not in quarantia("--help").out
    assert quarantia("later").status == 2


def test_every_module_of_a_command_is_in_the_table() -> None:
    files = Path(cli.__file__).parent.glob("commands/[a-z]*.py")
    modules = {path.stem for path in files if "\ndef run(" in path.read_text(encoding="utf-8")}
    assert modules == {command.module for command in cli.available_commands()}


@pytest.mark.parametrize("command", cli.available_commands(), ids=lambda command: command.name)
def test_every_command_has_help_and_takes_json(command: cli.Command) -> None:
    answer = quarantia(command.name, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"usage: quarantia {command.name}")
    assert "--json" in answer.out


def test_no_arguments_is_wrong_usage_and_shows_the_commands() -> None:
    answer = quarantia()
    assert answer.status == 2
    assert "commands:" in answer.err


def test_an_unknown_command_suggests_a_known_one() -> None:
    answer = quarantia("formt")
    assert answer.status == 2
    assert answer.err == "quarantia: there is no command `formt`\n  did you mean `fmt`?\n"


def test_an_unknown_option_shows_the_usage() -> None:
    for argv in (["new", "x", "--wrong"], ["--wrong"]):
        answer = quarantia(*argv)
        assert answer.status == 2
        assert "--wrong" in answer.err
        assert not answer.out


def test_version_is_that_of_the_distribution() -> None:
    pyproject = Path(__file__).parent.parent / "pyproject.toml"
    number = quarantia("--version").out.removeprefix("quarantia ").strip()
    assert f'\nversion = "{number}"\n' in pyproject.read_text(encoding="utf-8")


# --- what goes wrong ------------------------------------------------------------------------


@pytest.mark.parametrize("status", range(4))
def test_the_status_is_that_of_the_command(probe: Callable[[Run], None], status: int) -> None:
    probe(lambda options, out, err: status)
    assert quarantia("probe").status == status


def test_wrong_usage_found_late_is_status_2(probe: Callable[[Run], None]) -> None:
    probe(raising(UsageError("there is no game `ni`", "did you mean `nim`?")))
    answer = quarantia("probe")
    assert answer.status == 2
    assert answer.err == "quarantia: there is no game `ni`\n  did you mean `nim`?\n"


def wrong_rules(path: Path) -> RulesError:
    path.write_text('game x "X"\nplayer 2\n', encoding="utf-8")
    span = Span(str(path), 2, 1, 2, 7)
    return RulesError([Diagnostic(Code.UNEXPECTED, "`player` cannot stand here", span, "try it")])


def test_wrong_rules_are_shown_in_place(probe: Callable[[Run], None], tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    probe(raising(wrong_rules(path)))
    answer = quarantia("probe")
    assert answer.status == 2
    assert not answer.out
    assert "error[E101]: `player` cannot stand here" in answer.err
    assert f"--> {path}:2:1\n" in answer.err
    assert "2 | player 2\n  | ^^^^^^\n" in answer.err
    assert "help: try it" in answer.err


def test_wrong_rules_in_json_are_data(probe: Callable[[Run], None], tmp_path: Path) -> None:
    probe(raising(wrong_rules(tmp_path / "x.rules")))
    answer = quarantia("probe", "--json")
    assert answer.status == 2
    assert not answer.err
    (diagnostic,) = answer.json["diagnostics"]
    assert (diagnostic["code"], diagnostic["line"], diagnostic["column"]) == ("E101", 2, 1)


def test_wrong_rules_are_shown_even_when_the_file_has_gone(
    probe: Callable[[Run], None], tmp_path: Path
) -> None:
    error = wrong_rules(tmp_path / "x.rules")
    (tmp_path / "x.rules").unlink()
    probe(raising(error))
    assert "error[E101]: `player` cannot stand here" in quarantia("probe").err


def test_a_bug_is_called_one_and_its_traceback_goes_to_a_file(
    probe: Callable[[Run], None], private_cache: Path
) -> None:
    probe(raising(ZeroDivisionError("seven by nothing")))
    answer = quarantia("probe")
    assert answer.status == 4
    assert "this is a bug in Quarantia (ZeroDivisionError: seven by nothing)" in answer.err
    assert "Traceback" not in answer.err + answer.out
    path = Path(answer.err.split()[-1])
    assert path.is_relative_to(private_cache)
    report = path.read_text(encoding="utf-8")
    assert "command: quarantia probe\n" in report
    assert "Traceback" in report
    assert "seven by nothing" in report


def test_a_bug_is_reported_even_when_nothing_can_be_written(
    probe: Callable[[Run], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    monkeypatch.setenv("QUARANTIA_CACHE", str(blocker))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocker))
    probe(raising(RuntimeError("no")))
    answer = quarantia("probe")
    assert answer.status == 4
    assert "please report it with the command you gave" in answer.err


def test_control_c_is_short(probe: Callable[[Run], None]) -> None:
    probe(raising(KeyboardInterrupt()))
    answer = quarantia("probe")
    assert answer.status == 130
    assert answer.err == "\nquarantia: interrupted\n"


def test_a_closed_pipe_is_quiet(probe: Callable[[Run], None]) -> None:
    probe(raising(BrokenPipeError()))
    assert quarantia("probe") == quarantia("probe")
    assert quarantia("probe").status == 141
    assert not quarantia("probe").err


# --- as a process ---------------------------------------------------------------------------


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys, io; from quarantia_checker import cli; "
        "cli.run(['--help'], io.StringIO(), io.StringIO()); "
        "print(*sorted({'z3', 'cvc5', 'lark', 'rich', 'numba', 'numpy'} & set(sys.modules)))"
    )
    done = process("-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_a_real_closed_pipe_leaves_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # the last flush is what goes wrong
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "quarantia_checker.cli", "--help"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 141
