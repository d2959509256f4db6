"""Makes and tests the tests: first files, transcripts from references, recorded tests, seeds, audits, fuzzing."""
