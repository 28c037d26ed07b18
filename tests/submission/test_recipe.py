"""Recipes and calls: what is left to the browser, where tokens come from, what parts are."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hiwe.form.form import Element
from hiwe.page.answer import page_from_html
from hiwe.page.exchange import Exchange
from hiwe.page.page import Box
from hiwe.submission.call import Call, borrow_turn, call_of, fill_call, with_turn
from hiwe.submission.entries import Field
from hiwe.submission.item import Item
from hiwe.submission.recipe import (
    Recipe,
    difference,
    recorded,
    request_of,
    tokens_in,
    wake,
)
from hiwe.submission.refusal import why_refused
from hiwe.submission.trust import RECHECK_EVERY, Trust

RECIPE = Recipe(
    method="POST",
    action="http://a.example/find",
    enctype="",
    codec="utf-8",
    fields=(Field("hidden", "token", "old", 0), Field("text", "q", "é", 1)),
    elements=((1,),),
    submitter=None,
    page_url="http://a.example/#top",
    headers=(("User-Agent", "x"), ("Sec-Fetch-Site", "none")),
    tokens=("token",),
)


def exchange(method: str, url: str, body: str = "", kind: str = "document") -> Exchange:
    """What a browser was seen to send."""
    form = "application/json" if body.startswith("{") else "application/x-www-form-urlencoded"
    headers = (("User-Agent", "x"), ("Cookie", "a=b"), ("Content-Type", form))
    return Exchange(
        method, url, headers, body.encode(), 200, "OK", (), b"", datetime.now(UTC), 0.0, kind
    )


def item(text: str, *, value: str = "", element: int = 0, kind: str = "text") -> Item:
    """One element to set."""
    return Item(element, (1,), kind, ((text, value, -1),))


def element(kind: str = "text", **more: object) -> Element:
    """A form's element."""
    box = Box(0, 0, 9, 9)
    return Element((1,), "q", "", kind, "Q", "for", "", (), box, True, **more)


def test_tokens_come_from_the_fresh_page_and_headers_from_the_browser() -> None:
    page = page_from_html(
        "http://a.example/",
        "<form><input type=hidden name=token value=new><input name=q></form>",
        200,
    )
    fresh = tokens_in(RECIPE, page)
    assert fresh == {"token": ("new",)}
    request = request_of(RECIPE, fresh)
    assert request.body == b"token=new&q=%C3%A9"
    assert dict(request.headers) == {
        "User-Agent": "x", "Sec-Fetch-Site": "same-origin", "Origin": "http://a.example",
        "Referer": "http://a.example/", "Content-Type": "application/x-www-form-urlencoded",
    }  # fmt: skip
    assert "shows no token" in str(tokens_in(RECIPE, page_from_html("u:", "<form></form>", 200)))


def test_hidden_fields_that_differ_from_page_to_page_are_tokens() -> None:
    plain = replace(RECIPE, tokens=())
    other = replace(plain, fields=(replace(plain.fields[0], value="another"), plain.fields[1]))
    assert other.joined(plain).tokens == ("token",)
    assert plain.joined(plain).tokens == ()


def test_the_request_is_compared_to_the_byte() -> None:
    request = request_of(RECIPE)
    url, body = "http://a.example/find", "token=old&q=%C3%A9"
    assert difference(request, exchange("POST", url, body)) == ""
    assert difference(request, exchange("POST", url, body + "&at=1")) != ""
    assert difference(request, exchange("GET", url)) != ""
    assert "script" in difference(request, exchange("POST", url, body, kind="fetch"))


@pytest.mark.parametrize(
    ("found", "text", "refused"),
    [
        (element(), "Salt", False),
        (element(pattern="[0-9]{4}"), "1987", False),
        (element(pattern="[0-9]{4}"), "87", True),
        (element(maxlength=3), "Salt", True),
        (element("number", minimum="1900"), "1987", False),
        (element("number", minimum="1900"), "1887", True),
        (element("number"), "about 7", True),
        (element("date"), "2024-05-06", False),
        (element("date"), "6 May 2024", True),
        (element("combobox"), "Salt", True),
        (element(), "Salt ", True),
    ],
)
def test_what_a_browser_may_refuse_or_tidy_is_left_to_it(
    found: Element, text: str, refused: bool
) -> None:
    assert bool(why_refused(found, item(text, kind=found.kind))) == refused


