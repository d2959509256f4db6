"""Regrade requests: forms in which students ask, and what they sent, for requests.yaml.

`export` declares the forms that `forms` writes. `messages` reads what came back, `fields` finds the words of a form in
a text, `matching` says who asks about what, and `request_file` adds it to requests.yaml.
"""
