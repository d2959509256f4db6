"""The API: one function per verb, which takes values and callbacks and returns values. Nothing here prints."""
