"""The site's own figures: '1-20 of 356', 'Treffer 1-10 von 37', '12 records found', '共 12 条'."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiwe.response.response import Count
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_LINE = 40  # words; counts stand in short lines

_DIGIT = re.compile(r"\d")
_N = r"(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+|\d+)"
_OPEN = r"(?:~|≈|about|over|more than|approximately|approx\.?|ca\.?|circa|etwa|ungefahr|uber|environ|plus de|mas de|oltre|cerca de|okolo|около|более|ponad|nearly|almost)?\s*"
_OF = (
    r"(?:of|out of|from|von|insgesamt|aus|de|des|sur|di|su|del|dei|van|av|af|fra|/|из|з|із|от|ot|z|ze|spośrod|"
    r"sposrod|celkem|of about|fra|totalt|iz|od|din|από|απο|dari|trong|su un totale di|de un total de|"
    r"sur un total de|of a total of|in total|von insgesamt|i alt|kaikkiaan|yhteensa|osszesen|toplam|من|מתוך|/)"
)
_TO = r"(?:-|–|—|−|‐|‑|~|…|\.\.\.?|to|through|bis|a|al|ate|do|do|tot|till|til|до|по|через|thru|à|és|ile|έως|εως|から|〜|～|至|إلى|عد)"
_CJK_RANGE = re.compile(
    rf"{_N}\s*(?:件|条|條|건|个|個|项)\s*(?:中の?|中|의|中第)?\s*[、,]?\s*{_N}\s*{_TO}\s*{_N}\s*(?:件|条|條|건|个|個|项)?"
)
_RANGE_OF = re.compile(
    rf"(?<![\w.,]){_N}\s*{_TO}\s*{_N}\s*(?:\([^)]*\)\s*)?[^\w/]{{0,3}}(?:[^\W\d]+\s+){{0,2}}?{_OF}\s*{_OPEN}{_N}(?![\w%])"
)
_OF_RANGE = re.compile(rf"(?<!\w){_N}\s+\w+\s*[,;:(]?\s*(?:\w+\s+){{0,3}}{_N}\s*{_TO}\s*{_N}(?!\w)")
_RANGE = re.compile(rf"(?<![\w.,]){_N}\s*{_TO}\s*{_N}(?![\w%])")
_SHOWN_OF = re.compile(rf"(?<![\w.,]){_N}\s+(?:\w+\s+){{0,2}}?{_OF}\s+{_OPEN}{_N}(?![\w%])")
_CJK = re.compile(
    rf"(?:共|全|总共|總共|合计|計|총|전체)\s*(?:有|找到|计)?\s*{_N}\s*(?:条|條|个|個|件|项|項|篇|部|笔|筆|건|개|册|本)"
    rf"|{_N}\s*(?:条|條|个|個|件|项|項|篇|笔|筆|건|개)\s*(?:の|相关|匹配|검색)?\s*(?:结果|結果|记录|記錄|ヒット|검색|결과|資料|が見つかり|中)"
    rf"|(?:검색\s*결과|検索結果|找到|结果|結果|该当|該当|ヒット)\D{{0,8}}{_N}\s*(?:条|條|个|個|件|项|項|篇|笔|筆|건|개)?"
    rf"|^{_N}\s*(?:件|건|条|條)$"
)
NOUNS = frozenset(
    fold(word)
    for word in """
    results result records record hits hit matches match items item entries entry documents document titles title
    rows row films film movies movie books book articles article products product pages issues found listings
    publications persons people works files files reports report events jobs volumes objects
    treffer ergebnis ergebnisse ergebnissen ergebnisses datensatze datensatz eintrage eintrag suchergebnisse
    suchtreffer resultate dokumente filme bucher titel artikel gefunden werke fundstellen
    resultats resultat reponses reponse notices notice enregistrements enregistrement fiches fiche documents ouvrages
    livres trouves trouve trouvees annonces occurrences
    resultados resultado registros registro coincidencias coincidencia peliculas pelicula libros libro articulos
    elementos encontrados encontradas encontrado documentos titulos fichas
    risultati risultato schede scheda record libri libro trovati trovate trovato trovata titoli documenti elementi
    articoli pellicole opere voci
    registos registo filmes livros itens artigos encontradas ocorrencias
    resultaten treffers gevonden boeken titels artikelen zoekresultaten documenten
    traffar traff poster post bocker titlar sokresultat sokträffar hittades filmer dokument
    resultater hits treff boger funnet fundet soketreff poster artikler titler
    tulosta osumaa tuloksia osumat tulokset tietuetta hakutulosta elokuvaa kirjaa kohdetta teosta
    wynikow wyniki wynik rekordow rekordy pozycji pozycje filmow ksiazek dokumentow znaleziono trafien
    vysledku vysledky vysledek zaznamu zaznamy zaznam polozek titulu filmu knih nalezeno nalezenych
    vysledkov zaznamov najdenych poloziek
    rezultatov zadetkov zapisov rezultata zapisa pogodaka rezultati pronađeno
    talalat talalatok eredmeny tetel talalatot rekord film konyv
    rezultate rezultat inregistrari inregistrare gasite documente carti
    резултата резултати записа намерени документа
    результатов результата результат записей записи запись документов найдено фильмов фильма книг книги
    материалов позиций совпадений объектов
    результатів результати записів записи документів знайдено фільмів книг
    αποτελεσματα αποτελεσμα εγγραφες εγγραφη ταινιες βιβλια τεκμηρια
    sonuc sonuclar kayit film kitap eser bulundu urun eslesme
    نتيجة نتائج نتيجه سجل سجلات نتایج مورد رکورد
    תוצאות תוצאה רשומות פריטים סרטים
    परिणाम नतीजे रिकॉर्ड
    ket qua hasil data dokumen buku rekaman
    resultats registres titols llibres
    tulemust kirjet vastet rezultati ieraksti rezultatai irasai irasu rezultatu
    """.split()  # noqa: SIM905 - a list of words reads better as text
)
_FOUND = (
    r"(?:found|total|results?|hits?|matches|records?|showing|displaying|gefunden|treffer|ergebnisse|anzahl|trouves?|"
    r"resultats?|resultados?|encontrad[oa]s?|risultati|trovat[ieoa]|numero|znaleziono|wynikow|wyniki|nalezeno|"
    r"celkem|найдено|всего|знайдено|намерени|resultaten|gevonden|traffar|hittade|fandt|fant|resultater|"
    r"loytyi|talalatok?|osszesen|toplam|bulundu|rezultate|gasite|βρεθηκαν|συνολο|نتائج|תוצאות|נמצאו|total de|"
    r"totale|gesamt|gesamtzahl|pronadeno|najdeno|nalezenych|hakutulokset|osumia|sonuclar|sonuc|ditemukan|tim thay)"
)
_FOUND_N = re.compile(rf"(?<!\w){_FOUND}\s*(?:\w+\s*)?[:=(]?\s*{_OPEN}{_N}\s*\)?(?![\w%:/]|\.\d)")
_N_WORD = re.compile(rf"(?<![\w.,#$€£]){_N}\s+((?:[^\W\d][\w'’-]*\s*){{1,3}})")
_PAGE = re.compile(
    r"(?<!\w)(?:pages?|seiten?|pagina|paginas|pagine|page|sida|side|sivu|strona|strany|strana|oldal|стр\w*|страниц\w*|"
    r"сторінк\w*|σελιδα|sayfa|halaman|trang|stranica|stran|lehekulg|صفحة|עמוד|blatt|p)\.?\s*:?\s*(?=\d)"
)


def number(text: str) -> int:
    """The value of a figure written with or without thousands separators."""
    return int(re.sub(r"\D", "", text))


def find_count(lines: Iterable[str], shown: int) -> Count | None:
    """The likeliest of the counts that the lines state; `shown` items were seen on the page."""
    best: tuple[float, Count] | None = None
    for line in lines:
        if len(line) > 400 or not _DIGIT.search(line):
            continue
        for score, count in counts_in(line):
            score += 0.3 * _agrees(count, shown)
            if best is None or score > best[0]:
                best = (score, count)
    return best[1] if best else None


def _agrees(count: Count, shown: int) -> bool:
    return shown > 0 and (count.shown == shown or (count.shown is None and count.total == shown))


def counts_in(line: str) -> list[tuple[float, Count]]:
    """The counts that one line states, each with how surely it is one (0..1)."""
    text = fold(line)
    if len(text.split()) > LONGEST_LINE:
        return []
    found = [*_ranges(text, line), *_shown_of(text, line), *_totals(text, line)]
    return [(score, count) for score, count in found if _sane(count)]


def _sane(count: Count) -> bool:
    if count.first is not None and count.last is not None and count.first > count.last:
        return False
    return not (count.last is not None and count.total is not None and count.last > count.total + 1)


def _ranges(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _RANGE_OF.finditer(text):
        if not _PAGE.search(text[max(0, match.start() - 12) : match.start() + 1]):
            first, last, total = map(number, match.groups())
            found.append((0.9, Count(first, last, total, line)))
    for match in _CJK_RANGE.finditer(text):
        total, first, last = map(number, match.groups())
        found.append((0.9, Count(first, last, total, line)))
    for match in _OF_RANGE.finditer(text):
        total, first, last = map(number, match.groups())
        if total >= last and has_noun(text):
            found.append((0.75, Count(first, last, total, line)))
    if not found and has_noun(text):
        for match in _RANGE.finditer(text):
            first, last = map(number, match.groups())
            if last - first < 1000 and not 1500 < first < 2100:
                found.append((0.4, Count(first, last, None, line)))
    return found


def _shown_of(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _SHOWN_OF.finditer(text):
        before = text[: match.start(2)]
        if _PAGE.search(before + "1") and not has_noun(text):
            continue
        shown, total = map(number, match.groups())
        if shown <= total and (has_noun(text) or re.search(_FOUND, text)):
            found.append((0.7, Count(1 if shown else 0, shown, total, line)))
    return found


def _totals(text: str, line: str) -> list[tuple[float, Count]]:
    found = []
    for match in _CJK.finditer(text):
        figure = next(group for group in match.groups() if group)
        found.append((0.7, Count(None, None, number(figure), line)))
    for match in _FOUND_N.finditer(text):
        found.append((0.55, Count(None, None, number(match.group(1)), line)))
    for match in _N_WORD.finditer(text):
        words = match.group(2).split()
        place = next((i for i, word in enumerate(words) if word in NOUNS), None)
        if (
            place is None
            or _is_year(match.group(1), text, place)
            or _PAGE.search(text[max(0, match.start() - 12) : match.start() + 1])
        ):
            continue
        score = 0.65 if len(text.split()) <= 12 else 0.45
        found.append((score - 0.05 * place, Count(None, None, number(match.group(1)), line)))
    return found


def _is_year(figure: str, text: str, place: int) -> bool:
    """Whether a figure in a sentence is rather a year: '1999 feature film directed by ...'."""
    return (
        1800 <= number(figure) <= 2100 and len(figure) == 4 and (place > 0 or len(text.split()) > 6)
    )


def has_noun(text: str) -> bool:
    """Whether a folded text names what is counted (results, Treffer, ...)."""
    return any(word in NOUNS for word in re.findall(r"[^\W\d_]+", text))
