"""The peers from package registries, in an environment of their own: `build/peers-venv`.

They stay out of the environment of Quarantia, whose dependencies they would otherwise bend.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENVIRONMENT = ROOT / "build" / "peers-venv"

PACKAGES = ("open_spiel==2.0.2", "numba==0.68.1")


def interpreter() -> Path | None:
    """The Python of the peers, None when they have not been installed."""
    folder, name = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    path = ENVIRONMENT / folder / name
    return path if path.exists() else None


def install() -> int:
    """Make the environment anew and fill it; the exit status of the installer."""
    venv.create(ENVIRONMENT, with_pip=True, clear=True)
    python = interpreter()
    assert python is not None
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    status = subprocess.run([*command, *PACKAGES], check=False).returncode
    if status == 0:
        print(f"peers installed: {', '.join(PACKAGES)}")
    return status


if __name__ == "__main__":
    sys.exit(install())
