//! b_eff: the effective bandwidth of all ranks together, over message lengths, patterns and methods.
//!
//! ```text
//!   for each of 21 lengths, for each pattern (6 of rings, 30 of random rings), for each of three methods:
//!       barrier;  measurement: `loops` times, a message to the next rank of the ring and one to the previous
//!
//!   b(pattern, length) = most over methods of  length x messages x loops / longest time of a rank
//!   b_eff = logarithmic mean of (that over the patterns of rings, that over the random ones) of mean over lengths of b
//! ```
//!
//! Source: Rabenseifner, *The parallel communication and I/O bandwidth benchmarks: b_eff and b_eff_io* (CUG 2001); the
//! definition of version 3.2 at fs.hlrs.de/projects/par/mpi/b_eff, and its program `b_eff.c`, version 3.6. The
//! logarithmic mean is the exponential of the mean of logarithms.
//!
//! Two things are simpler here. The program chooses the number of loops of a measurement so that it takes a given
//! time, begins with one loop that does not count, and repeats all measurements two or three times, of which the
//! best counts. A simulated run is the same each time, so that one loop is measured by default. Patterns that do
//! not count are left out.

use super::{Exchange, Figures, KernelPlan, KernelRun, fitting};
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::exchange::Sent;
use crate::message_size::require_length;
use crate::options::parameters;
use base::draws::fold;
use base::permutation::Permutation;
use mpi::{Call, Collective, DryRun, Lengths, Needed, ReceiveFrom, Requests, SendTo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

parameters! {
    /// Effective bandwidth (b_eff): rings and random rings, 21 message lengths, the best of three methods.
    pub struct BEff: {
        /// The longest message in bytes, at least 4096. The benchmark's is the memory of a process divided by 128.
        /// Default 1048576.
        #[serde(default = "one_mebibyte")]
        pub longest_bytes: u64,
        /// Number of random patterns. Default 30.
        #[serde(default = "thirty")]
        pub random_patterns: u32,
        /// Methods, the best of which counts: "sendrecv", "alltoallv", "nonblocking". Default: all three.
        #[serde(default = "all_methods")]
        pub methods: Vec<Method>,
        /// Number of times that each measurement sends the messages of its pattern. Default 1.
        #[serde(default = "once")]
        pub loops: u32,
        /// Number of times that everything is measured; the best counts. Default 1.
        #[serde(default = "once")]
        pub iterations: u32,
    }
}

fn one_mebibyte() -> u64 {
    1 << 20
}

fn thirty() -> u32 {
    30
}

fn once() -> u32 {
    1
}

/// The method by which the messages of a pattern are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// `MPI_Sendrecv` to the next rank, then to the previous.
    Sendrecv,
    /// `MPI_Alltoallv` of all ranks.
    Alltoallv,
    /// `MPI_Irecv` and `MPI_Isend` for both, then `MPI_Waitall`.
    Nonblocking,
}

fn all_methods() -> Vec<Method> {
    vec![Method::Sendrecv, Method::Alltoallv, Method::Nonblocking]
}

/// Number of message lengths.
const LENGTHS: u32 = 21;

/// Lengths that are powers of two, up to 4,096 bytes; the others are a factor apart up to the longest.
const POWERS_OF_TWO: u32 = 13;

/// Number of patterns of rings.
const RING_PATTERNS: u32 = 6;

/// With these, the calls of an iteration can be counted with 32 bits.
const MAX_PATTERNS: u32 = 1000;
const MAX_LOOPS: u32 = 10_000;

impl BEff {
    pub(super) fn plan(&self, context: &Context) -> Result<KernelPlan, WorkloadError> {
        let shortest_long = 1 << (POWERS_OF_TWO - 1);
        require(self.longest_bytes >= shortest_long, "longest_bytes", || {
            format!("{}: at least {shortest_long}", self.longest_bytes)
        })?;
        require_length("longest_bytes", self.longest_bytes)?;
        let limited =
            [("random_patterns", self.random_patterns, MAX_PATTERNS), ("loops", self.loops, MAX_LOOPS)];
        for (key, value, max) in limited {
            require((1..=max).contains(&value), key, || format!("{value}: from 1 to {max}"))?;
        }
        let is_repeated = |(at, method)| self.methods[..at].contains(method);
        let has_methods = !self.methods.is_empty() && !self.methods.iter().enumerate().any(is_repeated);
        require(has_methods, "methods", || {
            "one or several different of \"sendrecv\", \"alltoallv\" and \"nonblocking\"".into()
        })?;
        let ranks = fitting::ranks(context, |_| None)?;
        let map = context.placement.place(ranks, &[], context.parameters)?;
        let patterns = Patterns::new(ranks, self.random_patterns, context.parameters.seed);
        let exchange = Measurements {
            lengths: message_lengths(self.longest_bytes),
            patterns,
            methods: self.methods.clone(),
            loops: self.loops,
        };
        KernelPlan::new(map, self.iterations, exchange)
    }
}

