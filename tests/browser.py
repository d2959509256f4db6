"""Debian's Chromium without a window, for tests of web pages."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect, sync_playwright

MILLISECONDS = 120_000
"""How long a page may take on a busy machine."""


ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Where Debian's Chromium is, if it is installed. The one that can show no window takes half of the time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def open_browser() -> Iterator[Browser]:
    """A browser; the test is skipped where Chromium is not installed."""
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed (Debian package chromium-headless-shell)")
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


def picture_context(browser: Browser) -> BrowserContext:
    """Return a context for the pictures of the documents."""
    size: ViewportSize = {"width": 1280, "height": 900}
    return browser.new_context(viewport=size, color_scheme="light", reduced_motion="reduce")
