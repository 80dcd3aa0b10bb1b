//! The context of a plan: the machine, its software and the places of ranks.

use crate::error::WorkloadError;
use crate::job_nodes::JobNodes;
use crate::selection::{networks, selection};
use geometry::Shape;
use messaging::{Mapping, Order, RankMap};
use mpi::{Choices, CollectiveNetworks, Selection};
use network::Parameters;
use network::parameters::FifoSize;
use std::sync::Arc;

/// The machine a workload is planned for.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Shape, packet format, link rates, node and seed; assumed to have passed [`Parameters::check`].
    pub parameters: &'a Parameters,
    /// The software of ranks, on whose packets the bound of messages depends; assumed to have passed its check.
    pub messaging: &'a messaging::Parameters,
    /// The placement of ranks.
    pub placement: &'a Placement,
    /// The choices of algorithms for collective calls.
    pub choices: Choices,
}

/// The placement of ranks, as a scenario states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// The mapping. Default: once every node has a rank, the second cores follow in the same order (XYZT).
    pub mapping: Option<Mapping>,
    /// Number of ranks. Default: that of the workload.
    pub ranks: Option<u32>,
    /// The nodes of a job, in which nodes are numbered; none for the whole machine.
    pub nodes: Option<Arc<JobNodes>>,
}

impl Placement {
    /// Places ranks that form a grid. Without lengths, it has one dimension.
    ///
    /// # Errors
    /// When they do not fit on the machine, with the key `mapping` or `shape`.
    pub fn place(&self, ranks: u32, grid: &[u32], parameters: &Parameters) -> Result<RankMap, WorkloadError> {
        let in_order = || Mapping::Order(Order::cores_last(parameters.shape.dimensions()));
        let map = self.mapping.clone().unwrap_or_else(in_order).place(ranks, grid, parameters);
        map.map_err(|error| {
            let is_of_machine = matches!(error, messaging::RankMapError::TooManyRanks { .. });
            WorkloadError::new(if is_of_machine { "shape" } else { "mapping" }, error.to_string())
        })
    }
}

impl Context<'_> {
    pub(crate) fn shape(&self) -> &Shape {
        &self.parameters.shape
    }

    /// Ranks for which the machine has room: one for each core of a live node.
    pub(crate) fn max_ranks(&self) -> u32 {
        self.parameters.live_nodes().saturating_mul(self.parameters.node.cores.into())
    }

    /// The collective networks of the machine, and those that its message layer uses.
    pub(crate) fn networks(&self) -> [CollectiveNetworks; 2] {
        let networks = networks(self.parameters);
        [networks, networks.used_by(self.messaging)]
    }

    /// The selection of algorithms of collectives for ranks that a map places.
    pub(crate) fn selection(&self, map: &RankMap) -> Selection {
        selection(self.parameters, self.messaging, self.choices, map)
    }

    /// A map with a rank on each of the given nodes.
    pub(crate) fn on_nodes(&self, nodes: &[u32]) -> Result<RankMap, WorkloadError> {
        let map = RankMap::on_nodes(nodes, self.shape(), self.parameters.node.cores);
        map.map_err(|error| WorkloadError::new("shape", error.to_string()))
    }

    pub(crate) fn has_infinite_injection_fifos(&self) -> bool {
        self.parameters.node.injection_fifo == FifoSize::Infinite
    }
}