/// The lengths of messages: powers of two to 4,096 bytes, then eight a factor apart.
fn message_lengths(longest: u64) -> Vec<u64> {
    let powers = (0..POWERS_OF_TWO).map(|power| 1u64 << power);
    let last_power = f64::from(1u32 << (POWERS_OF_TWO - 1));
    let steps = f64::from(LENGTHS - POWERS_OF_TWO);
    let factor = longest as f64 / last_power;
    let others = (1..=LENGTHS - POWERS_OF_TWO)
        .map(|step| (last_power * factor.powf(f64::from(step) / steps)).round() as u64);
    powers.chain(others).collect()
}

/// The rings of all patterns.
#[derive(Clone, Debug)]
struct Patterns {
    ranks: u32,
    /// The next and the previous rank of each rank, pattern after pattern.
    neighbors: Vec<[u32; 2]>,
}

impl Patterns {
    fn new(ranks: u32, random: u32, seed: u64) -> Self {
        let rings = (0..RING_PATTERNS).flat_map(|pattern| {
            let rings = Rings::new(pattern, ranks);
            (0..ranks).map(move |rank| rings.neighbors(rank))
        });
        let mut neighbors: Vec<[u32; 2]> = rings.collect();
        (0..random).for_each(|number| neighbors.extend(random_ring(ranks, fold(seed, number.into()))));
        Patterns { ranks, neighbors }
    }

    fn count(&self) -> u32 {
        (self.neighbors.len() / self.ranks as usize) as u32
    }

    /// The ranks to which a rank sends in a pattern: in a ring of two the next is the previous.
    fn peers(&self, pattern: u32, rank: u32) -> &[u32] {
        let neighbors = &self.neighbors[pattern as usize * self.ranks as usize + rank as usize];
        if neighbors[0] == neighbors[1] { &neighbors[..1] } else { neighbors }
    }

    /// Messages of all ranks together.
    fn messages(&self, pattern: u32) -> u64 {
        (0..self.ranks).map(|rank| self.peers(pattern, rank).len() as u64).sum()
    }
}

/// Rings of successive ranks, of two lengths that differ by one.
#[derive(Clone, Copy, Debug)]
struct Rings {
    first_length: u32,
    /// Ranks in rings of the first length.
    first_ranks: u32,
    second_length: u32,
}

impl Rings {
    /// About 2, 4, 8, max(16, ranks / 4), max(32, ranks / 2) and all ranks in a ring.
    fn new(pattern: u32, ranks: u32) -> Self {
        let wanted = [2, 4, 8, 16.max(ranks / 4), 32.max(ranks / 2), ranks][pattern as usize].min(ranks);
        // A number of rings that is nearly whole is rounded up.
        let rings = (f64::from(ranks) / f64::from(wanted) + 0.4) as u32;
        let rings = rings.min(ranks / 2).max(1);
        let (short, long_rings) = (ranks / rings, ranks % rings);
        let long = short + 1;
        // Rings of even length come first.
        let (first_length, first_rings, second_length) = if short % 2 == 1 && long_rings > 0 {
            (long, long_rings, short)
        } else {
            (short, rings - long_rings, long)
        };
        Rings { first_length, first_ranks: first_rings * first_length, second_length }
    }

    fn neighbors(&self, rank: u32) -> [u32; 2] {
        let (begin, length) = match rank.checked_sub(self.first_ranks) {
            None => (0, self.first_length),
            Some(_) => (self.first_ranks, self.second_length),
        };
        let first = begin + (rank - begin) / length * length;
        let place = rank - first;
        [first + (place + 1) % length, first + (place + length - 1) % length]
    }
}

