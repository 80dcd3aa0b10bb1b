//! A collective as a workload: all live nodes make one call of MPI, in groups that are known from the start, with a named
//! algorithm or the one that MPI takes.
//!
//! ```text
//!   parameters --plan(machine)--> CollectivePlan    the node of each rank, groups, bound
//!                                     '- Exchange   one call for each repetition
//! ```

mod bound;
mod groups;
mod links;
mod operation;

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::exchange::{Exchange, Part};
use crate::flows::{Flows, OfKernel};
use crate::job_nodes::JobNodes;
use crate::kind::{CallOrigin, Kind, Senders};
use crate::options::{All, parameters};
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::{CollectivePlan, RankWork};
use crate::selection;

use groups::Groups;
use messaging::MAX_MESSAGE_BYTES;
use mpi::{Algorithm, Call, Given, Ground, Machine, Selection, Tuning, WORLD};
pub use operation::Operation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

parameters! {
    /// Groups of ranks make a collective call: all-reduce, broadcast, all-to-all and others, by a named algorithm.
    // Rows L1, M13-M15.
    pub struct Collective: {
        /// "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "reduce", "scatter", "gather" or
        /// "barrier". Default "all-reduce".
        #[serde(default)]
        pub operation: Operation,
        /// Algorithm: "auto" (one for the operation, the length and the shape of the groups, or else the one that
        /// MPICH2 takes) or one that suits the operation, such as "ring", "bucket", "direct", "two-phase",
        /// "rectangle" or "deposit"; "tree-network" and "interrupts" are those of the collective networks. Default
        /// "auto".
        #[serde(default = "auto")]
        pub algorithm: String,
        /// Data in bytes: the vector of a rank (all-reduce, broadcast, reduce), its input (reduce-scatter), its
        /// output (all-gather), all data that it sends (all-to-all), all data at the root (scatter, gather); a
        /// barrier has none. Default 67108864.
        #[serde(default = "sixty_four_mebibytes")]
        pub bytes: u64,
        /// Groups: "all" ranks, or ranks that differ in some dimensions only, such as ["x"] or ["x", "y"]; all such
        /// groups make the call at the same time. Default "all".
        #[serde(default)]
        pub over: Over,
        /// Directions of rings, of algorithms such as "ring" and "bucket": "both", each with half of the data, or "one".
        /// Default "both".
        #[serde(default)]
        pub directions: Directions,
        /// Longest messages in bytes: longer ones are cut into segments that follow one another; 0 for any. Default 0.
        #[serde(default)]
        pub segment_bytes: u64,
        /// The rank of a group that has the data (broadcast, scatter) or gets them (reduce, gather). Default 0.
        #[serde(default)]
        pub root: u32,
        /// Operands, which matter only to "tree-network": "integer", in one pass over the network, or "floating",
        /// in two (exponents, then mantissas). Default "integer".
        #[serde(default)]
        pub operands: Operands,
        /// Number of times that the call is made, one after the other. Default 1.
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

/// The directions of rings that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// Both directions.
    #[default]
    Both,
    /// One direction.
    One,
}

/// The type of a reduction's elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operands {
    /// Integers.
    #[default]
    Integer,
    /// Floating-point numbers.
    Floating,
}

/// The ranks that form a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "over is \"all\", or a list of dimensions such as [\"x\", \"y\"]")]
pub enum Over {
    /// All ranks.
    Word(All),
    /// Ranks that differ in these dimensions only.
    Dimensions(Vec<String>),
}

impl Default for Over {
    fn default() -> Self {
        Over::Word(All::All)
    }
}

/// More packets than an operation of the tree network has in a pass.
const MAX_TREE_PACKETS: u64 = 1 << 30;

