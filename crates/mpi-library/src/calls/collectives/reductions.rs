//! Collectives that combine data: reductions, scans, and reductions of which each rank gets a part.

use super::{Prepared, Read, inter, root_of};
use crate::abi::{Buffer, Comm, Count, Counts, Datatype, Op, Rank};
use crate::calls::datatypes::Data;
use crate::calls::operations::{self, Operation};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::communicators::{self, Communicator};
use rank_wire::{Collective, Part};
use std::rc::Rc;

/// A reduction: its operands, and where the result goes.
#[derive(Clone)]
pub(super) struct Reduction {
    pub operation: Rc<Operation>,
    /// The data that the rank contributes.
    pub sent: Data,
    /// The place of the result.
    pub result: Data,
    handle: u64,
}

impl Reduction {
    pub(super) fn of(
        sendbuf: Buffer,
        recvbuf: Buffer,
        count: Count,
        datatype: Datatype,
        op: Op,
    ) -> Outcome<Self> {
        let operation = operations::of(op)?;
        let result = Data::of(recvbuf, count, datatype)?;
        operation.check(&result.datatype)?;
        let sent = if sendbuf == Buffer::IN_PLACE {
            result.clone()
        } else {
            Data { buffer: sendbuf, ..result.clone() }
        };
        // Functions of the program have handles of each rank's own.
        let handle = if op.0 < c::FIRST_OWN_HANDLE { op.0 as u64 } else { 0 };
        Ok(Reduction { operation, sent, result, handle })
    }

    pub(super) fn prepare(&self, of: Rc<Communicator>, collective: Collective) -> Prepared {
        let mut prepared = Prepared::new(of, collective);
        (prepared.bytes, prepared.operation) = (self.sent.bytes(), self.handle);
        prepared.data.push(self.sent.clone());
        prepared
    }

    /// Combines the data of some ranks, from a byte on; none without data.
    pub(super) fn combine(
        &self,
        read: &Read<'_>,
        ranks: std::ops::Range<u32>,
        from: u64,
        to: *mut u8,
    ) -> Outcome {
        let bytes = self.result.bytes();
        let operands = ranks.filter_map(|rank| read.of(rank, from, bytes));
        // SAFETY: all ranks have contributed these bytes, and the caller has room for them.
        unsafe { self.operation.fold(&self.result.datatype, self.result.count, operands, to) }
    }

    /// Combines the data of some ranks in their order, and stores the result.
    pub(super) fn combine_and_store(
        &self,
        read: &Read<'_>,
        ranks: std::ops::Range<u32>,
        from: u64,
    ) -> Outcome {
        let bytes = self.result.bytes();
        let mut combined = self.result.room_for_packed()?;
        self.combine(read, ranks, from, combined.as_mut_ptr())?;
        // SAFETY: the program has passed a valid buffer.
        unsafe { self.result.unpack(combined.as_ptr(), bytes) };
        Ok(())
    }

    /// Stores the result of all ranks, which the first of them that gets here computes.
    fn combine_once(&self, read: &Read<'_>, size: u32) -> Outcome {
        let bytes = self.result.bytes();
        if bytes == 0 {
            return Ok(());
        }
        let own = library().link()?.rank;
        let at = match read.table.part(read.memory, own) {
            Part::Reads(at) => at,
            Part::Computes => {
                let at = library().link()?.allocate(bytes, 1)?;
                let to = read
                    .memory
                    .data(at, bytes)
                    .ok_or_else(|| Error::new(c::ERR_INTERN, "a block has its bytes"))?;
                self.combine(read, 0..size, 0, to)?;
                read.table.tell(read.memory, at);
                at
            }
        };
        if let Some(from) = read.memory.data(at, bytes) {
            // SAFETY: the block has these bytes, and the program has passed a valid buffer.
            unsafe { self.result.unpack(from, bytes) };
        }
        Ok(())
    }
}

pub(super) fn prepare_reduce(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    root: Rank,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let reduction = || Reduction::of(sendbuf, recvbuf, count, datatype, op);
    if of.remote.is_some() {
        return inter::reduce(&of, root, reduction);
    }
    let (root, reduction) = (root_of(&of, root)?, reduction()?);
    let (rank, size) = (of.rank, of.size());
    let mut prepared = reduction.prepare(of, Collective::Reduce);
    prepared.root = Some(root);
    if rank == root {
        prepared.completion =
            Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, 0..size, 0)));
    }
    Ok(prepared)
}

