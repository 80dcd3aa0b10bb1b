//! Algorithms of collectives by name, and which of them suits which data and ranks.

use super::fold::power_of_two;
use super::grid::Grid;
use super::orders::Orders;
use super::schedule::Group;
use super::{Collective, ELEMENT_BYTES};
use messaging::MAX_MESSAGE_BYTES;
use serde::{Deserialize, Serialize};

/// What a collective does, apart from who has the data and how they are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub enum Operation {
    Broadcast,
    Reduce,
    AllReduce,
    AllGather,
    ReduceScatter,
    Scatter,
    Gather,
    AllToAll,
    Barrier,
    /// Those of which only MPICH2's algorithms are there: scans, and lengths that differ from rank to rank.
    Other,
}

/// How a collective is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Algorithm {
    /// The one that MPICH2 takes for such a length and number of ranks.
    #[default]
    Auto,
    /// Blocks around a ring of all ranks.
    Ring,
    /// Rings along one dimension after the other, each part of the data beginning with another.
    Bucket,
    /// Exchanges at distances 1, 1, 3, 5, 11 ... along rings.
    Swing,
    /// Halves of what is left with partners twice as far away each time, and back.
    HalvingDoubling,
    /// Everything with partners twice as far away each time.
    RecursiveDoubling,
    /// Everything to everybody, a window of messages in random order.
    Direct,
    /// Along the longest dimension first; combined, then across.
    TwoPhase,
    /// With one rank after the other.
    Pairwise,
    /// Blocks whose distance has a bit, combined.
    Bruck,
    /// All transfers begun, then waited for.
    PostAndWait,
    /// A tree in which subtrees halve.
    Binomial,
    /// A binomial scatter, and an allgather around a ring.
    ScatterAllgather,
    /// Two edge-disjoint trees on a plane.
    RedBlue,
    /// Edge-disjoint trees on a torus, one for each link of the root.
    Rectangle,
    /// Lines of the trees of a torus or mesh, along which the deposit bit leaves copies.
    Deposit,
    /// Everybody hears of twice as many each round.
    Dissemination,
    /// The tree network, which combines and broadcasts packets itself.
    TreeNetwork,
    /// A wire of the global interrupts.
    Interrupts,
}

/// Which directions of rings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Directions {
    /// Both, each by half of the data.
    #[default]
    Both,
    /// One.
    One,
}

/// What the elements of a reduction are, as far as the tree network knows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operands {
    /// Integers, which it combines in one pass.
    #[default]
    Integer,
    /// Floating-point numbers, which take two passes: the largest exponent of each, then sums of aligned mantissas.
    Floating,
}

/// How a collective is carried out, which all its ranks must agree on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tuning {
    /// By which algorithm.
    pub algorithm: Algorithm,
    /// In which directions, if the algorithm is one of rings.
    pub directions: Directions,
    /// The longest messages in bytes, 0 for any: longer ones are cut into segments that go on one by one.
    pub segment_bytes: u64,
    /// Where the ranks are, if they are all of a torus or mesh.
    pub grid: Option<Grid>,
    /// The seed of random orders.
    pub seed: u64,
    /// What is combined, if the tree network does it.
    pub operands: Operands,
}

impl Operation {
    /// Those that have algorithms by name, each by its own.
    pub const NAMES: &[(&str, Operation)] = &[
        ("all-reduce", Operation::AllReduce),
        ("reduce-scatter", Operation::ReduceScatter),
        ("all-gather", Operation::AllGather),
        ("all-to-all", Operation::AllToAll),
        ("broadcast", Operation::Broadcast),
        ("reduce", Operation::Reduce),
        ("scatter", Operation::Scatter),
        ("gather", Operation::Gather),
        ("barrier", Operation::Barrier),
    ];