impl Collective {
    fn check(&self, groups: &Groups) -> Result<(), WorkloadError> {
        let Collective { operation, bytes, root, repetitions, .. } = *self;
        require(repetitions > 0, "repetitions", || "0 repetitions: at least 1".into())?;
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
        let call = self.operation.call(self.bytes, self.root, groups.largest());
        // All groups take the same algorithm: that of the last to get a class route.
        let [_, used] = context.networks();
        let separate = used.tuning(&call, groups.last_route(), tuning);
        let machine = self.machine(groups, context);
        let tuning =
            Tuning { operands: tuning.operands, ..separate }.chosen(&call, groups.largest(), &machine);
        let tuning = tuning.for_length(&call);
        if let Some(why) = self.misfit(&tuning, groups, context) {
            return Err(error(format!("\"{name}\" does not suit this: {why}")));
        }
        for ranks in groups.sizes() {
            let longest = tuning.longest_message(&self.operation.call(self.bytes, self.root, ranks), ranks);
            require(longest <= MAX_MESSAGE_BYTES, "bytes", || {
                let name = tuning.name_of(&call, groups.largest());
                format!(
                    "\"{name}\" sends messages of {longest} bytes here; a message has at most {MAX_MESSAGE_BYTES}"
                )
            })?;
        }
        let is_combined = matches!(self.operation, Operation::AllReduce | Operation::Reduce);
        let has_operands = tuning.algorithm == Algorithm::TreeNetwork && is_combined;
        require(self.operands == Operands::default() || has_operands, "operands", || {
            "they matter only to a reduction by \"tree-network\"".into()
        })?;
        let taken = if algorithm == Algorithm::Auto {
            format!("\"auto\" takes \"{}\" here, which", tuning.name_of(&call, groups.largest()))
        } else {
            format!("\"{name}\"")
        };
        let is_one = self.directions == Directions::One;
        require(!is_one || tuning.algorithm.has_directions(), "directions", || {
            let all = Algorithm::NAMES.iter().filter(|(_, algorithm)| algorithm.has_directions());
            format!(
                "{taken} has none; these have: {}",
                all.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
            )
        })?;
        let has_segments = tuning.algorithm.has_segments(call.operation());
        require(self.segment_bytes == 0 || has_segments, "segment_bytes", || {
            format!("{taken} does not cut messages into segments; only 0 is possible")
        })?;
        Ok(tuning)
    }

    /// The machine on which the choice of an algorithm depends.
    fn machine(&self, groups: &Groups, context: &Context) -> Machine {
        let is_near = groups.is_whole() && groups.is_in_place;
        let near = if is_near { selection::near(&groups.map, context.parameters) } else { None };
        let machine = selection::machine(context.parameters, context.messaging, near);
        match self.combine_processor_cycles_per_byte {
            Some(cycles) => Machine { pace: machine.pace.combining(context.parameters, cycles), ..machine },
            None => machine,
        }
    }

    /// The reason why an algorithm does not suit some group, if it does not.
    fn misfit(&self, tuning: &Tuning, groups: &Groups, context: &Context) -> Option<String> {
        let call = |ranks| self.operation.call(self.bytes, self.root, ranks);
        let of_groups = groups.sizes().into_iter().find_map(|ranks| tuning.misfit(&call(ranks), ranks));
        let of_lines = || {
            let longest = tuning.longest_of_broadcast(&call(groups.largest()), groups.largest());
            let may_deposit = tuning.algorithm.deposits();
            may_deposit.then(|| misfit_of_lines(longest, groups, context)).flatten()
        };
        of_groups.or_else(of_lines).or_else(|| self.misfit_of_network(tuning.algorithm, groups, context))
    }

    /// The reason why an algorithm of a collective network does not suit, if it does not.
    fn misfit_of_network(&self, algorithm: Algorithm, groups: &Groups, context: &Context) -> Option<String> {
        let (name, key, is_there) = match algorithm.ground() {
            Ground::TreeNetwork => ("tree network", "machine.tree", context.parameters.tree.is_some()),
            Ground::Interrupts => {
                ("global interrupts", "machine.interrupts", context.parameters.interrupts.is_some())
            }
            Ground::Anywhere | Ground::Grid | Ground::Torus | Ground::TorusOfPowers | Ground::Plane => {
                return None;
            }
        };
        let packets = context.parameters.tree.map_or(0, |tree| tree.packets(self.bytes));
        let [networks, _] = context.networks();
        match () {
            () if !is_there => Some(format!("the machine has no {name} ({key})")),
            () if !networks.has(algorithm, groups.last_route()) => Some(lack_of_routes(algorithm, groups)),
            () if algorithm == Algorithm::TreeNetwork && packets >= MAX_TREE_PACKETS => {
                Some(format!("{packets} packets are too many for one operation of the {name}"))
            }
            () => None,
        }
    }

