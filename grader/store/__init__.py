"""Stage `store`: results stay on disk, so that nothing is run twice and nothing is lost."""
