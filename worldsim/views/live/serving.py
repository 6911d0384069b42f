"""The server of the live page: one process, a thread a request, ended by Ctrl-C."""

from __future__ import annotations

import errno
import secrets
import socket
from typing import TYPE_CHECKING, Any

from worldsim.errors import WorldsimError
from worldsim.study.inputs import optional
from worldsim.views.live.hosts import TOKEN, is_local, trusted_hosts

if TYPE_CHECKING:
    from pathlib import Path


class CannotListenError(WorldsimError):
    """An address at which no server can listen."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(host, port, reason)
        self.host, self.port, self.reason = host, port, reason

    def __str__(self) -> str:
        return f"the page cannot be served at {self.host}, port {self.port}: {self.reason}"


class Server:
    """The live page of a folder, which listens once it is made.

    Args:
        place: A run, a study or a folder of them.
        host: Where to listen; beyond this machine, visitors need a token.
        port: 0 takes a free one.

    Raises:
        MissingExtraError: dash is not installed.
        CannotListenError: the port is taken, or the host is not this machine's.
    """

    def __init__(self, place: Path, *, host: str = "127.0.0.1", port: int = 0) -> None:
        with optional("dash", "view", "live pages"):
            from worldsim.views.live.app import make_app  # noqa: PLC0415 -- an extra
        from worldsim.views.live.catalogue import Catalogue  # noqa: PLC0415 -- loads DuckDB

        listening = _listening(host, port)
        self.token = None if is_local(host) else secrets.token_urlsafe(24)
        self._catalogue = Catalogue(place)
        app = make_app(self._catalogue, hosts=trusted_hosts(host), token=self.token)
        self._server = _made(app.server, host, listening)
        self._shown = f"[{host}]" if ":" in host else host

    @property
    def address(self) -> str:
        """What to open in a browser."""
        token = "" if self.token is None else f"?{TOKEN}={self.token}"
        return f"http://{self._shown}:{self._server.port}/{token}"

    def serve(self) -> None:
        """Answer until Ctrl-C or `stop`; what is being answered then is given up."""
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._catalogue.close()

    def stop(self) -> None:
        """End `serve`, from another thread."""
        self._server.shutdown()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        CannotListenError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        raise CannotListenError(host, port, _reason(error)) from error


def _reason(error: Exception) -> str:
    """Why nothing can listen, and what may help."""
    number = getattr(error, "errno", None)
    if isinstance(error, UnicodeError) or number in {errno.EADDRNOTAVAIL, socket.EAI_NONAME}:
        return "this machine has no such address; --host 127.0.0.1 is its own"
    if number == errno.EADDRINUSE:
        return "something else listens there; --port 0 takes a free one"
    if number == errno.EACCES:
        return "only the system's own programs may listen there; --port 0 takes a free one"
    return getattr(error, "strerror", None) or str(error)


def _made(app: Any, host: str, listening: socket.socket) -> Any:
    from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: PLC0415 -- an extra

    class Quiet(WSGIRequestHandler):
        """Answers without a line a request."""

        def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 -- its signature
            """Say nothing."""

    port = listening.getsockname()[1]
    made = make_server(host, port, app, threaded=True, request_handler=Quiet, fd=listening.fileno())
    listening.close()
    return made
