"""Makes course folders from the data of other systems: Kattis, TESTed, GitHub Classroom, recorded transcripts.

Importers do not run the files that they read. Anything without an equivalent here becomes a note.
"""
