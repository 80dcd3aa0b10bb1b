"""The tests from end to end, through the command and the Python API."""
