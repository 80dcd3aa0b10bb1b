"""End-to-end tests, through the command and the Python API."""
