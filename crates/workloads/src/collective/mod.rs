//! A collective as a workload: all live nodes make one call of MPI, in groups that are known from the start, with a named
//! algorithm or the one that MPI takes.
//!
//! ```text
//!   parameters --plan(machine)--> CollectivePlan    the node of each rank, groups, bound
//!                                     '- Exchange   one call for each repetition
//! ```

mod bound;
mod groups;

use crate::flows::{Flows, OfKernel};
use crate::kernels::{Exchange, Figures, KernelProgram};
use crate::options::{All, parameters};
use crate::plan::{Bound, Context, Plan, PlannedTraffic, RankWork, WorkloadError, require};
use groups::Groups;
use messaging::{MAX_MESSAGE_BYTES, RankMap};
use mpi::{Algorithm, Call, Collective as Operand, Members, Tuning, WORLD, WorldNetworks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

parameters! {
    /// Groups of ranks make a collective call: all-reduce, broadcast, all-to-all and others, by a named algorithm.
    ///
    /// Rows L1, M13-M15.
    pub struct Collective: {
        /// "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "reduce", "scatter", "gather" or
        /// "barrier". Default "all-reduce".
        #[serde(default)]
        pub operation: Operation,
        /// Algorithm: "auto" (the one that MPICH2 takes for the length and number of ranks) or one that suits the operation,
        /// such as "ring", "bucket", "direct", "two-phase" or "rectangle"; "tree-network" and "interrupts" are those of the
        /// networks beside the torus. Default "auto".
        #[serde(default = "auto")]
        pub algorithm: String,
        /// Data in bytes: the vector of a rank (all-reduce, broadcast, reduce), its input (reduce-scatter), its output
        /// (all-gather), all that it sends (all-to-all), all at the root (scatter, gather); a barrier has none.
        /// Default 67108864.
        #[serde(default = "sixty_four_mebibytes")]
        pub bytes: u64,
        /// Groups: "all" ranks, or those that differ in some dimensions only, such as ["x"] or ["x", "y"]; all such groups
        /// at once. Default "all".
        #[serde(default)]
        pub over: Over,
        /// Directions of rings, of the algorithms "ring", "bucket", "swing" and "rectangle": "both", each with half of the
        /// data, or "one". Default "both".
        #[serde(default)]
        pub directions: Directions,
        /// Longest messages in bytes: longer ones are cut into segments that follow one another; 0 for any. Default 0.
        #[serde(default)]
        pub segment_bytes: u64,
        /// The rank of a group that has the data (broadcast, scatter) or gets them (reduce, gather). Default 0.
        #[serde(default)]
        pub root: u32,
        /// What is combined, which matters to "tree-network" alone: "integer", in one pass over the network, or "floating", in
        /// two (exponents, then mantissas). Default "integer".
        #[serde(default)]
        pub operands: Operands,
        /// How often the call is made, one after the other. Default 1.
        #[serde(default = "once")]
        pub repetitions: u32,
        /// Time in which a byte of an operand is combined with another, in processor cycles. Default that of
        /// messaging, 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub combine_processor_cycles_per_byte: Option<u32>,
    }
}

fn auto() -> String {
    Algorithm::Auto.name().into()
}

fn sixty_four_mebibytes() -> u64 {
    64 << 20
}

fn once() -> u32 {
    1
}

/// What a collective does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // the names say it
pub enum Operation {
    #[default]
    AllReduce,
    ReduceScatter,
    AllGather,
    AllToAll,
    Broadcast,
    Reduce,
    Scatter,
    Gather,
    Barrier,
}

/// Which directions of rings are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// Both.
    #[default]
    Both,
    /// One.
    One,
}

/// What the elements of a reduction are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operands {
    /// Integers.
    #[default]
    Integer,
    /// Floating-point numbers.
    Floating,
}

/// Which ranks are in a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "over is \"all\", or a list of dimensions such as [\"x\", \"y\"]")]
pub enum Over {
    /// All.
    Word(All),
    /// Those that differ in these dimensions only.
    Dimensions(Vec<String>),
}

impl Default for Over {
    fn default() -> Self {
        Over::Word(All::All)
    }
}

/// The algorithm of the deposit bit.
const NOT_AVAILABLE: [&str; 1] = ["deposit"];

