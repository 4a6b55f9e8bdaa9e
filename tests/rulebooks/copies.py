"""A small rulebook of our own, and what copying does to it: for the tests of this folder."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from tests.conftest import ROOT

# In French, as the books of the large games are; the game is nobody's.
FERRY = (
    "Chaque joueur prend 4 jetons de sa couleur et les garde derrière son paravent.",
    "Le plus âgé, Bertille, commence la partie et lance le dé.",
    "À son tour, un joueur peut déplacer son bac de 1 à 3 cases vers l'île.",
    "Il ne doit jamais dépasser le bac d'un adversaire.",
    "Si deux bacs se touchent, aucun des deux joueurs ne marque de points.",
    "Le premier qui atteint l'île gagne 12 points et la partie s'arrête.",
)


def paragraph(*sentences: str, width: int = 46) -> str:
    """The sentences as a narrow column, words cut nowhere."""
    return textwrap.fill(" ".join(sentences), width)


def misread(text: str) -> str:
    """As a program reads a picture: accents wrong, apostrophes and spaces lost, `l` for `1`."""
    worn = text.replace("à", "a").replace("é", "e").replace("É", "E").replace("î", "i")
    return worn.replace("'", "").replace("de 1 a", "de l a").replace("un joueur", "unjoueur")


def rulebooks() -> Path:
    """The folder with the publishers' rulebooks; the test is skipped where there is none.

    They are not ours to give away: QUARANTIA_RULEBOOKS says where your copies are.
    """
    folder = Path(os.environ.get("QUARANTIA_RULEBOOKS", ROOT.parent / "shared" / "rulebooks"))
    if not folder.is_dir():
        pytest.skip(f"there are no rulebooks in {folder} (set QUARANTIA_RULEBOOKS)")
    return folder


def rulebook(name: str) -> Path:
    path = rulebooks() / name
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return path
