"""Says why the first question about a large run takes longer than those that follow."""

from __future__ import annotations

import sys

import click

from worldsim.cli.output import note, paints

LEAST_BYTES = 64 * 2**20
"""Of log: less is cached within seconds."""
ERASE = "\r\x1b[K"


def tell_cached(done: int, total: int) -> None:
    """Say on stderr how far the cache of a run's events is.

    Args:
        done: Bytes of log that are cached.
        total: Bytes to be cached.
    """
    if total < LEAST_BYTES:
        return
    if done == 0:
        note(f"caching {total / 1e6:,.0f} MB of events, this once: later questions are quicker")
    if paints(sys.stderr):
        line = "" if done >= total else f"{done * 100 // total} %"
        click.echo(f"{ERASE}{line}", nl=False, err=True)
