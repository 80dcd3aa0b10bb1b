//! IS: sorts integers, which are redistributed by buckets.
//!
//! Source: `IS/is.c` of NPB 3.3 (`rank`, `create_seq`). The lengths of the redistribution depend on the keys. A key
//! is the mean of four uniform random numbers. Here every rank has the number of keys in each bucket that this
//! distribution gives, not that of the benchmark's random numbers, which differs from it by the root of their
//! number. Successive buckets go to a rank until it and those before it have their share.

use super::super::{Exchange, KernelPlan, fitting};
use super::{INTEGER, of_class};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::message_size::require_length;
use crate::options::{ProblemClass, parameters};
use mpi::{Call, Collective, Lengths};

parameters! {
    /// NAS benchmark IS: an all-reduce and two all-to-alls of all ranks, a power of two.
    pub struct NasIs: nas {}
}

/// Numbers that the verification adds to the counts of buckets (`TEST_ARRAY_SIZE`).
const VERIFIED: u64 = 5;

impl NasIs {
    pub(in super::super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let keys = 1u64 << of_class(self.class, [16, 20, 23, 25, 27, 31]);
        let buckets = of_class(self.class, [1 << 9, 1 << 10, 1 << 10, 1 << 10, 1 << 10, 1 << 10]);
        // `MIN_PROCS`, `MAX_PROCS`.
        let min = if self.class == ProblemClass::D { 4 } else { 2 };
        let max = if self.class == ProblemClass::S { 128 } else { 1024 };
        let ranks = fitting::ranks(context, |ranks| {
            let is_outside = !(min..=max).contains(&ranks);
            fitting::no_power_of_two(ranks).or_else(|| {
                is_outside.then(|| format!("class {:?} needs from {min} to {max} ranks", self.class))
            })
        })?;
        let shares = shares(keys, buckets, ranks);
        shares.iter().try_for_each(|&keys| require_length("class", keys * INTEGER))?;
        let exchange = Redistribution {
            sent: Lengths::new(shares.iter().map(|keys| keys * INTEGER)),
            counts_bytes: (u64::from(buckets) + VERIFIED) * INTEGER,
            compute_processor_cycles: self.compute_processor_cycles,
        };
        super::plan(context, ranks, self.iterations.unwrap_or(10), exchange)
    }
}

/// The share of keys below a share of their range: that of the mean of four uniform numbers (Irwin and Hall).
fn share_below(part: f64) -> f64 {
    let sum = 4.0 * part;
    let terms = [1.0, -4.0, 6.0, -4.0];
    let powers = (0..4).map(|number| (sum - f64::from(number)).max(0.0).powi(4));
    powers.zip(terms).map(|(power, binomial)| binomial * power).sum::<f64>() / 24.0
}

/// The number of keys that each rank sends to each rank, all together as many as it has.
fn shares(keys: u64, buckets: u32, ranks: u32) -> Vec<u64> {
    let keys_of_rank = keys / u64::from(ranks);
    let below = |bucket: u32, keys: u64| {
        (share_below(f64::from(bucket) / f64::from(buckets)) * keys as f64).round() as u64
    };
    let (mut shares, mut begun) = (Vec::with_capacity(ranks as usize), 0);
    for bucket in 1..=buckets {
        if below(bucket, keys) >= (shares.len() as u64 + 1) * keys_of_rank {
            let until = below(bucket, keys_of_rank);
            shares.push(until - begun);
            begun = until;
        }
    }
    // With nearly as many ranks as buckets, the last ranks get none.
    shares.resize(ranks as usize, 0);
    shares
}

/// The exchange. The counts of all buckets are summed, each rank notifies each of the number of keys that it will
/// get, and sends them.
#[derive(Clone, Debug)]
struct Redistribution {
    /// The bytes that each rank sends to each.
    sent: Lengths,
    /// The counts of buckets.
    counts_bytes: u64,
    compute_processor_cycles: u64,
}

impl Exchange for Redistribution {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let cycles = self.compute_processor_cycles;
        Some(match (step + u32::from(cycles == 0), self.sent.len()) {
            (0, _) => Call::Compute { cycles },
            (1, _) => Call::Collective(Collective::Allreduce { bytes: self.counts_bytes }),
            (2, _) => Call::Collective(Collective::Alltoall { bytes: INTEGER }),
            (3, ranks) => {
                let own = self.sent.of(rank);
                let received = Lengths::new((0..ranks).map(|_| own));
                Call::Collective(Collective::Alltoallv { sent: self.sent.clone(), received })
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_sent_and_ranks_get_similar_numbers() {
        for (keys, buckets, ranks) in [(1 << 16, 512, 4), (1 << 23, 1024, 64), (1 << 31, 1024, 1024)] {
            let shares = shares(keys, buckets, ranks);
            let of_rank = keys / u64::from(ranks);
            assert_eq!((shares.len() as u32, shares.iter().sum::<u64>()), (ranks, of_rank));
            let mean = of_rank / u64::from(ranks);
            // A bucket in the middle of the range has up to 8 / 3 times as many keys as the mean one.
            let of_bucket = of_rank / u64::from(buckets) * 8 / 3 + 2;
            assert!(shares.iter().all(|&share| share <= mean + 2 * of_bucket), "{shares:?}");
        }
    }

    #[test]
    fn half_of_the_keys_are_below_the_middle() {
        for (part, share) in [(0.0, 0.0), (0.25, 1.0 / 24.0), (0.5, 0.5), (0.75, 23.0 / 24.0), (1.0, 1.0)] {
            assert!((share_below(part) - share).abs() < 1e-12);
        }
    }
}
