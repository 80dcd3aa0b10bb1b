"""A job queue: the room in which partitions are wired, and the schedule of a job log.

room                          midplanes, cables and partitions
schedule, formatting          a log in, a schedule out, and its values on a screen
predictions                   run times of jobs on other partitions, from runs of the network
comparison, mesh_or_torus     schedules compared over logs
"""
