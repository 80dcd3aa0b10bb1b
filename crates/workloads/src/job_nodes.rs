//! The nodes of a job: a part of a machine that the job sees as its own machine.
//!
//! ```text
//!   machine 8x8x8       box 4x4x8 at [2, 0, 0]           a mesh in x and y, a ring in z: packets from (0,0,0) go to
//!                       list of nodes 7, 12, 60          one dimension of 3; packets take the machine's minimal routes
//! ```

use crate::error::{WorkloadError, require};
use crate::targets::region::Region;
use base::draws::mix;
use geometry::{Faults, Shape};
use messaging::{Place, RankMap};

/// The nodes of a job, numbered from 0 within it.
#[derive(Clone, Debug, PartialEq)]
pub struct JobNodes {
    machine: Shape,
    /// The faults of the machine; the job's nodes are alive.
    faults: Faults,
    own: Shape,
    /// The node of the machine for each of the job.
    nodes: Vec<u32>,
    is_box: bool,
    is_closed: bool,
}

impl JobNodes {
    /// A box of nodes. It wraps where it fills a dimension of the machine whose lines are rings.
    ///
    /// # Errors
    /// A box that is not on the machine, with the key `origin` or `shape`.
    pub fn of_box(machine: &Shape, origin: &[u32], lengths: &[u32]) -> Result<Self, WorkloadError> {
        require(!lengths.is_empty(), "shape", || "a box has a length for each dimension".into())?;
        let region =
            Region::new(machine, origin, lengths, |_| 1).map_err(|error| match error.key.as_str() {
                "box" => WorkloadError { key: "shape".into(), ..error },
                _ => error,
            })?;
        let fills = |dimension: usize| lengths[dimension] == machine.length(dimension);
        let wraps: Vec<bool> = (0..lengths.len())
            .map(|dimension| machine.has_rings_of_lines(dimension) && fills(dimension))
            .collect();
        let own =
            Shape::new(lengths, &wraps).map_err(|error| WorkloadError::new("shape", error.to_string()))?;
        // Half-way round a ring, packets take either way, of which one leaves the box. On a twisted torus a shorter way may.
        let is_short = |dimension: usize| 2 * (lengths[dimension] - 1) < machine.length(dimension);
        let is_closed = region.nodes() == machine.nodes()
            || !machine.is_twisted()
                && (0..lengths.len())
                    .all(|dimension| !machine.wraps(dimension) || fills(dimension) || is_short(dimension));
        let nodes = (0..region.nodes()).map(|number| region.member(number)).collect();
        let (machine, faults) = (machine.clone(), Faults::default());
        Ok(JobNodes { machine, faults, own, nodes, is_box: true, is_closed })
    }

    /// Listed nodes, which the job sees as a machine of one dimension.
    ///
    /// # Errors
    /// A list that is empty or has a node twice or one that does not exist, with the key `nodes`.
    pub fn of_list(machine: &Shape, nodes: &[u32]) -> Result<Self, WorkloadError> {
        require(!nodes.is_empty(), "nodes", || "there are none: a job needs at least one".into())?;
        let mut taken = vec![false; machine.nodes() as usize];
        for (place, &node) in nodes.iter().enumerate() {
            let key = format!("nodes[{place}]");
            require(node < machine.nodes(), &key, || {
                format!("there is no node {node}: from 0 to {}", machine.nodes() - 1)
            })?;
            let is_twice = std::mem::replace(&mut taken[node as usize], true);
            require(!is_twice, &key, || format!("node {node} is listed twice"))?;
        }
        let own = Shape::new(&[nodes.len() as u32], &[false]);
        let own = own.map_err(|error| WorkloadError::new("nodes", error.to_string()))?;
        let (machine, faults) = (machine.clone(), Faults::default());
        Ok(JobNodes { machine, faults, own, nodes: nodes.to_vec(), is_box: false, is_closed: false })
    }

    /// These nodes, on a machine with the given faults.
    pub(crate) fn with_faults(&self, faults: &Faults) -> Self {
        JobNodes { faults: faults.clone(), ..self.clone() }
    }

    /// The faults of the machine.
    pub(crate) fn faults_of_machine(&self) -> &Faults {
        &self.faults
    }

    /// The part of `faults` that the job sees on its own machine: dead links of its box.
    pub(crate) fn own_faults(&self, faults: &Faults) -> Faults {
        match self.is_box {
            true => faults.of_part(&self.machine, &self.own, |own| self.node(own)),
            false => Faults::default(),
        }
    }

    /// The shape that the job sees.
    pub fn shape(&self) -> &Shape {
        &self.own
    }

    /// The shape of the machine.
    pub(crate) fn machine(&self) -> &Shape {
        &self.machine
    }

    /// The nodes of the machine, in the job's order.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The node of the machine for one of the job.
    pub fn node(&self, own: u32) -> u32 {
        self.nodes[own as usize]
    }

    /// The places of ranks on the machine, from their places within the job.
    pub fn on_machine(&self, map: &RankMap) -> RankMap {
        let place = |rank| {
            let Place { node, core } = map.place(rank);
            Place { node: self.node(node), core }
        };
        RankMap::of_places((0..map.ranks()).map(place).collect())
    }

    /// Whether the nodes form a box, in which hops lead to the same nodes as on the machine.
    pub(crate) fn is_box(&self) -> bool {
        self.is_box
    }

    /// Whether all minimal routes between the nodes stay within the job, so that its bound is that of a machine of
    /// its shape.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The seed of the job's draws, from the seed of the run and the job's lowest node. So the seeds of jobs
    /// differ, regardless of which others run.
    pub(crate) fn seed(&self, seed: u64) -> u64 {
        let lowest = self.nodes.iter().min().expect("a job has nodes");
        mix(seed ^ mix(u64::from(*lowest) + 1))
    }
}
