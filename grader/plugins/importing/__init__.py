"""Makes course folders from the data of other systems: Kattis, TESTed, GitHub Classroom, recorded transcripts.

An importer runs nothing that it reads. Anything that cannot be expressed here becomes a note.
"""
