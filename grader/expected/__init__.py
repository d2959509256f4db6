"""Expected transcripts: where they are kept, how they are generated, and whether they are up to date."""
