//! Tables of a result, column by column.

use geometry::{Direction, Shape};
use mpi::Sent;
use network::deadlock::WaitingPacket;
use network::link::LinkReport;
use network::parameters::RouterParameters;
use network::{LinkColumn, LinkCounters, NodeCounters, Parameters, Totals};
use std::collections::HashMap;
use std::ops::Range;

/// A table: columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name: `links`, `latency`, `series`, `nodes`, `injection`, `jobs`, `communication`, `link_series`,
    /// `waiting` or `time_lines`.
    pub name: &'static str,
    /// The columns, with their names.
    pub columns: Vec<(String, Column)>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Node numbers, coordinates, checksums, and counts of one link or node.
    U32(Vec<u32>),
    /// Cycles and counts.
    U64(Vec<u64>),
    /// Shares; 0 where the whole is 0.
    F64(Vec<f64>),
    /// Names.
    Text(Vec<String>),
    /// Shares in steps of a 255th of another column, one for each link.
    Bytes(Vec<Vec<u8>>),
}

impl From<LinkColumn> for Column {
    fn from(column: LinkColumn) -> Self {
        match column {
            LinkColumn::U32(counts) => Column::U32(counts),
            LinkColumn::U64(counts) => Column::U64(counts),
        }
    }
}

/// The counts of all links, for each node by direction.
pub(crate) struct CountedLinks<'a> {
    pub counters: &'a [LinkCounters],
    /// The packets of each link by VC; empty if they are not counted.
    pub vcs: &'a [u32],
    /// The report on lossy links.
    pub lossy: Option<&'a LinkReport>,
}

/// One row for each link of the shape, with counts over `cycles` cycles. The column `dead`, if any link is dead,
/// marks the dead links, which carry nothing.
pub(crate) fn links_table(parameters: &Parameters, counted: &CountedLinks<'_>, cycles: u64) -> Table {
    let (shape, counters) = (&parameters.shape, counted.counters);
    let directions = 2 * shape.dimensions();
    let links: Vec<(u32, Direction, LinkCounters)> = all_links(shape)
        .map(|(node, direction)| (node, direction, counters[node as usize * directions + direction.index()]))
        .collect();
    let mut busy: Vec<u64> = links
        .iter()
        .map(|(_, direction, link)| {
            busy_cycles(parameters, *direction, link.packets.into(), link.chunks.into())
        })
        .collect();
    let utilization = busy.iter().map(|&busy| share(busy as f64, cycles as f64).unwrap_or(0.0)).collect();
    let mut columns = vec![("node".to_owned(), Column::U32(links.iter().map(|link| link.0).collect()))];
    columns.extend(coordinates(shape, links.iter().map(|link| link.0)));
    columns
        .push(("direction".to_owned(), Column::Text(links.iter().map(|link| link.1.to_string()).collect())));
    for (name, counts) in LinkCounters::columns(links.iter().map(|link| &link.2)) {
        columns.push((name.to_owned(), counts.into()));
        if name == "chunks" {
            columns.push(("busy_cycles".to_owned(), Column::U64(std::mem::take(&mut busy))));
        }
    }
    columns.push(("utilization".to_owned(), Column::F64(utilization)));
    let place = |&(node, direction, _): &(u32, Direction, _)| node as usize * directions + direction.index();
    columns.extend(packets_by_vc(parameters, counted.vcs, links.iter().map(place)));
    if let Some(report) = counted.lossy {
        let of_links = report.retransmissions.iter();
        let by_place: HashMap<usize, u32> =
            of_links.map(|&(node, port, number)| (node as usize * directions + port, number)).collect();
        let numbers = links.iter().map(|link| by_place.get(&place(link)).copied().unwrap_or(0));
        columns.push(("frames_sent_again".to_owned(), Column::U32(numbers.collect())));
    }
    if !parameters.faults.is_empty() {
        let is_dead = |link: &(u32, Direction, _)| parameters.faults.is_dead_link(shape, link.0, link.1);
        let dead = links.iter().map(|link| u32::from(is_dead(link))).collect();
        columns.push(("dead".to_owned(), Column::U32(dead)));
    }
    Table { name: "links", columns }
}

