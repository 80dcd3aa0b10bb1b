//! MPI above messages: matching by source and tag, and collectives.
