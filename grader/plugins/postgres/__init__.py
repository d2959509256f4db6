"""Keeps the store of a course in PostgreSQL. `server` imports `rows`, which needs psycopg."""

from grader.model.option import LateFunction
from grader.store.stored_rows import StoreServer

POSTGRES = StoreServer(LateFunction("grader.plugins.postgres.server:open_rows"))
