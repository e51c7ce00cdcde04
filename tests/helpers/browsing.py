"""A real browser on a served bank; it notes what a page complains of, and whom it asks."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from helpers.servers import Missing

__all__ = ["Visit", "chromium"]

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_MILLISECONDS = 120_000  # for whatever is waited for: a busy machine is no failure


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine.

    Raises:
        Missing: there is none.
    """
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        raise Missing("there is no chromium; apt-get install chromium")
    with sync_playwright() as playwright:
        expect.set_options(timeout=_MILLISECONDS)
        browser = playwright.chromium.launch(
            executable_path=path, args=list(_ARGUMENTS), timeout=_MILLISECONDS
        )
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """Somebody at a browser.

    Attributes:
        page: what they look at.
        complaints: of the console, and of pages that could not be had.
    """

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self._scripts = options.get("java_script_enabled", True)
        self._context = browser.new_context(**options)
        self._context.set_default_timeout(_MILLISECONDS)
        self.page: Page = self._context.new_page()
        self.complaints: list[str] = []
        self._asked: set[str] = set()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked.add(urlsplit(request.url).netloc))

    def log_in(self, key: str) -> None:
        """Give the key, as a person does; the first page comes again when it has told the zone."""
        self.page.goto(f"{self.address}/login")
        self.page.locator("input[name=key]:focus").fill(key)  # it takes the focus itself
        self.page.locator("button.main").click()
        if self._scripts:
            self.page.wait_for_url("**/ui**")
            self.page.locator("script[src*=zone]").wait_for(state="detached")

    def see(self, path: str) -> None:
        """Open a page."""
        self.page.goto(f"{self.address}{path}")

    def strangers(self) -> set[str]:
        """Hosts that were asked for something, other than the server."""
        return self._asked - {urlsplit(self.address).netloc}

    def is_too_wide(self) -> bool:
        """Whether the page must be scrolled sideways."""
        width = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(self.page.evaluate(width))

    def barriers(self) -> list[str]:
        """What axe finds, of whatever impact."""
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]

    def close(self) -> None:
        """Leave."""
        self._context.close()
