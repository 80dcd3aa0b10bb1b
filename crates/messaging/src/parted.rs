//! The message layers of several jobs, each on nodes of its own: the software of a node is that of its job.
//!
//! ```text
//!   node  -->  job  -->  the job's Messaging, whose ranks are numbered within the job
//! ```
//!
//! Ranks of a job send to ranks of the same job only, so that a rank's number means nothing outside of it.

use crate::software::{Messaging, MessagingBuilder};
use network::SoftwareBuilder;
use network::checkpoint::{FrameReader, FrameWriter};
use network::fabric::{Fabric, NO_GROUP};
use network::node::software::{Announcement, NodeIo, NodeSoftware, RestoredNode, Resume};
use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Builds the software of nodes that have several jobs.
pub struct PartedBuilder {
    jobs: Vec<(MessagingBuilder, u64)>,
    job_of: Arc<[u16]>,
}

impl PartedBuilder {
    /// The software of jobs, each with the cycle at which it starts; `job_of` is the job of each node, or [`NO_GROUP`].
    ///
    /// # Panics
    /// When there are no jobs.
    pub fn new(jobs: Vec<(MessagingBuilder, u64)>, job_of: Arc<[u16]>) -> Self {
        assert!(!jobs.is_empty(), "there are jobs");
        PartedBuilder { jobs, job_of }
    }
}

impl SoftwareBuilder for PartedBuilder {
    fn build(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware> {
        let job =
            |(builder, start): &(MessagingBuilder, u64)| (builder.messaging(fabric, first, nodes), *start);
        let job_of = self.job_of[first as usize..first as usize + nodes].to_vec();
        Box::new(Parted { jobs: self.jobs.iter().map(job).collect(), job_of })
    }

    fn smallest_chunks(&self) -> u8 {
        let smallest = self.jobs.iter().map(|(builder, _)| builder.smallest_chunks()).min();
        smallest.expect("there are jobs")
    }

    fn state_bytes(&self) -> u64 {
        self.jobs.iter().map(|(builder, _)| builder.state_bytes()).sum()
    }

    fn reads_at_once(&self) -> bool {
        self.jobs.iter().all(|(builder, _)| builder.reads_at_once())
    }

    fn groups(&self) -> Option<Arc<[u16]>> {
        Some(self.job_of.clone())
    }
}

/// The message layers of some nodes.
pub struct Parted {
    /// Each for all of the nodes, with the cycle at which the job starts.
    jobs: Vec<(Messaging, u64)>,
    job_of: Vec<u16>,
}

impl Parted {
    /// The message layers of the jobs.
    pub fn jobs(&self) -> impl Iterator<Item = &Messaging> {
        self.jobs.iter().map(|(job, _)| job)
    }

    /// The message layer of a node.
    fn job(&self, local: usize) -> Option<&Messaging> {
        let job = self.job_of[local];
        (job != NO_GROUP).then(|| &self.jobs[usize::from(job)].0)
    }

    fn job_mut(&mut self, local: usize) -> Option<&mut (Messaging, u64)> {
        let job = self.job_of[local];
        (job != NO_GROUP).then(|| &mut self.jobs[usize::from(job)])
    }
}

impl NodeSoftware for Parted {
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume {
        match self.job_mut(io.local) {
            Some((_, start)) if io.now < *start => Resume { at: *start, ..Resume::IDLE },
            Some((job, _)) => job.run(io),
            None => Resume::IDLE,
        }
    }

    fn acknowledge(&mut self, local: usize) {
        if let Some((job, _)) = self.job_mut(local) {
            job.acknowledge(local);
        }
    }

    fn receive(&mut self, local: usize, announcement: &Announcement) {
        let (job, _) = self.job_mut(local).expect("ranks send to nodes of their job");
        job.receive(local, announcement);
    }

    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>> {
        self.job(local)?.waits_for_room(fabric, local, set)
    }

    fn bytes(&self) -> usize {
        self.jobs().map(|job| job.bytes()).sum::<usize>() + size_of_val(&self.job_of[..])
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.job(local).map_or(Ok(()), |job| job.save(local, frames))
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        match self.job_mut(node.local) {
            Some((job, _)) => job.restore(node, frames),
            None => Ok(()),
        }
    }

    fn reading(&self, local: usize) -> usize {
        self.job(local).map_or(0, |job| job.reading(local))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