    /// The name of the operation; "other" where it has none.
    pub fn name(self) -> &'static str {
        let named = Operation::NAMES.iter().find(|(_, operation)| *operation == self);
        named.map_or("other", |(name, _)| name)
    }

    /// How many there are.
    pub(crate) const COUNT: usize = Operation::Other as usize + 1;

    /// The algorithms that any call of it can have: those beside the torus and along its lines need more than ranks.
    pub fn selectable(self) -> impl Iterator<Item = Algorithm> {
        let known = self.algorithms().iter().copied();
        known.filter(|algorithm| !algorithm.is_joint() && !algorithm.deposits())
    }

    /// The algorithms that can be named for it.
    pub fn algorithms(self) -> &'static [Algorithm] {
        use Algorithm::*;
        match self {
            Operation::AllReduce => &[Ring, Bucket, Swing, HalvingDoubling, RecursiveDoubling, TreeNetwork],
            Operation::ReduceScatter => &[Ring, Bucket, Swing, HalvingDoubling],
            Operation::AllGather => &[Ring, Bucket, Swing, HalvingDoubling, TreeNetwork],
            Operation::AllToAll => &[Direct, TwoPhase, Pairwise, RecursiveDoubling, Bruck, PostAndWait],
            Operation::Broadcast => &[Binomial, ScatterAllgather, RedBlue, Rectangle, Deposit, TreeNetwork],
            Operation::Reduce => &[Binomial, TreeNetwork],
            Operation::Scatter | Operation::Gather => &[Binomial],
            Operation::Barrier => &[Dissemination, TreeNetwork, Interrupts],
            Operation::Other => &[],
        }
    }
}

impl Algorithm {
    /// All, each by its name.
    pub const NAMES: &[(&str, Algorithm)] = &[
        ("auto", Algorithm::Auto),
        ("ring", Algorithm::Ring),
        ("bucket", Algorithm::Bucket),
        ("swing", Algorithm::Swing),
        ("halving-doubling", Algorithm::HalvingDoubling),
        ("recursive-doubling", Algorithm::RecursiveDoubling),
        ("direct", Algorithm::Direct),
        ("two-phase", Algorithm::TwoPhase),
        ("pairwise", Algorithm::Pairwise),
        ("bruck", Algorithm::Bruck),
        ("post-and-wait", Algorithm::PostAndWait),
        ("binomial", Algorithm::Binomial),
        ("scatter-allgather", Algorithm::ScatterAllgather),
        ("red-blue", Algorithm::RedBlue),
        ("rectangle", Algorithm::Rectangle),
        ("deposit", Algorithm::Deposit),
        ("dissemination", Algorithm::Dissemination),
        ("tree-network", Algorithm::TreeNetwork),
        ("interrupts", Algorithm::Interrupts),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let named = Algorithm::NAMES.iter().find(|(_, algorithm)| *algorithm == self);
        named.expect("all have names").0
    }

    /// Whether it uses one or both directions of rings.
    pub fn has_directions(self) -> bool {
        use Algorithm::*;
        matches!(self, Ring | Bucket | Swing | Rectangle | Deposit)
    }

    /// Whether its messages can be cut into segments.
    pub fn has_segments(self, operation: Operation) -> bool {
        !matches!(self, Algorithm::Auto | Algorithm::TreeNetwork)
            && !matches!(operation, Operation::AllToAll | Operation::Barrier)
    }

    /// Whether the messages of all ranks are alike under translations of their grid, each to as many ranks as far away: of
    /// all-to-alls whose messages are all under way together.
    pub fn sends_alike(self) -> bool {
        matches!(self, Algorithm::Direct | Algorithm::TwoPhase | Algorithm::PostAndWait)
    }

    /// Whether all ranks of the machine take part, on a network beside the torus.
    pub fn is_joint(self) -> bool {
        matches!(self, Algorithm::TreeNetwork | Algorithm::Interrupts)
    }

    /// Whether its packets leave copies at the nodes that they pass.
    pub fn deposits(self) -> bool {
        self == Algorithm::Deposit
    }

    fn is_of_grids(self) -> bool {
        use Algorithm::*;
        matches!(self, Bucket | Swing | TwoPhase | RedBlue | Rectangle | Deposit)
    }
}

