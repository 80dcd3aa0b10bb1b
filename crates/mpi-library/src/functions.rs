//! The table of MPI's functions: the only place that lists them. Exports, the header and the page of what is there come
//! from it.
//!
//! ```text
//!   large Send = point_to_point::send(buf: Buffer, ...);    MPI_Send, and MPI_Send_c with large counts
//!   plain Barrier = collectives::barrier(comm: Comm);       MPI_Barrier
//!   value Wtime = environment::wtime() -> f64;              it returns a value, and no error code
//!   missing Win_create;                                     it names itself, and ends the run
//! ```
//!
//! # To add a function
//!
//! 1. Its row here, with parameters as [`abi`](crate::abi) defines them, in the order of the standard.
//! 2. The function in a module of `calls`. The compiler asks for it in each crate with exports.
//! 3. A program in C in `tests/mpi_programs` that uses it and checks its data.

/// Passes all functions to a macro, after the tokens in parentheses.
#[macro_export]
macro_rules! functions {
    ($then:path, ($($context:tt)*)) => { $then! { ($($context)*)

plain Init = environment::init(argc: Ref<c_int>, argv: Pointer);
plain Init_thread = environment::init_thread(argc: Ref<c_int>, argv: Pointer, required: Threads, provided: Ref<Threads>);
plain Initialized = environment::initialized(flag: Ref<c_int>);
plain Finalize = environment::finalize();
plain Finalized = environment::finalized(flag: Ref<c_int>);
plain Abort = environment::abort(comm: Comm, errorcode: c_int);
plain Comm_rank = communicators::rank(comm: Comm, rank: Ref<c_int>);
plain Comm_size = communicators::size(comm: Comm, size: Ref<c_int>);
value Wtime = environment::wtime() -> f64;
value Wtick = environment::wtick() -> f64;

large Send = point_to_point::send(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm);
large Recv = point_to_point::recv(buf: Buffer, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: Ref<Status>);
large Isend = point_to_point::isend(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Irecv = point_to_point::irecv(buf: Buffer, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
plain Wait = requests::wait(request: Ref<Request>, status: Ref<Status>);
plain Waitall = requests::waitall(count: c_int, array_of_requests: Ref<Request>, array_of_statuses: Ref<Status>);
plain Barrier = collectives::barrier(comm: Comm);

missing Win_create;
    } };
}
