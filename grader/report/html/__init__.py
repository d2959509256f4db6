"""A static site about a graded class: an overview, a page per student and a page per test."""
