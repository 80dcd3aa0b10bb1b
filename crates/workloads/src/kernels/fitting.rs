//! Numbers of ranks that suit a kernel.

use crate::context::Context;
use crate::error::{WorkloadError, require};

/// The largest number of ranks that a kernel has unless a scenario states one. It is that of the largest benchmark
/// (`maxprocs` of MG).
const MAX_RANKS: u32 = 131_072;

/// The number of ranks that a scenario states, or else the largest that fits on the machine and suits the kernel.
/// `misfit` gives the reason why a number does not suit.
///
/// # Errors
/// When the stated number does not suit, with the next ones that do, at the key `ranks`. When no number that suits
/// fits on the machine, at `shape`.
pub(super) fn ranks(context: &Context, misfit: impl Fn(u32) -> Option<String>) -> Result<u32, WorkloadError> {
    let misfit = |ranks| if ranks < 2 { Some("a rank alone sends nothing".into()) } else { misfit(ranks) };
    let fits = |ranks: &u32| misfit(*ranks).is_none();
    let room = context.max_ranks();
    let Some(wanted) = context.placement.ranks else {
        return (2..=room.min(MAX_RANKS)).rev().find(fits).ok_or_else(|| {
            let fewest = (2..=MAX_RANKS).find(fits);
            let fewest = fewest.map_or_else(|| "none".to_owned(), |ranks| format!("at least {ranks}"));
            let problem = format!("room for {room} ranks; the kernel needs {fewest}");
            WorkloadError::new("shape", problem)
        });
    };
    require(wanted <= room, "ranks", || {
        format!("{wanted} ranks, one on each core, but the machine has room for {room}")
    })?;
    let Some(why) = misfit(wanted) else { return Ok(wanted) };
    let next = [(2..wanted.min(MAX_RANKS)).rev().find(fits), (wanted..=MAX_RANKS).find(fits)];
    let next: Vec<String> = next.into_iter().flatten().map(|ranks| ranks.to_string()).collect();
    Err(WorkloadError::new("ranks", format!("{why}; next that fit: {}", next.join(", "))))
}

/// The reason why `ranks` does not suit, if it is no power of two.
pub(super) fn no_power_of_two(ranks: u32) -> Option<String> {
    (!ranks.is_power_of_two()).then(|| "the kernel needs a power of two".into())
}

/// Returns an error at the key `grid` unless the machine has room for a grid of at least two ranks, which are as
/// many as the scenario states.
pub(super) fn require_grid(context: &Context, grid: &[u32]) -> Result<u32, WorkloadError> {
    let ranks = grid.iter().try_fold(1u32, |ranks, &length| ranks.checked_mul(length));
    let max = context.max_ranks();
    let ranks = ranks.filter(|ranks| (2..=max).contains(ranks)).ok_or_else(|| {
        let problem =
            format!("a grid {grid:?} needs from 2 to {max} ranks, one for each core of the machine");
        WorkloadError::new("grid", problem)
    })?;
    let wanted = context.placement.ranks;
    require(wanted.is_none_or(|wanted| wanted == ranks), "grid", || {
        let wanted = wanted.unwrap_or_default();
        format!("a grid {grid:?} has {ranks} ranks, but mapping.ranks is {wanted}")
    })?;
    Ok(ranks)
}
