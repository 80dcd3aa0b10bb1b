//! Algorithms of collectives by name, and which of them suits which data and ranks.
//!
//! # To add one
//!
//! 1. A file here with its `Schedule`, and its `mod` in `collectives/mod.rs`.
//! 2. Its row of `algorithms!`, which asks for its operations and for all that sets it apart.
//! 3. Its arm in `Part::visit_segment` (`parts.rs`), which cuts data into colors and segments. An algorithm
//!    of grids asks the `Grid` where ranks are. `parts/tests.rs` runs all algorithms, and
//!    `simulation/tests/collectives.rs` whole machines with all of them.
//! 4. A row in `docs/models/collectives.md`: `tests/test_pages.py` asks for it.
//!
//! Parts go on independently. `Schedule::is_shared` and `received_before` connect them. Colors that have to
//! stay in step are steps of one part (`Algorithm::is_together`). Colors whose segments follow one another
//! through stages have a part for each stage (`Part::stages`, `grid/orders.rs`).
//!
//! For reductions and all-gathers `"auto"` takes the algorithm that `prediction.rs` finds soonest; a new one
//! is among them without a line. For other operations the choice is in `choice.rs`. An algorithm that sends
//! along lines of the torus (`Algorithm::deposits`) is announced to the engines
//! (`MessagingBuilder::depositing`). One that the collective network carries out (`Algorithm::is_on_network`) has
//! one step, and what all ranks do is a `messaging::NetworkCollective`; `mpi_on_engines/collective_networks.rs` runs it.

use super::directions::Directions;
use super::fold::power_of_two;
use super::grid::Grid;
use super::grid::orders::Orders;
use super::schedule::Group;
use super::{Collective, Data, ELEMENT_BYTES};
use messaging::MAX_MESSAGE_BYTES;
use serde::{Deserialize, Serialize};

