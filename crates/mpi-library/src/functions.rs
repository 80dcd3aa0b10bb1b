//! The table of MPI's functions: the only place that lists them. Exports, the header and the page of what there is come
//! from it.
//!
//! ```text
//!   large Send = point_to_point::send(buf: Data, ...);        MPI_Send, and MPI_Send_c with large counts
//!   plain Barrier = collectives::barrier(comm: Comm);         MPI_Barrier
//!   value Wtime = environment::wtime() -> f64;                it returns a value, and no error code
//!   missing Win_fence = windows::fence(...);                  it names itself, and ends the run
//!   missing_large Put = windows::put(...);                    so do MPI_Put and MPI_Put_c
//! ```
//!
//! Names of functions are without `MPI_`. They are in the order of the standard, by its chapters.
//!
//! # To add a function
//!
//! 1. Its row here, with parameters as [`abi`](crate::abi) defines them. One that is `missing` has it already: its
//!    first word becomes `plain`, `large` or `value`.
//! 2. The function in a module of `calls`. The compiler asks for it in each crate with exports.
//! 3. A program in C in `tests/mpi_programs` that uses it and checks its data.

use crate::abi::*;
use std::ffi::c_int;

/// Passes the functions of all interfaces, which are those of MPI 5.0, to a macro, after the tokens in parentheses.
#[macro_export]
macro_rules! functions {
    ($then:path, ($($context:tt)*)) => { $then! { ($($context)*)

// Chapter 3: messages from one rank to another.
large Send = point_to_point::send(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm);
large Recv = point_to_point::recv(buf: Buffer, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, status: Ref<Status>);
large Get_count = statuses::get_count(status: Const<Status>, datatype: Datatype, count: CountAt);
plain Status_get_source = statuses::get_source(status: Const<Status>, source: Ref<Rank>);
plain Status_get_tag = statuses::get_tag(status: Const<Status>, tag: Ref<Tag>);
plain Status_get_error = statuses::get_error(status: Const<Status>, error: Ref<Code>);
large Bsend = point_to_point::bsend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm);
large Ssend = point_to_point::ssend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm);
large Rsend = point_to_point::rsend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm);
large Comm_attach_buffer = buffers::comm_attach_buffer(comm: Comm, buffer: Buffer, size: Count);
large Session_attach_buffer = buffers::session_attach_buffer(session: Session, buffer: Buffer, size: Count);
large Buffer_attach = buffers::buffer_attach(buffer: Buffer, size: Count);
large Comm_detach_buffer = buffers::comm_detach_buffer(comm: Comm, buffer_addr: Pointer, size: CountAt);
large Session_detach_buffer = buffers::session_detach_buffer(session: Session, buffer_addr: Pointer, size: CountAt);
large Buffer_detach = buffers::buffer_detach(buffer_addr: Pointer, size: CountAt);
plain Comm_flush_buffer = buffers::comm_flush_buffer(comm: Comm);
plain Session_flush_buffer = buffers::session_flush_buffer(session: Session);
plain Buffer_flush = buffers::buffer_flush();
plain Comm_iflush_buffer = buffers::comm_iflush_buffer(comm: Comm, request: Ref<Request>);
plain Session_iflush_buffer = buffers::session_iflush_buffer(session: Session, request: Ref<Request>);
plain Buffer_iflush = buffers::buffer_iflush(request: Ref<Request>);
large Isend = point_to_point::isend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Ibsend = point_to_point::ibsend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Issend = point_to_point::issend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Irsend = point_to_point::irsend(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Irecv = point_to_point::irecv(buf: Buffer, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
plain Wait = requests::wait(request: Ref<Request>, status: Ref<Status>);
plain Test = requests::test(request: Ref<Request>, flag: Ref<c_int>, status: Ref<Status>);
plain Request_free = requests::free(request: Ref<Request>);
plain Waitany = requests::waitany(count: c_int, array_of_requests: Array<Request>, index: Ref<Index>, status: Ref<Status>);
plain Testany = requests::testany(count: c_int, array_of_requests: Array<Request>, index: Ref<Index>, flag: Ref<c_int>, status: Ref<Status>);
plain Waitall = requests::waitall(count: c_int, array_of_requests: Array<Request>, array_of_statuses: Ref<Status>);
plain Testall = requests::testall(count: c_int, array_of_requests: Array<Request>, flag: Ref<c_int>, array_of_statuses: Ref<Status>);
plain Waitsome = requests::waitsome(incount: c_int, array_of_requests: Array<Request>, outcount: Ref<Index>, array_of_indices: Array<c_int>, array_of_statuses: Ref<Status>);
plain Testsome = requests::testsome(incount: c_int, array_of_requests: Array<Request>, outcount: Ref<Index>, array_of_indices: Array<c_int>, array_of_statuses: Ref<Status>);
plain Request_get_status = requests::get_status(request: Request, flag: Ref<c_int>, status: Ref<Status>);
plain Request_get_status_any = requests::get_status_any(count: c_int, array_of_requests: ConstArray<Request>, index: Ref<Index>, flag: Ref<c_int>, status: Ref<Status>);
plain Request_get_status_all = requests::get_status_all(count: c_int, array_of_requests: ConstArray<Request>, flag: Ref<c_int>, array_of_statuses: Ref<Status>);
plain Request_get_status_some = requests::get_status_some(incount: c_int, array_of_requests: ConstArray<Request>, outcount: Ref<Index>, array_of_indices: Array<c_int>, array_of_statuses: Ref<Status>);
plain Iprobe = probes::iprobe(source: Rank, tag: Tag, comm: Comm, flag: Ref<c_int>, status: Ref<Status>);
plain Probe = probes::probe(source: Rank, tag: Tag, comm: Comm, status: Ref<Status>);
plain Improbe = probes::improbe(source: Rank, tag: Tag, comm: Comm, flag: Ref<c_int>, message: Ref<Message>, status: Ref<Status>);
plain Mprobe = probes::mprobe(source: Rank, tag: Tag, comm: Comm, message: Ref<Message>, status: Ref<Status>);
large Mrecv = probes::mrecv(buf: Buffer, count: Count, datatype: Datatype, message: Ref<Message>, status: Ref<Status>);
large Imrecv = probes::imrecv(buf: Buffer, count: Count, datatype: Datatype, message: Ref<Message>, request: Ref<Request>);
plain Cancel = requests::cancel(request: Ref<Request>);
plain Test_cancelled = statuses::test_cancelled(status: Const<Status>, flag: Ref<c_int>);
large Send_init = persistent::send_init(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Bsend_init = persistent::bsend_init(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Ssend_init = persistent::ssend_init(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Rsend_init = persistent::rsend_init(buf: Data, count: Count, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
large Recv_init = persistent::recv_init(buf: Buffer, count: Count, datatype: Datatype, source: Rank, tag: Tag, comm: Comm, request: Ref<Request>);
plain Start = persistent::start(request: Ref<Request>);
plain Startall = persistent::startall(count: c_int, array_of_requests: Array<Request>);
large Sendrecv = point_to_point::sendrecv(sendbuf: Data, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, status: Ref<Status>);
large Sendrecv_replace = point_to_point::sendrecv_replace(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, status: Ref<Status>);
large Isendrecv = point_to_point::isendrecv(sendbuf: Data, sendcount: Count, sendtype: Datatype, dest: Rank, sendtag: Tag, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, source: Rank, recvtag: Tag, comm: Comm, request: Ref<Request>);
large Isendrecv_replace = point_to_point::isendrecv_replace(buf: Buffer, count: Count, datatype: Datatype, dest: Rank, sendtag: Tag, source: Rank, recvtag: Tag, comm: Comm, request: Ref<Request>);

// Chapter 4: partitioned messages.
plain Psend_init = partitioned::psend_init(buf: Data, partitions: c_int, count: i64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: Ref<Request>);
plain Precv_init = partitioned::precv_init(buf: Buffer, partitions: c_int, count: i64, datatype: Datatype, dest: Rank, tag: Tag, comm: Comm, info: Info, request: Ref<Request>);
plain Pready = partitioned::pready(partition: c_int, request: Request);
plain Pready_range = partitioned::pready_range(partition_low: c_int, partition_high: c_int, request: Request);
plain Pready_list = partitioned::pready_list(length: c_int, array_of_partitions: ConstArray<c_int>, request: Request);
plain Parrived = partitioned::parrived(request: Request, partition: c_int, flag: Ref<c_int>);

// Chapter 5: datatypes.
large Type_contiguous = datatypes::contiguous(count: WithSize<Count>, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_vector = datatypes::vector(count: WithSize<Count>, blocklength: Count, stride: Count, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_hvector = datatypes::create_hvector(count: WithSize<Count>, blocklength: Count, stride: Extent, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_indexed = datatypes::indexed(count: Count, array_of_blocklengths: Counts, array_of_displacements: CountDisplacements, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_hindexed = datatypes::create_hindexed(count: Count, array_of_blocklengths: Counts, array_of_displacements: Extents, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_indexed_block = datatypes::create_indexed_block(count: WithSize<Count>, blocklength: Count, array_of_displacements: CountDisplacements, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_hindexed_block = datatypes::create_hindexed_block(count: WithSize<Count>, blocklength: Count, array_of_displacements: Extents, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_struct = datatypes::create_struct(count: Count, array_of_blocklengths: Counts, array_of_displacements: Extents, array_of_types: ConstArray<Datatype>, newtype: Ref<Datatype>);
large Type_create_subarray = datatypes::create_subarray(ndims: c_int, array_of_sizes: Counts, array_of_subsizes: Counts, array_of_starts: Counts, order: Order, oldtype: Datatype, newtype: Ref<Datatype>);
large Type_create_darray = datatypes::create_darray(size: c_int, rank: c_int, ndims: c_int, array_of_gsizes: Counts, array_of_distribs: ConstArray<Distribution>, array_of_dargs: ConstArray<Argument>, array_of_psizes: ConstArray<c_int>, order: Order, oldtype: Datatype, newtype: Ref<Datatype>);
plain Get_address = datatypes::get_address(location: Data, address: Ref<isize>);
value Aint_add = datatypes::aint_add(base: isize, disp: isize) -> isize;
value Aint_diff = datatypes::aint_diff(addr1: isize, addr2: isize) -> isize;
large Type_size = datatypes::size(datatype: Datatype, size: CountAt);
plain Type_size_x = datatypes::size_x(datatype: Datatype, size: Ref<i64>);
large Type_get_extent = datatypes::get_extent(datatype: Datatype, lb: ExtentAt, extent: ExtentAt);
plain Type_get_extent_x = datatypes::get_extent_x(datatype: Datatype, lb: Ref<i64>, extent: Ref<i64>);
large Type_create_resized = datatypes::create_resized(oldtype: Datatype, lb: WithSize<Extent>, extent: Extent, newtype: Ref<Datatype>);
large Type_get_true_extent = datatypes::get_true_extent(datatype: Datatype, true_lb: ExtentAt, true_extent: ExtentAt);
plain Type_get_true_extent_x = datatypes::get_true_extent_x(datatype: Datatype, true_lb: Ref<i64>, true_extent: Ref<i64>);
plain Type_commit = datatypes::commit(datatype: Ref<Datatype>);
plain Type_free = datatypes::free(datatype: Ref<Datatype>);
plain Type_dup = datatypes::dup(oldtype: Datatype, newtype: Ref<Datatype>);
large Get_elements = statuses::get_elements(status: Const<Status>, datatype: Datatype, count: CountAt);
plain Get_elements_x = statuses::get_elements_x(status: Const<Status>, datatype: Datatype, count: Ref<i64>);
plain Type_get_envelope = datatypes::get_envelope(datatype: Datatype, num_integers: Ref<c_int>, num_addresses: Ref<c_int>, num_datatypes: Ref<c_int>, combiner: Ref<Combiner>);
plain Type_get_envelope_c = datatypes::get_envelope_c(datatype: Datatype, num_integers: Ref<i64>, num_addresses: Ref<i64>, num_large_counts: Ref<i64>, num_datatypes: Ref<i64>, combiner: Ref<Combiner>);
plain Type_get_contents = datatypes::get_contents(datatype: Datatype, max_integers: c_int, max_addresses: c_int, max_datatypes: c_int, array_of_integers: Array<c_int>, array_of_addresses: Array<isize>, array_of_datatypes: Array<Datatype>);
plain Type_get_contents_c = datatypes::get_contents_c(datatype: Datatype, max_integers: i64, max_addresses: i64, max_large_counts: i64, max_datatypes: i64, array_of_integers: Array<c_int>, array_of_addresses: Array<isize>, array_of_large_counts: Array<i64>, array_of_datatypes: Array<Datatype>);
plain Type_get_value_index = datatypes::get_value_index(value_type: Datatype, index_type: Datatype, pair_type: Ref<Datatype>);
large Pack = packing::pack(inbuf: Data, incount: Count, datatype: Datatype, outbuf: Buffer, outsize: Count, position: CountAt, comm: Comm);
large Unpack = packing::unpack(inbuf: Data, insize: Count, position: CountAt, outbuf: Buffer, outcount: Count, datatype: Datatype, comm: Comm);
large Pack_size = packing::pack_size(incount: Count, datatype: Datatype, comm: Comm, size: CountAt);
large Pack_external = packing::pack_external(datarep: Text, inbuf: Data, incount: Count, datatype: Datatype, outbuf: Buffer, outsize: Extent, position: ExtentAt);
large Unpack_external = packing::unpack_external(datarep: Text, inbuf: Data, insize: Extent, position: ExtentAt, outbuf: Buffer, outcount: Count, datatype: Datatype);
large Pack_external_size = packing::pack_external_size(datarep: Text, incount: Count, datatype: Datatype, size: ExtentAt);

// Chapter 6: collectives.
plain Barrier = collectives::barrier(comm: Comm);
large Bcast = collectives::bcast(buffer: Buffer, count: Count, datatype: Datatype, root: Rank, comm: Comm);
large Gather = collectives::gather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm);
large Gatherv = collectives::gatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, root: Rank, comm: Comm);
large Scatter = collectives::scatter(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm);
large Scatterv = collectives::scatterv(sendbuf: Data, sendcounts: Counts, displs: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm);
large Allgather = collectives::allgather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm);
large Allgatherv = collectives::allgatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm);
large Alltoall = collectives::alltoall(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm);
large Alltoallv = collectives::alltoallv(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm);
large Alltoallw = collectives::alltoallw(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtypes: ConstArray<Datatype>, comm: Comm);
large Reduce = collectives::reduce(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm);
large Op_create = operations::create(user_fn: UserFunction, commute: c_int, op: Ref<Op>);
plain Op_free = operations::free(op: Ref<Op>);
large Reduce_local = operations::reduce_local(inbuf: Data, inoutbuf: Buffer, count: Count, datatype: Datatype, op: Op);
plain Op_commutative = operations::commutative(op: Op, commute: Ref<c_int>);
large Allreduce = collectives::allreduce(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm);
large Reduce_scatter_block = collectives::reduce_scatter_block(sendbuf: Data, recvbuf: Buffer, recvcount: Count, datatype: Datatype, op: Op, comm: Comm);
large Reduce_scatter = collectives::reduce_scatter(sendbuf: Data, recvbuf: Buffer, recvcounts: Counts, datatype: Datatype, op: Op, comm: Comm);
large Scan = collectives::scan(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm);
large Exscan = collectives::exscan(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm);
plain Ibarrier = collectives::ibarrier(comm: Comm, request: Ref<Request>);
large Ibcast = collectives::ibcast(buffer: Buffer, count: Count, datatype: Datatype, root: Rank, comm: Comm, request: Ref<Request>);
large Igather = collectives::igather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: Ref<Request>);
large Igatherv = collectives::igatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, root: Rank, comm: Comm, request: Ref<Request>);
large Iscatter = collectives::iscatter(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: Ref<Request>);
large Iscatterv = collectives::iscatterv(sendbuf: Data, sendcounts: Counts, displs: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, request: Ref<Request>);
large Iallgather = collectives::iallgather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Iallgatherv = collectives::iallgatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ialltoall = collectives::ialltoall(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ialltoallv = collectives::ialltoallv(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ialltoallw = collectives::ialltoallw(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtypes: ConstArray<Datatype>, comm: Comm, request: Ref<Request>);
large Ireduce = collectives::ireduce(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm, request: Ref<Request>);
large Iallreduce = collectives::iallreduce(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, request: Ref<Request>);
large Ireduce_scatter_block = collectives::ireduce_scatter_block(sendbuf: Data, recvbuf: Buffer, recvcount: Count, datatype: Datatype, op: Op, comm: Comm, request: Ref<Request>);
large Ireduce_scatter = collectives::ireduce_scatter(sendbuf: Data, recvbuf: Buffer, recvcounts: Counts, datatype: Datatype, op: Op, comm: Comm, request: Ref<Request>);
large Iscan = collectives::iscan(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, request: Ref<Request>);
large Iexscan = collectives::iexscan(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, request: Ref<Request>);
plain Barrier_init = collectives::barrier_init(comm: Comm, info: Info, request: Ref<Request>);
large Bcast_init = collectives::bcast_init(buffer: Buffer, count: Count, datatype: Datatype, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Gather_init = collectives::gather_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Gatherv_init = collectives::gatherv_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Scatter_init = collectives::scatter_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Scatterv_init = collectives::scatterv_init(sendbuf: Data, sendcounts: Counts, displs: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Allgather_init = collectives::allgather_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Allgatherv_init = collectives::allgatherv_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Alltoall_init = collectives::alltoall_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Alltoallv_init = collectives::alltoallv_init(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Alltoallw_init = collectives::alltoallw_init(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtypes: ConstArray<Datatype>, comm: Comm, info: Info, request: Ref<Request>);
large Reduce_init = collectives::reduce_init(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, root: Rank, comm: Comm, info: Info, request: Ref<Request>);
large Allreduce_init = collectives::allreduce_init(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: Ref<Request>);
large Reduce_scatter_block_init = collectives::reduce_scatter_block_init(sendbuf: Data, recvbuf: Buffer, recvcount: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: Ref<Request>);
large Reduce_scatter_init = collectives::reduce_scatter_init(sendbuf: Data, recvbuf: Buffer, recvcounts: Counts, datatype: Datatype, op: Op, comm: Comm, info: Info, request: Ref<Request>);
large Scan_init = collectives::scan_init(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: Ref<Request>);
large Exscan_init = collectives::exscan_init(sendbuf: Data, recvbuf: Buffer, count: Count, datatype: Datatype, op: Op, comm: Comm, info: Info, request: Ref<Request>);

// Chapter 7: groups, communicators and attributes.
plain Group_size = groups::size(group: Group, size: Ref<c_int>);
plain Group_rank = groups::rank(group: Group, rank: Ref<Index>);
plain Group_translate_ranks = groups::translate_ranks(group1: Group, n: c_int, ranks1: ConstArray<Rank>, group2: Group, ranks2: Array<Rank>);
plain Group_compare = groups::compare(group1: Group, group2: Group, result: Ref<Comparison>);
plain Comm_group = groups::comm_group(comm: Comm, group: Ref<Group>);
plain Group_union = groups::union(group1: Group, group2: Group, newgroup: Ref<Group>);
plain Group_intersection = groups::intersection(group1: Group, group2: Group, newgroup: Ref<Group>);
plain Group_difference = groups::difference(group1: Group, group2: Group, newgroup: Ref<Group>);
plain Group_incl = groups::incl(group: Group, n: c_int, ranks: ConstArray<Rank>, newgroup: Ref<Group>);
plain Group_excl = groups::excl(group: Group, n: c_int, ranks: ConstArray<Rank>, newgroup: Ref<Group>);
plain Group_range_incl = groups::range_incl(group: Group, n: c_int, ranges: Ranges, newgroup: Ref<Group>);
plain Group_range_excl = groups::range_excl(group: Group, n: c_int, ranges: Ranges, newgroup: Ref<Group>);
plain Group_from_session_pset = sessions::group_from_session_pset(session: Session, pset_name: Text, newgroup: Ref<Group>);
plain Group_free = groups::free(group: Ref<Group>);
plain Comm_size = communicators::size(comm: Comm, size: Ref<c_int>);
plain Comm_rank = communicators::rank(comm: Comm, rank: Ref<c_int>);
plain Comm_compare = communicators::compare(comm1: Comm, comm2: Comm, result: Ref<Comparison>);
plain Comm_dup = communicators::dup(comm: Comm, newcomm: Ref<Comm>);
plain Comm_dup_with_info = communicators::dup_with_info(comm: Comm, info: Info, newcomm: Ref<Comm>);
plain Comm_idup = communicators::idup(comm: Comm, newcomm: Ref<Comm>, request: Ref<Request>);
plain Comm_idup_with_info = communicators::idup_with_info(comm: Comm, info: Info, newcomm: Ref<Comm>, request: Ref<Request>);
plain Comm_create = communicators::create(comm: Comm, group: Group, newcomm: Ref<Comm>);
plain Comm_create_group = communicators::create_group(comm: Comm, group: Group, tag: Tag, newcomm: Ref<Comm>);
plain Comm_split = communicators::split(comm: Comm, color: Index, key: c_int, newcomm: Ref<Comm>);
plain Comm_split_type = communicators::split_type(comm: Comm, split_type: Split, key: c_int, info: Info, newcomm: Ref<Comm>);
plain Comm_create_from_group = sessions::comm_create_from_group(group: Group, stringtag: Text, info: Info, errhandler: Errhandler, newcomm: Ref<Comm>);
plain Comm_free = communicators::free(comm: Ref<Comm>);
plain Comm_set_info = communicators::set_info(comm: Comm, info: Info);
plain Comm_get_info = communicators::get_info(comm: Comm, info_used: Ref<Info>);
plain Comm_test_inter = intercommunicators::test_inter(comm: Comm, flag: Ref<c_int>);
plain Comm_remote_size = intercommunicators::remote_size(comm: Comm, size: Ref<c_int>);
plain Comm_remote_group = intercommunicators::remote_group(comm: Comm, group: Ref<Group>);
plain Intercomm_create = intercommunicators::create(local_comm: Comm, local_leader: Rank, peer_comm: Comm, remote_leader: Rank, tag: Tag, newintercomm: Ref<Comm>);
plain Intercomm_create_from_groups = intercommunicators::create_from_groups(local_group: Group, local_leader: Rank, remote_group: Group, remote_leader: Rank, stringtag: Text, info: Info, errhandler: Errhandler, newintercomm: Ref<Comm>);
plain Intercomm_merge = intercommunicators::merge(intercomm: Comm, high: c_int, newintracomm: Ref<Comm>);
plain Comm_create_keyval = attributes::comm_create_keyval(comm_copy_attr_fn: CopyCommAttribute, comm_delete_attr_fn: DeleteCommAttribute, comm_keyval: Ref<Keyval>, extra_state: Pointer);
plain Comm_free_keyval = attributes::comm_free_keyval(comm_keyval: Ref<Keyval>);
plain Comm_set_attr = attributes::comm_set_attr(comm: Comm, comm_keyval: Keyval, attribute_val: Pointer);
plain Comm_get_attr = attributes::comm_get_attr(comm: Comm, comm_keyval: Keyval, attribute_val: Pointer, flag: Ref<c_int>);
plain Comm_delete_attr = attributes::comm_delete_attr(comm: Comm, comm_keyval: Keyval);
plain Win_create_keyval = attributes::win_create_keyval(win_copy_attr_fn: CopyWinAttribute, win_delete_attr_fn: DeleteWinAttribute, win_keyval: Ref<Keyval>, extra_state: Pointer);
plain Win_free_keyval = attributes::win_free_keyval(win_keyval: Ref<Keyval>);
missing Win_set_attr = attributes::win_set_attr(win: Win, win_keyval: Keyval, attribute_val: Pointer);
missing Win_get_attr = attributes::win_get_attr(win: Win, win_keyval: Keyval, attribute_val: Pointer, flag: Ref<c_int>);
missing Win_delete_attr = attributes::win_delete_attr(win: Win, win_keyval: Keyval);
plain Type_create_keyval = attributes::type_create_keyval(type_copy_attr_fn: CopyTypeAttribute, type_delete_attr_fn: DeleteTypeAttribute, type_keyval: Ref<Keyval>, extra_state: Pointer);
plain Type_free_keyval = attributes::type_free_keyval(type_keyval: Ref<Keyval>);
plain Type_set_attr = attributes::type_set_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: Pointer);
plain Type_get_attr = attributes::type_get_attr(datatype: Datatype, type_keyval: Keyval, attribute_val: Pointer, flag: Ref<c_int>);
plain Type_delete_attr = attributes::type_delete_attr(datatype: Datatype, type_keyval: Keyval);
plain Comm_set_name = names::comm_set_name(comm: Comm, comm_name: Text);
plain Comm_get_name = names::comm_get_name(comm: Comm, comm_name: TextAt, resultlen: Ref<c_int>);
plain Type_set_name = names::type_set_name(datatype: Datatype, type_name: Text);
plain Type_get_name = names::type_get_name(datatype: Datatype, type_name: TextAt, resultlen: Ref<c_int>);
missing Win_set_name = names::win_set_name(win: Win, win_name: Text);
missing Win_get_name = names::win_get_name(win: Win, win_name: TextAt, resultlen: Ref<c_int>);

// Chapter 8: topologies.
plain Cart_create = topologies::cart_create(comm_old: Comm, ndims: c_int, dims: ConstArray<c_int>, periods: ConstArray<c_int>, reorder: c_int, comm_cart: Ref<Comm>);
plain Dims_create = topologies::dims_create(nnodes: c_int, ndims: c_int, dims: Array<c_int>);
plain Graph_create = topologies::graph_create(comm_old: Comm, nnodes: c_int, index: ConstArray<c_int>, edges: ConstArray<c_int>, reorder: c_int, comm_graph: Ref<Comm>);
plain Dist_graph_create_adjacent = topologies::dist_graph_create_adjacent(comm_old: Comm, indegree: c_int, sources: ConstArray<Rank>, sourceweights: Const<Weight>, outdegree: c_int, destinations: ConstArray<Rank>, destweights: Const<Weight>, info: Info, reorder: c_int, comm_dist_graph: Ref<Comm>);
plain Dist_graph_create = topologies::dist_graph_create(comm_old: Comm, n: c_int, sources: ConstArray<Rank>, degrees: ConstArray<c_int>, destinations: ConstArray<Rank>, weights: Const<Weight>, info: Info, reorder: c_int, comm_dist_graph: Ref<Comm>);
plain Topo_test = topologies::topo_test(comm: Comm, status: Ref<Topology>);
plain Graphdims_get = topologies::graphdims_get(comm: Comm, nnodes: Ref<c_int>, nedges: Ref<c_int>);
plain Graph_get = topologies::graph_get(comm: Comm, maxindex: c_int, maxedges: c_int, index: Array<c_int>, edges: Array<c_int>);
plain Cartdim_get = topologies::cartdim_get(comm: Comm, ndims: Ref<c_int>);
plain Cart_get = topologies::cart_get(comm: Comm, maxdims: c_int, dims: Array<c_int>, periods: Array<c_int>, coords: Array<c_int>);
plain Cart_rank = topologies::cart_rank(comm: Comm, coords: ConstArray<c_int>, rank: Ref<Rank>);
plain Cart_coords = topologies::cart_coords(comm: Comm, rank: Rank, maxdims: c_int, coords: Array<c_int>);
plain Graph_neighbors_count = topologies::graph_neighbors_count(comm: Comm, rank: Rank, nneighbors: Ref<c_int>);
plain Graph_neighbors = topologies::graph_neighbors(comm: Comm, rank: Rank, maxneighbors: c_int, neighbors: Array<Rank>);
plain Dist_graph_neighbors_count = topologies::dist_graph_neighbors_count(comm: Comm, indegree: Ref<c_int>, outdegree: Ref<c_int>, weighted: Ref<c_int>);
plain Dist_graph_neighbors = topologies::dist_graph_neighbors(comm: Comm, maxindegree: c_int, sources: Array<Rank>, sourceweights: Ref<Weight>, maxoutdegree: c_int, destinations: Array<Rank>, destweights: Ref<Weight>);
plain Cart_shift = topologies::cart_shift(comm: Comm, direction: c_int, disp: c_int, rank_source: Ref<Rank>, rank_dest: Ref<Rank>);
plain Cart_sub = topologies::cart_sub(comm: Comm, remain_dims: ConstArray<c_int>, newcomm: Ref<Comm>);
plain Cart_map = topologies::cart_map(comm: Comm, ndims: c_int, dims: ConstArray<c_int>, periods: ConstArray<c_int>, newrank: Ref<Index>);
plain Graph_map = topologies::graph_map(comm: Comm, nnodes: c_int, index: ConstArray<c_int>, edges: ConstArray<c_int>, newrank: Ref<Index>);
large Neighbor_allgather = neighbors::allgather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm);
large Neighbor_allgatherv = neighbors::allgatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm);
large Neighbor_alltoall = neighbors::alltoall(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm);
large Neighbor_alltoallv = neighbors::alltoallv(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm);
large Neighbor_alltoallw = neighbors::alltoallw(sendbuf: Data, sendcounts: Counts, sdispls: ConstArray<isize>, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: ConstArray<isize>, recvtypes: ConstArray<Datatype>, comm: Comm);
large Ineighbor_allgather = neighbors::iallgather(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ineighbor_allgatherv = neighbors::iallgatherv(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ineighbor_alltoall = neighbors::ialltoall(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ineighbor_alltoallv = neighbors::ialltoallv(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm, request: Ref<Request>);
large Ineighbor_alltoallw = neighbors::ialltoallw(sendbuf: Data, sendcounts: Counts, sdispls: ConstArray<isize>, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: ConstArray<isize>, recvtypes: ConstArray<Datatype>, comm: Comm, request: Ref<Request>);
large Neighbor_allgather_init = neighbors::allgather_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Neighbor_allgatherv_init = neighbors::allgatherv_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, displs: Displacements, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Neighbor_alltoall_init = neighbors::alltoall_init(sendbuf: Data, sendcount: Count, sendtype: Datatype, recvbuf: Buffer, recvcount: Count, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Neighbor_alltoallv_init = neighbors::alltoallv_init(sendbuf: Data, sendcounts: Counts, sdispls: Displacements, sendtype: Datatype, recvbuf: Buffer, recvcounts: Counts, rdispls: Displacements, recvtype: Datatype, comm: Comm, info: Info, request: Ref<Request>);
large Neighbor_alltoallw_init = neighbors::alltoallw_init(sendbuf: Data, sendcounts: Counts, sdispls: ConstArray<isize>, sendtypes: ConstArray<Datatype>, recvbuf: Buffer, recvcounts: Counts, rdispls: ConstArray<isize>, recvtypes: ConstArray<Datatype>, comm: Comm, info: Info, request: Ref<Request>);

// Chapter 9: the environment.
plain Get_version = versions::get_version(version: Ref<c_int>, subversion: Ref<c_int>);
plain Get_library_version = environment::get_library_version(version: TextAt, resultlen: Ref<c_int>);
plain Get_processor_name = environment::get_processor_name(name: TextAt, resultlen: Ref<c_int>);
plain Get_hw_resource_info = environment::get_hw_resource_info(hw_info: Ref<Info>);
plain Alloc_mem = environment::alloc_mem(size: isize, info: Info, baseptr: Pointer);
plain Free_mem = environment::free_mem(base: Buffer);
plain Comm_create_errhandler = errors::comm_create_errhandler(comm_errhandler_fn: CommErrorFunction, errhandler: Ref<Errhandler>);
plain Comm_set_errhandler = errors::comm_set_errhandler(comm: Comm, errhandler: Errhandler);
plain Comm_get_errhandler = errors::comm_get_errhandler(comm: Comm, errhandler: Ref<Errhandler>);
plain Win_create_errhandler = errors::win_create_errhandler(win_errhandler_fn: WinErrorFunction, errhandler: Ref<Errhandler>);
missing Win_set_errhandler = errors::win_set_errhandler(win: Win, errhandler: Errhandler);
missing Win_get_errhandler = errors::win_get_errhandler(win: Win, errhandler: Ref<Errhandler>);
plain File_create_errhandler = errors::file_create_errhandler(file_errhandler_fn: FileErrorFunction, errhandler: Ref<Errhandler>);
plain File_set_errhandler = errors::file_set_errhandler(file: File, errhandler: Errhandler);
plain File_get_errhandler = errors::file_get_errhandler(file: File, errhandler: Ref<Errhandler>);
plain Session_create_errhandler = errors::session_create_errhandler(session_errhandler_fn: SessionErrorFunction, errhandler: Ref<Errhandler>);
plain Session_set_errhandler = errors::session_set_errhandler(session: Session, errhandler: Errhandler);
plain Session_get_errhandler = errors::session_get_errhandler(session: Session, errhandler: Ref<Errhandler>);
plain Errhandler_free = errors::errhandler_free(errhandler: Ref<Errhandler>);
plain Error_string = errors::error_string(errorcode: Code, string: TextAt, resultlen: Ref<c_int>);
plain Error_class = errors::error_class(errorcode: Code, errorclass: Ref<Code>);
plain Add_error_class = errors::add_error_class(errorclass: Ref<Code>);
plain Remove_error_class = errors::remove_error_class(errorclass: Code);
plain Add_error_code = errors::add_error_code(errorclass: Code, errorcode: Ref<Code>);
plain Remove_error_code = errors::remove_error_code(errorcode: Code);
plain Add_error_string = errors::add_error_string(errorcode: Code, string: Text);
plain Remove_error_string = errors::remove_error_string(errorcode: Code);
plain Comm_call_errhandler = errors::comm_call_errhandler(comm: Comm, errorcode: Code);
missing Win_call_errhandler = errors::win_call_errhandler(win: Win, errorcode: Code);
plain File_call_errhandler = errors::file_call_errhandler(fh: File, errorcode: Code);
plain Session_call_errhandler = errors::session_call_errhandler(session: Session, errorcode: Code);
value Wtime = environment::wtime() -> f64;
value Wtick = environment::wtick() -> f64;

// Chapter 10: info objects.
plain Info_create = info::create(info: Ref<Info>);
plain Info_create_env = info::create_env(argc: c_int, argv: Texts, info: Ref<Info>);
plain Info_set = info::set(info: Info, key: Text, value: Text);
plain Info_delete = info::delete(info: Info, key: Text);
plain Info_get_string = info::get_string(info: Info, key: Text, buflen: Ref<c_int>, value: TextAt, flag: Ref<c_int>);
plain Info_get = info::get(info: Info, key: Text, valuelen: c_int, value: TextAt, flag: Ref<c_int>);
plain Info_get_valuelen = info::get_valuelen(info: Info, key: Text, valuelen: Ref<c_int>, flag: Ref<c_int>);
plain Info_get_nkeys = info::get_nkeys(info: Info, nkeys: Ref<c_int>);
plain Info_get_nthkey = info::get_nthkey(info: Info, n: c_int, key: TextAt);
plain Info_dup = info::dup(info: Info, newinfo: Ref<Info>);
plain Info_free = info::free(info: Ref<Info>);

// Chapter 11: beginning, end, and dynamic processes.
plain Init = environment::init(argc: Ref<c_int>, argv: Arguments);
plain Init_thread = environment::init_thread(argc: Ref<c_int>, argv: Arguments, required: Threads, provided: Ref<Threads>);
plain Initialized = environment::initialized(flag: Ref<c_int>);
plain Finalize = environment::finalize();
plain Query_thread = environment::query_thread(provided: Ref<Threads>);
plain Is_thread_main = environment::is_thread_main(flag: Ref<c_int>);
plain Finalized = environment::finalized(flag: Ref<c_int>);
plain Session_init = sessions::init(info: Info, errhandler: Errhandler, session: Ref<Session>);
plain Session_finalize = sessions::finalize(session: Ref<Session>);
plain Session_get_num_psets = sessions::get_num_psets(session: Session, info: Info, npset_names: Ref<c_int>);
plain Session_get_nth_pset = sessions::get_nth_pset(session: Session, info: Info, n: c_int, pset_len: Ref<c_int>, pset_name: TextAt);
plain Session_get_info = sessions::get_info(session: Session, info_used: Ref<Info>);
plain Session_get_pset_info = sessions::get_pset_info(session: Session, pset_name: Text, info: Ref<Info>);
plain Abort = environment::abort(comm: Comm, errorcode: c_int);
missing Comm_spawn = dynamic::spawn(command: Text, argv: Texts, maxprocs: c_int, info: Info, root: Rank, comm: Comm, intercomm: Ref<Comm>, array_of_errcodes: Array<Code>);
plain Comm_get_parent = dynamic::get_parent(parent: Ref<Comm>);
missing Comm_spawn_multiple = dynamic::spawn_multiple(count: c_int, array_of_commands: Texts, array_of_argv: TextLists, array_of_maxprocs: ConstArray<c_int>, array_of_info: ConstArray<Info>, root: Rank, comm: Comm, intercomm: Ref<Comm>, array_of_errcodes: Array<Code>);
missing Open_port = dynamic::open_port(info: Info, port_name: TextAt);
missing Close_port = dynamic::close_port(port_name: Text);
missing Comm_accept = dynamic::accept(port_name: Text, info: Info, root: Rank, comm: Comm, newcomm: Ref<Comm>);
missing Comm_connect = dynamic::connect(port_name: Text, info: Info, root: Rank, comm: Comm, newcomm: Ref<Comm>);
missing Publish_name = dynamic::publish_name(service_name: Text, info: Info, port_name: Text);
missing Unpublish_name = dynamic::unpublish_name(service_name: Text, info: Info, port_name: Text);
missing Lookup_name = dynamic::lookup_name(service_name: Text, info: Info, port_name: TextAt);
plain Comm_disconnect = dynamic::disconnect(comm: Ref<Comm>);
missing Comm_join = dynamic::join(fd: c_int, intercomm: Ref<Comm>);

// Chapter 12: one-sided communication.
missing_large Win_create = windows::create(base: Buffer, size: isize, disp_unit: Displacement, info: Info, comm: Comm, win: Ref<Win>);
missing_large Win_allocate = windows::allocate(size: isize, disp_unit: Displacement, info: Info, comm: Comm, baseptr: Pointer, win: Ref<Win>);
missing_large Win_allocate_shared = windows::allocate_shared(size: isize, disp_unit: Displacement, info: Info, comm: Comm, baseptr: Pointer, win: Ref<Win>);
missing_large Win_shared_query = windows::shared_query(win: Win, rank: Rank, size: Ref<isize>, disp_unit: DisplacementAt, baseptr: Pointer);
missing Win_create_dynamic = windows::create_dynamic(info: Info, comm: Comm, win: Ref<Win>);
missing Win_attach = windows::attach(win: Win, base: Buffer, size: isize);
missing Win_detach = windows::detach(win: Win, base: Data);
missing Win_free = windows::free(win: Ref<Win>);
missing Win_get_group = windows::get_group(win: Win, group: Ref<Group>);
missing Win_set_info = windows::set_info(win: Win, info: Info);
missing Win_get_info = windows::get_info(win: Win, info_used: Ref<Info>);
missing_large Put = windows::put(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, win: Win);
missing_large Get = windows::get(origin_addr: Buffer, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, win: Win);
missing_large Accumulate = windows::accumulate(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, op: Op, win: Win);
missing_large Get_accumulate = windows::get_accumulate(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, result_addr: Buffer, result_count: Count, result_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, op: Op, win: Win);
missing Fetch_and_op = windows::fetch_and_op(origin_addr: Data, result_addr: Buffer, datatype: Datatype, target_rank: Rank, target_disp: isize, op: Op, win: Win);
missing Compare_and_swap = windows::compare_and_swap(origin_addr: Data, compare_addr: Data, result_addr: Buffer, datatype: Datatype, target_rank: Rank, target_disp: isize, win: Win);
missing_large Rput = windows::rput(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, win: Win, request: Ref<Request>);
missing_large Rget = windows::rget(origin_addr: Buffer, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, win: Win, request: Ref<Request>);
missing_large Raccumulate = windows::raccumulate(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, op: Op, win: Win, request: Ref<Request>);
missing_large Rget_accumulate = windows::rget_accumulate(origin_addr: Data, origin_count: Count, origin_datatype: Datatype, result_addr: Buffer, result_count: Count, result_datatype: Datatype, target_rank: Rank, target_disp: isize, target_count: Count, target_datatype: Datatype, op: Op, win: Win, request: Ref<Request>);
missing Win_fence = windows::fence(assertion: Assertion, win: Win);
missing Win_start = windows::start(group: Group, assertion: Assertion, win: Win);
missing Win_complete = windows::complete(win: Win);
missing Win_post = windows::post(group: Group, assertion: Assertion, win: Win);
missing Win_wait = windows::wait(win: Win);
missing Win_test = windows::test(win: Win, flag: Ref<c_int>);
missing Win_lock = windows::lock(lock_type: Lock, rank: Rank, assertion: Assertion, win: Win);
missing Win_lock_all = windows::lock_all(assertion: Assertion, win: Win);
missing Win_unlock = windows::unlock(rank: Rank, win: Win);
missing Win_unlock_all = windows::unlock_all(win: Win);
missing Win_flush = windows::flush(rank: Rank, win: Win);
missing Win_flush_all = windows::flush_all(win: Win);
missing Win_flush_local = windows::flush_local(rank: Rank, win: Win);
missing Win_flush_local_all = windows::flush_local_all(win: Win);
missing Win_sync = windows::sync(win: Win);

// Chapter 13: generalized requests.
plain Grequest_start = generalized::grequest_start(query_fn: QueryFunction, free_fn: FreeFunction, cancel_fn: CancelFunction, extra_state: Pointer, request: Ref<Request>);
plain Grequest_complete = generalized::grequest_complete(request: Request);
large Status_set_elements = statuses::set_elements(status: Ref<Status>, datatype: Datatype, count: Count);
plain Status_set_elements_x = statuses::set_elements_x(status: Ref<Status>, datatype: Datatype, count: i64);
plain Status_set_cancelled = statuses::set_cancelled(status: Ref<Status>, flag: c_int);
plain Status_set_source = statuses::set_source(status: Ref<Status>, source: Rank);
plain Status_set_tag = statuses::set_tag(status: Ref<Status>, tag: Tag);
plain Status_set_error = statuses::set_error(status: Ref<Status>, error: Code);

// Chapter 14: files.
missing File_open = files::open(comm: Comm, filename: Text, amode: FileMode, info: Info, fh: Ref<File>);
missing File_close = files::close(fh: Ref<File>);
missing File_delete = files::delete(filename: Text, info: Info);
missing File_set_size = files::set_size(fh: File, size: Offset);
missing File_preallocate = files::preallocate(fh: File, size: Offset);
missing File_get_size = files::get_size(fh: File, size: Ref<Offset>);
missing File_get_group = files::get_group(fh: File, group: Ref<Group>);
missing File_get_amode = files::get_amode(fh: File, amode: Ref<FileMode>);
missing File_set_info = files::set_info(fh: File, info: Info);
missing File_get_info = files::get_info(fh: File, info_used: Ref<Info>);
missing File_set_view = files::set_view(fh: File, disp: ViewDisplacement, etype: Datatype, filetype: Datatype, datarep: Text, info: Info);
missing File_get_view = files::get_view(fh: File, disp: Ref<Offset>, etype: Ref<Datatype>, filetype: Ref<Datatype>, datarep: TextAt);
missing_large File_read_at = files::read_at(fh: File, offset: Offset, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_read_at_all = files::read_at_all(fh: File, offset: Offset, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write_at = files::write_at(fh: File, offset: Offset, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write_at_all = files::write_at_all(fh: File, offset: Offset, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_iread_at = files::iread_at(fh: File, offset: Offset, buf: Buffer, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iread_at_all = files::iread_at_all(fh: File, offset: Offset, buf: Buffer, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iwrite_at = files::iwrite_at(fh: File, offset: Offset, buf: Data, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iwrite_at_all = files::iwrite_at_all(fh: File, offset: Offset, buf: Data, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_read = files::read(fh: File, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_read_all = files::read_all(fh: File, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write = files::write(fh: File, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write_all = files::write_all(fh: File, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_iread = files::iread(fh: File, buf: Buffer, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iread_all = files::iread_all(fh: File, buf: Buffer, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iwrite = files::iwrite(fh: File, buf: Data, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iwrite_all = files::iwrite_all(fh: File, buf: Data, count: Count, datatype: Datatype, request: Ref<Request>);
missing File_seek = files::seek(fh: File, offset: Offset, whence: Seek);
missing File_get_position = files::get_position(fh: File, offset: Ref<Offset>);
missing File_get_byte_offset = files::get_byte_offset(fh: File, offset: Offset, disp: Ref<Offset>);
missing_large File_read_shared = files::read_shared(fh: File, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write_shared = files::write_shared(fh: File, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_iread_shared = files::iread_shared(fh: File, buf: Buffer, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_iwrite_shared = files::iwrite_shared(fh: File, buf: Data, count: Count, datatype: Datatype, request: Ref<Request>);
missing_large File_read_ordered = files::read_ordered(fh: File, buf: Buffer, count: Count, datatype: Datatype, status: Ref<Status>);
missing_large File_write_ordered = files::write_ordered(fh: File, buf: Data, count: Count, datatype: Datatype, status: Ref<Status>);
missing File_seek_shared = files::seek_shared(fh: File, offset: Offset, whence: Seek);
missing File_get_position_shared = files::get_position_shared(fh: File, offset: Ref<Offset>);
missing_large File_read_at_all_begin = files::read_at_all_begin(fh: File, offset: Offset, buf: Buffer, count: Count, datatype: Datatype);
missing File_read_at_all_end = files::read_at_all_end(fh: File, buf: Buffer, status: Ref<Status>);
missing_large File_write_at_all_begin = files::write_at_all_begin(fh: File, offset: Offset, buf: Data, count: Count, datatype: Datatype);
missing File_write_at_all_end = files::write_at_all_end(fh: File, buf: Data, status: Ref<Status>);
missing_large File_read_all_begin = files::read_all_begin(fh: File, buf: Buffer, count: Count, datatype: Datatype);
missing File_read_all_end = files::read_all_end(fh: File, buf: Buffer, status: Ref<Status>);
missing_large File_write_all_begin = files::write_all_begin(fh: File, buf: Data, count: Count, datatype: Datatype);
missing File_write_all_end = files::write_all_end(fh: File, buf: Data, status: Ref<Status>);
missing_large File_read_ordered_begin = files::read_ordered_begin(fh: File, buf: Buffer, count: Count, datatype: Datatype);
missing File_read_ordered_end = files::read_ordered_end(fh: File, buf: Buffer, status: Ref<Status>);
missing_large File_write_ordered_begin = files::write_ordered_begin(fh: File, buf: Data, count: Count, datatype: Datatype);
missing File_write_ordered_end = files::write_ordered_end(fh: File, buf: Data, status: Ref<Status>);
missing_large File_get_type_extent = files::get_type_extent(fh: File, datatype: Datatype, extent: ExtentAt);
missing_large Register_datarep = files::register_datarep(datarep: Text, read_conversion_fn: ConversionFunction, write_conversion_fn: ConversionFunction, dtype_file_extent_fn: ExtentFunction, extra_state: Pointer);
missing File_set_atomicity = files::set_atomicity(fh: File, flag: c_int);
missing File_get_atomicity = files::get_atomicity(fh: File, flag: Ref<c_int>);
missing File_sync = files::sync(fh: File);

// Chapter 15: tools.
plain Pcontrol = tools::pcontrol(level: c_int, more: More);
plain T_init_thread = tools::init_thread(required: Threads, provided: Ref<Threads>);
plain T_finalize = tools::finalize();
missing T_enum_get_info = tools::enum_get_info(enumtype: ToolEnum, num: Ref<c_int>, name: TextAt, name_len: Ref<c_int>);
missing T_enum_get_item = tools::enum_get_item(enumtype: ToolEnum, index: c_int, value: Ref<c_int>, name: TextAt, name_len: Ref<c_int>);
plain T_cvar_get_num = tools::cvar_get_num(num_cvar: Ref<c_int>);
missing T_cvar_get_info = tools::cvar_get_info(cvar_index: c_int, name: TextAt, name_len: Ref<c_int>, verbosity: Ref<c_int>, datatype: Ref<Datatype>, enumtype: Ref<ToolEnum>, desc: TextAt, desc_len: Ref<c_int>, bind: Ref<c_int>, scope: Ref<c_int>);
plain T_cvar_get_index = tools::cvar_get_index(name: Text, cvar_index: Ref<c_int>);
missing T_cvar_handle_alloc = tools::cvar_handle_alloc(cvar_index: c_int, obj_handle: Pointer, handle: Ref<ControlVariable>, count: Ref<c_int>);
missing T_cvar_handle_free = tools::cvar_handle_free(handle: Ref<ControlVariable>);
missing T_cvar_read = tools::cvar_read(handle: ControlVariable, buf: Pointer);
missing T_cvar_write = tools::cvar_write(handle: ControlVariable, buf: Data);
plain T_pvar_get_num = tools::pvar_get_num(num_pvar: Ref<c_int>);
missing T_pvar_get_info = tools::pvar_get_info(pvar_index: c_int, name: TextAt, name_len: Ref<c_int>, verbosity: Ref<c_int>, var_class: Ref<c_int>, datatype: Ref<Datatype>, enumtype: Ref<ToolEnum>, desc: TextAt, desc_len: Ref<c_int>, bind: Ref<c_int>, readonly: Ref<c_int>, continuous: Ref<c_int>, atomic: Ref<c_int>);
plain T_pvar_get_index = tools::pvar_get_index(name: Text, var_class: c_int, pvar_index: Ref<c_int>);
missing T_pvar_session_create = tools::pvar_session_create(session: Ref<PerformanceSession>);
missing T_pvar_session_free = tools::pvar_session_free(session: Ref<PerformanceSession>);
missing T_pvar_handle_alloc = tools::pvar_handle_alloc(session: PerformanceSession, pvar_index: c_int, obj_handle: Pointer, handle: Ref<PerformanceVariable>, count: Ref<c_int>);
missing T_pvar_handle_free = tools::pvar_handle_free(session: PerformanceSession, handle: Ref<PerformanceVariable>);
missing T_pvar_start = tools::pvar_start(session: PerformanceSession, handle: PerformanceVariable);
missing T_pvar_stop = tools::pvar_stop(session: PerformanceSession, handle: PerformanceVariable);
missing T_pvar_read = tools::pvar_read(session: PerformanceSession, handle: PerformanceVariable, buf: Pointer);
missing T_pvar_write = tools::pvar_write(session: PerformanceSession, handle: PerformanceVariable, buf: Data);
missing T_pvar_reset = tools::pvar_reset(session: PerformanceSession, handle: PerformanceVariable);
missing T_pvar_readreset = tools::pvar_readreset(session: PerformanceSession, handle: PerformanceVariable, buf: Pointer);
plain T_source_get_num = tools::source_get_num(num_sources: Ref<c_int>);
missing T_source_get_info = tools::source_get_info(source_index: c_int, name: TextAt, name_len: Ref<c_int>, desc: TextAt, desc_len: Ref<c_int>, ordering: Ref<EventOrder>, ticks_per_second: Ref<i64>, max_ticks: Ref<i64>, info: Ref<Info>);
missing T_source_get_timestamp = tools::source_get_timestamp(source_index: c_int, timestamp: Ref<i64>);
plain T_event_get_num = tools::event_get_num(num_events: Ref<c_int>);
missing T_event_get_info = tools::event_get_info(event_index: c_int, name: TextAt, name_len: Ref<c_int>, verbosity: Ref<c_int>, array_of_datatypes: Array<Datatype>, array_of_displacements: Array<isize>, num_elements: Ref<c_int>, enumtype: Ref<ToolEnum>, info: Ref<Info>, desc: TextAt, desc_len: Ref<c_int>, bind: Ref<c_int>);
plain T_event_get_index = tools::event_get_index(name: Text, event_index: Ref<c_int>);
missing T_event_handle_alloc = tools::event_handle_alloc(event_index: c_int, obj_handle: Pointer, info: Info, event_registration: Ref<EventRegistration>);
missing T_event_handle_set_info = tools::event_handle_set_info(event_registration: EventRegistration, info: Info);
missing T_event_handle_get_info = tools::event_handle_get_info(event_registration: EventRegistration, info_used: Ref<Info>);
missing T_event_register_callback = tools::event_register_callback(event_registration: EventRegistration, cb_safety: EventSafety, info: Info, user_data: Pointer, event_cb_function: EventFunction);
missing T_event_callback_set_info = tools::event_callback_set_info(event_registration: EventRegistration, cb_safety: EventSafety, info: Info);
missing T_event_callback_get_info = tools::event_callback_get_info(event_registration: EventRegistration, cb_safety: EventSafety, info_used: Ref<Info>);
missing T_event_handle_free = tools::event_handle_free(event_registration: EventRegistration, user_data: Pointer, free_cb_function: EventFreeFunction);
missing T_event_set_dropped_handler = tools::event_set_dropped_handler(event_registration: EventRegistration, dropped_cb_function: EventDroppedFunction);
missing T_event_read = tools::event_read(event_instance: Event, element_index: c_int, buffer: Pointer);
missing T_event_copy = tools::event_copy(event_instance: Event, buffer: Pointer);
missing T_event_get_timestamp = tools::event_get_timestamp(event_instance: Event, event_timestamp: Ref<i64>);
missing T_event_get_source = tools::event_get_source(event_instance: Event, source_index: Ref<c_int>);
plain T_category_get_num = tools::category_get_num(num_cat: Ref<c_int>);
missing T_category_get_info = tools::category_get_info(cat_index: c_int, name: TextAt, name_len: Ref<c_int>, desc: TextAt, desc_len: Ref<c_int>, num_cvars: Ref<c_int>, num_pvars: Ref<c_int>, num_categories: Ref<c_int>);
missing T_category_get_num_events = tools::category_get_num_events(cat_index: c_int, num_events: Ref<c_int>);
plain T_category_get_index = tools::category_get_index(name: Text, cat_index: Ref<c_int>);
missing T_category_get_cvars = tools::category_get_cvars(cat_index: c_int, len: c_int, indices: Array<c_int>);
missing T_category_get_pvars = tools::category_get_pvars(cat_index: c_int, len: c_int, indices: Array<c_int>);
missing T_category_get_events = tools::category_get_events(cat_index: c_int, len: c_int, indices: Array<c_int>);
missing T_category_get_categories = tools::category_get_categories(cat_index: c_int, len: c_int, indices: Array<c_int>);
plain T_category_changed = tools::category_changed(update_number: Ref<c_int>);

// Chapter 16: functions that are deprecated.
plain Keyval_create = attributes::keyval_create(copy_fn: CopyAttribute, delete_fn: DeleteAttribute, keyval: Ref<Keyval>, extra_state: Pointer);
plain Keyval_free = attributes::keyval_free(keyval: Ref<Keyval>);
plain Attr_put = attributes::attr_put(comm: Comm, keyval: Keyval, attribute_val: Pointer);
plain Attr_get = attributes::attr_get(comm: Comm, keyval: Keyval, attribute_val: Pointer, flag: Ref<c_int>);
plain Attr_delete = attributes::attr_delete(comm: Comm, keyval: Keyval);

// Chapters 5 and 19: Fortran.
plain Type_create_f90_real = datatypes::create_f90_real(p: c_int, r: c_int, newtype: Ref<Datatype>);
plain Type_create_f90_complex = datatypes::create_f90_complex(p: c_int, r: c_int, newtype: Ref<Datatype>);
plain Type_create_f90_integer = datatypes::create_f90_integer(r: c_int, newtype: Ref<Datatype>);
plain Type_match_size = datatypes::match_size(typeclass: Typeclass, size: c_int, datatype: Ref<Datatype>);

// Chapter 20: integers for handles.
value Comm_toint = conversions::comm_toint(comm: Comm) -> c_int;
value Comm_fromint = conversions::comm_fromint(comm: c_int) -> Comm;
value Errhandler_toint = conversions::errhandler_toint(errhandler: Errhandler) -> c_int;
value Errhandler_fromint = conversions::errhandler_fromint(errhandler: c_int) -> Errhandler;
value File_toint = conversions::file_toint(file: File) -> c_int;
value File_fromint = conversions::file_fromint(file: c_int) -> File;
value Group_toint = conversions::group_toint(group: Group) -> c_int;
value Group_fromint = conversions::group_fromint(group: c_int) -> Group;
value Info_toint = conversions::info_toint(info: Info) -> c_int;
value Info_fromint = conversions::info_fromint(info: c_int) -> Info;
value Message_toint = conversions::message_toint(message: Message) -> c_int;
value Message_fromint = conversions::message_fromint(message: c_int) -> Message;
value Op_toint = conversions::op_toint(op: Op) -> c_int;
value Op_fromint = conversions::op_fromint(op: c_int) -> Op;
value Request_toint = conversions::request_toint(request: Request) -> c_int;
value Request_fromint = conversions::request_fromint(request: c_int) -> Request;
value Session_toint = conversions::session_toint(session: Session) -> c_int;
value Session_fromint = conversions::session_fromint(session: c_int) -> Session;
value Type_toint = conversions::type_toint(datatype: Datatype) -> c_int;
value Type_fromint = conversions::type_fromint(datatype: c_int) -> Datatype;
value Win_toint = conversions::win_toint(win: Win) -> c_int;
value Win_fromint = conversions::win_fromint(win: c_int) -> Win;
    } };
}

/// Passes the functions by which a program asks for the standard ABI, which only that has.
#[macro_export]
macro_rules! abi_functions {
    ($then:path, ($($context:tt)*)) => { $then! { ($($context)*)

plain Abi_get_version = versions::abi_get_version(abi_major: Ref<c_int>, abi_minor: Ref<c_int>);
plain Abi_get_info = versions::abi_get_info(info: Ref<Info>);
plain Abi_get_fortran_info = versions::abi_get_fortran_info(info: Ref<Info>);
plain Abi_set_fortran_info = versions::abi_set_fortran_info(info: Info);
plain Abi_get_fortran_booleans = versions::abi_get_fortran_booleans(logical_size: c_int, logical_true: Pointer, logical_false: Pointer, is_set: Ref<c_int>);
plain Abi_set_fortran_booleans = versions::abi_set_fortran_booleans(logical_size: c_int, logical_true: Pointer, logical_false: Pointer);
    } };
}

/// Passes the functions of earlier versions of MPI and for Fortran, which the standard ABI does not have.
#[macro_export]
macro_rules! older_functions {
    ($then:path, ($($context:tt)*)) => { $then! { ($($context)*)

// Removed from the standard.
plain Address = datatypes::address(location: Buffer, address: Ref<isize>);
plain Type_hvector = datatypes::hvector(count: c_int, blocklength: c_int, stride: isize, oldtype: Datatype, newtype: Ref<Datatype>);
plain Type_hindexed = datatypes::hindexed(count: c_int, array_of_blocklengths: Array<c_int>, array_of_displacements: Array<isize>, oldtype: Datatype, newtype: Ref<Datatype>);
plain Type_struct = datatypes::structure(count: c_int, array_of_blocklengths: Array<c_int>, array_of_displacements: Array<isize>, array_of_types: Array<Datatype>, newtype: Ref<Datatype>);
plain Type_extent = datatypes::extent(datatype: Datatype, extent: Ref<isize>);
plain Type_lb = datatypes::lb(datatype: Datatype, displacement: Ref<isize>);
plain Type_ub = datatypes::ub(datatype: Datatype, displacement: Ref<isize>);
plain Errhandler_create = errors::errhandler_create(handler_fn: ErrorFunction, errhandler: Ref<Errhandler>);
plain Errhandler_set = errors::errhandler_set(comm: Comm, errhandler: Errhandler);
plain Errhandler_get = errors::errhandler_get(comm: Comm, errhandler: Ref<Errhandler>);

// Handles in Fortran.
value Comm_c2f = conversions::comm_c2f(comm: Comm) -> c_int;
value Comm_f2c = conversions::comm_f2c(comm: c_int) -> Comm;
value Errhandler_c2f = conversions::errhandler_c2f(errhandler: Errhandler) -> c_int;
value Errhandler_f2c = conversions::errhandler_f2c(errhandler: c_int) -> Errhandler;
value File_c2f = conversions::file_c2f(file: File) -> c_int;
value File_f2c = conversions::file_f2c(file: c_int) -> File;
value Group_c2f = conversions::group_c2f(group: Group) -> c_int;
value Group_f2c = conversions::group_f2c(group: c_int) -> Group;
value Info_c2f = conversions::info_c2f(info: Info) -> c_int;
value Info_f2c = conversions::info_f2c(info: c_int) -> Info;
value Message_c2f = conversions::message_c2f(message: Message) -> c_int;
value Message_f2c = conversions::message_f2c(message: c_int) -> Message;
value Op_c2f = conversions::op_c2f(op: Op) -> c_int;
value Op_f2c = conversions::op_f2c(op: c_int) -> Op;
value Request_c2f = conversions::request_c2f(request: Request) -> c_int;
value Request_f2c = conversions::request_f2c(request: c_int) -> Request;
value Session_c2f = conversions::session_c2f(session: Session) -> c_int;
value Session_f2c = conversions::session_f2c(session: c_int) -> Session;
value Type_c2f = conversions::type_c2f(datatype: Datatype) -> c_int;
value Type_f2c = conversions::type_f2c(datatype: c_int) -> Datatype;
value Win_c2f = conversions::win_c2f(win: Win) -> c_int;
value Win_f2c = conversions::win_f2c(win: c_int) -> Win;
plain Status_c2f = conversions::status_c2f(c_status: Const<Status>, f_status: Ref<c_int>);
plain Status_f2c = conversions::status_f2c(f_status: Const<c_int>, c_status: Ref<Status>);
    } };
}

/// A function, as the header has it.
#[derive(Debug)]
pub struct FunctionRow {
    /// The first word of its row.
    pub form: &'static str,
    /// Its name without `MPI_`.
    pub name: &'static str,
    /// The module of `calls`.
    pub module: &'static str,
    /// The names of its parameters, and their declarations with small and with large counts.
    pub parameters: &'static [(&'static str, [Declaration; 2])],
    /// The type that it returns.
    pub returned: &'static str,
}

macro_rules! listed {
    (($list:ident $whose:literal) $($form:ident $name:ident = $module:ident::$function:ident(
        $($parameter:ident: $kind:ty),*) $(-> $value:ty)?;)*) => {
        #[doc = concat!("The functions ", $whose, ".")]
        pub const $list: &[FunctionRow] = &[$(FunctionRow {
            form: stringify!($form),
            name: stringify!($name),
            module: stringify!($module),
            parameters: &[$((stringify!($parameter), <$kind as Parameter>::C)),*],
            returned: returned!($($value)?),
        }),*];
    };
}

macro_rules! returned {
    () => {
        "int"
    };
    ($value:ty) => {
        <$value as Returned>::C
    };
}

crate::functions!(listed, (FUNCTIONS "of all interfaces"));
crate::abi_functions!(listed, (ABI_FUNCTIONS "of the standard ABI alone"));
crate::older_functions!(listed, (OLDER_FUNCTIONS "of the other interfaces"));
