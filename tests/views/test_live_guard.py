"""The live page is for those who may see it, and does nothing but read."""

from __future__ import annotations

import json
import os
import socket
import threading
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from worldsim.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.needs("plotly"),
    pytest.mark.needs("dash"),
    pytest.mark.needs("dash_ag_grid"),
]

TOKEN = "right-token"  # noqa: S105 - made up
BASE = "http://127.0.0.1"


@pytest.fixture(scope="module", name="place")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in it, and a secret beside it."""
    folder = tmp_path_factory.mktemp("live")
    run = str(folder / "served" / "one")
    done = CliRunner().invoke(cli, ["run", "lone_colony", "--out", run, "--quiet", "--days", "20"])
    assert done.exit_code == 0, done.output
    (folder / "secret.txt").write_text("top secret")
    (folder / "served" / "link").symlink_to(folder)
    return folder / "served"


def client(place: Path, **more: Any) -> Any:
    from worldsim.views.live.app import make_app  # noqa: PLC0415 - an extra

    return make_app(place, **more).server.test_client()


@pytest.fixture(scope="module", name="open_page")
def _open_page(place: Path) -> Any:
    return client(place)


@pytest.fixture(scope="module", name="shut_page")
def _shut_page(place: Path) -> Any:
    return client(place, hosts=["127.0.0.1", "far.example"], token=TOKEN)


def asked(page: Any, output: str, **inputs: Any) -> Any:
    """What the page answers for one part of it, whose inputs are given as id_property=value."""
    deps = page.get("/_dash-dependencies", base_url=BASE).get_json()
    (wiring,) = [each for each in deps if output in each["output"].strip(".").split("...")]
    names = wiring["output"].strip(".").split("...")
    outputs = [dict(zip(("id", "property"), each.rsplit(".", 1), strict=True)) for each in names]
    values = {name.replace("__", "."): value for name, value in inputs.items()}

    def filled(parts: Any) -> list[dict[str, Any]]:
        return [{**each, "value": values.get(f"{each['id']}.{each['property']}".replace("-", "_"))}
                for each in parts]  # fmt: skip

    body = {
        "output": wiring["output"],
        "outputs": outputs if wiring["output"].startswith("..") else outputs[0],
        "inputs": filled(wiring["inputs"]),
        "state": filled(wiring["state"]),
        "changedPropIds": [f"{each['id']}.{each['property']}" for each in wiring["inputs"]],
    }
    answer = page.post("/_dash-update-component", json=body, base_url=BASE)
    assert answer.status_code in {200, 204}, answer.data
    return answer.get_json()["response"] if answer.status_code == 200 else None


def shown(page: Any, address: str) -> str:
    """All that a page of this address says."""
    path, _, search = address.partition("?")
    answer = asked(page, "page.children", at__pathname=path, at__search=f"?{search}")
    return json.dumps(answer["page"])


def rows(page: Any, **wanted: Any) -> dict[str, Any]:
    """The first rows of the log."""
    request = {"startRow": 0, "endRow": 50}
    answer: dict[str, Any] = asked(
        page, "log.getRowsResponse", log__getRowsRequest=request,
        wanted__data={"run": "one", **wanted},
    )  # fmt: skip
    return answer


def test_the_policy_lets_nothing_be_evaluated_and_nothing_come_from_elsewhere(
    open_page: Any,
) -> None:
    headers = open_page.get("/", base_url=BASE).headers
    policy = dict(rule.strip().split(" ", 1)
                  for rule in headers["Content-Security-Policy"].split(";"))  # fmt: skip
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    scripts = policy["script-src"].split()
    assert scripts[0] == "'self'"
    assert all(each.startswith("'sha256-") for each in scripts[1:])
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_csv_of_events_that_was_cut_says_so_in_its_name(
    open_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from worldsim.views.live import downloads  # noqa: PLC0415 - an extra

    whole = open_page.get("/csv/events?run=one", base_url=BASE)
    assert whole.headers["Content-Disposition"].endswith('="events.csv"')
    monkeypatch.setattr(downloads, "MOST_EVENTS", 5)
    cut = open_page.get("/csv/events?run=one", base_url=BASE)
    assert cut.headers["Content-Disposition"].endswith('="first_5_events.csv"')
    assert cut.get_data(as_text=True) == "".join(
        whole.get_data(as_text=True).splitlines(keepends=True)[:6]
    )


@pytest.mark.parametrize("path", ["/", "/_dash-layout", "/assets/live.css", "/csv/events?run=one"])
def test_a_foreign_host_gets_400_wherever_it_asks(open_page: Any, path: str) -> None:
    assert open_page.get(path, buffered=True, base_url="http://evil.example").status_code == 400
    assert (
        open_page.get(path, buffered=True, base_url="http://127.0.0.1.evil.example").status_code
        == 400
    )
    assert open_page.get(path, buffered=True, base_url=BASE).status_code == 200
    assert open_page.get(path, buffered=True, base_url="http://localhost:8570").status_code == 200


def test_a_page_of_another_origin_is_refused(open_page: Any) -> None:
    foreign = {"Origin": "http://evil.example"}
    assert (
        open_page.post("/_dash-update-component", base_url=BASE, headers=foreign).status_code == 403
    )
    assert open_page.get("/_dash-layout", base_url=BASE, headers=foreign).status_code == 403
    own = {"Origin": BASE}
    assert open_page.get("/_dash-layout", base_url=BASE, headers=own).status_code == 200


@pytest.mark.parametrize("method", ["put", "delete", "patch", "trace"])
def test_methods_that_change_things_are_refused(open_page: Any, method: str) -> None:
    answer = open_page.open("/", method=method.upper(), base_url=BASE)
    assert answer.status_code in {403, 405}


@pytest.mark.parametrize(
    "path", ["/", "/_dash-layout", "/_dash-dependencies", "/assets/live.js", "/csv/events"]
)
@pytest.mark.parametrize("given", [None, "", "wrong", "right-toke", "right-tokené"])
def test_without_the_token_nothing_is_shown(place: Path, path: str, given: str | None) -> None:
    page = client(place, token=TOKEN)
    query = {} if given is None else {"token": given}
    answer = page.get(path, buffered=True, base_url=BASE, query_string={**query, "run": "one"})
    assert answer.status_code == 401
    assert b"one" not in answer.data.replace(b"One", b"").replace(b"opened", b"")


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(shut_page: Any) -> None:
    first = shut_page.get(f"/run?run=one&token={TOKEN}", base_url="http://far.example")
    assert first.status_code == 303
    assert first.headers["Location"] == "/run?run=one"
    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert shut_page.get("/_dash-layout", base_url="http://far.example").status_code == 200


def test_the_address_with_a_token_never_leads_to_another_host(place: Path) -> None:
    page = client(place, token=TOKEN)
    for path in ("//evil.example/x", "/\\evil.example", "///evil.example"):
        answer = page.get(path, buffered=True, base_url=BASE, query_string={"token": TOKEN})
        location = answer.headers.get("Location", "/")
        assert location.startswith("/")
        assert location[1:2] not in {"/", "\\"}


ENDLESS = (
    "(WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r) > 1"
)
WRITES = (
    "TRUE; COPY events TO '{out}'",
    "TRUE); COPY events TO '{out}'; SELECT (TRUE",
    "(SELECT count(*) FROM (COPY events TO '{out}')) > 0",
    "(WITH x AS (COPY events TO '{out}') SELECT 1 FROM x) > 0",
    "TRUE; ATTACH '{out}' AS other",
    "TRUE; INSTALL httpfs",
    "TRUE; LOAD httpfs",
    "TRUE; PRAGMA threads=1",
    "TRUE; SET enable_external_access = true",
    "TRUE; CREATE TABLE x AS SELECT 1",
    "TRUE; EXPORT DATABASE '{out}'",
)
READS = (
    "(SELECT count(*) FROM read_text('{secret}')) > 0",
    "(SELECT count(*) FROM read_csv('{secret}')) > 0",
    "(SELECT count(*) FROM read_blob('{secret}')) > 0",
    "(SELECT count(*) FROM '{secret}') > 0",
    "(SELECT count(*) FROM glob('{folder}/*')) > 0",
    "(SELECT count(*) FROM sniff_csv('{secret}')) > 0",
    "(SELECT count(*) FROM query('SELECT * FROM read_text(''{secret}'')')) > 0",
    "(SELECT count(*) FROM query_table('{secret}')) > 0",
    "(SELECT count(*) FROM read_text('/etc/passwd')) > 0",
    "getenv('HOME') <> ''",
)


def test_a_condition_of_sql_can_neither_write_nor_read_other_files(
    open_page: Any, place: Path
) -> None:
    out = place.parent / "written"
    names = {"out": out, "secret": place.parent / "secret.txt", "folder": place.parent}
    before = sorted(os.walk(place))
    for attempt in (*WRITES, *READS):
        answer = rows(open_page, where=attempt.format(**names))
        assert answer["log"]["getRowsResponse"] == {"rowData": [], "rowCount": 0}, attempt
        assert "This cannot be shown" in json.dumps(answer["log-problem"]), attempt
    assert not out.exists()
    assert sorted(os.walk(place)) == before
    assert rows(open_page, where="day = 3 AND level = 'info'")["log"]["getRowsResponse"]["rowData"]


@pytest.mark.parametrize(
    "endless",
    [
        ENDLESS,
        "repeat('x', 1000000000) = team",
    ],
)
def test_a_condition_that_never_ends_is_stopped_and_the_next_is_answered(
    place: Path, endless: str
) -> None:
    from worldsim.runs.asking import TooLongError  # noqa: PLC0415 - loads DuckDB
    from worldsim.runs.duck import check_condition  # noqa: PLC0415 - likewise
    from worldsim.runs.stranger import Stranger  # noqa: PLC0415 - likewise

    check_condition(endless)
    stranger = Stranger(place / "one")
    try:
        with pytest.raises(TooLongError):
            stranger.ask(f"SELECT seq FROM events WHERE ({endless})", within_s=0.5)  # noqa: S608 - the test
        assert stranger.ask("SELECT count(*) FROM events", within_s=10).rows[0][0] > 0
    finally:
        stranger.close()


def test_a_condition_that_needs_all_memory_is_refused(place: Path) -> None:
    from worldsim.runs.duck import QueryError  # noqa: PLC0415 - loads DuckDB
    from worldsim.runs.stranger import Stranger  # noqa: PLC0415 - likewise

    stranger = Stranger(place / "one")
    try:
        with pytest.raises(QueryError):
            stranger.ask("SELECT seq FROM events WHERE list_sum(range(2000000000)) > 3", within_s=5)
        assert stranger.ask("SELECT count(*) FROM events", within_s=10).rows[0][0] > 0
    finally:
        stranger.close()


@pytest.mark.parametrize(
    "name",
    ["..", "../secret.txt", "one/..", "one/../../", "/etc", "link", "link/served/one", "", ".",
     "one/", "ONE", "one\x00", "%2e%2e", "a" * 5000, "<script>alert(1)</script>"],
)  # fmt: skip
def test_no_name_in_an_address_leads_out_of_the_folder(open_page: Any, name: str) -> None:
    from urllib.parse import quote  # noqa: PLC0415 - here alone

    for address in (
        f"/run?run={quote(name)}",
        f"/log?run={quote(name)}",
        f"/study?study={quote(name)}",
    ):
        assert "This cannot be shown" in shown(open_page, address)
    for path in ("run", "events", "team", "study"):
        query = {"run": name, "study": name, "picture": "stock-map"}
        assert open_page.get(f"/csv/{path}", base_url=BASE, query_string=query).status_code == 400


@pytest.mark.parametrize(
    "path", ["/assets/../security.py", "/assets/%2e%2e/security.py", "/assets//etc/passwd",
             "/_dash-component-suites/dash/../../../../etc/passwd"]
)  # fmt: skip
def test_files_beside_the_assets_are_not_served(open_page: Any, path: str) -> None:
    answer = open_page.get(path, buffered=True, base_url=BASE)
    assert b"hmac" not in answer.data
    assert b"root:" not in answer.data


def test_only_this_machine_needs_no_token() -> None:
    from worldsim.views.live.hosts import is_local, trusted_hosts  # noqa: PLC0415 - beside the others

    assert [is_local(host) for host in ("127.0.0.1", "::1", "localhost", "127.1.2.3")] == [True] * 4
    assert [is_local(host) for host in ("0.0.0.0", "::", "10.0.0.1", "far.example")] == [False] * 4  # noqa: S104 - compared
    assert "far.example" in trusted_hosts("far.example")
    assert socket.gethostname() in trusted_hosts("0.0.0.0")  # noqa: S104 - compared


@pytest.fixture(name="served")
def _served(place: Path) -> Iterator[Any]:
    from worldsim.views.live.serving import Server  # noqa: PLC0415 - an extra

    server = Server(place)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server
    server.stop()
    thread.join(10)


def test_the_server_listens_on_this_machine_alone_and_a_taken_port_is_said(
    served: Any, place: Path
) -> None:
    from worldsim.views.live.serving import CannotListenError, Server  # noqa: PLC0415 - an extra

    assert served.address.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(served.address, timeout=20) as answer:  # noqa: S310 - ours
        assert answer.status == 200
    port = int(served.address.rsplit(":", 1)[1].strip("/"))
    with pytest.raises(CannotListenError, match=f"port {port}: something else listens there"):
        Server(place, port=port)
