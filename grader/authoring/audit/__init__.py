"""Says how good tests are: mistakes are put into the references, and a test should notice each."""
