"""Web pages about a class: those that `grader report` writes, and those that `grader serve` shows to markers.

`pages` has what both show, `page_writer` and `command` write it to files, and `serve` shows it with what can be
decided beside. `export` is the page that a student gets.
"""
