"""Makes course folders from the data of other systems: Kattis, TESTed, GitHub Classroom, recorded transcripts.

An importer does not run anything that it reads. Anything without an equivalent here becomes a note.
"""
