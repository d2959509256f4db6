"""Results as text, CSV, JSON and web pages. Nothing here works out a mark."""
