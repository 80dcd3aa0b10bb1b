//! Predictions of the time of a collective by an algorithm, from what some of its ranks send: close enough to
//! choose between algorithms.
//!
//! ```text
//!   round of a part     the longest of   the core's time; the DMA engine's; the busiest link's, with the software of a first
//!                                        packet, hops and polling
//!   part                the sum of       its rounds; of stages: all stages for a segment, and the longest for each other
//!   collective          the longest of   its parts, all times of a core, all of a DMA engine, the mean of the links
//!                       and              a share of the time in which stages wait for one another (fitted)
//! ```
//!
//! All ranks are taken to send as far as one does, which holds on rings. Then a link carries the messages of as
//! many ranks as one of them passes hops; in an open line, only ranks that have such a target count.

use super::algorithm::{Algorithm, Tuning};
use super::grid::{Grid, MAX_GRID_DIMENSIONS};
use super::parts::Part;
use super::schedule::{Group, Then};
use super::{Action, Collective};
use messaging::{MessageTimes, PARTS, Pace};

/// The machine for which a collective is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// The costs of messages.
    pub pace: Pace,
    /// The places of ranks, if they are not a grid themselves.
    pub near: Option<Near>,
}

/// The grid near whose places ranks are, some of which are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Near {
    /// The grid with the missing places.
    pub grid: Grid,
    /// The number of nodes with ranks. As many consecutive ranks are on different nodes, before one is on the first
    /// node again.
    pub nodes: u32,
}

/// The number of ranks that are sampled.
const SAMPLED_RANKS: usize = 6;

/// The most rounds of a part that are sampled.
const SAMPLED_ROUNDS: u32 = 48;

/// The factor by which links are busy longer with messages over several hops where nodes are missing. Ranks behind
/// these are not at the distances that the algorithm means, so that messages meet (fitted to runs: 1.4 to 3 times).
const MEETINGS: u64 = 2;

/// Directions of a grid.
const DIRECTIONS: usize = 2 * MAX_GRID_DIMENSIONS;

/// The times of a rank in some rounds, and of its messages on links.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// The time of the rounds, one after the other.
    chain: u64,
    /// The part of that time that links take for a segment in all stages, one after the other, and the number of
    /// segments.
    fill: u64,
    segments: u64,
    core: u64,
    moved: u64,
    /// The time of all messages on a link, times their hops, by direction.
    hops: [u64; DIRECTIONS],
}

/// A prediction for a collective by an algorithm.
struct Prediction<'a> {
    machine: &'a Machine,
    collective: &'a Collective,
    tuning: &'a Tuning,
    grid: Grid,
    /// Nodes of the grid with ranks.
    nodes: u32,
    ranks: u32,
    /// Whether nodes of the grid are missing, and whether messages of several colors go around them.
    has_holes: bool,
    has_detours: bool,
}

impl Machine {
    /// The network cycles of a collective, or none if the places of its ranks are not known.
    pub(crate) fn predict(&self, collective: &Collective, tuning: &Tuning, ranks: u32) -> Option<u64> {
        let Near { grid, nodes } = tuning.grid.map(|grid| Near { grid, nodes: grid.nodes() }).or(self.near)?;
        let has_colors = Part::count(collective, tuning, Group { rank: 0, size: ranks }) > 1;
        let has_holes = tuning.grid.is_none();
        let has_detours = has_holes && has_colors;
        let machine = self;
        Some(Prediction { machine, collective, tuning, grid, nodes, ranks, has_holes, has_detours }.cycles())
    }
}