pub(super) fn prepare_allreduce(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let size = of.size();
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    if let Some(remote) = &of.remote {
        let (others, mut prepared) =
            (inter::others(remote), reduction.prepare(remote.joint.clone(), Collective::Allreduce));
        prepared.completion =
            Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, others.clone(), 0)));
        return Ok(prepared);
    }
    let mut prepared = reduction.prepare(of, Collective::Allreduce);
    prepared.completion = Some(Rc::new(move |table| reduction.combine_once(&Read::new(table)?, size)));
    Ok(prepared)
}

pub(super) fn prepare_scan(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    inter::check_intra(&of)?;
    let rank = of.rank;
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    let mut prepared = reduction.prepare(of, Collective::Scan);
    prepared.completion =
        Some(Rc::new(move |table| reduction.combine_and_store(&Read::new(table)?, 0..rank + 1, 0)));
    Ok(prepared)
}

pub(super) fn prepare_exscan(
    sendbuf: Buffer,
    recvbuf: Buffer,
    count: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    inter::check_intra(&of)?;
    let rank = of.rank;
    let reduction = Reduction::of(sendbuf, recvbuf, count, datatype, op)?;
    let mut prepared = reduction.prepare(of, Collective::Exscan);
    prepared.completion = Some(Rc::new(move |table| {
        let read = Read::new(table)?;
        if rank > 0 { reduction.combine_and_store(&read, 0..rank, 0) } else { Ok(()) }
    }));
    Ok(prepared)
}

/// The sum of counts. One that is too large is refused, since no memory has room for the data.
fn total(counts: &[i64]) -> i64 {
    counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
}

/// A reduction of which each rank gets a part; `counts` are the elements of each.
pub(super) fn prepare_parts(
    of: Rc<Communicator>,
    (sendbuf, recvbuf): (Buffer, Buffer),
    counts: &[i64],
    (datatype, op): (Datatype, Op),
) -> Outcome<Prepared> {
    let (rank, size) = (of.rank as usize, of.size());
    if let Some(count) = counts.iter().find(|count| **count < 0) {
        return Err(Error::new(c::ERR_COUNT, format!("recvcounts: {count} is negative")));
    }
    let whole = Reduction::of(sendbuf, recvbuf, Count(total(counts)), datatype, op)?;
    let bytes = whole.result.datatype.size;
    let before = (total(&counts[..rank]) as u64).saturating_mul(bytes);
    let result = Data { count: counts[rank] as u64, ..whole.result.clone() };
    let (mut prepared, ranks) = match &of.remote {
        // No rank knows how the other group divides its data: each gets all, and keeps its part.
        Some(remote) => (whole.prepare(remote.joint.clone(), Collective::Allreduce), inter::others(remote)),
        None => {
            let mut prepared = whole.prepare(of, Collective::ReduceScatter);
            prepared.bytes = 0;
            prepared.lists.push(counts.iter().map(|count| (*count as u64).saturating_mul(bytes)).collect());
            (prepared, 0..size)
        }
    };
    let part = Reduction { result, ..whole };
    prepared.completion =
        Some(Rc::new(move |table| part.combine_and_store(&Read::new(table)?, ranks.clone(), before)));
    Ok(prepared)
}

pub(super) fn prepare_reduce_scatter(
    sendbuf: Buffer,
    recvbuf: Buffer,
    recvcounts: Counts,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let counts = recvcounts.0.list(of.size() as usize);
    prepare_parts(of, (sendbuf, recvbuf), &counts, (datatype, op))
}

pub(super) fn prepare_reduce_scatter_block(
    sendbuf: Buffer,
    recvbuf: Buffer,
    recvcount: Count,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Outcome<Prepared> {
    let of = communicators::of(comm)?;
    let counts = vec![recvcount.0; of.size() as usize];
    let mut prepared = prepare_parts(of, (sendbuf, recvbuf), &counts, (datatype, op))?;
    // The call on an intercommunicator is an allreduce.
    if let Some(lengths) = prepared.lists.pop() {
        prepared.collective = Collective::ReduceScatterBlock;
        prepared.bytes = lengths.first().copied().unwrap_or(0);
    }
    Ok(prepared)
}
