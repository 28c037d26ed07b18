# ruff: noqa: E501 - HTML and sentences of many languages read better unbroken
"""What sites say, in many languages: nothing found, counts, errors, pagers."""

from __future__ import annotations

import pytest

from hiwe.response.counts import find_count
from hiwe.response.phrases import data, kinds_in
from tests.response.answers import FORM_HTML, Answer, hits

NOTHING = {
    "en": ["Your search did not match any documents.", "No matches for \"zqxvkj\"", "Sorry, nothing was found.",
           "We couldn't find anything for zqxvkj", "0 results", "No titles in our catalogue match these criteria.",
           "There are no films that meet your criteria", "No entries found.", "No data available in table",
           "Your query returned no results"],
    "de": ["Keine Treffer", "Ihre Suche ergab leider keine Ergebnisse.", "Es wurden keine Einträge gefunden.",
           "Zu Ihrer Anfrage wurde nichts gefunden", "Kein Film entspricht Ihren Suchkriterien",
           "Leider konnten wir keine passenden Filme finden."],
    "fr": ["Aucun résultat", "Votre recherche n'a donné aucun résultat.", "Aucun document ne correspond à vos critères",
           "Désolé, nous n'avons rien trouvé.", "Pas de réponse pour cette recherche"],
    "es": ["No se han encontrado resultados", "No hay resultados para su búsqueda", "Ningún registro coincide",
           "Su búsqueda no produjo ningún resultado.", "No se encontraron películas"],
    "it": ["Nessun risultato trovato", "La ricerca non ha prodotto risultati", "Nessun film corrisponde ai criteri",
           "Spiacenti, non è stato trovato nulla.", "Non ci sono film per questa ricerca"],
    "pt": ["Nenhum resultado encontrado", "Não foram encontrados registos", "A sua pesquisa não retornou resultados",
           "Sem resultados"],
    "nl": ["Geen resultaten gevonden", "Uw zoekopdracht heeft geen resultaten opgeleverd", "Er zijn geen titels gevonden",
           "Helaas, niets gevonden"],
    "sv": ["Inga träffar", "Din sökning gav inga träffar.", "Vi hittade tyvärr ingenting"],
    "da": ["Ingen resultater", "Din søgning gav ingen resultater", "Vi fandt desværre ikke noget"],
    "no": ["Ingen treff", "Søket ga ingen treff", "Vi fant dessverre ingen filmer"],
    "fi": ["Ei hakutuloksia", "Haulla ei löytynyt yhtään tulosta", "Hakuehdoillasi ei löytynyt osumia"],
    "pl": ["Nie znaleziono wyników", "Brak wyników", "Niestety nic nie znaleziono"],
    "cs": ["Nebyly nalezeny žádné výsledky", "Nic nenalezeno", "Žádné záznamy neodpovídají zadání"],
    "sk": ["Neboli nájdené žiadne výsledky", "Nenašli sa žiadne záznamy"],
    "hu": ["Nincs találat", "A keresés nem hozott eredményt", "Nem található a feltételeknek megfelelő film"],
    "ro": ["Nu s-au găsit rezultate", "Niciun rezultat"],
    "bg": ["Няма намерени резултати", "Не са открити резултати"],
    "ru": ["По вашему запросу ничего не найдено", "Ничего не нашлось", "Результатов нет", "Поиск не дал результатов"],
    "uk": ["За вашим запитом нічого не знайдено", "Немає результатів"],
    "el": ["Δεν βρέθηκαν αποτελέσματα", "Κανένα αποτέλεσμα"],
    "tr": ["Sonuç bulunamadı", "Aramanızla eşleşen kayıt bulunamadı", "Hiçbir sonuç yok"],
    "ar": ["لم يتم العثور على نتائج", "لا توجد نتائج"],
    "fa": ["نتیجه‌ای یافت نشد", "هیچ موردی پیدا نشد"],
    "he": ["לא נמצאו תוצאות"],
    "hi": ["कोई परिणाम नहीं मिला"],
    "zh": ["没有找到相关结果", "抱歉，未找到符合条件的记录", "查無資料", "暂无数据"],
    "ja": ["検索結果がありません", "該当するデータは見つかりませんでした。", "条件に一致する作品はありません"],
    "ko": ["검색 결과가 없습니다.", "일치하는 결과가 없습니다"],
    "vi": ["Không tìm thấy kết quả nào"],
    "th": ["ไม่พบข้อมูลที่ค้นหา"],
    "id": ["Tidak ada hasil ditemukan", "Data tidak ditemukan"],
    "ca": ["No s'han trobat resultats", "Cap resultat"],
    "hr": ["Nema rezultata", "Nisu pronađeni rezultati"],
    "sl": ["Ni zadetkov", "Ni bilo najdenih rezultatov"],
    "et": ["Tulemusi ei leitud"],
    "lv": ["Nekas netika atrasts", "Nav rezultātu"],
    "lt": ["Rezultatų nerasta", "Nieko nerasta"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"), [(code, text) for code, texts in NOTHING.items() for text in texts]
)
def test_nothing_found_is_no_results_in_every_language(language, text):
    assert Answer(f"<h1>Q</h1><p>{text}</p>").verdict == "no_results"
    assert Answer(f"{FORM_HTML}<div>{text}</div>").verdict == "no_results"


COUNTS = [
    ("1–20 of 356", 1, 20, 356), ("Results 21-40 of about 1,200 for kubrick", 21, 40, 1200),
    ("Treffer 1–10 von 37", 1, 10, 37), ("37 Treffer", None, None, 37), ("Gefunden: 12", None, None, 12),
    ("1.234 Ergebnisse", None, None, 1234), ("Résultats 1 à 10 sur 1 234", 1, 10, 1234),
    ("12 résultats trouvés", None, None, 12), ("Mostrando 1 a 10 de 97 resultados", 1, 10, 97),
    ("Se han encontrado 15 registros", None, None, 15), ("Risultati 1-10 di 45", 1, 10, 45),
    ("Trovati 8 film", None, None, 8), ("8 schede trovate", None, None, 8), ("Exibindo 1-10 de 33 resultados", 1, 10, 33),
    ("Resultaat 1-20 van 230", 1, 20, 230), ("230 resultaten", None, None, 230), ("Träff 1-10 av 52", 1, 10, 52),
    ("52 träffar", None, None, 52), ("Viser 1-20 af 88 resultater", 1, 20, 88), ("1–20 / 45 osumaa", 1, 20, 45),
    ("Znaleziono 12 wyników", None, None, 12), ("Nalezeno 7 záznamů", None, None, 7), ("Talált: 5 találat", None, None, 5),
    ("Найдено 12 записей", None, None, 12), ("Результаты 1 - 10 из 120", 1, 10, 120), ("Знайдено 5 результатів", None, None, 5),
    ("Βρέθηκαν 9 αποτελέσματα", None, None, 9), ("Toplam 15 sonuç bulundu", None, None, 15), ("共 12 条", None, None, 12),
    ("找到 35 条结果", None, None, 35), ("検索結果 35件", None, None, 35), ("35件中 1-10件", 1, 10, 35), ("총 15건", None, None, 15),
    ("6 rows where search matches \"kubrick\"", None, None, 6), ("1..50 out of 113", 1, 50, 113),
    ("Showing 5 of 12, please narrow your search", 1, 5, 12), ("356 films found (1-20 shown)", None, None, 356),
    ("Displaying records 1 through 25 of 300 total", 1, 25, 300), ("0 records found", None, None, 0), ("Total: 0", None, None, 0),
    ("Results 1 to 10 (of 95)", 1, 10, 95), ("Hits 1–10 out of 14 hits", 1, 10, 14), ("Matches: 42", None, None, 42),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first", "last", "total"), COUNTS, ids=[c[0] for c in COUNTS])
def test_a_site_count_is_read(text, first, last, total):
    count = find_count([text], 0)
    assert count is not None
    assert count.total == total
    if first is not None:
        assert (count.first, count.last) == (first, last)


@pytest.mark.parametrize(
    "text",
    ["Page 1 of 18", "Trovate pagine - pagina 1 di 2 film", "Seite 2 von 7", "Drama (12)", "1994", "Ida Fenwick, 1994", "Copyright 1999-2011", "Born 1-2-1970",
     "Following is a 1999 feature film directed by Christopher Nolan.", "$ 12.00", "Open 9-17", "Tel. 555 12 34"],
)  # fmt: skip
def test_other_figures_are_no_count(text):
    assert find_count([text], 0) is None


ERRORS = ["Internal Server Error", "An error has occurred", "Database connection failed", "Es ist ein Fehler aufgetreten.",
          "Interner Serverfehler", "Une erreur s'est produite", "Se ha producido un error", "Si è verificato un errore",
          "Ocorreu um erro", "Er is een fout opgetreden", "Ett fel uppstod", "Der opstod en fejl", "Det oppsto en feil",
          "Tapahtui virhe", "Wystąpił błąd", "Došlo k chybě", "Hiba történt", "A apărut o eroare", "Възникна грешка",
          "Произошла ошибка", "Сталася помилка", "Παρουσιάστηκε σφάλμα", "Bir hata oluştu", "حدث خطأ", "אירעה שגיאה",
          "系统错误", "エラーが発生しました", "오류가 발생했습니다", "Đã xảy ra lỗi", "Terjadi kesalahan",
          "Warning: mysql_connect(): Access denied for user", "ORA-01403: no data found", "Traceback (most recent call last)",
          "Service temporarily unavailable", "Something went wrong. Please try again later."]  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_error_texts_at_status_200_are_errors(text):
    assert Answer(f"<h1>Films</h1><p>{text}</p>").verdict in ("error", "blocked")


INVALID = ["Please enter a valid year.", "Invalid date format", "The year must be between 1900 and 2030", "Field is required",
           "Bitte geben Sie einen Suchbegriff ein.", "Ungültiges Datum", "Veuillez saisir au moins 3 caractères", "Date invalide",
           "Introduzca un valor válido", "Inserire almeno un criterio di ricerca", "Data non valida", "Informe pelo menos um campo",
           "Ongeldige datum", "Ange ett giltigt årtal", "Ugyldig dato", "Virheellinen päivämäärä", "Nieprawidłowa data",
           "Zadejte platné datum", "Érvénytelen dátum", "Introduceți o dată validă", "Моля, въведете дата", "Введите корректный год",
           "Невірна дата", "Μη έγκυρη ημερομηνία", "Geçersiz tarih", "请输入年份", "年を入力してください", "연도를 입력하세요",
           "Search term too short", "'abc' is not a number"]  # fmt: skip


# What browsers say beside an empty field that must be filled, and sites after them.
EMPTY = ["Please fill out this field.", "Enter a value in the required field.", "Füllen Sie dieses Feld aus.",
         "Pflichtfeld nicht ausgefüllt.", "Veuillez renseigner ce champ.", "Veuillez compléter ce champ.", "Completa este campo",
         "Rellene este campo.", "Año no válido.", "Compila questo campo.", "Compilare questo campo.", "Preencha este campo.",
         "Data não válida.", "Vul dit veld in.", "Wypełnij to pole.", "Fyll i det här fältet.", "Udfyld dette felt.",
         "Заполните это поле.", "Lütfen bu alanı doldurun."]  # fmt: skip


@pytest.mark.parametrize("text", INVALID)
def test_rejections_beside_the_form_are_invalid(text):
    form = FORM_HTML.replace("</form>", f'<span class="error">{text}</span></form>')
    assert Answer(form).verdict == "invalid"


@pytest.mark.parametrize("text", EMPTY)
def test_a_plain_line_above_the_form_that_came_back_rejects_too(text):
    assert Answer(f"<p>{text}</p>{FORM_HTML}").verdict == "invalid"


@pytest.mark.parametrize(
    "text",
    ["Next", "next >>", "Next page", "Weiter", "nächste Seite »", "Suivant", "page suivante", "Siguiente", "Successiva",
     "Pagina successiva", "Avanti", "Próxima", "Seguinte", "Volgende", "Nästa", "Næste", "Neste", "Seuraava", "Następna", "Další",
     "Ďalšia", "Következő", "Următoarea", "Следваща", "Следующая", "Далее →", "Наступна", "Επόμενη", "Sonraki", "التالي", "הבא",
     "अगला", "下一页", "次へ", "다음", "Tiếp", "ถัดไป", "Berikutnya", "Següent", "Sljedeća", "Naslednja", "»", "›", ">", "next 20"],
)  # fmt: skip
def test_next_links_are_found_in_many_languages(text):
    more = f'<a href="/about">About</a> <a href="/find?g=sf&amp;page=2">{text}</a> <a href="/help">Help</a>'
    answer = Answer(f"<h1>Q</h1>{hits(1, 2, 3)}{more}")
    assert answer.pager is not None
    assert (answer.pager.how, answer.pager.url) == ("link", "http://books.test/find?g=sf&page=2")


@pytest.mark.parametrize(
    "text",
    ["Show more", "Load more results", "Mehr anzeigen", "Weitere Treffer anzeigen", "Voir plus", "Ver más", "Mostra altri",
     "Carregar mais", "Meer tonen", "Visa fler", "Vis flere", "Näytä lisää", "Pokaż więcej", "Načíst další", "További találatok",
     "Показать ещё", "Показати ще", "Περισσότερα", "Daha fazla göster", "المزيد", "加载更多", "もっと見る", "더보기", "Xem thêm"],
)  # fmt: skip
def test_load_more_buttons_are_found_in_many_languages(text):
    answer = Answer(f"{hits(1, 2, 3)}<button type='button' hiwe-click='4'>{text}</button>")
    assert answer.pager is not None
    assert (answer.pager.how, answer.pager.index) == ("more", 4)


RECOMMENDED = ["You may also like", "Recommended for you", "Popular films", "Das könnte Ihnen auch gefallen", "Vous aimerez aussi",
               "También te puede interesar", "Potrebbe interessarti", "Você também pode gostar", "Aanbevolen", "Populära filmer",
               "Polecamy", "Mohlo by vás zajímat", "Ajánlott filmek", "Рекомендуем", "Вам может понравиться", "Önerilen filmler",
               "猜你喜欢", "おすすめの作品", "추천 영화"]  # fmt: skip


@pytest.mark.parametrize("text", RECOMMENDED)
def test_recommended_items_are_told_by_their_heading(text):
    answer = Answer(f"<h1>Qwx</h1><p>Xyz wvu.</p><h2>{text}</h2>{hits(2, 3, 5)}")
    assert (answer.verdict, answer.records) == ("no_results", ())


def test_phrases_are_data_in_twenty_languages_at_least():
    assert len(data()["nothing_found"]) >= 40
    for kind in (
        "error",
        "invalid",
        "next",
        "more",
        "recommended",
        "capped",
        "blocked",
        "wait",
        "login",
        "missing_page",
    ):
        assert len(data()[kind]) >= 20, kind


@pytest.mark.parametrize(
    "text",
    ["The Glass Orchard", "Nothing Sacred", "No Country for Old Men", "Not Without My Daughter", "Non-English", "Anna",
     "A film by Jane Campion of 1993.", "Home", "About us", "Sort by title", "Ida Fenwick, 1994"],
)  # fmt: skip
def test_ordinary_texts_say_nothing(text):
    assert not kinds_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is nothing here to show.",
        "We were unable to locate any items.",
        "Your search came up empty.",
        "No entries to display",
    ],
)
def test_further_ways_to_say_that_nothing_was_found(text):
    assert "nothing_found" in kinds_in(text)
