//! An estimate of the memory of an engine, from one with few nodes and no packets.

use super::{calendar, new_engine};
use base::checkpoint::{FrameReader, FrameWriter};
use geometry::Twist;
use network::fabric::Fabric;
use network::node::software::{Announcement, NodeIo, NodeSoftware, RestoredNode, Resume};
use network::parameters::Parameters;
use network::source::{Lane, Offer, Source};
use network::traffic::{SoftwareBuilder, Traffic};
use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Estimates the bytes of state of an engine for these parameters and traffic. Without traffic, packets are full-size.
pub fn estimate_state_bytes(parameters: &Parameters, traffic: Option<&Traffic>) -> u64 {
    // All nodes take the same memory, so that a few give the total. A wide machine stays wide with shorter dimensions.
    let lengths: Vec<u32> = parameters.shape.lengths().iter().map(|&length| length.min(2)).collect();
    let shape = geometry::Shape::torus(&lengths).expect("a shortened shape is valid");
    let shape =
        shape.with_twist(shortened(parameters.shape.twist())).expect("its shifts are in the same order");
    let few = u64::from(shape.nodes());
    let software = match traffic {
        Some(Traffic::Software(builder)) => builder.state_bytes(),
        Some(Traffic::Generated(_)) | None => 0,
    };
    let traffic = match traffic {
        Some(Traffic::Generated(source)) => Traffic::Generated(Arc::new(SilentSource::like(&**source))),
        Some(Traffic::Software(builder)) => Traffic::Software(Arc::new(IdleSoftware::like(&**builder))),
        None => Traffic::Generated(Arc::new(SilentSource {
            smallest_chunks: parameters.packet.max_chunks,
            ..SilentSource::default()
        })),
    };
    let sample = new_engine(Parameters { shape, ..parameters.clone() }, traffic, 1);
    let nodes = u64::from(parameters.shape.nodes());
    (sample.state_bytes() - calendar::bytes_for(few)).div_ceil(few) * nodes
        + calendar::bytes_for(nodes)
        + software
}

/// A twist that shifts the same dimensions of length 2.
fn shortened(twist: Option<Twist>) -> Twist {
    let twist = twist.unwrap_or_default();
    twist.shifts().fold(twist, |twist, (across, along, _)| twist.shifting(across, along, 1))
}

/// Traffic with the properties of a source, but without packets.
#[derive(Default)]
struct SilentSource {
    smallest_chunks: u8,
    high_priority: bool,
    deposits: bool,
    forwards: bool,
}

impl SilentSource {
    fn like(source: &dyn Source) -> Self {
        SilentSource {
            smallest_chunks: source.smallest_chunks(),
            high_priority: source.uses_high_priority(),
            deposits: source.deposits(),
            forwards: source.forwards(),
        }
    }
}

impl Source for SilentSource {
    fn offer(&self, _: Lane, _: u64, _: u64) -> Option<Offer> {
        None
    }

    fn smallest_chunks(&self) -> u8 {
        self.smallest_chunks
    }

    fn uses_high_priority(&self) -> bool {
        self.high_priority
    }

    fn deposits(&self) -> bool {
        self.deposits
    }

    fn forwards(&self) -> bool {
        self.forwards
    }
}

/// Software with the properties of another, which neither writes nor reads packets and takes no memory.
#[derive(Clone, Copy)]
struct IdleSoftware {
    smallest_chunks: u8,
    high_priority: bool,
    deposits: bool,
}

impl IdleSoftware {
    fn like(builder: &dyn SoftwareBuilder) -> Self {
        IdleSoftware {
            smallest_chunks: builder.smallest_chunks(),
            high_priority: builder.uses_high_priority(),
            deposits: builder.deposits(),
        }
    }
}

impl SoftwareBuilder for IdleSoftware {
    fn build(&self, _: &Fabric, _: u32, _: usize) -> Box<dyn NodeSoftware> {
        Box::new(*self)
    }

    fn smallest_chunks(&self) -> u8 {
        self.smallest_chunks
    }

    fn uses_high_priority(&self) -> bool {
        self.high_priority
    }

    fn deposits(&self) -> bool {
        self.deposits
    }
}

impl NodeSoftware for IdleSoftware {
    fn run(&mut self, _: &mut NodeIo<'_>) -> Resume {
        Resume::IDLE
    }

    fn acknowledge(&mut self, _: usize) {}

    fn receive(&mut self, _: usize, _: &Announcement) {}

    fn waits_for_room(&self, _: &Fabric, _: usize, _: usize) -> Option<Range<usize>> {
        None
    }

    fn bytes(&self) -> usize {
        0
    }

    fn save(&self, _: usize, _: &mut FrameWriter<'_>) -> io::Result<()> {
        Ok(())
    }

    fn restore(&mut self, _: &mut RestoredNode<'_>, _: &mut FrameReader<'_>) -> io::Result<()> {
        Ok(())
    }

    fn reading(&self, _: usize) -> usize {
        0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
