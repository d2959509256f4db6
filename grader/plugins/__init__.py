"""Features outside the core. Each has its own folder and is registered as an entry point in pyproject.toml."""