/// The neighbors of each rank in a ring of all ranks in random order.
fn random_ring(ranks: u32, key: u64) -> Vec<[u32; 2]> {
    let order = Permutation::new(ranks.into(), key);
    let at = |place: u32| order.at((place % ranks).into()) as u32;
    let mut neighbors = vec![[0; 2]; ranks as usize];
    (0..ranks).for_each(|place| neighbors[at(place) as usize] = [at(place + 1), at(place + ranks - 1)]);
    neighbors
}

/// The measurements, by length, pattern and method.
#[derive(Clone, Debug)]
struct Measurements {
    lengths: Vec<u64>,
    patterns: Patterns,
    methods: Vec<Method>,
    loops: u32,
}

/// A step of a measurement: the barrier, or a step of its loops.
#[derive(Clone, Copy, Debug)]
struct Place {
    length: u32,
    pattern: u32,
    method: u32,
    step: u32,
}

impl Measurements {
    /// Calls of a loop with `peers` peers.
    fn calls(method: Method, peers: u32) -> u32 {
        match method {
            Method::Sendrecv => peers,
            Method::Alltoallv => 1,
            Method::Nonblocking => 2 * peers + 1,
        }
    }

    /// Calls of the measurements of a pattern with all methods, barriers included.
    fn calls_of_pattern(&self, pattern: u32, rank: u32) -> u32 {
        let peers = self.patterns.peers(pattern, rank).len() as u32;
        self.methods.iter().map(|&method| 1 + self.loops * Self::calls(method, peers)).sum()
    }

    /// The place of call `step` of an iteration. Random patterns have the same number of calls.
    fn place(&self, rank: u32, step: u32) -> Option<Place> {
        let rings = (0..RING_PATTERNS).map(|pattern| self.calls_of_pattern(pattern, rank));
        let random = self.calls_of_pattern(RING_PATTERNS, rank);
        let random_patterns = self.patterns.count() - RING_PATTERNS;
        let of_length = rings.clone().sum::<u32>() + random * random_patterns;
        let (length, mut step) = (step / of_length, step % of_length);
        let mut pattern = 0;
        for calls in rings.take_while(|_| length < LENGTHS) {
            if step < calls {
                return self.place_in_pattern(rank, Place { length, pattern, method: 0, step });
            }
            step -= calls;
            pattern += 1;
        }
        pattern += step / random;
        let place = Place { length, pattern, method: 0, step: step % random };
        if length < LENGTHS { self.place_in_pattern(rank, place) } else { None }
    }

    fn place_in_pattern(&self, rank: u32, mut place: Place) -> Option<Place> {
        let peers = self.patterns.peers(place.pattern, rank).len() as u32;
        for &method in &self.methods {
            let calls = 1 + self.loops * Self::calls(method, peers);
            if place.step < calls {
                return Some(place);
            }
            place.step -= calls;
            place.method += 1;
        }
        None
    }

    /// Call `step` of a loop.
    fn call_of_loop(&self, rank: u32, place: Place) -> Call {
        let bytes = self.lengths[place.length as usize];
        let peers = self.patterns.peers(place.pattern, rank);
        // Data sent to the next rank correspond to data received from the previous one.
        let exchange = |number: u32| (peers[number as usize], peers[peers.len() - 1 - number as usize]);
        let method = self.methods[place.method as usize];
        let step = (place.step - 1) % Self::calls(method, peers.len() as u32);
        match method {
            Method::Sendrecv => {
                let (target, source) = exchange(step);
                let (send, receive) =
                    (SendTo::new(target, step, bytes), ReceiveFrom::new(Some(source), Some(step)));
                Call::SendReceive { send, receive }
            }
            Method::Alltoallv => {
                let length = |other: u32| if peers.contains(&other) { bytes } else { 0 };
                let sent = Lengths::new((0..self.patterns.ranks).map(length));
                Call::Collective(Collective::Alltoallv { received: sent.clone(), sent })
            }
            Method::Nonblocking if step == 2 * peers.len() as u32 => {
                Call::Wait { requests: Requests::range(0, step), needed: Needed::All }
            }
            Method::Nonblocking => {
                let ((target, source), tag) = (exchange(step / 2), step / 2);
                match step % 2 {
                    0 => Call::ReceiveNonBlocking { source: Some(source), tag: Some(tag), request: step },
                    _ => Call::SendNonBlocking { target, tag, bytes, request: step },
                }
            }
        }
    }

