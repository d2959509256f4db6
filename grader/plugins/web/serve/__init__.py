"""The web application for markers: shows a class during grading, and writes decisions to the instructor's files.

`class_server` opens a class, `live_class` holds it while it is graded and marked, `app` answers requests, `security`
identifies the marker, `forms` reads decisions, and `editing` writes them into the files about the class. `pages` and
`marking` render pages from the templates of `reports` and of this plugin.
"""
