//! Figures of all links: sums, and the greatest. Each process has those of its nodes.

use network::{LinkCounters, Parameters};
use serde::{Deserialize, Serialize};

/// Figures of some links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkFigures {
    /// The sums of the counters that are summed, by dimension, in the order of [`LinkCounters::sums`].
    pub sums: Vec<Vec<u64>>,
    /// Bytes on the wire of the link that carried most.
    pub busiest_bytes: u64,
}

impl LinkFigures {
    /// The figures of links that have these counters, for each node by direction.
    pub fn of(parameters: &Parameters, links: &[LinkCounters]) -> Self {
        let dimensions = parameters.shape.dimensions();
        let sums_of = |dimension: usize| {
            let links = links.iter().enumerate();
            let mine = links.filter(|(index, _)| index % (2 * dimensions) / 2 == dimension);
            let sums = LinkCounters::sums(mine.map(|(_, link)| link));
            sums.into_iter().map(|(_, sum)| sum).collect()
        };
        let format = &parameters.packet;
        let wire_bytes = |link: &LinkCounters| {
            u64::from(link.chunks) * u64::from(format.chunk_bytes)
                + u64::from(link.packets) * u64::from(format.wire_bytes(0))
        };
        LinkFigures {
            sums: (0..dimensions).map(sums_of).collect(),
            busiest_bytes: links.iter().map(wire_bytes).max().unwrap_or(0),
        }
    }

    /// The figures of these links and others.
    pub fn and(mut self, others: LinkFigures) -> Self {
        for (sums, more) in self.sums.iter_mut().zip(others.sums) {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.busiest_bytes = self.busiest_bytes.max(others.busiest_bytes);
        self
    }
}
