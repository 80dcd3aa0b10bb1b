"""The ground of all other packages: numbers and texts as users see them, files and folders, checks of arguments.

formatting, intervals     numbers with units, sentences of lists; means with their intervals
checks                    arguments of callers
units, quantities         cycles, or nanoseconds and GB/s, as people read them; values that users write with a unit
files, folder             what is read, and folders that are written as a whole or not at all
"""
