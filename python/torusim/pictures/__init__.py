"""Pictures of results, schedules, sweeps, curves, rooms and studies.

plotting      pictures of the objects of a caller or a folder
figures       a study's figure as plain data
plots         the drawing itself: the only package that imports matplotlib
"""
