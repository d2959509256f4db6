"""Tools that make the documents and releases; they are not part of the package."""
