//! The software of several jobs, each on its own nodes: a node runs the software of its job.
//!
//! ```text
//!   node  -->  job  -->  the part that runs it: its message layer, or the source of all generating jobs
//! ```
//!
//! Jobs send only to their own nodes, so that the data of a node's software have a meaning only within its job.

use crate::fabric::{Fabric, NO_GROUP};
use crate::node::software::{Announcement, NodeIo, NodeSoftware, RestoredNode, Resume};
use crate::traffic::{SoftwareBuilder, Traffic};
use base::checkpoint::{FrameReader, FrameWriter};
use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Approximate bytes of a node that sends the packets of a source.
const BYTES_OF_GENERATING_NODE: u64 = 500;

/// The traffic of some of the jobs.
#[derive(Clone)]
pub struct Part {
    /// The traffic of these jobs.
    pub traffic: Traffic,
    /// The numbers of the jobs.
    pub jobs: Vec<u16>,
}

/// Builds the software of nodes that have several jobs.
pub struct SoftwareOfJobsBuilder {
    parts: Vec<Part>,
    /// The job of each node, or [`NO_GROUP`].
    job_of: Arc<[u16]>,
    /// The cycle at which each job starts.
    starts: Arc<[u64]>,
}

impl SoftwareOfJobsBuilder {
    /// The software of jobs that start at these cycles; `job_of` is the job of each node, or [`NO_GROUP`]. Nodes
    /// without a job do nothing.
    ///
    /// # Panics
    /// If there are no jobs.
    pub fn new(parts: Vec<Part>, job_of: Arc<[u16]>, starts: Arc<[u64]>) -> Self {
        assert!(!parts.is_empty(), "there are jobs");
        SoftwareOfJobsBuilder { parts, job_of, starts }
    }

    /// The index of the part that has a job.
    fn part_of(&self, job: u16) -> u16 {
        let part = self.parts.iter().position(|part| part.jobs.contains(&job));
        part.map_or(NO_GROUP, |part| part as u16)
    }
}

impl SoftwareBuilder for SoftwareOfJobsBuilder {
    fn build(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware> {
        let jobs = self.parts.iter().flat_map(|part| &part.jobs).map(|&job| usize::from(job) + 1).max();
        let part_of_job: Vec<u16> = (0..jobs.unwrap_or(0) as u16).map(|job| self.part_of(job)).collect();
        let part_of = |&job: &u16| part_of_job.get(usize::from(job)).copied().unwrap_or(NO_GROUP);
        let part_of_node = self.job_of[first as usize..first as usize + nodes].iter().map(part_of).collect();
        let parts = self.parts.iter().map(|part| part.traffic.software(fabric, first, nodes)).collect();
        Box::new(SoftwareOfJobs { parts, part_of_job, part_of_node, starts: self.starts.clone() })
    }

    fn smallest_chunks(&self) -> u8 {
        let smallest = self.parts.iter().map(|part| part.traffic.smallest_chunks()).min();
        smallest.expect("there are jobs")
    }

    fn uses_high_priority(&self) -> bool {
        self.parts.iter().any(|part| part.traffic.uses_high_priority())
    }

    fn deposits(&self) -> bool {
        self.parts.iter().any(|part| part.traffic.deposits())
    }

    fn ranks_at(&self, node: u32) -> u32 {
        let ranks = |part: &Part| match &part.traffic {
            Traffic::Software(builder) => builder.ranks_at(node),
            Traffic::Generated(_) => 0,
        };
        self.parts.iter().map(ranks).sum()
    }

    fn state_bytes(&self) -> u64 {
        let bytes = |part: &Part| match &part.traffic {
            Traffic::Software(builder) => builder.state_bytes(),
            Traffic::Generated(_) => self.job_of.len() as u64 * BYTES_OF_GENERATING_NODE,
        };
        self.parts.iter().map(bytes).sum()
    }

    fn groups(&self) -> Option<Arc<[u16]>> {
        Some(self.job_of.clone())
    }

    /// The cycle at which the time of each node begins: the cycle in which the node's job starts. For nodes without a
    /// job it is the start of the first job. A job that runs alone on a machine thus does the same whenever it starts.
    fn starts(&self) -> Option<Arc<[u64]>> {
        let first = *self.starts.iter().min()?;
        let start = |&job: &u16| self.starts.get(usize::from(job)).copied().unwrap_or(first);
        self.starts.iter().any(|&start| start > 0).then(|| self.job_of.iter().map(start).collect())
    }
}

/// The software of some nodes that have several jobs.
pub struct SoftwareOfJobs {
    /// The software of each part, for all of the nodes.
    parts: Vec<Box<dyn NodeSoftware>>,
    part_of_job: Vec<u16>,
    part_of_node: Vec<u16>,
    /// The cycle at which each job starts, from which its software counts time.
    starts: Arc<[u64]>,
}

impl SoftwareOfJobs {
    /// The software that runs each job, and the cycle at which the job starts.
    pub fn jobs(&self) -> impl Iterator<Item = (&dyn NodeSoftware, u64)> {
        let software = self.part_of_job.iter().map(|&part| &*self.parts[usize::from(part)]);
        software.zip(self.starts.iter().copied())
    }

    /// The software of a node.
    fn part(&self, local: usize) -> Option<&dyn NodeSoftware> {
        self.parts.get(usize::from(self.part_of_node[local])).map(|part| &**part)
    }

    fn part_mut(&mut self, local: usize) -> Option<&mut Box<dyn NodeSoftware>> {
        self.parts.get_mut(usize::from(self.part_of_node[local]))
    }
}

impl NodeSoftware for SoftwareOfJobs {
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume {
        self.part_mut(io.local).map_or(Resume::IDLE, |part| part.run(io))
    }

    fn acknowledge(&mut self, local: usize) {
        if let Some(part) = self.part_mut(local) {
            part.acknowledge(local);
        }
    }

    fn receive(&mut self, local: usize, announcement: &Announcement) {
        let part = self.part_mut(local).expect("jobs send only to their own nodes");
        part.receive(local, announcement);
    }

    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>> {
        self.part(local)?.waits_for_room(fabric, local, set)
    }

    fn bytes(&self) -> usize {
        let of_parts: usize = self.parts.iter().map(|part| part.bytes()).sum();
        of_parts + size_of_val(&self.part_of_job[..]) + size_of_val(&self.part_of_node[..])
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.part(local).map_or(Ok(()), |part| part.save(local, frames))
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        match self.part_mut(node.local) {
            Some(part) => part.restore(node, frames),
            None => Ok(()),
        }
    }

    fn reading(&self, local: usize) -> usize {
        self.part(local).map_or(0, |part| part.reading(local))
    }

    fn reads_at_once(&self, fabric: &Fabric, local: usize) -> bool {
        self.part(local).is_some_and(|part| part.reads_at_once(fabric, local))
    }

    fn prefetch(&self, local: usize) {
        if let Some(part) = self.part(local) {
            part.prefetch(local);
        }
    }

    fn keeps_fifos_full(&self, local: usize) -> bool {
        self.part(local).is_some_and(|part| part.keeps_fifos_full(local))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
