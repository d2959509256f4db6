"""The pages about a class. A module gathers the content of a page; a template defines its form.

`site` writes all of them. `student_page` is also the page that a student gets.
"""
