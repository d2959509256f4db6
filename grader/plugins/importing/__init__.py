"""Makes course folders from the data of other systems: Kattis problem packages, TESTed suites, recorded transcripts.

An importer reads and writes files and runs nothing. Anything that cannot be expressed here becomes a note.
"""
