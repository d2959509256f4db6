"""Opens stores in PostgreSQL, and reports if psycopg is missing."""

from contextlib import AbstractContextManager

from grader.installation import install_command
from grader.store.stored_rows import RowDatabase, StoreError


def open_rows(address: str) -> AbstractContextManager[RowDatabase]:
    """Open the rows of the database at the URL `address`. Raises StoreError."""
    try:
        from grader.plugins.postgres.rows import open_postgres
    except ImportError as error:
        raise StoreError(
            f"A store in PostgreSQL needs psycopg ({error}); install it with: {install_command('postgres')}"
        ) from None
    return open_postgres(address)
