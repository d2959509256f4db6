"""Stage `export`: marks and feedback in the formats of learning platforms.

A module per format, each with a pure function of a graded class.
"""
