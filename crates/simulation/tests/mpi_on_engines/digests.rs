//! Digests of packets and operations for collectives of short data among `2^n` ranks: they change with the model only.

use crate::support::{Listed, Machine};
use mpi::{Call, Collective};

#[test]
fn digests_of_collectives_do_not_change() {
    let run = |ranks: u32| {
        let collectives = [
            Collective::Barrier,
            Collective::Broadcast { root: 3 % ranks, bytes: 700 },
            Collective::Allreduce { bytes: 64 },
            Collective::Broadcast { root: 0, bytes: 5000 },
            Collective::Allreduce { bytes: 2000 },
        ];
        let calls = |rank: u32| {
            let collectives = collectives.iter().cloned().map(Call::Collective);
            let computes = (0..).map(|number| Call::Compute { cycles: u64::from(rank * 37 % 11 * number) });
            computes.zip(collectives).flat_map(|(compute, collective)| [compute, collective]).collect()
        };
        let calls = (0..ranks).map(calls).collect();
        let mut run = Machine::torus(&[3, 2, 4], 2).run(2, &[u64::MAX], Listed::programs(calls));
        format!("{} {}", run.engine.totals().digest, run.operations)
    };
    let digests: Vec<String> = [1, 2, 4, 8, 16, 32].map(run).into();
    let expected = [
        "0000000000000000 f0a4bb1c078e6574",
        "6bf5c951aa1b8c0a 7bc7c511ad455e39",
        "8e71c79fa8a8f381 030932a52327dee6",
        "c0077439cb9f8326 772e6fb171e8ea4e",
        "165afa527214e923 c0ddb0c2d3cabbfb",
        "22c1d3b5615dbaf2 055c8d1bdc88eda6",
    ];
    assert_eq!(digests, expected);
}
