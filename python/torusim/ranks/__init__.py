"""Ranks on a machine: the nodes and cores that they are placed on, and the calls of their programs.

recorded      runs a program in Python (`torusim.programs`) on the machine, or records its calls as a trace
mapping       searches for placements of ranks that suit the flows of a workload
advice        suggests, before a job runs, the shape of its partition, torus or mesh, and the mapping of its ranks
"""
