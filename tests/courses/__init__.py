"""Small courses written by a test, graded from the spec to the mark."""
