"""The `store` stage: keeps results on disk, so that nothing runs twice and nothing is lost."""
