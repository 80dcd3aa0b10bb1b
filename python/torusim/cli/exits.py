"""The exit statuses of the command."""

EXIT_COMPLETED = 0
EXIT_OTHER_OUTCOME = 1
EXIT_BAD_INPUT = 2

EXIT_BY_CTRL_C = 130
EXIT_BY_CLOSED_PIPE = 141
EXIT_BY_TERMINATION = 143
"""128 + the number of a signal, also where it has not ended the command itself: SIGINT, SIGPIPE, SIGTERM."""
