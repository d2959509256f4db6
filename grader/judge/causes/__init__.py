"""Why a test did not pass: one function per explanation, with the causes it may find declared beside it."""
