"""Causes visible in the text: characters, lines, prompts, numbers, cards and boards, exchanged values.

`family` defines their order. Without this plugin, the first differing line is shown beside the expected line.
"""
