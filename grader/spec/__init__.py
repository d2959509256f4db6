"""Stage `spec`: what an assignment and its tests are, read from YAML."""
