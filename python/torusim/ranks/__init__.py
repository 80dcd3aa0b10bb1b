"""Ranks on a machine: their places, and the calls of their programs.

recorded      a program in Python (`torusim.programs`), run with the machine or recorded as a trace
mapping       searches for placements, from the flows of a workload
advice        the shape of a partition, torus or mesh, and the mapping, before a job runs
"""
