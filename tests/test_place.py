"""What a person gives for a page becomes one address, by the same rule everywhere."""

from __future__ import annotations

import pytest

import hiwe
from hiwe.cli import main
from hiwe.errors import UsageError
from hiwe.place import address_of, is_address


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://a.org/x?y=1", "https://a.org/x?y=1"),
        ("about:blank", "about:blank"),
        ("a.org", "http://a.org"),
        ("www.shop.co.uk/find?q=", "http://www.shop.co.uk/find?q="),
        ("127.0.0.1:8931", "http://127.0.0.1:8931"),
        ("[::1]:80/x", "http://[::1]:80/x"),
        ("localhost", "http://localhost"),
        ("catalogue:8080/find", "http://catalogue:8080/find"),
    ],
)
def test_an_address_or_a_host_is_taken(given, address):
    assert address_of(given) == address
    assert is_address(given)


def test_a_file_is_taken_before_a_host_of_its_name(tmp_path, monkeypatch):
    (tmp_path / "a.org").write_text("<p>")
    monkeypatch.chdir(tmp_path)
    assert address_of("a.org") == (tmp_path / "a.org").as_uri()
    assert address_of(str(tmp_path / "a.org")) == (tmp_path / "a.org").as_uri()


@pytest.mark.parametrize("given", ["/tmp/nosuch/a.html", "nosuch.html", "./nosuch.org", "nosuch"])
def test_a_missing_file_is_no_host(given):
    assert not is_address(given)
    with pytest.raises(UsageError, match=r"there is no such file.*http://"):
        address_of(given)


def test_a_directory_is_no_page(tmp_path):
    with pytest.raises(UsageError, match="is a directory"):
        address_of(str(tmp_path))


@pytest.mark.parametrize(
    "given", ["http://", "https:///x", "http://[x/", "http://a.org:99999/", "a.org:99999"]
)
def test_an_address_needs_a_host_and_a_port_that_may_be(given):
    with pytest.raises(UsageError, match="is no address"):
        address_of(given)


@pytest.mark.parametrize("name", ["task.yaml", "runs/a.org.yaml", "films.yml", "films"])
def test_a_configuration_is_no_address(name):
    assert not is_address(name)


def test_inspect_tells_what_is_not_there_without_a_browser(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hiwe.look.Browser.launch", None)
    assert main(["inspect", str(tmp_path), str(tmp_path / "no.html")]) == 1
    said = capsys.readouterr().err
    assert "is a directory" in said
    assert "there is no such file" in said


def test_an_explorer_takes_what_inspect_takes(chromium, tmp_path):
    with hiwe.Explorer(executable=chromium, delay_s=0.0) as explorer:
        with pytest.raises(UsageError, match="no such file"):
            explorer.open(str(tmp_path / "no.html"))
        (tmp_path / "page.html").write_text("<title>Kept</title>")
        assert explorer.open(str(tmp_path / "page.html")).title == "Kept"