    /// b for each length of a pattern, in bytes per processor cycle: the greatest of all methods and iterations.
    fn bandwidths(&self, pattern: u32, measured: &[u64]) -> Vec<f64> {
        let (patterns, methods) = (self.patterns.count() as usize, self.methods.len());
        let messages = self.patterns.messages(pattern) as f64 * f64::from(self.loops);
        let of_length = |(length, &bytes): (usize, &u64)| {
            let first = (length * patterns + pattern as usize) * methods;
            let times =
                measured.chunks(self.measurements() as usize).flat_map(|all| &all[first..first + methods]);
            let shortest = times.copied().min().unwrap_or_default();
            bytes as f64 * messages / shortest as f64
        };
        self.lengths.iter().enumerate().map(of_length).collect()
    }
}

impl Exchange for Measurements {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let place = self.place(rank, step)?;
        Some(match place.step {
            0 => Call::Collective(Collective::Barrier),
            _ => self.call_of_loop(rank, place),
        })
    }

    fn measurement(&self, rank: u32, step: u32) -> Option<u32> {
        let place = self.place(rank, step).filter(|place| place.step > 0)?;
        Some(
            (place.length * self.patterns.count() + place.pattern) * self.methods.len() as u32 + place.method,
        )
    }

    /// The calls of `MPI_Alltoallv` are as long as the number of ranks, and they are many. With 512 ranks, reading
    /// them takes seconds.
    fn report_sent(&self, rank: u32, report: &mut dyn FnMut(Sent)) -> bool {
        let barriers = u64::from(self.measurements());
        let mut dry_run = DryRun::new(rank, self.patterns.ranks, &[]);
        dry_run.read(&Call::Collective(Collective::Barrier), &mut |target, bytes| {
            report(Sent { target, bytes, messages: barriers });
        });
        let messages = self.methods.len() as u64 * u64::from(self.loops);
        for pattern in 0..self.patterns.count() {
            for &target in self.patterns.peers(pattern, rank) {
                self.lengths.iter().for_each(|&bytes| report(Sent { target, bytes, messages }));
            }
        }
        true
    }

    fn measurements(&self) -> u32 {
        LENGTHS * self.patterns.count() * self.methods.len() as u32
    }

    fn figures(&self, run: &KernelRun<'_>) -> Figures {
        // Bytes per microsecond are megabytes per second.
        let per_second = run.cycles_per_microsecond / run.cycles_per_processor_cycle;
        let results = run.measured_processor_cycles.map(|measured| {
            let of_patterns: Vec<Vec<f64>> =
                (0..self.patterns.count()).map(|pattern| self.bandwidths(pattern, measured)).collect();
            Results::new(&of_patterns, per_second)
        });
        let ranks = f64::from(self.patterns.ranks);
        let figure = |of: fn(&Results) -> f64| json!(results.as_ref().map(of));
        vec![
            ("b_eff_megabytes_per_second", figure(|results| results.all)),
            (
                "b_eff_megabytes_per_second_per_rank",
                json!(results.as_ref().map(|results| results.all / ranks)),
            ),
            ("b_eff_ring_megabytes_per_second", figure(|results| results.rings)),
            ("b_eff_random_megabytes_per_second", figure(|results| results.random)),
            ("b_eff_at_longest_megabytes_per_second", figure(|results| results.at_longest)),
        ]
    }
}

/// Effective bandwidths in MB/s.
struct Results {
    all: f64,
    rings: f64,
    random: f64,
    /// The bandwidth with the longest messages only.
    at_longest: f64,
}

impl Results {
    /// The results of the bandwidths of all patterns, each by length.
    fn new(of_patterns: &[Vec<f64>], per_second: f64) -> Self {
        let mean = |pattern: &Vec<f64>| pattern.iter().sum::<f64>() / pattern.len() as f64;
        let means: Vec<f64> = of_patterns.iter().map(mean).collect();
        let longest: Vec<f64> = of_patterns.iter().map(|pattern| pattern[pattern.len() - 1]).collect();
        let [all, at_longest] =
            [&means, &longest].map(|values| kinds(values).map(|value| value * per_second));
        let [rings, random] = all;
        let logarithmic = |values: [f64; 2]| logarithmic_mean(&values);
        Results { all: logarithmic(all), rings, random, at_longest: logarithmic(at_longest) }
    }
}

