"""Opens files that others may have placed, computes digests, and unpacks archives, all of it safely."""
