"""A small right scenario, from which the tests make wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SMALL = """\
schema = 1

[campaign]
name = "small"
days = 30

[planet]
shape = "ring"
regions = 3
sectors_per_region = 2

[[ingredients]]
id = "iron"
kind = "metal"
reserve = 100

[[ingredients]]
id = "berry"
kind = "fruit"
reserve = 50

[[colonies]]
id = "alpha"
sector = "r1/s1"
stores = { iron = 5 }

[[colonies.teams]]
id = "one"
profile = "gathering"
crew = { size = 5 }
"""


@pytest.fixture
def small() -> str:
    return SMALL


@pytest.fixture
def small_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path
