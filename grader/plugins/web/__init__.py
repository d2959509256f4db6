"""Web pages about a class, which `grader report` writes to files and `grader serve` shows to markers.

`pages` contains what both show, `page_writer` and `command` write it to files, and `serve` shows it together with forms
for decisions. `export` is the page that a student gets.
"""