/// More packets than an operation of the tree network has in a pass.
const MOST_TREE_PACKETS: u64 = 1 << 30;

impl Operation {
    /// The call of a rank in a group of so many ranks.
    fn call(self, bytes: u64, root: u32, ranks: u32) -> Operand {
        let each = bytes / u64::from(ranks);
        match self {
            Operation::AllReduce => Operand::Allreduce { bytes },
            Operation::ReduceScatter => Operand::ReduceScatterBlock { bytes: each },
            Operation::AllGather => Operand::Allgather { bytes: each },
            Operation::AllToAll => Operand::Alltoall { bytes: each },
            Operation::Broadcast => Operand::Broadcast { root, bytes },
            Operation::Reduce => Operand::Reduce { root, bytes },
            Operation::Scatter => Operand::Scatter { root, bytes: each },
            Operation::Gather => Operand::Gather { root, bytes: each },
            Operation::Barrier => Operand::Barrier,
        }
    }

    /// Whether the data are a block for each rank.
    fn has_blocks(self) -> bool {
        use Operation::*;
        matches!(self, ReduceScatter | AllGather | AllToAll | Scatter | Gather)
    }

    /// What a link of a ring carries for each byte of the data, by which the rates of operations compare; none for a
    /// barrier.
    fn bus_factor(self, ranks: u32) -> Option<f64> {
        let others = f64::from(ranks - 1) / f64::from(ranks);
        match self {
            Operation::AllReduce => Some(2.0 * others),
            Operation::AllGather | Operation::ReduceScatter | Operation::AllToAll => Some(others),
            Operation::Barrier => None,
            Operation::Broadcast | Operation::Reduce | Operation::Scatter | Operation::Gather => Some(1.0),
        }
    }
}

