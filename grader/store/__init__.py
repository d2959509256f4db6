"""Stage `store`: what was found out stays on disk, so that nothing is run twice and nothing is lost."""
