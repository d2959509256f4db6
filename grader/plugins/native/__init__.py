"""C, C++, Java, JavaScript and Rust, one file per language.

pyproject.toml registers each class for the endings of its files.
"""
