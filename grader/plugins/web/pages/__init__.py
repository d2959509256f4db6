"""The pages about a class. A module gathers what a page shows; a template says how.

`site` writes all of them. `student_page` is also the page that a student gets.
"""
