"""Writes decisions into the files about a class.

`decisions` lists what can be decided, `entries` finds the entry that a decision changes, and `edit` writes it.
`yaml_edit` changes single values in a file that people wrote: `yaml_text` finds their places, `yaml_splice` replaces
the text there, and `yaml_flow` writes the new values, on one line where possible.
"""
