"""Grades on a cluster: Dask workers run and judge the tests; this process keeps the store and writes the reports."""