impl Prediction<'_> {
    fn cycles(&self) -> u64 {
        let of_ranks = self.sampled().map(|rank| self.of_rank(rank));
        let greatest = |of: fn(&Times) -> u64| of_ranks.iter().map(of).max().unwrap_or(0);
        let of_links = (0..DIRECTIONS).map(|direction| {
            let hops: u64 = of_ranks.iter().map(|times| times.hops[direction]).sum();
            let (dimension, count) = (direction / 2, of_ranks.len() as u64);
            let length = u64::from(self.grid.length(dimension));
            let links = if self.grid.wraps(dimension) { length } else { length - 1 };
            hops * length * u64::from(self.grid.cores()) / count / links.max(1)
        });
        let cores = u64::from(self.grid.cores());
        let chain = if self.is_ring() { self.of_most(&of_ranks) } else { greatest(|times| times.chain) };
        let of_software = greatest(|times| times.core).max(cores * greatest(|times| times.moved));
        let of_links = of_links.max().unwrap_or(0);
        let longest = chain.max(of_software).max(of_links);
        let fill = greatest(|times| times.fill);
        // Fitted to runs: the time lost while some links, or cores whose messages wait for others, have nothing to
        // do.
        let idle = match self.tuning.is_in_step() {
            _ if of_software > of_links => of_ranks[0].segments * fill * 5 / 8,
            true => 0,
            false => fill / 4,
        };
        longest.saturating_add(idle) / PARTS
    }

    /// Ranks that represent all: where trees, folds, rings and lines begin and end, and in the middle of all lines.
    fn sampled(&self) -> [u32; SAMPLED_RANKS] {
        let middle = |dimension| self.grid.length(dimension) / 2 * self.grid.stride(dimension);
        let center: u32 = (0..MAX_GRID_DIMENSIONS).map(middle).sum();
        let places = [0, 1, self.ranks / 2, 1 << self.ranks.ilog2(), self.ranks - 1, center];
        places.map(|place| place % self.ranks)
    }

    /// Whether all messages go to the next rank of a ring, so that one that takes longer is waited for once in a
    /// turn.
    fn is_ring(&self) -> bool {
        self.tuning.name_of(self.collective, self.ranks) == Algorithm::Ring.name()
    }

    /// The chain that most of the sampled ranks do not exceed.
    fn of_most(&self, of_ranks: &[Times]) -> u64 {
        let mut chains: Vec<u64> = of_ranks.iter().map(|times| times.chain).collect();
        chains.sort_unstable();
        chains[chains.len() / 2]
    }

    fn part(&self, rank: u32, number: u32) -> Part<'_> {
        Part::new(self.collective, self.tuning, Group { rank, size: self.ranks }, number)
    }

    fn of_rank(&self, rank: u32) -> Times {
        let group = Group { rank, size: self.ranks };
        let parts = Part::count(self.collective, self.tuning, group);
        let pipeline = self.part(rank, 0).pipeline();
        let of_color = pipeline.map_or(1, |pipeline| pipeline.parts());
        let mut all = Times::default();
        for first in (0..parts).step_by(of_color as usize) {
            let of_parts: Vec<Times> =
                (first..first + of_color).map(|number| self.of_part(&self.part(rank, number))).collect();
            for times in &of_parts {
                all.add(&Times { chain: 0, fill: 0, ..*times }, 1);
            }
            let Some(pipeline) = pipeline else {
                all.chain = all.chain.max(of_parts[0].chain);
                continue;
            };
            // All stages for one segment, and the longest for each of the others, of which a stage may have two at
            // a time.
            let [mut chain, mut longest, mut fill] = [0; 3];
            for stage in 0..pipeline.stages() {
                let place = pipeline.part(stage, 0);
                let (times, turns) = (&of_parts[place as usize], u64::from(pipeline.turns(place)));
                chain += times.chain / turns;
                longest = longest.max(times.chain / turns / u64::from(pipeline.lanes(stage)));
                fill += times.fill / turns;
            }
            all.chain = all.chain.max(chain + u64::from(pipeline.segments - 1) * longest);
            all.fill = all.fill.max(fill);
            all.segments = all.segments.max(pipeline.segments.into());
        }
        all
    }

    /// All rounds of a part.
    fn of_part(&self, part: &Part<'_>) -> Times {
        let rounds = part.rounds();
        let step = rounds.div_ceil(SAMPLED_ROUNDS).max(1);
        let mut all = Times::default();
        for first in (0..rounds).step_by(step as usize) {
            let count = step.min(rounds - first);
            // Samples at varying offsets, as rounds at equal distances may all go to the same plane.
            let round = first + (first / step).wrapping_mul(7919) % count;
            all.add(&self.of_round(part, round), u64::from(count));
        }
        if !part.sends_wait() {
            all.chain = 0;
        }
        all
    }

    fn of_round(&self, part: &Part<'_>, round: u32) -> Times {
        let rank = part.group.rank;
        let (mut times, mut start, mut longest) = (Times::default(), 0, 0);
        let (mut links, mut is_far) = ([0; DIRECTIONS], false);
        for action in (0..).map_while(|index| part.step(round, index)) {
            match action {
                Action::Send { target, bytes }
                | Action::Post { target, bytes }
                | Action::Pass { target, bytes } => {
                    let (message, latency, hops) =
                        self.message(rank, target, bytes, &mut links, &mut times.hops);
                    times.core += message.sent;
                    times.moved += message.moved;
                    longest = longest.max(message.wire);
                    start = start.max(message.start + latency);
                    is_far |= hops > 1;
                }
                Action::Receive { source, then } => {
                    let bytes = self.received(part, source, round);
                    let message = self.times(rank, source.unwrap_or(rank), bytes);
                    times.core += message.received + self.then(then, bytes);
                    times.moved += message.moved;
                    longest = longest.max(message.wire);
                    start = start.max(message.start);
                }
                Action::Copy { .. } | Action::Deposit { .. } | Action::Join { .. } | Action::Skip => {}
            }
        }
        let mut busiest = links.into_iter().max().unwrap_or(0);
        if self.has_holes && is_far {
            busiest *= MEETINGS;
        }
        // Messages that go around a missing node meet those that go around it the other way.
        if self.has_detours {
            busiest += longest;
            start *= 2;
        }
        // Packets of long messages are written, carried and read at the same time, and share the links of all
        // shortest routes; a packet takes one of them.
        let carried = match busiest {
            0 => longest,
            _ => busiest.max(longest.min(self.machine.pace.packet())),
        };
        times.chain = times.core.max(times.moved).max(start + carried);
        times.fill = carried.saturating_sub(self.machine.pace.message(1).wire);
        times
    }

    /// The times of a message, the latency of its hops, and the number of hops. Adds its hops on links to `links`
    /// and `all`.
    fn message(
        &self,
        rank: u32,
        target: u32,
        bytes: u64,
        links: &mut [u64; DIRECTIONS],
        all: &mut [u64; DIRECTIONS],
    ) -> (MessageTimes, u64, u32) {
        let message = self.times(rank, target, bytes);
        let mut all_hops = 0;
        let (grid, mut latency) = (&self.grid, self.machine.pace.around());
        let short_way = grid.short_way(self.place(rank), self.place(target));
        for dimension in 0..MAX_GRID_DIMENSIONS {
            let [from, to] = [rank, target].map(|rank| grid.coordinate(self.place(rank), dimension));
            let length = grid.length(dimension);
            let steps = short_way.map(|steps| steps[dimension]);
            if steps.map_or(from == to, |steps| steps == 0) || message.wire == 0 {
                continue;
            }
            let ahead = if grid.wraps(dimension) { (to + length - from) % length } else { to.abs_diff(from) };
            let (hops, is_plus) = match (steps, grid.wraps(dimension)) {
                (Some(steps), _) => (steps.unsigned_abs() as u32, steps > 0),
                (None, true) => (ahead.min(length - ahead), 2 * ahead < length),
                (None, false) => (ahead, to > from),
            };
            all_hops += hops;
            latency += self.machine.pace.hop() * u64::from(hops) * message.journeys;
            let is_tied = grid.has_rings_of_lines(dimension) && 2 * hops == length;
            let on_link = if grid.wraps(dimension) { hops } else { hops.min(length - hops) };
            let [of_link, of_all] =
                [on_link, hops].map(|hops| u64::from(hops) * message.wire * self.busy_cores());
            for direction in [0, 1] {
                let share = match is_tied {
                    true => 2,
                    false if is_plus == (direction == 0) => 1,
                    false => continue,
                };
                links[2 * dimension + direction] += of_link / share;
                all[2 * dimension + direction] += of_all / share / self.busy_cores();
            }
        }
        (message, latency, all_hops)
    }

    /// The place of a rank in the grid, as if the missing nodes were the last ones.
    fn place(&self, rank: u32) -> u32 {
        rank % self.nodes + rank / self.nodes * self.grid.nodes()
    }

    /// Ranks of a node, which send at the same time.
    fn busy_cores(&self) -> u64 {
        self.grid.cores().into()
    }

    fn times(&self, rank: u32, other: u32, bytes: u64) -> MessageTimes {
        match rank % self.nodes == other % self.nodes {
            true => self.machine.pace.local(bytes),
            false => self.machine.pace.message(bytes),
        }
    }

    fn then(&self, then: Then, bytes: u64) -> u64 {
        match then {
            Then::Keep | Then::Copy => 0,
            Then::Combine(times) => self.machine.pace.combine(bytes * u64::from(times)),
        }
    }

    /// The bytes that a rank receives from another, which sends them in the same round.
    fn received(&self, part: &Part<'_>, source: Option<u32>, round: u32) -> u64 {
        let of = |part: &Part<'_>, target: Option<u32>| {
            let steps = (0..).map_while(|index| part.step(round, index));
            steps
                .filter_map(move |action| match action {
                    Action::Send { target: to, bytes } | Action::Post { target: to, bytes } => {
                        target.is_none_or(|target| target == to).then_some(bytes)
                    }
                    Action::Deposit { .. }
                    | Action::Pass { .. }
                    | Action::Receive { .. }
                    | Action::Copy { .. }
                    | Action::Join { .. }
                    | Action::Skip => None,
                })
                .max()
        };
        let from_source = source.and_then(|source| {
            let group = Group { rank: source, ..part.group };
            of(&Part::new(part.collective, part.tuning, group, part.number), Some(part.group.rank))
        });
        from_source.or_else(|| of(part, None)).unwrap_or(0)
    }
}

