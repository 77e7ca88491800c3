"""Where the checkout is that these tests lie in."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
