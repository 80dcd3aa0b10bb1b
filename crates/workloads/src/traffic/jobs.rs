//! The traffic of several jobs, each on its own nodes: a node sends the packets of its job.
//!
//! ```text
//!   node of the machine  -->  (job, node of the job)  -->  the job's source
//! ```

use crate::job_nodes::JobNodes;
use network::fabric::NO_GROUP;
use network::{Detour, Lane, Offer, Source};
use std::sync::Arc;

/// The job of each node, and the node's number within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobPlaces {
    /// The job by node of the machine, or [`NO_GROUP`].
    jobs: Arc<[u16]>,
    /// The number within the job, by node of the machine.
    own: Arc<[u32]>,
}

impl JobPlaces {
    /// The nodes of jobs, in their order.
    ///
    /// # Errors
    /// A node that has two jobs: the node, the first of these and the second.
    pub fn new<'a>(
        nodes: u32,
        jobs: impl Iterator<Item = &'a JobNodes>,
    ) -> Result<Self, (u32, usize, usize)> {
        let mut job_of = vec![NO_GROUP; nodes as usize];
        let mut own_of = vec![0; nodes as usize];
        for (job, nodes) in jobs.enumerate() {
            for (own, &node) in (0..).zip(nodes.nodes()) {
                let other = std::mem::replace(&mut job_of[node as usize], job as u16);
                if other != NO_GROUP {
                    return Err((node, other.into(), job));
                }
                own_of[node as usize] = own;
            }
        }
        Ok(JobPlaces { jobs: job_of.into(), own: own_of.into() })
    }

    /// The job of a node and the node's number within it, if the node has a job.
    #[inline]
    pub fn place(&self, node: u32) -> Option<(usize, u32)> {
        let job = self.jobs[node as usize];
        (job != NO_GROUP).then(|| (job.into(), self.own[node as usize]))
    }

    /// The job of each node.
    pub fn groups(&self) -> Arc<[u16]> {
        self.jobs.clone()
    }
}

/// The generator of the packets of several jobs.
pub struct JobSources {
    /// The job of each node.
    pub places: JobPlaces,
    /// The sources of the jobs, in their order, with nodes numbered within each; none for jobs that have ranks.
    pub jobs: Vec<Option<Arc<dyn Source>>>,
    /// Size of a full packet.
    pub full_chunks: u8,
}

impl JobSources {
    fn sources(&self) -> impl Iterator<Item = &Arc<dyn Source>> {
        self.jobs.iter().flatten()
    }
}

impl Source for JobSources {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        let (job, own) = self.places.place(lane.node)?;
        self.jobs[job].as_ref()?.offer(Lane { node: own, ..lane }, index, previous_ready)
    }

    fn detour(&self, lane: Lane, index: u64) -> Option<Detour> {
        let (job, own) = self.places.place(lane.node)?;
        self.jobs[job].as_ref()?.detour(Lane { node: own, ..lane }, index)
    }

    fn smallest_chunks(&self) -> u8 {
        self.sources().map(|source| source.smallest_chunks()).min().unwrap_or(self.full_chunks)
    }

    fn uses_high_priority(&self) -> bool {
        self.sources().any(|source| source.uses_high_priority())
    }

    fn groups(&self) -> Option<Arc<[u16]>> {
        Some(self.places.groups())
    }
}