    /// The algorithms that suit all groups, in words.
    fn fitting(&self, groups: &Groups, context: &Context) -> String {
        let tuning = Tuning { grid: groups.grid, ..Tuning::default() };
        let known = self.operation.call(0, 0, 1).operation().algorithms();
        let fits = |algorithm: &Algorithm| self.misfit(&tuning.with(*algorithm), groups, context).is_none();
        let names: Vec<&str> = known.filter(fits).map(Algorithm::name).collect();
        format!("those that do: auto, {}", names.join(", "))
    }
}

impl Kind for Collective {
    fn senders(&self) -> Senders {
        Senders { names_algorithms: true, ..Senders::ranks(CallOrigin::Simulated) }
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let groups = Groups::new(&self.over, context)?;
        self.check(&groups)?;
        let tuning = self.tuning(&groups, context)?;
        let bound_of = |repetitions| bound::of(self, repetitions, tuning.algorithm, &groups, context);
        let (bound, bound_of_all) = (bound_of(1), bound_of(self.repetitions));
        let largest = groups.largest();
        let call = self.operation.call(self.bytes, self.root, largest);
        let steps = tuning.rounds(&call, largest);
        let (map, ranks) = (groups.map.clone(), groups.map.ranks());
        // The lookahead follows from this length.
        let is_of_blocks = tuning.algorithm.sends_blocks() && groups.is_whole();
        let message_bytes = is_of_blocks.then_some(self.bytes / u64::from(largest));
        let grid = if tuning.algorithm.sends_alike() { groups.lengths.clone() } else { Vec::new() };
        let group_of = groups.of_ranks().into();
        let exchange = Arc::new(Calls { collective: self.clone(), tuning, groups });
        let plan = CollectivePlan {
            map,
            groups: group_of,
            message_bytes,
            bytes: self.bytes,
            repetitions: self.repetitions,
            algorithm: tuning.algorithm,
            algorithm_name: tuning.name_of(&call, largest),
            steps,
            bus_factor: self.operation.bus_factor(largest),
            bound_cycles: bound.and_then(|bound| bound.drained_cycles),
            exchange: exchange.clone(),
        };
        // The algorithm is known.
        let selection = Selection::default();
        let senders = OfKernel { ranks, exchange, part: Part::Iteration, selection };
        Ok(Plan {
            bound: bound_of_all,
            flows: Some(Flows::of_ranks(ranks, grid, self.repetitions.into(), senders)),
            ..Plan::of(PlannedTraffic::Ranks(RankWork::Collective(plan)))
        })
    }
}

/// The class routes or wires that groups lack, and the key that gives more.
fn lack_of_routes(algorithm: Algorithm, groups: &Groups) -> String {
    let count = groups.count();
    if algorithm == Algorithm::Interrupts {
        return format!(
            "{count} groups need a wire each: machine.interrupts.communicator_wires of {count} or more"
        );
    }
    format!(
        "{count} groups need a class route each: machine.tree.class_routes of {} or more, as the first is that of \
         MPI_COMM_WORLD",
        count + 1
    )
}

/// The reason why messages of up to `longest` bytes cannot go along the lines of the groups, if they cannot.
fn misfit_of_lines(longest: u64, groups: &Groups, context: &Context) -> Option<String> {
    let (job, messaging) = (context.placement.nodes.as_deref(), context.messaging);
    let is_whole = job.map_or(&context.parameters.faults, JobNodes::faults_of_machine).is_empty();
    match () {
        () if !is_whole => {
            Some("packets with the deposit bit cannot be routed around dead nodes or links".into())
        }
        () if !groups.is_in_place => {
            Some("a mapping has moved its ranks from the lines of the machine".into())
        }
        () if job.is_some_and(|nodes| !nodes.is_box()) => {
            Some("it needs the nodes of a box, not a list".into())
        }
        () if messaging.message_credits.is_some() || !messaging.is_eager(longest) => Some(format!(
            "its messages, of up to {longest} bytes, are eager: it needs an eager messaging.protocol, \
             messaging.rendezvous_from_bytes above that (segment_bytes makes them shorter), and no \
             messaging.message_credits"
        )),
        () => None,
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
        let call = Call::Collect { collective, communicator, request: None, tuning: Box::new(self.tuning) };
        (step == 0).then_some(call)
    }

    fn communicators(&self, rank: u32) -> Vec<Given> {
        if self.groups.is_whole() { Vec::new() } else { vec![self.groups.given(rank)] }
    }
}

#[cfg(test)]
mod tests;