/// The packets of links by VC, a column for each; none if they are not counted.
fn packets_by_vc(
    parameters: &Parameters,
    counts: &[u32],
    places: impl Iterator<Item = usize> + Clone,
) -> Vec<(String, Column)> {
    let ports = parameters.shape.nodes() as usize * 2 * parameters.shape.dimensions();
    let vcs = counts.len() / ports;
    let of_vc = |vc: usize| {
        let packets = places.clone().map(|place| counts[place * vcs + vc]).collect();
        (format!("packets_{}", vc_name(vc, &parameters.router)), Column::U32(packets))
    };
    (0..vcs).map(of_vc).collect()
}

/// The name of a VC in column names.
pub(crate) fn vc_name(vc: usize, router: &RouterParameters) -> String {
    let escapes = router.escape_vcs();
    match vc {
        _ if vc < escapes.start => format!("dynamic_{vc}"),
        _ if vc >= escapes.end => "high_priority".to_owned(),
        _ if escapes.len() == 1 => "escape".to_owned(),
        _ => format!("escape_{}", vc - escapes.start),
    }
}

/// The name of a dimension: "x", "y", …
pub(crate) fn dimension_name(dimension: usize) -> String {
    Direction::new(dimension, true).to_string().trim_end_matches('+').to_owned()
}

/// The coordinates of nodes, a column for each dimension.
pub(super) fn coordinates(shape: &Shape, nodes: impl Iterator<Item = u32> + Clone) -> Vec<(String, Column)> {
    let of_dimension = |dimension: usize| {
        (
            dimension_name(dimension),
            Column::U32(nodes.clone().map(|node| shape.coordinates(node)[dimension]).collect()),
        )
    };
    (0..shape.dimensions()).map(of_dimension).collect()
}

/// The histogram of latencies: one row for each bucket that is not empty.
pub(crate) fn latency_table(totals: &Totals) -> Table {
    let histogram = &totals.latency;
    let highs: Vec<u64> = histogram.iter_recorded().map(|bucket| bucket.value_iterated_to()).collect();
    let packets = histogram.iter_recorded().map(|bucket| bucket.count_since_last_iteration()).collect();
    let lows = highs.iter().map(|&high| histogram.lowest_equivalent(high)).collect();
    let columns = vec![
        ("low_cycles", Column::U64(lows)),
        ("high_cycles", Column::U64(highs)),
        ("packets", Column::U64(packets)),
    ];
    table("latency", columns)
}

/// One row for each node: its coordinates, and the packets it injected and received.
pub(crate) fn nodes_table(parameters: &Parameters, counters: &[NodeCounters]) -> Table {
    let shape = &parameters.shape;
    let mut columns = vec![("node".to_owned(), Column::U32((0..shape.nodes()).collect()))];
    columns.extend(coordinates(shape, 0..shape.nodes()));
    let injected = counters.iter().map(|node| node.injected).collect();
    let delivered = counters.iter().map(|node| node.delivered).collect();
    columns.push(("injected".to_owned(), Column::U32(injected)));
    columns.push(("delivered".to_owned(), Column::U32(delivered)));
    Table { name: "nodes", columns }
}

/// One row for each injection FIFO: the checksum of all packets that have left it, for comparing two runs.
pub(crate) fn injection_table(links: &LinkReport) -> Table {
    let rows = (0u32..).zip(&links.injection_checksums);
    let rows = rows.flat_map(|(node, fifos)| (0u32..).zip(fifos).map(move |(fifo, &sum)| (node, fifo, sum)));
    let rows: Vec<(u32, u32, u32)> = rows.collect();
    let columns = vec![
        ("node", Column::U32(rows.iter().map(|row| row.0).collect())),
        ("fifo", Column::U32(rows.iter().map(|row| row.1).collect())),
        ("checksum", Column::U32(rows.iter().map(|row| row.2).collect())),
    ];
    table("injection", columns)
}

