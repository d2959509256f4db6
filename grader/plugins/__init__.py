"""Capabilities beside the core: a folder each, which pyproject.toml registers by entry points."""
