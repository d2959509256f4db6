"""Tools for making the documents and releases; not part of the package."""
