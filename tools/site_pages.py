"""Fits the documents to the site: those beside docs/ become pages, links and code blocks are put as MkDocs reads them.

MkDocs calls the functions by their names (`hooks` in mkdocs.yml).
"""

import posixpath
import re
from collections.abc import Container
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# Documents of the repository outside docs/, and their pages.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}

_DOCUMENTS = {page: document for document, page in PAGES.items()}
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?P<target>[^)#\s]+)(?P<anchor>#[^)]*)?\)")
_FILE_OF_BLOCK = re.compile(r"^(```\w+) file=(\S+)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents beside docs/."""
    root = Path(config.config_file_path).parent
    for document, page in PAGES.items():
        files.append(File.generated(config, page, content=(root / document).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page with links and code blocks in the form for the site."""
    document = _DOCUMENTS.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return as_on_site(markdown, document, files.src_uris, Path(config.config_file_path).parent)


def as_on_site(markdown: str, document: str, site: Container[str], root: Path) -> str:
    """Return the text of `document` with links to the files of the site, and code blocks titled with their file names.

    Files that are only in the repository are named, not linked. Broken links stay, for MkDocs to complain about.
    """

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(document), match["target"]))
        file = PAGES.get(target, target.removeprefix("docs/"))
        if file in site:
            return f"{match['image']}[{match['text']}]({file}{match['anchor'] or ''})"
        return match["text"] if (root / target).exists() else match[0]

    return _FILE_OF_BLOCK.sub(r'\1 title="\2"', _LINK.sub(link, markdown))