impl Tuning {
    /// The same with another algorithm.
    #[must_use]
    pub fn with(self, algorithm: Algorithm) -> Self {
        Tuning { algorithm, ..self }
    }

    /// The same with an algorithm whose messages are short enough, if none is named: MPICH2's send half of a vector, or all
    /// of it.
    #[must_use]
    pub fn for_length(self, collective: &Collective) -> Self {
        match *collective {
            Collective::Allreduce { bytes }
                if self.algorithm == Algorithm::Auto && bytes > MAX_MESSAGE_BYTES =>
            {
                self.with(Algorithm::Ring)
            }
            _ => self,
        }
    }

    /// Whether the algorithm suits a call of a program, whose data may be of any length and whose rank may be alone.
    pub(crate) fn suits(&self, collective: &Collective, ranks: u32) -> bool {
        ranks > 1
            && self.misfit(collective, ranks).is_none()
            && self.longest_message(collective, ranks) <= MAX_MESSAGE_BYTES
    }

    /// Why the algorithm does not suit a collective among so many ranks, if it does not.
    pub fn misfit(&self, collective: &Collective, ranks: u32) -> Option<String> {
        let (algorithm, operation) = (self.algorithm, collective.operation());
        if algorithm == Algorithm::Auto {
            return None;
        }
        if !operation.algorithms().contains(&algorithm) {
            return Some(format!("{} is no algorithm for it", algorithm.name()));
        }
        if algorithm.is_of_grids() {
            return self.misfit_of_grid(ranks);
        }
        let needs_power_of_two = match algorithm {
            Algorithm::HalvingDoubling => operation == Operation::AllGather,
            Algorithm::RecursiveDoubling => operation == Operation::AllToAll,
            _ => false,
        };
        if needs_power_of_two && !ranks.is_power_of_two() {
            return Some(format!("it needs a power of two ranks, not {ranks}"));
        }
        let least = ELEMENT_BYTES * u64::from(power_of_two(ranks));
        match *collective {
            Collective::Allreduce { bytes } if algorithm == Algorithm::HalvingDoubling && bytes < least => {
                Some(format!(
                    "it cuts the vector into elements for each rank: {bytes} bytes, but at least {least}"
                ))
            }
            _ => None,
        }
    }

    fn misfit_of_grid(&self, ranks: u32) -> Option<String> {
        let Some(grid) = self.grid.filter(|grid| grid.ranks() == u64::from(ranks)) else {
            return Some("it needs all ranks of a torus or mesh, none of them dead".into());
        };
        let (long, count) = grid.long();
        let lengths = || long[..count].iter().map(|&dimension| grid.length(dimension));
        match self.algorithm {
            Algorithm::Swing if !lengths().all(u32::is_power_of_two) => {
                Some("it needs powers of two as lengths".into())
            }
            Algorithm::Swing | Algorithm::Rectangle if !grid.is_closed() => {
                Some("it needs dimensions that wrap".into())
            }
            Algorithm::RedBlue if count != 2 => {
                Some(format!("it needs a plane, not {count} dimensions of more than one rank"))
            }
            _ => None,
        }
    }

    /// Whether the colors of the algorithm leave links as others take them: all but those of `bucket` on lengths that differ.
    pub(super) fn is_in_step(&self) -> bool {
        let grid = self.grid.filter(|_| self.algorithm == Algorithm::Bucket);
        grid.is_none_or(|grid| Orders::of(&grid, self.directions, false).are_in_step())
    }

    /// What is wrong with it for a collective of a rank of `group`, if anything is.
    pub(crate) fn fault(&self, collective: &Collective, group: Group) -> Option<String> {
        match self.grid {
            Some(grid) if !grid.is_valid() => Some("its grid has no ranks, or too many".into()),
            _ => self.misfit(collective, group.size).or_else(|| {
                let longest = self.longest_of_rank(collective, group);
                let name = self.name_of(collective, group.size);
                (longest > MAX_MESSAGE_BYTES).then(|| {
                    format!("{name} sends {longest} bytes in a message, at most {MAX_MESSAGE_BYTES}")
                })
            }),
        }
    }
}
