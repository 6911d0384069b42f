"""The tools' own tests simulate much and are left to ``.ci/run``, or to WORLDSIM_LONG=1."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("WORLDSIM_LONG") == "1" else ["test_bench*.py"]
