"""``worldsim view``: what it says, where it listens, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

SERVES = [pytest.mark.needs("plotly"), pytest.mark.needs("dash"), pytest.mark.needs("dash_ag_grid")]
START_S = 90


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard() -> Iterator[None]:
    """Who was started in the background by a shell ignores it, and so do those it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def viewing(*args: str, cwd: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process, and the address it says."""
    command = [sys.executable, "-m", "worldsim", "view", "--no-open", "--json", *args]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=cwd, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            lines = "".join(process.stdout.readline() for _ in range(3))
            yield process, json.loads(lines)["address"]
        finally:
            process.kill()


@pytest.mark.parametrize("given", ["nowhere", "", "a\x00b", "a" * 5000, "\x1b[31mred"])
def test_what_is_neither_run_nor_study_nor_folder_is_refused(
    worldsim: Callable[..., Result], at_work: Path, given: str
) -> None:
    del at_work
    result = worldsim("view", given, "--no-open", "--port", "0")
    assert result.exit_code == 2
    assert "is neither a run nor a study" in result.stderr
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(worldsim: Callable[..., Result], port: str) -> None:
    assert worldsim("view", "--port", port).exit_code == 2


def served(mark: Any) -> Any:
    """A test that needs the extra."""
    for each in SERVES:
        mark = each(mark)
    return mark


@served
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_its_address_serves_it_and_ends_at_once_without_a_traceback(
    at_work: Path, number: signal.Signals
) -> None:
    with viewing("--port", "0", cwd=at_work) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - ours
            assert answer.status == 200
        begun = time.monotonic()
        process.send_signal(number)
        _, says = process.communicate(timeout=30)
        assert time.monotonic() - begun < 2
        assert process.returncode in {0, 130, -signal.SIGTERM}
        assert "Traceback" not in says
        assert address in says


@served
def test_a_port_that_is_taken_is_said_in_one_line(
    worldsim: Callable[..., Result], at_work: Path
) -> None:
    del at_work
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = worldsim("view", "--no-open", "--port", str(other.getsockname()[1]))
    assert result.exit_code == 1
    assert "something else listens there" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@served
def test_for_other_machines_it_demands_the_token_of_its_address(at_work: Path) -> None:
    with viewing("--port", "0", "--host", "0.0.0.0", cwd=at_work) as (_, address):  # noqa: S104 - the test
        assert "?token=" in address
        here = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - the test
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(here.partition("?")[0], timeout=60)  # noqa: S310 - ours
        assert refused.value.code == 401
        refused.value.close()
        jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with jar.open(here, timeout=60) as answer:
            assert answer.status == 200
            assert "token" not in answer.url


WITHOUT = (
    "import sys\n"
    "for name in ('dash', 'dash_ag_grid', 'flask', 'werkzeug', 'plotly'):\n"
    "    sys.modules[name] = None\n"
    "from worldsim.cli.main import main\n"
    "main()\n"
)


def test_without_its_libraries_it_says_what_to_install(at_work: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "view", "--no-open", "--port", "0"]
    result = subprocess.run(command, cwd=at_work, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "pip install 'worldsim[view]'" in result.stderr
    assert "Traceback" not in result.stderr