/// Declares an enum whose variants have names, except perhaps the last, which is known by a word only.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $kind:ident {
            $($(#[$comment:meta])* $variant:ident = $name:literal,)*
            $(; $(#[$of_last:meta])* $last:ident = $word:literal)?
        }
    ) => {
        $(#[$attribute])*
        pub enum $kind {
            $($(#[$comment])* $variant,)*
            $($(#[$of_last])* $last,)?
        }

        impl $kind {
            /// All variants that have a name, with that name.
            pub const NAMES: &[(&str, $kind)] = &[$(($name, $kind::$variant)),*];

            /// The name, or a word for a variant that has none.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name,)*
                    $($kind::$last => $word,)?
                }
            }
        }
    };
}

named! {
    /// The operation of a collective, regardless of who has the data and how they are cut. Operations with names
    /// have algorithms by name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[allow(missing_docs)] // the names say it
    Operation {
        AllReduce = "all-reduce",
        ReduceScatter = "reduce-scatter",
        AllGather = "all-gather",
        AllToAll = "all-to-all",
        AllToAllV = "alltoallv",
        Broadcast = "broadcast",
        Reduce = "reduce",
        Scatter = "scatter",
        Gather = "gather",
        Barrier = "barrier",
        ;
        /// Operations for which only MPICH2's algorithms exist: scans, and most with lengths that differ from rank to rank.
        Other = "other"
    }
}

/// Declares the algorithms and their traits: a new algorithm has to state every trait.
macro_rules! algorithms {
    ($(
        $(#[$comment:meta])*
        $algorithm:ident = $name:literal {
            of: [$($operation:ident),*], alike: $alike:literal, blocks: $blocks:literal,
            ground: $ground:ident, partners: $partners:ident, colors: $colors:ident, messages: $messages:ident,
            segments: $segments:literal
        }
    )*) => {
        named! {
            /// An algorithm that carries out a collective.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
            Algorithm {
                $($(#[$comment])* $algorithm = $name,)*
            }
        }

        impl Algorithm {
            fn traits(self) -> Traits {
                match self {
                    $(Algorithm::$algorithm => Traits {
                        of: &[$(Operation::$operation),*],
                        alike: $alike,
                        blocks: $blocks,
                        ground: Ground::$ground,
                        partners: Partners::$partners,
                        colors: Colors::$colors,
                        messages: Messages::$messages,
                        segments: $segments,
                    },)*
                }
            }
        }
    };
}

/// The traits of an algorithm.
struct Traits {
    /// The operations for which it can be named.
    of: &'static [Operation],
    /// Whether the messages of all ranks are alike under translations of their grid ([`Algorithm::sends_alike`]).
    alike: bool,
    /// Whether each message is one block of an all-to-all.
    blocks: bool,
    ground: Ground,
    partners: Partners,
    colors: Colors,
    messages: Messages,
    /// Whether its messages can be cut into segments.
    segments: bool,
}

/// The places that an algorithm requires of its ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Anywhere.
    Anywhere,
    /// On a torus or mesh.
    Grid,
    /// On a torus, all of whose dimensions wrap.
    Torus,
    /// On a torus whose lengths are powers of two.
    TorusOfPowers,
    /// On a torus or mesh of two dimensions.
    Plane,
    /// All on the tree network.
    TreeNetwork,
    /// All on the wires of the global interrupts.
    Interrupts,
}

/// The partners among ranks, as far as the number of ranks matters.
#[derive(Clone, Copy)]
enum Partners {
    Any,
    /// Partners at the greatest power of two first. In an all-gather all ranks need one. An all-reduce cuts its
    /// vector into elements for each, and folds the other ranks.
    Halving,
    /// Partners at all powers of two. In an all-to-all all ranks need one.
    Doubling,
}

/// The parts into which data are cut, each with its own directions or trees.
#[derive(Clone, Copy)]
pub(super) enum Colors {
    /// One color, which has all data.
    One,
    /// One for each way around a ring.
    Ways,
    /// The colors of [`Orders`], each of which goes through stages.
    Stages,
    /// One for each way along each dimension; they begin each round together.
    Together,
    /// One for each of two trees.
    TwoTrees,
    /// One for each way along each dimension, a tree.
    Trees,
    /// One for each tree along whose lines the deposit bit leaves copies.
    Lines,
    /// No colors: parts are places in a window of targets.
    Targets,
    /// No colors: parts are places in a window of lines of targets, and receives.
    TargetLines,
}

/// The number of longest messages into which the data of a color are cut.
#[derive(Clone, Copy)]
pub(super) enum Messages {
    One,
    Two,
    /// One for each rank.
    PerRank,
}

algorithms! {
    /// The algorithm that MPICH2 takes for the length and the number of ranks.
    #[default]
    Auto = "auto" {
        of: [], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: false
    }
    /// Blocks around a ring of all ranks.
    Ring = "ring" {
        of: [AllReduce, ReduceScatter, AllGather], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: Ways, messages: PerRank, segments: true
    }
    /// Rings along one dimension after the other; each part of the data begins with another dimension.
    Bucket = "bucket" {
        of: [AllReduce, ReduceScatter, AllGather], alike: false, blocks: false,
        ground: Grid, partners: Any, colors: Stages, messages: One, segments: true
    }
    /// Exchanges at distances 1, 1, 3, 5, 11 ... along rings.
    Swing = "swing" {
        of: [AllReduce, ReduceScatter, AllGather], alike: false, blocks: false,
        ground: TorusOfPowers, partners: Any, colors: Together, messages: Two, segments: true
    }
    /// Halves of the remaining data with partners twice as far away each time, and back.
    HalvingDoubling = "halving-doubling" {
        of: [AllReduce, ReduceScatter, AllGather], alike: false, blocks: false,
        ground: Anywhere, partners: Halving, colors: One, messages: Two, segments: true
    }
    /// All data with partners twice as far away each time.
    RecursiveDoubling = "recursive-doubling" {
        of: [AllReduce, AllToAll], alike: false, blocks: false,
        ground: Anywhere, partners: Doubling, colors: One, messages: One, segments: true
    }
    /// Each rank to every other, a window of messages in random order.
    Direct = "direct" {
        of: [AllToAll], alike: true, blocks: true,
        ground: Anywhere, partners: Any, colors: Targets, messages: One, segments: true
    }
    /// Along the longest dimension first; combined, then across.
    TwoPhase = "two-phase" {
        of: [AllToAll], alike: true, blocks: false,
        ground: Grid, partners: Any, colors: TargetLines, messages: One, segments: true
    }
    /// With one rank after the other.
    Pairwise = "pairwise" {
        of: [AllToAll], alike: false, blocks: true,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: true
    }
    /// Blocks whose distance has a bit, combined.
    Bruck = "bruck" {
        of: [AllToAll], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: true
    }
    /// All transfers begun, then waited for.
    PostAndWait = "post-and-wait" {
        of: [AllToAll, AllToAllV], alike: true, blocks: true,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: true
    }
    /// A tree in which subtrees halve.
    Binomial = "binomial" {
        of: [Broadcast, Reduce, Scatter, Gather], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: true
    }
    /// A binomial scatter, and an allgather around a ring.
    ScatterAllgather = "scatter-allgather" {
        of: [Broadcast], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: One, messages: Two, segments: true
    }
    /// Two edge-disjoint trees on a plane.
    RedBlue = "red-blue" {
        of: [Broadcast], alike: false, blocks: false,
        ground: Plane, partners: Any, colors: TwoTrees, messages: One, segments: true
    }
    /// Edge-disjoint trees on a torus, one for each link of the root.
    Rectangle = "rectangle" {
        of: [Broadcast], alike: false, blocks: false,
        ground: Torus, partners: Any, colors: Trees, messages: One, segments: true
    }
    /// Lines of the trees of a torus or mesh, along which the deposit bit leaves copies.
    Deposit = "deposit" {
        of: [Broadcast], alike: false, blocks: false,
        ground: Grid, partners: Any, colors: Lines, messages: One, segments: true
    }
    /// In each round, every rank knows of twice as many ranks.
    Dissemination = "dissemination" {
        of: [Barrier], alike: false, blocks: false,
        ground: Anywhere, partners: Any, colors: One, messages: One, segments: true
    }
    /// The tree network, which combines and broadcasts packets itself.
    TreeNetwork = "tree-network" {
        of: [AllReduce, AllGather, Broadcast, Reduce, Barrier], alike: false, blocks: false,
        ground: TreeNetwork, partners: Any, colors: One, messages: One, segments: false
    }
    /// A wire of the global interrupts.
    Interrupts = "interrupts" {
        of: [Barrier], alike: false, blocks: false,
        ground: Interrupts, partners: Any, colors: One, messages: One, segments: true
    }
}

/// The type of a reduction's elements, as far as the tree network knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operands {
    /// Integers, which the network combines in one pass.
    #[default]
    Integer,
    /// Floating-point numbers, which take two passes: the largest exponent of each, then sums of aligned mantissas.
    Floating,
}

/// The settings of a collective, on which all its ranks must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tuning {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The directions, if the algorithm uses rings.
    pub directions: Directions,
    /// The longest message in bytes, 0 for any. Longer ones are cut into segments, which are forwarded one by one.
    pub segment_bytes: u64,
    /// The grid of the ranks, if they are all ranks of a torus or mesh.
    pub grid: Option<Grid>,
    /// The seed of random orders.
    pub seed: u64,
    /// The type of the operands, if the tree network combines them.
    pub operands: Operands,
}

/// The halves of a reduction to all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halves {
    /// One half that reduces and scatters, then one that gathers.
    Both,
    /// The half that reduces and scatters only.
    Scatters,
    /// The half that gathers only.
    Gathers,
}

impl Halves {
    /// Whether there is a half that reduces and scatters, and one that gathers.
    pub(super) fn present(self) -> (bool, bool) {
        match self {
            Halves::Both => (true, true),
            Halves::Scatters => (true, false),
            Halves::Gathers => (false, true),
        }
    }
}

impl Operation {
    /// The number of operations.
    pub(crate) const COUNT: usize = Operation::Other as usize + 1;

    /// The algorithms that any call of the operation can have. Those of other networks, and those along torus
    /// lines, need more than ranks.
    pub fn selectable(self) -> impl Iterator<Item = Algorithm> {
        self.algorithms().filter(|algorithm| !algorithm.is_on_network() && !algorithm.deposits())
    }

    /// The algorithms that can be named for the operation.
    pub fn algorithms(self) -> impl Iterator<Item = Algorithm> {
        let all = Algorithm::NAMES.iter().map(|&(_, algorithm)| algorithm);
        all.filter(move |algorithm| algorithm.traits().of.contains(&self))
    }

    /// The halves of a reduction to all ranks that the operation has, if it consists of them.
    pub(super) fn halves(self) -> Option<Halves> {
        use Operation::*;
        match self {
            AllReduce => Some(Halves::Both),
            ReduceScatter => Some(Halves::Scatters),
            AllGather => Some(Halves::Gathers),
            AllToAll | AllToAllV | Broadcast | Reduce | Scatter | Gather | Barrier | Other => None,
        }
    }

    /// Whether each rank has a block for each other, which goes to that rank alone.
    pub(super) fn is_exchange(self) -> bool {
        use Operation::*;
        match self {
            AllToAll | AllToAllV => true,
            AllReduce | ReduceScatter | AllGather | Broadcast | Reduce | Scatter | Gather | Barrier
            | Other => false,
        }
    }

    /// Whether its messages can be cut into segments.
    fn has_segments(self) -> bool {
        use Operation::*;
        match self {
            AllReduce | ReduceScatter | AllGather | Broadcast | Reduce | Scatter | Gather | Other => true,
            AllToAll | AllToAllV | Barrier => false,
        }
    }
}

impl Algorithm {
    /// The places that the algorithm requires of its ranks.
    pub fn ground(self) -> Ground {
        self.traits().ground
    }

    pub(super) fn colors(self) -> Colors {
        self.traits().colors
    }

    pub(super) fn messages(self) -> Messages {
        self.traits().messages
    }

    /// Whether it uses one or both directions of rings.
    pub fn has_directions(self) -> bool {
        use Colors::*;
        match self.colors() {
            Ways | Stages | Together | Trees | Lines => true,
            One | TwoTrees | Targets | TargetLines => false,
        }
    }

    /// Whether its messages can be cut into segments.
    pub fn has_segments(self, operation: Operation) -> bool {
        self.traits().segments && operation.has_segments()
    }

    /// Whether all ranks send alike under translations of their grid: each to as many ranks, as far away. This
    /// holds for all-to-alls whose messages are all under way together.
    pub fn sends_alike(self) -> bool {
        self.traits().alike
    }

    /// Whether each message is one block of an all-to-all, so that all have one length.
    pub fn sends_blocks(self) -> bool {
        self.traits().blocks
    }

    /// Whether all ranks of the machine take part, on a collective network.
    pub fn is_on_network(self) -> bool {
        use Ground::*;
        match self.ground() {
            TreeNetwork | Interrupts => true,
            Anywhere | Grid | Torus | TorusOfPowers | Plane => false,
        }
    }

    fn is_of_grids(self) -> bool {
        use Ground::*;
        match self.ground() {
            Grid | Torus | TorusOfPowers | Plane => true,
            Anywhere | TreeNetwork | Interrupts => false,
        }
    }

    /// Whether its packets leave copies at the nodes that they pass.
    pub fn deposits(self) -> bool {
        use Colors::*;
        match self.colors() {
            Lines => true,
            One | Ways | Stages | Together | TwoTrees | Trees | Targets | TargetLines => false,
        }
    }

    /// Whether a rank forwards what it has received to others in a tree.
    pub(super) fn is_of_trees(self) -> bool {
        use Colors::*;
        match self.colors() {
            TwoTrees | Trees => true,
            One | Ways | Stages | Together | Lines | Targets | TargetLines => false,
        }
    }

    /// Whether its parts are stages through which each segment of a color goes.
    pub(super) fn is_staged(self) -> bool {
        use Colors::*;
        match self.colors() {
            Stages => true,
            One | Ways | Together | TwoTrees | Trees | Lines | Targets | TargetLines => false,
        }
    }

    /// Whether the colors of a segment begin each round together, as steps of one part. A color that is ahead of
    /// another would take its links.
    pub(super) fn is_together(self) -> bool {
        use Colors::*;
        match self.colors() {
            Together => true,
            One | Ways | Stages | TwoTrees | Trees | Lines | Targets | TargetLines => false,
        }
    }

    /// Whether its parts are the places in a window of targets.
    pub(super) fn is_window(self) -> bool {
        use Colors::*;
        match self.colors() {
            Targets | TargetLines => true,
            One | Ways | Stages | Together | TwoTrees | Trees | Lines => false,
        }
    }
}

impl Directions {
    /// The number of colors.
    pub(super) fn count(self) -> u32 {
        match self {
            Directions::Both => 2,
            Directions::One => 1,
        }
    }
}

impl Operands {
    /// The passes that the tree network takes to combine the operands.
    pub(super) fn passes(self) -> u8 {
        match self {
            Operands::Integer => 1,
            Operands::Floating => 2,
        }
    }
}

impl Tuning {
    /// The tuning that states nothing: MPICH2's rules choose. It is the default.
    pub(crate) const UNSTATED: Tuning = Tuning {
        algorithm: Algorithm::Auto,
        directions: Directions::Both,
        segment_bytes: 0,
        grid: None,
        seed: 0,
        operands: Operands::Integer,
    };

    /// This tuning with another algorithm.
    #[must_use]
    pub fn with(self, algorithm: Algorithm) -> Self {
        Tuning { algorithm, ..self }
    }

    /// This tuning with an algorithm whose messages are short enough, if none is named. MPICH2's algorithms send
    /// half of a vector, or all of it.
    #[must_use]
    pub fn for_length(self, collective: &Collective) -> Self {
        match collective.data() {
            Data::Shared(bytes) if self.algorithm == Algorithm::Auto && bytes > MAX_MESSAGE_BYTES => {
                self.with(Algorithm::Ring)
            }
            Data::Shared(_) | Data::Vector(_) | Data::Blocks(_) | Data::Uncut(_) | Data::Listed(_) => self,
        }
    }

    /// Whether the algorithm suits a call of a program, whose data may be of any length and whose rank may be alone.
    pub(crate) fn suits(&self, collective: &Collective, ranks: u32) -> bool {
        ranks > 1
            && self.misfit(collective, ranks).is_none()
            && self.longest_message(collective, ranks) <= MAX_MESSAGE_BYTES
    }

    /// The reason why the algorithm does not suit a collective among `ranks` ranks, if it does not.
    pub fn misfit(&self, collective: &Collective, ranks: u32) -> Option<String> {
        let (algorithm, operation) = (self.algorithm, collective.operation());
        if algorithm == Algorithm::Auto {
            return None;
        }
        if !algorithm.traits().of.contains(&operation) {
            return Some(format!("{} is no algorithm for it", algorithm.name()));
        }
        if algorithm.is_of_grids() {
            return self.misfit_of_grid(ranks);
        }
        let (needs_power_of_two, needs_elements) = match algorithm.traits().partners {
            Partners::Any => (false, false),
            Partners::Halving => match operation.halves() {
                Some(Halves::Gathers) => (true, false),
                Some(Halves::Both) => (false, true),
                Some(Halves::Scatters) | None => (false, false),
            },
            Partners::Doubling => (operation.is_exchange(), false),
        };
        if needs_power_of_two && !ranks.is_power_of_two() {
            return Some(format!("it needs a power of two ranks, not {ranks}"));
        }
        let (bytes, min) = (collective.cut_bytes(ranks), ELEMENT_BYTES * u64::from(power_of_two(ranks)));
        (needs_elements && bytes < min).then(|| {
            format!("it cuts the vector into elements for each rank: {bytes} bytes, but at least {min}")
        })
    }

    fn misfit_of_grid(&self, ranks: u32) -> Option<String> {
        let Some(grid) = self.grid.filter(|grid| grid.ranks() == u64::from(ranks)) else {
            return Some("it needs all ranks of a torus or mesh, none of them dead".into());
        };
        let (long, count) = grid.long();
        let lengths = || long[..count].iter().map(|&dimension| grid.length(dimension));
        use Ground::*;
        match self.algorithm.ground() {
            TorusOfPowers if !lengths().all(u32::is_power_of_two) => {
                Some("it needs powers of two as lengths".into())
            }
            TorusOfPowers if !grid.has_even_shifts() => {
                Some("it needs a twist that shifts by even numbers".into())
            }
            TorusOfPowers | Torus if !grid.is_closed() => Some("it needs dimensions that wrap".into()),
            Plane if count != 2 => {
                Some(format!("it needs a plane, not {count} dimensions of more than one rank"))
            }
            Anywhere | Grid | Torus | TorusOfPowers | Plane | TreeNetwork | Interrupts => None,
        }
    }

    /// Whether the colors of the algorithm free links just as others take them. This holds for all algorithms but
    /// `bucket` on lengths that differ.
    pub(super) fn is_in_step(&self) -> bool {
        let grid = self.grid.filter(|_| self.algorithm.is_staged());
        grid.is_none_or(|grid| Orders::of(&grid, self.directions, false).are_in_step())
    }

    /// The fault of this tuning for a collective of a rank of `group`, if any.
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
