"""Keeps the store of a course in PostgreSQL.

`server` is what addresses of stores find, and imports `rows`, which needs psycopg, when one is opened.
"""
