"""A run: from a scenario to its result and back.

scenario -> runner -> result       a scenario in, a result out; in between `checkpoints`
destinations, sheets               traffic of the user's own, as functions and as tables
storage, timeline                  a result in files
jobs, steadiness, fluid            statements of a summary: several jobs, the steady mean, the fluid error
hot, comparison, race              questions to one result, to two, and to runs that go on together
"""
