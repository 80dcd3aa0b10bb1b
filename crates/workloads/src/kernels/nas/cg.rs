//! CG: conjugate gradients with a random sparse matrix, whose blocks are on a grid of ranks.
//!
//! Source: `CG/cg.f` of NPB 3.3 (`conj_grad`). The ranks are rows x columns, columns = rows or twice as many. Sums over
//! the ranks of a row go in as many steps as columns have bits; then each rank exchanges its part of the vector with
//! the rank on the other side of the diagonal, itself if it is on it. No step is an MPI collective.

use super::super::script::{Roles, Script, Scripted, Steps};
use super::super::{KernelPlan, fitting};
use super::{DOUBLE, of_class};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::parameters;

parameters! {
    /// NAS benchmark CG: sums along rows and exchanges across the diagonal of a grid of ranks, a power of two.
    pub struct NasCg: nas {}
}

/// Steps of the conjugate gradient method in an iteration (`cgitmax`).
const STEPS: u32 = 25;

/// The peer across the diagonal. Peers of sums count from 1.
const TRANSPOSED: u32 = 0;

/// One sum.
const SUM: u32 = 0;

/// Two sums.
const SUMS: u32 = 1;

/// A part of a vector, in a step of its sum.
const PART: u32 = 2;

/// A part of a vector, in the first step of its sum.
const FIRST_PART: u32 = 3;

impl NasCg {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let order = of_class(self.class, [1400, 7000, 14_000, 75_000, 150_000, 1_500_000]);
        let iterations = self.iterations.unwrap_or(of_class(self.class, [15, 15, 15, 75, 75, 100]));
        let ranks = fitting::ranks(context, |ranks| {
            let is_too_fine = || 2 * (1 << (ranks.ilog2() / 2)) > order;
            fitting::no_power_of_two(ranks)
                .or_else(|| is_too_fine().then(|| format!("{order} rows are too few for {ranks} ranks")))
        })?;
        let blocks = Blocks::new(order, ranks);
        let script = script(blocks.sums());
        super::plan(
            context,
            ranks,
            iterations,
            Scripted::alike(ranks, blocks, self.compute_processor_cycles, &script),
        )
    }
}

/// The blocks of the matrix.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// Rows of the matrix.
    order: u32,
    rows: u32,
    columns: u32,
}

impl Blocks {
    fn new(order: u32, ranks: u32) -> Self {
        let rows = 1 << (ranks.ilog2() / 2);
        Blocks { order, rows, columns: ranks / rows }
    }

    /// Steps of a sum over the ranks of a row.
    fn sums(&self) -> u32 {
        self.columns.ilog2()
    }

    /// Rows of the matrix in a rank's block. Where the matrix is not divisible by the columns, the first have one more.
    fn block_rows(&self, rank: u32) -> u32 {
        super::super::grid::share_of(self.order, self.rows, rank / self.columns)
    }

    /// Elements of the vector that a rank has after a sum: those of its rows, or half of them.
    fn part(&self, rank: u32) -> u32 {
        let rows = self.block_rows(rank);
        if self.rows == self.columns { rows } else { (rows + (rank + 1) % 2) / 2 }
    }
}

impl Roles for Blocks {
    fn peer(&self, rank: u32, number: u32) -> u32 {
        let transposed = |rank: u32| rank % self.rows * self.rows + rank / self.rows;
        match number {
            TRANSPOSED if self.rows == self.columns => transposed(rank),
            TRANSPOSED => 2 * transposed(rank / 2) + rank % 2,
            // The steps halve the distance to the peer.
            _ => rank ^ self.columns >> number,
        }
    }

    fn bytes(&self, rank: u32, number: u32) -> u64 {
        let part = self.part(rank);
        DOUBLE
            * u64::from(match number {
                SUM => 1,
                SUMS => 2,
                // The peer keeps the other half.
                FIRST_PART if self.rows != self.columns => self.block_rows(rank) - part,
                _ => part,
            })
    }
}

/// The calls of an iteration, if a sum has `sums` steps.
fn script(sums: u32) -> Script {
    let mut steps = Steps::default();
    let sum = |steps: &mut Steps, length| (1..=sums).for_each(|step| steps.exchange(step, step, length));
    let product = |steps: &mut Steps| {
        steps.compute();
        for step in (1..=sums).rev() {
            steps.exchange(step, step, if step == sums { FIRST_PART } else { PART });
        }
        steps.exchange(TRANSPOSED, 1, PART);
    };
    sum(&mut steps, SUM);
    for _ in 0..STEPS {
        product(&mut steps);
        sum(&mut steps, SUM);
        sum(&mut steps, SUM);
    }
    // The residual, and the norms of the iteration.
    product(&mut steps);
    sum(&mut steps, SUM);
    sum(&mut steps, SUMS);
    Script { iteration: steps, ..Script::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_mutual_and_send_what_the_other_receives() {
        for ranks in [2, 4, 8, 16, 32, 128, 1024] {
            let blocks = Blocks::new(1400, ranks);
            for rank in 0..ranks {
                for peer in 0..=blocks.sums() {
                    let other = blocks.peer(rank, peer);
                    assert!(
                        other < ranks && blocks.peer(other, peer) == rank,
                        "{ranks} ranks: {rank}, {peer}"
                    );
                    assert!(peer == TRANSPOSED || other / blocks.columns == rank / blocks.columns);
                }
                let row: u32 = (0..ranks)
                    .filter(|rank| rank % blocks.columns == 0)
                    .map(|rank| blocks.block_rows(rank))
                    .sum();
                assert_eq!(row, 1400);
            }
        }
    }
}
