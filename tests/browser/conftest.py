"""A real browser, headless Chromium driven by Playwright: no console error, no request out."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--no-sandbox",  # as root, in CI
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HERE = {"127.0.0.1", "localhost", ""}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, started once a worker."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium (Debian's package chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A fresh page; at the end it must have had no error and asked nobody else for anything."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    errors: list[str] = []
    elsewhere: list[str] = []

    def asked(dialog: Any) -> None:
        errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def sent(request: Any) -> None:
        if (urlsplit(request.url).hostname or "") not in HERE:
            elsewhere.append(request.url)

    def said(message: Any) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", asked)
    page.on("request", sent)
    yield page
    context.close()
    assert errors == []
    assert elsewhere == []
