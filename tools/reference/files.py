"""Generates a page for each YAML file: a minimal example, its keys by mapping, and an example with every key."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.extensions import LATE_POLICIES, RULES, SCHEMAS, extensions
from grader.model.policy import LatePolicy
from grader.plugins.schemas.api import SCHEMA_MODELS
from grader.plugins.schemas.json_schema import schema_of
from grader.rules.code_rule import CodeRule
from grader.spec.assignment_file import AnyRuleEntry, LateTermsEntry
from tools.reference.markdown import code, joined, linked, package_text, sentences, table
from tools.reference.types import Schema, default_words, models_in, type_words

_COLUMNS = ("key", "type", "default", "meaning")


@dataclass(frozen=True)
class SpecFile:
    """A file that people write: the kind of its schema, the title of its page, and its place."""

    kind: str
    title: str
    place: str

    @property
    def page(self) -> str:
        """Return the page, by its path from docs/reference."""
        return f"files/{self.kind}.md"


def _of_class(kind: str, *, has_table: bool = True, has_option: bool = False) -> SpecFile:
    title = f"{kind}.yaml, {kind}.csv" if has_table else f"{kind}.yaml"
    place = "in the folder that you pass to `grader grade`, or beside the archive"
    return SpecFile(kind, title, f"{place}{f', or passed with `--{kind}`' if has_option else ''}")


FILES = (
    SpecFile("assignment", "assignment.yaml", "`test_specs/ID/assignment.yaml`"),
    SpecFile("tests", "tests/*.yaml", "`test_specs/ID/tests/`, any number of files"),
    *(_of_class(kind, has_option=True) for kind in ("roster", "extensions", "marks", "overrides")),
    *(_of_class(kind, has_table=False) for kind in ("comments", "requests")),
    *(_of_class(kind) for kind in ("teams", "times")),
    SpecFile("submission", "submission.yaml", "the folder of a student"),
    *(SpecFile(kind, f"{kind}.yaml", f"`test_specs/ID/{kind}.yaml`") for kind in ("audit", "fuzz", "seeds")),
    SpecFile("term", "term.yaml", "the course folder"),
)
"""The files in the order of the contents."""

_INTRODUCED: Mapping[str, type] = {"late": LateTermsEntry, "rules[]": AnyRuleEntry}
"""The models whose options depend on a word; their options are in further tables."""
_TYPES = {
    "tests[].for": "lists of values by name, list of rows, or the name of a CSV file",
    "tests[].exit_status": "whole number from 0 to 255, `any`, `nonzero`, or a signal",
    "tests[].variables": "values by name",
    "tests[].raises": "string or mapping",
    "tests[].sample": "string or mapping",
}
"""Types that are too wordy in a schema."""
_MAX_LINES = 16
_DEFAULT = re.compile(r" ?Default:? (?P<default>[^.;]{1,60})\.$")
_AS_LIMITS = "BuildLimitsEntry"
_SHARED = {"CompareEntry": "compare", _AS_LIMITS: "limits", "RoundingEntry": "rounding"}
"""Mappings of assignment.yaml that other files also have."""


def file_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages, each with its path from docs/reference."""
    for spec in FILES:
        yield spec.page, joined(_FilePage(spec, model_schema(spec.kind)).blocks())


def model_schema(kind: str) -> dict[str, Any]:
    """Return the schema of a kind of file."""
    model = SCHEMA_MODELS.get(kind) or extensions(SCHEMAS)[kind].load(type)
    return schema_of(model)