/// The logarithmic means over the patterns of rings and over the random ones.
fn kinds(values: &[f64]) -> [f64; 2] {
    let (rings, random) = values.split_at(RING_PATTERNS as usize);
    [logarithmic_mean(rings), logarithmic_mean(random)]
}

fn logarithmic_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_21_lengths_up_to_the_longest() {
        let lengths = message_lengths(1 << 20);
        assert_eq!(lengths.len() as u32, LENGTHS);
        assert_eq!(lengths[..13], (0..13).map(|power| 1 << power).collect::<Vec<u64>>());
        assert_eq!(lengths[13..], [8192, 16384, 32768, 65536, 131_072, 262_144, 524_288, 1_048_576]);
        assert_eq!(message_lengths(4096)[13..], [4096; 8]);
    }

    #[test]
    fn rings_have_about_the_lengths_of_the_benchmark() {
        let lengths = |ranks: u32| -> Vec<Vec<u32>> {
            (0..RING_PATTERNS)
                .map(|pattern| {
                    let rings = Rings::new(pattern, ranks);
                    let length = |rank| {
                        if rank < rings.first_ranks { rings.first_length } else { rings.second_length }
                    };
                    let mut all: Vec<u32> = (0..ranks).map(length).collect();
                    all.dedup();
                    all
                })
                .collect()
        };
        assert_eq!(lengths(64), [[2], [4], [8], [16], [32], [64]]);
        assert_eq!(lengths(24), [[2], [4], [8], [24], [24], [24]]);
        // Seven ranks: two rings of two and one of three; four and three; then one ring.
        assert_eq!(lengths(7), [vec![2, 3], vec![4, 3], vec![7], vec![7], vec![7], vec![7]]);
        assert_eq!(lengths(2), [[2]; 6]);
    }

    #[test]
    fn every_ring_is_closed() {
        for ranks in [2, 3, 7, 24, 65] {
            let patterns = Patterns::new(ranks, 5, 1);
            assert_eq!(patterns.count(), RING_PATTERNS + 5);
            for pattern in 0..patterns.count() {
                for rank in 0..ranks {
                    for &peer in patterns.peers(pattern, rank) {
                        assert!(
                            peer != rank && patterns.peers(pattern, peer).contains(&rank),
                            "{ranks} {pattern}"
                        );
                    }
                }
                let rank = pattern as usize * ranks as usize;
                let [next, _] = patterns.neighbors[rank];
                assert_eq!(patterns.neighbors[rank + next as usize][1], 0);
            }
        }
    }

    #[test]
    fn the_calls_of_each_measurement_are_successive() {
        let methods = all_methods();
        let patterns = Patterns::new(7, 2, 1);
        let exchange = Measurements { lengths: message_lengths(4096), patterns, methods, loops: 2 };
        for rank in 0..7 {
            let steps = (0..).take_while(|&step| exchange.call(rank, step).is_some()).count() as u32;
            let mut measured: Vec<Option<u32>> =
                (0..steps).map(|step| exchange.measurement(rank, step)).collect();
            measured.dedup();
            let expected = (0..exchange.measurements()).flat_map(|number| [None, Some(number)]);
            assert_eq!(measured, expected.collect::<Vec<_>>());
            assert!(exchange.call(rank, steps + 1).is_none() && exchange.call(rank, u32::MAX).is_none());
        }
    }

    /// Two lengths would be 21 here: the definition on numbers that are easy to check.
    #[test]
    fn the_effective_bandwidth_is_a_logarithmic_mean_of_means() {
        let rings = vec![vec![1.0, 3.0]; 6];
        let random = vec![vec![4.0, 12.0], vec![12.0, 84.0 - 4.0 * 13.0]];
        let results = Results::new(&[rings, random].concat(), 10.0);
        assert!((results.rings - 20.0).abs() < 1e-9, "{}", results.rings);
        let random = (8.0f64 * 22.0).sqrt() * 10.0;
        assert!((results.random - random).abs() < 1e-9);
        assert!((results.all - (20.0 * random).sqrt()).abs() < 1e-9);
    }
}