impl Times {
    fn add(&mut self, other: &Times, times: u64) {
        self.chain += other.chain * times;
        self.fill += other.fill * times;
        self.core += other.core * times;
        self.moved += other.moved * times;
        self.hops.iter_mut().zip(other.hops).for_each(|(sum, hops)| *sum += hops * times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Shape;
    use proptest::prelude::*;

    fn machine(lengths: &[u32], software: &messaging::Parameters) -> (Machine, Grid) {
        let grid = Grid::new(lengths, &vec![true; lengths.len()]);
        (Machine { pace: Pace::on_bluegene_l(Shape::torus(lengths).unwrap(), software), near: None }, grid)
    }

    /// Without costs a ring of neighbors takes the time of its links, to a few percent. Each round has a block of
    /// half of the data.
    #[test]
    fn a_ring_takes_what_its_links_take() {
        let (machine, grid) = machine(&[4, 4], &messaging::Parameters::default());
        let tuning = Tuning { grid: Some(grid), ..Tuning::default() }.with(Algorithm::Ring);
        let bytes = 16 * 2 * 240 * 100;
        let cycles = machine.predict(&Collective::Allreduce { bytes }, &tuning, 16).unwrap();
        let expected = 2 * 15 * 100 * 270;
        assert!((expected..expected + expected / 50).contains(&cycles), "{cycles}, not {expected}");
    }

    /// Where software is slow and data are short, messages determine the time: a tree has fewer rounds than a ring.
    #[test]
    fn short_data_take_few_messages() {
        let (machine, grid) = machine(&[4, 4, 8], &messaging::Parameters::october_2003());
        let cycles = |algorithm| {
            let tuning = Tuning { grid: Some(grid), ..Tuning::default() }.with(algorithm);
            machine.predict(&Collective::Allreduce { bytes: 1024 }, &tuning, 128).unwrap()
        };
        assert!(cycles(Algorithm::RecursiveDoubling) < cycles(Algorithm::Ring) / 5);
    }

    /// Without the last node of a line of three, ranks of one node are two numbers apart: halves and quarters stay there.
    #[test]
    fn ranks_of_a_node_are_as_far_apart_as_nodes_are_there() {
        let (machine, _) = machine(&[3], &messaging::Parameters::default());
        let grid = Grid::new(&[3, 4], &[false, true]).with_cores(4);
        let cycles = |algorithm, nodes| {
            let near = Machine { near: Some(Near { grid, nodes }), ..machine };
            let tuning = Tuning::default().with(algorithm);
            near.predict(&Collective::Allreduce { bytes: 1 << 16 }, &tuning, 8).unwrap()
        };
        let [near, far] = [2, 3].map(|nodes| cycles(Algorithm::HalvingDoubling, nodes));
        assert!(near < cycles(Algorithm::Ring, 2) && near < far, "{near}, {far}");
    }

    #[test]
    fn nothing_is_predicted_of_ranks_in_unknown_places() {
        let (machine, _) = machine(&[4, 4], &messaging::Parameters::default());
        assert_eq!(machine.predict(&Collective::Allreduce { bytes: 8 }, &Tuning::default(), 16), None);
    }

    proptest! {
        /// More data take no less time, for any algorithm.
        #[test]
        fn predictions_grow_with_the_data(
            lengths in prop::collection::vec(2u32..6, 1..=3), bytes in 1u64..1 << 22, place in any::<prop::sample::Index>(),
        ) {
            let (machine, grid) = machine(&lengths, &messaging::Parameters::october_2003());
            let ranks = grid.ranks() as u32;
            let of = |bytes: u64| Collective::Allreduce { bytes: bytes * 64 * u64::from(ranks) };
            let known: Vec<Tuning> = of(bytes)
                .operation()
                .selectable()
                .map(|algorithm| Tuning { grid: Some(grid), ..Tuning::default() }.with(algorithm))
                .filter(|tuning| tuning.misfit(&of(bytes), ranks).is_none())
                .collect();
            let tuning = place.get(&known);
            let [less, more] = [bytes, 2 * bytes].map(|bytes| machine.predict(&of(bytes), tuning, ranks).unwrap());
            prop_assert!(less < more, "{tuning:?}: {less}, then {more}");
        }
    }
}
