"""Makes course folders of what other systems have: problem packages of Kattis, suites of TESTed, recorded transcripts.

An importer reads and writes files and runs nothing. What cannot be said here is a note, never dropped in silence.
"""
