"""What continuous integration reads: JUnit XML and GitHub annotations."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.checker.failing import FAILING
from tests.checker.judging import HEAD
from tests.command_line import Answer, quarantia


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, Path, Path]:
    """A game with a broken obligation, and the JUnit file written about it."""
    folder = tmp_path_factory.mktemp("reports")
    case = next(each for each in FAILING if each.kind.value == "obligation")
    rules, report = folder / "over, and: out.rules", folder / "report.xml"
    rules.write_text(HEAD + case.rules, encoding="utf-8")
    answer = quarantia("check", rules, "--junit", report, "--github", "-j", "1")
    return answer, rules, report


def test_junit_has_a_case_for_each_result_and_the_play_of_a_failure(
    checked: tuple[Answer, Path, Path],
) -> None:
    answer, rules, report = checked
    assert answer.status == 1
    (suite,) = ElementTree.parse(report).getroot()
    assert suite.get("name") == str(rules)
    assert int(suite.get("tests", "0")) == len(suite)
    failures = [case for case in suite if case.find("failure") is not None]
    assert int(suite.get("failures", "0")) == len(failures) > 0
    told = failures[0].find("failure")
    assert told is not None and told.text is not None
    assert "add(n: 3)" in told.text
    assert failures[0].get("classname", "").endswith(".obligation")


def test_github_is_told_the_place_and_nothing_breaks_the_line(
    checked: tuple[Answer, Path, Path],
) -> None:
    answer, _, _ = checked
    lines = [line for line in answer.out.splitlines() if line.startswith("::")]
    wanted = [line for line in lines if line.startswith("::error") and "within 0..5" in line]
    (line,) = wanted
    properties, _, message = line.removeprefix("::error ").partition("::")
    found = dict(each.split("=", 1) for each in properties.split(","))
    assert found["file"].endswith("over%2C and%3A out.rules")
    assert found["line"] == "8"
    assert message.startswith("obligation ")


def test_a_report_that_cannot_be_written_is_a_wrong_use(tmp_path: Path) -> None:
    answer = quarantia("check", "nim", "--junit", tmp_path / "no" / "such.xml")
    assert answer.status == 2
    assert "cannot write" in answer.err
