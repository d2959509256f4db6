"""The words of Moodle's grading worksheet, in the known languages.

They come from the language packs of Moodle 4.5: `recordid` and `maxgrade` of mod_assign; `gradenoun`, `fullname`,
`email`, `idnumber` and `username` of core; the name of assignfeedback_comments. A teacher's worksheet is in the
language that the teacher has set, and Moodle only reads it back in that language.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache

# The words in the order of the fields.
_WORDS = {
    "English": "Identifier | Grade | Maximum grade | Feedback comments | "
    "Full name | Email address | ID number | Username",
    "Basque": "Identifikatzailea | Kalifikazioa | Gehieneko kalifikazioa | Feedback-iruzkinak | "
    "Izen osoa | Helbide elektronikoa | ID zenbakia | Erabiltzaile-izena",
    "Catalan": "Identificador | Qualificació | Qualificació màxima | Comentaris de retroacció. | "
    "Nom complet | Adreça electrònica | Número ID | Nom d'usuari",
    "Chinese": "标识符 | 成绩 | 最高分 | 反馈意见 | 全名 | 电子邮件地址 | 学号 | 用户名",
    "Dutch": "Identificatie | Cijfer | Maximaal cijfer | Feedback tekstvak | "
    "Volledige naam | E-mailadres | Nummer (ID) | Gebruikersnaam",
    "French": "Identifiant | Note | Note maximale | Feedback par commentaires | "
    "Nom complet | Adresse de courriel | Numéro d’identification | Nom d’utilisateur",
    "Galician": "Identificador | Cualificación | Cualificación máxima | Comentarios | "
    "Nome completo | Enderezo de correo | Número ID | Nome de usuario",
    "German": "ID | Bewertung | Bestwertung | Feedback als Kommentar | "
    "Vollständiger Name | E-Mail-Adresse | ID-Nummer | Anmeldename",
    "Greek": "Αναγνωριστικό | Βαθμός | Μέγιστος Βαθμός | Σχόλια ανατροφοδότησης | "
    "Πλήρες όνομα | Διεύθυνση ηλε.ταχυδρομείου | Αναγνωριστικός αριθμός | Όνομα χρήστη",
    "Italian": "Identificativo | Valutazione | Valutazione massima | Commenti | "
    "Nome | Indirizzo email | Codice identificativo | Username",
    "Japanese": "ID | 評点 | 最大評点 | フィードバックコメント | フルネーム | メールアドレス | IDナンバ | ユーザ名",
    "Korean": "식별자 | 성적 | 최대 성적 | 피드백 코멘트 | 전체 이름 | 이메일 주소 | id 번호 | 사용자 아이디",
    "Portuguese": "Identificador | Avaliação | Nota máxima | Comentários de feedback | "
    "Nome completo | E-mail | Número de identificação (ID) | Nome de utilizador",
    "Romanian": "Identificator | Notă | Notă maximă | Comentarii de feedback | "
    "Nume complet | Adresa de e-mail | Număr ID | Nume de utilizator",
    "Russian": "Идентификатор | Оценка | Максимальная оценка | Отзыв в виде комментария | "
    "Полное имя | Адрес электронной почты | Индивидуальный номер | Логин",
    "Spanish": "Identificador | Calificación | Calificación máxima | Comentarios de retroalimentación | "
    "Nombre completo | Dirección de correo | Número de ID | Nombre de usuario",
    "Swedish": "Identifierare | Betyg | Maxbetyg | Återkopplingskommentarer | "
    "Fullständigt namn | E-postadress | ID nummer | Användarnamn",
    "Turkish": "Tanımlayıcı | Not | Enyüksek not | Geri bildirim yorumları | "
    "Tam adı | E-posta adresi | ID numarası | Kullanıcı adı",
    "Ukrainian": "Ідентифікатор | Оцінка | Максимальна оцінка | Відгук - коментарем | "
    "Повна назва | Електронна пошта | Індивідуальний номер | Ім’я входу",
}


@dataclass(frozen=True, kw_only=True)
class WorksheetWords:
    """The names of the columns; `identifier` holds a word and the number of a participant."""

    identifier: str
    grade: str
    maximum: str
    comments: str
    name: str
    email: str
    number: str
    username: str


@cache
def languages() -> Mapping[str, WorksheetWords]:
    """Return the words of each known language."""
    names = [field.name for field in fields(WorksheetWords)]
    words_of = {language: dict(zip(names, words.split(" | "), strict=True)) for language, words in _WORDS.items()}
    return {language: WorksheetWords(**words) for language, words in words_of.items()}


def worksheet_words(columns: Collection[str]) -> WorksheetWords | None:
    """Return the words of the language that has these `columns` for identifier and grade, or None if unknown."""
    headings = {name.casefold() for name in columns}
    fitting = (
        words for words in languages().values() if {words.identifier.casefold(), words.grade.casefold()} <= headings
    )
    return next(fitting, None)


def typed(word: str) -> str:
    """Return `word` with a typewriter apostrophe, as in older language packs."""
    return word.replace("’", "'")
