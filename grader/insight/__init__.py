"""Stage `insight`: what a whole class teaches: mistakes that several share, and how well each test works."""
