"""Expected transcripts on disk, and the reasons that references give for their lines."""
