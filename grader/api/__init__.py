"""The API: one function per verb, which takes values and callbacks and returns values of the model. Nothing here
prints.
"""
