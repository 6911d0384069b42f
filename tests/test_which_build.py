"""Which build the tests try: CI runs all of them on the plain and on the compiled one."""

from __future__ import annotations

import os

import pytest

import worldsim

ASKED = os.environ.get("WORLDSIM_BUILD")


@pytest.mark.skipif(ASKED is None, reason="WORLDSIM_BUILD says which build is to be tried")
def test_the_build_that_is_tried_is_the_one_that_was_asked_for() -> None:
    assert worldsim.build() == ASKED
