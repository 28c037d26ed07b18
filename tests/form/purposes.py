"""What forms of many purposes say in twelve languages, and the forms themselves."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {"search": "Search", "title": "Title", "author": "Author", "login": "Log in",
           "user": "User name", "pass": "Password", "register": "Create account",
           "news": "Subscribe", "mail": "E-mail address", "contact": "Send message",
           "msg": "Your message", "name": "Your name", "comment": "Post comment",
           "order": "Place order", "address": "Delivery address", "cart": "Add to cart",
           "qty": "Quantity", "calc": "Calculate", "amount": "Loan amount", "rate": "Interest rate",
           "lang": "Language", "vote": "Vote", "unsub": "Unsubscribe", "sort": "Sort by",
           "per": "Results per page", "filter": "Apply filters", "price": "Price",
           "lost": "Reset password"},
    "de": {"search": "Suchen", "title": "Titel", "author": "Autor", "login": "Anmelden",
           "user": "Benutzername", "pass": "Passwort", "register": "Konto erstellen",
           "news": "Abonnieren", "mail": "E-Mail-Adresse", "contact": "Nachricht senden",
           "msg": "Ihre Nachricht", "name": "Ihr Name", "comment": "Kommentar abschicken",
           "order": "Jetzt bestellen", "address": "Lieferadresse", "cart": "In den Warenkorb",
           "qty": "Menge", "calc": "Berechnen", "amount": "Darlehensbetrag", "rate": "Zinssatz",
           "lang": "Sprache", "vote": "Abstimmen", "unsub": "Abmelden", "sort": "Sortieren nach",
           "per": "Treffer pro Seite", "filter": "Filter anwenden", "price": "Preis",
           "lost": "Passwort zurücksetzen"},
    "fr": {"search": "Rechercher", "title": "Titre", "author": "Auteur", "login": "Se connecter",
           "user": "Identifiant", "pass": "Mot de passe", "register": "Créer un compte",
           "news": "S'abonner", "mail": "Adresse e-mail", "contact": "Envoyer le message",
           "msg": "Votre message", "name": "Votre nom", "comment": "Publier le commentaire",
           "order": "Commander", "address": "Adresse de livraison", "cart": "Ajouter au panier",
           "qty": "Quantité", "calc": "Calculer", "amount": "Montant du prêt", "rate": "Taux",
           "lang": "Langue", "vote": "Voter", "unsub": "Se désabonner", "sort": "Trier par",
           "per": "Résultats par page", "filter": "Appliquer les filtres", "price": "Prix",
           "lost": "Réinitialiser le mot de passe"},
    "es": {"search": "Buscar", "title": "Título", "author": "Autor", "login": "Iniciar sesión",
           "user": "Usuario", "pass": "Contraseña", "register": "Crear cuenta",
           "news": "Suscribirse", "mail": "Correo electrónico", "contact": "Enviar mensaje",
           "msg": "Su mensaje", "name": "Su nombre", "comment": "Publicar comentario",
           "order": "Realizar pedido", "address": "Dirección de envío", "cart": "Añadir al carrito",
           "qty": "Cantidad", "calc": "Calcular", "amount": "Importe del préstamo",
           "rate": "Tipo de interés", "lang": "Idioma", "vote": "Votar", "unsub": "Darse de baja",
           "sort": "Ordenar por", "per": "Resultados por página", "filter": "Aplicar filtros",
           "price": "Precio", "lost": "Restablecer contraseña"},
    "it": {"search": "Cerca", "title": "Titolo", "author": "Autore", "login": "Accedi",
           "user": "Nome utente", "pass": "Password", "register": "Registrati",
           "news": "Iscriviti alla newsletter", "mail": "Indirizzo e-mail",
           "contact": "Invia messaggio", "msg": "Messaggio", "name": "Nome",
           "comment": "Invia commento", "order": "Procedi all'ordine",
           "address": "Indirizzo di consegna", "cart": "Aggiungi al carrello", "qty": "Quantità",
           "calc": "Calcola", "amount": "Importo del mutuo", "rate": "Tasso di interesse",
           "lang": "Lingua", "vote": "Vota", "unsub": "Annulla iscrizione", "sort": "Ordina per",
           "per": "Risultati per pagina", "filter": "Applica filtri", "price": "Prezzo",
           "lost": "Recupera password"},
    "pt": {"search": "Pesquisar", "title": "Título", "author": "Autor", "login": "Entrar",
           "user": "Usuário", "pass": "Senha", "register": "Criar conta", "news": "Assinar",
           "mail": "Endereço de e-mail", "contact": "Enviar mensagem", "msg": "Sua mensagem",
           "name": "Seu nome", "comment": "Publicar comentário", "order": "Finalizar pedido",
           "address": "Endereço de entrega", "cart": "Adicionar ao carrinho", "qty": "Quantidade",
           "calc": "Calcular", "amount": "Valor do empréstimo", "rate": "Taxa de juros",
           "lang": "Idioma", "vote": "Votar", "unsub": "Cancelar inscrição",
           "sort": "Ordenar por", "per": "Resultados por página", "filter": "Aplicar filtros",
           "price": "Preço", "lost": "Redefinir senha"},
    "nl": {"search": "Zoeken", "title": "Titel", "author": "Auteur", "login": "Inloggen",
           "user": "Gebruikersnaam", "pass": "Wachtwoord", "register": "Account aanmaken",
           "news": "Inschrijven", "mail": "E-mailadres", "contact": "Bericht versturen",
           "msg": "Uw bericht", "name": "Uw naam", "comment": "Reactie plaatsen",
           "order": "Bestellen", "address": "Afleveradres", "cart": "In winkelwagen",
           "qty": "Aantal", "calc": "Berekenen", "amount": "Leenbedrag", "rate": "Rente",
           "lang": "Taal", "vote": "Stemmen", "unsub": "Uitschrijven", "sort": "Sorteren op",
           "per": "Resultaten per pagina", "filter": "Filters toepassen", "price": "Prijs",
           "lost": "Wachtwoord herstellen"},
    "pl": {"search": "Szukaj", "title": "Tytuł", "author": "Autor", "login": "Zaloguj się",
           "user": "Nazwa użytkownika", "pass": "Hasło", "register": "Załóż konto",
           "news": "Zapisz się", "mail": "Adres e-mail", "contact": "Wyślij wiadomość",
           "msg": "Treść wiadomości", "name": "Imię i nazwisko", "comment": "Dodaj komentarz",
           "order": "Zamawiam", "address": "Adres dostawy", "cart": "Dodaj do koszyka",
           "qty": "Ilość", "calc": "Oblicz", "amount": "Kwota kredytu", "rate": "Oprocentowanie",
           "lang": "Język", "vote": "Głosuj", "unsub": "Wypisz się", "sort": "Sortuj według",
           "per": "Wyników na stronie", "filter": "Zastosuj filtry", "price": "Cena",
           "lost": "Zresetuj hasło"},
    "ru": {"search": "Найти", "title": "Название", "author": "Автор", "login": "Войти",
           "user": "Логин", "pass": "Пароль", "register": "Зарегистрироваться",
           "news": "Подписаться", "mail": "Электронная почта", "contact": "Отправить сообщение",
           "msg": "Ваше сообщение", "name": "Ваше имя", "comment": "Оставить комментарий",
           "order": "Оформить заказ", "address": "Адрес доставки", "cart": "В корзину",
           "qty": "Количество", "calc": "Рассчитать", "amount": "Сумма кредита",
           "rate": "Процентная ставка", "lang": "Язык", "vote": "Голосовать",
           "unsub": "Отписаться", "sort": "Сортировать по", "per": "Показывать по",
           "filter": "Применить фильтры", "price": "Цена", "lost": "Сбросить пароль"},
    "tr": {"search": "Ara", "title": "Başlık", "author": "Yazar", "login": "Giriş yap",
           "user": "Kullanıcı adı", "pass": "Şifre", "register": "Kayıt ol", "news": "Abone ol",
           "mail": "E-posta adresi", "contact": "Mesaj gönder", "msg": "Mesajınız",
           "name": "Adınız", "comment": "Yorum gönder", "order": "Sipariş ver",
           "address": "Teslimat adresi", "cart": "Sepete ekle", "qty": "Adet", "calc": "Hesapla",
           "amount": "Kredi tutarı", "rate": "Faiz oranı", "lang": "Dil", "vote": "Oy ver",
           "unsub": "Abonelikten çık", "sort": "Sırala", "per": "Sayfa başına sonuç",
           "filter": "Filtrele", "price": "Fiyat", "lost": "Şifremi sıfırla"},
    "ja": {"search": "検索", "title": "書名", "author": "著者", "login": "ログイン",
           "user": "ユーザー名", "pass": "パスワード", "register": "会員登録", "news": "購読する",
           "mail": "メールアドレス", "contact": "送信する", "msg": "お問い合わせ内容",
           "name": "お名前", "comment": "コメントを投稿", "order": "注文する",
           "address": "お届け先",
           "cart": "カートに入れる", "qty": "数量", "calc": "計算する", "amount": "借入額",
           "rate": "金利", "lang": "言語", "vote": "投票する", "unsub": "配信停止",
           "sort": "並び替え", "per": "表示件数", "filter": "絞り込む", "price": "価格",
           "lost": "パスワードを再設定"},
    "ar": {"search": "بحث", "title": "العنوان", "author": "المؤلف", "login": "تسجيل الدخول",
           "user": "اسم المستخدم", "pass": "كلمة المرور", "register": "إنشاء حساب",
           "news": "اشترك", "mail": "البريد الإلكتروني", "contact": "إرسال الرسالة",
           "msg": "رسالتك", "name": "اسمك", "comment": "أضف تعليق", "order": "إتمام الطلب",
           "address": "عنوان التوصيل", "cart": "أضف إلى السلة", "qty": "الكمية", "calc": "احسب",
           "amount": "مبلغ القرض", "rate": "سعر الفائدة", "lang": "اللغة", "vote": "صوت",
           "unsub": "إلغاء الاشتراك", "sort": "ترتيب حسب", "per": "عدد النتائج في الصفحة",
           "filter": "تصفية", "price": "السعر", "lost": "إعادة تعيين كلمة المرور"},
}  # fmt: skip

NUMBERS = "<option>10<option>20<option>50"
# Each form twice: with names and addresses that tell something, and with none that do.
SEARCHES = {
    "box": "<form action='/{search}'><input name={q} placeholder='{w[search]}'><button>"
    "{w[search]}</button></form>",
    "box by POST": "<form method=post action='/{search}'><input name={q}><button>{w[search]}"
    "</button></form>",
    "fields": "<form action='/{find}'><label>{w[title]} <input name={t}></label><label>{w[author]} "
    "<input name={a}></label><button>{w[search]}</button></form>",
    "filters": "<form action='/{list}'><label>{w[author]} <select name={a}><option>A. B.<option>"
    "C. D.</select></label><label>{w[price]} <input name={p}></label><label>{w[sort]} <select "
    "name={s}><option>1<option>2</select></label><button>{w[filter]}</button></form>",
}
OTHERS = {
    "login": "<form method=post action='/{login}'><label>{w[user]} <input name={u}></label><label>"
    "{w[pass]} <input type=password name={x}></label><button>{w[login]}</button></form>",
    "register": "<form method=post action='/{join}'><label>{w[name]} <input name={u}></label>"
    "<label>{w[mail]} <input name={m}></label><label>{w[pass]} <input type=password name={x}>"
    "</label><button>{w[register]}</button></form>",
    "lost password": "<form method=post action='/{lost}'><label>{w[mail]} <input name={m}></label>"
    "<button>{w[lost]}</button></form>",
    "newsletter": "<form method=post action='/{join}'><input name={m} placeholder='{w[mail]}'>"
    "<button>{w[news]}</button></form>",
    "newsletter by GET": "<form action='/{join}'><input type=email name={m}><button>{w[news]}"
    "</button></form>",
    "contact": "<form method=post action='/{send}'><label>{w[name]} <input name={u}></label><label>"
    "{w[mail]} <input name={m}></label><label>{w[msg]} <textarea name={c}></textarea></label>"
    "<button>{w[contact]}</button></form>",
    "comment": "<form method=post action='/{post}'><label>{w[name]} <input name={u}></label>"
    "<textarea name={c}></textarea><button>{w[comment]}</button></form>",
    "comment in a line": "<form method=post action='/{post}'><input name={c}><button>{w[comment]}"
    "</button></form>",
    "order": "<form method=post action='/{order}'><label>{w[name]} <input name={u}></label><label>"
    "{w[address]} <input name={d}></label><button>{w[order]}</button></form>",
    "cart": "<form method=post action='/{cart}'><label>{w[qty]} <input name={n} value=1></label>"
    "<button>{w[cart]}</button></form>",
    "calculator": "<form action='/{calc}'><label>{w[amount]} <input name={n}></label><label>"
    "{w[rate]} <input name={r}></label><button>{w[calc]}</button></form>",
    "language": "<form action='/{lang}'><label>{w[lang]} <select name={l}><option value=en>English"
    "<option value=de>Deutsch<option value=fr>Français</select></label></form>",
    "poll": "<form method=post action='/{vote}'><p>?</p><label><input type=radio name={v} value=1>"
    "A</label><label><input type=radio name={v} value=2>B</label><button>{w[vote]}</button></form>",
    "unsubscribe": "<form method=post action='/{leave}'><label>{w[mail]} <input name={m}></label>"
    "<button>{w[unsub]}</button></form>",
    "sorting": "<form action='/{list}'><label>{w[sort]} <select name={s}><option>1<option>2"
    "</select></label></form>",
    "page size": "<form action='/{list}'><label>{w[per]} <select name={k}>" + NUMBERS + "</select>"
    "</label></form>",
}
TELLING = {
    "q": "q", "t": "title", "a": "author", "p": "price", "s": "sort", "u": "name", "x": "password",
    "m": "email", "c": "message", "d": "address", "n": "quantity", "r": "rate", "l": "lang",
    "v": "vote", "k": "perpage", "search": "search", "find": "search", "list": "items",
    "login": "login", "join": "subscribe", "lost": "lostpassword", "send": "contact",
    "post": "comment", "order": "checkout", "cart": "cart", "calc": "mortgage", "lang": "language",
    "vote": "poll", "leave": "unsubscribe",
}  # fmt: skip
SILENT = {key: "x" if len(key) > 1 else f"f{i}" for i, key in enumerate(TELLING)}


def purpose_forms() -> dict[tuple[str, str, str], tuple[str, bool]]:
    """(language, purpose, telling or silent) -> html, whether it is searched with."""
    found = {}
    for language, words in WORDS.items():
        for manner, names in (("telling", TELLING), ("silent", SILENT)):
            for searched, forms in ((True, SEARCHES), (False, OTHERS)):
                for purpose, html in forms.items():
                    key = (language, purpose, manner)
                    found[key] = (html.format(w=words, **names), searched)
    return found
