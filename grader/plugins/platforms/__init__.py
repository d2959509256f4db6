"""Learning platforms, one folder each, with the downloads that can be read and the exports that can be written."""
