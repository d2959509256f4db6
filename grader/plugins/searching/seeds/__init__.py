"""Finds a few seeds or decks that together cover everything that a game can do.

`search_file` reads seeds.yaml, `explore` runs the reference with each value and chooses the values to keep, and
`tests_file` adds a test for each of them.
"""
