"""Which Chromium is used: named, then on the PATH, then Playwright's; and what is said if none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hiwe.errors import BrowserMissing
from hiwe.page.chromium import (
    ENVIRONMENT_VARIABLE,
    check_driver,
    chromium_version,
    find_chromium,
    is_snap,
    main,
    of_playwright,
    on_path,
    open_blank_page,
)


def program(
    path: Path, text: str = "#!/bin/sh\necho 'Chromium 123.4.5.6 built on Debian'\n"
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; returns the one directory on its PATH."""
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def test_configured_browser_comes_before_all_others(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bare / "chromium")
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(program(bare.parent / "other" / "chrome")))
    wanted = program(bare.parent / "mine" / "chrome")
    assert find_chromium(str(wanted)) == wanted


def test_environment_comes_before_the_path(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    wanted = program(bare.parent / "other" / "chrome")
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(wanted))
    assert find_chromium() == wanted


def test_a_name_is_looked_up_on_the_path(bare: Path) -> None:
    wanted = program(bare / "my-chrome-build")
    assert find_chromium("my-chrome-build") == wanted


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "chrome"])
def test_browser_on_the_path_is_found(bare: Path, name: str) -> None:
    wanted = program(bare / name)
    assert find_chromium() == wanted


def test_named_browser_that_is_missing_is_no_reason_to_take_another(bare: Path) -> None:
    program(bare / "chromium")
    with pytest.raises(BrowserMissing, match=r"browser\.executable is /no/such/chrome"):
        find_chromium("/no/such/chrome")


def test_environment_that_names_nothing_is_told(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(bare))
    with pytest.raises(BrowserMissing, match=f"{ENVIRONMENT_VARIABLE} is .*no program"):
        find_chromium()


def test_no_browser_at_all_says_how_to_get_one(bare: Path) -> None:
    with pytest.raises(BrowserMissing, match=r"make setup.*playwright install.*apt-get install"):
        find_chromium()


@pytest.mark.parametrize("shell", [False, True], ids=["chromium", "headless shell"])
def test_playwrights_own_is_found_last(bare: Path, shell: bool) -> None:
    with pytest.raises(BrowserMissing):
        find_chromium()
    expected = expected_path_of_playwright()
    if shell:
        folder = expected.parents[1].name.replace("chromium-", "chromium_headless_shell-")
        expected = bare.parent / "playwright" / folder / "chrome-linux" / "headless_shell"
    program(expected)
    assert of_playwright() == expected
    assert find_chromium() == expected
    on_the_path = program(bare / "chromium")
    assert find_chromium() == on_the_path


def expected_path_of_playwright() -> Path:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def test_snap_is_passed_over(bare: Path) -> None:
    program(bare / "chromium-browser", '#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    assert on_path() is None
    real = program(bare / "google-chrome")
    assert on_path() == real


def test_link_into_snap_is_a_snap(tmp_path: Path) -> None:
    target = program(tmp_path / "snap" / "bin" / "chromium")
    link = tmp_path / "chromium"
    link.symlink_to(target)
    assert is_snap(link)


def test_version_is_read_from_the_answer(tmp_path: Path) -> None:
    assert chromium_version(program(tmp_path / "chromium")) == "123.4.5.6"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("#!/bin/sh\necho 'libnss3.so: cannot open shared object file' >&2\nexit 127\n", "libnss3"),
        ("#!/bin/sh\nexit 3\n", "it ended with 3"),
        ("#!/bin/sh\necho hello\n", "hello"),
        ("not a program", "Exec format error"),
    ],
    ids=["library", "code", "no version", "no program"],
)
def test_browser_that_does_not_start_is_told_with_the_cause(
    tmp_path: Path, script: str, why: str
) -> None:
    with pytest.raises(BrowserMissing, match=re.escape(why)):
        chromium_version(program(tmp_path / "chromium", script))


def test_setup_gets_the_path_on_stdout(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no Chromium found")


@pytest.mark.browser
def test_setup_gets_the_browser_that_opens_a_page(
    chromium: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(chromium))
    assert main() == 0
    assert capsys.readouterr().out == f"{chromium}\n"


@pytest.mark.parametrize(
    ("said", "how"),
    [
        ("node: libatomic.so.1: cannot open shared object file", "apt-get install libatomic1"),
        ("no driver here", "run `make setup`"),
    ],
    ids=["library", "other"],
)
def test_driver_that_does_not_start_says_how_to_mend_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, how: str
) -> None:
    python = program(tmp_path / "python", f"#!/bin/sh\necho '{said}' >&2\nexit 127\n")
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(BrowserMissing, match=re.escape(f"({said}); {how}")):
        check_driver()


@pytest.mark.browser
def test_real_browser_opens_a_page(chromium: Path) -> None:
    assert re.fullmatch(r"[\d.]+", chromium_version(chromium))
    open_blank_page(chromium)


def test_program_that_is_no_browser_opens_no_page(tmp_path: Path) -> None:
    fake = program(tmp_path / "chromium")
    with pytest.raises(BrowserMissing, match=f"{fake} opens no page"):
        open_blank_page(fake)
