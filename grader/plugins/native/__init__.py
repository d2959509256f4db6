"""The languages C, C++, Java, JavaScript and Rust, one file each.

pyproject.toml registers each class for its file suffixes.
"""
