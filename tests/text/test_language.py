"""Which language is spoken, and what is said in it."""

from collections.abc import Mapping

import pytest

from grader.errors import GraderError
from grader.text.escape import escape_controls, legend, quote
from grader.text.language import LANGUAGES, in_language, language_of, language_tag, speaking, told, told_plural
from grader.text.sentence import joined, say


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN"}, "zh_CN"),
        ({"LANG": "zh"}, "zh_CN"),
        ({"LANG": "zh_CN.GB18030@pinyin"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "en_AU.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_AU.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}, "zh_CN"),
        ({"LANG": "en_AU.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "de:en_GB:zh_CN"}, "en"),
        ({"LANG": "C", "LANGUAGE": "zh_CN"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "zh_CN"}, "en"),
        ({"LANGUAGE": "zh-CN"}, "zh_CN"),
        ({"LANG": "::", "LANGUAGE": ""}, "en"),
    ],
)
def test_the_environment_names_the_language(environment: Mapping[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_english_is_spoken_unless_a_language_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    assert (told("A blank line"), language_tag()) == ("A blank line", "en")
    with speaking("zh_CN"):
        assert (told("A blank line"), language_tag()) == ("空行", "zh-CN")
        with speaking("en"):
            assert (told("A blank line"), language_tag()) == ("A blank line", "en")
        assert told("A blank line") == "空行"
    assert told("A blank line") == "A blank line"


def test_a_language_that_is_not_spoken_is_refused() -> None:
    with pytest.raises(GraderError, match=r"^There is no language `zh_TW`; .*; known: en, zh_CN\.$"):
        speaking("zh_TW").__enter__()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_be_spoken(language: str) -> None:
    with speaking(language):
        assert language_tag() == language.replace("_", "-")


def test_sentences_are_said_with_all_that_is_in_them() -> None:
    said = say("In line {line} {said}{more}.", line=3, said=say("uppercase and lowercase letters differ"), more="")
    with speaking("zh_CN"):
        assert in_language(said) == "第 3 行：字母大小写不同。"
        assert in_language(joined(", ", [said, "x", said])) == "第 3 行：字母大小写不同。, x, 第 3 行：字母大小写不同。"
        assert told_plural(1, "{count} step", "{count} steps") == "1 步"
        assert told_plural(5, "{count} step", "{count} steps") == "5 步"
        assert in_language(quote("")) == "空行"
        assert [in_language(one) for one in legend("\t \u200b")] == [
            "· 空格",
            "→ 制表符 (U+0009)",
            "<U+200B> U+200B (zero width space)",
        ]


def test_what_students_write_is_no_sentence() -> None:
    with speaking("zh_CN"):
        assert in_language("A blank line") == "A blank line"
        assert in_language(escape_controls(say("A blank line"))) == "A blank line"
        assert told("Hint: {hint}", hint="A blank line") == "提示：A blank line"
        # A sentence that no catalogue has is said in English.
        assert in_language(say("Never said {often}.", often="before")) == "Never said before."
