"""Writes JSON Schemas of the YAML files for editors: `api` makes them, `command` prints or writes them."""