API = "http://a.example/api?size=2&q=Salt+%26+pepper"


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (exchange("GET", API, kind="xhr"), API.replace("Salt+%26+pepper", "Gl%C3%A4ser")),
        (
            exchange("POST", "http://a.example/api", "q=Salt%20%26%20pepper", "fetch"),
            "q=Gl%C3%A4ser",
        ),
        (
            exchange("POST", "http://a.example/api", '{"q":"Salt & pepper","from":0}', "fetch"),
            '{"q":"Gläser","from":0}',
        ),
    ],
    ids=["query", "fields", "json"],
)
def test_a_call_takes_another_value_in_the_place_of_the_one_seen(
    seen: Exchange, expected: str
) -> None:
    call = call_of(seen, [item("Salt & pepper")])
    assert isinstance(call, Call)
    request = fill_call(call, [item("Gläser")])
    assert not isinstance(request, str)
    assert (request.body.decode() or request.url) == expected
    assert "Cookie" not in dict(request.headers)
    assert isinstance(fill_call(call, [item("a", element=1)]), str)


def test_a_value_that_stands_twice_or_nowhere_makes_no_call() -> None:
    seen = exchange("GET", "http://a.example/api?q=Salt&echo=Salt", kind="xhr")
    assert isinstance(call_of(seen, [item("Salt")]), str)
    assert isinstance(call_of(seen, [item("Pepper")]), str)


def test_the_number_that_grows_turns_the_parts() -> None:
    def part(number: int, **more: int) -> Exchange:
        body = json.dumps({"q": "Salt", "from": number} | more, separators=(",", ":"))
        return exchange("POST", "http://a.example/api", body, "fetch")

    call = call_of(part(0), [item("Salt")])
    assert isinstance(call, Call)
    turned = with_turn(call, part(20))
    request = fill_call(turned, [item("Moons")], part=3)
    assert not isinstance(request, str)
    assert json.loads(request.body) == {"q": "Moons", "from": 60}
    assert with_turn(call, part(0)).turn is None
    assert with_turn(call, part(20, at=7)).turn is None
    assert borrow_turn(call, [turned]).turn == turned.turn


def test_trust_is_earned_by_checks_and_lost_by_one() -> None:
    trust = Trust()
    for _ in range(3):
        trust = trust.checked("", told=True)
    assert trust.is_earned(agreed=3, told=2)
    assert not trust.used(RECHECK_EVERY - 2).is_due
    assert trust.used(RECHECK_EVERY - 1).is_due
    assert not trust.used(RECHECK_EVERY).checked("", told=True).is_due
    lost = trust.checked("other records", told=True)
    assert lost.fault == "other records"
    assert not lost.checked("", told=True).is_earned(agreed=3, told=2)


def test_fields_that_a_script_enables_are_known_by_what_was_bound() -> None:
    child = Field("select", "child", "", 2, disabled=True, chosen=("",))
    recipe = replace(RECIPE, fields=(*RECIPE.fields, child), elements=((1,), (2,)), tokens=())
    url, body = "http://a.example/find", "token=old&q=%C3%A9"
    known = recorded(recipe, recipe, (0,), exchange("POST", url, f"{body}&child="))
    assert isinstance(known, Recipe)
    woken, unknown = wake(known, (0,)), wake(known, (0, 1))
    assert isinstance(woken, Recipe)
    assert request_of(woken).body == f"{body}&child=".encode()
    assert isinstance(unknown, str)
    other = recorded(recipe, recipe, (1,), exchange("POST", url, body))
    assert isinstance(other, Recipe)
    assert dict(other.joined(known).wakes) == {(0,): (2,), (1,): ()}
    assert isinstance(recorded(recipe, recipe, (0,), exchange("POST", url, "q=1")), str)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("go", "http://a.example/find?q=&go.x=17&go.y=9"),
        ("", "http://a.example/find?q=&x=17&y=9"),
        ("los §", "http://a.example/find?q=&los+%C2%A7.x=17&los+%C2%A7.y=9"),
    ],
)
def test_an_image_is_pressed_where_the_browser_pressed_it(name: str, url: str) -> None:
    fields = (Field("text", "q", "", 1), Field("image", name, "", 2))
    pressed = replace(RECIPE, method="GET", fields=fields, submitter=1, tokens=())
    kept = recorded(pressed, pressed, (0,), exchange("GET", url))
    assert isinstance(kept, Recipe)
    assert request_of(kept).url == url


@pytest.mark.parametrize(
    ("text", "way"), [("salt", "ltr"), ("12 مصر", "rtl"), ("", "ltr"), ("ספר", "rtl")]
)
def test_the_direction_of_a_text_is_sent_as_its_letters_run(text: str, way: str) -> None:
    field = Field("text", "q", text, 1, dirname="q.dir", direction="auto")
    sent = request_of(replace(RECIPE, method="GET", fields=(field,), tokens=())).url
    assert sent.endswith(f"&q.dir={way}")
