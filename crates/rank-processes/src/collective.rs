//! Records of collectives as calls.

use mpi::{Collective as Of, Lengths, TypedExchange};
use rank_wire::{Collective, Damaged};

/// A collective of a record, of a rank in a communicator of `size`.
pub(crate) fn collective(
    (kind, root, bytes): (Collective, Option<u32>, u64),
    lengths: &[Lengths],
    (rank, size): (u32, u32),
) -> Result<Of, Damaged> {
    let list =
        |place: usize, len: u32| lengths.get(place).filter(|list| list.len() == len).cloned().ok_or(Damaged);
    let whole = |place: usize| list(place, size);
    // The root has the lengths of all ranks, and others have their own.
    let of_root = || list(0, if root == Some(rank) { size } else { 1 });
    let root = || root.ok_or(Damaged);
    if lengths.len() != lists_of(kind) {
        return Err(Damaged);
    }
    Ok(match kind {
        Collective::Barrier => Of::Barrier,
        Collective::Bcast => Of::Broadcast { root: root()?, bytes },
        Collective::Allreduce => Of::Allreduce { bytes },
        Collective::Reduce => Of::Reduce { root: root()?, bytes },
        Collective::Scan => Of::Scan { bytes },
        Collective::Exscan => Of::Exscan { bytes },
        Collective::ReduceScatterBlock => Of::ReduceScatterBlock { bytes },
        Collective::ReduceScatter => Of::ReduceScatter { lengths: whole(0)? },
        Collective::Gather => Of::Gather { root: root()?, bytes },
        Collective::Gatherv => Of::Gatherv { root: root()?, lengths: of_root()? },
        Collective::Scatter => Of::Scatter { root: root()?, bytes },
        Collective::Scatterv => Of::Scatterv { root: root()?, lengths: of_root()? },
        Collective::Allgather => Of::Allgather { bytes },
        Collective::Allgatherv => Of::Allgatherv { lengths: whole(0)? },
        Collective::Alltoall => Of::Alltoall { bytes },
        Collective::Alltoallv => Of::Alltoallv { sent: whole(0)?, received: whole(1)? },
        Collective::Alltoallw => Of::Alltoallw(Box::new(TypedExchange {
            sent: whole(0)?,
            received: whole(1)?,
            blocks_sent: whole(2)?,
            blocks_received: whole(3)?,
        })),
    })
}

/// How many lists of lengths the record of a collective has.
fn lists_of(kind: Collective) -> usize {
    match kind {
        Collective::ReduceScatter | Collective::Gatherv | Collective::Scatterv | Collective::Allgatherv => 1,
        Collective::Alltoallv => 2,
        Collective::Alltoallw => 4,
        Collective::Barrier
        | Collective::Bcast
        | Collective::Allreduce
        | Collective::Reduce
        | Collective::Scan
        | Collective::Exscan
        | Collective::ReduceScatterBlock
        | Collective::Gather
        | Collective::Scatter
        | Collective::Allgather
        | Collective::Alltoall => 0,
    }
}