impl Collective {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let groups = Groups::new(&self.over, context)?;
        self.check(&groups)?;
        let tuning = self.tuning(&groups, context)?;
        let bound = bound::of(self, tuning.algorithm, &groups, context);
        let largest = groups.largest();
        let steps = tuning.rounds(&self.operation.call(self.bytes, self.root, largest), largest);
        let plan = CollectivePlan {
            map: groups.map.clone(),
            collective: self.clone(),
            algorithm: tuning.algorithm,
            steps,
            largest,
            bound_cycles: bound.and_then(|bound| bound.drained_cycles),
            exchange: Arc::new(Calls { collective: self.clone(), tuning, groups }),
        };
        let repetitions = f64::from(self.repetitions);
        let of_all = |bound: Bound| Bound {
            drained_cycles: bound.drained_cycles.map(|cycles| cycles * repetitions),
            ..bound
        };
        Ok(Plan {
            bound: bound.map(of_all),
            flows: Some(plan.flows()),
            total_packets: None,
            mean_hops: None,
            mean_packet_bytes: None,
            offered_packets_per_cycle: None,
            ends: true,
            traffic: PlannedTraffic::Ranks(RankWork::Collective(plan)),
        })
    }

    fn check(&self, groups: &Groups) -> Result<(), WorkloadError> {
        let Collective { operation, bytes, root, repetitions, .. } = *self;
        require(repetitions > 0, "repetitions", || "0 repetitions: at least 1".into())?;
        require(bytes <= MAX_MESSAGE_BYTES, "bytes", || format!("from 0 to {MAX_MESSAGE_BYTES}"))?;
        for ranks in groups.sizes() {
            require(root < ranks, "root", || {
                format!("{root} is none of the {ranks} ranks of a group, from 0")
            })?;
            let is_multiple = !operation.has_blocks() || bytes.is_multiple_of(ranks.into());
            require(is_multiple, "bytes", || {
                let fitting = bytes.next_multiple_of(ranks.into());
                format!(
                    "{bytes} bytes are no equal blocks for the {ranks} ranks of a group; {fitting} would be"
                )
            })?;
        }
        Ok(())
    }

    /// The algorithm and its settings.
    fn tuning(&self, groups: &Groups, context: &Context) -> Result<Tuning, WorkloadError> {
        let error = |why: String| {
            WorkloadError::new("algorithm", format!("{why}; {}", self.fitting(groups, context)))
        };
        let name = self.algorithm.as_str();
        if NOT_AVAILABLE.contains(&name) {
            return Err(error(format!("\"{name}\" is not available yet")));
        }
        let named = Algorithm::NAMES.iter().find(|(known, _)| *known == name);
        let algorithm = named.ok_or_else(|| error(format!("\"{name}\" is no algorithm")))?.1;
        let tuning = Tuning {
            algorithm,
            directions: match self.directions {
                Directions::Both => mpi::Directions::Both,
                Directions::One => mpi::Directions::One,
            },
            segment_bytes: self.segment_bytes,
            grid: groups.grid,
            seed: context.parameters.seed,
            operands: match self.operands {
                Operands::Integer => mpi::Operands::Integer,
                Operands::Floating => mpi::Operands::Floating,
            },
        };
        let world = context.world_networks();
        let tuning = match groups.is_whole() {
            true => Tuning {
                operands: tuning.operands,
                ..world.tuning(&self.operation.call(self.bytes, self.root, groups.largest()), WORLD, tuning)
            },
            false => tuning,
        };
        if let Some(why) = self.misfit(&tuning, groups, context) {
            return Err(error(format!("\"{name}\" does not suit this: {why}")));
        }
        let is_combined = matches!(self.operation, Operation::AllReduce | Operation::Reduce);
        let has_operands = tuning.algorithm == Algorithm::TreeNetwork && is_combined;
        require(self.operands == Operands::default() || has_operands, "operands", || {
            "they matter only to a reduction by \"tree-network\"".into()
        })?;
        let is_one = self.directions == Directions::One;
        require(!is_one || algorithm.has_directions(), "directions", || {
            format!("\"{name}\" has none; \"ring\", \"bucket\", \"swing\" and \"rectangle\" have")
        })?;
        let operation = self.operation.call(0, 0, 1).operation();
        require(self.segment_bytes == 0 || algorithm.has_segments(operation), "segment_bytes", || {
            format!("\"{name}\" does not cut messages into segments; only 0 is possible")
        })?;
        Ok(tuning)
    }

    /// Why an algorithm does not suit some group, if it does not.
    fn misfit(&self, tuning: &Tuning, groups: &Groups, context: &Context) -> Option<String> {
        let call = |ranks| self.operation.call(self.bytes, self.root, ranks);
        let of_groups = groups.sizes().into_iter().find_map(|ranks| tuning.misfit(&call(ranks), ranks));
        of_groups.or_else(|| self.misfit_of_network(tuning.algorithm, groups, context))
    }

    /// Why an algorithm of a network beside the torus does not suit, if it does not.
    fn misfit_of_network(&self, algorithm: Algorithm, groups: &Groups, context: &Context) -> Option<String> {
        let (name, key, is_there) = match algorithm {
            Algorithm::TreeNetwork => ("tree network", "machine.tree", context.parameters.tree.is_some()),
            Algorithm::Interrupts => {
                ("global interrupts", "machine.interrupts", context.parameters.interrupts.is_some())
            }
            _ => return None,
        };
        let packets = context.parameters.tree.map_or(0, |tree| tree.packets(self.bytes));
        match () {
            () if !is_there => Some(format!("the machine has no {name} ({key})")),
            () if !groups.is_whole() => {
                Some(format!("the {name} is for all ranks of the machine, MPI_COMM_WORLD"))
            }
            () if algorithm == Algorithm::TreeNetwork && packets >= MOST_TREE_PACKETS => {
                Some(format!("{packets} packets are too many for one operation of the {name}"))
            }
            () => None,
        }
    }

    /// The algorithms that suit all groups, in words.
    fn fitting(&self, groups: &Groups, context: &Context) -> String {
        let tuning = Tuning { grid: groups.grid, ..Tuning::default() };
        let known = self.operation.call(0, 0, 1).operation().algorithms();
        let fits = |algorithm: &&Algorithm| self.misfit(&tuning.with(**algorithm), groups, context).is_none();
        let names: Vec<&str> = known.iter().filter(fits).map(|algorithm| algorithm.name()).collect();
        format!("those that do: auto, {}", names.join(", "))
    }
}

/// The calls of ranks: one for each repetition.
#[derive(Clone, Debug)]
struct Calls {
    collective: Collective,
    tuning: Tuning,
    groups: Groups,
}

