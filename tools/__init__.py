"""What the documents and releases are made with; no part of the package."""
