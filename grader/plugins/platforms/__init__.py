"""Learning platforms: a folder each, with the downloads that are read and the exports that are written."""
