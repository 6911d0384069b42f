"""Who may see the page, and what the page may do: a token, hosts, and a policy for browsers."""

from __future__ import annotations

import hmac
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from flask import Response, redirect, request

from worldsim.views.live.hosts import TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from werkzeug.wrappers import Response as AnyResponse

COOKIE = "worldsim_token"
UNKNOWN = "This page needs its token: open the whole address that worldsim view printed.\n"


def policy(hashes: Sequence[str]) -> str:
    """What a browser lets the page load and do.

    Args:
        hashes: Of the few scripts that stand in the page itself.
    """
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", *hashes]),
        # The grid and the figures write their own styles.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def guard(server: Flask, *, hosts: Sequence[str], token: str | None, csp: str) -> None:
    """Have every request looked at before it is answered, and every answer carry the headers.

    Args:
        server: The server of the page.
        hosts: Names it answers to; a request for another ends with 400, so that no foreign page
            can pose as this one by its own name (DNS rebinding).
        token: What a visitor must know; None where only this machine can ask.
        csp: As `policy` makes it.
    """
    server.config["TRUSTED_HOSTS"] = list(hosts)

    def admitted() -> AnyResponse | None:
        if request.method not in {"GET", "HEAD", "POST"} or _from_elsewhere():
            return Response("This page takes no such requests.\n", HTTPStatus.FORBIDDEN)
        return None if token is None else _shown(token)

    def with_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = csp
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    # First of all, before what Dash does.
    server.before_request_funcs.setdefault(None, []).insert(0, admitted)
    server.after_request(with_headers)


def _from_elsewhere() -> bool:
    """Whether a page of another origin sent this, which browsers say."""
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


def _shown(token: str) -> AnyResponse | None:
    """None for who knows the token; who shows it in the address gets a cookie instead."""
    given = request.args.get(TOKEN)
    if given is not None and _same(given, token):
        kept = [(name, value) for name, value in request.args.items(multi=True) if name != TOKEN]
        path = request.path if request.path.startswith("/") else "/"
        # Two slashes would lead to another host.
        target = "/" + path.lstrip("/\\") + (f"?{urlencode(kept)}" if kept else "")
        answer = redirect(target, HTTPStatus.SEE_OTHER)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="Strict")
        return answer
    if _same(request.cookies.get(COOKIE, ""), token):
        return None
    return Response(UNKNOWN, HTTPStatus.UNAUTHORIZED, content_type="text/plain; charset=utf-8")


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
