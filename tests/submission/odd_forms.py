"""Forms made up from a number: all kinds of controls, odd names and values, several charsets."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from random import Random

from hypothesis import strategies as st

CHARSETS = ("utf-8", "windows-1252", "gbk")
ACCEPTED = ("", "", "", "utf-8", "windows-1252", "gbk", "no-such utf-8", "ISO-8859-1", "utf-16le")
ENCTYPES = ("", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "x/y")
QUERIES = ("", "", "?old=1&amp;b=~", "?", "#part", "?a=%7E#x")
KINDS = (
    *("text", "search", "tel", "url", "email", "password", "number", "range", "color", "date"),
    *("month", "week", "time", "datetime-local", "hidden", "checkbox", "radio", "file"),
    *("submit", "image", "button", "reset", "bogus", ""),
)
WORDS = (
    *("", "q", "a b", "x[]", "_charset_", "_Charset_", "submit", "action", "elements", "é"),
    *("§ 5", "片名", "b.c"),
)
VALUES = ("", "on", "7", "2024-05-06", "12:30", "#ff0000", "2019-W07", "2020-02", "a@b.example")
LETTERS = (
    "abz019 +&=%\"'<>;#/?~*-._\t\r\n\\|^`[]{}é\u00c4ß€™“”\u0160£片名電影日本한"
    "ΩЖ😀\u00ad\u0301\ufffd\ue5e5\u00a0\u0081"
)
FLAGS = ("", "", "", "", "", " disabled", " readonly", " required")


@dataclass(frozen=True)
class OddForm:
    """Attributes of a form element, its inside, and what stands outside but belongs to it."""

    method: str
    query: str
    enctype: str
    accepted: str
    inside: str
    outside: str

    def html(self, number: int) -> str:
        """The form; its answers go to a path and a frame of its own."""
        charset = f' accept-charset="{self.accepted}"' if self.accepted else ""
        enctype = f' enctype="{self.enctype}"' if self.enctype else ""
        outside = self.outside.replace("FORM", f"form{number}")
        return (
            f'<form id=form{number} novalidate method="{self.method}"{enctype}{charset}'
            f' target=frame{number} action="/sent/{number}{self.query}">{self.inside}</form>'
            f"{outside}\n"
        )


def odd_forms() -> st.SearchStrategy[OddForm]:
    """Any form, made from a number: so that thousands cost little."""
    return st.integers(0, 2**63).map(lambda seed: Maker(Random(seed)).form())


class Maker:
    """Makes forms by chance."""

    def __init__(self, chance: Random) -> None:
        """All that is made follows from `chance`."""
        self._chance = chance

    def form(self) -> OddForm:
        """A form with a few controls, some in a fieldset that may be disabled, some outside."""
        pick = self._chance.choice
        inside = "".join(self.control() for _ in range(self._chance.randint(1, 4)))
        if self._happens(0.25):
            fieldset = f"<fieldset{pick(FLAGS)}><legend>{self.control()}</legend>{self.control()}"
            inside += f"{fieldset}</fieldset>"
        return OddForm(
            method=pick(("get", "post", "post", "POST", "bogus")),
            query=pick(QUERIES),
            enctype=pick(ENCTYPES),
            accepted=pick(ACCEPTED),
            inside=inside,
            outside=self.control(" form=FORM") if self._happens(0.25) else "",
        )

    def control(self, owner: str = "") -> str:
        """Any control; `owner` is the attribute of one that stands outside its form."""
        return self._chance.choice((self.input, self.input, self.select, self.other))(owner)

    def input(self, owner: str) -> str:
        """An input of any kind."""
        kind = self._chance.choice(KINDS)
        given = f' type="{kind}"' if kind else ""
        checked = " checked" if self._happens(0.5) else ""
        sends = self._sends() if kind in ("submit", "image") else self._direction()
        return f"<input{given}{self._name()}{self._value()}{self._flag()}{checked}{owner}{sends}>"

    def select(self, owner: str) -> str:
        """A select with options of all sorts."""
        options = "".join(self.option() for _ in range(self._chance.randint(0, 3)))
        if self._happens(0.5):
            options += f"<optgroup{self._flag()} label=g>{self.option()}</optgroup>"
        multiple = self._chance.choice(("", " multiple", " size=3"))
        return f"<select{self._name()}{multiple}{self._flag()}{owner}>{options}</select>"

    def option(self) -> str:
        """One option, with a value of its own or without."""
        chosen = " selected" if self._happens(0.3) else ""
        return f"<option{self._value()}{chosen}{self._flag()}>{quoted(self.text())}</option>"

    def other(self, owner: str) -> str:
        """A textarea or a button."""
        name, text = self._name(), quoted(self.text())
        if self._happens(0.5):
            return f"<textarea{name}{self._flag()}{owner}{self._direction()}>{text}</textarea>"
        kind = self._chance.choice(("submit", "button", "reset"))
        return f'<button type={kind}{name} value="{text}"{owner}{self._sends()}>{kind}</button>'

    def text(self) -> str:
        """A word, a value, or any few characters."""
        if self._happens(0.4):
            return self._chance.choice((*WORDS, *VALUES))
        return "".join(self._chance.choices(LETTERS, k=self._chance.randint(0, 6)))

    def _happens(self, share: float) -> bool:
        return self._chance.random() < share

    def _name(self) -> str:
        return "" if self._happens(0.1) else f' name="{quoted(self.text())}"'

    def _value(self) -> str:
        return "" if self._happens(0.2) else f' value="{quoted(self.text())}"'

    def _direction(self) -> str:
        """Now and then the name of a field for the direction of the text."""
        if not self._happens(0.15):
            return ""
        way = self._chance.choice(("", " dir=rtl", " dir=ltr", " dir=auto", " dir=odd"))
        return f' dirname="{quoted(self.text())}"{way}'

    def _sends(self) -> str:
        """What a button overrides of its form, now and then."""
        enctype = f' formenctype="{self._chance.choice(ENCTYPES)}"' if self._happens(0.2) else ""
        methods = ("get", "post", "POST", "bogus", "")
        method = f' formmethod="{self._chance.choice(methods)}"' if self._happens(0.2) else ""
        return enctype + method + self._direction()

    def _flag(self) -> str:
        return self._chance.choice(FLAGS)


def quoted(text: str) -> str:
    """Text for an attribute; line breaks as references, so that the parser keeps them."""
    text = escape(text).replace("\r", "&#13;").replace("\n", "&#10;")
    return text.replace("\t", "&#9;").replace("\x00", "")
