"""Worksheets in other languages than English: one from each language pack of Moodle 4.5, as Moodle puts it together.

Moodle reads back the columns `recordid`, `gradenoun` and `lastmodifiedgrade`, and cuts off as much of the identifier as
`hiddenuser` is long (mod/assign/feedback/offline/importgradeslib.php).
"""

import csv
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest

from grader.class_files.roster import read_roster
from grader.model.submission import StudentIdentity
from grader.platforms.platform import ExportError
from grader.plugins.platforms.moodle.exports import moodle_feedback, moodle_worksheet
from grader.plugins.platforms.moodle.worksheet_words import languages
from grader.plugins.platforms.shared.gradebook_file import read_gradebook_file
from tests import ROOT
from tests.grading.hidden_example import CLASS, LATE

# hiddenuser; recordid, fullname, email, idnumber, username, gradenoun, maxgrade, lastmodifiedgrade; the comments.
PACKS = {
    "Basque": [
        "Partaidea",
        "Identifikatzailea",
        "Izen osoa",
        "Helbide elektronikoa",
        "ID zenbakia",
        "Erabiltzaile-izena",
        "Kalifikazioa",
        "Gehieneko kalifikazioa",
        "Azken aldaketa (kalifikazioa)",
        "Feedback-iruzkinak",
    ],
    "Catalan": [
        "Participant",
        "Identificador",
        "Nom complet",
        "Adreça electrònica",
        "Número ID",
        "Nom d'usuari",
        "Qualificació",
        "Qualificació màxima",
        "Darrera modificació (qualificació)",
        "Comentaris de retroacció.",
    ],
    "Chinese": [
        "参与人",
        "标识符",
        "全名",
        "电子邮件地址",
        "学号",
        "用户名",
        "成绩",
        "最高分",
        "上次修改（评分）",
        "反馈意见",
    ],
    "Dutch": [
        "Deelnemer",
        "Identificatie",
        "Volledige naam",
        "E-mailadres",
        "Nummer (ID)",
        "Gebruikersnaam",
        "Cijfer",
        "Maximaal cijfer",
        "Laatst gewijzigd (beoordeling)",
        "Feedback tekstvak",
    ],
    "French": [
        "Participant",
        "Identifiant",
        "Nom complet",
        "Adresse de courriel",
        "Numéro d’identification",
        "Nom d’utilisateur",
        "Note",
        "Note maximale",
        "Dernière modification (note)",
        "Feedback par commentaires",
    ],
    "Galician": [
        "Participante",
        "Identificador",
        "Nome completo",
        "Enderezo de correo",
        "Número ID",
        "Nome de usuario",
        "Cualificación",
        "Cualificación máxima",
        "Última modificación (cualificación)",
        "Comentarios",
    ],
    "German": [
        "Teilnehmer/in",
        "ID",
        "Vollständiger Name",
        "E-Mail-Adresse",
        "ID-Nummer",
        "Anmeldename",
        "Bewertung",
        "Bestwertung",
        "Zuletzt geändert (Bewertung)",
        "Feedback als Kommentar",
    ],
    "Greek": [
        "Συμμετέχων",
        "Αναγνωριστικό",
        "Πλήρες όνομα",
        "Διεύθυνση ηλε.ταχυδρομείου",
        "Αναγνωριστικός αριθμός",
        "Όνομα χρήστη",
        "Βαθμός",
        "Μέγιστος Βαθμός",
        "Τελευταία τροποποίηση (βαθμολόγηση)",
        "Σχόλια ανατροφοδότησης",
    ],
    "Italian": [
        "Partecipante",
        "Identificativo",
        "Nome",
        "Indirizzo email",
        "Codice identificativo",
        "Username",
        "Valutazione",
        "Valutazione massima",
        "Ultima modifica (valutazione)",
        "Commenti",
    ],
    "Japanese": [
        "参加者",
        "ID",
        "フルネーム",
        "メールアドレス",
        "IDナンバ",
        "ユーザ名",
        "評点",
        "最大評点",
        "最終更新日時 (評定)",
        "フィードバックコメント",
    ],
    "Korean": [
        "참가자",
        "식별자",
        "전체 이름",
        "이메일 주소",
        "id 번호",
        "사용자 아이디",
        "성적",
        "최대 성적",
        "마지막 수정됨(성적)",
        "피드백 코멘트",
    ],
    "Portuguese": [
        "Participante",
        "Identificador",
        "Nome completo",
        "E-mail",
        "Número de identificação (ID)",
        "Nome de utilizador",
        "Avaliação",
        "Nota máxima",
        "Última atualização (avaliação)",
        "Comentários de feedback",
    ],
    "Romanian": [
        "Participant",
        "Identificator",
        "Nume complet",
        "Adresa de e-mail",
        "Număr ID",
        "Nume de utilizator",
        "Notă",
        "Notă maximă",
        "Ultima modificare (nota)",
        "Comentarii de feedback",
    ],
    "Russian": [
        "Участник",
        "Идентификатор",
        "Полное имя",
        "Адрес электронной почты",
        "Индивидуальный номер",
        "Логин",
        "Оценка",
        "Максимальная оценка",
        "Последнее изменение (оценка)",
        "Отзыв в виде комментария",
    ],
    "Spanish": [
        "Participante",
        "Identificador",
        "Nombre completo",
        "Dirección de correo",
        "Número de ID",
        "Nombre de usuario",
        "Calificación",
        "Calificación máxima",
        "Última modificación (calificación)",
        "Comentarios de retroalimentación",
    ],
    "Swedish": [
        "Deltagare",
        "Identifierare",
        "Fullständigt namn",
        "E-postadress",
        "ID nummer",
        "Användarnamn",
        "Betyg",
        "Maxbetyg",
        "Senast modifierat (betyg)",
        "Återkopplingskommentarer",
    ],
    "Turkish": [
        "Katılımcı",
        "Tanımlayıcı",
        "Tam adı",
        "E-posta adresi",
        "ID numarası",
        "Kullanıcı adı",
        "Not",
        "Enyüksek not",
        "Son düzenleme (not)",
        "Geri bildirim yorumları",
    ],
    "Ukrainian": [
        "Учасник",
        "Ідентифікатор",
        "Повна назва",
        "Електронна пошта",
        "Індивідуальний номер",
        "Ім’я входу",
        "Оцінка",
        "Максимальна оцінка",
        "Востаннє змінювалося (оцінка)",
        "Відгук - коментарем",
    ],
}


