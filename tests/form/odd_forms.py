"""Forms as pages of many kinds, ages and languages write them, with what a person calls each field.

Key of an expected label: the field's name, or 'name=value' for one box of a group. An
empty label says that no text names the field: it must not take one that belongs to another.
"""

from __future__ import annotations

BOOT = "display:block;width:300px;height:34px;border:1px solid #ccc;padding:6px 12px"
FLOAT = "position:absolute;left:12px;top:14px;color:#777;pointer-events:none"
ROW = "display:flex;align-items:center;gap:12px;margin-bottom:12px"
GRID = "display:grid;grid-template-columns:140px 240px;gap:8px"
HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"

ODD_FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "floating labels after the fields": (
        f"""<form><div style="position:relative;height:56px"><input name=a placeholder=" "
        style="{BOOT};height:56px"><span style="{FLOAT}">Full title</span></div>
        <div style="position:relative;height:56px;margin-top:16px"><input name=b placeholder=" "
        style="{BOOT};height:56px"><span style="{FLOAT}">Publisher</span></div>
        <button>Search</button></form>""",
        {"a": "Full title", "b": "Publisher"},
    ),
    "floated small captions on the border": (
        """<form><div style="position:relative;width:300px;margin:20px 0"><span
        style="position:absolute;top:-9px;left:10px;font-size:12px;background:#fff">Città</span>
        <input name=a style="width:300px;height:48px"></div>
        <div style="position:relative;width:300px;margin:20px 0"><span
        style="position:absolute;top:-9px;left:10px;font-size:12px;background:#fff">Provincia</span>
        <input name=b style="width:300px;height:48px"></div><button>Cerca</button></form>""",
        {"a": "Città", "b": "Provincia"},
    ),
    "label cells at the right edge": (
        """<form><table width=700><tr><td width=300 align=right>Autor:<td><input name=a></tr>
        <tr><td align=right>Titel:<td><input name=b></tr><tr><td align=right>Jahr:<td>
        <input name=c size=4></tr></table><input type=submit value=Suchen></form>""",
        {"a": "Autor", "b": "Titel", "c": "Jahr"},
    ),
    "four columns: label, field, label, field": (
        """<form><table><tr><td>Nom<td><input name=a><td>Prénom<td><input name=b></tr>
        <tr><td>Ville<td><input name=c><td>Pays<td><select name=d><option>France
        <option>Suisse</select></tr></table><input type=submit value=Chercher></form>""",
        {"a": "Nom", "b": "Prénom", "c": "Ville", "d": "Pays"},
    ),
    "rows of captions over rows of fields": (
        """<form><table><tr><td>Make<td>Model<td>Price up to</tr><tr><td><select name=a><option>Audi
        <option>BMW</select><td><select name=b><option>A3<option>A4</select><td><input name=c></tr>
        <tr><td>Fuel<td>Gearbox<td>Colour</tr><tr><td><input name=d><td><input name=e><td>
        <input name=f></tr></table><button>Show cars</button></form>""",
        {"a": "Make", "b": "Model", "c": "Price up to", "d": "Fuel", "e": "Gearbox", "f": "Colour"},
    ),
    "rows of captions below rows of fields": (
        """<form><table cellspacing=6><tr><td><input name=a><td><input name=b></tr>
        <tr><td>First name<td>Last name</tr><tr><td><input name=c><td><input name=d></tr>
        <tr><td>City<td>Postcode</tr></table><button>Find person</button></form>""",
        {"a": "First name", "b": "Last name", "c": "City", "d": "Postcode"},
    ),
    "captions below one row only": (
        """<form><table><tr><td><input name=a size=12><td><input name=b size=12><td>
        <input name=c size=12></tr><tr><td><small>Surname</small><td><small>Forename</small><td>
        <small>Parish</small></tr></table><button>Search records</button></form>""",
        {"a": "Surname", "b": "Forename", "c": "Parish"},
    ),
    "entry grid with row and column heads": (
        """<form><table border=1><tr><th><th>Boolean<th>Field<th>Term</tr><tr><th>1<td>
        <select name=a><option>AND<option>OR</select><td><select name=b><option>Title<option>Author
        </select><td><input name=c></tr><tr><th>2<td><select name=d><option>AND<option>OR</select>
        <td><select name=e><option>Title<option>Author</select><td><input name=f></tr></table>
        <button>Search</button></form>""",
        {"a": "Boolean", "b": "Field", "c": "Term", "d": "Boolean", "e": "Field", "f": "Term"},
    ),
    "labels behind the fields": (
        """<form><div><input name=a> Titre</div><div><input name=b> Auteur</div><div><input name=c>
        Éditeur</div><div><input name=d> Année</div><button>Rechercher</button></form>""",
        {"a": "Titre", "b": "Auteur", "c": "Éditeur", "d": "Année"},
    ),
    "units behind the fields": (
        """<form><p>Height <input name=a size=4> cm</p><p>Weight <input name=b size=4> kg</p>
        <p>Speed <input name=c size=4> km/h</p><button>Find</button></form>""",
        {"a": "Height", "b": "Weight", "c": "Speed"},
    ),
    "unit tiles and currency signs": (
        f"""<form><div style="{ROW}"><span>Rent</span><span style="border:1px solid">€</span>
        <input name=a><span>/ month</span></div><div style="{ROW}"><span>Size</span>
        <input name=b><span style="border:1px
        solid">m²</span></div><button>Search</button></form>""",
        {"a": "Rent", "b": "Size"},
    ),
    "required marks apart from the label": (
        """<form><table><tr><td>Surname<td style="color:red">*<td><input name=a></tr><tr><td>Given
        name<td style="color:red">*<td><input name=b></tr><tr><td>Parish<td><td><input name=c></tr>
        </table><p>* = required</p><button>Search</button></form>""",
        {"a": "Surname", "b": "Given name", "c": "Parish"},
    ),
    "hints below each field": (
        """<form><div>ISBN</div><input name=a><div style="font-size:11px;color:#888">10 or 13
        digits,
        with or without dashes</div><div>Shelf mark</div><input name=b><div
        style="font-size:11px;color:#888">as printed on the spine</div><div>Keyword</div>
        <input name=c><div style="font-size:11px;color:#888">any
        word</div><button>Go</button></form>""",
        {"a": "ISBN", "b": "Shelf mark", "c": "Keyword"},
    ),
    "errors above the fields": (
        """<form><div>Datum</div><div style="color:red">Bitte geben Sie ein Datum ein.</div>
        <input name=a><div>Ort</div><div style="color:red">Dieses Feld ist erforderlich.</div>
        <input name=b><button>Suchen</button></form>""",
        {"a": "Datum", "b": "Ort"},
    ),
    "help links between label and field": (
        """<form><table><tr><td>Call number <a href=#h1>[?]</a><td><input name=a></tr><tr><td>
        Language <a href=#h2>(?)</a><td><select name=b><option>Czech<option>Dutch</select></tr>
        </table><button>Search</button></form>""",
        {"a": "Call number", "b": "Language"},
    ),
    "right to left by the body": (
        """<body dir=rtl><form><p>العنوان <input name=a> المؤلف <input name=b></p><p>الناشر
        <input name=c> السنة <input name=d></p><button>بحث</button></form></body>""",
        {"a": "العنوان", "b": "المؤلف", "c": "الناشر", "d": "السنة"},
    ),
    "right to left by the form, in a table": (
        """<form dir=rtl><table><tr><td>שם הספר:<td><input name=a><td>מחבר:<td><input name=b></tr>
        <tr><td>הוצאה:<td><input name=c><td>שנה:<td><input name=d></tr></table>
        <button>חיפוש</button></form>""",
        {"a": "שם הספר", "b": "מחבר", "c": "הוצאה", "d": "שנה"},
    ),
    "right to left boxes": (
        """<body dir=rtl><form><p>نوع سند</p><input type=checkbox name=t value=1> کتاب
        <input type=checkbox name=t value=2> مجله <input type=checkbox name=t value=3> پایان‌نامه
        <p>عبارت</p><input name=q><button>جستجو</button></form></body>""",
        {"t": "نوع سند", "t=1": "کتاب", "t=2": "مجله", "t=3": "پایان‌نامه", "q": "عبارت"},
    ),
    "Japanese two-line table": (
        """<form><table><tr><th>駅名<td><input name=a></tr><tr><th>家賃<td><select name=b><option
        value="">下限なし<option value=5>5万円</select>～<select name=c><option value="">上限なし
        <option value=9>9万円</select></tr><tr><th>間取り<td><input type=checkbox name=m value=1>1K
        <input type=checkbox name=m value=2>1DK</tr></table><button>検索</button></form>""",
        {"a": "駅名", "b": "家賃", "c": "家賃", "m": "間取り", "m=1": "1K", "m=2": "1DK"},
    ),
    "Chinese inline filter": (
        """<form>城市：<input name=a size=8> 区域：<input name=b size=8> 价格：<input name=c size=8>
        <button>搜索</button></form>""",
        {"a": "城市", "b": "区域", "c": "价格"},
    ),
    "Korean definition list": (
        """<form><dl><dt>도서명</dt><dd><input name=a></dd><dt>저자</dt><dd><input name=b></dd>
        <dt>출판사</dt><dd><input name=c></dd></dl><button>검색</button></form>""",
        {"a": "도서명", "b": "저자", "c": "출판사"},
    ),
    "definition list laid out in a grid": (
        f"""<form><dl style="{GRID}"><dt>Κατηγορία<dd style="margin:0"><input name=a><dt>Περιοχή<dd
        style="margin:0"><input name=b></dl><button>Αναζήτηση</button></form>""",
        {"a": "Κατηγορία", "b": "Περιοχή"},
    ),
    "images as labels": (
        """<form><table><tr><td><img alt="Departure" width=90 height=20><td><input name=a></tr>
        <tr><td><img alt="Arrival" width=90 height=20><td><input name=b></tr></table>
        <input type=image alt=Search width=60 height=20></form>""",
        {"a": "Departure", "b": "Arrival"},
    ),
    "an icon beside each label": (
        f"""<form><div style="{ROW}"><img alt="" width=16 height=16><span>Airport</span>
        <input name=a></div><div style="{ROW}"><img alt="calendar" width=16 height=16>
        <span>Day</span><input name=b></div><button>Search</button></form>""",
        {"a": "Airport", "b": "Day"},
    ),
    "fieldset with several fields": (
        """<form><fieldset><legend>Sender</legend>Street <input name=a><br>Town <input name=b>
        </fieldset><fieldset><legend>Receiver</legend>Street <input name=c><br>Town <input name=d>
        </fieldset><button>Find</button></form>""",
        {"a": "Street", "b": "Town", "c": "Street", "d": "Town"},
    ),
    "fieldset around one field": (
        """<form><fieldset><legend>Species</legend><input name=a></fieldset><fieldset>
        <legend>Habitat</legend><select name=b><option>Forest<option>Marsh</select></fieldset>
        <button>Search</button></form>""",
        {"a": "Species", "b": "Habitat"},
    ),
    "radio groups with bold questions": (
        """<form><b>Format</b><br><input type=radio name=f value=1> CD <input type=radio name=f
        value=2> LP<br><b>Condition</b><br><input type=radio name=c value=1> New
        <input type=radio name=c value=2> Used<br><button>Search</button></form>""",
        {"f": "Format", "f=1": "CD", "f=2": "LP", "c": "Condition", "c=1": "New", "c=2": "Used"},
    ),
    "labels before the boxes": (
        """<form><p><b>Delivery</b></p><p>Post <input type=radio name=d value=1> &nbsp; Courier
        <input type=radio name=d value=2> &nbsp; Pick-up <input type=radio name=d value=3></p>
        <button>Find</button></form>""",
        {"d=1": "Post", "d=2": "Courier", "d=3": "Pick-up"},
    ),
    "labels above the boxes": (
        """<form><table><tr><td>Question<td align=center>Yes<td align=center>No<td align=center>
        Any</tr><tr><td>Illustrated<td align=center><input type=radio name=i value=1><td
        align=center><input type=radio name=i value=2><td align=center><input type=radio name=i
        value=3></tr><tr><td>In print<td align=center><input type=radio name=p value=1><td
        align=center><input type=radio name=p value=2><td align=center><input type=radio name=p
        value=3></tr></table><button>Search</button></form>""",
        {
            "i": "Illustrated",
            "i=1": "Yes",
            "i=2": "No",
            "i=3": "Any",
            "p": "In print",
            "p=1": "Yes",
            "p=2": "No",
            "p=3": "Any",
        },
    ),
    "boxes in two columns": (
        """<form><p>Facilities</p><table><tr><td><input type=checkbox name=w value=1> Pool<td>
        <input type=checkbox name=w value=2> Sauna</tr><tr><td><input type=checkbox name=w value=3>
        Parking<td><input type=checkbox name=w value=4> Pets allowed</tr></table>
        <button>Search hotels</button></form>""",
        {"w": "Facilities", "w=1": "Pool", "w=2": "Sauna", "w=3": "Parking", "w=4": "Pets allowed"},
    ),
    "a box that has its price beside it": (
        """<form><div><input type=checkbox name=k value=1> <span>Breakfast</span>
        <span style="float:right">+ 12 €</span></div><div><input type=checkbox name=l value=1>
        <span>Late check-out</span> <span style="float:right">+ 20 €</span></div>
        <button>Search</button></form>""",
        {"k": "Breakfast", "l": "Late check-out"},
    ),
    "aria-labelledby to nothing": (
        """<form><div id=h1>Composer</div><input name=a aria-labelledby=missing><div>Key</div>
        <input name=b aria-labelledby=gone><button>Search</button></form>""",
        {"a": "Composer", "b": "Key"},
    ),
    "aria-labelledby to the heading for all": (
        """<form><h3 id=t>Search the archive</h3><div>Reel <input name=a aria-labelledby=t></div>
        <div>Frame <input name=b aria-labelledby=t></div><button>Search</button></form>""",
        {"a": "Reel", "b": "Frame"},
    ),
    "the same aria-label everywhere": (
        """<form><div>From <input name=a aria-label="text field"></div><div>To
        <input name=b aria-label="text field"></div><div>Via <input name=c aria-label="text field">
        </div><button>Search</button></form>""",
        {"a": "From", "b": "To", "c": "Via"},
    ),
    "for attributes one row off": (
        """<form><table><tr><td><label for=b1>Genus</label><td><input id=a1 name=a></tr><tr><td>
        <label for=c1>Family</label><td><input id=b1 name=b></tr><tr><td><label for=a1>Order</label>
        <td><input id=c1 name=c></tr></table><button>Search</button></form>""",
        {"a": "Genus", "b": "Family", "c": "Order"},
    ),
    "every for names the first field": (
        """<form><div><label for=x1>Region</label> <input id=x1 name=a></div><div><label
        for=x1>Vintage
        </label> <input id=x2 name=b></div><div><label for=x1>Grape</label> <input id=x3 name=c>
        </div><button>Search</button></form>""",
        {"a": "Region", "b": "Vintage", "c": "Grape"},
    ),
    "marked up captions below two rows": (
        """<form><table><tr><td><input id=r1 name=a><td><input id=r2 name=b></tr><tr><td><label
        for=r1>Titre</label><td><label for=r2>Auteur</label></tr><tr><td><input id=r3 name=c><td>
        <input id=r4 name=d></tr><tr><td><label for=r3>Éditeur</label><td><label for=r4>Année
        </label></tr></table><button>Rechercher</button></form>""",
        {"a": "Titre", "b": "Auteur", "c": "Éditeur", "d": "Année"},
    ),
    "for by name instead of id": (
        """<form><p><label for=a>Sammlung</label><br><input name=a></p><p><label for=b>Signatur
        </label><br><input name=b></p><button>Suchen</button></form>""",
        {"a": "Sammlung", "b": "Signatur"},
    ),
    "two forms side by side": (
        """<div style="display:flex;gap:30px"><form style="width:240px"><div>Rental from</div>
        <input name=a><div>Rental until</div><input name=b><button>Search</button></form>
        <form style="width:240px"><div>Flight number</div><input name=c><div>Flight date</div>
        <input name=d><button>Search</button></form></div>""",
        {"a": "Rental", "b": "Rental", "c": "Flight number", "d": "Flight date"},
    ),
    "two columns of stacked labels": (
        """<form><div style="display:grid;grid-template-columns:1fr 1fr;gap:20px;width:600px"><div>
        <div>Vorname</div><input name=a style="width:100%"></div><div><div>Nachname</div><input
        name=b style="width:100%"></div><div><div>Straße</div><input name=c
        style="width:100%"></div>
        <div><div>Hausnummer</div><input name=d
        style="width:100%"></div></div><button>Suchen</button>
        </form>""",
        {"a": "Vorname", "b": "Nachname", "c": "Straße", "d": "Hausnummer"},
    ),
    "grid whose source order is columns": (
        """<form><div style="display:grid;grid-template-columns:120px 220px;grid-auto-flow:column;
        grid-template-rows:repeat(3,32px);gap:6px"><span>Rzeka</span><span>Powiat</span>
        <span>Gmina</span><input name=a><input name=b><input name=c></div><button>Szukaj</button>
        </form>""",
        {"a": "Rzeka", "b": "Powiat", "c": "Gmina"},
    ),
    "grid that turns the order round": (
        f"""<form><div style="{GRID}"><input name=a style="order:2"><span
        style="order:1">Artist</span>
        </div><div style="{GRID};margin-top:8px"><input name=b style="order:2"><span
        style="order:1">
        Album</span></div><div style="{GRID};margin-top:8px"><input name=c style="order:2"><span
        style="order:1">Label code</span></div><button>Search</button></form>""",
        {"a": "Artist", "b": "Album", "c": "Label code"},
    ),
    "one line of selects": (
        """<form style="white-space:nowrap">Show <select name=a><option>films<option>series</select>
        from <select name=b><option>Italy<option>Spain</select> made in <select name=c><option>1990
        <option>2000</select> <button>Show</button></form>""",
        {"a": "Show", "b": "from", "c": "made in"},
    ),
    "captions in the lists": (
        """<form><select name=a><option value="">Alle Regionen<option>Nord<option>Süd</select>
        <select name=b><option value="">Alle Branchen<option>Bau<option>Handel</select>
        <select name=c><option value="">Beliebiger Umkreis<option>10 km<option>20 km</select>
        <button>Finden</button></form>""",
        {"a": "Regionen", "b": "Branchen", "c": "Umkreis"},
    ),
    "placeholders under a slogan": (
        """<div><h2>Find your next home in minutes!</h2><form><input name=a
        placeholder="Town or postcode"> <input name=b placeholder="Max. rent">
        <button>Search</button>
        </form></div>""",
        {"a": "Town or postcode", "b": "Max. rent"},
    ),
    "hidden labels and icons": (
        f"""<form><span style="{HIDDEN}"><label for=k7>Palabra clave</label></span><input id=k7
        name=a>
        <span style="{HIDDEN}"><label for=k8>Provincia</label></span><select id=k8 name=b>
        <option>Soria<option>Jaén</select><button>Buscar</button></form>""",
        {"a": "Palabra clave", "b": "Provincia"},
    ),
    "numbered questions": (
        """<form><ol><li>Name of the ship<br><input name=a></li><li>Port of arrival<br>
        <input name=b></li><li>Year<br><input name=c
        size=4></li></ol><button>Search</button></form>""",
        {"a": "Name of the ship", "b": "Port of arrival", "c": "Year"},
    ),
    "label and field in unequal rows": (
        """<form><table><tr><td rowspan=2 valign=top>Place<td><input name=a>
        <small>town</small></tr>
        <tr><td><input name=b> <small>county</small></tr><tr><td>Date<td><input name=c></tr></table>
        <button>Search</button></form>""",
        {"c": "Date"},
    ),
    "a table inside each cell": (
        """<form><table><tr><td><table><tr><td>Marke</tr></table><td><table><tr><td><input
        name=a></tr>
        </table></tr><tr><td><table><tr><td>Modell</tr></table><td><table><tr><td><input
        name=b></tr>
        </table></tr></table><button>Suchen</button></form>""",
        {"a": "Marke", "b": "Modell"},
    ),
    "spacer cells and images": (
        """<form><table cellpadding=0><tr><td>Stad<td><img src=x.gif alt="" width=10 height=1><td>
        <input name=a></tr><tr><td colspan=3 height=8></tr><tr><td>Straat<td><img src=x.gif alt=""
        width=10 height=1><td><input name=b></tr></table><button>Zoeken</button></form>""",
        {"a": "Stad", "b": "Straat"},
    ),
    "dotted leaders": (
        """<form><pre>Title ........ <input name=a>
Author ....... <input name=b>
Subject ...... <input name=c></pre><button>Search</button></form>""",
        {"a": "Title", "b": "Author", "c": "Subject"},
    ),
    "fonts of the nineties": (
        """<form><font face=Arial size=2><b>Titolo</b></font><br><input name=a><br><font face=Arial
        size=2><b>Regista</b></font><br><input name=b><br><font size=1>(cognome, nome)</font><br>
        <input type=submit value=Cerca></form>""",
        {"a": "Titolo", "b": "Regista"},
    ),
    "date in three boxes": (
        """<form>Fecha de nacimiento <input name=a size=2 placeholder=dd> / <input name=b size=2
        placeholder=mm> / <input name=c size=4 placeholder=aaaa><br>Apellido <input name=d>
        <button>Buscar</button></form>""",
        {
            "a": "Fecha de nacimiento",
            "b": "Fecha de nacimiento",
            "c": "Fecha de nacimiento",
            "d": "Apellido",
        },
    ),
    "range in two cells": (
        """<form><table><tr><td>Baujahr<td>von <input name=a size=4><td>bis <input name=b
        size=4></tr>
        <tr><td>Preis<td>von <input name=c size=6><td>bis <input name=d size=6></tr></table>
        <button>Suchen</button></form>""",
        {"a": "Baujahr", "b": "Baujahr", "c": "Preis", "d": "Preis"},
    ),
    "range under its own label": (
        """<form><div>Surface</div><input name=a placeholder="min"> <input name=b placeholder="max">
        <div>Loyer</div><input name=c placeholder="min"> <input name=d placeholder="max">
        <button>Rechercher</button></form>""",
        {"a": "Surface", "b": "Surface", "c": "Loyer", "d": "Loyer"},
    ),
    "field chosen by a list before it": (
        """<form><table><tr><td><select name=a><option>Any field<option>Title<option>Author</select>
        <td><input name=b></tr></table><button>Search</button></form>""",
        {"b": ""},
    ),
    "sidebar filter headings": (
        """<form><h4>Genre</h4><ul><li><input type=checkbox name=g value=1> Drama (12)<li><input
        type=checkbox name=g value=2> Crime (7)</ul><h4>Country</h4><ul><li><input type=checkbox
        name=c value=1> Norway (3)<li><input type=checkbox name=c value=2> Peru (5)</ul>
        <button>Apply</button></form>""",
        {"g": "Genre", "c": "Country"},
    ),
    "tabs over the form": (
        """<ul style="display:flex;gap:20px;list-style:none"><li><a href=#f>Flights</a><li><a
        href=#h>
        Hotels</a><li><a href=#c>Cars</a></ul><form><input name=a placeholder="Departure
        airport"><input
        name=b placeholder="Destination"><button>Search</button></form>""",
        {"a": "Departure airport", "b": "Destination"},
    ),
    "right-aligned labels far from short fields": (
        """<form style="width:900px"><div style="display:flex"><span
        style="width:300px">Title</span>
        <input name=a></div><div style="display:flex"><span style="width:300px">Author</span>
        <input name=b></div><div style="display:flex"><span style="width:300px">Year of publication
        </span><input name=c></div><button>Search</button></form>""",
        {"a": "Title", "b": "Author", "c": "Year of publication"},
    ),
    "colon labels in one paragraph": (
        """<form><p>Imię: <input name=a> Nazwisko: <input name=b> Miasto: <input name=c> Kod:
        <input name=d></p><button>Szukaj</button></form>""",
        {"a": "Imię", "b": "Nazwisko", "c": "Miasto", "d": "Kod"},
    ),
    "two halves of a page": (
        """<form><div style="float:left;width:45%"><p>Title<br><input name=a></p><p>Series<br>
        <input name=b></p></div><div style="float:right;width:45%"><p>Editor<br><input name=c></p>
        <p>Edition<br><input name=d></p></div><div style="clear:both"><button>Search</button></div>
        </form>""",
        {"a": "Title", "b": "Series", "c": "Editor", "d": "Edition"},
    ),
    "legend as the question, hint behind it": (
        """<form><fieldset><legend>Zustand <small>(mehrere möglich)</small></legend><label><input
        type=checkbox name=z value=1>neu</label><label><input type=checkbox name=z value=2>gebraucht
        </label></fieldset><button>Suchen</button></form>""",
        {"z=1": "neu", "z=2": "gebraucht"},
    ),
    "a question in a cell that spans the boxes' rows": (
        """<form><table><tr><td rowspan=3>Size<td><input type=radio name=s
        value=1>Small</tr><tr><td>
        <input type=radio name=s value=2>Medium</tr><tr><td><input type=radio name=s value=3>Large
        </tr></table><button>Search</button></form>""",
        {"s": "Size", "s=1": "Small", "s=2": "Medium", "s=3": "Large"},
    ),
    "Thai form": (
        """<form><div>จังหวัด</div><input name=a><div>ประเภท</div><select name=b><option>บ้าน
        <option>คอนโด</select><button>ค้นหา</button></form>""",
        {"a": "จังหวัด", "b": "ประเภท"},
    ),
    "Hindi table": (
        """<form><table><tr><td>नाम<td><input name=a></tr><tr><td>ज़िला<td><input
        name=b></tr></table>
        <button>खोजें</button></form>""",
        {"a": "नाम", "b": "ज़िला"},
    ),
    "Vietnamese labels above in columns": (
        """<form style="display:flex;gap:24px"><div>Điểm đi<br><input name=a></div><div>Điểm đến<br>
        <input name=b></div><div>Ngày đi<br><input name=c></div><button>Tìm kiếm</button></form>""",
        {"a": "Điểm đi", "b": "Điểm đến", "c": "Ngày đi"},
    ),
}
