"""The speed of torusim on this host, in time and in instructions."""
