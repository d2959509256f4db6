"""Causes visible in the text: characters, lines, prompts, numbers, cards and boards, exchanged values.

`family` defines their order. Without this plugin, a first differing line is shown beside the expected one.
"""
