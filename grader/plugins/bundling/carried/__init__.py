"""The part of the plugin that bundles carry: the command line of a self-check, and the reader of its data."""