def worksheet(language: str, separator: str = ",") -> str:
    participant, *header = PACKS[language]
    row = [f"{participant}301", LATE.student, "lee@example.org", "z99", "lee", "", "4,00", "-", ""]
    text = StringIO()
    csv.writer(text, delimiter=separator).writerows([header, row])
    return text.getvalue()


def test_every_language_has_a_sheet_here() -> None:
    assert {*languages()} == {*PACKS, "English"}
    page = (ROOT / "docs" / "reference" / "platforms.md").read_text()
    assert not [language for language in languages() if language not in page]


@pytest.mark.parametrize("language", PACKS)
def test_moodle_reads_what_is_filled_in(language: str) -> None:
    participant, identifier, _, _, _, _, grade, _, modified, comments = PACKS[language]
    exported = moodle_worksheet(CLASS, read_gradebook_file(worksheet(language).encode("utf-8-sig"), "sheet.csv"))
    (row,) = csv.DictReader(StringIO(exported.files["moodle.csv"].decode("utf-8-sig"), newline=""))
    assert row[identifier][len(participant) :] == "301"
    assert (row[modified], Decimal(row[grade].replace(",", "."))) == ("-", Decimal("3.6"))
    assert row[comments].startswith("Mark: 3.6 of 4. ")
    assert exported.students == {LATE.student}


@pytest.mark.parametrize("language", PACKS)
def test_feedback_and_roster(language: str, tmp_path: Path) -> None:
    sheet = read_gradebook_file(worksheet(language, ";").encode(), "sheet.csv")
    assert moodle_feedback(CLASS, sheet).students == {LATE.student}
    (tmp_path / "roster.csv").write_text(worksheet(language, ";"), newline="")
    assert dict(read_roster(tmp_path / "roster.csv").students) == {
        "z99": StudentIdentity(name=LATE.student, id="z99", email="lee@example.org", login="lee", moodle="301")
    }


def test_the_apostrophe_of_keyboards_is_the_same() -> None:
    sheet = read_gradebook_file(worksheet("French").replace("’", "'").replace(LATE.student, "?").encode(), "sheet.csv")
    assert (
        f"{LATE.student}: is not in the sheet; add an id, email address or name from there to roster.csv"
        in moodle_worksheet(CLASS, sheet).left_out
    )
    known = read_gradebook_file(worksheet("French").replace("’", "'").encode(), "sheet.csv")
    assert moodle_worksheet(CLASS, known).students == {LATE.student}


def test_the_maximum_is_checked_in_each_language() -> None:
    sheet = read_gradebook_file(worksheet("German").replace("4,00", "100,00").encode(), "sheet.csv")
    with pytest.raises(ExportError, match=r"maximum grade in Moodle is 100,00, .* are 4"):
        moodle_worksheet(CLASS, sheet)
