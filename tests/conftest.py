"""What all tests share: Hypothesis without a stopwatch, and the seeds of the sweeps."""

import os

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=os.environ.get("CI") != "true")
settings.load_profile("house")

QUICK = (1, 2, 3)
FULL = 1_000


def sweep_seeds() -> tuple[int, ...]:
    """Three fixed seeds; those in ``PLOTROOM_SWEEP_SEEDS`` besides; a thousand for ``PLOTROOM_SWEEP=full``."""
    if os.environ.get("PLOTROOM_SWEEP") == "full":
        return tuple(range(1, FULL + 1))
    extra = [int(one) for one in os.environ.get("PLOTROOM_SWEEP_SEEDS", "").split(",") if one.strip()]
    return (*QUICK, *extra)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``sweep_seed`` runs once for each seed."""
    if "sweep_seed" in metafunc.fixturenames:
        metafunc.parametrize("sweep_seed", sweep_seeds())


def pytest_report_header() -> str:
    """Say which seeds are swept, so that a failure can be repeated."""
    return f"sweep seeds: {', '.join(map(str, sweep_seeds()[:12]))}{' …' if len(sweep_seeds()) > 12 else ''}"
