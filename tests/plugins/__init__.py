"""Tests of the plugins, a folder each."""