/// One row for each pair of ranks of which the first has sent data to the second.
pub(crate) fn communication_table(pairs: &[(u32, u32, Sent)]) -> Table {
    let columns = vec![
        ("source", Column::U32(pairs.iter().map(|pair| pair.0).collect())),
        ("target", Column::U32(pairs.iter().map(|pair| pair.1).collect())),
        ("messages", Column::U64(pairs.iter().map(|pair| pair.2.messages).collect())),
        ("bytes", Column::U64(pairs.iter().map(|pair| pair.2.bytes).collect())),
    ];
    table("communication", columns)
}

/// All links, in the order of the table of links.
pub(crate) fn all_links(shape: &Shape) -> impl Iterator<Item = (u32, Direction)> + '_ {
    links_of(shape, 0..shape.nodes())
}

/// The links that leave some nodes, in that order.
pub(crate) fn links_of(shape: &Shape, nodes: Range<u32>) -> impl Iterator<Item = (u32, Direction)> + '_ {
    let of_node = |node: u32| Direction::all(shape.dimensions()).map(move |toward| (node, toward));
    let links = nodes.flat_map(of_node);
    links.filter(|&(node, toward)| shape.neighbor(node, toward).is_some())
}

/// One row for each head packet in a buffer that waits for a link, which `link` gives as a row of the table of links.
pub(crate) fn waiting_table(parameters: &Parameters, waiting: &[WaitingPacket]) -> Table {
    let links: Vec<(u32, Direction)> = all_links(&parameters.shape).collect(); // in ascending order
    let row_of = |packet: &WaitingPacket| {
        links.binary_search(&(packet.node, packet.toward)).expect("a packet waits for a link that exists")
            as u32
    };
    let u32s = |value: &dyn Fn(&WaitingPacket) -> u32| Column::U32(waiting.iter().map(value).collect());
    let texts = |value: &dyn Fn(&WaitingPacket) -> Direction| {
        Column::Text(waiting.iter().map(|packet| value(packet).to_string()).collect())
    };
    let columns = vec![
        ("node", u32s(&|packet| packet.node)),
        ("receiver", texts(&|packet| packet.receiver)),
        ("vc", u32s(&|packet| packet.vc as u32)),
        ("toward", texts(&|packet| packet.toward)),
        ("toward_vc", u32s(&|packet| packet.toward_vc as u32)),
        ("link", u32s(&row_of)),
        ("target", u32s(&|packet| packet.target)),
        ("bytes", u32s(&|packet| u32::from(packet.chunks) * parameters.packet.chunk_bytes)),
        ("tokens", u32s(&|packet| packet.credits.into())),
        ("tokens_needed", u32s(&|packet| packet.credits_needed.into())),
    ];
    table("waiting", columns)
}

/// A table of columns with fixed names.
pub(crate) fn table(name: &'static str, columns: Vec<(&str, Column)>) -> Table {
    Table { name, columns: columns.into_iter().map(|(name, column)| (name.to_owned(), column)).collect() }
}

/// Cycles for which `packets` packets with `chunks` chunks in all occupy links of `direction`: 270 for a full packet of
/// Blue Gene/L.
pub(crate) fn busy_cycles(parameters: &Parameters, direction: Direction, packets: u64, chunks: u64) -> u64 {
    let format = &parameters.packet;
    let bytes = chunks * u64::from(format.chunk_bytes) + packets * u64::from(format.wire_bytes(0));
    parameters.links[direction.dimension()].cycles_per_byte.cycles_of_all(bytes)
}

/// `part / whole`, limited to 1; `None` if `whole` is 0. A packet is counted when it begins to cross a link. So the
/// last one may extend beyond the end of the measurement, which the limit cuts off.
pub(crate) fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| (part / whole).min(1.0))
}
