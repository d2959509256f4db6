"""Opens files that others may have put in place, takes their digests, and reads and writes archives safely."""