impl Exchange for Calls {
    fn call(&self, rank: u32, step: u32) -> Option<Call> {
        let Collective { operation, bytes, root, .. } = self.collective;
        let communicator = if self.groups.is_whole() { WORLD } else { WORLD + 1 };
        let collective = operation.call(bytes, root, self.groups.size_of(rank));
        let call = Call::Collect { collective, communicator, request: None, tuning: self.tuning };
        (step == 0).then_some(call)
    }

    fn communicators(&self, rank: u32) -> Vec<Members> {
        if self.groups.is_whole() { Vec::new() } else { vec![self.groups.members(rank)] }
    }
}

/// A collective on a machine.
#[derive(Clone, Debug)]
pub struct CollectivePlan {
    /// Where each rank runs.
    pub map: RankMap,
    collective: Collective,
    algorithm: Algorithm,
    steps: u32,
    /// Ranks of the largest group.
    largest: u32,
    /// Of one repetition.
    bound_cycles: Option<f64>,
    exchange: Arc<Calls>,
}

/// What a run has measured of a collective.
#[derive(Clone, Copy, Debug)]
pub struct CollectiveRun<'a> {
    /// The processor cycle at which each rank ended its last repetition.
    pub ended: &'a [Option<u64>],
    /// Network cycles for each processor cycle.
    pub cycles_per_processor_cycle: f64,
    /// Bytes that a link carries in a second, in millions: those in a network cycle, in a microsecond.
    pub megabytes_per_second: f64,
    /// Bytes on the wire of the link that carried most.
    pub busiest_link_bytes: u64,
}

impl CollectivePlan {
    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.map.ranks()
    }

    /// The program of a rank.
    pub fn program(&self, rank: u32) -> KernelProgram {
        KernelProgram::new(self.exchange.clone(), rank, self.collective.repetitions)
    }

    /// What its ranks send.
    fn flows(&self) -> Flows {
        let world = WorldNetworks::default(); // the algorithm is known
        let senders = OfKernel { ranks: self.ranks(), exchange: self.exchange.clone(), world };
        Flows::of_ranks(self.ranks(), Vec::new(), self.collective.repetitions.into(), senders)
    }

    /// Whether ranks use a network beside the torus.
    pub fn is_joint(&self) -> bool {
        self.algorithm.is_joint()
    }

    /// The length of all messages, if they have one: where a rank sends blocks to their targets.
    pub fn message_bytes(&self) -> Option<u64> {
        use Algorithm::*;
        let is_uncombined = matches!(self.algorithm, Direct | Pairwise | PostAndWait);
        let block = self.collective.bytes / u64::from(self.largest);
        (is_uncombined && self.exchange.groups.is_whole()).then_some(block)
    }

    /// What a summary says.
    pub fn figures(&self, run: &CollectiveRun<'_>) -> Figures {
        let Collective { operation, bytes, repetitions, .. } = self.collective;
        let each = run.cycles_per_processor_cycle / f64::from(repetitions);
        let cycles: Option<Vec<f64>> =
            run.ended.iter().map(|ended| ended.map(|cycle| cycle as f64 * each)).collect();
        let of_all = |combine: fn(f64, f64) -> f64| cycles.as_ref()?.iter().copied().reduce(combine);
        let slowest = of_all(f64::max);
        let mean = cycles.as_ref().map(|cycles| cycles.iter().sum::<f64>() / cycles.len() as f64);
        let is_rated = operation != Operation::Barrier;
        let rate = slowest.filter(|&cycles| is_rated && cycles > 0.0);
        let rate = rate.map(|cycles| bytes as f64 / cycles * run.megabytes_per_second);
        let bus = rate.zip(operation.bus_factor(self.largest)).map(|(rate, factor)| rate * factor);
        vec![
            ("algorithm", json!(self.algorithm.name())),
            ("collective_cycles_min", json!(of_all(f64::min))),
            ("collective_cycles_mean", json!(mean)),
            ("collective_cycles_max", json!(slowest)),
            ("algorithm_megabytes_per_second", json!(rate)),
            ("bus_megabytes_per_second", json!(bus)),
            ("bound_cycles", json!(self.bound_cycles)),
            ("steps", json!(self.steps)),
            ("busiest_link_bytes", json!(run.busiest_link_bytes)),
        ]
    }
}

#[cfg(test)]
mod tests;
