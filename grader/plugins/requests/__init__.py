"""Regrade requests: forms for students, and the import of their messages into requests.yaml.

`export` declares the forms that `forms` writes. `messages` reads the students' messages, `fields` finds the fields of a
form in a message, `matching` finds the students and subjects, and `request_file` adds the requests to requests.yaml.
"""
