"""Pictures of results, schedules, sweeps, curves, rooms and studies.

plotting      what is drawn of what a caller or a folder has
figures       a study's figure as plain data
plots         the drawing itself: the only package that imports matplotlib
"""
