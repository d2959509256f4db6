"""Grades on a cluster: Dask's workers run and judge tests; this process keeps the store and writes the reports."""
