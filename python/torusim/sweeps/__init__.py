"""Many runs: their points, the executors that run them, and the table of their values.

axes -> sweep -> points -> executors -> worker      the values that vary, their points, and the processes that run them
shards, remaining, sources                          parts of a sweep, the time that it will take, the code that ran it
means                                               values over several seeds
"""