@dataclass
class _FilePage:
    spec: SpecFile
    schema: Schema
    seen: dict[str, str] = field(default_factory=dict)

    def blocks(self) -> Iterator[str]:
        """Yield the parts of the page."""
        yield f"# {self.spec.title}"
        first, _, rest = sentences(str(self.schema["description"])).partition("\n\n")
        yield self._linked(first)
        yield f"Place: {self.spec.place}."
        yield code(package_text("examples", f"{self.spec.kind}.yaml"))
        table_example = package_text("examples", f"{self.spec.kind}.csv")
        yield code(table_example, "csv") if table_example else ""
        yield self._linked(rest)
        yield "## Keys"
        yield from self._mapping(self.schema, "")
        yield package_text("notes", "files", f"{self.spec.kind}.md")
        whole = package_text("examples", f"{self.spec.kind}.whole.yaml")
        if whole:
            yield "## Every key in an example"
            yield code(whole)

    def _mapping(self, schema: Schema, prefix: str) -> Iterator[str]:
        """Yield the table of a mapping, then the sections of the mappings inside it."""
        required = schema.get("required", ())
        for name, value in schema["properties"].items():
            for path, model in models_in(value, self._models):
                self.seen.setdefault(model, f"{prefix}{name}{path}")
        yield table(
            _COLUMNS,
            (
                self._row(prefix + name, value, is_required=name in required)
                for name, value in sorted(schema["properties"].items(), key=lambda item: item[0] not in required)
            ),
        )
        for name, value in schema["properties"].items():
            yield from self._sections(prefix + name, value)

    def _row(self, key: str, value: Schema, *, is_required: bool) -> Sequence[str]:
        words = _TYPES.get(key) or type_words(value, self._models)
        inner = [name for _, name in models_in(value, self._models) if name in _SHARED]
        if inner and (self.spec.kind != "assignment" or key == "build_limits"):
            words = f"mapping, as `{_SHARED[inner[0]]}`"
            if self.spec.kind != "assignment":
                words += f" in [assignment.yaml](assignment.md#{_SHARED[inner[0]]})"
        elif inner := [name for _, name in models_in(value, self._models)]:
            words = re.sub(r"mappings?", rf"[\g<0>](#{_anchor(self.seen[inner[0]])})", words, count=1)
        default, meaning = default_words(value, is_required=is_required), str(value.get("description", ""))
        if match := _DEFAULT.search(meaning):
            meaning, default = meaning[: match.start()], match["default"]
        return f"`{key}`", words, default, self._linked(meaning)

    def _sections(self, key: str, value: Schema) -> Iterator[str]:
        found = [(f"{key}{path}", name) for path, name in models_in(value, self._models)]
        if found and found[0][0] in _INTRODUCED:
            yield from self._by_word(found[0][0], [self._models[name] for _, name in found])
            return
        for path, name in found:
            is_shared = name in _SHARED and (self.spec.kind != "assignment" or name == _AS_LIMITS)
            if self.seen[name] != path or is_shared:
                continue
            yield f"## `{path}`"
            yield self._linked(sentences(str(self._models[name].get("description", ""))))
            yield self._part_of_example(path)
            yield from self._mapping(self._models[name], f"{path}.")

    def _by_word(self, path: str, members: Sequence[Schema]) -> Iterator[str]:
        """Yield the section of a mapping with the options of a plugin."""
        word = next(name for name, value in members[0]["properties"].items() if len(value.get("enum", ())) == 1)
        common = {name for name in members[0]["properties"] if all(name in item["properties"] for item in members)}
        yield f"## `{path}`"
        yield self._linked(sentences(inspect.cleandoc(_INTRODUCED[path].__doc__ or "")))
        yield self._part_of_example(path)
        yield table(_COLUMNS, self._common_rows(path, word, common, members))
        if path == "rules[]":
            yield table(("rule", "what breaks it"), _rules())
        yield table(_COLUMNS, self._option_rows(path, word, common, members))

    def _common_rows(
        self, path: str, word: str, common: set[str], members: Sequence[Schema]
    ) -> Iterator[Sequence[str]]:
        words = [str(member["properties"][word]["enum"][0]) for member in members]
        for name, value in members[0]["properties"].items():
            if name in common:
                whole = {**value, "enum": words} if name == word else value
                if path == "late" and name == word:
                    whole["description"] = f"{_policies()} `none`: no penalty before the cut-off."
                yield self._row(f"{path}.{name}", whole, is_required=name in members[0].get("required", ()))

    def _option_rows(
        self, path: str, word: str, common: set[str], members: Sequence[Schema]
    ) -> Iterator[Sequence[str]]:
        """Yield a row per option; plugins with the same options share a row."""
        rows: dict[Sequence[str], list[str]] = {}
        for member in members:
            for name, value in member["properties"].items():
                if name not in common:
                    row = self._row(f"{path}.{name}", value, is_required=name in member.get("required", ()))
                    rows.setdefault(tuple(row), []).append(f"`{member['properties'][word]['enum'][0]}`")
        for (*cells, meaning), words in sorted(rows.items(), key=lambda item: item[0][0]):
            yield (*cells, f"{', '.join(words)}: {meaning[:1].lower()}{meaning[1:]}")

    def _part_of_example(self, path: str) -> str:
        """Return the part of the long example with a mapping at the top, if the part is short."""
        whole = package_text("examples", f"{self.spec.kind}.whole.yaml")
        part = re.search(rf"^{re.escape(path.removesuffix('[]'))}:.*\n(?:[ -].*\n)*", whole, re.M)
        return code(part[0]) if part and part[0].count("\n") <= _MAX_LINES else ""

    @property
    def _models(self) -> Mapping[str, Schema]:
        models: Mapping[str, Schema] = self.schema.get("$defs", {})
        return models

    def _linked(self, text: str) -> str:
        return linked(text, self.spec.page)


def _anchor(heading: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^a-z0-9_-]", "", heading.lower())


def _rules() -> Iterator[Sequence[str]]:
    for plugin in extensions(RULES).values():
        rule = plugin.load_class(CodeRule)
        yield f"`{rule.name}`", str(rule.broken_by)


def _policies() -> str:
    """Return the costs of each late policy."""
    policies = [plugin.load_class(LatePolicy) for plugin in extensions(LATE_POLICIES).values()]  # type: ignore[type-abstract]
    return " ".join(f"`{policy.name}`: {policy.about[0].lower()}{policy.about[1:]}" for policy in policies)


def keys_on(page: str) -> set[str]:
    """Return the last parts of the keys in the tables of a page."""
    return {key.rpartition(".")[2] for key in re.findall(r"^\| `([^`]+)` \|", page, re.M)}
