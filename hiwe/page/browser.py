"""The browser: one Chromium, one session a site."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, Self

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from hiwe.errors import BrowserMissing
from hiwe.page.chromium import find_chromium
from hiwe.page.session import Session
from hiwe.page.tab import Tab

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import Playwright

__all__ = ["Browser", "Session", "Tab"]

CLOSE_S = 8.0
VIEWPORT = {"width": 1280, "height": 900}
# One list: of two such flags Chromium reads the last alone, and the driver passes one of its own.
FEATURES_OFF = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedMode",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",  # an address is asked for as it is written
    "IsolateOrigins",  # frames of other origins share a process, so that one line serves the tab
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "RenderDocument",  # a new frame for each document of a tab costs a fifth of all loading
    "ThirdPartyStoragePartitioning",
    "Translate",
    # The address bar's pop-ups are pages of their own in each new window: half of what one costs.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
    "site-per-process",
)
FLAGS = (
    "--blink-settings=imagesEnabled=false",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    f"--disable-features={','.join(FEATURES_OFF)}",
    "--disable-quic",
    "--disable-site-isolation-trials",
    "--disable-sync",
    "--mute-audio",
    "--no-first-run",
    "--no-pings",
)


class Browser:
    """A running Chromium. `launch` starts it, `session` gives a site its own cookies."""

    def __init__(
        self,
        playwright: Playwright,
        browser: PlaywrightBrowser,
        *,
        timeout_s: float,
        user_agent: str | None,
    ) -> None:
        """Wrap a started browser; use `launch`."""
        self._playwright = playwright
        self._browser = browser
        self._timeout_s = timeout_s
        self._sessions: list[Session] = []
        self.user_agent = user_agent

    @classmethod
    async def launch(
        cls,
        *,
        executable: str | Path | None = None,
        headless: bool = True,
        timeout_s: float = 30.0,
        user_agent: str | None = None,
        workers: int = 1,
    ) -> Self:
        """Start Chromium (`find_chromium` says which); BrowserMissing if it does not start.

        `user_agent` is put behind Chromium's own ('hiwe/1.0 (+contact)'), or stands alone if it
        begins with 'Mozilla/'. `workers` is how many tabs will work at a time.
        """
        named = None if executable is None else str(executable)
        found = await asyncio.to_thread(find_chromium, named)
        playwright = await async_playwright().start()
        try:
            browser = await _start(playwright, found, headless, timeout_s)
            agent = await _agent(browser, user_agent)
        except (TimeoutError, PlaywrightError) as exc:
            await playwright.stop()
            said = next((line for line in str(exc).splitlines() if line.strip()), "")
            raise BrowserMissing(f"{found} does not start: {said}") from exc
        return cls(playwright, browser, timeout_s=timeout_s, user_agent=agent)

    @property
    def version(self) -> str:
        """Chromium's version, such as '141.0.7390.54'."""
        return self._browser.version

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self._browser.is_connected()

    async def session(
        self,
        site_key: str,
        *,
        http_credentials: tuple[str, str] | None = None,
        storage_state: str | None = None,
        proxy: str | None = None,
        blocked: Callable[[str], bool] | None = None,
    ) -> Session:
        """A new session: its own cookies and storage.

        `http_credentials` are (user, password) for sites that ask by HTTP. `storage_state` is a
        file with the cookies and storage of a log-in, `proxy` an address. `blocked` says which
        addresses must not be requested: documents, xhr and fetch are held back.
        """
        options: dict[str, Any] = {
            "viewport": VIEWPORT,
            "user_agent": self.user_agent,
            "ignore_https_errors": True,
            "accept_downloads": True,
            "service_workers": "block",
        }
        if http_credentials is not None:
            user, password = http_credentials
            options["http_credentials"] = {"username": user, "password": password}
        if storage_state is not None:
            options["storage_state"] = storage_state
        if proxy is not None:
            options["proxy"] = {"server": proxy}
        session = Session(
            site_key, self._browser, options, timeout_s=self._timeout_s, blocked=blocked
        )
        await session.start()
        self._sessions.append(session)
        return session

    async def close(self) -> None:
        """End the browser; never hangs: what does not close in time is ended with it."""
        await asyncio.gather(*(session.close() for session in self._sessions))
        for step in (self._browser.close, self._playwright.stop):
            try:
                async with asyncio.timeout(CLOSE_S):
                    await step()
            except (TimeoutError, PlaywrightError):
                continue


async def _start(
    playwright: Playwright, executable: Path, headless: bool, timeout_s: float
) -> PlaywrightBrowser:
    """Start with the sandbox where it can be had: root has none, nor have some containers."""
    sandboxed = [False] if os.geteuid() == 0 else [True, False]
    for sandbox in sandboxed:
        try:
            return await playwright.chromium.launch(
                executable_path=executable,
                headless=headless,
                args=list(FLAGS),
                chromium_sandbox=sandbox,
                timeout=timeout_s * 1000,
            )
        except PlaywrightError:
            if sandbox is sandboxed[-1]:
                raise
    raise AssertionError("one of the two starts returns or raises")


async def _agent(browser: PlaywrightBrowser, given: str | None) -> str | None:
    """The user agent to send: Chromium's own and ours."""
    if given is not None and given.startswith("Mozilla/"):
        return given
    cdp = await browser.new_browser_cdp_session()
    own = str((await cdp.send("Browser.getVersion"))["userAgent"])
    await cdp.detach()
    own = own.replace("HeadlessChrome/", "Chrome/")
    return f"{own} {given}" if given else own
