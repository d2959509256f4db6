"""Fits the documents to the site: its navigation, pages from documents beside docs/, links and code blocks.

MkDocs calls these functions by name (`hooks` in mkdocs.yml).
"""

import posixpath
import re
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from grader.plugins.manual.contents import DOORS

# Documents of the repository outside docs/, and their pages.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "about/contributing.md",
    "CHANGELOG.md": "about/changes.md",
    "SECURITY.md": "about/security.md",
    "benchmarks/README.md": "about/benchmarks.md",
}

_DOCUMENTS = {page: document for document, page in PAGES.items()}
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)]*)?\)")
_FILE_OF_BLOCK = re.compile(r"^(```\w+) (?:file|shown)=(\S+)$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the navigation from the existing pages."""
    documents = Path(config.docs_dir)
    files = (file.relative_to(documents) for file in documents.rglob("*.md"))
    config.nav = navigation(file.as_posix() for file in files if file.parts[0] != "examples")
    return config


def navigation(documents: Iterable[str]) -> list[dict[str, Any]]:
    """Return the pages under their sections, in the order of the manual."""
    pages = frozenset(page.removesuffix(".md") for page in (*documents, *PAGES.values()))
    doors: list[dict[str, Any]] = [{"Home": "index.md"}]
    for door in DOORS:
        inside: list[Any] = []
        for heading, paths in door.arranged(pages):
            listed = [f"{path}.md" for path in paths]
            inside += [{heading: listed}] if heading and listed else listed
        doors += [{door.title: inside}] if inside else []
    return doors


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents beside docs/."""
    root = Path(config.config_file_path).parent
    for document, page in PAGES.items():
        files.append(File.generated(config, page, content=(root / document).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page with links and code blocks in the form needed by the site."""
    document = _DOCUMENTS.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    site = {file.src_uri for file in files if file.inclusion is not InclusionLevel.EXCLUDED}
    return as_on_site(markdown, document, site, Path(config.config_file_path).parent)


def as_on_site(markdown: str, document: str, site: Container[str], root: Path) -> str:
    """Return the text of `document` with links to the files of the site, and code blocks titled with their file names.

    Files that are only in the repository are mentioned without a link. Broken links stay, so that MkDocs complains
    about them.
    """
    page = _place(document)

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(document), match["target"]))
        file = _place(target)
        if file in site:
            relative = posixpath.relpath(file, posixpath.dirname(page) or ".")
            return f"{match['image']}[{match['text']}]({relative}{match['anchor'] or ''})"
        return match["text"] if (root / target).exists() else match[0]

    return _FILE_OF_BLOCK.sub(r'\1 title="\2"', _LINK.sub(link, markdown))


def _place(document: str) -> str:
    """Return where a document of the repository is on the site."""
    return PAGES.get(document, document.removeprefix("docs/"))
